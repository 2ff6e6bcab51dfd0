//! Does a change contradict a decision? A side path: file writes in, verdicts out.
//!
//! [`check()`] is the offline judge: rules over general programming knowledge, no model, no clock but the stopwatch, no
//! file. [`candidates`] says which decisions a change has to be held against, [`render`] how the agent is told,
//! [`pending`] where late warnings wait, [`breaker`] when checking stops for a session.

mod binding;
pub mod breaker;
pub mod candidates;
mod concept;
mod concept_data;
mod concept_interface;
mod concept_language;
mod concept_operations;
mod concept_runtime;
mod diff;
mod file_kind;
mod finding;
pub mod glob;
mod mask;
mod mention;
mod pattern;
pub mod pending;
mod probe;
mod reading;
pub mod render;
mod rival;
mod rules;
mod rules_forbidden;
mod rules_lifecycle;
mod rules_number;
mod rules_required;
mod stance;
mod term;
mod token;
pub mod verdict;
mod vocabulary;

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod cases_more;
#[cfg(test)]
mod measured;

use crate::graph::node::{Claim, Trust};
use crate::time::{Stopwatch, Timestamp};
pub(crate) use binding::decisions_for;
use diff::Diff;
use finding::Finding;
use reading::Reading;
pub use render::{fingerprint, render_warning};
pub use verdict::{CheckedBy, Severity, Verdict, VerdictKind};

/// A decision as the rules read it.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionText {
    /// The id of its node.
    pub id: String,
    /// What was decided, in a sentence or a few.
    pub text: String,
    /// Why; not read by the rules, told in the warning.
    pub rationale: String,
    /// The decision taken apart, where that was done; the rules read the text too.
    pub claim: Option<Claim>,
    /// Files, folders or globs that it is about; none: the whole project.
    pub files: Vec<String>,
    /// How far it is believed.
    pub trust: Trust,
    /// Since when it holds.
    pub since: Option<Timestamp>,
}

impl DecisionText {
    /// A decision with nothing but an id and a text, believed as inferred.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> DecisionText {
        DecisionText {
            id: id.into(),
            text: text.into(),
            rationale: String::new(),
            claim: None,
            files: Vec::new(),
            trust: Trust::Inferred,
            since: None,
        }
    }
}

/// A change to one file; the diff may hold more files under `---`/`+++` headers.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The file, relative to the project's root.
    pub path: &'a str,
    /// Unified diff, with or without file headers.
    pub diff: &'a str,
}

/// Holds a change against decisions and gives the worst verdict.
///
/// Every decision handed over is checked, whatever its files: choosing them is [`candidates::candidates`]' business.
/// Never fails; text that is no diff contradicts nothing. Costs a fraction of a millisecond for a usual change and a
/// handful of decisions; of a diff the first 96 KB are read, of a line the first 2 KB.
pub fn check(change: &Change<'_>, decisions: &[DecisionText]) -> Verdict {
    let watch = Stopwatch::start();
    let diff = Diff::parse(change.path, change.diff);
    let mut found: Vec<(&DecisionText, Finding, Severity)> = decisions
        .iter()
        .filter_map(|d| {
            let reading = Reading::of(d);
            let finding = rules::judge(&reading, &diff)?;
            let severity = severity(&finding, reading.by_user);
            Some((d, finding, severity))
        })
        .collect();
    // Stable: among equals the caller's order (strongest first) stays.
    found.sort_by_key(|(_, f, s)| std::cmp::Reverse((f.kind, *s)));
    let mut verdict = verdict_of(&found);
    verdict.elapsed_micros = watch.micros();
    verdict
}

fn verdict_of(found: &[(&DecisionText, Finding, Severity)]) -> Verdict {
    let Some((decision, finding, severity)) = found.first() else {
        return Verdict { checked_by: CheckedBy::Offline, ..Verdict::default() };
    };
    Verdict {
        verdict: finding.kind,
        severity: *severity,
        decisions: found.iter().map(|(d, _, _)| d.id.clone()).collect(),
        explanation: render::explanation(decision, finding),
        recommendation: render::recommendation(finding),
        checked_by: CheckedBy::Offline,
        elapsed_micros: 0,
    }
}

fn severity(finding: &Finding, by_user: bool) -> Severity {
    match finding.kind {
        VerdictKind::DirectContradiction if by_user || finding.prohibition => Severity::High,
        VerdictKind::DirectContradiction => Severity::Medium,
        _ => Severity::Low,
    }
}
