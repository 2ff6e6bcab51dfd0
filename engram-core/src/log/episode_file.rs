//! The episode file of a session: its episodes, and which bytes of its log each covers (D1, D2).

use super::writer::replace_file;
use crate::capture::event::SessionId;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::episode::{Episode, LogRange};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A covered stretch of the log. `episode` is `None` where there was nothing to remember.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Covered {
    /// The bytes.
    #[serde(flatten)]
    pub range: LogRange,
    /// When; the database is made anew in this order.
    #[serde(default)]
    pub consolidated_at: Timestamp,
    /// What was made of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episode: Option<Episode>,
}

/// The episodes of one session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeFile {
    /// Version of the form.
    pub v: u32,
    /// The session.
    pub session: String,
    /// Covered stretches, in log order.
    pub covered: Vec<Covered>,
}

impl EpisodeFile {
    fn path(episodes: &Path, session: &SessionId) -> PathBuf {
        episodes.join(format!("{}.episode.json", session.file_stem()))
    }

    /// Reads a session's file; an absent one is empty.
    ///
    /// # Errors
    /// `Corrupt` if it exists and cannot be understood: its log must not be consolidated a second time then.
    pub fn read(episodes: &Path, session: &SessionId) -> Result<EpisodeFile> {
        let path = EpisodeFile::path(episodes, session);
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|e| {
                Error::new(ErrorKind::Corrupt, format!("episode file \"{}\" cannot be read", path.display()))
                    .with_source(e)
            }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                Ok(EpisodeFile { v: 1, session: session.as_str().to_owned(), covered: Vec::new() })
            }
            Err(e) => Err(Error::io("read", &path, e)),
        }
    }

    /// Puts the file in place durably.
    pub fn write(&self, episodes: &Path, session: &SessionId) -> Result<()> {
        let bytes = serde_json::to_vec(self)
            .map_err(|e| Error::new(ErrorKind::Corrupt, "an episode has no JSON form").with_source(e))?;
        replace_file(&EpisodeFile::path(episodes, session), &bytes)
    }

    /// First byte of the log that no stretch covers.
    pub fn covered_to(&self) -> u64 {
        self.covered.iter().map(|c| c.range.to).max().unwrap_or(0)
    }
}
