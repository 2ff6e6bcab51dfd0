//! Later beats earlier: what was taken back within the stretch is no longer a decision.

use super::candidate::{Candidate, worth};
use super::sentence::{overlap, terms};
use crate::graph::claim::{ClaimRelation, compare};
use crate::graph::node::{NodeType, Trust};

/// A correction that shares this much with what the agent stated takes it back.
const SHARED: f64 = 0.6;

/// Retires decisions that a later one reverses; what they chose becomes a rejected alternative of the later one.
pub(super) fn settle(mut all: Vec<Candidate>) -> Vec<Candidate> {
    all.sort_by_key(|c| c.turn);
    let mut retired = vec![false; all.len()];
    for later in 1..all.len() {
        for earlier in 0..later {
            if !retired[earlier] && reverses(&all[later], &all[earlier]) {
                retired[earlier] = true;
                turn_down(&mut all, later, earlier);
            }
        }
    }
    let mut keep = retired.iter().map(|r| !r);
    all.retain(|_| keep.next().unwrap_or(true));
    all
}

fn reverses(later: &Candidate, earlier: &Candidate) -> bool {
    if later.turn <= earlier.turn
        || earlier.node.node_type != NodeType::Decision
        || later.node.node_type != NodeType::Decision
    {
        return false;
    }
    // What the user laid down falls only to the user.
    if earlier.node.trust == Trust::User && later.node.trust != Trust::User {
        return false;
    }
    let opposed = match (&later.node.claim, &earlier.node.claim) {
        (Some(l), Some(e)) => matches!(compare(l, e), ClaimRelation::Opposed | ClaimRelation::DifferentValue),
        _ => false,
    };
    opposed || (later.value == worth::CORRECTION && earlier.node.trust != Trust::User && shares(later, earlier))
}

fn shares(later: &Candidate, earlier: &Candidate) -> bool {
    let (l, e) = (terms(&later.node.description), terms(&earlier.node.description));
    l.len().min(e.len()) >= 4 && overlap(&l, &e) >= SHARED
}

fn turn_down(all: &mut [Candidate], later: usize, earlier: usize) {
    let old = all[earlier].node.claim.clone().map(|c| c.chosen).filter(|c| !c.is_empty());
    let rejected = old.unwrap_or_else(|| all[earlier].node.name.clone());
    let claim = all[later].node.claim.get_or_insert_with(Default::default);
    let known = |c: &String| c.eq_ignore_ascii_case(&rejected);
    if !claim.rejected.iter().any(known) && !known(&claim.chosen) {
        claim.rejected.push(rejected);
    }
}
