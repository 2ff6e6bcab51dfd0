//! Spreading activation (specification, "Spreading activation algorithm"; D8).
//!
//! A hop gives `parent x decay x edge strength`. A node that is reached several ways keeps the best way, raised where
//! another entry is its neighbour. Work is bounded: at most [`Conduct::expansions`] nodes pass anything on, the most
//! active first, so a hub cannot flood the result.

use crate::error::Result;
use crate::graph::edge::EdgeType;
use crate::store::{Neighbour, NodeKey};
use std::collections::BTreeMap;

/// Second ways to a node that count: a hub has many neighbours, and must not win by their number.
const ECHOES: usize = 2;

/// The numbers of a spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conduct {
    /// Share that one hop passes on.
    pub decay: f64,
    /// What is activated less is not reached.
    pub threshold: f64,
    /// How many nodes may pass activation on.
    pub expansions: usize,
}

/// A node that activation reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activated {
    /// The node.
    pub key: NodeKey,
    /// Its activation.
    pub level: f64,
    /// Hops from the entry.
    pub hops: u32,
    /// The node that gave it its activation, and over which edge; `None` for an entry.
    pub from: Option<(NodeKey, EdgeType)>,
}

/// Spreads activation from `entries` (node and its own activation) over what `neighbours` gives for a frontier and a
/// minimal edge strength.
///
/// The result is ordered by activation, largest first, ties by key, so it is the same for the same graph.
pub fn activate(
    entries: &[(NodeKey, f64)],
    conduct: Conduct,
    mut neighbours: impl FnMut(&[NodeKey], f64) -> Result<Vec<Neighbour>>,
) -> Result<Vec<Activated>> {
    let mut reached: BTreeMap<NodeKey, Activated> = BTreeMap::new();
    let mut frontier = Vec::new();
    for &(key, level) in entries {
        if level >= conduct.threshold && improve(&mut reached, Activated { key, level, hops: 0, from: None }) {
            frontier.push(key);
        }
    }
    let mut left = conduct.expansions;
    let mut echoes = None;
    while !frontier.is_empty() && left > 0 {
        best_first(&mut frontier, &reached);
        frontier.truncate(left);
        left -= frontier.len();
        let strongest = reached.get(&frontier[0]).map_or(0.0, |a| a.level);
        let weakest_edge = conduct.threshold / (strongest * conduct.decay).max(f64::MIN_POSITIVE);
        if weakest_edge > 1.0 {
            break;
        }
        let steps = neighbours(&frontier, weakest_edge)?;
        // Entries are the first frontier and none of the later ones.
        echoes.get_or_insert_with(|| steps.iter().filter_map(|s| echo(s, &reached, conduct)).collect::<Vec<_>>());
        frontier = hop(&mut reached, &frontier, &steps, conduct);
    }
    let mut found = confirmed(&reached, echoes.unwrap_or_default());
    found.sort_by(|a, b| b.level.total_cmp(&a.level).then(a.key.cmp(&b.key)));
    Ok(found)
}

/// What an entry gives a neighbour, whether or not that is the neighbour's best way.
#[derive(Clone, Copy, Debug)]
struct Echo {
    from: NodeKey,
    to: NodeKey,
    level: f64,
}

fn echo(step: &Neighbour, reached: &BTreeMap<NodeKey, Activated>, conduct: Conduct) -> Option<Echo> {
    let source = reached.get(&step.from).filter(|a| a.hops == 0)?;
    Some(Echo { from: step.from, to: step.to, level: source.level * conduct.decay * step.strength })
}

/// The nodes reached, each more active for up to [`ECHOES`] other entries that are its neighbours: of two notes that fit
/// alike, the one whose surroundings fit too is meant. They add up as independent chances do, so never beyond 1; a chain
/// from one entry has no second way and keeps its levels.
fn confirmed(reached: &BTreeMap<NodeKey, Activated>, echoes: Vec<Echo>) -> Vec<Activated> {
    let mut gains: BTreeMap<NodeKey, Vec<Echo>> = BTreeMap::new();
    for echo in echoes {
        if reached.get(&echo.to).is_some_and(|node| origin(node, reached) != echo.from) {
            gains.entry(echo.to).or_default().push(echo);
        }
    }
    let raised = |node: &Activated| {
        let mut ways = gains.remove(&node.key).unwrap_or_default();
        ways.sort_by(|a, b| b.level.total_cmp(&a.level).then(a.from.cmp(&b.from)));
        ways.dedup_by_key(|way| way.from);
        let apart: f64 = ways.iter().take(ECHOES).map(|way| 1.0 - way.level.min(1.0)).product();
        // Untouched without a second way: 1 - (1 - x) is not x to the last bit.
        let level = if ways.is_empty() { node.level } else { 1.0 - (1.0 - node.level) * apart };
        Activated { level, ..*node }
    };
    reached.values().map(raised).collect()
}

/// The entry that a node's best way comes from.
fn origin(node: &Activated, reached: &BTreeMap<NodeKey, Activated>) -> NodeKey {
    let mut at = node;
    // Levels fall along a way, so it ends; the hops bound it where a hop costs nothing.
    for _ in 0..node.hops {
        match at.from.and_then(|(from, _)| reached.get(&from)) {
            Some(before) => at = before,
            None => break,
        }
    }
    at.key
}

/// Passes activation over `steps`; gives the nodes that are more active now than before.
fn hop(
    reached: &mut BTreeMap<NodeKey, Activated>,
    frontier: &[NodeKey],
    steps: &[Neighbour],
    conduct: Conduct,
) -> Vec<NodeKey> {
    // All of a hop starts from the levels before it, so the order of the steps does not matter.
    let sources: BTreeMap<NodeKey, Activated> =
        frontier.iter().filter_map(|key| Some((*key, *reached.get(key)?))).collect();
    let mut next = Vec::new();
    for step in steps {
        let Some(source) = sources.get(&step.from) else { continue };
        let level = source.level * conduct.decay * step.strength;
        let candidate =
            Activated { key: step.to, level, hops: source.hops + 1, from: Some((step.from, step.edge_type)) };
        if level >= conduct.threshold && improve(reached, candidate) {
            next.push(step.to);
        }
    }
    next.sort_unstable();
    next.dedup();
    next
}

/// Keeps the better way to a node; says whether `candidate` is it.
fn improve(reached: &mut BTreeMap<NodeKey, Activated>, candidate: Activated) -> bool {
    match reached.get_mut(&candidate.key) {
        Some(known) if known.level >= candidate.level => false,
        Some(known) => {
            *known = candidate;
            true
        }
        None => {
            reached.insert(candidate.key, candidate);
            true
        }
    }
}

fn best_first(frontier: &mut [NodeKey], reached: &BTreeMap<NodeKey, Activated>) {
    let level = |k: &NodeKey| reached.get(k).map_or(0.0, |a| a.level);
    frontier.sort_by(|a, b| level(b).total_cmp(&level(a)).then(a.cmp(b)));
}
