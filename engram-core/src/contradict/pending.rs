//! Warnings that were found late wait here for the session's next hook.
//!
//! One file a session, one JSON object a line. Appenders and the taker hold the file's OS lock for the length of one
//! write or read, so that no warning is lost between them and each is taken by one process alone. The lock dies with
//! its holder.

use crate::error::{Error, Result};
use crate::project::own_file;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

/// A warning that waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PendingWarning {
    /// The warning as it will be injected.
    pub text: String,
    /// Ids of the decisions that it is about.
    pub decisions: Vec<String>,
    /// What makes it the same as another one ([`super::fingerprint`]).
    pub fingerprint: String,
}

/// Adds a warning. Costs one append; waits for a taker at work.
///
/// # Errors
/// `Io` if the file cannot be opened, locked or written.
pub fn append(path: &Path, warning: &PendingWarning) -> Result<()> {
    let json = serde_json::to_string(warning).map_err(|e| Error::invalid("a warning is not JSON").with_source(e))?;
    let mut file = open(path, true).map_err(|e| Error::io("open", path, e))?;
    file.lock().map_err(|e| Error::io("lock", path, e))?;
    // Framed on both sides: a torn record cannot swallow the next one.
    file.write_all(format!("\n{json}\n").as_bytes()).map_err(|e| Error::io("write", path, e))
}

/// Takes every warning that waits, in order; a second call finds none. Never waits: while somebody else holds the file
/// it gives nothing, and the next hook takes them. A torn line is dropped, a warning already there is given once.
///
/// # Errors
/// `Io` if the file is there and cannot be read or emptied.
pub fn take(path: &Path) -> Result<Vec<PendingWarning>> {
    let empty = || std::fs::symlink_metadata(path).map_or(true, |m| m.len() == 0);
    if empty() {
        return Ok(Vec::new());
    }
    let mut file = open(path, false).map_err(|e| Error::io("open", path, e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Vec::new()),
        Err(TryLockError::Error(e)) => return Err(Error::io("lock", path, e)),
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|e| Error::io("read", path, e))?;
    file.set_len(0).map_err(|e| Error::io("empty", path, e))?;
    Ok(parse(&String::from_utf8_lossy(&bytes)))
}

/// Takes out the warnings of which `gone` says so. Waits for whoever holds the file.
///
/// # Errors
/// `Io` if the file is there and cannot be read or written.
pub fn drop_where(path: &Path, gone: &dyn Fn(&PendingWarning) -> bool) -> Result<()> {
    let changed = || {
        let mut file = open(path, false)?;
        file.lock()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let all = parse(&String::from_utf8_lossy(&bytes));
        let kept: Vec<&PendingWarning> = all.iter().filter(|w| !gone(w)).collect();
        if kept.len() == all.len() {
            return Ok(());
        }
        let lines = kept.iter().filter_map(|w| serde_json::to_string(w).ok()).map(|json| format!("\n{json}\n"));
        file.set_len(0)?;
        file.write_all(lines.collect::<String>().as_bytes())
    };
    match changed() {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io("take warnings out of", path, e)),
        _ => Ok(()),
    }
}

fn open(path: &Path, create: bool) -> std::io::Result<File> {
    own_file::open(OpenOptions::new().read(true).append(true).create(create), path)
}

fn parse(lines: &str) -> Vec<PendingWarning> {
    let mut out: Vec<PendingWarning> = Vec::new();
    for warning in lines.lines().filter_map(|l| serde_json::from_str::<PendingWarning>(l).ok()) {
        if !out.contains(&warning) {
            out.push(warning);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(text: &str) -> PendingWarning {
        PendingWarning { text: text.to_owned(), ..PendingWarning::default() }
    }

    #[test]
    fn each_warning_is_taken_once_and_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.warnings.jsonl");
        assert!(take(&path).unwrap().is_empty() && !path.exists());
        for t in ["one\ntwo", "three", "three"] {
            append(&path, &warning(t)).unwrap();
        }
        assert_eq!(take(&path).unwrap(), [warning("one\ntwo"), warning("three")]);
        assert!(take(&path).unwrap().is_empty());
        append(&path, &warning("four")).unwrap();
        assert_eq!(take(&path).unwrap(), [warning("four")]);
    }

    #[test]
    fn a_torn_line_costs_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.warnings.jsonl");
        std::fs::write(&path, "\n{\"text\":\"tor").unwrap();
        append(&path, &warning("whole")).unwrap();
        assert_eq!(take(&path).unwrap(), [warning("whole")]);
    }

    #[test]
    fn many_writers_and_takers_lose_and_double_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.warnings.jsonl");
        let taken = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|s| {
            for w in 0..4 {
                let path = &path;
                s.spawn(move || (0..25).for_each(|i| append(path, &warning(&format!("{w}-{i}"))).unwrap()));
            }
            for _ in 0..2 {
                s.spawn(|| (0..50).for_each(|_| taken.lock().unwrap().extend(take(&path).unwrap())));
            }
        });
        let mut all = taken.into_inner().unwrap();
        all.extend(take(&path).unwrap());
        let mut texts: Vec<String> = all.into_iter().map(|w| w.text).collect();
        texts.sort();
        let before = texts.len();
        texts.dedup();
        assert_eq!((before, texts.len()), (100, 100));
    }
}
