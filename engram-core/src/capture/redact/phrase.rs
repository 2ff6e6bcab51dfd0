//! Secrets said in words or passed to a command: `password is X`, `--token X`, `mysql -pX`, `curl -u user:X`.

use super::context::promise_of;
use super::value::{Promise, Setting, is_placeholder, is_secret};
use super::{Hit, run};

const LINE_BEFORE: usize = 240;

/// Flags that carry a secret when one of the programs stands before them on the line.
const FLAGS: &[(&str, &[&str])] = &[
    (
        "-p",
        &[
            "mysql",
            "mariadb",
            "mysqldump",
            "mysqladmin",
            "login",
            "sshpass",
            "mongo",
            "mongosh",
            "mongodump",
            "7z",
            "zip",
        ],
    ),
    ("-a", &["redis-cli"]),
    ("-P", &["zip", "sqlcmd", "clickhouse", "bcp"]),
    ("-w", &["ldapsearch", "ldapadd", "ldapmodify"]),
];
/// Flags whose value is `user:secret`.
const USER_FLAGS: &[&str] = &["-u", "--user", "--proxy-user", "-U"];
const USER_PROGRAMS: &[&str] = &["curl", "wget", "http", "https", "xh", "smbclient"];
/// Words between a name and its value in prose.
const COPULAS: &[&str] = &["is", "was", "to", "be", "are", "=", ":", "provided:"];

/// The value of a short flag at `at`.
pub(super) fn flag(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    if at > 0 && !bytes[at - 1].is_ascii_whitespace() {
        return None;
    }
    user_flag(text, at).or_else(|| password_flag(text, at))
}

fn password_flag(text: &str, at: usize) -> Option<Hit> {
    let name = text.get(at..at + 2)?;
    let (_, programs) = FLAGS.iter().find(|(f, _)| *f == name)?;
    if !line_names(text, at, programs) {
        return None;
    }
    let (from, end) = argument(text, at + 2);
    let value = &text[from..end];
    let attached = from == at + 2;
    let plausible = value.len() >= 4 && !value.starts_with('-') && !is_placeholder(value);
    (plausible && (!attached || value.len() >= 6)).then(|| Hit::new(from..end, "password"))
}

fn user_flag(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let name_end = run(bytes, at, 16, |b| b.is_ascii_alphabetic() || b == b'-');
    if !USER_FLAGS.contains(&&text[at..name_end]) || !line_names(text, at, USER_PROGRAMS) {
        return None;
    }
    let (from, end) = argument(text, run(bytes, name_end, 1, |b| b == b'='));
    let colon = from + text[from..end].find(':')? + 1;
    let value = &text[colon..end];
    (value.len() >= 3 && !is_placeholder(value)).then(|| Hit::new(colon..end, "password"))
}

/// Start and end of the argument that follows, without its quotes.
fn argument(text: &str, at: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let from = run(bytes, at, 8, |b| b == b' ' || b == b'=');
    match bytes.get(from) {
        Some(q @ (b'\'' | b'"')) => (from + 1, run(bytes, from + 1, 1024, |b| b != *q && b != b'\n')),
        _ => (from, run(bytes, from, 1024, |b| !b.is_ascii_whitespace() && !b"\"'`\\;|&".contains(&b))),
    }
}

fn line_names(text: &str, at: usize, programs: &[&str]) -> bool {
    let bytes = text.as_bytes();
    let start = at - bytes[..at].iter().rev().take(LINE_BEFORE).take_while(|b| **b != b'\n').count();
    let line = &bytes[start..at];
    line.split(|b| !b.is_ascii_alphanumeric() && *b != b'-').any(|w| programs.iter().any(|p| p.as_bytes() == w))
}

/// `password X`, `--password X`, `the password is X`, `Bearer X`, from the space after the name.
pub(super) fn spoken(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let start = at - bytes[..at].iter().rev().take(48).take_while(|b| is_name_byte(**b)).count();
    let name = &text[start..at];
    let is_flag = name.starts_with("--");
    let promise = promise_of(name).filter(|p| *p != Promise::Vague).or_else(|| phrase_promise(text, start, name))?;
    let (mut from, mut end) = argument(text, at + 1);
    if COPULAS.contains(&&text[from..end]) {
        (from, end) = argument(text, end);
    }
    let value = text[from..end].trim_end_matches(['.', ',', ')', '>', ':']);
    let is_quoted = from > 0 && matches!(bytes[from - 1], b'\'' | b'"');
    let setting = if is_flag || is_quoted { Setting::Bare } else { Setting::Spoken };
    let kind = if promise == Promise::Password { "password" } else { "secret" };
    let long_enough = promise == Promise::Password || is_flag || value.len() >= 16;
    let is_value = long_enough && !value.starts_with('-');
    (is_value && is_secret(value, promise, setting)).then(|| Hit::new(from..from + value.len(), kind))
}

/// Names of two words: the word before, the last word, what they promise.
const PHRASES: &[(&str, &str, Promise)] = &[
    ("api", "key", Promise::Token),
    ("access", "key", Promise::Token),
    ("secret", "key", Promise::Token),
    ("private", "key", Promise::Token),
    ("identified", "by", Promise::Password),
];

fn phrase_promise(text: &str, start: usize, name: &str) -> Option<Promise> {
    let (_, _, promise) = PHRASES.iter().find(|(_, last, _)| name.eq_ignore_ascii_case(last))?;
    let before = text.as_bytes()[..start].strip_suffix(b" ")?;
    let follows = |(word, last, _): &&(&str, &str, Promise)| {
        let from = before.len().checked_sub(word.len());
        name.eq_ignore_ascii_case(last) && from.is_some_and(|f| before[f..].eq_ignore_ascii_case(word.as_bytes()))
    };
    PHRASES.iter().any(|p| follows(&p)).then_some(*promise)
}

fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}
