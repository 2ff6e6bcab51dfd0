//! Cursor, from its documentation alone: sessions are conversations, a failed tool has an event of its own.

use super::field::{optional, present, session, text};
use super::{Adapter, EVENT, HostEvent, Parsed, bounded};
use engram_core::capture::call::{Harness, SessionEnd, SessionStart, ToolCall, TurnEnd, UserPrompt};
use serde_json::{Value, json};

pub(super) const ADAPTER: Adapter = Adapter { harness: Harness::Cursor, parse, render, accepts_context };

fn parse(payload: &Value) -> Parsed {
    let name = text(payload, EVENT);
    let (session, harness, ts) = (session(payload, "conversation_id"), Harness::Cursor, None);
    let root = payload["workspace_roots"][0].as_str().unwrap_or_default();
    let cwd = optional(payload, "cwd").unwrap_or_else(|| root.to_owned());
    let said = |key: &str| text(payload, key);
    let event = match name.as_str() {
        "sessionStart" => HostEvent::SessionStart(SessionStart {
            session,
            harness,
            cwd: cwd.clone(),
            source: "startup".to_owned(),
            ts,
        }),
        "beforeSubmitPrompt" if !said("prompt").is_empty() => {
            HostEvent::Prompt(UserPrompt { session, text: said("prompt"), ts })
        }
        "postToolUse" => HostEvent::Tool(call(payload, &cwd)),
        "postToolUseFailure" => {
            let error = optional(payload, "error_message").or_else(|| optional(payload, "error"));
            HostEvent::Tool(ToolCall { error: Some(error.unwrap_or_else(|| "failed".into())), ..call(payload, &cwd) })
        }
        "stop" => HostEvent::Stop(TurnEnd { session, text: said("text"), agent: None, ts }),
        "sessionEnd" => HostEvent::SessionEnd(SessionEnd { session, reason: said("reason"), ts }),
        _ => HostEvent::Ignored,
    };
    Parsed { event, name, cwd, transcript_path: optional(payload, "transcript_path") }
}

fn call(payload: &Value, cwd: &str) -> ToolCall {
    ToolCall {
        session: session(payload, "conversation_id"),
        harness: Harness::Cursor,
        cwd: cwd.to_owned(),
        tool: text(payload, "tool_name"),
        input: payload["tool_input"].clone(),
        output: present(payload, "tool_output"),
        tool_use_id: optional(payload, "tool_use_id"),
        ..ToolCall::default()
    }
}

fn accepts_context(event_name: &str) -> bool {
    matches!(event_name, "sessionStart" | "postToolUse")
}

fn render(event_name: &str, context: &str) -> Option<Value> {
    let context = bounded(context).filter(|_| accepts_context(event_name))?;
    Some(json!({"additional_context": context}))
}
