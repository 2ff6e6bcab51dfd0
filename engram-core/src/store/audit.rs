//! The audit: one row for every change of memory (D13).

use super::{Graph, storage};
use crate::error::Result;
use crate::time::Timestamp;
use rusqlite::params;

/// One change of memory.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRow {
    /// When.
    pub ts: Timestamp,
    /// Who: `consolidate`, `user`, `import`.
    pub actor: &'static str,
    /// What: `create`, `merge`, `supersede`, `review`, `edge`.
    pub action: &'static str,
    /// The node.
    pub target: String,
    /// What it said before.
    pub before: Option<String>,
    /// What it says now.
    pub after: Option<String>,
    /// Why.
    pub reason: String,
    /// From which episode.
    pub episode: Option<String>,
}

impl Graph<'_> {
    /// Adds a row to the audit.
    pub fn record(&self, row: &AuditRow) -> Result<()> {
        self.conn
            .prepare_cached(
                "INSERT INTO audit (ts, actor, action, target, before, after, reason, episode) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
            )
            .and_then(|mut s| {
                s.execute(params![row.ts.to_string(), row.actor, row.action, row.target, row.before, row.after, row.reason, row.episode])
            })
            .map(drop)
            .map_err(storage("write the audit"))
    }

    /// How many changes of memory there were.
    pub fn audit_len(&self) -> Result<u64> {
        self.conn.query_row("SELECT count(*) FROM audit", [], |r| r.get(0)).map_err(storage("count the audit"))
    }

    /// Puts a node into the queue of what waits for a person.
    pub fn queue_review(&self, node: &str, against: &str, reason: &str, now: Timestamp) -> Result<()> {
        self.conn
            .execute(
                "INSERT INTO review_queue (node_id, against, reason, created_at) VALUES (?1, ?2, ?3, ?4)",
                params![node, against, reason, now.to_string()],
            )
            .map(drop)
            .map_err(storage("queue a review"))
    }

    /// What the node waits for a person against.
    pub fn reviewed_against(&self, node: &str) -> Result<Vec<String>> {
        let mut found = self
            .conn
            .prepare_cached("SELECT against FROM review_queue WHERE node_id = ?1 AND against IS NOT NULL")
            .map_err(storage("read the review queue"))?;
        let rows = found.query_map([node], |r| r.get(0)).map_err(storage("read the review queue"))?;
        rows.collect::<std::result::Result<_, _>>().map_err(storage("read the review queue"))
    }

    /// Whether the node waits for a person.
    pub fn waits_for_review(&self, node: &str) -> Result<bool> {
        self.conn
            .prepare_cached("SELECT 1 FROM review_queue WHERE node_id = ?1 AND decided_at IS NULL")
            .and_then(|mut s| s.exists([node]))
            .map_err(storage("read the review queue"))
    }
}
