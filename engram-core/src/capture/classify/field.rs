//! Fields of a call by the names that the harnesses give them.

use crate::capture::call::ToolCall;
use crate::capture::outcome::text_of;
use serde_json::Value;
use std::borrow::Cow;

pub(super) const PATH: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "notebookPath",
    "absolute_path",
    "target_file",
    "filename",
    "file",
    "uri",
];
pub(super) const CONTENT: &[&str] = &["content", "contents", "file_text", "fileText", "new_content", "text", "code"];
pub(super) const OLD: &[&str] = &["old_string", "oldString", "old_str", "oldStr", "old_text", "oldText", "search"];
pub(super) const NEW: &[&str] =
    &["new_string", "newString", "new_str", "newStr", "new_text", "newText", "replace", "new_source"];

/// The first of `keys` that is a string in `value`.
pub(super) fn string<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|k| value.get(*k)?.as_str())
}

/// The first of `keys` that is a list in `value`.
pub(super) fn list<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a Vec<Value>> {
    keys.iter().find_map(|k| value.get(*k)?.as_array())
}

/// The first of `keys` that is a list of strings, or one string.
pub(super) fn strings(value: &Value, keys: &[&str]) -> Vec<String> {
    let texts = |v: &Value| match v {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    keys.iter().filter_map(|k| value.get(*k)).map(texts).find(|t| !t.is_empty()).unwrap_or_default()
}

/// A flag of a result or an input.
pub(super) fn is_true(value: &Value, keys: &[&str]) -> bool {
    keys.iter().any(|k| value.get(*k).and_then(Value::as_bool) == Some(true))
}

/// The call's result, `null` where there is none.
pub(super) fn output(call: &ToolCall) -> &Value {
    call.output.as_ref().unwrap_or(&Value::Null)
}

/// Why the call failed, if it did: the harness's error, or the result's own word for it.
pub(super) fn failure(call: &ToolCall) -> Option<Cow<'_, str>> {
    if let Some(error) = &call.error {
        return Some(Cow::Borrowed(error));
    }
    let output = output(call);
    match output.get("error") {
        Some(Value::String(text)) if !text.is_empty() => return Some(Cow::Borrowed(text)),
        Some(error @ Value::Object(_)) => return Some(text_of(error)),
        _ => {}
    }
    let text = text_of(output);
    let marked = is_true(output, &["isError", "is_error"]) || text.starts_with("<tool_use_error>");
    let said = output.is_string() && text.starts_with("Error: ");
    (marked || said).then_some(text)
}
