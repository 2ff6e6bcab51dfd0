//! System calls that fail, or kill, on purpose: `strace` with its injections.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether strace is here and may trace.
pub fn available() -> bool {
    let probe = Command::new("strace").args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    probe.is_ok_and(|s| s.success())
}

/// Puts `command` under strace with the injection `inject` (`write:error=ENOSPC`), only for calls on `path` where one is
/// given.
pub fn traced(command: &Command, inject: &str, path: Option<&Path>) -> Command {
    let mut traced = Command::new("strace");
    traced.args(["-f", "-o", "/dev/null", "-e"]).arg(format!("inject={inject}"));
    if let Some(path) = path {
        traced.arg("-P").arg(path);
    }
    traced.arg(command.get_program()).args(command.get_args());
    traced.env_clear();
    for (name, value) in command.get_envs() {
        value.map(|value| traced.env(name, value));
    }
    if let Some(dir) = command.get_current_dir() {
        traced.current_dir(dir);
    }
    traced
}
