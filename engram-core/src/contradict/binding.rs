//! The decisions that bind a change, out of the graph.

use super::{Change, DecisionText, candidates};
use crate::error::Result;
use crate::graph::node::{Node, NodeType};
use crate::graph::strength;
use crate::store::Graph;

/// Decisions that one change is held against at most, of its file and of the whole project each.
const MOST: usize = 64;

/// The live decisions stronger than `threshold` that a change has to be held against: of its file, of the folders and
/// patterns that cover it, and those of the whole project that the change touches. Nearest first.
///
/// Cost: three indexed queries.
pub(crate) fn decisions_for(graph: &Graph<'_>, change: &Change<'_>, threshold: f64) -> Result<Vec<DecisionText>> {
    let mut nodes = graph.nodes_binding(change.path, NodeType::Decision, MOST)?;
    nodes.extend(graph.nodes_without_files(NodeType::Decision, MOST)?);
    let strong: Vec<DecisionText> =
        nodes.iter().filter(|n| strength::current(&n.node) > threshold).map(|n| decision_text(&n.node)).collect();
    Ok(candidates::candidates(change, &strong).into_iter().map(|(_, d)| d.clone()).collect())
}

fn decision_text(node: &Node) -> DecisionText {
    DecisionText {
        id: node.id.to_string(),
        text: node.description.clone(),
        rationale: node.claim.as_ref().map(|c| c.rationale.clone()).unwrap_or_default(),
        claim: node.claim.clone(),
        files: node.affected_files.clone(),
        trust: node.trust,
        since: Some(node.valid_from),
    }
}
