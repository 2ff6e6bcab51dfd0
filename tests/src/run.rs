//! Running a program with something on stdin, under a watchdog.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// No program here may take longer; a test of waiting sets its own limit.
pub const WATCHDOG: Duration = Duration::from_secs(60);

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
    /// How long it ran.
    pub took: Duration,
    /// Whether somebody still held its stdout or stderr two seconds after its end: a child that should not have them.
    pub streams_held: bool,
}

impl Ended {
    /// Whether a hook ended so that its event must be in the log: exit 0, nothing refused.
    pub fn acknowledged(&self) -> bool {
        self.code == Some(0) && !self.stderr.contains("not recorded")
    }

    /// What is wrong with it as the end of a hook (I6); `None` if nothing is.
    pub fn breach(&self) -> Option<String> {
        let lines: Vec<&str> = self.stdout.lines().collect();
        let answer = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok_and(|v| v.is_object());
        let complaint = |e: &str| e.is_empty() || (e.lines().count() == 1 && e.starts_with("engram: not recorded: "));
        let rules = [
            (self.code == Some(0), "exit code is not 0"),
            (lines.is_empty() || (lines.len() == 1 && answer(lines[0])), "stdout is neither empty nor one object"),
            (complaint(&self.stderr), "stderr is neither empty nor one complaint"),
            (!self.streams_held, "a child holds the streams"),
        ];
        rules.iter().find(|(kept, _)| !kept).map(|(_, rule)| format!("{rule}: {self:?}"))
    }
}

/// Runs `command` with `input` on stdin and waits for its end.
///
/// # Panics
/// If it does not end within [`WATCHDOG`].
pub fn run(command: &mut Command, input: &[u8]) -> Ended {
    let mut child = start(command);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_vec();
    // A program may end without reading; that is for its own test to judge.
    std::thread::spawn(move || stdin.write_all(&input).is_ok());
    finish(child, WATCHDOG)
}

/// Starts `command` with three pipes.
pub fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap_or_else(|e| panic!("{command:?} cannot be started: {e}"))
}

/// Waits for the end of a child and takes what it wrote.
///
/// # Panics
/// If it does not end within `limit`.
pub fn finish(mut child: Child, limit: Duration) -> Ended {
    let started = Instant::now();
    let out = child.stdout.take().map(collect);
    let err = child.stderr.take().map(collect);
    let status = wait(&mut child, limit).unwrap_or_else(|| {
        let _ = child.kill();
        panic!("the program did not end within {limit:?}")
    });
    let took = started.elapsed();
    let (stdout, out_held) = text(out);
    let (stderr, err_held) = text(err);
    Ended { code: status.code(), signal: status.signal(), stdout, stderr, took, streams_held: out_held || err_held }
}

fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        if Instant::now() > until {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn collect(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (done, wait) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let _ = done.send(bytes);
    });
    wait
}

/// What came, and whether the stream was still open two seconds after the program's end.
fn text(stream: Option<Receiver<Vec<u8>>>) -> (String, bool) {
    match stream.map(|s| s.recv_timeout(Duration::from_secs(2))) {
        None => (String::new(), false),
        Some(Ok(bytes)) => (String::from_utf8_lossy(&bytes).into_owned(), false),
        Some(Err(_)) => (String::new(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(script: &str) -> Ended {
        run(Command::new("sh").args(["-c", script]), b"input\n")
    }

    #[test]
    fn a_good_hook_breaches_nothing() {
        for script in ["", "echo '{\"a\":1}'", "echo 'engram: not recorded: why' >&2"] {
            assert_eq!(said(script).breach(), None, "{script}");
        }
        assert!(said("cat").stdout == "input\n" && said("").acknowledged());
        assert!(!said("echo 'engram: not recorded: why' >&2").acknowledged());
    }

    #[test]
    fn every_rule_of_a_hook_is_looked_at() {
        let scripts = [
            "exit 2",
            "kill -9 $$",
            "echo text",
            "echo '{}'; echo '{}'",
            "echo '[]'",
            "echo oops >&2",
            "sleep 5 & echo '{}'",
        ];
        for script in scripts {
            assert!(said(script).breach().is_some(), "{script}");
        }
    }
}
