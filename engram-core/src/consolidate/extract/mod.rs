//! The extractors: the events of a stretch become one episode with a graph change request, by rules alone or by a language
//! model.
//!
//! Prose comes from two places only: the user's words and the agent's final messages; everything else is read from
//! events. Each reader proposes candidates; what was injected, what was taken back and what is said twice falls out;
//! the best remain.

mod agent_words;
mod answers;
mod candidate;
mod commands;
mod concepts;
// Lists of words read better in lines than one by one.
#[rustfmt::skip]
mod cues;
mod echo;
mod errors;
mod files;
mod model;
mod open_items;
mod pasted;
mod prose;
mod reports;
mod reversal;
mod select;
mod sentence;
mod story;
#[cfg(test)]
mod tests;
mod turns;
mod user_words;
mod wording;

use crate::capture::event::SessionId;
use crate::config::Config;
use crate::error::Result;
use crate::graph::change::{GraphChange, NewEdge};
use crate::graph::edge::EdgeType;
use crate::graph::episode::{Discovery, Episode, EpisodeDecision, EpisodeError, LogRange, Outcome};
use crate::graph::node::{NodeType, Trust, base};
use crate::log::Record;
use crate::models::LanguageModel;
use crate::text;
use candidate::{Candidate, worth};
use turns::Turn;

/// A question that was only answered is worth an episode if the answer is at least so long.
const TELLING_ANSWER: usize = 200;

/// Makes an episode of `records`, with `before` as context; `None` if nothing in them is worth remembering.
///
/// A function of the events alone. Linear in their text, save that memories of one episode are compared in pairs.
pub(super) fn episode(
    session: &SessionId,
    range: LogRange,
    before: &[Record],
    records: &[Record],
    config: &Config,
) -> Option<Episode> {
    let (earlier, turns) = (turns::turns(before), turns::turns(records));
    let kept = memories(before, records, &earlier, &turns, config);
    if !is_worth_an_episode(&turns, &kept) {
        return None;
    }
    let goal = story::goal(&earlier, &turns);
    let approach = story::approach(&turns, &story::files(&turns), &goal);
    let told = Told { goal, approach, outcome: story::outcome(&turns), extractor: "offline".to_owned() };
    Some(put_together(session, range, records, &turns, kept, told))
}

/// Has a language model make the episode; `None` if it finds nothing worth remembering.
///
/// One request. What the agent was told by engram is neither shown nor taken back in (D21).
///
/// # Errors
/// `Model` if the model fails, `ModelReply` if its answer is not as asked.
pub(super) fn episode_by(
    model: &dyn LanguageModel,
    session: &SessionId,
    range: LogRange,
    before: &[Record],
    records: &[Record],
) -> Result<Option<Episode>> {
    let turns = turns::turns(records);
    if turns.iter().all(|t| t.calls() == 0 && t.text.is_empty() && t.request().is_empty()) {
        return Ok(None);
    }
    let found = model::read(model.name(), &model.complete(&model::request(records))?.text)?;
    let echo = echo::Echo::of(before.iter().chain(records));
    let mut kept = found.candidates(turns.len().saturating_sub(1));
    kept.retain(|c| !echo.repeats(c));
    if !found.worth_remembering {
        return Ok(None);
    }
    let concepts = concepts::read(&turns, &kept);
    kept.extend(concepts.into_iter().filter(|c| !echo.repeats(c)));
    let told =
        Told { goal: found.goal, approach: found.approach, outcome: found.outcome, extractor: model.name().to_owned() };
    Ok(Some(put_together(session, range, records, &turns, kept, told)))
}

/// What an episode tells beside its memories, and who made it.
struct Told {
    goal: String,
    approach: String,
    outcome: Outcome,
    extractor: String,
}

fn put_together(
    session: &SessionId,
    range: LogRange,
    records: &[Record],
    turns: &[Turn<'_>],
    kept: Vec<Candidate>,
    told: Told,
) -> Episode {
    let files = story::files(turns);
    let (started_at, ended_at) = turns::span(records);
    let id = format!("ep_{}", text::digest::<8>(format!("{session}|{}", range.from).as_bytes()));
    let own = story::node(&told.goal, &told.approach, told.outcome, &files);
    let mut change = GraphChange { nodes: vec![own], edges: Vec::new() };
    let (discoveries, decisions, errors) = lists(&kept);
    add(&mut change, kept, turns);
    Episode {
        id,
        session: session.to_string(),
        goal: told.goal,
        approach: told.approach,
        outcome: told.outcome,
        discoveries,
        decisions,
        errors,
        files,
        started_at,
        ended_at,
        extractor: told.extractor,
        change,
    }
}

/// The memories of the stretch, concepts last.
fn memories(
    before: &[Record],
    records: &[Record],
    earlier: &[Turn<'_>],
    turns: &[Turn<'_>],
    config: &Config,
) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let previous = at.checked_sub(1).map(|p| &turns[p]).or(earlier.last());
        let topic = previous.map(|p| story::goal_of(p, None)).unwrap_or_default();
        all.extend(spoken(turn, previous, at, &topic));
    }
    if !is_lightweight(records, turns, config) {
        all.extend(errors::read(earlier, turns));
        all.extend(commands::read(turns));
        all.extend(open_items::read(turns));
    }
    let echo = echo::Echo::of(before.iter().chain(records));
    all.retain(|c| !echo.repeats(c));
    let mut kept = select::best(reversal::settle(all), select::budget(turns.len()));
    let concepts = concepts::read(turns, &kept);
    kept.extend(concepts.into_iter().filter(|c| !echo.repeats(c)));
    kept
}

/// Pure discussion: no tool call, and too few events for a full consolidation.
fn is_lightweight(records: &[Record], turns: &[Turn<'_>], config: &Config) -> bool {
    turns.iter().all(|t| t.calls() == 0) && records.len() < config.min_events_for_full_consolidation
}

/// What was said in a turn, by the user and by the agent.
fn spoken(turn: &Turn<'_>, previous: Option<&Turn<'_>>, at: usize, topic: &str) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = story::saved(turn).map(|saved| saved_decision(saved, at)).collect();
    all.extend(user_words::read(turn, at, topic));
    all.extend(answers::decided(turn, previous, at));
    all.extend(answers::to_questions(turn, at));
    all.extend(pasted::read(turn, at));
    all.extend(reports::read(turn, previous, at));
    all.extend(agent_words::read(turn, at, &story::goal_of(turn, previous)));
    all
}

/// A decision that was saved on purpose.
fn saved_decision((content, rationale, files, rejected): (&str, &str, &[String], &[String]), at: usize) -> Candidate {
    let because = if rationale.is_empty() { String::new() } else { format!(" Why: {}", wording::ended(rationale)) };
    let text = format!("{}{because}", wording::ended(content));
    let mut made = Candidate::decision(&text, content, worth::SAVED, at).named(content).trusted(Trust::Observed);
    let claim = made.node.claim.get_or_insert_with(Default::default);
    if claim.chosen.is_empty() && claim.rejected.is_empty() {
        content.clone_into(&mut claim.chosen);
    }
    if claim.rationale.is_empty() {
        rationale.clone_into(&mut claim.rationale);
    }
    for alternative in rejected.iter().filter(|r| !claim.rejected.contains(r)).cloned().collect::<Vec<_>>() {
        claim.rejected.push(alternative);
    }
    made.files(files.to_vec())
}

fn is_worth_an_episode(turns: &[Turn<'_>], kept: &[Candidate]) -> bool {
    let answered = |t: &Turn<'_>| t.calls() > 0 && t.text.len() >= TELLING_ANSWER;
    !kept.is_empty() || turns.iter().any(|t| t.wrote() || answered(t))
}

/// The episode's own lists, from what was kept.
fn lists(kept: &[Candidate]) -> (Vec<Discovery>, Vec<EpisodeDecision>, Vec<EpisodeError>) {
    let of = |node_type| kept.iter().filter(move |c| c.node.node_type == node_type);
    let discoveries = of(NodeType::Finding).map(|c| Discovery {
        text: c.node.description.clone(),
        evidence: c.node.files.join(", "),
        confidence: match c.node.trust {
            Trust::User | Trust::Observed => 0.9,
            Trust::Inferred => 0.6,
            Trust::Quarantined => 0.1,
        },
    });
    let decisions = of(NodeType::Decision).map(|c| {
        let claim = c.node.claim.clone().unwrap_or_default();
        let explicit = c.node.base >= base::EXPLICIT;
        EpisodeDecision {
            text: c.node.description.clone(),
            explicit,
            rationale: claim.rationale,
            rejected: claim.rejected,
        }
    });
    let errors = of(NodeType::Error).map(|c| EpisodeError {
        signature: c.node.name.clone(),
        root_cause: c.cause.clone(),
        resolution: c.resolution.clone(),
    });
    (discoveries.collect(), decisions.collect(), errors.collect())
}

/// Gives the memories their keys and edges.
fn add(change: &mut GraphChange, kept: Vec<Candidate>, turns: &[Turn<'_>]) {
    let keyed: Vec<(String, Candidate)> =
        kept.into_iter().enumerate().map(|(i, c)| (format!("m{}", i + 1), c)).collect();
    let concepts: Vec<(String, String)> = keyed
        .iter()
        .filter(|(_, c)| c.node.node_type == NodeType::Concept)
        .map(|(k, c)| (k.clone(), c.node.name.clone()))
        .collect();
    change.edges.extend(concepts::edges(turns, &concepts));
    for (key, candidate) in keyed {
        let is_concept = candidate.node.node_type == NodeType::Concept;
        let strength = if is_concept { 0.5 } else { 0.8 };
        change.edges.push(NewEdge::new(&key, EdgeType::DiscoveredDuring, Episode::KEY).with_strength(strength));
        if !is_concept {
            change.edges.extend(to_concepts(&key, &candidate, &concepts));
        }
        let mut node = candidate.node;
        node.key = key;
        change.nodes.push(node);
    }
}

/// From a memory to the concepts of its files: an error to what mended it, anything else to what it is about.
fn to_concepts(key: &str, candidate: &Candidate, concepts: &[(String, String)]) -> Vec<NewEdge> {
    let about = |files: &[String]| {
        concepts.iter().filter(|(_, f)| files.contains(f)).map(|(k, _)| k.clone()).collect::<Vec<_>>()
    };
    if candidate.node.node_type == NodeType::Error {
        let to = |edge_type: EdgeType, ends: Vec<String>| {
            ends.into_iter().map(move |c| NewEdge::new(key, edge_type, c).with_strength(0.8)).collect::<Vec<_>>()
        };
        let mut edges = to(EdgeType::ResolvedBy, about(&candidate.mended_in));
        edges.extend(to(EdgeType::CausedBy, causes(candidate, concepts, &about)));
        return edges;
    }
    about(&candidate.node.files)
        .into_iter()
        .map(|c| NewEdge::new(key, EdgeType::InteractsWith, c).with_strength(0.6))
        .collect()
}

/// Where a stated cause lies: the files that it names, else those whose change mended it. Without a stated cause nothing.
fn causes(error: &Candidate, concepts: &[(String, String)], about: &dyn Fn(&[String]) -> Vec<String>) -> Vec<String> {
    if error.cause.is_empty() {
        return Vec::new();
    }
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let named: Vec<String> =
        concepts.iter().map(|(_, f)| f).filter(|f| error.cause.contains(&base(f))).cloned().collect();
    about(if named.is_empty() { &error.mended_in } else { &named })
}
