//! The exit code, where the harness says it.

use crate::capture::call::{Harness, ToolCall};
use crate::capture::event::ExitCodeSource;
use serde_json::Value;

/// An exit code and where it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exit {
    pub(crate) code: Option<i32>,
    pub(crate) source: Option<ExitCodeSource>,
}

impl Exit {
    pub(crate) fn reported(code: i32) -> Exit {
        Exit { code: Some(code), source: Some(ExitCodeSource::Reported) }
    }

    pub(crate) fn inferred(code: i32) -> Exit {
        Exit { code: Some(code), source: Some(ExitCodeSource::Inferred) }
    }

    pub(crate) fn failed(self) -> bool {
        self.code.is_some_and(|c| c != 0)
    }
}

/// The exit code as the harness reports it; `text` is the call's output.
pub(crate) fn reported(call: &ToolCall, text: &str) -> Option<i32> {
    call.exit_code.or_else(|| field(call.output.as_ref()?)).or_else(|| in_text(text)).or_else(|| by_silence(call))
}

fn field(output: &Value) -> Option<i32> {
    const KEYS: &[&str] = &["exit_code", "exitCode", "exit", "returncode", "return_code", "exit_status"];
    let code = |v: &Value| v.as_i64().or_else(|| v.as_str()?.trim().parse().ok()).and_then(|n| i32::try_from(n).ok());
    let inside = |v: &Value| KEYS.iter().find_map(|k| code(v.get(*k)?));
    inside(output).or_else(|| ["metadata", "details", "result"].iter().find_map(|k| inside(output.get(*k)?)))
}

/// `Exit code 1` on the first line (Claude Code, Codex), `Exit Code: 1` near the end (Gemini), sentences of others.
fn in_text(text: &str) -> Option<i32> {
    const SENTENCES: &[&str] = &["Process exited with code ", "completed with exit code ", "exited with exit code "];
    let first = text.lines().next().unwrap_or("");
    let lead = ["Exit code: ", "Exit code ", "Exit Code: "].iter().find_map(|p| number(first.strip_prefix(p)?));
    let gemini = || text.lines().rev().take(4).find_map(|l| number(l.strip_prefix("Exit Code: ")?));
    let sentence = || {
        let ends = text.lines().rev().take(3).chain(text.lines().take(6));
        ends.into_iter().find_map(|l| SENTENCES.iter().find_map(|s| number(l.split_once(s)?.1)))
    };
    lead.or_else(gemini).or_else(sentence)
}

fn number(text: &str) -> Option<i32> {
    let end = text.bytes().enumerate().take_while(|(i, b)| b.is_ascii_digit() || (*i == 0 && *b == b'-')).count();
    text[..end].parse().ok()
}

/// Harnesses that speak of failures only: silence is 0.
fn by_silence(call: &ToolCall) -> Option<i32> {
    let output = call.output.as_ref().filter(|_| call.error.is_none())?;
    let is_set = |key: &str| output.get(key).is_some_and(|v| !matches!(v, Value::Null | Value::Bool(false)));
    let unfinished = ["interrupted", "backgroundTaskId", "timedOutAfterMs", "error"].iter().any(|k| is_set(k));
    let silent = match call.harness {
        Harness::ClaudeCode => output.get("stdout").is_some(),
        Harness::Gemini => output.get("llmContent").is_some(),
        _ => false,
    };
    (silent && !unfinished).then_some(0)
}
