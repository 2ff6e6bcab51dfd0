//! Which files a node is about, indexed by path (D19).

use super::nodes::{NodeKey, StoredNode};
use super::{Graph, storage};
use crate::error::Result;
use crate::graph::node::NodeType;
use rusqlite::params;
use rusqlite::types::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

fn basename(path: &str) -> &str {
    // All patterns share one name, so that one indexed look-up finds them.
    if path.contains('*') { PATTERN } else { path.rsplit('/').next().unwrap_or(path) }
}

const PATTERN: &str = "*";

impl Graph<'_> {
    /// Links a node to files. Linking twice is fine.
    pub fn link_files(&self, node: NodeKey, files: &[String]) -> Result<()> {
        let mut insert = self
            .conn
            .prepare_cached("INSERT OR IGNORE INTO node_files (path, node_key, basename) VALUES (?1, ?2, ?3)")
            .map_err(storage("link files"))?;
        for path in files {
            insert.execute(params![path, node.0, basename(path)]).map_err(storage("link a file"))?;
        }
        Ok(())
    }

    /// The live nodes of one file, strongest first by their stored strength, at most `limit`.
    pub fn nodes_of_file(&self, path: &str, limit: usize) -> Result<Vec<StoredNode>> {
        self.nodes_where("JOIN node_files f ON f.node_key = n.key WHERE f.path = ?1", params![path], limit)
    }

    /// The live nodes whose file has this name or path ending, strongest first, at most `limit`.
    pub fn nodes_of_path_ending(&self, ending: &str, limit: usize) -> Result<Vec<StoredNode>> {
        let pattern = format!("%/{}", ending.replace(['%', '_'], "?"));
        self.nodes_where(
            "JOIN node_files f ON f.node_key = n.key WHERE f.basename = ?1 AND (f.path = ?2 OR f.path LIKE ?3)",
            params![basename(ending), ending, pattern],
            limit,
        )
    }

    /// The live nodes of files below a directory, strongest first, at most `limit`.
    pub fn nodes_below(&self, directory: &str, limit: usize) -> Result<Vec<StoredNode>> {
        let low = format!("{}/", directory.trim_end_matches('/'));
        let high = format!("{}0", directory.trim_end_matches('/')); // '0' follows '/' in ASCII
        self.nodes_where(
            "JOIN node_files f ON f.node_key = n.key WHERE f.path >= ?1 AND f.path < ?2",
            params![low, high],
            limit,
        )
    }

    /// The live nodes of a type that may bind a file: those of the file, of a folder above it, and of any pattern, which
    /// the caller still has to match. Strongest first, at most `limit` of each kind.
    pub fn nodes_binding(&self, path: &str, node_type: NodeType, limit: usize) -> Result<Vec<StoredNode>> {
        let above: Vec<Value> = path
            .match_indices('/')
            .flat_map(|(at, _)| [path[..at].to_owned(), path[..=at].to_owned()])
            .map(Value::Text)
            .collect();
        let places = Rc::new(std::iter::once(Value::Text(path.to_owned())).chain(above).collect::<Vec<_>>());
        let mut found = self.nodes_where(
            "JOIN node_files f ON f.node_key = n.key WHERE f.path IN rarray(?1) AND n.type = ?2",
            params![places, node_type.as_str()],
            limit,
        )?;
        let patterns = "JOIN node_files f ON f.node_key = n.key WHERE f.basename = ?1 AND n.type = ?2";
        found.extend(self.nodes_where(patterns, params![PATTERN, node_type.as_str()], limit)?);
        let mut seen = BTreeSet::new();
        found.retain(|n| seen.insert(n.key));
        Ok(found)
    }
}
