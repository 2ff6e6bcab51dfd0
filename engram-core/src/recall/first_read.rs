//! Involuntary recall: what the graph knows of a file, when it is read for the first time in a session.

use super::query::finish;
use super::{Recall, RecallItem};
use crate::error::Result;
use crate::graph::node::{Node, NodeType};
use crate::graph::strength;
use crate::store::Graph;
use crate::time::Stopwatch;

/// Notes of one file (specification, "Involuntary retrieval").
const NOTES: usize = 3;
/// Weaker notes do not interrupt.
const STRONG: f64 = 0.5;
/// Nodes of one file that are looked at.
const LOOKED_AT: usize = 64;

/// The strongest notes of the files just read; at most three, each stronger than 0.5, none told before.
///
/// Cost: one indexed query a file.
pub(crate) fn first_read(
    graph: &Graph<'_>,
    paths: &[&str],
    budget: usize,
    told: &dyn Fn(&str) -> bool,
) -> Result<Recall> {
    let watch = Stopwatch::start();
    let mut items: Vec<RecallItem> = Vec::new();
    for path in paths {
        for stored in graph.nodes_of_file(path, LOOKED_AT)? {
            let now = strength::current(&stored.node);
            let known = told(stored.node.id.as_str()) || items.iter().any(|i| i.id == stored.node.id.as_str());
            if now > STRONG && tells(&stored.node) && !known {
                items.push(RecallItem::of(&stored.node, now, vec![format!("path {path}")]));
            }
        }
    }
    items.sort_by(|a, b| {
        rank(b)
            .cmp(&rank(a))
            .then(b.strength.total_cmp(&a.strength))
            .then_with(|| b.learned.cmp(&a.learned))
            .then_with(|| a.id.cmp(&b.id))
    });
    Ok(finish(items, NOTES, budget, watch))
}

/// Decisions and past mistakes come before what is merely known (D20).
fn rank(item: &RecallItem) -> u8 {
    match item.node_type.as_str() {
        "decision" => 2,
        "error" => 1,
        _ => 0,
    }
}

/// A concept that stands for the file itself says nothing that reading the file does not.
fn tells(node: &Node) -> bool {
    node.node_type != NodeType::Concept || !node.affected_files.contains(&node.name)
}
