//! What a hook may leave behind: at most one JSON line on stdout, at most one line on stderr, exit code 0 (I6).

use engram_core::text;
use engram_core::time::Clock;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;

/// What a hook has to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The harness's answer; an object.
    pub object: Option<Value>,
    /// Why the event could not be recorded; nothing if it was, or if there was none to record.
    pub not_recorded: Option<String>,
    /// Other trouble, for the log.
    pub trouble: Vec<String>,
}

impl Answer {
    /// An answer that only says why nothing was recorded.
    pub fn not_recorded(reason: impl ToString) -> Answer {
        Answer { not_recorded: Some(reason.to_string()), ..Answer::default() }
    }
}

/// Runs `body` as a hook and says what it returned. The exit code is 0 whatever happens inside, a panic included.
///
/// Trouble goes to `{home}/engram.log`, or nowhere without a home; a full or closed stdout or stderr is none and costs at
/// most a second.
pub fn run(home: Option<&Path>, body: impl FnOnce() -> Answer) -> ExitCode {
    panic::set_hook(Box::new(|_| {}));
    let answer = panic::catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| panicked(&*payload));
    deliver(home, &answer);
    ExitCode::SUCCESS
}

fn panicked(payload: &(dyn std::any::Any + Send)) -> Answer {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    Answer { trouble: vec![format!("panic: {text}")], ..Answer::not_recorded("internal error, see engram.log") }
}

fn deliver(home: Option<&Path>, answer: &Answer) {
    if let Some(object) = answer.object.as_ref().filter(|o| o.is_object()) {
        write_in_time(io::stdout(), format!("{object}\n"));
    }
    if let Some(reason) = &answer.not_recorded {
        write_in_time(io::stderr(), format!("engram: not recorded: {}\n", one_line(reason)));
    }
    let reason = answer.not_recorded.iter().map(|reason| format!("not recorded: {reason}"));
    for trouble in reason.chain(answer.trouble.iter().cloned()) {
        home.into_iter().for_each(|home| log_trouble(home, &trouble));
    }
}

/// Longest time that a reader who does not read can hold a hook up.
const WRITE_WAIT: Duration = Duration::from_secs(1);

/// What a pipe that is ready to be written to is sure to take (PIPE_BUF).
const SURE_BYTES: usize = 4096;

/// Writes `line` at once, or gives up: a full pipe would block for ever. A short line is written when the stream is ready
/// for it; a long one in a thread of its own, which ends with the process.
fn write_in_time(mut to: impl Write + AsFd + Send + 'static, line: String) {
    if line.len() <= SURE_BYTES {
        if is_ready(&to) {
            // A closed stream is the harness's choice.
            let _ = to.write_all(line.as_bytes()).and_then(|()| to.flush());
        }
        return;
    }
    let (done, wait) = mpsc::channel();
    let writer = std::thread::Builder::new().spawn(move || {
        // A closed or full stream is the harness's choice.
        let _ = to.write_all(line.as_bytes()).and_then(|()| to.flush());
        let _ = done.send(());
    });
    if writer.is_ok() {
        let _ = wait.recv_timeout(WRITE_WAIT);
    }
}

/// Whether a stream takes a write within the time that a hook waits for it.
fn is_ready(to: &impl AsFd) -> bool {
    let wait = Timespec { tv_sec: i64::try_from(WRITE_WAIT.as_secs()).unwrap_or(1), tv_nsec: 0 };
    let mut stream = [PollFd::new(to, PollFlags::OUT)];
    matches!(poll(&mut stream, Some(&wait)), Ok(ready) if ready > 0)
}

/// `text` on one line, without control characters, bounded.
fn one_line(text: &str) -> String {
    let flat = text::neutralise(text).split_whitespace().collect::<Vec<_>>().join(" ");
    text::clip_marked(&flat, 400)
}

const LOG_BYTES: u64 = 1 << 20;

/// Appends one line with the time to `{home}/engram.log`; past 1 MiB the file becomes `engram.log.1`. Never fails: a
/// log that cannot be written is no reason to say more.
pub fn log_trouble(home: &Path, trouble: &str) {
    let line = format!("{} {}\n", Clock::System.now(), one_line(trouble));
    let _ = open_log(home).and_then(|mut log| log.write_all(line.as_bytes()));
}

fn open_log(home: &Path) -> io::Result<File> {
    let path = home.join("engram.log");
    match fs::symlink_metadata(&path) {
        Ok(meta) if meta.len() > LOG_BYTES => fs::rename(&path, home.join("engram.log.1"))?,
        Ok(_) => {}
        Err(_) => fs::DirBuilder::new().recursive(true).mode(0o700).create(home)?,
    }
    let no_links = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(no_links.bits() as i32).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::pipe;

    #[test]
    fn trouble_is_one_clean_line_in_a_private_log() {
        use std::os::unix::fs::PermissionsExt;
        let tmp = tempfile::tempdir().unwrap();
        let home = tmp.path().join("fresh");
        log_trouble(&home, "disk\nfull \u{1b}[31mred");
        log_trouble(&home, "again");
        let log = fs::read_to_string(home.join("engram.log")).unwrap();
        assert!(log.lines().count() == 2 && log.contains("Z disk full red\n"), "{log}");
        assert_eq!(fs::metadata(home.join("engram.log")).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn the_log_is_rotated_and_links_are_not_followed() {
        let tmp = tempfile::tempdir().unwrap();
        fs::write(tmp.path().join("engram.log"), vec![b'x'; (LOG_BYTES + 1) as usize]).unwrap();
        log_trouble(tmp.path(), "new");
        assert!(fs::metadata(tmp.path().join("engram.log")).unwrap().len() < 100);
        assert!(fs::metadata(tmp.path().join("engram.log.1")).unwrap().len() > LOG_BYTES);

        let outside = tmp.path().join("outside");
        fs::write(&outside, "untouched").unwrap();
        let home = tmp.path().join("linked");
        fs::create_dir(&home).unwrap();
        std::os::unix::fs::symlink(&outside, home.join("engram.log")).unwrap();
        log_trouble(&home, "must not go there");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "untouched");
    }

    #[test]
    fn a_reader_who_never_reads_does_not_hold_the_hook_up() {
        // The write of more than a pipe holds never ends; that this test does is what it shows.
        let (_reader, writer) = pipe().unwrap();
        write_in_time(writer.try_clone().unwrap(), "x".repeat(1 << 20));
        write_in_time(writer, "x".repeat(10));
    }

    #[test]
    fn a_panic_becomes_a_reason() {
        let answer = panicked(&*panic::catch_unwind(|| panic!("broken {}", 7)).unwrap_err());
        assert_eq!(answer.trouble, ["panic: broken 7"]);
        assert!(answer.not_recorded.is_some() && answer.object.is_none());
    }
}
