//! Where activation enters: paths, names and words of a text.

use crate::error::Result;
use crate::graph::strength;
use crate::store::{Graph, NodeKey, StoredNode};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};

/// Fewest characters of a single word that names a node.
const SHORTEST_NAME: usize = 3;
/// Words of a text that are looked at, and words that are searched for.
const MOST_WORDS: usize = 48;
const SEARCHED_WORDS: usize = 8;
/// A text's weight is that of its heaviest words: a long prompt may speak of several things.
const WEIGHING_WORDS: usize = 6;
/// A memory of fewer notes weighs words as if it had this many: rarity says little among three.
const FEWEST: f64 = 20.0;
/// Candidates of the text search that are weighed.
const CANDIDATES: usize = 48;

/// A node at which activation enters.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The node.
    pub node: StoredNode,
    /// How well it fits, 0 to 1: 1 for an exact path or name.
    pub fit: f64,
    /// Why, readable.
    pub via: String,
}

impl Entry {
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
    let by_path = by_paths(graph, asked)?;
    let by_name = by_names(graph, asked)?;
    for entry in by_path.into_iter().chain(by_name).chain(by_words(graph, asked, gate)?) {
        match best.get_mut(&entry.node.key) {
            Some(known) if known.fit >= entry.fit => {}
            Some(known) => *known = entry,
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

fn by_paths(graph: &Graph<'_>, asked: &str) -> Result<Vec<Entry>> {
    let mut found = Vec::new();
    for path in paths_in(asked).into_iter().take(16) {
        let path = path.trim_end_matches('/');
        let (nodes, fit, how) = match graph.nodes_of_file(path, 32)? {
            exact if !exact.is_empty() => (exact, 1.0, "path"),
            _ => match graph.nodes_of_path_ending(path, 32)? {
                ending if !ending.is_empty() => (ending, 0.9, "path ending"),
                _ => (graph.nodes_below(path, 16)?, 0.6, "folder"),
            },
        };
        found.extend(nodes.into_iter().map(|node| Entry { node, fit, via: format!("{how} {path}") }));
    }
    Ok(found)
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
        found.extend(nodes.into_iter().map(|node| Entry { node, fit: 1.0, via: format!("name {piece}") }));
    }
    Ok(found)
}

/// A word of the text and what it weighs: rare words weigh more.
struct Word {
    word: String,
    stem: String,
    count: u64,
    weight: f64,
}

fn weigh(graph: &Graph<'_>, asked: &str) -> Result<Vec<Word>> {
    let mut seen = BTreeSet::new();
    let words: Vec<String> = text::words(asked)
        .into_iter()
        .filter(|w| w.len() > 1 && !text::is_stop_word(w) && seen.insert(w.clone()))
        .take(MOST_WORDS)
        .collect();
    let common = graph.common_from()?;
    let counts = graph.word_counts(&words, common.saturating_add(1).min(100_000))?;
    #[allow(clippy::cast_precision_loss, reason = "weights")]
    let nodes = graph.indexed_nodes()? as f64;
    let mut weighed: Vec<Word> = words
        .into_iter()
        .zip(counts)
        .filter(|(_, count)| *count < common)
        .map(|(word, count)| {
            #[allow(clippy::cast_precision_loss, reason = "weights")]
            let (n, all) = (count as f64, nodes.max(FEWEST));
            // BM25's inverse document frequency: near 0 for a word that every note has.
            let weight = (1.0 + (all - n + 0.5).max(0.0) / (n + 0.5)).ln();
            Word { stem: text::stem(&word), word, count, weight }
        })
        .collect();
    weighed.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.word.cmp(&b.word)));
    Ok(weighed)
}

fn by_words(graph: &Graph<'_>, asked: &str, gate: Gate) -> Result<Vec<Entry>> {
    let words = weigh(graph, asked)?;
    let whole: f64 = words.iter().take(WEIGHING_WORDS).map(|w| w.weight).sum();
    let searched: Vec<&Word> = words.iter().filter(|w| w.count > 0).take(SEARCHED_WORDS).collect();
    let terms: Vec<String> = searched.iter().map(|w| w.word.clone()).collect();
    let hits = graph.search_text(&terms, CANDIDATES.max(gate.limit))?;
    let Some(best) = hits.first().map(|h| h.score) else { return Ok(Vec::new()) };
    let keys: Vec<NodeKey> = hits.iter().map(|h| h.key).collect();
    let mut found = Vec::new();
    for node in graph.live_nodes(&keys)? {
        let score = hits.iter().find(|h| h.key == node.key).map_or(0.0, |h| h.score);
        let matched = matched_words(&node, &searched);
        let weight: f64 = matched.iter().map(|w| w.weight).sum();
        let coverage = (weight / whole).min(1.0);
        if coverage < gate.coverage {
            continue;
        }
        let named: Vec<&str> = matched.iter().map(|w| w.word.as_str()).collect();
        let fit = coverage * (0.6 + 0.4 * (score / best).clamp(0.0, 1.0));
        found.push(Entry { node, fit, via: format!("words {}", named.join(" ")) });
    }
    found.sort_by(|a, b| b.fit.total_cmp(&a.fit).then(a.node.node.id.cmp(&b.node.node.id)));
    found.truncate(gate.limit);
    Ok(found)
}

fn matched_words<'w>(node: &StoredNode, words: &[&'w Word]) -> Vec<&'w Word> {
    let stems: BTreeSet<String> =
        [&node.node.name, &node.node.description].iter().flat_map(|t| text::words(t)).map(|w| text::stem(&w)).collect();
    words.iter().filter(|w| stems.contains(&w.stem)).copied().collect()
}
