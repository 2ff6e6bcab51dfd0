//! The two recorded sessions of `examples/`, told as if they happened in a place.

use crate::place::Place;
use crate::{program, repository, run};
use serde_json::Value;

/// The session that finds the bug and states the decision.
pub const FIX: &str = "1-fix";
/// The session that contradicts the decision and then obeys it.
pub const DISCOUNT: &str = "2-discount";
/// Where they were recorded.
const RECORDED_AT: &str = "/home/dev/invoice";

/// The payloads of a recorded session with their paths in the project of `place`.
///
/// # Panics
/// If the recording cannot be read.
pub fn payloads(name: &str, place: &Place) -> Vec<Value> {
    let path = repository().join("examples/sessions").join(format!("{name}.jsonl"));
    let text = std::fs::read_to_string(path).expect("the recorded session");
    let here = text.replace(RECORDED_AT, &place.project.display().to_string());
    here.lines().map(|line| serde_json::from_str(line).expect("a payload")).collect()
}

/// Copies the example project into the place.
///
/// # Panics
/// If it cannot be copied.
pub fn set_up_project(place: &Place) {
    crate::tree::copy(&repository().join("examples/sessions/project"), &place.project);
}

/// One payload and what the hook told the agent.
#[derive(Debug)]
pub struct Told {
    /// `hook_event_name`.
    pub event: String,
    /// What the hook received.
    pub payload: Value,
    /// The text for the agent; empty if there was none.
    pub context: String,
}

/// Sends a recorded session through `engram hook claude-code`, one process an event.
///
/// # Panics
/// If a hook breaks its rules or does not record its event.
pub fn replay(name: &str, place: &Place) -> Vec<Told> {
    payloads(name, place).into_iter().map(|payload| send(place, payload)).collect()
}

fn send(place: &Place, payload: Value) -> Told {
    let mut command = place.command(&program::engram());
    let ended = run::run(command.args(["hook", "claude-code"]), payload.to_string().as_bytes());
    assert_eq!(ended.breach(), None, "{payload}");
    assert!(ended.acknowledged(), "{ended:?}");
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned();
    Told { event: payload["hook_event_name"].as_str().unwrap_or_default().to_owned(), payload, context }
}
