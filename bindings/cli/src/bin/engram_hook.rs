//! `engram-hook HARNESS`: one hook call, from a program without network code or argument parser (D25).

use engram_cli::{hook, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    let harness = std::env::args_os().nth(1).unwrap_or_default();
    let home = hook::data_home(None);
    hook::run(&harness.to_string_lossy(), home.clone().as_deref(), |arrived| serve::act(home, arrived))
}
