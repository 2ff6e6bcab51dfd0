//! Supersession: knowledge is outdated, never deleted. Pure descriptions of what changes; the store applies them.

use super::change::NewEdge;
use super::edge::EdgeType;
use super::node::{Node, NodeId, Status};
use crate::time::Timestamp;

/// Why and by what a node is superseded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supersession {
    /// What takes its place; none if it merely stopped being true (a deleted file).
    pub by: Option<NodeId>,
    /// Why, for history and audit.
    pub reason: String,
    /// The episode that showed it; empty where a person or maintenance did.
    pub episode: String,
    /// Since when it is no longer true in the project.
    pub valid_to: Timestamp,
    /// When engram learned so.
    pub at: Timestamp,
}

/// What superseding a node does.
#[derive(Clone, Debug, PartialEq)]
pub struct Superseded {
    /// The node as it is afterwards: superseded, strength 0, closed on both clocks (D11).
    pub node: Node,
    /// The `supersedes` edge from the new node to the old one.
    pub edge: Option<NewEdge>,
    /// The reason as it stands in history.
    pub reason: String,
    /// The episode that showed it.
    pub episode: String,
}

/// The effect of superseding `old`. Its factors stay, so that it can be revived.
///
/// `None` if there is nothing to do: it is superseded already, or would supersede itself.
pub fn supersede(old: &Node, cause: &Supersession) -> Option<Superseded> {
    if old.status == Status::Superseded || cause.by.as_ref() == Some(&old.id) {
        return None;
    }
    let node = Node {
        status: Status::Superseded,
        strength: 0.0,
        superseded_by: cause.by.clone(),
        // Clocks of different machines: nothing stops being true before it began.
        valid_to: Some(cause.valid_to.max(old.valid_from)),
        retired_at: Some(cause.at.max(old.recorded_at)),
        updated_at: cause.at.max(old.updated_at),
        ..old.clone()
    };
    let edge = cause.by.as_ref().map(|by| NewEdge::new(by.as_str(), EdgeType::Supersedes, old.id.as_str()));
    Some(Superseded { node, edge, reason: cause.reason.clone(), episode: cause.episode.clone() })
}

/// `old` as it is when it holds again since `at`; its strength follows from its factors. `None` if it never ceased
/// to hold. The `supersedes` edges stay: they are what happened.
pub fn revive(old: &Node, at: Timestamp) -> Option<Node> {
    (old.status == Status::Superseded).then(|| Node {
        status: Status::Active,
        superseded_by: None,
        valid_to: None,
        retired_at: None,
        updated_at: at.max(old.updated_at),
        strength: super::strength::strength(&old.factors, old.node_type, Status::Active, old.trust),
        ..old.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::super::node::{NodeType, Origin, StrengthFactors, Trust, base};
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn node() -> Node {
        Node {
            id: NodeId::new("old"),
            name: "auth".to_owned(),
            node_type: NodeType::Decision,
            kind: None,
            description: "Sessions in cookies".to_owned(),
            strength: 0.85,
            factors: StrengthFactors { base: base::EXPLICIT, episodes: 1, successes: 1, causal: 1.0, idle_sessions: 0 },
            status: Status::Active,
            superseded_by: None,
            trust: Trust::Inferred,
            origin: Origin::Agent,
            claim: None,
            affected_files: vec!["src/auth.rs".to_owned()],
            source_episodes: vec!["e1".to_owned()],
            session: "s1".to_owned(),
            valid_from: at(1_000),
            valid_to: None,
            recorded_at: at(2_000),
            retired_at: None,
            updated_at: at(2_000),
        }
    }

    fn cause(by: Option<&str>) -> Supersession {
        Supersession {
            by: by.map(NodeId::new),
            reason: "tokens replaced sessions".to_owned(),
            episode: "e2".to_owned(),
            valid_to: at(5_000),
            at: at(6_000),
        }
    }

    #[test]
    fn the_old_node_has_strength_zero_and_both_clocks_are_closed() {
        let done = supersede(&node(), &cause(Some("new"))).unwrap();
        assert_eq!(done.node.status, Status::Superseded);
        assert_eq!(done.node.strength, 0.0);
        assert_eq!(done.node.superseded_by, Some(NodeId::new("new")));
        assert_eq!((done.node.valid_to, done.node.retired_at), (Some(at(5_000)), Some(at(6_000))));
        assert_eq!(done.edge, Some(NewEdge::new("new", EdgeType::Supersedes, "old")));
        assert_eq!((done.reason.as_str(), done.episode.as_str()), ("tokens replaced sessions", "e2"));
    }

    #[test]
    fn nothing_that_was_known_is_lost() {
        let (old, done) = (node(), supersede(&node(), &cause(Some("new"))).unwrap());
        assert_eq!((&done.node.description, &done.node.factors), (&old.description, &old.factors));
        assert_eq!((&done.node.source_episodes, done.node.valid_from), (&old.source_episodes, old.valid_from));
    }

    #[test]
    fn what_stopped_being_true_without_a_successor_has_no_edge() {
        let done = supersede(&node(), &cause(None)).unwrap();
        assert_eq!((done.edge, done.node.superseded_by), (None, None));
    }

    #[test]
    fn superseding_twice_or_by_itself_changes_nothing() {
        let done = supersede(&node(), &cause(Some("new"))).unwrap();
        assert_eq!(supersede(&done.node, &cause(Some("newer"))), None);
        assert_eq!(supersede(&node(), &cause(Some("old"))), None);
    }

    #[test]
    fn a_clock_that_went_back_closes_no_earlier_than_it_opened() {
        let early = Supersession { valid_to: at(0), at: at(0), ..cause(Some("new")) };
        let done = supersede(&node(), &early).unwrap();
        assert_eq!((done.node.valid_to, done.node.retired_at), (Some(at(1_000)), Some(at(2_000))));
    }

    #[test]
    fn a_revived_node_is_as_it_was_but_for_its_age() {
        let done = supersede(&node(), &cause(Some("new"))).unwrap();
        let again = revive(&done.node, at(9_000)).unwrap();
        assert_eq!(again, Node { updated_at: at(9_000), ..node() });
        assert_eq!(revive(&again, at(9_000)), None);
    }
}
