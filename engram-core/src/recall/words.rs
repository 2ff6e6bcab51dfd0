//! Entries by words: full text, weighed by how much of what was asked a note answers.

use super::entry::{Entry, Gate, MOST_WORDS};
use crate::error::Result;
use crate::store::{Graph, NodeKey};
use crate::text;
use std::collections::BTreeSet;

/// A text's weight is that of its heaviest words: a long prompt may speak of several things.
const WEIGHING_WORDS: usize = 6;
/// A memory of fewer notes weighs words as if it had this many: rarity says little among three.
const FEWEST: f64 = 20.0;
/// Candidates of the text search that are weighed.
const CANDIDATES: usize = 48;
/// Words that are searched for, and notes that have them, each counted for each word: what bounds a search's time.
const SEARCHED_WORDS: usize = 24;
const SEARCHED_NOTES: usize = 1_500;

/// A word of the text, the notes that have it, and what it weighs: rare words weigh more.
struct Word {
    word: String,
    holders: Vec<NodeKey>,
    weight: f64,
}

impl Word {
    fn is_in(&self, key: NodeKey) -> bool {
        self.holders.binary_search(&key).is_ok()
    }
}

/// The words that are not too common, heaviest first.
fn weigh(graph: &Graph<'_>, asked: &str) -> Result<Vec<Word>> {
    let mut seen = BTreeSet::new();
    let words: Vec<String> = text::words(asked)
        .into_iter()
        .filter(|w| w.len() > 1 && !text::is_stop_word(w) && seen.insert(w.clone()))
        .take(MOST_WORDS)
        .collect();
    let cap = graph.common_from()?;
    #[allow(clippy::cast_precision_loss, reason = "weights")]
    let all = (graph.indexed_nodes()? as f64).max(FEWEST);
    let mut weighed = Vec::with_capacity(words.len());
    for word in words {
        let Some(holders) = graph.nodes_with_word(&word, cap)? else { continue };
        #[allow(clippy::cast_precision_loss, reason = "weights")]
        let n = holders.len() as f64;
        // BM25's inverse document frequency: near 0 for a word that every note has.
        let weight = (1.0 + (all - n + 0.5).max(0.0) / (n + 0.5)).ln();
        weighed.push(Word { word, holders, weight });
    }
    weighed.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.word.cmp(&b.word)));
    Ok(weighed)
}

/// The words to search for: the rarest first, as long as the work stays bounded.
fn affordable(words: &[Word]) -> Vec<&Word> {
    let mut left = SEARCHED_NOTES;
    let mut affords = |word: &&Word| {
        let affordable = word.holders.len() <= left;
        left = left.saturating_sub(word.holders.len());
        affordable
    };
    words.iter().filter(|w| !w.holders.is_empty()).take(SEARCHED_WORDS).take_while(&mut affords).collect()
}

/// A note that answers enough of the text.
struct Answer {
    key: NodeKey,
    fit: f64,
    via: String,
}

/// The notes that answer the words of a text, best fit first.
pub(super) fn by_words(graph: &Graph<'_>, asked: &str, gate: Gate) -> Result<Vec<Entry>> {
    let words = weigh(graph, asked)?;
    let whole: f64 = words.iter().take(WEIGHING_WORDS).map(|w| w.weight).sum();
    let searched = affordable(&words);
    let terms: Vec<String> = searched.iter().map(|w| w.word.clone()).collect();
    let hits = graph.search_text(&terms, CANDIDATES.max(gate.limit))?;
    let best = hits.first().map_or(1.0, |h| h.score);
    let mut answers: Vec<Answer> = hits
        .iter()
        .filter_map(|hit| {
            let matched: Vec<&Word> = searched.iter().filter(|w| w.is_in(hit.key)).copied().collect();
            let coverage = (matched.iter().map(|w| w.weight).sum::<f64>() / whole).min(1.0);
            let via = || format!("words {}", matched.iter().map(|w| w.word.as_str()).collect::<Vec<_>>().join(" "));
            (coverage >= gate.coverage).then(|| Answer {
                key: hit.key,
                fit: fit(coverage, hit.score / best),
                via: via(),
            })
        })
        .collect();
    answers.sort_by(|a, b| b.fit.total_cmp(&a.fit).then(a.key.cmp(&b.key)));
    answers.truncate(gate.limit);
    entries_of(graph, answers)
}

/// coverage^(1/2) x score^(3/4), the score as a share of the best: measured on the development sets (docs/evaluation.md)
/// against sums and other powers. Roots, not powers, since IEEE 754 fixes their last bit on every machine.
fn fit(coverage: f64, score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    (coverage * score * score.sqrt()).sqrt()
}

fn entries_of(graph: &Graph<'_>, answers: Vec<Answer>) -> Result<Vec<Entry>> {
    let keys: Vec<NodeKey> = answers.iter().map(|a| a.key).collect();
    // In the order of the keys, without those that may not be told.
    let mut live = graph.live_nodes(&keys)?.into_iter().peekable();
    let found =
        answers.into_iter().filter_map(|a| live.next_if(|n| n.key == a.key).map(|n| Entry::new(n, a.fit, a.via)));
    Ok(found.collect())
}
