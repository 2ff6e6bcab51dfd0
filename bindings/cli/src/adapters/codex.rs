//! Codex CLI. It rejects a whole answer for one unknown field, and has no event for a failed tool.

use super::field::{Common, optional, text};
use super::{Adapter, HostEvent, Parsed, hook_specific};
use engram_core::capture::call::Harness;
use serde_json::Value;

pub(super) const ADAPTER: Adapter = Adapter { harness: Harness::Codex, parse, render, accepts_context };

fn parse(payload: &Value) -> Parsed {
    let common = Common { payload, harness: Harness::Codex };
    common.parsed(match text(payload, "hook_event_name").as_str() {
        "SessionStart" => common.start(),
        "UserPromptSubmit" => common.prompt(optional(payload, "prompt")),
        "PreToolUse" => HostEvent::BeforeTool(common.call()),
        "PostToolUse" => HostEvent::Tool(common.call()),
        "Stop" | "SubagentStop" => common.stop("last_assistant_message"),
        "PreCompact" | "PostCompact" => common.compaction(),
        "SessionEnd" => common.end(),
        _ => HostEvent::Ignored,
    })
}

fn accepts_context(event_name: &str) -> bool {
    matches!(event_name, "SessionStart" | "UserPromptSubmit" | "PreToolUse" | "PostToolUse")
}

fn render(event_name: &str, context: &str) -> Option<Value> {
    hook_specific(event_name, context).filter(|_| accepts_context(event_name))
}
