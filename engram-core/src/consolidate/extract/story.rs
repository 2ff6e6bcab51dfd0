//! The episode itself: goal, approach, outcome, and the node that tells it.

use super::commands::{self, Check};
use super::sentence::{has, normal};
use super::turns::{Turn, counted};
use super::{agent_words, answers, cues, pasted, prose, wording};
use crate::capture::event::EventBody;
use crate::graph::change::NewNode;
use crate::graph::episode::{Episode, Outcome};
use crate::graph::node::{NodeType, Origin, Trust};

const LONGEST_GOAL: usize = 200;
const LONGEST_NODE: usize = 500;

/// What the user wanted: the first request that asks for something; of a plan its title; of a short answer what it
/// answers.
pub(super) fn goal(before: &[Turn<'_>], turns: &[Turn<'_>]) -> String {
    let all: Vec<(Option<&Turn<'_>>, &Turn<'_>)> =
        turns.iter().enumerate().map(|(i, t)| (i.checked_sub(1).map(|p| &turns[p]).or(before.last()), t)).collect();
    let worked = |(_, t): &&(Option<&Turn<'_>>, &Turn<'_>)| t.wrote();
    let goals = all.iter().filter(worked).chain(&all).map(|(previous, turn)| goal_of(turn, *previous));
    let mut goals: Vec<String> = goals.filter(|g| !g.is_empty()).collect();
    let real = goals.iter().position(|g| !has(&normal(g), cues::PROCEDURE)).unwrap_or(0);
    if goals.is_empty() {
        return before.iter().rev().map(|t| goal_of(t, None)).find(|g| !g.is_empty()).unwrap_or_default();
    }
    goals.swap_remove(real)
}

/// The goals of the further turns in which files were changed.
pub(super) fn further(turns: &[Turn<'_>], goal: &str) -> Vec<String> {
    let previous = |i: usize| i.checked_sub(1).map(|p| &turns[p]);
    let goals = turns.iter().enumerate().filter(|(_, t)| t.wrote()).map(|(i, t)| goal_of(t, previous(i)));
    goals
        .filter(|g| g.len() > 12 && g != goal && !has(&normal(g), cues::PROCEDURE))
        .take(4)
        .map(|g| wording::shorten(&g, 70))
        .collect()
}

/// The goal of one turn.
pub(super) fn goal_of(turn: &Turn<'_>, previous: Option<&Turn<'_>>) -> String {
    let request = turn.request();
    if let Some(title) = Some(request).filter(|r| pasted::is_plan(r)).and_then(pasted::title) {
        return wording::shorten(&title, LONGEST_GOAL);
    }
    if let Some(resolved) = answers::reply(request).and_then(|r| answered(r, previous?)) {
        return wording::shorten(&resolved, LONGEST_GOAL);
    }
    first_sentences(request)
}

fn answered(reply: answers::Reply, previous: &Turn<'_>) -> Option<String> {
    let asked = answers::proposal(previous.text);
    match reply {
        answers::Reply::Option(number) => asked.options.into_iter().find(|(n, _)| *n == number).map(|(_, text)| text),
        answers::Reply::Yes if asked.is_vague() => Some(first_sentences(previous.request())),
        answers::Reply::Yes => Some(wording::capital(&asked.offer)).filter(|o| !o.is_empty()),
    }
}

fn first_sentences(request: &str) -> String {
    let units = prose::units(request);
    let mut out = String::new();
    let severity = |s: &&str| normal(s).ends_with(" severity ");
    for sentence in units.iter().flat_map(|u| u.sentences()).filter(|s| !severity(s)) {
        let joined = if out.is_empty() { sentence.to_owned() } else { format!("{out} {sentence}") };
        if !out.is_empty() && joined.len() > LONGEST_GOAL {
            break;
        }
        out = joined;
        if out.len() > 60 {
            break;
        }
    }
    wording::shorten(&out, LONGEST_GOAL)
}

/// Files changed, most changed first.
pub(super) fn files(turns: &[Turn<'_>]) -> Vec<String> {
    let written = counted(turns.iter().flat_map(|t| t.changes().map(|c| c.path.as_str())));
    written.into_iter().map(|(path, _)| path.to_owned()).filter(|p| super::files::is_inside(p)).collect()
}

/// What was done, in short: the last words, the files, the checks.
pub(super) fn approach(turns: &[Turn<'_>], files: &[String], goal: &str) -> String {
    let mut parts = Vec::new();
    let further = further(turns, goal);
    if !further.is_empty() {
        parts.push(wording::ended(&format!("Also: {}", further.join("; "))));
    }
    let gist = turns
        .iter()
        .rev()
        .filter(|t| t.wrote())
        .chain(turns.iter().rev())
        .map(|t| agent_words::gist(t.text))
        .find(|g| !g.is_empty());
    parts.extend(gist.map(|g| wording::ended(&wording::shorten(&g, 220))));
    if !files.is_empty() {
        parts.push(format!("Changed {}.", listed(files, 4)));
    }
    let checks = counted_checks(turns);
    if !checks.is_empty() {
        parts.push(format!("Ran {}.", checks.join(", ")));
    }
    parts.join(" ")
}

fn counted_checks(turns: &[Turn<'_>]) -> Vec<String> {
    let runs: Vec<Check<'_>> = checks(turns).collect();
    counted(runs.iter().map(|c| c.family.as_str()))
        .into_iter()
        .take(3)
        .map(|(f, n)| if n > 1 { format!("`{f}` ({n}x)") } else { format!("`{f}`") })
        .collect()
}

fn checks<'t>(turns: &'t [Turn<'_>]) -> impl Iterator<Item = Check<'t>> {
    turns.iter().flat_map(|t| t.events.iter().filter_map(|e| commands::check(e)))
}

fn listed(files: &[String], most: usize) -> String {
    let names: Vec<String> = files.iter().take(most).map(|f| format!("`{f}`")).collect();
    let more = files.len().saturating_sub(most);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// Success unless something speaks against it.
pub(super) fn outcome(turns: &[Turn<'_>]) -> Outcome {
    let Some(last) = turns.last() else { return Outcome::Success };
    let said = normal(last.text);
    let gave_up = has(&said, cues::GAVE_UP);
    let claims = has(&said, cues::CLAIMS_SUCCESS) && !gave_up;
    let dissatisfied = !last.ended && last.prompts.iter().any(|p| has(&normal(p), cues::DISSATISFIED));
    match (is_failing(turns), last.ended) {
        (true, _) if !claims => Outcome::Failure,
        (false, _) if dissatisfied => Outcome::Failure,
        (true, _) | (_, false) => Outcome::Partial,
        (false, true) if gave_up && turns.iter().any(Turn::wrote) => Outcome::Partial,
        (false, true) if gave_up => Outcome::Failure,
        (false, true) => Outcome::Success,
    }
}

/// Whether some tests failed when they were last run.
fn is_failing(turns: &[Turn<'_>]) -> bool {
    let mut failing: Vec<String> = Vec::new();
    for run in checks(turns).filter(|c| c.kind == commands::Kind::Test) {
        failing.retain(|family| *family != run.family);
        // A run that named no failing test may have failed to start: it needs no pass of its own.
        if run.failed && !run.tests.is_empty() {
            failing.push(run.family);
        }
    }
    !failing.is_empty()
}

/// The node that tells the episode, self-contained.
pub(super) fn node(goal: &str, approach: &str, outcome: Outcome, files: &[String]) -> NewNode {
    let end = match outcome {
        Outcome::Success => "",
        Outcome::Partial => " Only partly finished.",
        Outcome::Failure => " It did not succeed.",
    };
    let room = LONGEST_NODE - end.len() - 8;
    let text = format!("{}{end}", wording::shorten(&format!("{} {approach}", wording::ended(goal)), room));
    let mut node = NewNode::new(Episode::KEY, NodeType::Episode, wording::name(goal), text);
    node.trust = Trust::Observed;
    node.origin = Origin::Tool;
    node.files = files.iter().take(12).cloned().collect();
    node
}

/// Whether the turns hold a decision that was saved on purpose.
pub(super) fn saved<'t>(turn: &'t Turn<'_>) -> impl Iterator<Item = (&'t str, &'t str, &'t [String], &'t [String])> {
    turn.events.iter().filter_map(|e| match &e.body {
        EventBody::Decision { content, rationale, files, rejected } => {
            Some((content.as_str(), rationale.as_deref().unwrap_or_default(), files.as_slice(), rejected.as_slice()))
        }
        _ => None,
    })
}
