//! Whether two texts that read alike say different things: a number, a version, a unit, a negation, one name (D22).

use crate::text;
use std::collections::BTreeSet;

/// The words of a text, reduced to what can differ.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    /// Stems of the words that carry a subject.
    pub(crate) words: BTreeSet<String>,
    /// The same in their order.
    order: Vec<String>,
    /// Numbers and versions, without a leading `v`.
    pub(crate) numbers: BTreeSet<String>,
    /// Words in the reach of a negation.
    negated: BTreeSet<String>,
    /// Words outside of it.
    affirmed: BTreeSet<String>,
    /// Units behind numbers.
    units: BTreeSet<&'static str>,
}

// Words that say nothing about which thing is meant.
const FILLER: &[&str] =
    &["use", "using", "used", "library", "crate", "framework", "object", "always", "never", "instead"];

const UNITS: &[(&str, &[&str])] = &[
    ("ms", &["ms", "millisecond", "milliseconds"]),
    ("s", &["s", "sec", "secs", "second", "seconds"]),
    ("min", &["min", "mins", "minute", "minutes"]),
    ("h", &["h", "hr", "hour", "hours"]),
    ("d", &["d", "day", "days"]),
    ("week", &["week", "weeks"]),
    ("month", &["month", "months"]),
    ("year", &["year", "years"]),
    ("b", &["byte", "bytes"]),
    ("kb", &["kb", "kib", "kilobytes"]),
    ("mb", &["mb", "mib", "megabytes"]),
    ("gb", &["gb", "gib", "gigabytes"]),
    ("%", &["%", "percent"]),
    ("px", &["px", "pixel", "pixels"]),
    ("space", &["space", "spaces"]),
    ("tab", &["tab", "tabs"]),
];

const NEGATIONS: &[&str] =
    &["not", "never", "no", "without", "avoid", "avoids", "cannot", "forbid", "forbids", "neither", "nor"];

const PASSIVE: &[&str] = &["is", "are", "was", "were", "be"];

const OPPOSITES: &[(&str, &str)] = &[
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("on", "off"),
    ("true", "false"),
    ("allow", "forbid"),
    ("allowed", "forbidden"),
    ("allow", "deny"),
    ("sync", "async"),
    ("synchronous", "asynchronous"),
    ("lazy", "eager"),
    ("lazily", "eagerly"),
    ("before", "after"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("ascending", "descending"),
    ("public", "private"),
    ("mutable", "immutable"),
    ("optimistic", "pessimistic"),
    ("optional", "required"),
    ("add", "remove"),
    ("accept", "reject"),
    ("strict", "loose"),
    ("include", "exclude"),
    ("client", "server"),
    ("read", "write"),
    ("increase", "decrease"),
    ("local", "remote"),
    ("signed", "unsigned"),
    ("tabs", "spaces"),
    ("pass", "fail"),
    ("passes", "fails"),
    ("first", "last"),
    ("single", "multiple"),
    ("up", "down"),
    ("with", "without"),
];

/// Whether texts that otherwise read alike differ in a value: they must not be merged.
///
/// Numbers and versions count when both texts have some; a version on one side only is no difference. Not meant for
/// texts about different things: whether they are alike is for the caller to know.
pub fn values_differ(a_text: &str, b_text: &str) -> bool {
    let (a, b) = (Terms::of(a_text), Terms::of(b_text));
    numbers_differ(&a, &b)
        || (!a.units.is_empty() && !b.units.is_empty() && a.units != b.units)
        || negation_differs(&a, &b)
        || negation_differs(&b, &a)
        || opposite(a_text, b_text)
        || one_word_differs(&a, &b)
}

pub(crate) fn numbers_differ(a: &Terms, b: &Terms) -> bool {
    !a.numbers.is_empty()
        && !b.numbers.is_empty()
        && !a.numbers.is_subset(&b.numbers)
        && !b.numbers.is_subset(&a.numbers)
}

/// A word that `a` negates and `b` states.
fn negation_differs(a: &Terms, b: &Terms) -> bool {
    a.negated.iter().any(|w| !a.affirmed.contains(w) && b.affirmed.contains(w) && !b.negated.contains(w))
}

fn opposite(a: &str, b: &str) -> bool {
    let (a, b) = (plain_words(a), plain_words(b));
    let only = |x: &BTreeSet<String>, y: &BTreeSet<String>, w: &str| x.contains(w) && !y.contains(w);
    OPPOSITES.iter().any(|(p, q)| (only(&a, &b, p) && only(&b, &a, q)) || (only(&a, &b, q) && only(&b, &a, p)))
}

fn plain_words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

/// The same words in the same order but one: "uses tabs", "uses spaces". In another order it is a paraphrase.
fn one_word_differs(a: &Terms, b: &Terms) -> bool {
    let differing = a.order.iter().zip(&b.order).filter(|(x, y)| !akin(x, y)).count();
    a.order.len() == b.order.len() && a.order.len() > 1 && differing == 1
}

/// `async` and `asynchronous`.
fn akin(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    a == b || (short.len() >= 4 && long.starts_with(short))
}

impl Terms {
    pub(crate) fn of(text: &str) -> Terms {
        let mut terms = Terms::default();
        for clause in
            text.split([';', '\n']).flat_map(|c| c.split(". ")).flat_map(|c| c.split(": ")).flat_map(|c| c.split(", "))
        {
            terms.add_clause(clause);
        }
        terms
    }

    /// Words without numbers, and nothing else to tell them apart.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.numbers.is_empty()
    }

    fn add_clause(&mut self, clause: &str) {
        let mut after_number = false;
        let runs =
            clause.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '#' | '%' | '/' | '\'')));
        let runs: Vec<&str> = runs.map(|r| r.trim_matches(|c| matches!(c, '.' | '/' | '_' | '\''))).collect();
        let reach = reach_of_negations(&runs);
        for (run, negative) in runs.iter().zip(reach).filter(|(run, _)| !run.is_empty()) {
            after_number = self.add_run(run, negative, after_number);
        }
    }

    /// Adds one run; returns whether it was a number.
    fn add_run(&mut self, run: &str, negative: bool, after_number: bool) -> bool {
        if let Some(number) = version(run) {
            self.numbers.insert(number.to_owned());
            return true;
        }
        let low = run.to_lowercase();
        if let Some((number, unit)) = measure(&low) {
            self.numbers.insert(number.to_owned());
            self.units.insert(unit);
            return true;
        }
        if let Some((name, number)) = low.rsplit_once('/').and_then(|(n, v)| Some((n, version(v)?))) {
            self.numbers.insert(number.to_owned());
            self.add_word(name, negative);
            return true;
        }
        if let Some(unit) = unit(&low).filter(|_| after_number) {
            self.units.insert(unit);
            return false;
        }
        for part in run.split(['.', '/', '%']).flat_map(parts) {
            self.add_word(&part.to_lowercase(), negative);
        }
        false
    }

    fn add_word(&mut self, word: &str, negative: bool) {
        // The language, not the verb, where it stands beside other words.
        let stop = text::is_stop_word(word) && word != "go";
        if word.is_empty() || stop || FILLER.contains(&word) || NEGATIONS.contains(&word) {
            return;
        }
        let stem = text::stem(word);
        if negative { &mut self.negated } else { &mut self.affirmed }.insert(stem.clone());
        self.order.push(stem.clone());
        self.words.insert(stem);
    }
}

/// For each run, whether a negation reaches it: the five runs behind one, and five before an `is not`.
fn reach_of_negations(runs: &[&str]) -> Vec<bool> {
    let mut reach = vec![false; runs.len()];
    for at in (0..runs.len()).filter(|at| is_negation(runs[*at])) {
        let passive = runs[at].ends_with("n't") || at.checked_sub(1).is_some_and(|b| PASSIVE.contains(&runs[b]));
        let from = if passive { at.saturating_sub(6) } else { at };
        reach[from..runs.len().min(at + 6)].fill(true);
    }
    reach
}

fn is_negation(run: &str) -> bool {
    NEGATIONS.contains(&run.to_lowercase().as_str()) || run.ends_with("n't")
}

/// `int64` stays whole, `loadConfig` and `load_config` part.
fn parts(run: &str) -> Vec<&str> {
    if run.bytes().any(|b| b.is_ascii_digit()) { run.split('_').collect() } else { text::split_identifier(run) }
}

/// `3.53.0`, `v2` and `16` as a version; nothing glued to other letters.
pub(in crate::graph) fn version(run: &str) -> Option<&str> {
    let digits = run.strip_prefix(['v', 'V']).unwrap_or(run);
    let plain = digits.split('.').all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    plain.then_some(digits)
}

fn unit(word: &str) -> Option<&'static str> {
    UNITS.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(unit, _)| *unit)
}

/// `10mb` as number and unit.
fn measure(low: &str) -> Option<(&str, &'static str)> {
    let at = low.find(|c: char| !(c.is_ascii_digit() || c == '.')).filter(|at| *at > 0)?;
    Some((version(&low[..at])?, unit(&low[at..])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ() {
        let pairs = [
            ("Uses tabs for indentation", "Uses spaces for indentation"),
            ("Indent is 2 spaces", "Indent is 4 spaces"),
            ("Python 2.7 scripts", "Python 3.12 scripts"),
            ("HTTP/2 support in the proxy", "HTTP/3 support in the proxy"),
            ("Timeout is 30 seconds", "Timeout is 30 minutes"),
            ("Upload limit 10MB", "Upload limit 20MB"),
            ("Retries are enabled", "Retries are disabled"),
            ("The cache is shared between workers", "The cache is not shared between workers"),
            ("Default branch is main", "Default branch is trunk"),
            ("Logs go to stderr", "Logs never go to stderr"),
        ];
        for (a, b) in pairs {
            assert!(values_differ(a, b) && values_differ(b, a), "{a} / {b}");
        }
    }

    #[test]
    fn values_that_agree() {
        let pairs = [
            ("SQLite 3.53.0", "SQLite"),
            ("Default branch is main", "The default branch is main"),
            ("Timeout is 30 s", "Timeout: 30 seconds"),
            ("k8s cluster", "k8s cluster of the team"),
            ("Lazy loading is not used", "avoid lazy loading"),
            ("loadUserConfig reads the file", "load_user_config reads the file"),
            ("Node v22", "Node 22"),
        ];
        for (a, b) in pairs {
            assert!(!values_differ(a, b) && !values_differ(b, a), "{a} / {b}");
        }
    }
}
