//! Resolves the first thing of each pair against the second, as consolidation would.

use crate::records::{self, Outcome};
use engram_core::graph::change::NewNode;
use engram_core::graph::node::{Node, NodeId, NodeType, Status, StrengthFactors};
use engram_core::graph::resolve::{Candidate, Resolution, resolve};
use engram_core::models::{Embedder, StaticEmbedder};
use engram_core::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Arguments of `entities`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Pairs of things, one a line.
    #[arg(long, value_name = "FILE")]
    pairs: PathBuf,
    /// Where the run goes: {"id","label"} a line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Pair {
    id: String,
    a: Thing,
    b: Thing,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Thing {
    name: String,
    description: String,
}

#[derive(Debug, Serialize)]
struct Resolved<'p> {
    id: &'p str,
    label: &'static str,
}

impl Thing {
    fn proposed(&self) -> NewNode {
        NewNode::new("new", NodeType::Concept, &self.name, &self.description)
    }

    /// The thing as a node that the graph has already.
    fn known(&self) -> Node {
        let new = self.proposed();
        let day = Timestamp::default();
        Node {
            id: NodeId::new("known"),
            name: new.name,
            node_type: new.node_type,
            kind: None,
            description: new.description,
            strength: 1.0,
            factors: StrengthFactors { base: 1.0, episodes: 1, successes: 1, causal: 1.0, idle_sessions: 0 },
            status: Status::Active,
            superseded_by: None,
            trust: new.trust,
            origin: new.origin,
            claim: None,
            affected_files: Vec::new(),
            source_episodes: Vec::new(),
            session: String::new(),
            valid_from: day,
            valid_to: None,
            recorded_at: day,
            retired_at: None,
            updated_at: day,
        }
    }

    fn vector(&self, embedder: &StaticEmbedder) -> Option<Vec<f32>> {
        embedder.vector(&format!("{}: {}", self.name, self.description))
    }
}

/// What a resolution says about the pair.
fn label(resolution: &Resolution) -> &'static str {
    match resolution {
        Resolution::Merge(_) | Resolution::Revive(_) => "SAME",
        Resolution::CreateChild(_) | Resolution::Supersede(_) | Resolution::Review(_) => "VERSION_OF",
        Resolution::CreateNew => "DIFFERENT",
    }
}

fn judge(pair: &Pair, embedder: &StaticEmbedder) -> &'static str {
    let (known, near) = (pair.b.known(), pair.b.vector(embedder));
    let candidate = Candidate { node: &known, vector: near.as_deref() };
    let vector = pair.a.vector(embedder);
    label(&resolve(&pair.a.proposed(), vector.as_deref(), &[candidate], &embedder.thresholds()))
}

/// Resolves every pair with the built-in embedder.
pub(crate) fn run(arguments: &Arguments) -> Outcome<String> {
    let pairs: Vec<Pair> = records::read(&arguments.pairs)?;
    let embedder = StaticEmbedder::builtin()?;
    let resolved: Vec<Resolved<'_>> =
        pairs.iter().map(|pair| Resolved { id: &pair.id, label: judge(pair, &embedder) }).collect();
    records::write(&arguments.out, &resolved)?;
    let count = |label: &str| resolved.iter().filter(|r| r.label == label).count();
    let (same, version) = (count("SAME"), count("VERSION_OF"));
    Ok(format!("{} pairs: {same} same, {version} versions, {} different", pairs.len(), count("DIFFERENT")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(name: &str, description: &str) -> Thing {
        Thing { name: name.into(), description: description.into() }
    }

    #[test]
    fn a_version_is_the_thing_and_another_thing_is_another() {
        let embedder = StaticEmbedder::builtin().unwrap();
        let sqlite = thing("SQLite", "Embedded SQL database");
        let newer = thing("SQLite 3.53.0", "Embedded SQL database for the local store");
        let other = thing("Kubernetes", "Schedules the containers of the services");
        let of = |a: &Thing, b: &Thing| judge(&Pair { id: String::new(), a: a.clone(), b: b.clone() }, &embedder);
        assert_eq!(of(&newer, &sqlite), "SAME");
        assert_eq!(of(&other, &sqlite), "DIFFERENT");
    }
}
