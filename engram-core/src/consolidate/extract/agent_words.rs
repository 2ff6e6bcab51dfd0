//! What the agent's final message states: choices against an alternative, and what it found out.

use super::candidate::{Candidate, worth};
use super::prose::{self, Form, Unit};
use super::sentence::{self, count, has, is_english, length, literals, normal, starts};
use super::turns::Turn;
use super::{cues, files, wording};
use crate::graph::node::NodeType;

const SHORTEST: usize = 5;
const LONGEST: usize = 380;
/// How a decision is announced, on the rare occasions when it is.
const ANNOUNCED: &[&str] = &[
    "we decided",
    "we have decided",
    "decided to",
    "we chose",
    "chose to",
    "we agreed",
    "agreed to",
    "we settled on",
    "decision is",
];

/// Memories in the final message of one turn.
pub(super) fn read(turn: &Turn<'_>, at: usize) -> Vec<Candidate> {
    let mut made = Vec::new();
    for unit in prose::units(turn.text).iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))) {
        let sentences = unit.sentences();
        for (i, own) in sentences.iter().enumerate() {
            if states_something(own, unit) {
                made.extend(classified(unit, i, own, turn, at));
            }
        }
    }
    made
}

/// Sentences that state what was done or is so, with their files; what the concepts are described with.
pub(super) fn facts(turn: &Turn<'_>) -> Vec<String> {
    let units = prose::units(turn.text);
    let listed = units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_)));
    let each =
        listed.flat_map(|u| u.sentences().into_iter().enumerate().map(move |(i, s)| (u, i, s)).collect::<Vec<_>>());
    each.filter(|(u, _, s)| states_something(s, u))
        .map(|(u, i, _)| with_file(u, &wording::compose(u, i), turn))
        .collect()
}

/// A sentence under a label that names a file names it too.
fn with_file(unit: &Unit, text: &str, turn: &Turn<'_>) -> String {
    let place = [&unit.lead, &unit.heading].into_iter().find(|l| !files::named(l, turn).is_empty());
    match place {
        Some(l) if files::named(text, turn).is_empty() => format!("{}: {text}", wording::tidy_lead(l)),
        _ => text.to_owned(),
    }
}

/// Whether a sentence may be a fact at all: no talk, no offer, no result of a run, no fragment.
pub(super) fn states_something(own: &str, unit: &Unit) -> bool {
    let n = normal(own);
    !own.ends_with(['?', ':'])
        && own.len() <= LONGEST
        && length(&n) >= SHORTEST
        && is_english(&n)
        && !starts(&n, cues::TALK)
        && !has(&n, cues::BOOKKEEPING)
        && !has(&normal(&unit.heading), cues::LEFT_HEADINGS)
        && !is_proposal(unit)
        && !own.contains("http://")
        && !own.contains("https://")
        && !own.ends_with(',')
}

/// Lists of options and manuals are no statements about what is.
fn is_proposal(unit: &Unit) -> bool {
    let around = normal(&format!("{} {}", unit.heading, unit.lead));
    has(
        &around,
        &[
            "option",
            "options",
            "pros",
            "cons",
            "how to use*",
            "usage",
            "to run",
            "setup",
            "would",
            "could",
            "recommend*",
            "want me",
            "you have",
            "example",
            "examples",
            "next*",
            "what to look for",
            "if settings*",
        ],
    )
}

fn classified(unit: &Unit, i: usize, own: &str, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    let n = normal(own);
    if has(&n, cues::OPEN_MIND) {
        return None;
    }
    let text = wording::ended(&wording::capital(&with_file(unit, &wording::compose(unit, i), turn)));
    let around = normal(&format!("{} {}", unit.heading, unit.lead));
    let strong = count(&n, cues::CONTRAST);
    let weak = count(&n, cues::CHOICE);
    let reason = has(&n, cues::REASON);
    let found = count(&n, cues::FOUND) + usize::from(has(&around, cues::FOUND));
    let concrete = literals(&text).min(3);
    let evidence = !files::named(&text, turn).is_empty();
    // A choice that is announced as one needs no code span to be believed.
    let announced = announces(&n) && strong > 0;
    if concrete == 0 && !evidence && !announced {
        return None;
    }
    let weight = |base: u32, cues: usize| {
        base + 6 * u32::try_from(cues.min(3)).unwrap_or(0)
            + 4 * u32::from(reason)
            + 3 * u32::from(evidence)
            + u32::try_from(concrete).unwrap_or(0)
    };
    if announced || turn.wrote() && (strong > 0 || (weak >= 2 && reason) || (weak >= 1 && reason && evidence)) {
        let made = Candidate::decision(&text, own, weight(worth::AGENT, strong), at);
        return Some(made.files(files::of_sentence(&text, turn)));
    }
    let explains = reason && concrete >= 2 && turn.wrote();
    if found > 0 || explains {
        let made = Candidate::new(NodeType::Finding, &text, weight(worth::FINDING, found), at);
        return Some(made.files(files::named(&text, turn)));
    }
    None
}

/// Whether a sentence says of itself that it is a decision.
pub(super) fn announces(normal: &str) -> bool {
    has(normal, ANNOUNCED)
}

/// The first sentence of the final message that states something, else the first that is no talk.
pub(super) fn gist(text: &str) -> String {
    let units = prose::units(text);
    let lines = || units.iter().filter(|u| u.form != Form::Row && u.form != Form::Quote);
    let first = |accept: &dyn Fn(&Unit, &str) -> bool| {
        lines().find_map(|u| u.sentences().iter().position(|s| accept(u, s)).map(|i| wording::compose(u, i)))
    };
    first(&|u, s| states_something(s, u))
        .or_else(|| {
            first(&|_, s| {
                length(&normal(s)) > 3
                    && !s.ends_with(['?', ':'])
                    && !starts(&normal(s), &["let me", "now", "ill", "perfect", "great"])
            })
        })
        .unwrap_or_default()
}

/// The sentences that tell how something was mended, best first.
pub(super) fn mending(turn: &Turn<'_>) -> Option<String> {
    let units = prose::units(turn.text);
    let mut best: Option<(usize, String)> = None;
    for unit in units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))) {
        for (i, own) in unit.sentences().iter().enumerate().filter(|(_, s)| states_something(s, unit)) {
            let n = normal(own);
            if announces(&n) {
                continue;
            }
            let score = 3 * count(&n, cues::FIXED).min(2)
                + 2 * usize::from(has(&n, cues::REASON))
                + literals(own).min(3)
                + usize::from(sentence::count(&n, cues::CONTRAST) > 0);
            if best.as_ref().is_none_or(|(s, _)| score > *s) {
                best = Some((score, wording::compose(unit, i)));
            }
        }
    }
    best.filter(|(score, _)| *score > 1).map(|(_, text)| text)
}
