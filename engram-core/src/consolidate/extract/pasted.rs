//! Documents in a prompt: plans to carry out, reviews to answer.

use super::candidate::{Candidate, worth};
use super::prose::{self, Form, Unit};
use super::sentence::{count, has, is_english, length, literals, normal, starts};
use super::turns::Turn;
use super::{cues, files, wording};
use crate::graph::node::{NodeType, Origin, Trust};

const LONG: usize = 1_200;
/// Sentences of one plan that may become memories.
const MOST: usize = 8;

/// Whether a prompt is a document rather than somebody speaking.
pub(super) fn is_document(prompt: &str) -> bool {
    is_plan(prompt) || is_review(prompt)
}

/// A plan: said to be one, or long and under headings.
pub(super) fn is_plan(prompt: &str) -> bool {
    let n = normal(crate::text::clip(prompt, 200));
    starts(
        &n,
        &["implement the following plan", "implement this plan", "approved this plan", "execute the following plan"],
    ) || (prompt.len() > LONG && prompt.lines().filter(|l| l.starts_with('#')).count() >= 3)
}

/// A reviewer's remark with its severity.
pub(super) fn is_review(prompt: &str) -> bool {
    prompt.lines().take(6).any(|l| {
        let n = normal(l);
        n.ends_with(" severity ") && length(&n) <= 2
            || has(&n, &["potential issue", "eval this feedback", "address this feedback"])
    })
}

/// The title of a plan.
pub(super) fn title(prompt: &str) -> Option<String> {
    let heading = prompt.lines().find_map(|l| l.strip_prefix("# ").or_else(|| l.strip_prefix("## ")))?;
    let title = super::sentence::plain(heading);
    let bare = ["Plan:", "Implementation Plan:", "Implementation Plan for", "Plan -"]
        .iter()
        .find_map(|p| title.strip_prefix(p));
    Some(bare.unwrap_or(&title).trim().to_owned())
}

/// Decisions and causes in the plans of a turn, as far as they were carried out.
pub(super) fn read(turn: &Turn<'_>, at: usize) -> Vec<Candidate> {
    if !turn.wrote() {
        return Vec::new();
    }
    let plans = turn.prompts.iter().filter(|p| is_plan(p));
    let mut made: Vec<Candidate> = plans.flat_map(|p| of_plan(p, turn, at)).collect();
    made.sort_by_key(|c| std::cmp::Reverse(c.value));
    made.truncate(MOST);
    made
}

fn of_plan(plan: &str, turn: &Turn<'_>, at: usize) -> Vec<Candidate> {
    let title = title(plan).unwrap_or_default();
    let mut made: Vec<Candidate> = prose::units(plan).iter().flat_map(|u| of_unit(u, turn, at)).collect();
    // Lines of a plan lean on its title.
    for candidate in made.iter_mut().filter(|c| !title.is_empty() && literals(&c.node.description) < 2) {
        candidate.node.description = wording::clip(&format!("{title}: {}", candidate.node.description));
    }
    made
}

fn of_unit(unit: &Unit, turn: &Turn<'_>, at: usize) -> Vec<Candidate> {
    if !matches!(unit.form, Form::Line | Form::Bullet(_)) {
        return Vec::new();
    }
    let sentences = unit.sentences();
    let each = sentences.iter().enumerate().filter(|(_, s)| may_hold(s));
    each.filter_map(|(i, s)| planned(unit, i, s, turn, at)).collect()
}

fn may_hold(own: &str) -> bool {
    let n = normal(own);
    !own.ends_with(['?', ':']) && length(&n) >= 5 && own.len() <= 380 && is_english(&n)
}

fn planned(unit: &Unit, i: usize, own: &str, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    let n = normal(own);
    let text = wording::ended(&wording::capital(&wording::compose(unit, i)));
    if has(&normal(&unit.heading), cues::PLAN_CAUSES) || has(&n, &["root cause", "the bug"]) {
        return cause(&n, &text, turn, at);
    }
    if is_aside(&n, unit) || line_numbers(own) || !carried_out(&text, unit, turn) {
        return None;
    }
    let decides = has(&normal(&unit.heading), cues::PLAN_DECISIONS);
    let strong = count(&n, cues::CONTRAST);
    let listed = decides && matches!(unit.form, Form::Bullet(_));
    if !(listed || (strong > 0 && (decides || literals(own) > 0))) {
        return None;
    }
    let points = 4 * usize::from(has(&n, cues::REASON)) + 3 * strong.min(2);
    let value = worth::PLAN - if decides { 0 } else { 12 } + u32::try_from(points).unwrap_or_default();
    let agreed = has(&normal(&unit.heading), &["user", "confirmed", "agreed"]);
    let made = Candidate::decision(&text, own, value, at).files(files::of_sentence(&text, turn));
    Some(from_plan(made, if agreed { Trust::User } else { Trust::Inferred }))
}

/// Why the work is needed, where the plan says it in so many words.
fn cause(n: &str, text: &str, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    let explains = has(n, cues::FOUND) || has(n, cues::REASON) || has(n, &["the bug", "root cause"]);
    let stated = !text.trim_end_matches('.').ends_with(':') && literals(text) > 0;
    let made = Candidate::new(NodeType::Finding, text, worth::PLAN, at).files(files::named(text, turn));
    (explains && stated).then(|| from_plan(made, Trust::Inferred))
}

/// What was so before, how the work is to be checked, what may be: no decisions.
fn is_aside(n: &str, unit: &Unit) -> bool {
    let place = normal(&format!("{} {}", unit.heading, unit.lead));
    (has(&place, cues::PLAN_ASIDES) && !has(n, &["single source of truth"]))
        || has(n, cues::PLAN_DOUBTS)
        || starts(n, &["if", "when", "additionally", "add test"])
}

fn from_plan(mut made: Candidate, trust: Trust) -> Candidate {
    made.node.origin = Origin::User;
    made.trusted(trust)
}

/// A step counts only if the file that it names was written; one that names none, if anything was.
fn carried_out(text: &str, unit: &Unit, turn: &Turn<'_>) -> bool {
    let place = format!("{} {} {text}", unit.heading, unit.lead);
    let names_file = place.split(|c: char| c.is_whitespace() || "`(),:".contains(c)).any(|w| {
        w.rsplit_once('.').is_some_and(|(a, b)| {
            a.len() > 2 && (1..=5).contains(&b.len()) && b.bytes().all(|c| c.is_ascii_lowercase()) && w.contains('/')
        })
    });
    !names_file || !files::named(&place, turn).is_empty()
}

/// Steps that point at lines are instructions to an editor.
fn line_numbers(own: &str) -> bool {
    has(&normal(own), &["line", "lines"]) && own.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_reviews_are_no_speech() {
        assert!(is_plan("Implement the following plan:\n\n# Plan: Faster start\n"));
        assert!(is_review("Lock is never released\n\nHigh Severity\n\nThe guard is dropped early."));
        assert!(!is_document("this has high severity for me, please keep the lock"));
        assert_eq!(title("x\n# Plan: Faster start\n").as_deref(), Some("Faster start"));
    }
}
