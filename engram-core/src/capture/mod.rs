//! Tool call in, event out: classification, derived tags, diffs, evidence, redaction.
//!
//! Everything here is a pure function of a call and of what the session did before ([`Recent`]); nothing touches the
//! disk. Specification: "Event types from direct tool classification", "Derived event types".

pub mod call;
mod classify;
mod diff;
pub mod event;
mod outcome;
pub(crate) mod pace;
mod recent;
mod redact;
mod region;
pub(crate) mod repeats;
mod route;
mod scrub;
mod shell;
pub(crate) mod tasks;
mod turn;

pub use classify::capture;
pub use recent::{Recent, stop_digest};
pub use redact::redact;
pub(crate) use scrub::{safe_path, safe_text};
pub use turn::{
    compact_event, decision_event, injected_event, prompt_event, session_end_event, session_start_event, turn_event,
};

/// Flag of a test run that did not run: its result says nothing about the code.
pub const NOT_STARTED: &str = "notStarted";

#[cfg(test)]
mod payload_tests;
