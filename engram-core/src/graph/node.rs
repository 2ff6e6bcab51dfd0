//! Nodes of the knowledge graph, and what is true of every memory.

use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of a node: stable, derived from what created it (I15).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(String);

impl NodeId {
    /// Wraps an id.
    pub fn new(id: impl Into<String>) -> NodeId {
        NodeId(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Declares an enum whose values are words: on the wire, in the database and in print.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// The value of a word.
            pub fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.as_str()) }
        }
    };
}
pub(crate) use words;

words! {
    /// The specification's five kinds of node.
    NodeType {
        /// A file, a module, a technology, a notion.
        Concept = "concept",
        /// A stretch of finished work.
        Episode = "episode",
        /// A choice that binds later work.
        Decision = "decision",
        /// Something found out.
        Finding = "finding",
        /// Something that went wrong, its cause and its mending.
        Error = "error",
    }
}

words! {
    /// A finer kind beside the type.
    MemoryKind {
        /// How the user wants things done.
        Preference = "preference",
        /// The user set the agent right.
        Correction = "correction",
        /// Work that was left undone.
        OpenItem = "open_item",
        /// A command that works here.
        Command = "command",
        /// A regularity over several episodes.
        Pattern = "pattern",
    }
}

words! {
    /// How far a memory is believed (D10), strongest first.
    Trust {
        /// The user said it.
        User = "user",
        /// engram saw it happen.
        Observed = "observed",
        /// A model or a rule read it out of text.
        Inferred = "inferred",
        /// Suspicious; never injected until a person approves it.
        Quarantined = "quarantined",
    }
}

words! {
    /// Where a memory came from (T-1).
    Origin {
        /// The user's words.
        User = "user",
        /// The agent's words.
        Agent = "agent",
        /// Observed tool calls.
        Tool = "tool",
        /// An imported file.
        Import = "import",
        /// The history of the repository.
        Git = "git",
    }
}

words! {
    /// Whether a memory holds.
    Status {
        /// It holds.
        Active = "active",
        /// Another took its place; kept for history, strength 0.
        Superseded = "superseded",
    }
}

/// Base strengths (D7).
pub mod base {
    /// A decision that was stated.
    pub const EXPLICIT: f64 = 0.85;
    /// A decision read out of behaviour.
    pub const IMPLICIT: f64 = 0.35;
    /// Anything else.
    pub const OTHER: f64 = 1.0;
}

/// How a decision or preference binds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Polarity {
    /// X was chosen (instead of Y).
    #[default]
    Choose,
    /// X always, X must.
    Require,
    /// X never, X must not.
    Forbid,
}

/// What a decision says, taken apart; what D22 and D24 compare and the contradiction rules read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Claim {
    /// How it binds.
    pub polarity: Polarity,
    /// What the choice is about, normalised, where the sentence says so ("indentation", "money amounts").
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// The chosen or required thing, as written. Empty for a pure prohibition.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub chosen: String,
    /// The alternatives turned down, or the forbidden things, as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<String>,
    /// Why.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rationale: String,
}

/// The numbers behind a node's strength (D7), kept apart so that each can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StrengthFactors {
    /// 0.85 explicit decision, 0.35 implicit, 1.0 otherwise.
    pub base: f64,
    /// Episodes that this node comes from.
    pub episodes: u32,
    /// Of them, those that speak for it: that did not fail (docs/decisions/0004).
    pub successes: u32,
    /// 1.5 if the knowledge prevented or caused failures, else 1.0.
    pub causal: f64,
    /// Sessions of the project since the node was last reinforced.
    pub idle_sessions: u32,
}

/// One memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its id.
    pub id: NodeId,
    /// A short name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub node_type: NodeType,
    /// A finer kind, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<MemoryKind>,
    /// The memory itself, self-contained.
    pub description: String,
    /// Strength now, 0 to 1, from `factors`.
    pub strength: f64,
    /// The numbers behind `strength`.
    pub factors: StrengthFactors,
    /// Whether it holds.
    pub status: Status,
    /// What took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<NodeId>,
    /// How far it is believed.
    pub trust: Trust,
    /// Where it came from.
    pub origin: Origin,
    /// What it says, taken apart (decisions and preferences).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// Files it is about, relative to the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affected_files: Vec<String>,
    /// Episodes it comes from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_episodes: Vec<String>,
    /// The session that taught it last.
    #[serde(default)]
    pub session: String,
    /// Since when it is true in the project.
    pub valid_from: Timestamp,
    /// Until when it was true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When engram learned it.
    pub recorded_at: Timestamp,
    /// When engram un-learned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
    /// When it was last changed.
    pub updated_at: Timestamp,
}
