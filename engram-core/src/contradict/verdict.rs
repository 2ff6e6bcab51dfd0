//! The verdict on a change (contract, "Verdict").

use serde::{Deserialize, Serialize};

/// Whether a change contradicts a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum VerdictKind {
    /// It does not.
    #[default]
    NoContradiction,
    /// It defeats the decision's purpose without naming the thing.
    IndirectContradiction,
    /// The diff and the decision's words show the breach.
    DirectContradiction,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look.
    #[default]
    Low,
    /// Probably a mistake.
    Medium,
    /// A decision of the user, or a prohibition, is broken.
    High,
}

/// Who judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckedBy {
    /// Rules.
    #[default]
    Offline,
    /// A language model.
    Model,
}

/// The verdict on one change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The verdict.
    pub verdict: VerdictKind,
    /// How bad it is.
    pub severity: Severity,
    /// Ids of the decisions that are contradicted.
    pub decisions: Vec<String>,
    /// What shows it, in one sentence that quotes the decision and the line.
    pub explanation: String,
    /// What to do.
    pub recommendation: String,
    /// Who judged.
    pub checked_by: CheckedBy,
    /// How long it took.
    pub elapsed_micros: u64,
}
