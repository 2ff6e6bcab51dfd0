//! A memory that may be kept, and what it is worth.

use super::cues;
use super::sentence;
use super::wording;
use crate::graph::change::NewNode;
use crate::graph::node::{MemoryKind, NodeType, Origin, Trust, base};
use crate::text;

/// A proposed memory before ranking.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The node; its key is given when the episode is put together.
    pub(super) node: NewNode,
    /// Rank: higher is kept first.
    pub(super) value: u32,
    /// The turn that it comes from.
    pub(super) turn: usize,
    /// Files whose change mended it.
    pub(super) mended_in: Vec<String>,
    /// Cause and mending in words, for the episode's list of errors.
    pub(super) cause: String,
    pub(super) resolution: String,
}

/// What kinds of memory are worth, highest first.
pub(super) mod worth {
    pub(in super::super) const SAVED: u32 = 110;
    pub(in super::super) const RULE: u32 = 100;
    pub(in super::super) const CORRECTION: u32 = 95;
    pub(in super::super) const ANSWER: u32 = 90;
    pub(in super::super) const WISH: u32 = 85;
    pub(in super::super) const REPORT: u32 = 80;
    pub(in super::super) const PLAN: u32 = 62;
    pub(in super::super) const CHAIN: u32 = 66;
    pub(in super::super) const AGENT: u32 = 50;
    pub(in super::super) const FINDING: u32 = 48;
    pub(in super::super) const OPEN: u32 = 46;
    pub(in super::super) const COMMAND: u32 = 44;
    pub(in super::super) const CONCEPT: u32 = 30;
}

impl Candidate {
    /// A memory of `node_type` that says `description`, named after it.
    pub(super) fn new(node_type: NodeType, description: &str, value: u32, turn: usize) -> Candidate {
        let description = wording::clip(description);
        let mut node = NewNode::new("", node_type, wording::name(&description), description);
        if sentence::has(&sentence::normal(&node.description), cues::INJECTION) || hides(&node.description) {
            node.trust = Trust::Quarantined;
        }
        Candidate { node, value, turn, mended_in: Vec::new(), cause: String::new(), resolution: String::new() }
    }

    /// A decision, with its claim read out of `sentence`.
    pub(super) fn decision(description: &str, sentence: &str, value: u32, turn: usize) -> Candidate {
        let mut made = Candidate::new(NodeType::Decision, description, value, turn);
        made.node.base = base::EXPLICIT;
        made.node.claim = crate::graph::claim::parse(sentence);
        made
    }

    /// Said by the user.
    pub(super) fn of_user(mut self) -> Candidate {
        self.node.origin = Origin::User;
        self.trusted(Trust::User)
    }

    /// Seen to happen.
    pub(super) fn observed(mut self) -> Candidate {
        self.node.origin = Origin::Tool;
        self.trusted(Trust::Observed)
    }

    /// Trusted so far, unless it is suspicious.
    pub(super) fn trusted(mut self, trust: Trust) -> Candidate {
        if self.node.trust != Trust::Quarantined {
            self.node.trust = trust;
        }
        self
    }

    /// With a finer kind.
    pub(super) fn kind(mut self, kind: MemoryKind) -> Candidate {
        self.node.kind = Some(kind);
        self
    }

    /// With a name of its own.
    pub(super) fn named(mut self, name: &str) -> Candidate {
        self.node.name = wording::name(name);
        self
    }

    /// About these files.
    pub(super) fn files(mut self, files: Vec<String>) -> Candidate {
        self.node.files = files;
        self
    }
}

fn hides(description: &str) -> bool {
    matches!(text::neutralise(description), std::borrow::Cow::Owned(_))
}
