//! The right few notes at the right moment: entry points, spreading activation, tiers, rendering within a budget.

mod activate;
mod entry;
mod first_read;
mod query;
mod render;
mod start;
mod words;

pub use activate::{Activated, Conduct, activate};
pub use entry::Entry;
pub(crate) use first_read::first_read;
pub use query::Ask;
pub(crate) use query::{joined, recall, search};
pub(crate) use start::session_start;

use serde::{Deserialize, Serialize};

/// How much of a note is told, by its activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// 0.1 to 0.3: named as available by query.
    Low,
    /// 0.3 to 0.7: its first sentence.
    Medium,
    /// Above 0.7: the whole note.
    High,
}

impl Tier {
    /// The tier of an activation.
    pub fn of(activation: f64) -> Tier {
        match activation {
            a if a > 0.7 => Tier::High,
            a if a >= 0.3 => Tier::Medium,
            _ => Tier::Low,
        }
    }
}

/// One recalled note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecallItem {
    /// The node's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub node_type: String,
    /// How far it is believed.
    pub trust: String,
    /// How much of it is told.
    pub tier: Tier,
    /// Its activation, 0 to 1.
    pub activation: f64,
    /// Its strength now, 0 to 1.
    pub strength: f64,
    /// What it says, as told.
    pub text: String,
    /// How it is introduced: `Decision`, `Observed pattern`, `Error seen before` …
    pub framing: String,
    /// Files it is about.
    pub files: Vec<String>,
    /// The episode it comes from.
    pub episode: String,
    /// The session that taught it.
    pub session: String,
    /// The day it was learned.
    pub learned: String,
    /// How it was reached: entries and hops.
    pub via: Vec<String>,
    /// The root of the project it comes from, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// What is told at one occasion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recall {
    /// The notes, most active first.
    pub items: Vec<RecallItem>,
    /// The block as injected; empty when there is nothing to say.
    pub text: String,
    /// Estimated tokens of `text`.
    pub tokens: usize,
    /// Notes that the budget left out.
    pub dropped: usize,
    /// How long it took.
    pub elapsed_micros: u64,
}

#[cfg(test)]
mod tests;
