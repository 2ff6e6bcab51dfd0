//! Forgetting: rows out of every table, texts out of what stays, and nothing left in the pages of the file (D12).

use super::nodes::StoredNode;
use super::{Graph, Store, storage};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::episode::Episode;
use crate::graph::node::Node;
use crate::time::Timestamp;
use rusqlite::params;

/// What a text becomes; `None` leaves it as it is.
pub type Rewrite<'r> = &'r dyn Fn(&str) -> Option<String>;

/// The key in `meta` that says that forgotten text may still stand in files and free pages.
const UNCLEAN: &str = "forgotten_not_cleaned";

/// Rows that go with a node, by its key and by its id.
const BY_KEY: &[&str] = &[
    "DELETE FROM node_files WHERE node_key = ?1",
    "DELETE FROM nodes_fts WHERE rowid = ?1",
    "DELETE FROM edges WHERE from_key = ?1 OR to_key = ?1",
];
const BY_ID: &[&str] = &[
    "DELETE FROM review_queue WHERE node_id = ?1",
    "UPDATE review_queue SET against = NULL WHERE against = ?1",
    "UPDATE nodes SET superseded_by = NULL, supersede_reason = NULL WHERE superseded_by = ?1",
    "UPDATE audit SET before = NULL, after = NULL, reason = '' WHERE target = ?1",
    "DELETE FROM nodes WHERE id = ?1",
];

impl Graph<'_> {
    /// Deletes a node with its words, vector, files, edges, its place in the review queue and what the audit says of it.
    pub fn delete_node(&self, stored: &StoredNode) -> Result<()> {
        let (key, id) = (stored.key.0, stored.node.id.as_str());
        self.delete_vector(id)?;
        for sql in BY_KEY {
            self.conn.execute(sql, [key]).map_err(storage("forget a node"))?;
        }
        for sql in BY_ID {
            self.conn.execute(sql, [id]).map_err(storage("forget a node"))?;
        }
        Ok(())
    }

    /// Deletes a node's vector; vec0 leaves nothing of it in its chunk.
    pub fn delete_vector(&self, node: &str) -> Result<()> {
        // The table is made with the first vector.
        let exists = self.conn.prepare("SELECT 1 FROM embedding_spaces WHERE active").and_then(|mut s| s.exists([]));
        if !exists.map_err(storage("read the embedding model"))? {
            return Ok(());
        }
        self.conn
            .execute("DELETE FROM node_embeddings WHERE node_id = ?1", [node])
            .map(drop)
            .map_err(storage("forget a vector"))
    }

    /// Gives a node another name, and the words of both name and text to the word index. Texts and files are written by
    /// [`Graph::update_node`].
    pub fn rename_node(&self, stored: &StoredNode) -> Result<()> {
        let (key, Node { name, description, affected_files, .. }) = (stored.key, &stored.node);
        self.conn
            .execute("UPDATE nodes SET name = ?2 WHERE key = ?1", params![key.0, name])
            .and_then(|_| self.conn.execute("DELETE FROM node_files WHERE node_key = ?1", [key.0]))
            .map_err(storage("rename a node"))?;
        self.link_files(key, affected_files)?;
        self.index_text(key, name, description, affected_files)
    }

    /// Forbids a value for good.
    pub fn bury(&self, value_digest: &str, now: Timestamp) -> Result<()> {
        self.conn
            .execute(
                "INSERT INTO tombstones (scope, value_digest, reason, created_at)
                 SELECT 'project', ?1, 'forgotten', ?2 WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE value_digest = ?1)",
                params![value_digest, now.to_string()],
            )
            .map(drop)
            .map_err(storage("write a tombstone"))
    }

    /// Rewrites what the audit and the history quote.
    pub fn rewrite_history(&self, rewrite: Rewrite<'_>) -> Result<()> {
        for (table, column) in
            [("audit", "before"), ("audit", "after"), ("audit", "reason"), ("nodes", "supersede_reason")]
        {
            self.rewrite_column(table, column, rewrite)?;
        }
        Ok(())
    }

    fn rewrite_column(&self, table: &str, column: &str, rewrite: Rewrite<'_>) -> Result<()> {
        let doing = || storage("rewrite the history");
        let mut all =
            self.conn.prepare(&format!("SELECT rowid, {column} FROM {table} WHERE {column} <> ''")).map_err(doing())?;
        let rows = all.query_map([], |r| Ok((r.get::<_, i64>(0)?, r.get::<_, String>(1)?))).map_err(doing())?;
        let mut changed = Vec::new();
        for row in rows {
            let (at, text) = row.map_err(doing())?;
            changed.extend(rewrite(&text).map(|text| (at, text)));
        }
        let sql = format!("UPDATE {table} SET {column} = ?2 WHERE rowid = ?1");
        changed.iter().try_for_each(|(at, text)| self.conn.execute(&sql, params![at, text]).map(drop).map_err(doing()))
    }

    /// Every episode, by its id.
    pub fn all_episodes(&self) -> Result<Vec<Episode>> {
        let doing = || storage("read the episodes");
        let mut all = self.conn.prepare("SELECT episode_data FROM episodes ORDER BY id").map_err(doing())?;
        let rows = all.query_map([], |r| r.get::<_, String>(0)).map_err(doing())?;
        rows.map(|row| {
            serde_json::from_str(&row.map_err(doing())?)
                .map_err(|e| Error::new(ErrorKind::Corrupt, "an episode cannot be read").with_source(e))
        })
        .collect()
    }

    /// Stores another form of an episode that is there.
    pub fn replace_episode(&self, episode: &Episode) -> Result<()> {
        self.conn
            .execute("DELETE FROM episodes WHERE id = ?1", [&episode.id])
            .map_err(storage("rewrite an episode"))?;
        self.insert_episode(episode)
    }

    /// Where the proposals came from that became a node: the episode and the key in its request; without an episode, the
    /// place in the user's log.
    pub fn proposals_of(&self, node: &str) -> Result<Vec<(Option<String>, String)>> {
        let doing = || storage("read the audit");
        let mut found = self
            .conn
            .prepare("SELECT DISTINCT episode, reason FROM audit WHERE target = ?1 AND action IN ('create', 'merge')")
            .map_err(doing())?;
        let rows = found.query_map([node], |r| Ok((r.get(0)?, r.get(1)?))).map_err(doing())?;
        rows.collect::<std::result::Result<_, _>>().map_err(doing())
    }

    /// Notes that forgotten text may still stand in files and free pages, or that it does no more.
    pub fn set_unclean(&self, unclean: bool) -> Result<()> {
        let sql = if unclean {
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, 'yes')"
        } else {
            "DELETE FROM meta WHERE key = ?1"
        };
        self.conn.execute(sql, [UNCLEAN]).map(drop).map_err(storage("note what is to be cleaned"))
    }

    /// What [`Graph::set_unclean`] noted.
    pub fn is_unclean(&self) -> Result<bool> {
        self.conn
            .prepare_cached("SELECT 1 FROM meta WHERE key = ?1")
            .and_then(|mut s| s.exists([UNCLEAN]))
            .map_err(storage("look up what is to be cleaned"))
    }
}

impl Store {
    /// Leaves nothing in the file of what was deleted: the word index is merged, the file rewritten without its free
    /// pages, the write-ahead log emptied. Costs a copy of the database in memory.
    ///
    /// # Errors
    /// `Busy` if somebody reads an older state for longer than the busy time-out; `Storage` if the disk refuses.
    pub fn purge(&mut self) -> Result<()> {
        // Not into a temporary file, which would stand outside the data folder.
        self.conn
            .execute_batch(
                "INSERT INTO nodes_fts (nodes_fts) VALUES ('optimize');
                 PRAGMA temp_store = MEMORY;
                 VACUUM;",
            )
            .map_err(storage("rewrite the graph without what was forgotten"))?;
        let busy: i64 = self
            .conn
            .query_row("PRAGMA wal_checkpoint (TRUNCATE)", [], |r| r.get(0))
            .map_err(storage("empty the write-ahead log"))?;
        match busy {
            0 => Ok(()),
            _ => Err(Error::new(ErrorKind::Busy, "the write-ahead log of the graph is being read by another process")),
        }
    }
}
