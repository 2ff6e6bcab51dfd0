//! Secrets that span lines: private blocks and private keys.

use super::{Hit, run};

const MAX_KEY: usize = 64 * 1024;

/// `<private>…</private>`, nested ones included; an unclosed one reaches to the end.
pub(super) fn private(text: &str, at: usize) -> Option<Hit> {
    let mut inside = tag(text, at, "<private>")?;
    let mut depth = 1;
    while let Some(next) = text[inside..].find('<') {
        let lt = inside + next;
        if let Some(end) = tag(text, lt, "</private>") {
            depth -= 1;
            inside = end;
            if depth == 0 {
                return Some(Hit::new(at..end, "private"));
            }
        } else if let Some(end) = tag(text, lt, "<private>") {
            depth += 1;
            inside = end;
        } else {
            inside = lt + 1;
        }
    }
    Some(Hit::new(at..text.len(), "private"))
}

fn tag(text: &str, at: usize, tag: &str) -> Option<usize> {
    let end = at + tag.len();
    text.as_bytes().get(at..end).is_some_and(|b| b.eq_ignore_ascii_case(tag.as_bytes())).then_some(end)
}

/// A PEM or PGP private key, its lines escaped, prefixed by a diff's sign, or cut off.
pub(super) fn private_key(text: &str, at: usize) -> Option<Hit> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let bytes = text.as_bytes();
    if !bytes[at..].starts_with(BEGIN) {
        return None;
    }
    let label = at + BEGIN.len();
    let label_end = run(bytes, label, 40, |b| b.is_ascii_uppercase() || b == b' ' || b.is_ascii_digit());
    if !text[label..label_end].contains("PRIVATE KEY") || !bytes[label_end..].starts_with(b"-----") {
        return None;
    }
    let body = label_end + 5;
    // Header lines (`Proc-Type: 4,ENCRYPTED`) have a colon, a comma and a dash.
    let is_body = |b: u8| b.is_ascii_alphanumeric() || b" \t\r\n\\+/=,:.".contains(&b);
    let mut end = body;
    while end < bytes.len() && end - body < MAX_KEY {
        let next = run(bytes, end, MAX_KEY, is_body);
        let dashes = run(bytes, next, 6, |b| b == b'-') - next;
        if dashes == 5 || dashes == 0 {
            end = next;
            break;
        }
        end = next + dashes;
    }
    let weight = bytes[body..end].iter().filter(|b| b.is_ascii_alphanumeric()).count();
    if weight < 16 {
        return None;
    }
    Some(Hit::new(at..closing(bytes, end), "private-key"))
}

/// The end of `-----END …-----` if it stands at `at`.
fn closing(bytes: &[u8], at: usize) -> usize {
    if !bytes[at..].starts_with(b"-----END ") {
        return at;
    }
    let label = run(bytes, at + 9, 40, |b| b.is_ascii_uppercase() || b == b' ' || b.is_ascii_digit());
    run(bytes, label, 5, |b| b == b'-')
}
