//! Whether two names with their descriptions mean the same thing, a version of it, or different things.

use super::change::NewNode;
use super::claim::{values_differ, version};
use super::node::Node;
use crate::similarity::Thresholds;
use crate::text;
use std::collections::BTreeSet;

/// A thing as resolution sees it.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    /// Its name.
    pub name: &'a str,
    /// What is said of it.
    pub description: &'a str,
}

impl<'a> From<&'a NewNode> for Described<'a> {
    fn from(node: &'a NewNode) -> Described<'a> {
        Described { name: &node.name, description: &node.description }
    }
}

impl<'a> From<&'a Node> for Described<'a> {
    fn from(node: &'a Node) -> Described<'a> {
        Described { name: &node.name, description: &node.description }
    }
}

/// How alike two things are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// One thing.
    Same,
    /// One is an aspect, a kind or another version of the other.
    Version,
    /// Two things.
    Different,
}

// Words of a name that say what sort of thing it is, not which one.
const FILLER: &[&str] = &[
    "function",
    "module",
    "file",
    "class",
    "mode",
    "lts",
    "js",
    "library",
    "framework",
    "package",
    "crate",
    "runtime",
    "interpreter",
    "language",
    "engine",
    "setup",
    "tool",
    "table",
    "pipeline",
    "workflow",
];

// Short forms that every developer reads as the long one.
const ALIASES: &[(&str, &str)] = &[
    ("a11y", "accessibility"),
    ("auth", "authentication"),
    ("ci", "continuous integration"),
    ("config", "configuration"),
    ("db", "database"),
    ("env", "environment"),
    ("golang", "go"),
    ("i18n", "internationalization"),
    ("jwt", "json web token"),
    ("k8s", "kubernetes"),
    ("l10n", "localization"),
    ("mongo", "mongodb"),
    ("orm", "object relational mapper"),
    ("postgres", "postgresql"),
    ("py", "python"),
    ("repo", "repository"),
    ("ts", "typescript"),
    ("tsc", "typescript compiler"),
    ("wal", "write ahead log"),
];

/// Labels a pair by names, paths and values, and by the cosine of their `name: description` vectors where both have
/// one. Symmetric.
pub fn label_pair(a: Described<'_>, b: Described<'_>, cosine: Option<f32>, thresholds: &Thresholds) -> Likeness {
    if let Some(label) = path_of(a.name).zip(path_of(b.name)).map(|(x, y)| paths(&x, &y)) {
        return label;
    }
    // A shared boiler-plate text makes any two names look alike: then the names decide.
    let cosine = cosine.filter(|_| !same_text(a.description, b.description));
    match by_names(a.name, b.name, cosine, thresholds) {
        Likeness::Same if values_differ(&joined(a), &joined(b)) => Likeness::Version,
        label => label,
    }
}

fn joined(d: Described<'_>) -> String {
    format!("{}: {}", d.name, d.description)
}

fn same_text(a: &str, b: &str) -> bool {
    let plain = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    !a.trim().is_empty() && plain(a) == plain(b)
}

fn by_names(a: &str, b: &str, cosine: Option<f32>, t: &Thresholds) -> Likeness {
    let (x, y) = (name_terms(a, t), name_terms(b, t));
    let equal = same_text(a, b) || (x == y && !x.is_empty());
    let contained = x != y && !x.is_empty() && !y.is_empty() && (x.is_subset(&y) || y.is_subset(&x));
    let shared = x.intersection(&y).next().is_some();
    // Without vectors the names alone decide: equal is the same, contained is a version, shared is nothing.
    let at_least = |bound: f32| cosine.is_some_and(|c| c >= bound);
    let unless_below = |bound: f32| cosine.is_none_or(|c| c >= bound);
    if (equal && unless_below(t.same_name)) || at_least(t.merge) || (!contained && at_least(t.merge_apart)) {
        Likeness::Same
    } else if (contained && unless_below(t.child_contained))
        || (shared && at_least(t.child_shared))
        || at_least(t.child)
    {
        Likeness::Version
    } else {
        Likeness::Different
    }
}

/// The stems of a name without versions, stop words and filler. A word of the embedder's vocabulary stays whole, so that
/// `PostgreSQL` and `MySQL` do not share `sql`.
fn name_terms(name: &str, thresholds: &Thresholds) -> BTreeSet<String> {
    let runs = name.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
    let words = runs.map(|r| r.trim_matches('.')).filter(|r| !r.is_empty() && version(r).is_none());
    let parts = words.flat_map(|w| w.split('.')).flat_map(|word| name_words(word, thresholds));
    parts.filter(|p| !text::is_stop_word(p) && !FILLER.contains(&p.as_str())).map(|p| text::stem(&p)).collect()
}

/// One written word as lower-case words: whole, as its long form, or split.
fn name_words(word: &str, thresholds: &Thresholds) -> Vec<String> {
    let low = word.to_lowercase();
    let whole = (thresholds.whole_word)(&low) || ALIASES.iter().any(|(short, _)| *short == low);
    let parts = if whole { vec![word] } else { text::split_identifier(word) };
    parts.iter().flat_map(|part| expand(&part.to_lowercase())).collect()
}

/// A part of an identifier, in its long form where it has one: `parseConfig`, `db_url`.
fn expand(part: &str) -> Vec<String> {
    let long = ALIASES.iter().find(|(short, _)| *short == part).map_or(part, |(_, long)| long);
    long.split(' ').map(str::to_owned).collect()
}

/// The path in a name, as components, where there is one: `src/auth/session.rs`, `auth::session module`.
fn path_of(name: &str) -> Option<Vec<&str>> {
    let mut runs = name.split_whitespace().filter(|w| !FILLER.contains(&w.to_lowercase().as_str()));
    let (path, more) = (runs.next()?, runs.next());
    let pathlike =
        path.contains("::") || path.matches('/').count() > 1 || (path.contains('/') && extension(path).is_some());
    (pathlike && more.is_none()).then(|| {
        path.trim_matches(['`', '"'])
            .split(['/', ':'])
            .filter(|c| !matches!(*c, "" | "." | "src" | "lib" | "crate"))
            .collect()
    })
}

fn extension(component: &str) -> Option<&str> {
    let (stem, extension) = component.rsplit_once('.')?;
    let plain = (1..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    (plain && !stem.is_empty()).then_some(extension)
}

/// Paths are the same if one ends with the other; a folder and what is in it are kin; anything else is different,
/// however alike the names are.
fn paths(a: &[&str], b: &[&str]) -> Likeness {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let (Some((last_long, dirs_long)), Some((last_short, dirs_short))) = (long.split_last(), short.split_last()) else {
        return Likeness::Different;
    };
    let enough = short.len() > 1 || long.len() == short.len();
    if enough && dirs_long.ends_with(dirs_short) && same_file(last_long, last_short) {
        Likeness::Same
    } else if long.starts_with(short) {
        Likeness::Version
    } else {
        Likeness::Different
    }
}

/// `session.rs` and `session`, but not `session.rs` and `session.ts`.
fn same_file(a: &str, b: &str) -> bool {
    let stem = |c: &'_ str| extension(c).map_or(c.len(), |e| c.len() - e.len() - 1);
    a == b || (extension(a).is_some() != extension(b).is_some() && a[..stem(a)] == b[..stem(b)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(word: &str) -> bool {
        matches!(word, "postgresql" | "mysql" | "javascript")
    }

    fn label(a: &str, b: &str, cosine: Option<f32>) -> Likeness {
        let thresholds = Thresholds { merge: 0.85, merge_apart: 0.76, ..Thresholds::service(whole) };
        let described = |name| Described { name, description: "" };
        let label = label_pair(described(a), described(b), cosine, &thresholds);
        assert_eq!(label, label_pair(described(b), described(a), cosine, &thresholds), "not symmetric");
        label
    }

    #[test]
    fn paths_are_equal_by_path_rules_alone() {
        assert_eq!(label("src/auth/session.ts", "auth/session.ts", None), Likeness::Same);
        assert_eq!(label("src/auth/session.rs", "auth::session module", Some(0.1)), Likeness::Same);
        assert_eq!(label("src/auth/session.ts", "src/auth/password.ts", Some(0.99)), Likeness::Different);
        assert_eq!(label("src/auth/session.ts", "src/auth/session.rs", Some(0.99)), Likeness::Different);
        assert_eq!(label("packages/a/src/index.ts", "packages/b/src/index.ts", Some(0.99)), Likeness::Different);
        assert_eq!(label("src/auth/oauth/", "src/auth/oauth/google.ts", None), Likeness::Version);
    }

    #[test]
    fn names_without_vectors_decide_alone() {
        assert_eq!(label("SQLite 3.53.0", "SQLite", None), Likeness::Same);
        assert_eq!(label("SQLite migration", "SQLite", None), Likeness::Version);
        assert_eq!(label("UserRepository", "user_repository", None), Likeness::Same);
        assert_eq!(label("UserRepository", "OrderRepository", None), Likeness::Different);
    }

    #[test]
    fn product_names_are_not_split() {
        assert_eq!(label("PostgreSQL", "MySQL", Some(0.5)), Likeness::Different);
        assert_eq!(label("Java", "JavaScript", Some(0.5)), Likeness::Different);
    }

    #[test]
    fn two_explicit_versions_are_versions() {
        assert_eq!(label("Python 2.7 scripts", "Python 3.12 scripts", Some(0.97)), Likeness::Version);
    }

    #[test]
    fn equal_descriptions_say_nothing() {
        let thresholds = Thresholds::service(whole);
        let described = |name| Described { name, description: "Part of the application." };
        let label = label_pair(described("Redis"), described("Kafka"), Some(0.99), &thresholds);
        assert_eq!(label, Likeness::Different);
    }
}
