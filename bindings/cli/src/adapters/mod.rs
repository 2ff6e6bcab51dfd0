//! One row per harness: its payload in, its answer out.
//!
//! An adapter is a pure pair of functions. Whatever stands in a field, of whatever type, is tolerated: harnesses add
//! fields monthly, and a hook that fails is worse than one that says nothing.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod field;
mod gemini;
mod generic;
pub mod user_words;

pub(crate) use claude_code::exit_code as claude_exit_code;
pub(crate) use copilot::exit_code as copilot_exit_code;

use engram_core::capture::call::{
    Compaction, Decided, Harness, SessionEnd, SessionStart, ToolCall, TurnEnd, UserPrompt,
};
use engram_core::text;
use serde_json::{Value, json};

/// What happened, in the form that all harnesses share.
#[derive(Clone, Debug, PartialEq)]
pub enum HostEvent {
    /// A session begins, or goes on.
    SessionStart(SessionStart),
    /// The user said something.
    Prompt(UserPrompt),
    /// A tool is about to run; `output` and `error` are empty.
    BeforeTool(ToolCall),
    /// A tool ran, or failed.
    Tool(ToolCall),
    /// A decision is saved on purpose.
    Decision(Decided),
    /// The agent, or one of its sub-agents, finished responding.
    Stop(TurnEnd),
    /// The context is being compacted.
    Compaction(Compaction),
    /// The session ended.
    SessionEnd(SessionEnd),
    /// Nothing that engram acts on.
    Ignored,
}

/// One payload, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// What happened.
    pub event: HostEvent,
    /// The event's name as received; the answer must repeat it.
    pub name: String,
    /// The working directory as received; empty if none was.
    pub cwd: String,
    /// The session's transcript, where the harness names one. Not to be trusted: see invariants, T-10.
    pub transcript_path: Option<String>,
}

/// How one harness speaks.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    /// The harness.
    pub harness: Harness,
    /// Reads a payload. Never fails: what is not understood is [`HostEvent::Ignored`].
    pub parse: fn(&Value) -> Parsed,
    /// The answer that hands `context` to the model after the event of that name, bounded to what the harness takes;
    /// `None` if there is nothing to say or no place to say it.
    pub render: fn(event_name: &str, context: &str) -> Option<Value>,
    /// Whether an answer to the event of that name can carry context. Never true for the end of a turn: context there
    /// would keep the agent going.
    pub accepts_context: fn(event_name: &str) -> bool,
}

/// Every harness that can call a hook.
pub const ADAPTERS: &[Adapter] =
    &[claude_code::ADAPTER, codex::ADAPTER, gemini::ADAPTER, copilot::ADAPTER, cursor::ADAPTER, generic::ADAPTER];

/// The field with the event's name. Where a harness does not send it, it is taken from the hook's command line.
pub const EVENT: &str = "hook_event_name";

/// The adapter of a harness by its name on the command line.
pub fn adapter(name: &str) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|a| a.harness.name() == name)
}

/// Longer context is cut: Claude Code replaces more than 10,000 characters by a path, Codex drops the middle.
const CONTEXT_BYTES: usize = 9_900;

fn bounded(context: &str) -> Option<String> {
    let context = context.trim();
    (!context.is_empty()).then(|| text::clip_marked(context, CONTEXT_BYTES))
}

/// The answer that Claude Code, Codex and Gemini CLI have in common.
fn hook_specific(event_name: &str, context: &str) -> Option<Value> {
    let context = bounded(context)?;
    Some(json!({"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": context}}))
}

#[cfg(test)]
mod tests;
