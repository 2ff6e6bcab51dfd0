//! Which decisions a change has to be held against.

use super::diff::{Diff, Nature, Side};
use super::pattern;
use super::reading::Reading;
use super::{Change, DecisionText, glob};

/// How a decision reaches a changed file, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// It names the file.
    File,
    /// It names a folder above the file.
    Folder,
    /// One of its globs matches.
    Glob,
    /// It is about the whole project, and the change shows something that it speaks of.
    Project,
}

/// How `decision` reaches `path` by its files alone; `None` also when it names none.
pub fn link(decision: &DecisionText, path: &str) -> Option<Link> {
    decision.files.iter().filter_map(|f| file_link(f, path)).min()
}

fn file_link(file: &str, path: &str) -> Option<Link> {
    let file = file.trim_start_matches("./");
    if file == path {
        return Some(Link::File);
    }
    glob::covers(file, path).then(|| if file.contains(['*', '?', '{']) { Link::Glob } else { Link::Folder })
}

/// The decisions to hold `change` against, nearest first; among equals the order given (strongest first).
///
/// Decisions without files are taken when an added or removed line shows a thing or notion of theirs. Strength and
/// trust are the caller's to filter by.
pub fn candidates<'d>(change: &Change<'_>, decisions: &'d [DecisionText]) -> Vec<(Link, &'d DecisionText)> {
    let mut diff = None;
    let mut out: Vec<(Link, &DecisionText)> = decisions
        .iter()
        .filter_map(|d| {
            if !d.files.is_empty() {
                return link(d, change.path).map(|l| (l, d));
            }
            let diff = diff.get_or_insert_with(|| Diff::parse(change.path, change.diff));
            touches(&Reading::of(d), diff).then_some((Link::Project, d))
        })
        .collect();
    out.sort_by_key(|(l, _)| *l);
    out
}

fn touches(reading: &Reading, diff: &Diff<'_>) -> bool {
    let changed = || diff.lines.iter().filter(|l| l.side != Side::Context && l.nature != Nature::Blank);
    let named = || reading.forbidden.iter().chain(&reading.required).any(|t| changed().any(|l| t.on(l, diff)));
    let notions = || reading.forbidden_concepts.iter().chain(&reading.required_concepts);
    let shown = || {
        let mut patterns = notions().flat_map(|c| [c.shows, c.around, c.breaks, c.defeats]).flatten();
        patterns.any(|p| changed().any(|l| pattern::found(p, l, diff)))
    };
    let rival = || {
        reading
            .chosen
            .iter()
            .flat_map(|(_, f)| f.iter())
            .any(|n| changed().any(|l| pattern::contains(&l.text, n, true)))
    };
    named() || shown() || rival()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(id: &str, text: &str, files: &[&str]) -> DecisionText {
        DecisionText { files: files.iter().map(|f| (*f).to_owned()).collect(), ..DecisionText::new(id, text) }
    }

    #[test]
    fn nearest_first_and_nothing_that_does_not_concern_the_file() {
        let all = [
            decision("glob", "x", &["src/**/*.rs"]),
            decision("other", "x", &["docs", "src/b.rs"]),
            decision("folder", "x", &["src/db/"]),
            decision("file", "x", &["./src/db/pool.rs"]),
            decision("project", "No `unwrap()` in this project.", &[]),
            decision("far", "No jQuery in this project.", &[]),
        ];
        let change = Change { path: "src/db/pool.rs", diff: "+let c = pool.unwrap();\n" };
        let got: Vec<(Link, &str)> = candidates(&change, &all).iter().map(|(l, d)| (*l, d.id.as_str())).collect();
        assert_eq!(
            got,
            [(Link::File, "file"), (Link::Folder, "folder"), (Link::Glob, "glob"), (Link::Project, "project")]
        );
    }
}
