//! Memories of an evaluation set as notes that engram imports.

use crate::records::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One memory of a set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Memory {
    pub(crate) id: String,
    pub(crate) corpus: String,
    pub(crate) session: String,
    pub(crate) turn: i64,
    pub(crate) time: String,
    pub(crate) speaker: String,
    pub(crate) text: String,
    pub(crate) name: String,
    pub(crate) files: Vec<String>,
    pub(crate) functions: Vec<String>,
}

/// Speakers that are roles, not persons: their name says nothing about the text.
const ROLES: &[&str] = &["", "user", "assistant", "fix", "revert"];
/// Speakers of memories that are no turns of a talk.
const MINED: &[&str] = &["", "fix", "revert"];

impl Memory {
    /// Whether it is a turn of a talk, whose neighbours belong to it.
    pub(crate) fn is_turn(&self) -> bool {
        !MINED.contains(&self.speaker.as_str())
    }

    fn told(&self) -> String {
        let mut text = match self.speaker.as_str() {
            role if ROLES.contains(&role) => self.text.clone(),
            person => format!("{person}: {}", self.text),
        };
        if !self.functions.is_empty() {
            text.push_str("\nFunctions: ");
            text.push_str(&self.functions.join(", "));
        }
        text
    }

    /// A day alone becomes its midnight.
    fn moment(&self) -> String {
        if self.time.len() == 10 { format!("{}T00:00:00Z", self.time) } else { self.time.clone() }
    }
}

#[derive(Debug, Serialize)]
struct Note<'a> {
    id: &'a str,
    name: &'a str,
    text: String,
    files: &'a [String],
    time: String,
    session: &'a str,
    links: Vec<Link<'a>>,
}

#[derive(Debug, Serialize)]
struct Link<'a> {
    to: &'a str,
    #[serde(rename = "type")]
    link_type: &'static str,
    strength: f64,
}

/// The notes file of one corpus, in the order of the turns. Turns of one session are linked to the next one with
/// `strength`; 0 links nothing.
pub(crate) fn notes(memories: &[&Memory], strength: f64) -> Outcome<Vec<u8>> {
    let mut ordered = memories.to_vec();
    ordered.sort_by_key(|m| m.turn);
    let next = followers(&ordered);
    let mut bytes = Vec::new();
    for memory in ordered {
        let to = next.get(memory.id.as_str()).filter(|_| strength > 0.0);
        let links = to.map(|to| Link { to, link_type: "similar_to", strength }).into_iter().collect();
        let (files, session) = (memory.files.as_slice(), memory.session.as_str());
        let (id, name) = (memory.id.as_str(), memory.name.as_str());
        let note = Note { id, name, text: memory.told(), files, time: memory.moment(), session, links };
        serde_json::to_writer(&mut bytes, &note)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// The turn after each turn of the same session.
fn followers<'a>(ordered: &[&'a Memory]) -> BTreeMap<&'a str, &'a str> {
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = BTreeMap::new();
    for memory in ordered.iter().filter(|m| m.is_turn()) {
        if let Some(before) = last.insert(&memory.session, &memory.id) {
            next.insert(before, memory.id.as_str());
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn turn(id: &str, turn: i64, session: &str) -> Memory {
        let words = format!("words of {id}");
        Memory { id: id.into(), turn, session: session.into(), speaker: "Ann".into(), text: words, ..Memory::default() }
    }

    fn made(memories: &[Memory], strength: f64) -> Vec<Value> {
        let bytes = notes(&memories.iter().collect::<Vec<_>>(), strength).unwrap();
        String::from_utf8(bytes).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    }

    #[test]
    fn turns_are_linked_to_the_next_of_their_session() {
        let made = made(&[turn("b", 2, "s1"), turn("a", 1, "s1"), turn("c", 3, "s2")], 0.3);
        assert_eq!(made[0]["id"], "a");
        assert_eq!(made[0]["text"], "Ann: words of a");
        assert_eq!(made[0]["links"][0]["to"], "b");
        assert!(made[1]["links"].as_array().unwrap().is_empty());
        assert!(made[2]["links"].as_array().unwrap().is_empty());
    }

    #[test]
    fn fixes_are_not_linked_and_keep_their_functions() {
        let fix = |id: &str| Memory { speaker: "fix".into(), functions: vec!["open".into()], ..turn(id, 1, "repo") };
        let made = made(&[fix("a"), fix("b")], 0.3);
        assert_eq!(made[0]["text"], "words of a\nFunctions: open");
        assert!(made.iter().all(|n| n["links"].as_array().unwrap().is_empty()));
    }

    #[test]
    fn a_day_becomes_a_moment() {
        let day = Memory { time: "2024-03-15".into(), ..turn("a", 1, "s") };
        assert_eq!(made(&[day], 0.0)[0]["time"], "2024-03-15T00:00:00Z");
    }
}
