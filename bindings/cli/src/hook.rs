//! One hook call from the first byte of stdin to the exit code. What engram does with the event is the caller's.

use crate::adapters::{self, Adapter, HostEvent, Parsed};
use crate::answer::{self, Answer};
use crate::stdin::{self, Limits};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What arrived.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The harness's adapter.
    pub adapter: &'static Adapter,
    /// The payload, understood.
    pub parsed: Parsed,
    /// Whether bytes were replaced on the way in; the event carries the flag `bytesReplaced` then.
    pub bytes_replaced: bool,
}

/// What engram did with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// What the model is to be told; empty = nothing.
    pub context: String,
    /// Why the event could not be recorded.
    pub not_recorded: Option<String>,
    /// Other trouble, for the log.
    pub trouble: Vec<String>,
}

/// The command line of a hook: the harness and, where its payloads do not name the event, the event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Called<'a> {
    /// The harness's name.
    pub harness: &'a str,
    /// The event's name.
    pub event: Option<&'a str>,
}

/// Runs one hook call: reads stdin, lets `act` handle the event, answers. Always exit code 0.
///
/// With `ENGRAM_DISABLE` set nothing is read and nothing done. `act` is not called for events that engram ignores.
pub fn run(called: Called<'_>, home: Option<&Path>, act: impl FnOnce(Arrived) -> Reply) -> ExitCode {
    if is_set("ENGRAM_DISABLE") {
        return ExitCode::SUCCESS;
    }
    answer::run(home, || handle(called, act))
}

/// Ends a hook call whose command line is wrong: nothing on stdout, one line on stderr and in the log, exit code 0.
pub(crate) fn refuse(home: Option<&Path>, reason: &str) -> ExitCode {
    if is_set("ENGRAM_DISABLE") {
        return ExitCode::SUCCESS;
    }
    answer::run(home, || Answer::not_recorded(reason))
}

fn handle(called: Called<'_>, act: impl FnOnce(Arrived) -> Reply) -> Answer {
    let Some(adapter) = adapters::adapter(called.harness) else {
        return Answer::not_recorded(format!("no harness is called \"{}\"", called.harness));
    };
    let mut input = match stdin::read_object(std::io::stdin(), &Limits::default()) {
        Ok(input) => input,
        Err(e) => return Answer::not_recorded(e),
    };
    if let (Some(event), Value::Object(payload)) = (called.event, &mut input.value) {
        payload.entry(adapters::EVENT).or_insert_with(|| event.into());
    }
    let parsed = (adapter.parse)(&input.value);
    drop(input.value);
    if parsed.event == HostEvent::Ignored {
        return Answer::default();
    }
    let name = parsed.name.clone();
    let reply = act(Arrived { adapter, parsed, bytes_replaced: input.bytes_replaced });
    Answer { object: (adapter.render)(&name, &reply.context), not_recorded: reply.not_recorded, trouble: reply.trouble }
}

/// Whether an environment variable is set to something else than nothing or `0`.
pub fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|v| !v.is_empty() && v != "0")
}

/// Where engram keeps its data: `given`, or `ENGRAM_HOME`, or `~/.engram`. `None` without a home folder.
pub fn data_home(given: Option<PathBuf>) -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
    given.or_else(|| named("ENGRAM_HOME")).or_else(|| named("HOME").map(|h| h.join(".engram")))
}
