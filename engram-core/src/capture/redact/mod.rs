//! Takes secrets out of a text before it is stored anywhere.
//!
//! One pass from left to right without backtracking over more than a bounded stretch. Two families of rules: tokens
//! that are recognisable by themselves (`token`, `block`) and values that are secret by their context (`context`,
//! `phrase`, `url`). Bare entropy is no rule: agent transcripts are full of hashes.

mod block;
mod context;
mod phrase;
mod token;
mod url;
mod value;

use std::borrow::Cow;
use std::ops::Range;

/// How a replacement begins.
const MARK: &str = "[REDACTED:";

/// A stretch to take out, and the kind that stands in its place.
#[derive(Debug, PartialEq, Eq)]
struct Hit {
    range: Range<usize>,
    kind: &'static str,
}

impl Hit {
    fn new(range: Range<usize>, kind: &'static str) -> Hit {
        Hit { range, kind }
    }
}

/// Replaces each secret of `text` by `[REDACTED:kind]`; borrowed when there is none.
///
/// Idempotent. Cost: linear, about 5 ns a byte in an optimised build.
///
/// ```
/// use engram_core::capture::redact;
/// assert_eq!(redact("DB_PASSWORD=Tr0ub4dor-3"), "DB_PASSWORD=[REDACTED:password]");
/// assert_eq!(redact("DB_PASSWORD=${DB_PASSWORD}"), "DB_PASSWORD=${DB_PASSWORD}");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    let mut cookies_until = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if bytes[at] == b'[' && bytes[at..].starts_with(MARK.as_bytes()) {
            at = run(bytes, at, 64, |b| b != b']');
            continue;
        }
        let hit = if at < cookies_until { context::cookie(text, at) } else { None };
        match hit.or_else(|| find(text, at)) {
            Some(hit) => {
                out.push_str(&text[copied..hit.range.start]);
                out.push_str(MARK);
                out.push_str(hit.kind);
                out.push(']');
                copied = hit.range.end;
                at = hit.range.end;
            }
            None => {
                if bytes[at] == b':' {
                    cookies_until = cookies_until.max(context::cookie_header(text, at));
                }
                at += 1;
            }
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The secret whose recognition starts at byte `at`.
fn find(text: &str, at: usize) -> Option<Hit> {
    match text.as_bytes()[at] {
        b'<' => block::private(text, at),
        b'-' => block::private_key(text, at).or_else(|| phrase::flag(text, at)),
        b':' => url::credentials(text, at).or_else(|| context::assignment(text, at)),
        b'=' | b'>' | b'(' => context::assignment(text, at),
        b' ' | b'\t' => phrase::spoken(text, at),
        b if b.is_ascii_alphanumeric() && starts_word(text.as_bytes(), at) => token::known(text, at),
        _ => None,
    }
}

/// Whether a word starts at `at`; the letter of an escape (`\n`) and the digits of `%3D` do not belong to it.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    let back = |n: usize| at.checked_sub(n).map(|i| bytes[i]);
    match back(1) {
        None => true,
        Some(b) if !b.is_ascii_alphanumeric() => true,
        Some(b'n' | b't' | b'r') if back(2) == Some(b'\\') => true,
        Some(b) => b.is_ascii_hexdigit() && back(2).is_some_and(|b| b.is_ascii_hexdigit()) && back(3) == Some(b'%'),
    }
}

/// The end of the run of bytes from `at` that `belongs` accepts, at most `max` long.
fn run(bytes: &[u8], at: usize, max: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().take(max).take_while(|b| belongs(**b)).count() + at
}

#[cfg(test)]
mod tests;
