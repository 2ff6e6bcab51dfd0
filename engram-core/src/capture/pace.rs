//! Looking against doing over the last calls, and how far the looking spreads.

use super::event::{Event, EventBody};
use super::route::directory_distance;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Reads back that a distance is measured from (specification: the last five).
const READS_BACK: usize = 5;

/// One tool call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Call {
    looked: bool,
    changed: bool,
    /// Directory levels to the nearest of the reads before it; 0 for what is no read.
    step: usize,
}

/// The fold over a session's events: what the last calls did. O(1) an event in the session's length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Pace {
    calls: VecDeque<Call>,
    reads: VecDeque<String>,
}

/// What the last calls add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looking {
    pub(crate) looks: u32,
    pub(crate) changes: u32,
    pub(crate) widest: usize,
}

impl Pace {
    /// Takes `e` in, keeping the last `window` calls.
    pub(crate) fn apply(&mut self, e: &Event, window: usize) {
        if !e.is_tool_call() {
            return;
        }
        let looked =
            matches!(e.body, EventBody::FileRead { .. } | EventBody::Search { .. } | EventBody::Research { .. });
        let mut step = 0;
        for path in e.reads() {
            step = step.max(self.reads.iter().map(|r| directory_distance(r, path)).min().unwrap_or(0));
            self.reads.push_back(crate::text::clip(path, 256).to_owned());
            if self.reads.len() > READS_BACK {
                self.reads.pop_front();
            }
        }
        self.calls.push_back(Call { looked, changed: e.writes().next().is_some(), step });
        while self.calls.len() > window {
            self.calls.pop_front();
        }
    }

    /// The sums over the window.
    pub(crate) fn looking(&self) -> Looking {
        let count =
            |test: fn(&Call) -> bool| u32::try_from(self.calls.iter().filter(|c| test(c)).count()).unwrap_or(u32::MAX);
        Looking {
            looks: count(|c| c.looked),
            changes: count(|c| c.changed),
            widest: self.calls.iter().map(|c| c.step).max().unwrap_or(0),
        }
    }
}
