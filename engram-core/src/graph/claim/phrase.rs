//! What stands behind the verb of a decision: the things, and what hangs on them.

use super::words::{Word, any_of, split_at, strip, written};
use super::{forms, vocabulary};

/// The object of a decision: what was chosen, what was turned down, what it is about.
#[derive(Debug, Default)]
pub(super) struct Object {
    pub(super) chosen: String,
    pub(super) rejected: Vec<String>,
    pub(super) subject: String,
}

// A condition or an aside: neither part of the thing nor what it is about.
const ASIDES: &[&str] = &["unless", "when", "while", "until", "if", "where", "whenever", "except", "which", "although"];
const TAILS: &[&str] =
    &["instead", "anymore", "now", "again", "everywhere", "here", "please", "though", ",", ":", "either", "too"];
const TIED: &[&str] = &["for", "as", "to", "across", "throughout", "inside", "within"];
const PLACES: &[&str] = &[
    "files",
    "file",
    "code",
    "tests",
    "modules",
    "module",
    "project",
    "repo",
    "repository",
    "packages",
    "package",
    "this",
    "our",
    "all",
    "every",
    "handlers",
    "codebase",
    "crate",
    "crates",
    "components",
    "services",
    "production",
    "ci",
];

/// Takes `words` apart at a separator; with `over` too where a choosing verb stands before them.
pub(super) fn parted<'w, 'a>(words: &'w [Word<'a>], after_choice: bool) -> Option<(&'w [Word<'a>], &'w [Word<'a>])> {
    let extra = if after_choice { forms::CHOICE_SEPARATORS } else { &[] };
    let parts = |phrase: &&str| {
        split_at(words, 1, phrase)
            .filter(|(before, after)| !after.is_empty() && (*phrase != "not" || contrasts(before, after)))
    };
    forms::SEPARATORS.iter().chain(extra).filter_map(parts).min_by_key(|(before, _)| before.len())
}

/// Whether a `not` without a comma stands between two things: `tabs not spaces`, but not `a diff not closing`.
fn contrasts(before: &[Word<'_>], after: &[Word<'_>]) -> bool {
    let verbal = after[0].low.ends_with("ing") || after[0].low.ends_with("ed") || after[0].low == "be";
    let helped = before.last().is_some_and(|w| vocabulary::HELPERS.contains(&w.low.as_str()));
    before.len() <= 4 && !verbal && !helped
}

/// `words` behind a choosing verb.
pub(super) fn choice(words: &[Word<'_>]) -> (Object, bool) {
    match parted(words, true) {
        Some((chosen, rejected)) => {
            let (chosen, mut subject) = thing(chosen);
            let (rejected, behind) = thing(rejected);
            subject.is_empty().then(|| subject = behind);
            (Object { chosen: name(chosen), rejected: list(rejected), subject }, true)
        }
        None => {
            let (chosen, subject) = thing(words);
            (Object { chosen: name(chosen), rejected: Vec::new(), subject }, false)
        }
    }
}

/// `words` behind an imperative: `money as integer cents instead of floats`.
pub(super) fn means(verb: &[Word<'_>], words: &[Word<'_>]) -> (Object, bool) {
    let (before, rejected) = parted(words, false).map_or((words, &[][..]), |(b, r)| (b, r));
    let stripped =
        rejected.first().filter(|w| vocabulary::MEANS.contains(&w.low.as_str())).map_or(rejected, |_| &rejected[1..]);
    let (rejected, tail) = thing(stripped);
    let by =
        before.iter().rposition(|w| vocabulary::MEANS.contains(&w.low.as_str())).filter(|at| at + 1 < before.len());
    let (chosen, subject) = match by {
        Some(at) if at > 0 => (name(&before[at + 1..]), subject_of(&before[..at])),
        Some(_) => (name(&before[1..]), subject_of(verb)),
        None => (format!("{} {}", written(verb), written(before)).trim().to_owned(), tail),
    };
    (Object { chosen, rejected: list(rejected), subject }, !rejected.is_empty())
}

/// A thing and what it is for: `SQLite for the store` gives `SQLite` and `store`.
pub(super) fn thing<'w, 'a>(words: &'w [Word<'a>]) -> (&'w [Word<'a>], String) {
    let words = without_aside(words);
    let tied = |at: &usize| {
        let word = words[*at].low.as_str();
        let place = matches!(word, "in" | "on") && any_of(&words[at + 1..], PLACES);
        at + 1 < words.len() && (TIED.contains(&word) || place)
    };
    match (1..words.len()).find(tied) {
        Some(at) => (without_tail(&words[..at]), subject_of(&words[at + 1..])),
        None => (words, String::new()),
    }
}

/// `words` up to a condition, or to a dash that begins a new thought.
pub(super) fn unconditional<'w, 'a>(words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let aside = |at: &usize| {
        let breaks = words[*at].is_dash() && strip(&words[at + 1..], "not|never|no").is_none();
        breaks || ASIDES.contains(&words[*at].low.as_str())
    };
    let end = (1..words.len()).find(aside);
    end.map_or(words, |end| &words[..end])
}

/// `words` up to a condition or an aside, without closing fillers.
pub(super) fn without_aside<'w, 'a>(words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let words = unconditional(words);
    let relative = split_at(words, 1, ", that|who|then|as|and|but|so|it|we|they").map(|(before, _)| before);
    without_tail(relative.filter(|r| r.len() > 1 || words.len() > 4).unwrap_or(words))
}

fn without_tail<'w, 'a>(words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let mut words = words;
    while let Some((last, before)) = words.split_last() {
        if before.is_empty() || !TAILS.contains(&last.low.as_str()) {
            break;
        }
        words = before;
    }
    ["from now on", "going forward", "any more", "at all", "for now", "by default"]
        .iter()
        .find_map(|tail| split_at(words, 1, tail).filter(|(_, after)| after.is_empty()).map(|(before, _)| before))
        .unwrap_or(words)
}

/// The thing as written, without article and quotes.
pub(super) fn name(words: &[Word<'_>]) -> String {
    let bare = strip(words, "a|an|the|our|using|only|just|plain").filter(|r| !r.is_empty()).unwrap_or(words);
    unquoted(&written(bare)).to_owned()
}

fn unquoted(text: &str) -> &str {
    let inner = ['`', '"', '\''].iter().find_map(|q| text.strip_prefix(*q)?.strip_suffix(*q));
    inner.filter(|i| !i.contains(['`', '"'])).unwrap_or(text)
}

/// What a decision is about, in lower case, without article and quantifier.
pub(super) fn subject_of(words: &[Word<'_>]) -> String {
    let mut words = without_aside(words);
    while let Some(rest) = strip(words, "a|an|the|our|all|every|each|any|both|your").filter(|r| !r.is_empty()) {
        words = rest;
    }
    written(words).trim_matches(['`', '"']).to_lowercase()
}

/// The members of `A, B or C`.
pub(super) fn list(words: &[Word<'_>]) -> Vec<String> {
    let parts = |w: &Word<'_>| matches!(w.low.as_str(), "," | "or" | "and" | "nor");
    words
        .split(parts)
        .map(|part| strip(part, "not|never|neither|using|either").filter(|r| !r.is_empty()).unwrap_or(part))
        .map(name)
        .filter(|n| !n.is_empty())
        .collect()
}
