//! Errors that come back although something was done about them.

use super::event::{Derived, Event, EventBody};
use serde::{Deserialize, Serialize};

/// Who reported an error: only a run of the same kind that passes shows that it is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Reporter {
    #[default]
    Test,
    Build,
}

/// The history of one error signature.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Trace {
    /// Digest of the signature.
    pub(crate) error: u64,
    reporter: Reporter,
    /// Times it came back after a write, since it was last gone; its first appearance is none.
    pub(crate) current: u32,
    /// The most that `current` ever was.
    pub(crate) most: u32,
    /// Whether it is still there.
    pub(crate) open: bool,
    attempted: bool,
}

/// The fold over a session's events: the histories of its last errors. O(1) an event in the session's length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Repeats {
    traces: Vec<Trace>,
}

impl Repeats {
    /// Takes `e` in, keeping the histories of at most `limit` errors.
    pub(crate) fn apply(&mut self, e: &Event, limit: usize) {
        if e.writes().next().is_some() || e.derived.contains(&Derived::FixAttempt) {
            self.traces.iter_mut().for_each(|t| t.attempted = true);
            return;
        }
        let Some((reporter, signatures)) = reported(e) else { return };
        signatures.iter().for_each(|s| self.appear(super::recent::hash(s), reporter, limit));
        if !e.body.failed() && signatures.is_empty() {
            self.traces.iter_mut().filter(|t| t.reporter == reporter).for_each(|t| t.open = false);
        }
    }

    /// The history of an error.
    pub(crate) fn of(&self, signature: &str) -> Option<&Trace> {
        let error = super::recent::hash(signature);
        self.traces.iter().find(|t| t.error == error)
    }

    fn appear(&mut self, error: u64, reporter: Reporter, limit: usize) {
        let at = match self.traces.iter().position(|t| t.error == error) {
            Some(at) => at,
            None => {
                if self.traces.len() >= limit {
                    // The oldest that is gone; the oldest where all are there.
                    self.traces.remove(self.traces.iter().position(|t| !t.open).unwrap_or(0));
                }
                self.traces.push(Trace { error, ..Trace::default() });
                self.traces.len() - 1
            }
        };
        let trace = &mut self.traces[at];
        if !trace.open {
            trace.current = 0;
        } else if trace.attempted {
            trace.current += 1;
            trace.most = trace.most.max(trace.current);
        }
        (trace.reporter, trace.open, trace.attempted) = (reporter, true, false);
    }
}

/// The error signatures of a run of tests or a build.
fn reported(e: &Event) -> Option<(Reporter, &[String])> {
    match &e.body {
        EventBody::TestRun { error_signatures, .. } => Some((Reporter::Test, error_signatures)),
        EventBody::Build { error_signatures, .. } => Some((Reporter::Build, error_signatures)),
        _ => None,
    }
}

/// The error signatures of an event, where it has any.
pub(crate) fn signatures(e: &Event) -> &[String] {
    reported(e).map_or(&[], |(_, signatures)| signatures)
}
