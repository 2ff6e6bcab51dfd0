//! Rules about what a decision asks for.

use super::concept::Concept;
use super::diff::{Diff, Line, Nature, Side};
use super::finding::{Case, Finding};
use super::pattern;
use super::rival;
use super::term::{Form, Term};
use super::verdict::VerdictKind::{DirectContradiction as Direct, IndirectContradiction as Indirect};
use super::vocabulary::{CHOOSING, GENERAL, IDLE};
use crate::text;

/// The opposite of what is asked for is added.
pub(crate) fn opposite(case: &Case<'_>) -> Option<Finding> {
    case.reading.required_concepts.iter().filter(|c| !is_custom(case, c) && !is_met(case, c)).find_map(|concept| {
        let shown = |l: &Line<'_>| case.any(concept.breaks, l) && !named_required(l, case) && is_held(case, concept, l);
        let line = case.newly(shown)?;
        Some(case.finding(Direct, false, line, format!("goes against {}, which it asks for", concept.name)))
    })
}

/// What is asked for stays in name and is undone.
pub(crate) fn defeated(case: &Case<'_>) -> Option<Finding> {
    case.reading.required_concepts.iter().find_map(|concept| {
        let shown =
            |l: &Line<'_>| case.any(concept.defeats, l) && !named_required(l, case) && is_held(case, concept, l);
        let line = case.newly(shown)?;
        Some(case.finding(Indirect, false, line, format!("undoes {}, which it asks for", concept.name)))
    })
}

/// Lines around the change have the opposite too: the file, or its format, has another custom.
fn is_custom(case: &Case<'_>, concept: &Concept) -> bool {
    let indents = matches!(concept.name, "tabs" | "spaces");
    let fixed = |name: &str| matches!(name, "yaml" | "python" | "make" | "prose" | "go");
    let foreign = case.diff.files.iter().any(|f| {
        concept.name == "tabs" && matches!(f.language.name, "yaml" | "python" | "prose")
            || concept.name == "spaces"
                && fixed(f.language.name)
                && f.language.name != "yaml"
                && f.language.name != "python"
    });
    indents && (foreign || case.diff.side(Side::Context).any(|l| case.any(concept.breaks, l)))
}

/// A duty that a line nearby fulfils: the timeout of a request over several lines.
fn is_met(case: &Case<'_>, concept: &Concept) -> bool {
    let kept =
        |l: &Line<'_>| case.any(concept.shows, l) && !case.any(concept.breaks, l) && !case.any(concept.defeats, l);
    concept.name == "a timeout" && case.after().any(kept)
}

/// A decision about one table says nothing of the others.
fn is_held(case: &Case<'_>, concept: &Concept, line: &Line<'_>) -> bool {
    let Some(holder) = &case.reading.holder else { return true };
    let of_rows = matches!(concept.name, "an append-only record" | "soft deletion");
    !of_rows || text::words(&line.text).iter().any(|w| text::stem(w) == *holder)
}

fn named_required(line: &Line<'_>, case: &Case<'_>) -> bool {
    case.reading.required.iter().any(|r| matches!(r.form, Form::Code(_)) && r.is_distinct() && r.on(line, case.diff))
}

/// A library or tool that competes with the chosen one comes in.
pub(crate) fn rival(case: &Case<'_>) -> Option<Finding> {
    if !case.reading.says(CHOOSING) {
        return None;
    }
    let chosen = &case.reading.chosen;
    chosen.iter().find_map(|(name, family)| {
        let allowed = |r: &str| rival::same(r, name) || case.reading.chosen.iter().any(|(n, _)| rival::same(r, n));
        let rivals: Vec<&str> = family.iter().copied().filter(|r| !allowed(r)).collect();
        let line = case.newly(|l| rivals.iter().any(|r| brings_in(r, l, case.diff)))?;
        Some(case.finding(Direct, false, line, format!("brings in a rival of {name}, which was chosen")))
    })
}

/// Whether a line imports, declares or installs `name`, or gives an address of it.
fn brings_in(name: &str, line: &Line<'_>, diff: &Diff<'_>) -> bool {
    const INSTALLING: &[&str] = &[
        "install ", " add ", "FROM ", "image:", "uses:", "://", "run:", "npm ", "npx ", "yarn ", "pnpm ", "bun ",
        "apt-get ", "apk ",
    ];
    let data = !diff.file_of(line).language.strings_are_text;
    let place = line.nature == Nature::Import || data && INSTALLING.iter().any(|i| line.text.contains(i));
    place && module_named(&line.text, name)
}

/// `name` as a module: `from name`, `'name'`, `@scope/name`, `name::x`, `name = "1"`; not a part of a longer word.
fn module_named(text: &str, name: &str) -> bool {
    let lower = text.to_lowercase();
    let Some(at) = pattern::position(&lower, name, false) else { return false };
    let ends = lower[at + name.len()..].chars().next();
    let before = lower[..at].chars().next_back();
    !matches!(ends, Some('-')) && !matches!(before, Some('-'))
}

/// "All X goes through Y": X done without Y.
pub(crate) fn bypass(case: &Case<'_>) -> Option<Finding> {
    let words = &case.reading.words;
    let at = words.windows(2).position(|w| {
        matches!(
            w[0].as_str(),
            "go" | "goes" | "done" | "happens" | "made" | "only" | "passes" | "sent" | "read" | "written" | "accessed"
        ) && matches!(w[1].as_str(), "through" | "via" | "by" | "using" | "with")
    })?;
    let gates: Vec<&Term> = case.reading.required.iter().filter(|t| t.is_distinct() && !is_general(t)).collect();
    if gates.is_empty() || at == 0 || case.diff.files.iter().any(|f| gates.iter().any(|g| is_home_of(g, f.path))) {
        return None;
    }
    case.reading.required_concepts.iter().find_map(|concept| {
        let past = |patterns: &'static [&'static str]| {
            case.newly(|l| {
                l.nature == Nature::Code && case.any(patterns, l) && !gates.iter().any(|g| g.on(l, case.diff))
            })
        };
        let reason = || format!("does {} without {}", concept.name, gates[0].text);
        past(concept.shows)
            .map(|l| case.finding(Direct, false, l, reason()))
            .or_else(|| past(concept.around).map(|l| case.finding(Indirect, false, l, reason())))
    })
}

/// The gate's own file may do what the gate is for.
fn is_home_of(gate: &Term, path: &str) -> bool {
    let plain = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let name = gate.text.rsplit(['.', ':', '/']).find(|p| p.len() > 2).unwrap_or(&gate.text);
    plain(path).contains(&plain(name)) || path.contains(&gate.text)
}

const EVERY: &[&str] = &["every", "each", "wherever", "whenever", "all", "any", "always", "must"];

/// "Every X has Y": X comes in, and no Y is in sight.
pub(crate) fn unaccompanied(case: &Case<'_>) -> Option<Finding> {
    if !case.reading.says(EVERY) {
        return None;
    }
    let subjects = &case.reading.required_concepts;
    subjects.iter().filter(|c| is_subject(c)).find_map(|subject| {
        let companion = subjects.iter().find(|c| c.name != subject.name && is_companion(c))?;
        alone(case, subject.shows, companion)
            .map(|l| case.finding(Direct, false, l, format!("has {} without {}", subject.name, companion.name)))
            .or_else(|| {
                let line = alone(case, subject.around, companion)?;
                Some(case.finding(
                    Indirect,
                    false,
                    line,
                    format!("has {} in other words, without {}", subject.name, companion.name),
                ))
            })
    })
}

/// Notions that decisions tie a duty to, and notions that are such a duty.
fn is_subject(c: &Concept) -> bool {
    matches!(
        c.name,
        "resolving a path on disk"
            | "background work without an end"
            | "network access"
            | "threads"
            | "child processes"
            | "unsafe code"
    )
}

fn is_companion(c: &Concept) -> bool {
    matches!(
        c.name,
        "a fallback" | "an end that can be awaited" | "a timeout" | "guarded access" | "the caller's context"
    )
}

fn alone<'a>(case: &Case<'a>, subject: &[&str], companion: &Concept) -> Option<&'a Line<'a>> {
    let line = case.newly(|l| l.nature == Nature::Code && case.any(subject, l))?;
    let near = |l: &&Line<'_>| l.file == line.file;
    let accompanied =
        case.after().filter(near).any(|l| case.any(companion.shows, l) && !case.any(companion.defeats, l));
    (!accompanied).then_some(line)
}

/// What is asked for is taken away and does not come back.
pub(crate) fn lost(case: &Case<'_>) -> Option<Finding> {
    let named = case.reading.required.iter().filter(|t| t.is_distinct() && !is_general(t)).find_map(|t| {
        let line = case.lost(|l| t.on(l, case.diff))?;
        Some((line, t.text.clone()))
    });
    let (line, what) = named.or_else(|| lost_notion(case))?;
    // Where the decision says what must not be, a loss that does not do that is one step away from the breach.
    let ruled = !(case.reading.forbidden.is_empty() && case.reading.forbidden_concepts.is_empty());
    let kind = if ruled && case.code(Side::Added).next().is_some() { Indirect } else { Direct };
    Some(case.finding(kind, false, line, format!("takes away {what}, which it asks for")))
}

fn lost_notion<'a>(case: &Case<'a>) -> Option<(&'a Line<'a>, String)> {
    let shown = case
        .reading
        .required_concepts
        .iter()
        .filter(|c| !c.shows.is_empty() && !is_subject(c) && !IDLE.contains(&c.name));
    shown.into_iter().find_map(|c| {
        let line = case.lost(|l| case.any(c.shows, l))?;
        Some((line, c.name.to_owned()))
    })
}

/// Acronyms that are the subject of too many lines to be missed on one.
fn is_general(term: &Term) -> bool {
    GENERAL.contains(&term.text.to_lowercase().as_str())
}
