//! How much of the task is done, as the agent's own plan or list of tasks says.

use super::event::{Event, EventBody, Plan};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

const MAX_TASKS: usize = 128;

/// The fold over a session's events. O(1) an event in the session's length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Tasks {
    /// Done and all, where the harness gives whole lists.
    list: Option<(u32, u32)>,
    /// Digest and whether it is done, where it gives tasks one by one.
    tasks: VecDeque<(u64, bool)>,
}

impl Tasks {
    /// Takes `e` in.
    pub(crate) fn apply(&mut self, e: &Event) {
        let EventBody::Tool { plan: Some(plan), .. } = &e.body else { return };
        match plan {
            Plan::List { done, total } => self.list = Some((*done, *total)),
            Plan::Task { id, status } => self.task(super::recent::hash(id), status),
        }
    }

    fn task(&mut self, id: u64, status: &str) {
        self.tasks.retain(|(known, _)| *known != id);
        if !matches!(status, "deleted" | "cancelled") {
            self.tasks.push_back((id, status == "completed"));
        }
        if self.tasks.len() > MAX_TASKS {
            self.tasks.pop_front();
        }
    }

    /// The share that is done, 0 to 1; `None` where no plan was seen.
    pub(crate) fn progress(&self) -> Option<f64> {
        let (done, total) = match self.list {
            Some(list) if self.tasks.is_empty() => list,
            _ => {
                let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                (number(self.tasks.iter().filter(|(_, done)| *done).count()), number(self.tasks.len()))
            }
        };
        (total > 0).then(|| f64::from(done) / f64::from(total))
    }
}
