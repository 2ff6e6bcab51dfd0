//! What is not consolidated yet, derived from files (D1).

use super::episode_file::EpisodeFile;
use super::reader::{self, first_record};
use crate::capture::event::SessionId;
use crate::error::{Error, Result};
use crate::graph::episode::LogRange;
use crate::project::DataDir;
use crate::time::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A stretch of a session's log that no episode covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingRange {
    /// The session.
    pub session: SessionId,
    /// The bytes.
    #[serde(flatten)]
    pub range: LogRange,
}

/// The sessions that have a log or an episode file, by file name.
pub fn sessions(data: &DataDir) -> Result<Vec<SessionId>> {
    let mut found = names(&data.events(), ".jsonl")?;
    found.extend(names(&data.episodes(), ".episode.json")?);
    Ok(found.into_iter().map(SessionId::new).collect())
}

fn names(dir: &Path, ending: &str) -> Result<BTreeSet<String>> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(e) => return Err(Error::io("list", dir, e)),
    };
    Ok(entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(ending)?.to_owned())).collect())
}

/// Every session's uncovered stretch, by session; a session whose log is covered to its end is not named.
///
/// Cost: one episode file and the last line of one log a session. Not for hooks.
pub fn pending(data: &DataDir) -> Result<Vec<PendingRange>> {
    let mut found = Vec::new();
    for session in sessions(data)? {
        let from = EpisodeFile::read(&data.episodes(), &session)?.covered_to();
        // A tail without its newline is being written, or torn: it is not pending.
        let to = reader::end(&session_path(data, &session))?;
        if from < to {
            found.push(PendingRange { session, range: LogRange { from, to } });
        }
    }
    Ok(found)
}

/// When a session's first event happened.
pub fn first_time(data: &DataDir, session: &SessionId) -> Option<Timestamp> {
    first_record(&session_path(data, session))
}

/// The log of a session.
pub fn session_path(data: &DataDir, session: &SessionId) -> PathBuf {
    data.events().join(format!("{}.jsonl", session.file_stem()))
}

/// The length of a session's log in bytes; `None` if it has none (imported notes).
pub fn length(data: &DataDir, session: &SessionId) -> Option<u64> {
    std::fs::metadata(session_path(data, session)).ok().map(|m| m.len())
}
