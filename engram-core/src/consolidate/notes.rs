//! Imported notes: a file of them is one episode, whose nodes keep the notes' ids.

use crate::capture;
use crate::error::{Error, Result};
use crate::graph::change::{GraphChange, NewEdge, NewNode};
use crate::graph::claim;
use crate::graph::edge::EdgeType;
use crate::graph::episode::{Episode, Outcome};
use crate::graph::node::{MemoryKind, NodeType, Origin, base};
use crate::text;
use crate::time::Timestamp;
use serde::Deserialize;

/// The extractor of episodes made of notes.
pub(super) const EXTRACTOR: &str = "notes";
/// Longest text of a note, in bytes.
const LONGEST: usize = 16 * 1024;

/// One line of a file of notes (contract, `engram import --format notes`).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Note {
    /// Its id, unique in the file; the memory's id.
    pub(crate) id: String,
    /// A short name; the start of the text if empty.
    pub(crate) name: String,
    /// The note.
    pub(crate) text: String,
    /// `concept`, `decision`, `finding` (default), `error`, or `preference`.
    #[serde(rename = "type")]
    pub(crate) note_type: String,
    /// Files it is about.
    pub(crate) files: Vec<String>,
    /// When it was true; the import's time if empty.
    pub(crate) time: String,
    /// The session it comes from.
    pub(crate) session: String,
    /// 0 to 1; that of its type if absent.
    pub(crate) strength: Option<f64>,
    /// Links to other notes of the file, or to memories.
    pub(crate) links: Vec<Link>,
}

/// A link of a note.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Link {
    /// The other note's id.
    pub(crate) to: String,
    /// An edge type; `similar_to` if empty.
    #[serde(rename = "type")]
    pub(crate) link_type: String,
    /// 0 to 1.
    pub(crate) strength: Option<f64>,
}

impl Note {
    /// The episode that a file of notes makes. Every line is checked before anything is made.
    pub(crate) fn episode(bytes: &[u8], now: Timestamp) -> Result<Episode> {
        let digest = text::digest::<8>(bytes);
        let mut change = GraphChange::default();
        for (number, line) in bytes.split(|b| *b == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let note: Note = serde_json::from_slice(line).map_err(|e| {
                Error::invalid(format!("line {} is no note; nothing was imported", number + 1)).with_source(e)
            })?;
            note.add(&mut change)
                .map_err(|rule| Error::invalid(format!("line {}: {rule}; nothing was imported", number + 1)))?;
        }
        Ok(Episode {
            id: format!("ep_{digest}"),
            session: format!("import-{digest}"),
            goal: format!("Import of {} notes", change.nodes.len()),
            approach: "engram import --format notes".to_owned(),
            outcome: Outcome::Success,
            discoveries: Vec::new(),
            decisions: Vec::new(),
            errors: Vec::new(),
            files: Vec::new(),
            started_at: now,
            ended_at: now,
            extractor: EXTRACTOR.to_owned(),
            change,
        })
    }

    fn add(&self, change: &mut GraphChange) -> std::result::Result<(), String> {
        if self.id.is_empty() || self.text.trim().is_empty() {
            return Err("a note needs an id and a text".to_owned());
        }
        let (node_type, kind) = self.node_type()?;
        let body = capture::safe_text(&self.text, LONGEST);
        let name = if self.name.is_empty() {
            text::clip_marked(&body, 80)
        } else {
            text::clip_marked(&capture::safe_text(&self.name, LONGEST), 200)
        };
        let mut node = NewNode::new(self.id.clone(), node_type, name, body);
        node.kind = kind;
        node.origin = Origin::Import;
        let of_type = if node_type == NodeType::Decision { base::EXPLICIT } else { base::OTHER };
        node.base = unit(self.strength)?.unwrap_or(of_type);
        node.claim = (node_type == NodeType::Decision).then(|| claim::parse(&node.description)).flatten();
        node.files = self.files.iter().map(|f| capture::safe_path(f)).collect();
        node.session = Some(capture::safe_path(&self.session)).filter(|s| !s.is_empty());
        if !self.time.is_empty() {
            node.valid_from = Some(self.time.parse().map_err(|e: Error| e.to_string())?);
        }
        change.nodes.push(node);
        for link in &self.links {
            let edge_type = match link.link_type.as_str() {
                "" => EdgeType::SimilarTo,
                word => EdgeType::from_word(word).ok_or_else(|| format!("\"{word}\" is no edge type"))?,
            };
            let strength = unit(link.strength)?.unwrap_or(1.0);
            change.edges.push(NewEdge::new(self.id.clone(), edge_type, link.to.clone()).with_strength(strength));
        }
        Ok(())
    }

    fn node_type(&self) -> std::result::Result<(NodeType, Option<MemoryKind>), String> {
        match self.note_type.as_str() {
            "" => Ok((NodeType::Finding, None)),
            "preference" => Ok((NodeType::Decision, Some(MemoryKind::Preference))),
            word => {
                NodeType::from_word(word).map(|t| (t, None)).ok_or_else(|| format!("\"{word}\" is no type of note"))
            }
        }
    }
}

fn unit(number: Option<f64>) -> std::result::Result<Option<f64>, String> {
    match number {
        Some(n) if !(0.0..=1.0).contains(&n) => Err(format!("strength {n} is not between 0 and 1")),
        other => Ok(other),
    }
}
