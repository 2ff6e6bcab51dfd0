use super::super::claim::parse;
use super::super::node::{Origin, StrengthFactors, base};
use super::*;
use crate::time::Timestamp;

fn thresholds() -> Thresholds {
    Thresholds::service(|_| false)
}

fn node(id: &str, node_type: NodeType, name: &str, description: &str) -> Node {
    let at = Timestamp::from_millis(0);
    Node {
        id: NodeId::new(id),
        name: name.to_owned(),
        node_type,
        kind: None,
        description: description.to_owned(),
        strength: 1.0,
        factors: StrengthFactors { base: base::OTHER, episodes: 1, successes: 1, causal: 1.0, idle_sessions: 0 },
        status: Status::Active,
        superseded_by: None,
        trust: Trust::Inferred,
        origin: Origin::Agent,
        claim: None,
        affected_files: Vec::new(),
        source_episodes: Vec::new(),
        session: String::new(),
        valid_from: at,
        valid_to: None,
        recorded_at: at,
        retired_at: None,
        updated_at: at,
    }
}

fn decision(id: &str, text: &str, trust: Trust) -> Node {
    Node { claim: parse(text), trust, ..node(id, NodeType::Decision, text, text) }
}

fn new_decision(text: &str, trust: Trust) -> NewNode {
    NewNode { claim: parse(text), trust, ..NewNode::new("k", NodeType::Decision, text, text) }
}

fn concept(name: &str) -> NewNode {
    NewNode::new("k", NodeType::Concept, name, "")
}

fn against(new: &NewNode, nodes: &[Node]) -> Resolution {
    let candidates: Vec<_> = nodes.iter().map(|node| Candidate { node, vector: None }).collect();
    let forward = resolve(new, None, &candidates, &thresholds());
    let backward: Vec<_> = candidates.iter().rev().copied().collect();
    assert_eq!(forward, resolve(new, None, &backward, &thresholds()), "the order of candidates mattered");
    forward
}

fn id(id: &str) -> NodeId {
    NodeId::new(id)
}

#[test]
fn a_version_merges_an_aspect_becomes_a_child_and_the_rest_is_new() {
    let graph = [node("n1", NodeType::Concept, "SQLite", "")];
    assert_eq!(against(&concept("SQLite 3.53.0"), &graph), Resolution::Merge(id("n1")));
    assert_eq!(against(&concept("SQLite migration"), &graph), Resolution::CreateChild(id("n1")));
    assert_eq!(against(&concept("Kubernetes"), &graph), Resolution::CreateNew);
}

#[test]
fn nothing_merges_across_types_and_no_episode_merges() {
    let graph = [node("n1", NodeType::Concept, "SQLite", "")];
    let finding = NewNode::new("k", NodeType::Finding, "SQLite", "");
    assert_eq!(against(&finding, &graph), Resolution::CreateNew);
    let episode = NewNode::new("k", NodeType::Episode, "Fix the login", "");
    assert_eq!(against(&episode, &[node("e1", NodeType::Episode, "Fix the login", "")]), Resolution::CreateNew);
}

#[test]
fn ties_go_to_the_smaller_id() {
    let graph = [node("n2", NodeType::Concept, "SQLite", ""), node("n1", NodeType::Concept, "sqlite", "")];
    assert_eq!(against(&concept("SQLite"), &graph), Resolution::Merge(id("n1")));
}

#[test]
fn the_nearer_of_two_parents_is_taken() {
    let graph = [node("n1", NodeType::Concept, "Redis", ""), node("n2", NodeType::Concept, "eviction", "")];
    let (v, far, near) = ([1.0, 0.0], [0.3, 0.7], [0.6, 0.4]);
    let candidates =
        [Candidate { node: &graph[0], vector: Some(&far) }, Candidate { node: &graph[1], vector: Some(&near) }];
    let found = resolve(&concept("Redis eviction policy"), Some(&v), &candidates, &thresholds());
    assert_eq!(found, Resolution::CreateChild(id("n2")));
}

#[test]
fn an_error_is_known_by_its_signature() {
    let graph = [node("x1", NodeType::Error, "src/a.rs E0502", "borrowed twice")];
    let again =
        NewNode::new("k", NodeType::Error, "src/a.rs E0502", "a quite different account, not of 2 but 3 borrows");
    assert_eq!(against(&again, &graph), Resolution::Merge(id("x1")));
}

#[test]
fn the_same_decision_in_other_words_merges() {
    let graph = [decision("d1", "Use pnpm instead of npm", Trust::Inferred)];
    let again = new_decision("We chose pnpm over npm because it is faster", Trust::Inferred);
    assert_eq!(against(&again, &graph), Resolution::Merge(id("d1")));
}

#[test]
fn an_opposite_supersedes_and_never_merges() {
    let graph = [decision("d1", "Use tabs instead of spaces", Trust::Inferred)];
    let opposite = new_decision("Use spaces instead of tabs", Trust::Inferred);
    assert_eq!(against(&opposite, &graph), Resolution::Supersede(id("d1")));
}

#[test]
fn inferred_never_overwrites_the_user_but_the_user_overwrites_at_once() {
    let graph = [decision("d1", "Use 4 spaces for indentation", Trust::User)];
    let inferred = new_decision("Use 2 spaces for indentation", Trust::Inferred);
    assert_eq!(against(&inferred, &graph), Resolution::Review(id("d1")));
    let user = new_decision("Use 2 spaces for indentation", Trust::User);
    assert_eq!(against(&user, &graph), Resolution::Supersede(id("d1")));
}

#[test]
fn a_rival_of_the_user_is_reviewed_even_if_a_weaker_rival_stands_beside_it() {
    let graph = [
        decision("d1", "Use tabs instead of spaces", Trust::Inferred),
        decision("d2", "Use tabs rather than spaces", Trust::User),
    ];
    let opposite = new_decision("Use spaces instead of tabs", Trust::Observed);
    assert_eq!(against(&opposite, &graph), Resolution::Review(id("d2")));
}

#[test]
fn every_rival_is_named() {
    let graph = [
        decision("d2", "Use DuckDB for storage", Trust::Inferred),
        decision("d1", "Use SQLite for storage", Trust::Inferred),
        decision("d3", "Use Postgres for storage", Trust::User),
    ];
    let candidates: Vec<_> = graph.iter().map(|node| Candidate { node, vector: None }).collect();
    let new = new_decision("Use LMDB for storage", Trust::Observed);
    assert_eq!(rivals(&new, &candidates), [id("d1"), id("d2")]);
}

#[test]
fn a_superseded_decision_that_comes_back_is_said_to_be_one() {
    let mut old = decision("d1", "Use tabs instead of spaces", Trust::Inferred);
    old.status = Status::Superseded;
    old.superseded_by = Some(id("d2"));
    let holding = decision("d2", "Use spaces instead of tabs", Trust::Inferred);
    let again = new_decision("Prefer tabs to spaces", Trust::Inferred);
    assert_eq!(against(&again, &[old.clone()]), Resolution::Revive(id("d1")));
    assert_eq!(against(&again, &[old.clone(), holding.clone()]), Resolution::Revive(id("d1")));
    let user_holding = Node { trust: Trust::User, ..holding };
    assert_eq!(against(&again, &[old, user_holding]), Resolution::Review(id("d2")));
}

#[test]
fn a_superseded_rival_is_no_rival() {
    let mut old = decision("d1", "Use tabs instead of spaces", Trust::User);
    old.status = Status::Superseded;
    let new = new_decision("Use spaces instead of tabs", Trust::Inferred);
    assert_eq!(against(&new, &[old]), Resolution::CreateNew);
}

#[test]
fn a_newcomer_may_name_what_it_replaces() {
    let graph = [node("f1", NodeType::Finding, "auth uses sessions", "Logins are kept in server-side sessions")];
    let mut new = NewNode::new("k", NodeType::Finding, "auth uses tokens", "Logins are bearer tokens");
    new.supersedes = Some("Auth uses sessions".to_owned());
    assert_eq!(against(&new, &graph), Resolution::Supersede(id("f1")));
}

#[test]
fn a_quarantined_newcomer_changes_nothing_that_is_believed() {
    let graph = [decision("d1", "Use pnpm instead of npm", Trust::Inferred)];
    let same = new_decision("Use pnpm instead of npm", Trust::Quarantined);
    let opposite = new_decision("Use npm instead of pnpm", Trust::Quarantined);
    assert_eq!(against(&same, &graph), Resolution::Review(id("d1")));
    assert_eq!(against(&opposite, &graph), Resolution::Review(id("d1")));
}

#[test]
fn commands_are_the_same_only_letter_by_letter() {
    let command =
        |id, name| Node { kind: Some(MemoryKind::Command), ..node(id, NodeType::Finding, name, "runs tests") };
    let new =
        NewNode { kind: Some(MemoryKind::Command), ..NewNode::new("k", NodeType::Finding, "npm test -- --ci", "") };
    assert_eq!(against(&new, &[command("c1", "npm test")]), Resolution::CreateNew);
    assert_eq!(against(&new, &[command("c1", "npm test -- --ci")]), Resolution::Merge(id("c1")));
}

#[test]
fn a_differing_value_is_a_version_not_the_same() {
    let graph = [node("n1", NodeType::Concept, "upload limit", "Uploads are capped at 10 MB")];
    let new = NewNode::new("k", NodeType::Concept, "upload limit", "Uploads are capped at 20 MB");
    assert_eq!(against(&new, &graph), Resolution::CreateChild(id("n1")));
}

#[test]
fn sentences_that_differ_in_their_one_telling_noun_do_not_merge() {
    let text = |noun: &str| format!("The nightly report of the billing service goes to the {noun}");
    let old = Node { claim: None, ..decision("n1", &text("accountants"), Trust::Inferred) };
    let merged = |noun: &str| {
        let new = NewNode { claim: None, ..new_decision(&text(noun), Trust::Inferred) };
        let candidate = Candidate { node: &old, vector: Some(&[1.0, 0.0]) };
        resolve(&new, Some(&[1.0, 0.0]), &[candidate], &thresholds())
    };
    assert_eq!(merged("accountants"), Resolution::Merge(old.id.clone()));
    let short = NewNode { claim: None, ..new_decision("Amounts are floats in the old billing code", Trust::Inferred) };
    let other = Node { claim: None, ..decision("n2", "Amounts are cents in the old ledger code", Trust::Inferred) };
    let candidate = Candidate { node: &other, vector: Some(&[1.0, 0.0]) };
    assert_ne!(resolve(&short, Some(&[1.0, 0.0]), &[candidate], &thresholds()), Resolution::Merge(other.id.clone()));
}
