//! The text of a result, whichever of the harnesses' shapes it comes in.

use crate::capture::call::ToolCall;
use serde_json::Value;
use std::borrow::Cow;

/// The end of an output says how it went; no more than this is looked at.
const MAX_LOOKED_AT: usize = 256 * 1024;
/// Keys under which results carry their text, the best first.
const TEXT_KEYS: &[&str] = &[
    "stdout",
    "output",
    "llmContent",
    "text",
    "content",
    "result",
    "textResultForLlm",
    "aggregated_output",
    "message",
    "metadata",
];
const MAX_DEPTH: usize = 4;

/// What the call printed or failed with: the last 256 KiB, without colours and other control sequences.
pub(crate) fn output_text(call: &ToolCall) -> Cow<'_, str> {
    let raw = match (&call.error, &call.output) {
        (Some(error), _) => Cow::Borrowed(error.as_str()),
        (None, Some(output)) => text_of(output),
        (None, None) => Cow::Borrowed(""),
    };
    match raw {
        Cow::Borrowed(text) => crate::text::neutralise(unwrapped(tail(text))),
        Cow::Owned(text) => Cow::Owned(crate::text::neutralise(unwrapped(tail(&text))).into_owned()),
    }
}

/// The text in a result: a string, an object with one of the known keys, a list of blocks.
pub(crate) fn text_of(value: &Value) -> Cow<'_, str> {
    text_at(value, MAX_DEPTH)
}

fn text_at(value: &Value, depth: usize) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(blocks) if depth > 0 => {
            let parts: Vec<Cow<'_, str>> =
                blocks.iter().map(|b| text_at(b, depth - 1)).filter(|t| !t.is_empty()).collect();
            Cow::Owned(parts.join("\n"))
        }
        Value::Object(map) if depth > 0 => {
            let main =
                TEXT_KEYS.iter().filter_map(|k| map.get(*k)).map(|v| text_at(v, depth - 1)).find(|t| !t.is_empty());
            let stderr = map.get("stderr").and_then(Value::as_str).filter(|t| !t.is_empty());
            match (main, stderr) {
                (Some(out), Some(err)) => Cow::Owned(format!("{out}\n{err}")),
                (Some(out), None) => out,
                (None, err) => Cow::Borrowed(err.unwrap_or("")),
            }
        }
        _ => Cow::Borrowed(""),
    }
}

fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(MAX_LOOKED_AT);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// Gemini wraps what a command printed.
fn unwrapped(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("<untrusted_context>") else { return text };
    let inner = inner.trim_start().strip_suffix("</untrusted_context>").unwrap_or(inner.trim_start());
    inner.strip_prefix("Output: ").unwrap_or(inner)
}
