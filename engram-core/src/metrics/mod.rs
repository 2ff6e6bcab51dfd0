//! Three abstract metrics, computed from the event stream alone: is the agent moving, looking or going in circles?
//!
//! Pure functions of a session's events in the order of the log. They describe; what to make of it is for the caller.

pub mod ratio;
pub mod repetition;
pub mod velocity;

pub use ratio::{SearchLimits, SearchRatio, search_to_act};
pub use repetition::{ErrorRepetition, error_repetition};
pub use velocity::{Velocity, progress_velocity};

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
