//! `user.jsonl`: what only the user can say. Append-only; part of the truth that the database is rebuilt from.

use super::writer::EventFile;
use crate::config::Durability;
use crate::error::{Error, Result};
use crate::graph::change::NewNode;
use crate::project::own_file;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One thing the user said to engram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum UserEntry {
    /// Remember this.
    Remember {
        /// When.
        ts: Timestamp,
        /// The memory.
        node: NewNode,
    },
}

/// The user's log, open for appending.
#[derive(Debug)]
pub struct UserLog(EventFile);

impl UserLog {
    /// Opens or makes it.
    pub fn open(path: &Path, durability: Durability) -> Result<UserLog> {
        EventFile::open(path, durability).map(UserLog)
    }

    /// Appends an entry durably.
    pub fn append(&mut self, entry: &UserEntry) -> Result<()> {
        self.0.append_line(entry)?;
        self.0.sync()
    }

    /// Reads all entries with the byte ranges of their lines; lines that are none are skipped.
    pub fn read(path: &Path) -> Result<Vec<(u64, u64, UserEntry)>> {
        let bytes = match own_file::read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(Error::io("read", path, e)),
        };
        let mut at = 0u64;
        let mut entries = Vec::new();
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            let end = at + line.len() as u64;
            if line.ends_with(b"\n") {
                entries.extend(serde_json::from_slice(line).ok().map(|entry| (at, end, entry)));
            }
            at = end;
        }
        Ok(entries)
    }
}
