//! Which memories are kept: the best of each fact, not more than a session should leave.

use super::candidate::Candidate;
use super::sentence::{overlap, terms};
use crate::graph::node::{MemoryKind, NodeType};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Two texts that share this much of their terms say the same.
const SAME: f64 = 0.72;

/// What one episode may leave of each kind, concepts aside.
const LIMITS: &[(Class, usize)] = &[
    (Class::User, 10),
    (Class::Error, 4),
    (Class::Decision, 8),
    (Class::Finding, 5),
    (Class::Open, 3),
    (Class::Command, 2),
];

/// Stems of the words that frame a memory rather than make it.
const FRAME: &[&str] = &["user", "agre", "ask", "chose", "said", "task", "problem", "verifi", "fix"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    User,
    Error,
    Decision,
    Finding,
    Open,
    Command,
}

fn class(c: &Candidate) -> Class {
    match (c.node.node_type, c.node.kind) {
        _ if c.node.trust == crate::graph::node::Trust::User => Class::User,
        (_, Some(MemoryKind::OpenItem)) => Class::Open,
        (_, Some(MemoryKind::Command)) => Class::Command,
        (NodeType::Error, _) => Class::Error,
        (NodeType::Decision, _) => Class::Decision,
        _ => Class::Finding,
    }
}

/// The most memories that a stretch of so many turns leaves, concepts aside.
pub(super) fn budget(turns: usize) -> usize {
    (4 + 3 * turns).clamp(7, 15)
}

/// The best candidates, in the order of their worth; of those that say the same, the worthiest.
pub(super) fn best(mut all: Vec<Candidate>, most: usize) -> Vec<Candidate> {
    // Later first among equals: what was said last is the last state.
    all.sort_by_key(|c| (Reverse(c.value), Reverse(c.turn)));
    let mut kept: Vec<(Candidate, BTreeSet<String>)> = Vec::new();
    for candidate in all {
        let mut own = terms(&candidate.node.description);
        own.retain(|t| !FRAME.contains(&t.as_str()));
        let full = LIMITS.iter().any(|(limited, most)| {
            *limited == class(&candidate) && kept.iter().filter(|(k, _)| class(k) == *limited).count() >= *most
        });
        let known = kept.iter().any(|(k, t)| says_the_same((k, t), (&candidate, &own)));
        if !full && !known && kept.len() < most {
            kept.push((candidate, own));
        }
    }
    kept.into_iter().map(|(c, _)| c).collect()
}

fn says_the_same(a: (&Candidate, &BTreeSet<String>), b: (&Candidate, &BTreeSet<String>)) -> bool {
    a.0.node.name == b.0.node.name || (a.1.len().min(b.1.len()) >= 3 && overlap(a.1, b.1) >= SAME)
}
