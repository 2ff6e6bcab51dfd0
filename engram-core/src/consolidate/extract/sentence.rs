//! Sentences: cutting them, cleaning them, reading them for cues.

use crate::text;
use std::collections::BTreeSet;

/// Markup, pictures and links taken off one line; code spans stay.
pub(super) fn plain(line: &str) -> String {
    let line = text::neutralise(line);
    let mut out = String::with_capacity(line.len());
    for (i, part) in line.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        let is_code = i % 2 == 1;
        if is_code { out.push_str(part) } else { prose_into(&mut out, part) }
    }
    let out = collapse(&out);
    out.trim_matches(|c: char| c.is_whitespace() || c == '|').to_owned()
}

fn prose_into(out: &mut String, part: &str) {
    let part = part.replace("**", "").replace("__", "").replace("<br>", " ");
    out.extend(unlinked(&part).chars().filter(|c| !is_picture(*c)));
}

/// `[text](address)` as its text.
fn unlinked(part: &str) -> String {
    let mut out = String::new();
    let mut rest = part;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(t, a)| Some((t, a.split_once(')')?.1)));
        out.push_str(before);
        match link {
            Some((label, tail)) => {
                out.push_str(label);
                rest = tail;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '\u{2b50}'..='\u{2b55}' | '\u{fe0f}')
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sentences of one line. Dots in code spans, numbers, names and abbreviations do not end one.
pub(super) fn split(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut in_code, mut depth, mut quoted_to) = (0, false, 0i32, 0);
    let bytes = line.as_bytes();
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'`' => in_code = !in_code,
            b'"' if i >= quoted_to => quoted_to = end_of_quote(line, i),
            b'(' if !in_code => depth += 1,
            b')' if !in_code => depth -= 1,
            b'.' | b'!' | b'?' if !in_code && depth <= 0 && i >= quoted_to && ends_here(line, i) => {
                out.push(line[start..=i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(line[start..].trim());
    out.retain(|s| !s.is_empty());
    out
}

/// Where the quotation that begins at `at` ends; a mark without a partner nearby quotes nothing.
fn end_of_quote(line: &str, at: usize) -> usize {
    const LONGEST: usize = 160;
    line[at + 1..].find('"').filter(|n| *n < LONGEST).map_or(at, |n| at + 1 + n)
}

fn ends_here(line: &str, at: usize) -> bool {
    let after = &line[at + 1..];
    if !(after.is_empty() || after.starts_with(' ')) {
        return false;
    }
    let before = line[..at].rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let next = after.trim_start().chars().next();
    let goes_on = next.is_some_and(|c| c.is_lowercase()) && line.as_bytes()[at] == b'.' && before.len() < 5;
    !goes_on && !ABBREVIATIONS.contains(&before.to_lowercase().as_str())
}

const ABBREVIATIONS: &[&str] =
    &["e.g", "i.e", "etc", "vs", "approx", "no", "fig", "cf", "dr", "mr", "ms", "incl", "resp"];

/// A sentence in the form that cues are looked up in: lower case, words parted by one space, a space at both ends,
/// apostrophes dropped, each code span one word `code`.
pub(super) fn normal(sentence: &str) -> String {
    let mut out = String::from(" ");
    for (i, part) in sentence.split('`').enumerate() {
        if i % 2 == 1 {
            push_word(&mut out, "code");
            continue;
        }
        let part =
            part.replace(['\'', '\u{2019}'], "").replace(['\u{2192}', '\u{21d2}'], " arrow ").replace("->", " arrow ");
        for word in part.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
            push_word(&mut out, &word.to_lowercase());
        }
    }
    out
}

fn push_word(out: &mut String, word: &str) {
    out.push_str(word);
    out.push(' ');
}

/// Whether one of the phrases occurs in a [`normal`] text, whole words only; `*` at the end leaves the last word open.
pub(super) fn has(normal: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|p| contains(normal, p))
}

/// How many of the phrases occur.
pub(super) fn count(normal: &str, phrases: &[&str]) -> usize {
    phrases.iter().filter(|p| contains(normal, p)).count()
}

/// Whether the text begins with one of the phrases.
pub(super) fn starts(normal: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|p| match p.strip_suffix('*') {
        Some(open) => normal[1..].starts_with(open),
        None => normal[1..].strip_prefix(p).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')),
    })
}

fn contains(normal: &str, phrase: &str) -> bool {
    match phrase.strip_suffix('*') {
        Some(open) => normal.match_indices(open).any(|(at, _)| normal[..at].ends_with(' ')),
        None => normal
            .match_indices(phrase)
            .any(|(at, _)| normal[..at].ends_with(' ') && normal[at + phrase.len()..].starts_with(' ')),
    }
}

/// The number of words of a [`normal`] text.
pub(super) fn length(normal: &str) -> usize {
    normal.split_whitespace().count()
}

/// Stems of the words that carry a subject.
pub(super) fn terms(sentence: &str) -> BTreeSet<String> {
    let words = text::words(sentence);
    words.iter().filter(|w| w.len() > 1 && !text::is_stop_word(w)).map(|w| text::stem(w)).collect()
}

/// The share of the smaller set's terms that the larger one holds.
pub(super) fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let smaller = a.len().min(b.len());
    if smaller == 0 { 0.0 } else { a.intersection(b).count() as f64 / smaller as f64 }
}

/// Words that look like code: spans, paths, calls, flags, identifiers with capitals or underscores inside, numbers aside.
pub(super) fn literals(sentence: &str) -> usize {
    let spans = sentence.matches('`').count() / 2;
    let bare = sentence.split('`').step_by(2).flat_map(str::split_whitespace).filter(|w| is_literal(w)).count();
    spans + bare
}

fn is_literal(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-' && c != '/');
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let dotted = word
        .split_once('.')
        .is_some_and(|(a, b)| a.len() > 1 && b.len() > 1 && b.bytes().all(|c| c.is_ascii_alphanumeric()));
    word.len() > 2 && (inner_capital || dotted || word.contains('_') || word.contains('/') || word.starts_with("--"))
}

/// Whether a sentence reads as English: few words from other alphabets, and function words where a sentence has them.
pub(super) fn is_english(normal: &str) -> bool {
    let words: Vec<&str> = normal.split_whitespace().collect();
    let foreign = words.iter().filter(|w| !w.is_ascii()).count();
    let function = words.iter().filter(|w| text::is_stop_word(w)).count();
    let other = words.iter().filter(|w| FOREIGN.contains(w)).count();
    foreign * 4 <= words.len() && other < 2 && (words.len() < 9 || function * 14 >= words.len())
}

// Function words of other languages that are no English words: two of them are enough.
const FOREIGN: &[&str] = &[
    "aber", "auf", "bitte", "das", "dass", "dem", "den", "der", "ein", "eine", "ist", "nicht", "nur", "oder", "sind",
    "und", "wir", "wird", "zu", "avec", "dans", "des", "est", "et", "le", "les", "nous", "pas", "pour", "sont", "une",
    "vous", "como", "con", "del", "el", "los", "las", "para", "pero", "por", "que", "una", "che", "della", "gli", "il",
    "nel", "non", "per", "sono", "nao", "uma", "het", "een", "niet", "voor", "och", "inte",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_in_code_numbers_and_abbreviations_end_nothing() {
        assert_eq!(split("Use `a.b. c` v1.2 e.g. here. Then stop."), ["Use `a.b. c` v1.2 e.g. here.", "Then stop."]);
        assert_eq!(split("One (see x. y). Two"), ["One (see x. y).", "Two"]);
        assert_eq!(split(""), Vec::<&str>::new());
    }

    #[test]
    fn markup_goes_and_code_stays() {
        assert_eq!(plain("  **Moved** [the `x**y`](http://h) \u{2705} on"), "Moved [the `x**y`](http://h) on");
        assert_eq!(plain("see [docs](http://h/a) now"), "see docs now");
    }

    #[test]
    fn cues_match_whole_words_outside_code() {
        let n = normal("Don't use `never` \u{2192} it's **instead**-ish");
        assert_eq!(n, " dont use code arrow its instead ish ");
        assert!(has(&n, &["dont use"]) && has(&n, &["inst*"]) && !has(&n, &["never"]) && !has(&n, &["ins"]));
        assert!(starts(&n, &["dont"]) && !starts(&n, &["don"]));
    }

    #[test]
    fn tells_english_from_other_languages() {
        for s in ["We keep the old column for backward compatibility with the API", "renamed `a` to `b`"] {
            assert!(is_english(&normal(s)), "{s}");
        }
        for s in [
            "Wir benutzen nur noch pnpm und nicht npm",
            "il ne faut pas utiliser npm dans les tests",
            "\u{5fc5}\u{987b} \u{4f7f}\u{7528} pnpm \u{800c}\u{4e0d}\u{662f} npm",
        ] {
            assert!(!is_english(&normal(s)), "{s}");
        }
    }

    #[test]
    fn literals_are_counted() {
        assert_eq!(literals("the `x` in src/a.rs calls loadConfig with --fast and i.e. more"), 4);
    }
}
