//! What is left of a node and of an episode when what must not be told is taken out.

use crate::graph::change::NewNode;
use crate::graph::episode::Episode;
use crate::graph::node::{Claim, Node, NodeType};
use crate::graph::withheld::{MARK, Withheld, is_nothing};
use crate::text;
use std::collections::BTreeSet;

/// Longest name that is made anew, in bytes.
const LONGEST_NAME: usize = 80;

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing of it is forgotten.
    None,
    /// It lost sentences or paths.
    Shorter,
    /// It is what was forgotten, or nothing else is left of it.
    Gone,
}

/// The texts of a node, stored or proposed.
pub(super) struct Texts<'n> {
    node_type: NodeType,
    name: &'n mut String,
    description: &'n mut String,
    claim: Option<&'n mut Claim>,
    files: &'n mut Vec<String>,
}

impl<'n> Texts<'n> {
    /// Those of a node of the graph.
    pub(super) fn of_node(node: &'n mut Node) -> Texts<'n> {
        let Node { node_type, name, description, claim, affected_files, .. } = node;
        Texts { node_type: *node_type, name, description, claim: claim.as_mut(), files: affected_files }
    }

    /// Those of a proposed node.
    pub(super) fn of_proposal(node: &'n mut NewNode) -> Texts<'n> {
        let NewNode { node_type, name, description, claim, files, .. } = node;
        Texts { node_type: *node_type, name, description, claim: claim.as_mut(), files }
    }

    /// Takes out what is withheld. Of a node that goes, the texts are left as they are.
    pub(super) fn strip(self, withheld: &Withheld) -> Effect {
        if withheld.is_empty() {
            return Effect::None;
        }
        let description = withheld.stripped(self.description);
        if self.is_forgotten(withheld) || description.as_deref().is_some_and(is_nothing) {
            return Effect::Gone;
        }
        let name = withheld.stripped(self.name).map(|n| named(n, description.as_ref().unwrap_or(self.description)));
        let paths = self.files.len();
        self.files.retain(|path| !withheld.has_literal(path));
        let claimed = self.claim.is_some_and(|claim| strip_claim(claim, withheld));
        let changed = claimed || description.is_some() || name.is_some() || self.files.len() < paths;
        description.into_iter().for_each(|text| *self.description = text);
        name.into_iter().for_each(|text| *self.name = text);
        if changed { Effect::Shorter } else { Effect::None }
    }

    /// Whether the node itself is what was forgotten. An episode is more than one thing that was said in it.
    fn is_forgotten(&self, withheld: &Withheld) -> bool {
        let literal = |text: &String| withheld.has_literal(text);
        let told = |claim: &&mut Claim| texts(claim).into_iter().any(literal);
        withheld.is_value(self.description)
            || (self.node_type == NodeType::Concept && withheld.is_concept(self.name))
            || (self.node_type != NodeType::Episode
                && (literal(self.name) || literal(self.description) || self.claim.as_ref().is_some_and(told)))
    }
}

fn texts(claim: &Claim) -> Vec<&String> {
    let mut all = vec![&claim.subject, &claim.chosen, &claim.rationale];
    all.extend(&claim.rejected);
    all
}

fn strip_claim(claim: &mut Claim, withheld: &Withheld) -> bool {
    let before = claim.clone();
    for text in [&mut claim.subject, &mut claim.chosen, &mut claim.rationale] {
        if withheld.hides(text) {
            text.clear();
        }
    }
    claim.rejected.retain(|text| !withheld.hides(text));
    *claim != before
}

/// A name of which nothing is left is made of the text.
fn named(name: String, description: &str) -> String {
    if is_nothing(&name) { text::clip_marked(description.replace(MARK, "").trim(), LONGEST_NAME) } else { name }
}

/// Takes what is withheld out of an episode and its request; says whether there was anything.
pub(in super::super) fn strip(episode: &mut Episode, withheld: &Withheld) -> bool {
    if withheld.is_empty() {
        return false;
    }
    let before = episode.clone();
    let hides = |text: &str| withheld.hides(text);
    for text in [&mut episode.goal, &mut episode.approach] {
        if let Some(left) = withheld.stripped(text) {
            *text = left;
        }
    }
    episode.discoveries.retain(|d| !hides(&d.text) && !hides(&d.evidence));
    episode.decisions.retain(|d| !hides(&d.text) && !hides(&d.rationale) && !d.rejected.iter().any(|r| hides(r)));
    episode.errors.retain(|e| !hides(&e.signature) && !hides(&e.root_cause) && !hides(&e.resolution));
    episode.files.retain(|path| !withheld.has_literal(path));
    strip_request(episode, withheld);
    *episode != before
}

fn strip_request(episode: &mut Episode, withheld: &Withheld) {
    let mut gone = BTreeSet::new();
    episode.change.nodes.retain_mut(|node| {
        node.supersedes = node.supersedes.take().filter(|older| !withheld.hides(older));
        let stays = Texts::of_proposal(node).strip(withheld) != Effect::Gone;
        if !stays {
            gone.insert(node.key.clone());
        }
        stays
    });
    episode.change.edges.retain(|edge| !gone.contains(&edge.from) && !gone.contains(&edge.to));
}
