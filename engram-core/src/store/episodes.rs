//! Episodes, the ranges they cover, and the order of sessions.

use super::{Graph, storage};
use crate::capture::event::SessionId;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::episode::{Episode, LogRange};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

pub(super) fn latest_ordinal(conn: &Connection) -> Result<i64> {
    conn.prepare_cached("SELECT ifnull(max(ordinal), 0) FROM sessions")
        .and_then(|mut s| s.query_row([], |r| r.get(0)))
        .map_err(storage("read the session count"))
}

/// Offsets are file positions: they fit.
fn offset(at: u64) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

impl Graph<'_> {
    /// Gives a session its place in the project's order, at its first mention.
    pub fn session_ordinal(&self, session: &SessionId, now: Timestamp) -> Result<i64> {
        self.conn
            .execute(
                "INSERT INTO sessions (ordinal, session_id, started_at)
                 SELECT ifnull(max(ordinal), 0) + 1, ?1, ?2 FROM sessions WHERE true ON CONFLICT (session_id) DO NOTHING",
                params![session.as_str(), now.to_string()],
            )
            .map_err(storage("number a session"))?;
        self.conn
            .query_row("SELECT ordinal FROM sessions WHERE session_id = ?1", [session.as_str()], |r| r.get(0))
            .map_err(storage("read a session's number"))
    }

    /// Whether a range that begins at `from` was applied.
    pub fn is_applied(&self, session: &str, from: u64) -> Result<bool> {
        self.conn
            .prepare_cached("SELECT 1 FROM applied_ranges WHERE session_id = ?1 AND from_offset = ?2")
            .and_then(|mut s| s.exists(params![session, offset(from)]))
            .map_err(storage("look up an applied range"))
    }

    /// First byte of a session's log after everything that was applied; `None` if nothing was.
    pub fn applied_to(&self, session: &str) -> Result<Option<u64>> {
        self.conn
            .prepare_cached("SELECT max(to_offset) FROM applied_ranges WHERE session_id = ?1")
            .and_then(|mut s| s.query_row([session], |r| r.get(0)))
            .map_err(storage("look up what was applied"))
    }

    /// Notes that a range is applied; part of the same transaction as its effects.
    pub fn mark_applied(&self, session: &str, range: LogRange, episode: Option<&str>, now: Timestamp) -> Result<()> {
        self.conn
            .execute(
                "INSERT INTO applied_ranges (session_id, from_offset, to_offset, episode_id, applied_at) VALUES (?1,?2,?3,?4,?5)",
                params![session, offset(range.from), offset(range.to), episode, now.to_string()],
            )
            .map(drop)
            .map_err(storage("note an applied range"))
    }

    /// When something was applied last.
    pub fn last_applied(&self) -> Result<Option<String>> {
        self.conn
            .query_row("SELECT max(applied_at) FROM applied_ranges", [], |r| r.get(0))
            .map_err(storage("read the last consolidation"))
    }

    /// Stores an episode.
    pub fn insert_episode(&self, episode: &Episode) -> Result<()> {
        let data = serde_json::to_string(episode)
            .map_err(|e| Error::new(ErrorKind::Corrupt, "an episode has no JSON form").with_source(e))?;
        self.conn
            .execute(
                "INSERT INTO episodes (id, session_id, goal, approach, outcome, episode_data, created_at) VALUES (?1,?2,?3,?4,?5,?6,?7)",
                params![
                    episode.id,
                    episode.session,
                    episode.goal,
                    episode.approach,
                    episode.outcome.as_str(),
                    data,
                    episode.ended_at.to_string()
                ],
            )
            .map(drop)
            .map_err(storage("store an episode"))
    }

    /// An episode by its id.
    pub fn episode(&self, id: &str) -> Result<Option<Episode>> {
        let data: Option<String> = self
            .conn
            .query_row("SELECT episode_data FROM episodes WHERE id = ?1", [id], |r| r.get(0))
            .optional()
            .map_err(storage("read an episode"))?;
        data.map(|d| {
            serde_json::from_str(&d)
                .map_err(|e| Error::new(ErrorKind::Corrupt, format!("episode {id} cannot be read")).with_source(e))
        })
        .transpose()
    }

    /// How many episodes there are.
    pub fn episode_count(&self) -> Result<u64> {
        self.conn.query_row("SELECT count(*) FROM episodes", [], |r| r.get(0)).map_err(storage("count episodes"))
    }

    /// Whether a tombstone forbids this value in this scope (D24).
    pub fn is_tombstoned(&self, value_digest: &str) -> Result<bool> {
        self.conn
            .prepare_cached("SELECT 1 FROM tombstones WHERE value_digest = ?1")
            .and_then(|mut s| s.exists([value_digest]))
            .map_err(storage("look up a tombstone"))
    }
}
