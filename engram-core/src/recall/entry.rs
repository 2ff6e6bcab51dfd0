//! Where activation enters: paths, names and words of a text.

use super::words::by_words;
use crate::error::Result;
use crate::graph::strength;
use crate::store::{Graph, NodeKey, StoredNode};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// Fewest characters of a single word that names a node.
const SHORTEST_NAME: usize = 3;
/// Words of a text that are looked at.
pub(super) const MOST_WORDS: usize = 48;
/// Notes of one path that are entries at least.
const OF_A_PATH: usize = 32;

/// A node at which activation enters.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The node.
    pub node: StoredNode,
    /// How well it fits, 0 to 1: 1 for an exact path or name.
    pub fit: f64,
    /// How well the next best way to it fits; orders what is equally active.
    pub support: f64,
    /// Why, readable.
    pub via: String,
}

impl Entry {
    pub(super) fn new(node: StoredNode, fit: f64, via: String) -> Entry {
        Entry { node, fit, support: 0.0, via }
    }

    /// Takes another way to the same node in.
    fn join(&mut self, other: Entry) {
        let weaker = self.fit.min(other.fit).max(self.support).max(other.support);
        if other.fit > self.fit {
            *self = other;
        }
        self.support = weaker;
    }

    /// Activation at the entry: strength x fit (D8).
    pub fn level(&self) -> f64 {
        strength::current(&self.node.node) * self.fit
    }
}

/// How demanding a search by words is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    /// Least share of the text's weight that a note must answer.
    pub(crate) coverage: f64,
    /// Most entries by words.
    pub(crate) limit: usize,
}

/// The entries of a text, best fit first, each node once.
pub(crate) fn entries(graph: &Graph<'_>, asked: &str, gate: Gate) -> Result<Vec<Entry>> {
    let mut best: BTreeMap<NodeKey, Entry> = BTreeMap::new();
    let (by_path, rest) = by_paths(graph, asked, gate.limit.max(OF_A_PATH))?;
    let by_name = by_names(graph, asked)?;
    for entry in by_path.into_iter().chain(by_name).chain(by_words(graph, &rest, gate)?) {
        match best.get_mut(&entry.node.key) {
            Some(known) => known.join(entry),
            None => {
                best.insert(entry.node.key, entry);
            }
        }
    }
    let mut found: Vec<Entry> = best.into_values().collect();
    found.sort_by(|a, b| b.level().total_cmp(&a.level()).then(a.node.node.id.cmp(&b.node.node.id)));
    Ok(found)
}

/// The pieces of a text that look like paths: with a slash, or with an ending of letters.
pub(crate) fn paths_in(asked: &str) -> BTreeSet<&str> {
    asked
        .split(|c: char| c.is_whitespace() || "\"'`()[]{}<>,;|".contains(c))
        .map(|piece| piece.trim_end_matches(['.', ':', '?', '!']).trim_start_matches("./"))
        .filter(|piece| looks_like_path(piece))
        .collect()
}

fn looks_like_path(piece: &str) -> bool {
    if piece.len() < 3 || piece.contains("://") {
        return false;
    }
    let name = piece.rsplit('/').next().unwrap_or(piece);
    let ending = name.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty()
            && (1..=6).contains(&end.len())
            && end.bytes().all(|b| b.is_ascii_alphanumeric())
            && !end.bytes().all(|b| b.is_ascii_digit())
    });
    ending || (piece.contains('/') && piece.bytes().any(|b| b.is_ascii_alphabetic()))
}

/// The entries of the paths in a text, and the text without the paths that were found: their words would only find the
/// same notes again, and those of any folder with such a name.
fn by_paths(graph: &Graph<'_>, asked: &str, limit: usize) -> Result<(Vec<Entry>, String)> {
    let mut found = Vec::new();
    let mut rest = asked.to_owned();
    for piece in paths_in(asked).into_iter().take(16) {
        let path = piece.trim_end_matches('/');
        let (nodes, fit, how) = match graph.nodes_of_file(path, limit)? {
            exact if !exact.is_empty() => (exact, 1.0, "path"),
            _ => match graph.nodes_of_path_ending(path, limit)? {
                ending if !ending.is_empty() => (ending, 0.9, "path ending"),
                _ => (graph.nodes_below(path, 16)?, 0.6, "folder"),
            },
        };
        if !nodes.is_empty() {
            rest = rest.replace(piece, " ");
        }
        found.extend(nodes.into_iter().map(|node| Entry::new(node, fit, format!("{how} {path}"))));
    }
    Ok((found, rest))
}

fn by_names(graph: &Graph<'_>, asked: &str) -> Result<Vec<Entry>> {
    let pieces: BTreeSet<&str> = asked
        .split(|c: char| c.is_whitespace() || "\"'`()[]{}<>,;|?!".contains(c))
        .map(|piece| piece.trim_matches(['.', ':']))
        .filter(|piece| piece.len() >= SHORTEST_NAME && !text::is_stop_word(&piece.to_lowercase()))
        .take(MOST_WORDS)
        .collect();
    let mut found = Vec::new();
    for piece in pieces {
        let nodes = graph.nodes_named(piece, 4)?;
        found.extend(nodes.into_iter().map(|node| Entry::new(node, 1.0, format!("name {piece}"))));
    }
    Ok(found)
}
