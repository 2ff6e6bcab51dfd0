//! Parsing a payload that is almost JSON: what can be repaired is never an error (I7).

use super::{Input, InputError};
use std::borrow::Cow;

/// Parses an object; only if that fails, once more with replacements for what JSON does not allow in a string.
pub(super) fn parse(bytes: &[u8]) -> Result<Input, InputError> {
    if let Ok(value) = serde_json::from_slice(bytes) {
        return Ok(Input { value, bytes_replaced: false });
    }
    let text = String::from_utf8_lossy(bytes);
    let (repaired, surrogates) = repair_strings(&text);
    let value = serde_json::from_str(&repaired).map_err(InputError::Invalid)?;
    Ok(Input { value, bytes_replaced: surrogates || matches!(text, Cow::Owned(_)) })
}

/// Escapes control characters inside strings and replaces halves of surrogate pairs; true if there were such halves.
fn repair_strings(text: &str) -> (String, bool) {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut in_string, mut replaced) = (false, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let unit = if in_string && c == '\\' { escape(rest) } else { &rest[..c.len_utf8()] };
        rest = &rest[unit.len()..];
        if c == '"' {
            in_string = !in_string;
        }
        if in_string && unit.len() == 1 && c < ' ' {
            out.push_str(&format!("\\u{:04x}", c as u32));
        } else if is_half_pair(unit) {
            out.push_str("\\ufffd");
            replaced = true;
        } else {
            out.push_str(unit);
        }
    }
    (out, replaced)
}

/// The escape at the start of `text`: a whole surrogate pair is one.
fn escape(text: &str) -> &str {
    let length = match (code_unit(text), text.get(6..).and_then(code_unit)) {
        (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
        (Some(_), _) => 6,
        (None, _) => 1 + text[1..].chars().next().map_or(0, char::len_utf8),
    };
    &text[..length]
}

fn is_half_pair(unit: &str) -> bool {
    unit.len() == 6 && matches!(code_unit(unit), Some(0xd800..=0xdfff))
}

/// The value of a `\uXXXX` at the start of `text`.
fn code_unit(text: &str) -> Option<u32> {
    let hex = text.strip_prefix("\\u")?.get(..4)?;
    hex.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(hex, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn parsed(bytes: &[u8]) -> (Value, bool) {
        let input = parse(bytes).unwrap();
        (input.value, input.bytes_replaced)
    }

    #[test]
    fn replaces_what_no_string_may_hold() {
        assert_eq!(parsed(b"{\"a\":\"x\xff\xfey\"}"), (json!({"a": "x\u{fffd}\u{fffd}y"}), true));
        assert_eq!(parsed(br#"{"a":"\ud800!","b":"\udc00"}"#), (json!({"a": "\u{fffd}!", "b": "\u{fffd}"}), true));
        assert_eq!(parsed(br#"{"a":"\ud800\ud83d\ude00"}"#), (json!({"a": "\u{fffd}\u{1f600}"}), true));
    }

    #[test]
    fn keeps_control_characters_and_good_escapes() {
        assert_eq!(parsed(b"{\"a\":\"x\0\x1b\ny\"}"), (json!({"a": "x\0\u{1b}\ny"}), false));
        assert_eq!(parsed(b"{\"a\":\"\0\\\\ud800 \\\" \\u0041\\n\"}"), (json!({"a": "\0\\ud800 \" A\n"}), false));
    }

    #[test]
    fn what_cannot_be_repaired_is_an_error() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        for bad in ["{]", "{\"a\":}", "{\"a\":\"\\q\"}", "{\"a\":\"\\", "{\"\\u12\u{e9}\"}", deep.as_str()] {
            assert!(matches!(parse(bad.as_bytes()), Err(InputError::Invalid(_))), "{bad:.20}");
        }
    }
}
