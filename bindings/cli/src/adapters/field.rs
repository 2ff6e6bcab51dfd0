//! Reading fields of a payload without trusting their types.

use super::{HostEvent, Parsed};
use engram_core::capture::call::{Compaction, Harness, SessionEnd, SessionStart, ToolCall, TurnEnd, UserPrompt};
use engram_core::capture::event::SessionId;
use engram_core::time::Timestamp;
use serde_json::Value;

/// A text, or empty.
pub(super) fn text(payload: &Value, key: &str) -> String {
    optional(payload, key).unwrap_or_default()
}

/// A text that is not empty.
pub(super) fn optional(payload: &Value, key: &str) -> Option<String> {
    payload[key].as_str().filter(|t| !t.is_empty()).map(str::to_owned)
}

/// The session's id; the default one where none is given, so that the event is still kept.
pub(super) fn session(payload: &Value, key: &str) -> SessionId {
    optional(payload, key).map_or_else(SessionId::default, SessionId::new)
}

/// A time, where it is one.
pub(super) fn time(payload: &Value, key: &str) -> Option<Timestamp> {
    payload[key].as_str()?.parse().ok()
}

/// Anything but null.
pub(super) fn present(payload: &Value, key: &str) -> Option<Value> {
    Some(payload[key].clone()).filter(|v| !v.is_null())
}

/// Builds the shared events from the field names that Claude Code, Codex and Gemini CLI agree on.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) payload: &'a Value,
    pub(super) harness: Harness,
}

impl Common<'_> {
    pub(super) fn parsed(self, event: HostEvent) -> Parsed {
        Parsed {
            event,
            name: text(self.payload, "hook_event_name"),
            cwd: text(self.payload, "cwd"),
            transcript_path: optional(self.payload, "transcript_path"),
        }
    }

    pub(super) fn session(self) -> SessionId {
        session(self.payload, "session_id")
    }

    fn time(self) -> Option<Timestamp> {
        time(self.payload, "timestamp")
    }

    pub(super) fn start(self) -> HostEvent {
        HostEvent::SessionStart(SessionStart {
            session: self.session(),
            harness: self.harness,
            cwd: text(self.payload, "cwd"),
            source: text(self.payload, "source"),
            ts: self.time(),
        })
    }

    /// A prompt of `text`, or nothing where `text` is empty.
    pub(super) fn prompt(self, text: Option<String>) -> HostEvent {
        match text {
            Some(text) => HostEvent::Prompt(UserPrompt { session: self.session(), text, ts: self.time() }),
            None => HostEvent::Ignored,
        }
    }

    pub(super) fn stop(self, text_key: &str) -> HostEvent {
        HostEvent::Stop(TurnEnd {
            session: self.session(),
            text: text(self.payload, text_key),
            agent: optional(self.payload, "agent_id"),
            ts: self.time(),
        })
    }

    pub(super) fn compaction(self) -> HostEvent {
        HostEvent::Compaction(Compaction {
            session: self.session(),
            trigger: text(self.payload, "trigger"),
            ts: self.time(),
        })
    }

    pub(super) fn end(self) -> HostEvent {
        HostEvent::SessionEnd(SessionEnd {
            session: self.session(),
            reason: text(self.payload, "reason"),
            ts: self.time(),
        })
    }

    /// The call with its arguments; the result is the caller's to add.
    pub(super) fn call(self) -> ToolCall {
        ToolCall {
            session: self.session(),
            harness: self.harness,
            cwd: text(self.payload, "cwd"),
            tool: text(self.payload, "tool_name"),
            input: self.payload["tool_input"].clone(),
            output: present(self.payload, "tool_response"),
            tool_use_id: optional(self.payload, "tool_use_id"),
            agent: optional(self.payload, "agent_id"),
            ts: self.time(),
            ..ToolCall::default()
        }
    }
}
