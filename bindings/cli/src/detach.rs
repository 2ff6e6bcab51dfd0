//! Background work that outlives the hook which started it (D16): own session, no open streams, nobody waits.

use crate::hook;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The flag by which a detached consolidator knows itself.
pub const DETACHED: &str = "--detached";

/// Starts `engram consolidate --detached` for the project at `project`, with the data in `home`, and does not wait.
///
/// `program` is the program `engram` ([`beside`] finds it). Returns whether one was started: with `ENGRAM_NO_BACKGROUND`
/// set there is none. Costs one fork and exec; that there is at most one per project is the child's lock to ensure.
///
/// # Errors
/// What the system says if the program cannot be started.
pub fn consolidate(program: &Path, home: &Path, project: &Path) -> io::Result<bool> {
    if hook::is_set("ENGRAM_NO_BACKGROUND") {
        return Ok(false);
    }
    let mut command = Command::new(program);
    command.args(["consolidate", DETACHED, "--home"]).arg(home).arg("--project").arg(project);
    // What it may start, an agent that is asked as a model for example, must not call hooks of engram's (T-12).
    command.env("ENGRAM_DISABLE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command.spawn().map(drop).map(|()| true)
}

/// What the child does first: a session of its own, so that the harness's end does not take it along.
pub fn own_session() {
    // It fails only for a process that leads its group already; that one is safe from the harness's signals as it is.
    let _ = rustix::process::setsid();
}

/// The program `name` in the folder of the running one: engram's two programs are installed side by side.
///
/// # Errors
/// `NotFound`, naming the place, if there is none.
pub fn beside(name: &str) -> io::Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() {
        return Ok(path);
    }
    Err(io::Error::new(io::ErrorKind::NotFound, format!("no program \"{}\"", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};

    fn script(dir: &Path, body: &str) -> PathBuf {
        let path = dir.join("engram");
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn wait_for(path: &Path) -> String {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            match fs::read_to_string(path) {
                Ok(text) if text.ends_with("done\n") => return text,
                _ if Instant::now() > until => panic!("{} was not written", path.display()),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    #[test]
    fn the_child_has_no_streams_and_is_not_waited_for() {
        let tmp = tempfile::tempdir().unwrap();
        let out = tmp.path().join("out");
        let body = format!(
            "sleep 1; {{ echo \"$@ $ENGRAM_DISABLE\"; readlink /proc/$$/fd/0 /proc/$$/fd/2; echo done; }} > {}",
            out.display()
        );
        let program = script(tmp.path(), &body);
        assert!(consolidate(&program, Path::new("/h"), Path::new("/p q")).unwrap());
        assert!(!out.exists(), "the child, which sleeps first, was waited for");
        let text = wait_for(&out);
        assert_eq!(text, "consolidate --detached --home /h --project /p q 1\n/dev/null\n/dev/null\ndone\n");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        assert!(consolidate(Path::new("/nowhere/engram"), Path::new("/h"), Path::new("/p")).is_err());
        assert_eq!(beside("no-such-program").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
