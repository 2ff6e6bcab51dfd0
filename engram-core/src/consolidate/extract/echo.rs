//! What engram told the agent itself is no evidence (D21).

use super::candidate::Candidate;
use crate::capture::event::EventBody;
use crate::log::Record;
use crate::text;
use std::collections::BTreeSet;

const SHINGLE: usize = 4;
/// The share of a memory's shingles that may come from injected text.
const MOST: f64 = 0.5;

/// The injected text of a session, as shingles.
pub(super) struct Echo {
    shingles: BTreeSet<Vec<String>>,
}

impl Echo {
    /// Of everything injected in the session so far.
    pub(super) fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Echo {
        let mut shingles = BTreeSet::new();
        for record in records {
            if let EventBody::Injected { text, .. } = &record.event.body {
                shingles.extend(cut(text));
            }
        }
        Echo { shingles }
    }

    /// Whether a memory says mostly what was injected.
    pub(super) fn repeats(&self, candidate: &Candidate) -> bool {
        if self.shingles.is_empty() || candidate.node.trust == crate::graph::node::Trust::User {
            return false;
        }
        let own = cut(&candidate.node.description);
        let known = own.iter().filter(|s| self.shingles.contains(*s)).count();
        !own.is_empty() && known as f64 / own.len() as f64 >= MOST
    }
}

fn cut(text: &str) -> Vec<Vec<String>> {
    let words: Vec<String> = text::words(text);
    let size = SHINGLE.min(words.len().max(1));
    words.windows(size).map(<[String]>::to_vec).collect()
}
