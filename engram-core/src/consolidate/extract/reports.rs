//! Trouble that the user reported and the agent mended in the same turn.

use super::candidate::{Candidate, worth};
use super::prose::{self, Form};
use super::sentence::{count, has, is_english, length, literals, normal};
use super::turns::Turn;
use super::{agent_words, commands, cues, files, pasted, wording};
use crate::graph::node::{NodeType, Trust};

/// The report of a turn as an error with its mending. A report that the turn before did not mend still counts.
pub(super) fn read(turn: &Turn<'_>, previous: Option<&Turn<'_>>, at: usize) -> Option<Candidate> {
    if !turn.wrote() {
        return None;
    }
    // An earlier report counts only if the talk is still about trouble.
    let still = has(&normal(turn.request()), cues::PROBLEM);
    let waiting = previous.filter(|p| still && agent_words::mending(p).is_none());
    let reported = |t: &Turn<'_>| t.prompts.iter().filter_map(|p| problem(p)).next();
    let problem = waiting.and_then(reported).or_else(|| reported(turn))?;
    let mended = agent_words::mending(turn)?;
    let cause = cause(turn, &mended);
    let mut text = format!("Problem: {}", wording::ended(&wording::shorten(&problem, 190)));
    if let Some(cause) = cause.as_deref().map(|c| c.strip_prefix("Root cause: ").unwrap_or(c)) {
        text = format!("{text} Cause: {}", wording::ended(&wording::shorten(cause, 140)));
    }
    text = format!("{text} Fix: {}", wording::ended(&wording::shorten(mended.trim_start_matches("Fixed: "), 170)));
    let verified = commands::last_passing(turn);
    if let Some(command) = &verified {
        text = format!("{text} Verified by `{command}`.");
    }
    let mut made = Candidate::new(NodeType::Error, &text, worth::REPORT, at).named(&wording::capital(&problem));
    made.node.causal = true;
    made.mended_in = files::of_sentence(&mended, turn);
    made.node.files.clone_from(&made.mended_in);
    made.cause = cause.unwrap_or_default();
    made.resolution = mended;
    Some(if verified.is_some() { made.trusted(Trust::Observed) } else { made })
}

/// The sentence of a prompt that says what is wrong.
fn problem(prompt: &str) -> Option<String> {
    if pasted::is_plan(prompt) {
        return None;
    }
    let review = pasted::is_review(prompt);
    let units = prose::units(prompt);
    let mut before = String::new();
    let mut best: Option<(usize, String)> = None;
    for unit in units.iter().filter(|u| u.form != Form::Row) {
        let sentences = unit.sentences();
        for (i, own) in sentences.iter().copied().enumerate() {
            let n = normal(own);
            let driven = has(&n, cues::PROCEDURE) && !has(&n, &["bug"]);
            let score =
                count(&n, cues::PROBLEM).min(3) * 2 + literals(own).min(2) + usize::from(review && length(&n) > 6);
            let fits =
                count(&n, cues::PROBLEM) > 0 && length(&n) >= 5 && is_english(&n) && !driven && !own.ends_with('?');
            if fits && best.as_ref().is_none_or(|(s, _)| score > *s) {
                let joined = wording::points_back(own) && !before.is_empty() && before.len() < 120;
                let next =
                    sentences.get(i + 1).filter(|s| own.len() < 70 && !s.ends_with('?')).copied().unwrap_or_default();
                let head = if joined { wording::ended(&before) } else { String::new() };
                best = Some((score, format!("{head} {own} {next}").trim().to_owned()));
            }
            own.clone_into(&mut before);
        }
    }
    best.map(|(_, text)| text)
}

/// A stated cause beside the mending.
fn cause(turn: &Turn<'_>, mended: &str) -> Option<String> {
    let units = prose::units(turn.text);
    units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))).find_map(|u| {
        let sentences = u.sentences();
        let at = sentences.iter().position(|s| {
            let n = normal(s);
            has(
                &n,
                &[
                    "root cause",
                    "caused by",
                    "the issue was",
                    "the problem was",
                    "the bug was",
                    "was because",
                    "the cause",
                    "because",
                ],
            ) && agent_words::states_something(s, u)
                && !agent_words::announces(s)
        })?;
        Some(wording::compose(u, at)).filter(|c| c != mended)
    })
}
