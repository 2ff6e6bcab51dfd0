//! What must not be told again (D12, D24): recognised in any text by digests, so that the words themselves are kept nowhere.

use crate::text;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What stands where forgotten text stood.
pub const MARK: &str = "(forgotten)";
/// Words from which on a value is recognised inside a sentence as well; fewer are a turn of phrase that anything may use.
const QUOTABLE: usize = 4;
/// Characters of a literal that its lead is made of.
const LEAD: usize = 3;

/// A forgotten text as it is kept: its size and its digest. `lead` is one byte made of its beginning, which saves most of
/// the digests of a search.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "camelCase")]
pub enum Phrase {
    /// These characters anywhere, letter case and the kind of white space aside.
    Text {
        /// How many bytes, folded.
        length: usize,
        /// Made of the first characters.
        lead: u8,
        /// Of the folded text.
        digest: String,
    },
    /// These words as a whole value or sentence, or inside one if there are enough of them.
    Words {
        /// How many.
        length: usize,
        /// Made of the first word.
        lead: u8,
        /// Of the words ([`value_digest`]).
        digest: String,
    },
    /// A concept of this name: the name is what a concept is.
    Concept {
        /// Of the words of the name.
        digest: String,
    },
}

impl Phrase {
    /// A literal text.
    pub fn text(literal: &str) -> Phrase {
        let folded = Folded::of(literal).text;
        Phrase::Text { length: folded.len(), lead: lead(first_chars(&folded, LEAD)), digest: digest(&folded) }
    }

    /// The words of a value; `None` if it has none.
    pub fn words(value: &str) -> Option<Phrase> {
        let words = Words::of(value);
        let first = words.word(0)?;
        Some(Phrase::Words { length: words.len(), lead: lead(first), digest: digest(&words.joined) })
    }

    /// The name of a concept.
    pub fn concept(name: &str) -> Phrase {
        Phrase::Concept { digest: value_digest(name) }
    }

    /// The digest of the value, for the tombstone in the database; a literal is none.
    pub fn value(&self) -> Option<&str> {
        match self {
            Phrase::Words { digest, .. } => Some(digest),
            Phrase::Text { .. } | Phrase::Concept { .. } => None,
        }
    }
}

/// The digest by which a value stays rejected (D24): of its words, letter case and punctuation aside.
pub fn value_digest(value: &str) -> String {
    digest(&Words::of(value).joined)
}

fn digest(normal: &str) -> String {
    text::digest::<16>(normal.as_bytes())
}

/// FNV-1a folded to one byte: enough to skip most places, too little to tell the words by.
fn lead(start: &str) -> u8 {
    let hash = start.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    hash.to_le_bytes().into_iter().fold(0, |all, b| all ^ b)
}

fn first_chars(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

/// All that must not be told again, ready for searching.
#[derive(Clone, Debug, Default)]
pub struct Withheld {
    digests: BTreeSet<String>,
    values: BTreeSet<String>,
    concepts: BTreeSet<String>,
    /// The lengths of literals and of quotable values that begin with a lead.
    texts: BTreeMap<u8, BTreeSet<usize>>,
    words: BTreeMap<u8, BTreeSet<usize>>,
}

impl<'p> FromIterator<&'p Phrase> for Withheld {
    fn from_iter<I: IntoIterator<Item = &'p Phrase>>(phrases: I) -> Withheld {
        let mut all = Withheld::default();
        phrases.into_iter().for_each(|phrase| all.add(phrase));
        all
    }
}

impl Withheld {
    /// Takes in one more.
    pub fn add(&mut self, phrase: &Phrase) {
        match phrase {
            Phrase::Text { length, lead, digest } => {
                self.digests.insert(digest.clone());
                self.texts.entry(*lead).or_default().insert(*length);
            }
            Phrase::Words { length, lead, digest } => {
                self.values.insert(digest.clone());
                if *length >= QUOTABLE {
                    self.digests.insert(digest.clone());
                    self.words.entry(*lead).or_default().insert(*length);
                }
            }
            Phrase::Concept { digest } => {
                self.concepts.insert(digest.clone());
            }
        }
    }

    /// Whether there is nothing to withhold.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.texts.is_empty() && self.concepts.is_empty()
    }

    /// Whether `value` as a whole is a forgotten value.
    pub fn is_value(&self, value: &str) -> bool {
        !self.values.is_empty() && self.values.contains(&value_digest(value))
    }

    /// Whether a concept of this name was forgotten.
    pub fn is_concept(&self, name: &str) -> bool {
        !self.concepts.is_empty() && self.concepts.contains(&value_digest(name))
    }

    /// Whether a literal stands in `text`.
    pub fn has_literal(&self, text: &str) -> bool {
        !self.texts.is_empty() && !self.literals(text).is_empty()
    }

    /// Whether anything in `text` must not be told.
    pub fn hides(&self, text: &str) -> bool {
        !self.is_empty() && (self.is_value(text) || !self.places(text).is_empty())
    }

    /// Where in `text` forgotten text stands, in bytes, in order; the places may overlap.
    ///
    /// Cost: one look-up a word and character of `text`, and a digest where something begins alike.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = if self.texts.is_empty() { Vec::new() } else { self.literals(text) };
        if !self.words.is_empty() {
            found.extend(self.quotes(text));
        }
        if !self.values.is_empty() {
            found.extend(sentences(text).into_iter().filter(|s| self.is_value(&text[s.clone()])));
        }
        found.sort_by_key(|place| (place.start, place.end));
        found
    }

    fn literals(&self, text: &str) -> Vec<Range<usize>> {
        let folded = Folded::of(text);
        let starts = folded.text.char_indices().map(|(start, _)| start);
        let places =
            starts.flat_map(|start| self.literals_at(&folded.text[start..]).map(move |length| start..start + length));
        places.map(|place| folded.origin(place)).collect()
    }

    /// The lengths of the literals that `rest` begins with.
    fn literals_at<'t>(&'t self, rest: &'t str) -> impl Iterator<Item = usize> + 't {
        let leads = (1..=LEAD).map(move |chars| (chars, first_chars(rest, chars)));
        let alike = leads.flat_map(move |(chars, prefix)| {
            let lengths = self.texts.get(&lead(prefix)).into_iter().flatten().copied();
            // A literal shorter than a lead is its own lead.
            lengths.filter(move |length| if chars < LEAD { *length == prefix.len() } else { *length >= prefix.len() })
        });
        alike.filter(|length| rest.get(..*length).is_some_and(|window| self.digests.contains(&digest(window))))
    }

    fn quotes(&self, text: &str) -> Vec<Range<usize>> {
        let words = Words::of(text);
        let mut found = Vec::new();
        for first in 0..words.len() {
            let Some(lengths) = words.word(first).and_then(|w| self.words.get(&lead(w))) else { continue };
            for length in lengths {
                let Some(run) = words.run(first, *length) else { break };
                if self.digests.contains(&digest(run)) {
                    found.push(words.places[first].start..words.places[first + length - 1].end);
                }
            }
        }
        found
    }

    /// `text` without the sentences in which forgotten text stands, with [`MARK`] in their place; `None` if there is none.
    pub fn stripped(&self, text: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        if self.is_value(text) {
            return Some(MARK.to_owned());
        }
        let places = self.places(text);
        (!places.is_empty()).then(|| without(text, &places))
    }
}

/// Whether nothing is told in `text` but that something was forgotten.
pub fn is_nothing(text: &str) -> bool {
    !text.replace(MARK, "").contains(char::is_alphanumeric)
}

fn without(text: &str, places: &[Range<usize>]) -> String {
    let all = sentences(text);
    let touched = |s: &Range<usize>| places.iter().any(|p| p.start < s.end && s.start < p.end);
    let mut out = String::new();
    let mut end = 0;
    for sentence in all {
        let gap = &text[end..sentence.start];
        end = sentence.end;
        if !touched(&sentence) {
            out.push_str(gap);
            out.push_str(&text[sentence]);
        } else if !out.ends_with(MARK) {
            out.push_str(gap);
            out.push_str(MARK);
        }
    }
    out.push_str(&text[end..]);
    out
}

/// The sentences of `text`: they end with a line, or with a full stop, a question mark or an exclamation mark before white
/// space. White space between them belongs to none.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, n)| *n);
        let ends = c == '\n' || (matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace));
        if ends || next.is_none() {
            let end = at + c.len_utf8();
            found.extend(trimmed(text, start..end));
            start = end;
        }
    }
    found
}

fn trimmed(text: &str, place: Range<usize>) -> Option<Range<usize>> {
    let inside = &text[place.clone()];
    let start = place.start + (inside.len() - inside.trim_start().len());
    let end = start + inside.trim().len();
    (start < end).then_some(start..end)
}

/// A text in lower case, with one space for any white space, and where each byte of it came from.
struct Folded {
    text: String,
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Folded {
    fn of(raw: &str) -> Folded {
        let mut folded = Folded { text: String::with_capacity(raw.len()), from: Vec::new(), to: Vec::new() };
        for (at, c) in raw.char_indices() {
            let end = at + c.len_utf8();
            if !c.is_whitespace() {
                c.to_lowercase().for_each(|lower| folded.push(lower, at, end));
            } else if folded.text.ends_with(' ') {
                folded.to.pop();
                folded.to.push(end);
            } else {
                folded.push(' ', at, end);
            }
        }
        folded
    }

    fn push(&mut self, c: char, from: usize, to: usize) {
        self.text.push(c);
        self.from.extend(std::iter::repeat_n(from, c.len_utf8()));
        self.to.extend(std::iter::repeat_n(to, c.len_utf8()));
    }

    fn origin(&self, place: Range<usize>) -> Range<usize> {
        self.from[place.start]..self.to[place.end - 1]
    }
}

/// The words of a text in lower case: runs of letters and digits, joined by one space.
pub(crate) struct Words {
    joined: String,
    /// Where each word stands in `joined`, and in the text.
    inside: Vec<Range<usize>>,
    places: Vec<Range<usize>>,
}

impl Words {
    /// The words of `raw`.
    pub(crate) fn of(raw: &str) -> Words {
        let mut words = Words { joined: String::with_capacity(raw.len()), inside: Vec::new(), places: Vec::new() };
        for run in raw.split(|c: char| !c.is_alphanumeric()).filter(|r| !r.is_empty()) {
            let at = run.as_ptr().addr() - raw.as_ptr().addr();
            if !words.joined.is_empty() {
                words.joined.push(' ');
            }
            let start = words.joined.len();
            words.joined.push_str(&run.to_lowercase());
            words.inside.push(start..words.joined.len());
            words.places.push(at..at + run.len());
        }
        words
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.inside.len()
    }

    /// All of them.
    pub(crate) fn list(&self) -> Vec<&str> {
        self.inside.iter().map(|place| &self.joined[place.clone()]).collect()
    }

    fn word(&self, at: usize) -> Option<&str> {
        self.inside.get(at).map(|place| &self.joined[place.clone()])
    }

    fn run(&self, first: usize, length: usize) -> Option<&str> {
        let last = self.inside.get((first + length).checked_sub(1)?)?;
        Some(&self.joined[self.inside.get(first)?.start..last.end])
    }
}

#[cfg(test)]
#[path = "withheld_tests.rs"]
mod tests;
