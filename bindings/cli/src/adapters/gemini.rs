//! Gemini CLI. Its PreCompress fires before every request, so it says nothing about lost context (contract, 18).

use super::field::{Common, optional, text};
use super::{Adapter, HostEvent, Parsed, hook_specific};
use engram_core::capture::call::{Harness, ToolCall};
use serde_json::Value;

pub(super) const ADAPTER: Adapter = Adapter { harness: Harness::Gemini, parse, render, accepts_context };

fn parse(payload: &Value) -> Parsed {
    let common = Common { payload, harness: Harness::Gemini };
    common.parsed(match text(payload, "hook_event_name").as_str() {
        "SessionStart" => common.start(),
        "BeforeAgent" => common.prompt(optional(payload, "prompt")),
        "BeforeTool" => HostEvent::BeforeTool(common.call()),
        "AfterTool" => HostEvent::Tool(with_error(common.call())),
        "AfterAgent" => common.stop("prompt_response"),
        "SessionEnd" => common.end(),
        _ => HostEvent::Ignored,
    })
}

/// A tool's own failure stands inside its response; a failed shell command is told only in the output's text.
fn with_error(call: ToolCall) -> ToolCall {
    let error = call.output.as_ref().map(|o| &o["error"]);
    let error = error.and_then(|e| optional(e, "message").or_else(|| e.as_str().map(str::to_owned)));
    ToolCall { error, ..call }
}

fn accepts_context(event_name: &str) -> bool {
    matches!(event_name, "SessionStart" | "BeforeAgent" | "AfterTool")
}

fn render(event_name: &str, context: &str) -> Option<Value> {
    hook_specific(event_name, context).filter(|_| accepts_context(event_name))
}
