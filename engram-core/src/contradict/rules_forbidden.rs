//! Rules about what a decision forbids.

use super::diff::{Line, Nature, Side};
use super::finding::{Case, Finding};
use super::glob;
use super::pattern;
use super::term::{Form, Term};
use super::verdict::VerdictKind::{DirectContradiction as Direct, IndirectContradiction as Indirect};
use crate::text;

/// A forbidden thing is named on an added line, and done with what the decision says.
pub(crate) fn named(case: &Case<'_>) -> Option<Finding> {
    case.reading.forbidden.iter().find_map(|term| {
        let line = case.newly(|l| term.on(l, case.diff) && done(term, l, case) && !cured(term, l, case))?;
        Some(case.finding(Direct, true, line, format!("adds {}, which it rules out", term.text)))
    })
}

/// Whether the line does with the thing what must not be done.
fn done(term: &Term, line: &Line<'_>, case: &Case<'_>) -> bool {
    let Some(verb) = term.verb.as_deref() else { return !matches!(term.form, Form::Notion(_)) };
    let stem = text::stem(verb);
    if EDITING.contains(&verb) && matches!(&term.form, Form::Code(c) if is_path(c)) {
        return false;
    }
    match ACTIONS.iter().find(|(verbs, _)| verbs.iter().any(|v| text::stem(v) == stem)) {
        Some((_, Action::Import)) => line.nature == Nature::Import,
        Some((_, Action::Assign)) => assigned(term, line),
        Some((_, Action::Patterns(patterns))) => case.any(patterns, line),
        None => line.words.iter().any(|w| text::stem(w) == stem),
    }
}

enum Action {
    /// The line is an import.
    Import,
    /// Stands left of an `=`, or is handed to a mutating call.
    Assign,
    /// One of these is on the line too.
    Patterns(&'static [&'static str]),
}

const LOG_CALLS: &[&str] = &[
    "log.*",
    "~logger.*",
    "~logging.*",
    "console.*",
    "~*log(",
    "info!(",
    "warn!(",
    "error!(",
    "debug!(",
    "trace!(",
    "slog.*",
    "Log.*",
    "println!(",
    "print(",
    "fmt.Print*",
    "System.out.*",
    "echo ",
    "printf(",
    "puts ",
    "Timber.*",
    "NSLog(",
    "~_log.*",
];
const ACTIONS: &[(&[&str], Action)] = &[
    (&["import", "imported", "depend"], Action::Import),
    (
        &[
            "assign",
            "assigned",
            "set",
            "mutate",
            "mutated",
            "modify",
            "modified",
            "overwrite",
            "overwritten",
            "reassigned",
            "changed",
        ],
        Action::Assign,
    ),
    (&["log", "logged", "print", "printed"], Action::Patterns(LOG_CALLS)),
    (&["thrown", "throw", "raise", "raised"], Action::Patterns(&["throw ", "raise ", "throw new "])),
    (&["catch", "caught"], Action::Patterns(&["catch*", "except*", "rescue*"])),
    (&["return", "returned"], Action::Patterns(&["return "])),
    (
        &["delete", "deleted", "remove", "removed", "drop", "dropped"],
        Action::Patterns(&["~*delete*", "~*remove*", "\"~drop ", "~*destroy*", "\"~truncate*"]),
    ),
    (&["mock", "mocked", "stubbed"], Action::Patterns(&["~*mock*", "~*stub*", "patch(", "@patch*", "~*spy*"])),
    (&["cache", "cached"], Action::Patterns(&["~*cache*", "~*memo*"])),
    (
        &["hardcoded", "hard-coded", "hardcode", "inlined"],
        Action::Patterns(&["%literal_secret", "= \"", "= '", ": \"", ": '"]),
    ),
    (
        &["interpolated", "concatenated"],
        Action::Patterns(&["*${", "\" +", "' +", "f\"", "\"*{", "format!(", "Sprintf("]),
    ),
];

fn assigned(term: &Term, line: &Line<'_>) -> bool {
    let code = match &term.form {
        Form::Code(code) => code,
        Form::Notion(_) => return false,
        _ => return line.code.contains(" = ") || line.code.contains("+="),
    };
    let Some(at) = pattern::position(&line.text, code, false) else { return false };
    let after = &line.text[at + code.len()..];
    // The path goes on (`.KEY`, `['KEY']`) up to the sign that says what is done with it.
    let sign = after.find(['=', '(', ')', ',', ';', '{', '?', '<', '>', '!', '|', '&', '+']);
    let rest = sign.map_or("", |s| &after[s..]);
    let plain = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>");
    let compound =
        ["+=", "||=", "??=", "&&=", "|="].iter().any(|o| rest.starts_with(o)) || rest.starts_with("?\u{3f}=");
    plain || compound || line.code.trim_start().starts_with("delete ")
}

/// The line does it the way that the decision asks for.
fn cured(term: &Term, line: &Line<'_>, case: &Case<'_>) -> bool {
    let by_required =
        case.reading.required.iter().any(|r| r.is_distinct() && !r.same_thing(term) && r.on(line, case.diff));
    by_required || denies(line)
}

/// Build tags and feature gates that exclude a thing.
fn denies(line: &Line<'_>) -> bool {
    ["not(feature", "!cgo", "#ifndef", "deny(", "forbid(", "banned", "disallow", "\"error\"", "'error'"]
        .iter()
        .any(|d| line.text.contains(d))
}

/// A forbidden notion shows on an added line.
pub(crate) fn notion(case: &Case<'_>) -> Option<Finding> {
    case.reading.forbidden_concepts.iter().find_map(|concept| {
        let shown = |l: &Line<'_>| case.any(concept.shows, l) && !denies(l) && !cured_by_required(l, case);
        let line = case.newly(shown)?;
        Some(case.finding(Direct, true, line, format!("adds {}, which it rules out", concept.name)))
    })
}

fn cured_by_required(line: &Line<'_>, case: &Case<'_>) -> bool {
    case.reading.required.iter().any(|r| matches!(r.form, Form::Code(_)) && r.is_distinct() && r.on(line, case.diff))
}

/// A known other way to the effect of a forbidden notion.
pub(crate) fn around(case: &Case<'_>) -> Option<Finding> {
    case.reading.forbidden_concepts.iter().find_map(|concept| {
        let asked = |l: &Line<'_>| case.reading.required.iter().any(|r| r.on(l, case.diff));
        let line = case.newly(|l| case.any(concept.around, l) && !asked(l) && !denies(l))?;
        Some(case.finding(Indirect, true, line, format!("reaches the effect of {} by another way", concept.name)))
    })
}

const EDITING: &[&str] = &[
    "edited",
    "edit",
    "edits",
    "modified",
    "modify",
    "changed",
    "change",
    "touched",
    "touch",
    "committed",
    "commit",
    "altered",
    "written",
];

fn is_path(code: &str) -> bool {
    code.contains('/')
        || code.contains('*')
        || code.rsplit_once('.').is_some_and(|(s, e)| !s.is_empty() && e.len() <= 5)
}

/// A file that must not be edited is edited.
pub(crate) fn edited(case: &Case<'_>) -> Option<Finding> {
    if !case.reading.says(EDITING) {
        return None;
    }
    let untouchable = case.reading.forbidden.iter().filter_map(|t| match &t.form {
        Form::Code(code) if is_path(code) => Some(code.as_str()),
        _ => None,
    });
    untouchable.into_iter().find_map(|code| {
        let hit = |l: &&Line<'_>| glob::covers(code, case.diff.file_of(l).path);
        let line = case.diff.lines.iter().filter(|l| l.side != Side::Context).find(hit)?;
        Some(case.finding(Direct, true, line, format!("edits {code}, which is not to be edited")))
    })
}

const OFF: &[&str] = &[
    "^eslint-disable*",
    "^biome-ignore",
    "^noqa",
    "^nolint",
    "^type: ignore",
    "^@ts-ignore",
    "^@ts-expect-error",
    "@SuppressWarnings",
    "@Suppress(",
    "#[allow(",
    "#![allow(",
    "#[expect(",
    "^NOSONAR",
    "^rubocop:disable",
    "^pylint: disable*",
    "^shellcheck disable*",
    "^swiftlint:disable*",
    "#pragma warning disable",
    "^NOLINT*",
    "^phpstan-ignore*",
    "^hadolint ignore*",
    "\"*: 'off'",
    "\"*: \"off\"",
    "\"*: off",
    "\"*': 0",
    "\"*\": 0",
    "\"*\": false",
    "\"*': false",
    "= \"allow\"",
    "\"= \"allow\"",
    "Enabled: false",
    "^checkov:skip*",
    "^tfsec:ignore*",
    "^trivy:ignore*",
    "^nosec",
    "^kics-scan ignore*",
    "^stylelint-disable*",
    "^sqlfluff:*",
    "^-- noqa",
    "= false",
    "level = \"off\"",
    "disable:",
];

/// The check that guards a forbidden or required thing is switched off for it.
pub(crate) fn suppressed(case: &Case<'_>) -> Option<Finding> {
    let hit = |l: &&Line<'_>| case.is_bound(l) && case.any(OFF, l) && names_rule(case, l);
    let line = case.diff.side(Side::Added).find(hit)?;
    let gone = case.diff.side(Side::Removed).filter(hit).count();
    (gone == 0).then(|| case.finding(Indirect, true, line, "switches off the check that guards it".to_owned()))
}

/// Whether the line has the words of a forbidden thing, or of a notion, as names of lint rules do.
fn names_rule(case: &Case<'_>, line: &Line<'_>) -> bool {
    let stems: Vec<String> = text::words(line.raw).iter().map(|w| text::stem(w)).collect();
    let has_all = |words: &[String]| !words.is_empty() && words.iter().all(|w| stems.contains(w));
    let stemmed = |words: Vec<String>| words.iter().filter(|w| w.len() > 2).map(|w| text::stem(w)).collect::<Vec<_>>();
    let named = case.reading.forbidden.iter().any(|t| match &t.form {
        Form::Phrase(words) => has_all(words),
        Form::Code(code) => has_all(&stemmed(text::words(code))),
        _ => false,
    });
    let mut concepts = case.reading.forbidden_concepts.iter().chain(&case.reading.required_concepts);
    named || concepts.any(|c| c.mentions.iter().filter(|m| m.len() > 3).any(|m| has_all(&stemmed(text::words(m)))))
}
