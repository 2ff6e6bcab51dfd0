//! What a harness hands over, in a form that all harnesses share.

use super::event::SessionId;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The agent harness an event comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Harness {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// OpenCode.
    #[serde(rename = "opencode")]
    OpenCode,
    /// GitHub Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
    /// GSD 2, and Pi.
    Gsd,
    /// Any other harness.
    #[default]
    Generic,
}

impl Harness {
    /// The name on the command line and in events.
    pub fn name(self) -> &'static str {
        match self {
            Harness::ClaudeCode => "claude-code",
            Harness::Codex => "codex",
            Harness::Gemini => "gemini",
            Harness::OpenCode => "opencode",
            Harness::Copilot => "copilot",
            Harness::Cursor => "cursor",
            Harness::Gsd => "gsd",
            Harness::Generic => "generic",
        }
    }
}

/// One finished tool call.
///
/// `input` and `output` are the harness's own objects: capture knows the tools of every harness. A failed call has
/// `error` and perhaps no `output`; an `output` may come without an exit code (D4).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ToolCall {
    /// The session.
    pub session: SessionId,
    /// The harness.
    pub harness: Harness,
    /// The working directory of the call; empty = the project's root.
    pub cwd: String,
    /// The harness's name of the tool.
    pub tool: String,
    /// The arguments.
    pub input: Value,
    /// The result: an object or a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// The failure's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The exit code, where the harness gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The harness's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The sub-agent that made the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When it happened; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
    /// What was done to the call on its way here, for the event's flags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl Default for SessionId {
    fn default() -> Self {
        SessionId::new("default")
    }
}

/// A session begins, or goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionStart {
    /// The session.
    pub session: SessionId,
    /// The harness.
    pub harness: Harness,
    /// The working directory; empty = the project's root.
    pub cwd: String,
    /// `startup`, `resume`, `clear`, `compact` or `fork`.
    pub source: String,
    /// When; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
}

/// The user said something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UserPrompt {
    /// The session.
    pub session: SessionId,
    /// The words.
    pub text: String,
    /// When; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
}

/// A decision that the agent or its harness saves on purpose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Decided {
    /// The session.
    pub session: SessionId,
    /// What was decided.
    pub content: String,
    /// Why.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// The files that it is about; empty = the whole project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What was decided against.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<String>,
    /// When; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
}

/// The agent finished responding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TurnEnd {
    /// The session.
    pub session: SessionId,
    /// The agent's final message.
    pub text: String,
    /// The sub-agent that stopped; empty for the main agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// When; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
}

/// The harness compacts, or has compacted, its context.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Compaction {
    /// The session.
    pub session: SessionId,
    /// `manual` or `auto`.
    pub trigger: String,
    /// When; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
}

/// The session ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionEnd {
    /// The session.
    pub session: SessionId,
    /// Why, in the harness's word.
    pub reason: String,
    /// When; empty = now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ts: Option<Timestamp>,
}

/// Anything a harness tells of a session, in the order in which it happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "most observations are tool calls, the largest")]
pub enum Observation {
    /// A session begins, or goes on.
    SessionStart(SessionStart),
    /// The user said something.
    Prompt(UserPrompt),
    /// A tool call finished.
    ToolCall(ToolCall),
    /// The agent finished responding.
    Stop(TurnEnd),
    /// The context was compacted.
    Compaction(Compaction),
    /// The session ended.
    SessionEnd(SessionEnd),
}
