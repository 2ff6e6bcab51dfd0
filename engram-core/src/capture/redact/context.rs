//! Values that are secret because of the name before them: `name = value`, `name: value`, headers, cookies.

use super::value::{Promise, Setting, is_secret};
use super::{Hit, run};

const MAX_NAME: usize = 64;
const MAX_VALUE: usize = 4096;

/// Names, without separators and in lower case, by their end.
const NAME_ENDS: &[(&str, Promise)] = &[
    ("password", Promise::Password),
    ("passwd", Promise::Password),
    ("passphrase", Promise::Password),
    ("passcode", Promise::Password),
    ("secret", Promise::Token),
    ("secretkey", Promise::Token),
    ("token", Promise::Token),
    ("apikey", Promise::Token),
    ("accesskey", Promise::Token),
    ("privatekey", Promise::Token),
    ("signingkey", Promise::Token),
    ("encryptionkey", Promise::Token),
    ("masterkey", Promise::Token),
    ("authkey", Promise::Token),
    ("accountkey", Promise::Token),
    ("sharedkey", Promise::Token),
    ("storagekey", Promise::Token),
    ("servicekey", Promise::Token),
    ("subscriptionkey", Promise::Token),
    ("licensekey", Promise::Token),
    ("appkey", Promise::Token),
    ("credential", Promise::Token),
    ("credentials", Promise::Token),
    ("bearer", Promise::Token),
    ("jwt", Promise::Token),
];

/// Short names that count only as a whole word of the name.
const NAME_WORDS: &[(&str, Promise)] = &[
    ("pass", Promise::Password),
    ("pwd", Promise::Password),
    ("pw", Promise::Password),
    ("auth", Promise::Vague),
    ("sig", Promise::Vague),
    ("signature", Promise::Vague),
    ("salt", Promise::Vague),
];

/// What the name promises about its value.
pub(super) fn promise_of(name: &str) -> Option<Promise> {
    // Nearly every name ends otherwise; this keeps the pass cheap.
    let tail = name.as_bytes().last()?.to_ascii_lowercase();
    if !b"despnytrlghw".contains(&tail) || name.len() > MAX_NAME {
        return None;
    }
    let mut plain = [0u8; MAX_NAME];
    let mut len = 0;
    for b in name.bytes().filter(|b| b.is_ascii_alphanumeric()) {
        plain[len] = b.to_ascii_lowercase();
        len += 1;
    }
    let plain = &plain[..len];
    let by_end = NAME_ENDS.iter().find(|(end, _)| plain.ends_with(end.as_bytes()));
    let promise = by_end.or_else(|| NAME_WORDS.iter().find(|(word, _)| ends_in_word(name, word)));
    // PWD and OLDPWD are the working directory.
    promise.filter(|_| !matches!(name, "PWD" | "OLDPWD")).map(|(_, p)| *p)
}

fn ends_in_word(name: &str, word: &str) -> bool {
    let Some(start) = name.len().checked_sub(word.len()) else { return false };
    let (Some(head), Some(tail)) = (name.get(..start), name.get(start..)) else { return false };
    let camel = tail.starts_with(|c: char| c.is_ascii_uppercase()) && head.ends_with(|c: char| c.is_ascii_lowercase());
    tail.eq_ignore_ascii_case(word) && (head.is_empty() || head.ends_with(['_', '-', '.']) || camel)
}

/// The value assigned at the separator `at` (`:`, `=`, `>` of a tag, `(` of a call), if its name makes it a secret.
pub(super) fn assignment(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let name = name_before(text, at)?;
    let authorization = ends_with_word(name, "authorization");
    if name == "PASS" && bytes[at] == b':' {
        // The verdict of a test runner.
        return None;
    }
    let promise = if authorization { Promise::Token } else { promise_of(name)? };
    let (from, setting) = value_start(text, at, name)?;
    if authorization {
        return header_value(text, from);
    }
    let needs_quotes = bytes[at] == b'(' && (promise != Promise::Password || setting != Setting::Quoted);
    let is_tag = bytes[at] != b'>' || text[..at - name.len()].ends_with('<');
    if needs_quotes || !is_tag {
        return None;
    }
    let end = value_end(bytes, from, setting);
    let value = &text[from..end];
    let kind = if promise == Promise::Password { "password" } else { "secret" };
    is_secret(value, promise, setting).then(|| Hit::new(from..end, kind))
}

fn ends_with_word(name: &str, word: &str) -> bool {
    name.len().checked_sub(word.len()).and_then(|s| name.get(s..)).is_some_and(|t| t.eq_ignore_ascii_case(word))
}

/// The name before a separator, through closing quotes, brackets and a type: `"name" :`, `['name'] =`, `name: str =`.
fn name_before(text: &str, at: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let name = word_before(text, at)?;
    if bytes[at] != b'=' || !matches!(name, "str" | "string" | "String" | "Text" | "bytes") {
        return Some(name);
    }
    let start = name.as_ptr() as usize - text.as_ptr() as usize;
    let head = text[..start].trim_end_matches([' ', '&']);
    head.strip_suffix(':').and_then(|h| word_before(text, h.len())).or(Some(name))
}

fn word_before(text: &str, at: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let back = |from: usize, max: usize, belongs: fn(u8) -> bool| {
        from - bytes[..from].iter().rev().take(max).take_while(|b| belongs(**b)).count()
    };
    let end = back(at, 8, |b| b" \t\"'`\\])?!".contains(&b));
    let start = back(end, MAX_NAME + 1, |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-' || b == b'.');
    let is_own_mark = text[..start].ends_with(super::MARK);
    (start < end && end - start <= MAX_NAME && !is_own_mark).then(|| &text[start..end])
}

/// Where the value begins and what stands around it.
fn value_start(text: &str, at: usize, name: &str) -> Option<(usize, Setting)> {
    let bytes = text.as_bytes();
    let mut from = at + 1;
    if bytes[at] == b':' && bytes.get(from) == Some(&b':') {
        return None;
    }
    from = run(bytes, from, 3, |b| b == b'=' || b == b'>' || b == b'~');
    let spaced = run(bytes, from, 64, |b| b == b' ' || b == b'\t');
    let quote = run(bytes, spaced, 1, |b| b"fbru".contains(&b));
    for open in [spaced, quote] {
        let open = run(bytes, open, 3, |b| b == b'\\');
        if bytes.get(open).is_some_and(|b| b"\"'`".contains(b)) {
            return Some((open + 1, Setting::Quoted));
        }
    }
    if bytes[at] == b'>' {
        return Some((from, Setting::Quoted));
    }
    let shouted = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let environment = bytes[at] == b'=' && spaced == at + 1 && shouted;
    Some((spaced, if environment { Setting::Environment } else { Setting::Bare }))
}

/// Where the value ends: at the quote that opened it, or at what cannot belong to it.
fn value_end(bytes: &[u8], from: usize, setting: Setting) -> usize {
    match setting {
        Setting::Quoted => {
            let open = from.checked_sub(1).map_or(b'>', |i| bytes[i]);
            let close = if open == b'>' { b'<' } else { open };
            let end = run(bytes, from, MAX_VALUE, |b| b != close && b != b'\n');
            // The closing quote of an escaped string is escaped too.
            end - bytes[from..end].iter().rev().take_while(|b| **b == b'\\').count()
        }
        Setting::Environment => run(bytes, from, MAX_VALUE, |b| !b.is_ascii_whitespace() && !b"\"'`\\".contains(&b)),
        Setting::Bare | Setting::Spoken => {
            run(bytes, from, MAX_VALUE, |b| !b.is_ascii_whitespace() && !b"\"'`\\,;&<>)]}|".contains(&b))
        }
    }
}

/// The credentials of an `Authorization` header: what follows the scheme, or all of it.
fn header_value(text: &str, from: usize) -> Option<Hit> {
    const SCHEMES: &[&str] = &["bearer", "basic", "token", "digest", "apikey", "negotiate", "key"];
    let bytes = text.as_bytes();
    let mut start = from;
    let word = run(bytes, from, 20, |b| b.is_ascii_alphabetic());
    if SCHEMES.iter().any(|s| text[from..word].eq_ignore_ascii_case(s)) {
        start = run(bytes, word, 4, |b| b == b' ');
    }
    let end = run(bytes, start, MAX_VALUE, |b| !b.is_ascii_whitespace() && !b"\"'`\\,;<>".contains(&b));
    let value = &text[start..end];
    let plausible = value.len() >= 8 && is_secret(value, Promise::Token, Setting::Quoted);
    plausible.then(|| Hit::new(start..end, "authorization"))
}

/// Where the `Cookie` header ends whose colon stands at `at`; 0 if there is none.
pub(super) fn cookie_header(text: &str, at: usize) -> usize {
    match word_before(text, at) {
        Some(name) if ends_with_word(name, "cookie") => {
            run(text.as_bytes(), at, MAX_VALUE, |b| b != b'\n' && b != b'\'' && b != b'"')
        }
        _ => 0,
    }
}

/// A generated value of a cookie, from its `=`.
pub(super) fn cookie(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    if bytes[at] != b'=' {
        return None;
    }
    let end = value_end(bytes, at + 1, Setting::Bare);
    let value = &text[at + 1..end];
    (value.len() >= 16 && is_secret(value, Promise::Token, Setting::Quoted)).then(|| Hit::new(at + 1..end, "cookie"))
}
