//! Claude Code.

use super::field::{Common, optional, text};
use super::{Adapter, HostEvent, Parsed, hook_specific, user_words};
use engram_core::capture::call::{Harness, ToolCall};
use serde_json::Value;

pub(super) const ADAPTER: Adapter = Adapter { harness: Harness::ClaudeCode, parse, render, accepts_context };

fn parse(payload: &Value) -> Parsed {
    parse_as(payload, Harness::ClaudeCode)
}

/// Reads a payload of this shape on behalf of `harness`.
pub(super) fn parse_as(payload: &Value, harness: Harness) -> Parsed {
    let common = Common { payload, harness };
    common.parsed(match text(payload, "hook_event_name").as_str() {
        "SessionStart" => common.start(),
        "UserPromptSubmit" => common.prompt(prompt(payload)),
        "PreToolUse" => HostEvent::BeforeTool(common.call()),
        "PostToolUse" => HostEvent::Tool(common.call()),
        "PostToolUseFailure" => HostEvent::Tool(failed(common.call(), payload)),
        "Stop" | "SubagentStop" => common.stop("last_assistant_message"),
        "PreCompact" | "PostCompact" => common.compaction(),
        "SessionEnd" => common.end(),
        _ => HostEvent::Ignored,
    })
}

/// The words of a person; prompts that the harness itself submits (timers, notices) are none.
fn prompt(payload: &Value) -> Option<String> {
    let by_person = matches!(payload["source"].as_str(), None | Some("user" | "sdk"));
    user_words::spoken(&text(payload, "prompt")).filter(|_| by_person)
}

fn failed(call: ToolCall, payload: &Value) -> ToolCall {
    let interrupted = payload["is_interrupt"].as_bool() == Some(true);
    let error = optional(payload, "error").unwrap_or_else(|| if interrupted { "interrupted" } else { "failed" }.into());
    ToolCall { exit_code: exit_code(&error), error: Some(error), ..call }
}

/// Claude Code says a command's exit code only here: in the first line of a failure.
pub(crate) fn exit_code(error: &str) -> Option<i32> {
    error.lines().next()?.strip_prefix("Exit code ")?.trim().parse().ok()
}

fn accepts_context(event_name: &str) -> bool {
    matches!(event_name, "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "PostToolUseFailure")
}

fn render(event_name: &str, context: &str) -> Option<Value> {
    hook_specific(event_name, context).filter(|_| accepts_context(event_name))
}
