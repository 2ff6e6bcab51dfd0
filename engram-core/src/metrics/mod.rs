//! Three abstract metrics, computed from the event stream alone: is the agent moving, looking or going in circles?
//!
//! Pure functions of a session's events in the order of the log. They describe; what to make of it is for the caller.

pub mod advice;
pub mod ratio;
pub mod repetition;
pub mod velocity;

pub use advice::{Advice, advice};
pub use ratio::{SearchLimits, SearchRatio, search_to_act};
pub use repetition::{ErrorRepetition, error_repetition};
pub use velocity::{Velocity, progress_velocity};

use crate::capture::Recent;
use crate::capture::event::Event;
use serde::Serialize;

/// Tool calls of one stretch of [`Velocity`].
const STRETCH: usize = 10;

/// The metrics of one session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionReport {
    /// The session's id.
    pub session: String,
    /// Events in its log.
    pub events: usize,
    /// Tool calls among them.
    pub tool_calls: usize,
    /// Turns of the user.
    pub turns: u32,
    /// How much of the agent's own plan is done, 0 to 1; `None` where it keeps none.
    pub progress: Option<f64>,
    /// Unique files moved forward in each ten calls.
    pub velocity: Velocity,
    /// Looking against doing over the last 20 calls.
    pub search_to_act: SearchRatio,
    /// Errors that came back after an attempt to mend them.
    pub repetitions: Vec<ErrorRepetition>,
}

impl SessionReport {
    /// The metrics of a session's events, in the order of its log. Cost: linear.
    pub fn of(session: &str, events: &[Event]) -> SessionReport {
        let mut recent = Recent::default();
        events.iter().for_each(|e| recent.apply(e));
        let progress = recent.progress();
        SessionReport {
            session: session.to_owned(),
            events: events.len(),
            tool_calls: events.iter().filter(|e| e.is_tool_call()).count(),
            turns: recent.turn(),
            progress,
            velocity: progress_velocity(events, STRETCH),
            search_to_act: search_to_act(events, progress.unwrap_or(f64::NAN), &SearchLimits::default()),
            repetitions: error_repetition(events),
        }
    }
}

#[cfg(test)]
pub(crate) mod story {
    //! Events for tests, in few words.

    use crate::capture::event::{Event, EventBody, FileChange, LinesChanged};
    use crate::time::Timestamp;

    fn event(body: EventBody) -> Event {
        Event::new(Timestamp::default(), body)
    }

    pub(crate) fn read(path: &str) -> Event {
        event(EventBody::FileRead { path: path.to_owned(), content_hash: None, also: Vec::new() })
    }

    pub(crate) fn write(path: &str) -> Event {
        write_lines(path, 1)
    }

    pub(crate) fn write_lines(path: &str, added: u32) -> Event {
        let lines_changed = LinesChanged { added, removed: 0, ranges: Vec::new() };
        let change = FileChange { path: path.to_owned(), lines_changed, ..FileChange::default() };
        event(EventBody::FileWrite { change, also: Vec::new() })
    }

    pub(crate) fn search(query: &str) -> Event {
        event(EventBody::Search { query: query.to_owned(), path: None, results_count: None })
    }

    pub(crate) fn prompt() -> Event {
        event(EventBody::Prompt { text: "go on".to_owned() })
    }

    pub(crate) fn plan(done: u32, total: u32) -> Event {
        let plan = Some(crate::capture::event::Plan::List { done, total });
        event(EventBody::Tool { name: "update_plan".to_owned(), exit_code: None, error: None, plan })
    }

    /// A test run; it failed if there are signatures.
    pub(crate) fn tests(signatures: &[&str]) -> Event {
        event(EventBody::TestRun {
            command: "cargo test".to_owned(),
            exit_code: Some(i32::from(!signatures.is_empty())),
            exit_code_source: None,
            passed: None,
            failed: None,
            failing_tests: Vec::new(),
            error_signatures: signatures.iter().map(|s| (*s).to_owned()).collect(),
        })
    }
}
