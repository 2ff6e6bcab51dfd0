//! A place of its own for a test: a user's home, engram's home and a project, gone with the value.

use crate::event_log::EventLog;
use crate::program;
use crate::run::{Ended, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The folders of one test.
#[derive(Debug)]
pub struct Place {
    dir: TempDir,
    /// `ENGRAM_HOME`.
    pub home: PathBuf,
    /// A project with `src/a.rs` in it.
    pub project: PathBuf,
    /// `HOME`.
    pub user: PathBuf,
}

impl Place {
    /// A project without version control.
    pub fn new() -> Place {
        let dir = tempfile::Builder::new().prefix("engram-test-").tempdir().expect("a temporary folder");
        // Canonical, since a project is.
        let root = dir.path().canonicalize().expect("it exists");
        let place =
            Place { dir, home: root.join("engram-home"), project: root.join("project"), user: root.join("user") };
        for folder in [place.project.join("src"), place.user.clone()] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        std::fs::write(place.project.join("src/a.rs"), "fn main() {}\n").expect("a file");
        place
    }

    /// A project that is a git repository with one commit.
    pub fn with_git() -> Place {
        let place = Place::new();
        place.commit_all();
        place
    }

    /// Puts everything in the project under version control.
    pub fn commit_all(&self) {
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.git(&["add", "--all"]);
        self.git(&["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message=start"]);
    }

    /// Runs git in the project and gives what it prints.
    pub fn git(&self, args: &[&str]) -> String {
        let ended = run(self.command(Path::new("git")).args(args), b"");
        assert_eq!(ended.code, Some(0), "git {args:?}: {}", ended.stderr);
        ended.stdout
    }

    /// The folder that holds everything of this place.
    pub fn root(&self) -> &Path {
        self.project.parent().unwrap_or_else(|| self.dir.path())
    }

    /// A command in the project with nothing in its environment but what names this place; background work is off.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.project);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &self.user).env("ENGRAM_HOME", &self.home).env("ENGRAM_NO_BACKGROUND", "1");
        command
    }

    /// `engram-hook HARNESS`, not started.
    pub fn hook_command(&self, harness: &str) -> Command {
        let mut command = self.command(&program::hook());
        command.arg(harness);
        command
    }

    /// Sends one payload through `engram-hook`.
    pub fn hook(&self, harness: &str, payload: &Value) -> Ended {
        self.hook_bytes(harness, payload.to_string().as_bytes())
    }

    /// Sends bytes through `engram-hook`.
    pub fn hook_bytes(&self, harness: &str, payload: &[u8]) -> Ended {
        run(&mut self.hook_command(harness), payload)
    }

    /// Runs `engram` with `args`.
    pub fn engram(&self, args: &[&str]) -> Ended {
        run(self.command(&program::engram()).args(args), b"")
    }

    /// Runs `engram ARGS --json` and gives the value printed.
    ///
    /// # Panics
    /// If it fails, or prints anything but one JSON value on one line.
    pub fn json(&self, args: &[&str]) -> Value {
        let ended = run(self.command(&program::engram()).args(args).arg("--json"), b"");
        assert_eq!(ended.code, Some(0), "engram {args:?}: {ended:?}");
        assert_eq!(ended.stdout.lines().count(), 1, "engram {args:?}: {}", ended.stdout);
        serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("engram {args:?}: {e}: {}", ended.stdout))
    }

    /// The data folder of the one project of this place.
    ///
    /// # Panics
    /// If there is none, or more than one.
    pub fn data(&self) -> PathBuf {
        data_in(&self.home)
    }

    /// The log of a session whose id can be a file name.
    pub fn log_path(&self, session: &str) -> PathBuf {
        self.data().join("events").join(format!("{session}.jsonl"))
    }

    /// What the log of a session holds.
    pub fn log(&self, session: &str) -> EventLog {
        EventLog::read(&self.log_path(session))
    }
}

impl Default for Place {
    fn default() -> Place {
        Place::new()
    }
}

/// The data folder of the only project below an engram home.
///
/// # Panics
/// If there is none, or more than one.
pub fn data_in(home: &Path) -> PathBuf {
    let entries = std::fs::read_dir(home.join("projects")).expect("something was stored");
    let found: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    assert_eq!(found.len(), 1, "one project: {found:?}");
    found.into_iter().next().expect("one project")
}
