//! Episodes: finished stretches of work, in the form that the episode file and the database keep.

use super::change::GraphChange;
use super::node::words;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

words! {
    /// How a stretch of work ended.
    Outcome {
        /// The goal was reached.
        Success = "success",
        /// Some of it was.
        Partial = "partial",
        /// It was not.
        Failure = "failure",
    }
}

/// A byte range of a session's log: from the first byte covered to the first byte not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LogRange {
    /// First byte covered.
    pub from: u64,
    /// First byte after.
    pub to: u64,
}

/// Something found out in an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    /// What.
    pub text: String,
    /// What shows it: a command, a diff, a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// 0 to 1.
    pub confidence: f64,
}

/// A choice made in an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeDecision {
    /// The decision, self-contained.
    pub text: String,
    /// Whether it was stated, or read out of behaviour.
    pub explicit: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// Alternatives turned down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<String>,
}

/// Something that went wrong in an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeError {
    /// File and error kind, or the first telling line.
    pub signature: String,
    /// Why it happened, where known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub root_cause: String,
    /// What mended it; empty while unresolved.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resolution: String,
}

/// A finished stretch of work and the graph change request it makes (specification, pass 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Episode {
    /// Derived from session and range.
    pub id: String,
    /// The session.
    pub session: String,
    /// What was to be done.
    pub goal: String,
    /// How it was gone about.
    pub approach: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub discoveries: Vec<Discovery>,
    /// Decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<EpisodeDecision>,
    /// Errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<EpisodeError>,
    /// Files changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Time of its first event.
    pub started_at: Timestamp,
    /// Time of its last event.
    pub ended_at: Timestamp,
    /// `offline`, or the model that extracted it.
    pub extractor: String,
    /// What it asks of the graph. The node keyed `episode` is the episode itself.
    pub change: GraphChange,
}

impl Episode {
    /// The key of the episode's own node inside [`Episode::change`].
    pub const KEY: &str = "episode";
}
