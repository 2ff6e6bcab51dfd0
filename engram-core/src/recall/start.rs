//! Recall at the start of a session: a little, from the project's present state. No bulk.

use super::Recall;
use super::entry::{Entry, Gate, entries};
use super::query::{finish, spread};
use crate::config::Config;
use crate::error::Result;
use crate::graph::node::{MemoryKind, NodeType};
use crate::store::{Graph, StoredNode};
use crate::time::Stopwatch;

/// Notes at the start of a session.
const NOTES: usize = 8;

/// What a new session should know: standing preferences, what the last episodes decided and left, and what the branch's
/// name brings to mind; then one spread from there.
pub(crate) fn session_start(
    graph: &Graph<'_>,
    branch: Option<&str>,
    config: &Config,
    told: &dyn Fn(&str) -> bool,
) -> Result<Recall> {
    let watch = Stopwatch::start();
    let mut starts = Vec::new();
    let add = |starts: &mut Vec<Entry>, nodes: Vec<StoredNode>, fit: f64, via: &str| {
        starts.extend(nodes.into_iter().map(|node| Entry::new(node, fit, via.to_owned())));
    };
    add(&mut starts, graph.nodes_of_kind(MemoryKind::Preference, 4)?, 1.0, "standing preference");
    add(&mut starts, graph.nodes_of_kind(MemoryKind::OpenItem, 2)?, 0.9, "left open");
    add(&mut starts, graph.latest_episodes(2)?, 0.8, "latest work");
    add(&mut starts, graph.nodes_without_files(NodeType::Decision, 3)?, 0.7, "rule of the project");
    let topic: String = branch.unwrap_or_default().replace(['/', '-', '_'], " ");
    starts.extend(entries(graph, &topic, Gate { coverage: 0.5, limit: 4 })?);
    let mut items = spread(graph, &starts, config, told, NOTES * 6)?;
    // Files by themselves are no news at a start; they conduct to what is.
    items.retain(|i| i.node_type != "concept");
    items.truncate(NOTES);
    // What binds comes before what happened; the order within each is that of the activation.
    items.sort_by_key(|i| rank(&i.framing));
    Ok(finish(items, NOTES, config.injection_budget.session_start, watch))
}

fn rank(framing: &str) -> usize {
    const ORDER: [&str; 5] = ["Preference", "Decision", "Left open", "Error seen before", "Earlier work"];
    ORDER.iter().position(|f| *f == framing).unwrap_or(ORDER.len())
}
