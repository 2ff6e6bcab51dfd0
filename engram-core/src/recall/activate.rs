//! Spreading activation (specification, "Spreading activation algorithm"; D8).
//!
//! A hop gives `parent x decay x edge strength`. A node that is reached several ways keeps the best way. Work is bounded:
//! at most [`Conduct::expansions`] nodes pass anything on, the most active first, so a hub cannot flood the result.

use crate::error::Result;
use crate::graph::edge::EdgeType;
use crate::store::{Neighbour, NodeKey};
use std::collections::BTreeMap;

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
    while !frontier.is_empty() && left > 0 {
        best_first(&mut frontier, &reached);
        frontier.truncate(left);
        left -= frontier.len();
        let strongest = reached.get(&frontier[0]).map_or(0.0, |a| a.level);
        let weakest_edge = conduct.threshold / (strongest * conduct.decay).max(f64::MIN_POSITIVE);
        if weakest_edge > 1.0 {
            break;
        }
        frontier = hop(&mut reached, &neighbours(&frontier, weakest_edge)?, conduct);
    }
    let mut found: Vec<Activated> = reached.into_values().collect();
    found.sort_by(|a, b| b.level.total_cmp(&a.level).then(a.key.cmp(&b.key)));
    Ok(found)
}

/// Passes activation over `steps`; gives the nodes that are more active now than before.
fn hop(reached: &mut BTreeMap<NodeKey, Activated>, steps: &[Neighbour], conduct: Conduct) -> Vec<NodeKey> {
    // All of a hop starts from the levels before it, so the order of the steps does not matter.
    let sources: BTreeMap<NodeKey, Activated> =
        steps.iter().filter_map(|s| Some((s.from, *reached.get(&s.from)?))).collect();
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
