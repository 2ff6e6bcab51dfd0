//! Rules about numbers: limits, and versions that move before their time.

use super::diff::{Line, Side};
use super::finding::{Case, Finding};
use super::verdict::VerdictKind::DirectContradiction as Direct;
use crate::text;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    Most,
    Least,
    Exactly,
}

const MOST: &[&str] = &[
    "most", "max", "maximum", "exceed", "exceeds", "capped", "under", "below", "within", "limited", "limit", "than",
    "upto", "longer", "beyond",
];
const LEAST: &[&str] = &["least", "min", "minimum", "above", "fewer", "less", "below", "under"];

/// A number that the decision limits is moved past its limit.
pub(crate) fn limit(case: &Case<'_>) -> Option<Finding> {
    let limits = limits(&case.reading.words);
    if limits.is_empty() {
        return None;
    }
    pairs(case).into_iter().find_map(|(old, new)| {
        let (before, after) = moved(&old.text, &new.text)?;
        let (_, limit) = limits.iter().find(|(b, n)| breaks(*b, *n, before, after))?;
        about(case, new).then(|| {
            case.finding(Direct, false, new, format!("moves {before} to {after} against the limit of {limit}"))
        })
    })
}

fn limits(words: &[String]) -> Vec<(Bound, f64)> {
    let mut out = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let number = spelled(word).or_else(|| word.parse::<f64>().ok());
        if let Some(n) = number {
            let before = &words[i.saturating_sub(4)..i];
            let after = &words[i + 1..words.len().min(i + 4)];
            out.push((bound(before, after), n));
        }
    }
    out
}

fn spelled(word: &str) -> Option<f64> {
    const NUMBERS: &[&str] = &["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let at = NUMBERS.iter().position(|n| *n == word)?;
    u32::try_from(at + 2).ok().map(f64::from)
}

fn bound(before: &[String], after: &[String]) -> Bound {
    let has = |words: &[String], list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let negated = has(before, &["not", "never", "no"]);
    if has(before, &["least", "minimum", "min"]) || negated && has(before, &["below", "under", "less", "fewer"]) {
        Bound::Least
    } else if has(before, MOST) {
        Bound::Most
    } else if has(before, LEAST) || has(after, &["newer", "above", "later"]) {
        Bound::Least
    } else {
        Bound::Exactly
    }
}

fn breaks(bound: Bound, limit: f64, before: f64, after: f64) -> bool {
    match bound {
        Bound::Most => before <= limit && after > limit,
        Bound::Least => before >= limit && after < limit,
        Bound::Exactly => (before - limit).abs() < f64::EPSILON && (after - limit).abs() > f64::EPSILON,
    }
}

/// Whether the line speaks of what the decision limits: a word of theirs is the same.
fn about(case: &Case<'_>, line: &Line<'_>) -> bool {
    let telling = |w: &String| w.len() >= 4 && w.chars().any(char::is_alphabetic) && !text::is_stop_word(w);
    let words = text::words(&line.text);
    words.iter().filter(|w| telling(w)).any(|w| case.reading.stems.contains(&text::stem(w)))
}

/// Removed and added lines of one place that differ in numbers alone.
fn pairs<'a>(case: &Case<'a>) -> Vec<(&'a Line<'a>, &'a Line<'a>)> {
    let added: Vec<(&Line<'_>, String)> = case.code(Side::Added).map(|l| (l, skeleton(&l.text))).collect();
    let mut from = 0;
    let mut out = Vec::new();
    for old in case.code(Side::Removed) {
        // Both sides are in order, so each added line is looked at once for each hunk it could belong to.
        from += added[from..].iter().take_while(|(n, _)| (n.file, n.hunk) < (old.file, old.hunk)).count();
        let here = added[from..].iter().take_while(|(n, _)| (n.file, n.hunk) == (old.file, old.hunk)).take(40);
        let wanted = skeleton(&old.text);
        out.extend(here.filter(|(_, s)| *s == wanted).map(|(n, _)| (old, *n)));
    }
    out
}

fn skeleton(line: &str) -> String {
    line.trim().trim_end_matches([',', ';']).chars().filter(|c| !c.is_ascii_digit() && *c != '_').collect()
}

/// The first number that differs.
fn moved(old: &str, new: &str) -> Option<(f64, f64)> {
    numbers(old).into_iter().zip(numbers(new)).find(|(a, b)| (a - b).abs() > f64::EPSILON)
}

fn numbers(line: &str) -> Vec<f64> {
    let parts = line
        .split(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')
        .filter(|p| p.starts_with(|c: char| c.is_ascii_digit()));
    parts.filter_map(|p| p.replace('_', "").trim_end_matches('.').parse().ok()).collect()
}

/// A decision holds a new version or default back; the change makes it the one that is used.
pub(crate) fn switched(case: &Case<'_>) -> Option<Finding> {
    let held = case.reading.says(&["until", "transition", "automatically", "opt-in", "gradually", "default", "yet"])
        && case.reading.says(&["format", "version", "schema", "protocol", "layout", "edition"])
        && case.reading.says(&["not", "never", "until", "only"]);
    if !held {
        return None;
    }
    let line = pairs(case)
        .into_iter()
        .find(|(old, new)| raises_version(old, new))
        .map(|(_, n)| n)
        .or_else(|| new_default(case))?;
    Some(case.finding(Direct, true, line, "makes the new version the one that is used".to_owned()))
}

fn raises_version(old: &Line<'_>, new: &Line<'_>) -> bool {
    let up = moved_in_words(&old.text, &new.text).is_some_and(|(a, b)| b > a);
    let lower = new.text.to_lowercase();
    up && (lower.contains("version")
        || lower.contains("format")
        || lower.contains("schema")
        || lower.contains("protocol"))
}

/// Like [`moved`], with digits inside identifiers (`V4`).
fn moved_in_words(old: &str, new: &str) -> Option<(f64, f64)> {
    let digits =
        |l: &str| -> Vec<f64> { l.split(|c: char| !c.is_ascii_digit()).filter_map(|p| p.parse().ok()).collect() };
    digits(old).into_iter().zip(digits(new)).find(|(a, b)| (a - b).abs() > f64::EPSILON)
}

fn new_default<'a>(case: &Case<'a>) -> Option<&'a Line<'a>> {
    let mark = |l: &Line<'_>| l.text.contains("#[default]");
    let gone = case.code(Side::Removed).any(mark);
    case.code(Side::Added).find(|l| mark(l)).filter(|_| gone)
}
