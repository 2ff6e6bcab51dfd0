//! `user.jsonl`: what only the user can say. Append-only; part of the truth that the database is rebuilt from.

use super::writer::EventFile;
use crate::config::Durability;
use crate::error::{Error, Result};
use crate::graph::change::NewNode;
use crate::graph::withheld::{Phrase, Withheld};
use crate::project::own_file;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
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
        node: Box<NewNode>,
    },
    /// Forget these. No word of them stands here.
    Forget {
        /// When.
        ts: Timestamp,
        /// Ids of nodes.
        #[serde(default)]
        nodes: Vec<String>,
        /// What must not be told again.
        #[serde(default)]
        phrases: Vec<Phrase>,
        /// What these nodes did to others, and still holds when they are gone.
        #[serde(default)]
        kept: Vec<Standing>,
    },
}

/// The state of a node that it owes to a forgotten one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// The node.
    pub id: String,
    /// Since when it is no longer true; `None` if it is not superseded but waits for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When engram learned so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
}

impl UserEntry {
    /// When it was said.
    pub fn time(&self) -> Timestamp {
        match self {
            UserEntry::Remember { ts, .. } | UserEntry::Forget { ts, .. } => *ts,
        }
    }

    /// What it says must not be told again.
    pub fn phrases(&self) -> &[Phrase] {
        match self {
            UserEntry::Remember { .. } => &[],
            UserEntry::Forget { phrases, .. } => phrases,
        }
    }
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
        let bytes = bytes_of(path)?;
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

    /// Everything that must not be told again.
    ///
    /// # Errors
    /// `Io` if the log cannot be read.
    pub fn withheld(path: &Path) -> Result<Withheld> {
        Ok(UserLog::read(path)?.iter().flat_map(|(_, _, entry)| entry.phrases()).collect())
    }

    /// Gives lines another text where `reworded`, told their place and text, has one; spaces fill them up. Every line
    /// stays where it is, since ids are made of the places. Not by a new file, which an entry appended meanwhile would
    /// miss.
    ///
    /// # Errors
    /// `Io` if the log cannot be read or written.
    pub fn rewrite(path: &Path, reworded: &dyn Fn(u64, &str) -> Option<String>) -> Result<()> {
        let mut at = 0;
        let mut changed = Vec::new();
        for line in bytes_of(path)?.split_inclusive(|b| *b == b'\n') {
            let bytes = line.strip_suffix(b"\n").unwrap_or(line);
            let text = String::from_utf8_lossy(bytes);
            if let Some(new) = reworded(at, &text).filter(|new| !bytes.is_empty() && new.len() <= bytes.len()) {
                changed.push((at, format!("{new:<0$}", bytes.len() - (new.len() - new.chars().count())).into_bytes()));
            }
            at += line.len() as u64;
        }
        overwrite(path, &changed)
    }
}

/// The bytes of a file of the data folder; an absent one has none.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    match own_file::read(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|e| Error::io("read", path, e)),
    }
}

/// Overwrites stretches of a file of the data folder in place, durably.
pub(super) fn overwrite(path: &Path, places: &[(u64, Vec<u8>)]) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let write = || {
        let mut file = own_file::open(OpenOptions::new().write(true), path)?;
        for (at, bytes) in places {
            file.seek(SeekFrom::Start(*at))?;
            file.write_all(bytes)?;
        }
        file.sync_all()
    };
    write().map_err(|e| Error::io("overwrite forgotten text in", path, e))
}
