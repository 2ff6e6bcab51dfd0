//! A graph change request: what an episode wants to add to the graph, before anything is resolved.

use super::edge::EdgeType;
use super::node::{Claim, MemoryKind, NodeType, Origin, Trust};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// A node named inside one change request: the key of a [`NewNode`] of the same request, or the id of a node that exists.
pub type NodeRef = String;

/// The nodes and edges that one episode proposes (specification, "Graph change request").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GraphChange {
    /// Nodes to create, or to merge into nodes that are the same.
    pub nodes: Vec<NewNode>,
    /// Edges to create, or to strengthen.
    pub edges: Vec<NewEdge>,
}

/// A proposed node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewNode {
    /// Its name inside this request, unique there.
    pub key: NodeRef,
    /// A short name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub node_type: NodeType,
    /// A finer kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<MemoryKind>,
    /// The memory itself, self-contained.
    pub description: String,
    /// 0.85, 0.35 or 1.0 (D7); an imported note may carry its own.
    pub base: f64,
    /// How far it is believed.
    pub trust: Trust,
    /// Where it came from.
    pub origin: Origin,
    /// What it says, taken apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// Files it is about, relative to the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Whether it prevented or caused failures: causalImportance 1.5.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub causal: bool,
    /// Since when it is true; the time of its source otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// The session it comes from; that of its source otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Text (a name or a claim) of an older memory that this one replaces, where the episode says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
}

impl NewNode {
    /// A node with the defaults of its type: base 1.0, trust `inferred`, origin `agent`, no claim, no files.
    pub fn new(
        key: impl Into<String>,
        node_type: NodeType,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> NewNode {
        NewNode {
            key: key.into(),
            name: name.into(),
            node_type,
            kind: None,
            description: description.into(),
            base: super::node::base::OTHER,
            trust: Trust::Inferred,
            origin: Origin::Agent,
            claim: None,
            files: Vec::new(),
            causal: false,
            valid_from: None,
            session: None,
            supersedes: None,
        }
    }
}

/// A proposed edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewEdge {
    /// Where it starts.
    pub from: NodeRef,
    /// Where it ends.
    pub to: NodeRef,
    /// Its type.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// 0 to 1.
    #[serde(default = "full")]
    pub strength: f64,
}

fn full() -> f64 {
    1.0
}

impl NewEdge {
    /// An edge of strength 1.
    pub fn new(from: impl Into<String>, edge_type: EdgeType, to: impl Into<String>) -> NewEdge {
        NewEdge { from: from.into(), to: to.into(), edge_type, strength: 1.0 }
    }

    /// The same edge with a strength.
    #[must_use]
    pub fn with_strength(mut self, strength: f64) -> NewEdge {
        self.strength = strength;
        self
    }
}
