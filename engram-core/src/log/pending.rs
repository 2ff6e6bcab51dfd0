//! What is not consolidated yet, derived from files (D1).

use super::episode_file::EpisodeFile;
use super::reader::{first_record, read_from};
use crate::capture::event::SessionId;
use crate::error::{Error, Result};
use crate::graph::episode::LogRange;
use crate::project::DataDir;
use crate::time::Timestamp;
use serde::Serialize;

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

/// The sessions that have a log, by file name.
pub fn sessions(data: &DataDir) -> Result<Vec<SessionId>> {
    let dir = data.events();
    let entries = match std::fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io("list", &dir, e)),
    };
    let mut found: Vec<SessionId> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".jsonl").map(SessionId::new))
        .collect();
    found.sort();
    Ok(found)
}

/// Every session's uncovered stretch, by session; a session whose log is covered to its end is not named.
///
/// Cost: one episode file a session, and the pending bytes. Not for hooks.
pub fn pending(data: &DataDir) -> Result<Vec<PendingRange>> {
    let mut found = Vec::new();
    for session in sessions(data)? {
        let log = data.events().join(session.file_stem()).with_extension("jsonl");
        let from = EpisodeFile::read(&data.episodes(), &session)?.covered_to();
        // A tail without its newline is being written, or torn: it is not pending.
        let to = read_from(&log, from)?.end;
        if from < to {
            found.push(PendingRange { session, range: LogRange { from, to } });
        }
    }
    Ok(found)
}

/// When a session's first event happened.
pub fn first_time(data: &DataDir, session: &SessionId) -> Option<Timestamp> {
    let path = data.events().join(session.file_stem()).with_extension("jsonl");
    first_record(&path)
}
