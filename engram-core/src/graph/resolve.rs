//! Entity resolution: is a proposed node new, or one that the graph already has?
//!
//! Names first, cosine second: no threshold of any embedder tried puts `SQLite 3.53.0` nearer to `SQLite` than
//! `SQLite migration`. A false merge destroys knowledge and a missed one costs a duplicate, so doubt creates.

use super::change::NewNode;
use super::claim::{ClaimRelation, compare};
use super::likeness::{Described, Likeness, label_pair};
use super::node::{MemoryKind, Node, NodeId, NodeType, Status, Trust};
use crate::similarity::{Thresholds, cosine};
use crate::text;
use std::collections::BTreeSet;

/// A node that a newcomer may turn out to be.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The node, active or superseded.
    pub node: &'a Node,
    /// Its vector, by the embedder of the newcomer's vector.
    pub vector: Option<&'a [f32]>,
}

/// What to do with a proposed node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// It is this node: reinforce it.
    Merge(NodeId),
    /// It is an aspect or a version of this node: create it with a `version_of` edge.
    CreateChild(NodeId),
    /// It is new.
    CreateNew,
    /// It takes the place of this node, and of every other that [`rivals`] names.
    Supersede(NodeId),
    /// It contradicts this node, which is believed more than it: a person decides.
    Review(NodeId),
    /// It is this superseded node again: annotate it, or let it hold again and supersede what took its place.
    Revive(NodeId),
}

/// Resolves a proposed node against `candidates`. Pure; the order of the candidates does not matter, ties go to the
/// smaller id. Costs one comparison of names and one cosine a candidate.
pub fn resolve(
    new: &NewNode,
    new_vector: Option<&[f32]>,
    candidates: &[Candidate<'_>],
    thresholds: &Thresholds,
) -> Resolution {
    let mut found: Vec<Judged<'_>> = candidates
        .iter()
        .map(|c| judge(new, new_vector, c, thresholds))
        .filter(|j| j.standing != Standing::Apart)
        .collect();
    found.sort_by(Judged::order);
    let holds = |j: &&Judged<'_>| j.node.status == Status::Active;
    let first = |standing| found.iter().filter(holds).find(|j| j.standing == standing);
    let before = found.iter().find(|j| !holds(j) && j.standing == Standing::Same);

    if let Some(same) = first(Standing::Same) {
        return believed(new, same.node, Resolution::Merge);
    }
    let stronger = found.iter().filter(holds).find(|j| j.standing == Standing::Rival && !may_replace(new, j.node));
    match (stronger.or(first(Standing::Rival)), before) {
        (Some(rival), _) if !may_replace(new, rival.node) => Resolution::Review(rival.node.id.clone()),
        (_, Some(before)) => believed(new, before.node, Resolution::Revive),
        (Some(rival), None) => Resolution::Supersede(rival.node.id.clone()),
        (None, None) => match first(Standing::Kin) {
            Some(kin) => Resolution::CreateChild(kin.node.id.clone()),
            None => Resolution::CreateNew,
        },
    }
}

/// Every active node whose place the newcomer takes, in the order of their ids. Empty for a newcomer without a claim
/// that names no predecessor.
pub fn rivals(new: &NewNode, candidates: &[Candidate<'_>]) -> Vec<NodeId> {
    let is = |node: &Node| {
        node.node_type == new.node_type
            && node.status == Status::Active
            && may_replace(new, node)
            && is_rival(new, node)
    };
    let mut ids: Vec<NodeId> = candidates.iter().map(|c| c.node).filter(|n| is(n)).map(|n| n.id.clone()).collect();
    ids.sort();
    ids
}

/// How a candidate stands to the newcomer, most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Same,
    Rival,
    Kin,
    Apart,
}

struct Judged<'a> {
    node: &'a Node,
    standing: Standing,
    cosine: f32,
}

impl Judged<'_> {
    fn order(a: &Judged<'_>, b: &Judged<'_>) -> std::cmp::Ordering {
        a.standing.cmp(&b.standing).then(b.cosine.total_cmp(&a.cosine)).then_with(|| a.node.id.cmp(&b.node.id))
    }
}

fn judge<'a>(new: &NewNode, vector: Option<&[f32]>, c: &Candidate<'a>, thresholds: &Thresholds) -> Judged<'a> {
    let near = vector.zip(c.vector).map(|(a, b)| cosine(a, b));
    Judged { node: c.node, standing: standing(new, c.node, near, thresholds), cosine: near.unwrap_or(0.0) }
}

fn standing(new: &NewNode, node: &Node, near: Option<f32>, thresholds: &Thresholds) -> Standing {
    if node.node_type != new.node_type || node.node_type == NodeType::Episode {
        return Standing::Apart;
    }
    if is_rival(new, node) {
        return Standing::Rival;
    }
    if let Some(known) = by_name_alone(new, node) {
        return known;
    }
    let claims = new.claim.as_ref().zip(node.claim.as_ref()).map(|(a, b)| compare(a, b));
    if claims == Some(ClaimRelation::Same) {
        return Standing::Same;
    }
    let likeness = label_pair(Described::from(new), Described::from(node), near, thresholds);
    match likeness {
        // Two claims that could be compared and do not say the same are not one, however alike they read.
        Likeness::Same if claims.is_some() => Standing::Kin,
        // Two sentences that differ in one noun embed side by side, and that noun is the value (D22).
        Likeness::Same if !names_a_thing(&new.name) && !same_words(&new.description, &node.description) => {
            Standing::Apart
        }
        Likeness::Same => Standing::Same,
        Likeness::Version if names_a_thing(&new.name) && names_a_thing(&node.name) => Standing::Kin,
        Likeness::Version | Likeness::Different => Standing::Apart,
    }
}

/// Whether a name stands for a thing, of which there can be versions and aspects. A whole sentence states something; that
/// it shares a word with another sentence makes neither a version of the other.
fn names_a_thing(name: &str) -> bool {
    name.split_whitespace().count() <= 5
}

/// Whether nearly every word of the shorter text stands in the other.
fn same_words(a: &str, b: &str) -> bool {
    let stems = |t: &str| -> BTreeSet<String> {
        text::words(t).iter().filter(|w| !text::is_stop_word(w)).map(|w| text::stem(w)).collect()
    };
    let (a, b) = (stems(a), stems(b));
    10 * a.intersection(&b).count() >= 8 * a.len().min(b.len())
}

/// Errors are the same by their signature, and commands by their spelling; another command is another one.
fn by_name_alone(new: &NewNode, node: &Node) -> Option<Standing> {
    let command = [new.kind, node.kind].contains(&Some(MemoryKind::Command));
    let equal = new.name.trim() == node.name.trim();
    match (command, node.node_type) {
        (true, _) => Some(if equal { Standing::Same } else { Standing::Apart }),
        (false, NodeType::Error) if equal => Some(Standing::Same),
        _ => None,
    }
}

/// Whether both cannot hold: their claims exclude each other, or the newcomer says what it replaces.
fn is_rival(new: &NewNode, node: &Node) -> bool {
    let relation = new.claim.as_ref().zip(node.claim.as_ref()).map(|(a, b)| compare(a, b));
    matches!(relation, Some(ClaimRelation::Opposed | ClaimRelation::DifferentValue))
        || (relation != Some(ClaimRelation::Same) && new.supersedes.as_deref().is_some_and(|old| names(old, node)))
}

/// Whether `old` is the name, the text or the claim of `node`.
fn names(old: &str, node: &Node) -> bool {
    let old_low = old.trim().to_lowercase();
    let same_text = [&node.name, &node.description].iter().any(|t| t.trim().to_lowercase() == old_low);
    let claims = super::claim::parse(old).zip(node.claim.as_ref());
    !old_low.is_empty() && (same_text || claims.is_some_and(|(a, b)| compare(&a, b) == ClaimRelation::Same))
}

/// Inferred memory never overwrites the user's (D10); trust is declared strongest first.
fn may_replace(new: &NewNode, node: &Node) -> bool {
    new.trust <= node.trust && new.trust != Trust::Quarantined
}

/// `resolution` of `node`, unless a suspicious newcomer would reinforce what is believed.
fn believed(new: &NewNode, node: &Node, resolution: fn(NodeId) -> Resolution) -> Resolution {
    let suspicious = new.trust == Trust::Quarantined && node.trust != Trust::Quarantined;
    if suspicious { Resolution::Review(node.id.clone()) } else { resolution(node.id.clone()) }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
