//! What a request to forget comes to: which memories, and what must not be told again, as digests.

use super::strip::{Effect, Texts, strip};
use super::{Asked, Forgotten, Named};
use crate::error::Result;
use crate::graph::change::NewNode;
use crate::graph::episode::Episode;
use crate::graph::node::{NodeType, Trust};
use crate::graph::withheld::{Phrase, Withheld, Words, sentences};
use crate::log::{Standing, UserEntry};
use crate::store::{Graph, StoredNode};
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Words in a row by which a sentence of an episode is taken for a quotation.
const QUOTED: usize = 6;
/// Fewer make one only where they are the whole sentence, or the whole memory.
const WHOLE: usize = 2;
/// Characters of a forgotten text that are recognised before a cut.
const CUT: usize = 12;
/// Most ids, and most phrases, of one entry: a line of the log is bounded.
const MOST: usize = 1_000;

/// The entries of the user's log with their places.
type Said = [(u64, u64, UserEntry)];

/// What is to be done.
#[derive(Debug, Default)]
pub(super) struct Plan {
    gone: Vec<Named>,
    shortened: Vec<Named>,
    phrases: BTreeSet<Phrase>,
    kept: Vec<Standing>,
}

impl Plan {
    /// The plan on one state of the graph.
    ///
    /// # Errors
    /// `InvalidArgument` if nothing is there that is asked for.
    pub(super) fn of(graph: &Graph<'_>, said: &Said, asked: &Asked<'_>) -> Result<Plan> {
        let sight = Sight { graph, said, nodes: graph.all_nodes()? };
        let phrases = match asked {
            Asked::Id(id) => match sight.nodes.iter().find(|n| n.node.id.as_str() == *id) {
                None => return Err(asked.not_found()),
                Some(node) => sight.phrases_of(node)?,
            },
            Asked::Text(text) => sight.phrases_with(text)?,
        };
        let plan = sight.plan(phrases, asked)?;
        if plan.gone.is_empty() && plan.shortened.is_empty() && !sight.stands_in_episodes(&plan.phrases)? {
            return Err(asked.not_found());
        }
        Ok(plan)
    }

    /// The plan for a text that nothing is known to hold yet.
    pub(super) fn blind(text: &str) -> Plan {
        Plan { phrases: BTreeSet::from([Phrase::text(text)]), ..Plan::default() }
    }

    /// What the caller is told.
    pub(super) fn answer(&self, dry_run: bool) -> Forgotten {
        Forgotten { forgotten: self.gone.clone(), shortened: self.shortened.clone(), pending: false, dry_run }
    }

    /// The plan as entries of the user's log.
    pub(super) fn entries(&self, ts: Timestamp) -> Vec<UserEntry> {
        let ids: Vec<String> = self.gone.iter().map(|n| n.id.clone()).collect();
        let phrases: Vec<Phrase> = self.phrases.iter().cloned().collect();
        let count = [ids.len(), phrases.len(), self.kept.len()].into_iter().max().unwrap_or(0).div_ceil(MOST);
        let part = |i: usize| i * MOST..(i + 1) * MOST;
        (0..count)
            .map(|i| UserEntry::Forget {
                ts,
                nodes: piece(&ids, part(i)),
                phrases: piece(&phrases, part(i)),
                kept: piece(&self.kept, part(i)),
            })
            .collect()
    }
}

fn piece<T: Clone>(all: &[T], part: std::ops::Range<usize>) -> Vec<T> {
    all.iter().skip(part.start).take(part.len()).cloned().collect()
}

/// What is known when a plan is made.
struct Sight<'g> {
    graph: &'g Graph<'g>,
    said: &'g Said,
    nodes: Vec<StoredNode>,
}

/// A node, with everything that was ever said of it.
struct Memory {
    proposals: Vec<NewNode>,
    episodes: BTreeMap<String, Episode>,
}

impl Sight<'_> {
    fn plan(&self, phrases: BTreeSet<Phrase>, asked: &Asked<'_>) -> Result<Plan> {
        let withheld: Withheld = phrases.iter().collect();
        let mut plan = Plan { phrases, ..Plan::default() };
        for stored in &self.nodes {
            let named = Named { id: stored.node.id.to_string(), name: stored.node.name.clone() };
            let is_asked = matches!(asked, Asked::Id(id) if *id == named.id);
            match Texts::of_node(&mut stored.node.clone()).strip(&withheld) {
                _ if is_asked => plan.gone.push(named),
                Effect::Gone => plan.gone.push(named),
                Effect::Shorter => plan.shortened.push(named),
                Effect::None => {}
            }
        }
        plan.kept = self.kept(&plan.gone)?;
        Ok(plan)
    }

    /// What the nodes that go did to others.
    fn kept(&self, gone: &[Named]) -> Result<Vec<Standing>> {
        let is_gone = |id: &str| gone.iter().any(|n| n.id == id);
        let mut kept = Vec::new();
        for StoredNode { node, .. } in self.nodes.iter().filter(|n| !is_gone(n.node.id.as_str())) {
            let id = node.id.to_string();
            if node.superseded_by.as_ref().is_some_and(|by| is_gone(by.as_str())) {
                kept.push(Standing { id, valid_to: node.valid_to, retired_at: node.retired_at });
            } else if node.trust == Trust::Quarantined
                && self.graph.reviewed_against(&id)?.iter().any(|other| is_gone(other))
            {
                kept.push(Standing { id, valid_to: None, retired_at: None });
            }
        }
        Ok(kept)
    }

    fn stands_in_episodes(&self, phrases: &BTreeSet<Phrase>) -> Result<bool> {
        let withheld: Withheld = phrases.iter().collect();
        Ok(self.graph.all_episodes()?.iter_mut().any(|episode| strip(episode, &withheld)))
    }

    /// What must not be told of one memory: its own words, and the sentences of its episodes that quote them.
    fn phrases_of(&self, stored: &StoredNode) -> Result<BTreeSet<Phrase>> {
        let memory = self.memory(stored)?;
        let mut phrases = BTreeSet::new();
        let own = [(stored.node.name.as_str(), stored.node.description.as_str())];
        let proposed = memory.proposals.iter().map(|p| (p.name.as_str(), p.description.as_str()));
        let said: Vec<(&str, &str)> = own.into_iter().chain(proposed).collect();
        for (name, description) in &said {
            phrases.extend(Phrase::words(description));
            match stored.node.node_type {
                NodeType::Concept => drop(phrases.insert(Phrase::concept(name))),
                NodeType::Error => phrases.extend(Phrase::words(name)),
                _ => {}
            }
        }
        let texts: Vec<Words> = said.iter().flat_map(|(_, text)| statements(text)).collect();
        for episode in memory.episodes.values() {
            phrases.extend(quoting(episode, &texts));
        }
        Ok(phrases)
    }

    /// What must not be told of a text: itself, where it was cut short, and the other words of the memories that hold it.
    fn phrases_with(&self, text: &str) -> Result<BTreeSet<Phrase>> {
        let literal = Phrase::text(text);
        let withheld: Withheld = std::iter::once(&literal).collect();
        let mut phrases = BTreeSet::from([literal]);
        for stored in &self.nodes {
            if Texts::of_node(&mut stored.node.clone()).strip(&withheld) == Effect::Gone {
                let other = self.memory(stored)?.proposals.into_iter().map(|p| p.description);
                phrases.extend(other.filter(|d| !withheld.has_literal(d)).filter_map(|d| Phrase::words(&d)));
            }
        }
        for episode in self.graph.all_episodes()? {
            phrases.extend(retold(&episode).into_iter().flat_map(|told| cut_short(told, text)));
        }
        Ok(phrases)
    }

    fn memory(&self, stored: &StoredNode) -> Result<Memory> {
        let mut memory = Memory { proposals: Vec::new(), episodes: BTreeMap::new() };
        let sources = stored.node.source_episodes.iter().cloned();
        let proposals = self.graph.proposals_of(stored.node.id.as_str())?;
        for id in sources.chain(proposals.iter().filter_map(|(episode, _)| episode.clone())) {
            if let Some(episode) = self.graph.episode(&id)? {
                memory.episodes.insert(id, episode);
            }
        }
        for (episode, key) in &proposals {
            let found = match episode.as_ref().map(|id| memory.episodes.get(id)) {
                Some(episode) => episode.and_then(|e| e.change.nodes.iter().find(|n| n.key == *key).cloned()),
                None => self.said.iter().find_map(|(from, _, entry)| match entry {
                    UserEntry::Remember { node, .. } if from.to_string() == *key => Some(NewNode::clone(node)),
                    _ => None,
                }),
            };
            memory.proposals.extend(found);
        }
        Ok(memory)
    }
}

/// The statements of a memory. An aside in brackets says where it was said, which others share.
fn statements(text: &str) -> Vec<Words> {
    sentences(text).into_iter().map(|s| &text[s]).filter(|s| !s.starts_with('(')).map(Words::of).collect()
}

/// The texts of an episode that tell again what its memories say.
fn retold(episode: &Episode) -> Vec<&str> {
    let mut all = vec![episode.goal.as_str(), episode.approach.as_str()];
    for node in &episode.change.nodes {
        if matches!(node.node_type, NodeType::Episode | NodeType::Concept) {
            all.extend([node.name.as_str(), node.description.as_str()]);
        }
    }
    all.extend(episode.errors.iter().flat_map(|e| [e.root_cause.as_str(), e.resolution.as_str()]));
    all
}

/// The sentences of an episode that quote one of `texts`.
fn quoting(episode: &Episode, texts: &[Words]) -> Vec<Phrase> {
    let sentences = retold(episode).into_iter().flat_map(|told| sentences(told).into_iter().map(|s| &told[s]));
    let quotes = |sentence: &&str| {
        let words = Words::of(sentence);
        texts.iter().any(|text| is_quotation(&words, text))
    };
    sentences.filter(quotes).filter_map(Phrase::words).collect()
}

fn is_quotation(sentence: &Words, text: &Words) -> bool {
    let run = longest_run(&sentence.list(), &text.list());
    run >= QUOTED || (run >= WHOLE && (run == sentence.len() || run == text.len()))
}

/// The most words in a row that two texts share.
fn longest_run(a: &[&str], b: &[&str]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut longest = 0;
    for word in a {
        let mut now = vec![0; b.len() + 1];
        for (at, other) in b.iter().enumerate().filter(|(_, other)| *other == word) {
            let _ = other;
            now[at + 1] = before[at] + 1;
            longest = longest.max(now[at + 1]);
        }
        before = now;
    }
    longest
}

/// The sentences of `told` that end in the middle of `text`.
fn cut_short(told: &str, text: &str) -> Vec<Phrase> {
    let text = text.to_lowercase();
    let begins = |sentence: &&str| {
        let Some(rest) = sentence.strip_suffix('\u{2026}') else { return false };
        let rest = rest.trim_end_matches('`').to_lowercase();
        let starts = rest.char_indices().map(|(at, _)| &rest[at..]);
        starts.filter(|tail| tail.chars().count() >= CUT).any(|tail| text.starts_with(tail.trim_end()))
    };
    sentences(told).into_iter().map(|s| &told[s]).filter(begins).filter_map(Phrase::words).collect()
}
