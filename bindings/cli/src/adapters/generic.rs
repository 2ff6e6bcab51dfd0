//! Any other harness: a plain form of our own, or payloads in Claude Code's shape. Answers `{"context": ...}`.

use super::field::{optional, present, session, text, time};
use super::{Adapter, HostEvent, Parsed, bounded, claude_code};
use engram_core::capture::call::{
    Compaction, Decided, Harness, SessionEnd, SessionStart, ToolCall, TurnEnd, UserPrompt,
};
use serde_json::{Value, json};

pub(super) const ADAPTER: Adapter = Adapter { harness: Harness::Generic, parse, render, accepts_context };

fn parse(payload: &Value) -> Parsed {
    if payload["hook_event_name"].is_string() {
        return claude_code::parse_as(payload, Harness::Generic);
    }
    let name = text(payload, "event");
    Parsed {
        event: plain(payload, &name),
        name,
        cwd: text(payload, "cwd"),
        transcript_path: optional(payload, "transcript"),
    }
}

fn plain(payload: &Value, name: &str) -> HostEvent {
    let (session, ts, harness) = (session(payload, "session"), time(payload, "ts"), Harness::Generic);
    let cwd = text(payload, "cwd");
    let said = |key: &str| text(payload, key);
    match name {
        "session_start" => HostEvent::SessionStart(SessionStart { session, harness, cwd, source: said("source"), ts }),
        "prompt" if !said("text").is_empty() => HostEvent::Prompt(UserPrompt { session, text: said("text"), ts }),
        "before_tool" => HostEvent::BeforeTool(call(payload)),
        "tool_call" => HostEvent::Tool(call(payload)),
        "decision" => HostEvent::Decision(Decided {
            session,
            content: said("content"),
            rationale: said("rationale"),
            files: texts(payload, "files"),
            rejected: texts(payload, "rejected"),
            ts,
        }),
        "stop" => HostEvent::Stop(TurnEnd { session, text: said("text"), agent: optional(payload, "agent"), ts }),
        "compact" => HostEvent::Compaction(Compaction { session, trigger: said("trigger"), ts }),
        "session_end" => HostEvent::SessionEnd(SessionEnd { session, reason: said("reason"), ts }),
        _ => HostEvent::Ignored,
    }
}

/// The texts of a list.
fn texts(payload: &Value, key: &str) -> Vec<String> {
    payload[key].as_array().into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
}

fn call(payload: &Value) -> ToolCall {
    ToolCall {
        session: session(payload, "session"),
        harness: Harness::Generic,
        cwd: text(payload, "cwd"),
        tool: text(payload, "tool"),
        input: payload["input"].clone(),
        output: present(payload, "output"),
        error: optional(payload, "error"),
        exit_code: payload["exitCode"].as_i64().and_then(|c| i32::try_from(c).ok()),
        tool_use_id: optional(payload, "toolUseId"),
        agent: optional(payload, "agent"),
        ts: time(payload, "ts"),
        flags: Vec::new(),
    }
}

fn accepts_context(event_name: &str) -> bool {
    matches!(event_name, "session_start" | "prompt" | "before_tool" | "tool_call")
        || (claude_code::ADAPTER.accepts_context)(event_name)
}

fn render(event_name: &str, context: &str) -> Option<Value> {
    let context = bounded(context).filter(|_| accepts_context(event_name))?;
    Some(json!({"context": context}))
}
