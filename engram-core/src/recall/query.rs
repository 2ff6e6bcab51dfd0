//! One recall: entries, spread, load, tell.

use super::activate::{Activated, Conduct, activate};
use super::entry::{Entry, Gate, entries};
use super::render::render;
use super::{Recall, RecallItem, Tier};
use crate::config::Config;
use crate::error::Result;
use crate::graph::node::Node;
use crate::graph::node::Trust;
use crate::graph::strength;
use crate::store::{Graph, NodeKey, StoredNode};
use crate::time::Stopwatch;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Nodes that may pass activation on in one recall.
const EXPANSIONS: usize = 2_000;
/// Edges looked at in one hop and direction.
const EDGES_PER_HOP: usize = 4_000;

/// What is asked, and how much may be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The question, prompt or task.
    pub text: String,
    /// Most notes.
    pub limit: usize,
    /// Most tokens of the block.
    pub budget: usize,
    /// Least share of the text's weight that a note found by words must answer. 0.35 keeps small talk silent; 0 lists all.
    pub coverage: f64,
}

impl Ask {
    /// What a prompt asks: little and only what fits.
    pub fn prompt(text: impl Into<String>, config: &Config) -> Ask {
        Ask { text: text.into(), limit: 8, budget: config.injection_budget.prompt, coverage: 0.35 }
    }

    /// What a person or an agent asks on purpose: more, and looser fits.
    pub fn question(text: impl Into<String>, limit: usize) -> Ask {
        Ask { text: text.into(), limit, budget: 2_000, coverage: 0.2 }
    }
}

/// Recalls what a text brings to mind. `told` says which nodes were told before in this session.
pub(crate) fn recall(graph: &Graph<'_>, ask: &Ask, config: &Config, told: &dyn Fn(&str) -> bool) -> Result<Recall> {
    let watch = Stopwatch::start();
    let mut items = found(graph, ask, config, told)?;
    items.truncate(ask.limit);
    // What the user laid down comes before what was read out of talk, where both are worth a sentence.
    items.sort_by_key(|i| i.trust != Trust::User.as_str() || i.tier < Tier::Medium);
    Ok(finish(items, ask.limit, ask.budget, watch))
}

/// The notes that a text brings to mind, most active first, without regard to what a block can hold.
pub(crate) fn search(graph: &Graph<'_>, ask: &Ask, config: &Config) -> Result<Vec<RecallItem>> {
    let mut items = found(graph, ask, config, &|_| false)?;
    items.truncate(ask.limit);
    Ok(items)
}

fn found(graph: &Graph<'_>, ask: &Ask, config: &Config, told: &dyn Fn(&str) -> bool) -> Result<Vec<RecallItem>> {
    let gate = Gate { coverage: ask.coverage, limit: ask.limit.max(8) };
    let entries = entries(graph, &ask.text, gate)?;
    spread(graph, &entries, config, told, ask.limit)
}

/// Spreads from `entries` and loads what was reached, most active first.
pub(super) fn spread(
    graph: &Graph<'_>,
    entries: &[Entry],
    config: &Config,
    told: &dyn Fn(&str) -> bool,
    limit: usize,
) -> Result<Vec<RecallItem>> {
    // Some may have been told before, so a few more are looked at than are wanted.
    let wanted = limit.saturating_mul(2).saturating_add(16);
    let conduct =
        Conduct { decay: config.decay_factor, threshold: config.activation_threshold, expansions: EXPANSIONS, wanted };
    let starts: Vec<(NodeKey, f64)> = entries.iter().map(|e| (e.node.key, e.level())).collect();
    let reached = activate(&starts, conduct, |frontier, weakest| graph.neighbours(frontier, weakest, EDGES_PER_HOP))?;
    let support: BTreeMap<NodeKey, f64> = entries.iter().map(|e| (e.node.key, e.support)).collect();
    let mut most: Vec<Ranked<'_>> = reached
        .iter()
        .map(|activated| Ranked { activated, support: support.get(&activated.key).copied().unwrap_or_default() })
        .collect();
    // Of equal notes the later key, which is the newer note, is loaded first.
    most.sort_by(|a, b| a.order(b).then(b.activated.key.cmp(&a.activated.key)));
    most.truncate(wanted);
    let keys: Vec<NodeKey> = most.iter().map(|r| r.activated.key).collect();
    let nodes: BTreeMap<NodeKey, StoredNode> = graph.live_nodes(&keys)?.into_iter().map(|n| (n.key, n)).collect();
    let known = most.iter().filter_map(|r| nodes.get(&r.activated.key).map(|n| (r, &n.node)));
    let mut found: Vec<(&Ranked<'_>, &Node)> = known.filter(|(_, n)| !told(n.id.as_str())).collect();
    found.sort_by(|(a, m), (b, n)| a.order(b).then_with(|| better(m, n)));
    let items = found
        .into_iter()
        .take(limit)
        .map(|(r, node)| RecallItem::of(node, r.activated.level, way(r.activated, entries, &nodes)));
    Ok(items.collect())
}

/// A node that was reached, and how well a second way to it as an entry fits.
struct Ranked<'a> {
    activated: &'a Activated,
    support: f64,
}

impl Ranked<'_> {
    fn order(&self, other: &Ranked<'_>) -> Ordering {
        let by_level = other.activated.level.total_cmp(&self.activated.level);
        by_level.then(other.support.total_cmp(&self.support))
    }
}

/// The order of equally active notes: the stronger, the newer, the smaller id.
fn better(a: &Node, b: &Node) -> Ordering {
    let by_strength = strength::current(b).total_cmp(&strength::current(a));
    by_strength.then(b.recorded_at.cmp(&a.recorded_at)).then_with(|| a.id.cmp(&b.id))
}

fn way(reached: &Activated, entries: &[Entry], nodes: &BTreeMap<NodeKey, StoredNode>) -> Vec<String> {
    match reached.from {
        None => entries.iter().filter(|e| e.node.key == reached.key).map(|e| e.via.clone()).collect(),
        Some((from, edge)) => {
            let name = nodes.get(&from).map_or("a note", |n| n.node.name.as_str());
            vec![format!("{edge} {name} ({} {})", reached.hops, if reached.hops == 1 { "hop" } else { "hops" })]
        }
    }
}

/// Cuts to the limit, renders within the budget.
pub(super) fn finish(mut items: Vec<RecallItem>, limit: usize, budget: usize, watch: Stopwatch) -> Recall {
    items.truncate(limit);
    let mut recall = render(items, budget);
    recall.elapsed_micros = watch.micros();
    recall
}

/// The recalls of several projects as one, within the limits of the question.
pub(crate) fn joined(recalls: Vec<Recall>, ask: &Ask) -> Recall {
    let watch = Stopwatch::start();
    let spent: u64 = recalls.iter().map(|r| r.elapsed_micros).sum();
    let mut items: Vec<RecallItem> = recalls.into_iter().flat_map(|r| r.items).collect();
    items.sort_by(|a, b| b.activation.total_cmp(&a.activation).then_with(|| a.id.cmp(&b.id)));
    let mut recall = finish(items, ask.limit, ask.budget, watch);
    recall.elapsed_micros += spent;
    recall
}
