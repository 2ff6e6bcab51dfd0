//! GitHub Copilot CLI, from recorded sessions. Names are camelCase, the arguments of a call are JSON in a text, and the
//! event's name stands on the hook's command line.

use super::field::{optional, present, session, text};
use super::{Adapter, EVENT, HostEvent, Parsed, bounded};
use engram_core::capture::call::{Harness, SessionEnd, SessionStart, ToolCall, TurnEnd, UserPrompt};
use engram_core::time::Timestamp;
use serde_json::{Value, json};

pub(super) const ADAPTER: Adapter = Adapter { harness: Harness::Copilot, parse, render, accepts_context };

fn parse(payload: &Value) -> Parsed {
    let name = text(payload, EVENT);
    let (session, harness, ts) = (session(payload, "sessionId"), Harness::Copilot, time(payload));
    let cwd = text(payload, "cwd");
    let said = |key: &str| text(payload, key);
    let event = match name.as_str() {
        "sessionStart" => {
            HostEvent::SessionStart(SessionStart { session, harness, cwd: cwd.clone(), source: said("source"), ts })
        }
        "userPromptSubmitted" if !said("prompt").is_empty() => {
            HostEvent::Prompt(UserPrompt { session, text: said("prompt"), ts })
        }
        "postToolUse" => HostEvent::Tool(call(payload, &cwd)),
        "agentStop" => HostEvent::Stop(TurnEnd { session, text: String::new(), agent: None, ts }),
        "sessionEnd" => HostEvent::SessionEnd(SessionEnd { session, reason: said("reason"), ts }),
        _ => HostEvent::Ignored,
    };
    Parsed { event, name, cwd, transcript_path: optional(payload, "transcriptPath") }
}

/// Milliseconds since 1970, or a text.
fn time(payload: &Value) -> Option<Timestamp> {
    let at = &payload["timestamp"];
    at.as_i64().map(Timestamp::from_millis).or_else(|| at.as_str()?.parse().ok())
}

fn call(payload: &Value, cwd: &str) -> ToolCall {
    let arguments = &payload["toolArgs"];
    let input = arguments.as_str().and_then(|t| serde_json::from_str(t).ok()).unwrap_or_else(|| arguments.clone());
    let output = present(payload, "toolResult").or_else(|| present(payload, "result"));
    let result = output.as_ref().map(result_text).unwrap_or_default();
    ToolCall {
        session: session(payload, "sessionId"),
        harness: Harness::Copilot,
        cwd: cwd.to_owned(),
        tool: text(payload, "toolName"),
        input,
        exit_code: exit_code(&result),
        output,
        tool_use_id: optional(payload, "toolCallId"),
        ts: time(payload),
        ..ToolCall::default()
    }
}

fn result_text(output: &Value) -> String {
    let inside = ["textResultForLlm", "content", "output"].iter().find_map(|k| output[*k].as_str());
    inside.or_else(|| output.as_str()).unwrap_or_default().to_owned()
}

/// `<shellId: 3 completed with exit code 1>` at the end of a command's output.
pub(crate) fn exit_code(result: &str) -> Option<i32> {
    result.trim_end().strip_suffix('>')?.rsplit_once("completed with exit code ")?.1.parse().ok()
}

fn accepts_context(event_name: &str) -> bool {
    event_name == "sessionStart"
}

fn render(event_name: &str, context: &str) -> Option<Value> {
    let context = bounded(context).filter(|_| accepts_context(event_name))?;
    Some(json!({"additionalContext": context}))
}
