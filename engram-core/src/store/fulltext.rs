//! Full text over names and descriptions: FTS5, Porter stems, identifiers split beside the raw text.

use super::nodes::{LIVE, NodeKey};
use super::{Graph, storage};
use crate::error::Result;
use crate::text;
use rusqlite::params;

/// A node that a text search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextHit {
    /// The node.
    pub key: NodeKey,
    /// BM25, larger is better, above 0.
    pub score: f64,
}

/// A name counts more than a description (FTS5 column weights).
const WEIGHTS: (f64, f64) = (2.0, 1.0);

/// A word that one node in this many has finds nothing in particular, and costs the most.
const COMMON_ONE_IN: usize = 20;
/// A word that fewer nodes have is never too common: in a small memory the share says nothing.
const SMALL: usize = 400;

/// The text with its identifiers split beside it: `loadUserConfig` becomes `loadUserConfig load User Config`.
fn with_parts(raw: &str) -> String {
    let mut out = String::from(raw);
    for run in raw.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|r| !r.is_empty()) {
        let parts = text::split_identifier(run);
        if parts.len() > 1 {
            for part in parts {
                out.push(' ');
                out.push_str(part);
            }
        }
    }
    out
}

impl Graph<'_> {
    /// Indexes a node's words, taking the place of what was indexed for it.
    pub fn index_text(&self, node: NodeKey, name: &str, description: &str, files: &[String]) -> Result<()> {
        let files = files.join(" ");
        self.conn
            .prepare_cached("INSERT OR REPLACE INTO nodes_fts (rowid, name, description) VALUES (?1, ?2, ?3)")
            .and_then(|mut s| {
                s.execute(params![node.0, with_parts(name), with_parts(&format!("{description} {files}"))])
            })
            .map(drop)
            .map_err(storage("index a node's words"))
    }

    /// The nodes in which a word occurs, by key; `None` for a word that `common` nodes or more have.
    pub fn nodes_with_word(&self, word: &str, common: usize) -> Result<Option<Vec<NodeKey>>> {
        let mut statement = self
            .conn
            .prepare_cached("SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH ?1 ORDER BY rowid LIMIT ?2")
            .map_err(storage("look up a word"))?;
        let rows = statement
            .query_map(params![quoted(word), i64::try_from(common).unwrap_or(i64::MAX)], |r| r.get(0).map(NodeKey))
            .map_err(storage("look up a word"))?;
        let found: Vec<NodeKey> = rows.collect::<std::result::Result<_, _>>().map_err(storage("look up a word"))?;
        Ok((found.len() < common).then_some(found))
    }

    /// How many nodes are indexed; an upper bound that costs one look-up.
    pub fn indexed_nodes(&self) -> Result<u64> {
        self.conn.query_row("SELECT ifnull(max(key), 0) FROM nodes", [], |r| r.get(0)).map_err(storage("count nodes"))
    }

    /// The count from which a word is too common to look for.
    pub fn common_from(&self) -> Result<usize> {
        let nodes = usize::try_from(self.indexed_nodes()?).unwrap_or(usize::MAX);
        Ok((nodes / COMMON_ONE_IN).max(SMALL))
    }

    /// The best `limit` nodes for any of `words`, best first; ties by key.
    pub fn search_text(&self, words: &[String], limit: usize) -> Result<Vec<TextHit>> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let query = words.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(" OR ");
        let mut statement = self
            .conn
            .prepare_cached(
                // Notes that may not be told must not crowd out those that may.
                &format!(
                    "SELECT nodes_fts.rowid, -bm25(nodes_fts, ?2, ?3) AS score
                     FROM nodes_fts CROSS JOIN nodes n ON n.key = nodes_fts.rowid
                     WHERE nodes_fts MATCH ?1 AND {LIVE} ORDER BY score DESC, nodes_fts.rowid LIMIT ?4"
                ),
            )
            .map_err(storage("search the words"))?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement
            .query_map(params![query, WEIGHTS.0, WEIGHTS.1, limit], |r| {
                Ok(TextHit { key: NodeKey(r.get(0)?), score: r.get(1)? })
            })
            .map_err(storage("search the words"))?;
        rows.collect::<std::result::Result<_, _>>().map_err(storage("search the words"))
    }
}

/// A word as an FTS5 string: nothing in it is syntax.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}
