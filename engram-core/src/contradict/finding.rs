//! What a rule found, and which lines it may look at.

use super::diff::{Diff, Line, Nature, Side};
use super::file_kind::FileKind;
use super::pattern;
use super::reading::{AboutTests, Reading};
use super::verdict::VerdictKind;
use crate::text;

/// Why a change seems to contradict a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) kind: VerdictKind,
    /// Whether the decision forbids what was done (or asks for what was left out).
    pub(crate) prohibition: bool,
    pub(crate) path: String,
    /// In the file after the change.
    pub(crate) number: u32,
    /// The offending line.
    pub(crate) quote: String,
    /// Whether the line was taken away.
    pub(crate) removed: bool,
    /// What the line does, to follow "it".
    pub(crate) reason: String,
}

/// A decision and a change, with the questions that every rule asks.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) diff: &'a Diff<'a>,
    /// For each file of the diff: whether the decision binds it.
    bound: Vec<bool>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(reading: &'a Reading, diff: &'a Diff<'a>) -> Case<'a> {
        let bound = diff.files.iter().map(|f| binds(reading, f.path, f.kind)).collect();
        Case { reading, diff, bound }
    }

    /// Added and removed lines in files that the decision binds.
    pub(crate) fn code(&self, side: Side) -> impl Iterator<Item = &'a Line<'a>> {
        let diff = self.diff;
        // A comment has no text that patterns see, but for those that ask for comments: suppressions live there.
        let live = |l: &&Line<'_>| l.nature != Nature::Blank && !l.undo;
        diff.side(side).filter(live).filter(|l| self.bound[l.file])
    }

    /// Lines that stand after the change, in files that the decision binds.
    pub(crate) fn after(&self) -> impl Iterator<Item = &'a Line<'a>> {
        self.diff.after().filter(|l| self.bound[l.file] && matches!(l.nature, Nature::Code | Nature::Import))
    }

    /// Whether the decision binds the file of a line.
    pub(crate) fn is_bound(&self, line: &Line<'_>) -> bool {
        self.bound[line.file]
    }

    /// The first added line that `shows` holds for, unless at least as many went: an edited line is nothing new.
    pub(crate) fn newly(&self, shows: impl Fn(&Line<'a>) -> bool) -> Option<&'a Line<'a>> {
        let added: Vec<&Line<'a>> = self.code(Side::Added).filter(|l| shows(l)).collect();
        let first = *added.first()?;
        let gone = self.code(Side::Removed).filter(|l| shows(l)).count();
        (added.len() > gone).then_some(first)
    }

    /// Whether one of the patterns is found on the line.
    pub(crate) fn any(&self, patterns: &[&str], line: &Line<'_>) -> bool {
        patterns.iter().any(|p| pattern::found(p, line, self.diff))
    }

    /// The first removed line that `shows` holds for, if nothing that stands after the change in the file does, and what
    /// went is not a whole definition.
    pub(crate) fn lost(&self, shows: impl Fn(&Line<'a>) -> bool) -> Option<&'a Line<'a>> {
        let line = self.code(Side::Removed).find(|l| shows(l))?;
        let kept = self.diff.after().any(|l| l.nature != Nature::Blank && l.nature != Nature::Comment && shows(l));
        (!kept && self.is_replaced_or_small(line)).then_some(line)
    }

    fn is_replaced_or_small(&self, line: &Line<'_>) -> bool {
        let hunk = || self.diff.lines.iter().filter(|l| l.file == line.file && l.hunk == line.hunk);
        let removed = || hunk().filter(|l| l.side == Side::Removed && l.nature == Nature::Code);
        let added = hunk().filter(|l| l.side == Side::Added && l.nature != Nature::Blank).count();
        let defined = removed().filter(|l| super::diff::is_definition(l.raw)).count();
        let redefined = hunk().filter(|l| l.side == Side::Added && super::diff::is_definition(l.raw)).count();
        defined <= redefined
            && (added > 0 || self.reading.binds_all && removed().count() <= 6 && line.nature == Nature::Code)
    }

    pub(crate) fn finding(&self, kind: VerdictKind, prohibition: bool, line: &Line<'_>, reason: String) -> Finding {
        Finding {
            kind,
            prohibition,
            path: self.diff.file_of(line).path.to_owned(),
            number: line.number,
            quote: line.raw.trim().to_owned(),
            removed: line.side == Side::Removed,
            reason,
        }
    }
}

fn binds(reading: &Reading, path: &str, kind: FileKind) -> bool {
    let by_kind = match kind {
        FileKind::Documentation => reading.about_documents,
        FileKind::Lockfile => false,
        FileKind::Test => reading.about_tests != AboutTests::No,
        FileKind::Source => reading.about_tests != AboutTests::Only,
        FileKind::Manifest | FileKind::Config => true,
    };
    by_kind && !is_exempt(reading, path)
}

/// Whether the path lies in a place that the decision leaves out.
fn is_exempt(reading: &Reading, path: &str) -> bool {
    if reading.exempt.is_empty() {
        return false;
    }
    let parts = super::mention::words_of(&path.to_lowercase());
    parts.iter().flat_map(|p| text::words(p)).any(|p| reading.exempt.contains(&text::stem(&p)))
}
