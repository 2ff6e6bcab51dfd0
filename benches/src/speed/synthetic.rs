//! A memory that is made up: scale-free links, Zipf's law over invented words, files shared by a few notes.

use serde_json::json;

/// Invented words.
const WORDS: usize = 20_000;
/// Notes that share a file.
const NOTES_OF_A_FILE: usize = 3;

/// Pseudo-random numbers that are the same in every run (xorshift64*).
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, which is at least 1.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or_default()
    }

    /// From 0 up to 1, excluding 1.
    #[allow(clippy::cast_precision_loss, reason = "53 bits fit")]
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Words with spaces between, common ones often.
    pub(super) fn words(&mut self, count: usize) -> String {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a rank"
        )]
        let rank = |unit: f64| (WORDS as f64).powf(unit) as usize;
        (0..count).map(|_| word(rank(self.unit()))).collect::<Vec<_>>().join(" ")
    }
}

/// The word of a rank: syllables, so that no tokenizer takes it apart.
fn word(mut rank: usize) -> String {
    let mut out = String::new();
    loop {
        out.push(char::from(b"bdfgklmnprstvz"[rank % 14]));
        rank /= 14;
        out.push(char::from(b"aeiou"[rank % 5]));
        rank /= 5;
        if rank == 0 {
            // A last consonant that no stemmer strips.
            out.push('k');
            return out;
        }
    }
}

/// The file of a number.
pub(super) fn file(number: usize) -> String {
    format!("src/room{}/part{}/file{number}.rs", number % 97, number % 1009)
}

/// How many files `nodes` notes are about.
pub(super) fn files(nodes: usize) -> usize {
    (nodes / NOTES_OF_A_FILE).max(1)
}

/// Notes for the import: each about one file and linked to three earlier ones, to the well-connected more often.
pub(super) fn notes(nodes: usize) -> Vec<u8> {
    let mut dice = Dice::new(7);
    let mut ends = vec![0];
    let mut bytes = Vec::new();
    for at in 0..nodes {
        let mut links = Vec::new();
        for _ in 0..if at == 0 { 0 } else { 3 } {
            let to = ends[dice.below(ends.len())];
            if to != at {
                links.push(json!({"to": id(to), "type": "interacts_with", "strength": 0.2 + 0.8 * dice.unit()}));
                ends.extend([to, at]);
            }
        }
        let (name, text) = (dice.words(4), dice.words(30));
        let note =
            json!({"id": id(at), "name": name, "text": text, "files": [file(at % files(nodes))], "links": links});
        bytes.extend(note.to_string().into_bytes());
        bytes.push(b'\n');
    }
    bytes
}

fn id(number: usize) -> String {
    format!("note-{number:07}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn words_are_told_apart_and_common_ones_are_common() {
        let all: BTreeSet<String> = (0..WORDS).map(word).collect();
        assert_eq!(all.len(), WORDS);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for word in Dice::new(1).words(10_000).split(' ') {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
        assert!(counts.values().max().unwrap() > &300 && counts.len() > 2_000, "{}", counts.len());
    }

    #[test]
    fn the_graph_has_its_degree_and_its_hubs() {
        let text = String::from_utf8(notes(2_000)).unwrap();
        let notes: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        let mut degree: BTreeMap<&str, usize> = BTreeMap::new();
        for note in &notes {
            for link in note["links"].as_array().unwrap() {
                *degree.entry(note["id"].as_str().unwrap()).or_default() += 1;
                *degree.entry(link["to"].as_str().unwrap()).or_default() += 1;
            }
        }
        let ends: usize = degree.values().sum();
        assert!((11_000..=12_000).contains(&ends), "{ends}");
        assert!(*degree.values().max().unwrap() > 60);
        assert_eq!(text.as_bytes(), super::notes(2_000));
    }
}
