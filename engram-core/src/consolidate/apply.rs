//! Applying a graph change request: a function of the request and the database alone, in one transaction, exactly once.

use crate::capture::event::SessionId;
use crate::error::Result;
use crate::graph::change::{GraphChange, NewEdge, NewNode};
use crate::graph::edge::EdgeType;
use crate::graph::episode::{Episode, LogRange, Outcome};
use crate::graph::node::{Node, NodeId, Origin, Status, StrengthFactors, Trust, base};
use crate::graph::resolve::{Candidate, Resolution, resolve, rivals};
use crate::graph::strength;
use crate::graph::supersede::{self, Supersession};
use crate::graph::withheld::value_digest;
use crate::models::Embedder;
use crate::store::{AuditRow, EdgeWrite, Graph, NodeKey, Store, StoredNode};
use crate::text;
use crate::time::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Nearest nodes that a new one may be the same as.
const NEIGHBOURS: usize = 8;
/// Files that one node keeps.
const MOST_FILES: usize = 64;

/// A change request and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The session, or the name of another log.
    pub(crate) session: &'a str,
    /// The stretch of that log; with the session it makes the request unique.
    pub(crate) range: LogRange,
    /// The episode, where there is one.
    pub(crate) episode: Option<&'a Episode>,
    /// The request.
    pub(crate) change: &'a GraphChange,
    /// What makes nodes the same.
    pub(crate) identity: Identity,
    /// Who asks, for the audit.
    pub(crate) actor: &'static str,
    /// The time that the changes carry.
    pub(crate) now: Timestamp,
    /// The present, for the note of when it was applied.
    pub(crate) applied_at: Timestamp,
    /// What tells this project's ids from another's where the log does not.
    pub(crate) project: &'a str,
}

/// What makes a proposed node the same as one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Its meaning (entity resolution).
    Resolved,
    /// Its key, which is its id: imported notes keep theirs.
    ByKey,
}

/// What applying did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Applied {
    pub(crate) created: usize,
    pub(crate) merged: usize,
    pub(crate) superseded: usize,
    pub(crate) edges: usize,
    /// Whether another consolidator had applied it already.
    pub(crate) before: bool,
    /// Where each proposed node ended up, by its key.
    pub(crate) placed: BTreeMap<String, NodeId>,
    /// Lines for `memory.log`.
    pub(crate) lines: Vec<String>,
}

/// Applies `source` unless it was applied before.
pub(crate) fn apply(store: &mut Store, embedder: &dyn Embedder, source: &Source<'_>) -> Result<Applied> {
    if let Some(before) = store.read(|g| applied_before(g, source))? {
        return Ok(before);
    }
    // Outside the transaction: an embedder may be a service (D26).
    let texts: Vec<String> = source.change.nodes.iter().map(|n| format!("{}: {}", n.name, n.description)).collect();
    let (vectors, trouble) = vectors(embedder, &texts);
    store.write(|graph| {
        graph.use_embedder(embedder.model(), embedder.dimensions(), source.now)?;
        // A file of notes is no session of the project: nothing else ages by it.
        let ordinal = match source.episode.filter(|_| source.identity == Identity::Resolved) {
            Some(e) => graph.session_ordinal(&SessionId::new(e.session.clone()), e.started_at)?,
            None => graph.latest_session(),
        };
        let mut work = Work {
            graph,
            embedder,
            source,
            ordinal,
            placed: BTreeMap::new(),
            held_back: Vec::new(),
            done: Applied { lines: trouble.into_iter().collect(), ..Applied::default() },
        };
        if let Some(episode) = source.episode {
            graph.insert_episode(episode)?;
        }
        for (node, vector) in source.change.nodes.iter().zip(&vectors) {
            work.place(node, vector.as_deref())?;
        }
        for edge in &source.change.edges {
            work.connect(edge)?;
        }
        work.leave_out_held_back()?;
        graph.mark_applied(source.session, source.range, source.episode.map(|e| e.id.as_str()), source.applied_at)?;
        work.done.placed = work.placed.into_iter().map(|(key, (_, id))| (key, id)).collect();
        Ok(work.done)
    })
}

/// A vector a text. A memory is not held up by an embedder that fails: it is stored without one, found by its words, and
/// told apart by its name (D6).
fn vectors(embedder: &dyn Embedder, texts: &[String]) -> (Vec<Option<Vec<f32>>>, Option<String>) {
    match embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(vectors) => (vectors, None),
        Err(e) => (vec![None; texts.len()], Some(format!("no-vectors {} notes: {e}", texts.len()))),
    }
}

/// What is to be said of a source that was applied before: nothing was done, and where a thing that the user said is.
fn applied_before(graph: &Graph<'_>, source: &Source<'_>) -> Result<Option<Applied>> {
    if !graph.is_applied(source.session, source.range.from)? {
        return Ok(None);
    }
    let mut before = Applied { before: true, ..Applied::default() };
    if source.episode.is_none() {
        for new in &source.change.nodes {
            let id = id_of(source, new);
            if graph.node(id.as_str())?.is_some() {
                before.placed.insert(new.key.clone(), id);
            }
        }
    }
    Ok(Some(before))
}

/// Ids follow from what created the node (I15): the same log gives the same ids.
fn id_of(source: &Source<'_>, new: &NewNode) -> NodeId {
    if source.identity == Identity::ByKey {
        return NodeId::new(new.key.clone());
    }
    // Session ids tell projects apart; what the user said to two projects at the same place of two files does not.
    let project = if source.episode.is_none() { source.project } else { "" };
    let at = format!("{project}{}|{}|{}", source.session, source.range.from, new.key);
    NodeId::new(format!("n_{}", text::digest::<8>(at.as_bytes())))
}

struct Work<'a> {
    graph: &'a Graph<'a>,
    embedder: &'a dyn Embedder,
    source: &'a Source<'a>,
    ordinal: i64,
    /// Where each proposed node ended up.
    placed: BTreeMap<String, (NodeKey, NodeId)>,
    /// What was said and waits for a person: no other node of the episode may tell it.
    held_back: Vec<String>,
    done: Applied,
}

impl Work<'_> {
    fn episode_id(&self) -> &str {
        self.source.episode.map_or("", |e| e.id.as_str())
    }

    /// Whether the episode speaks for what was learned in it: only a failure speaks against it (docs/decisions/0004).
    fn held_up(&self) -> bool {
        self.source.episode.is_none_or(|e| e.outcome != Outcome::Failure)
    }

    /// Where a proposal came from, beside its episode: what is to be forgotten with a node is all that became it.
    fn proposal(&self, new: &NewNode) -> String {
        self.source.episode.map_or_else(|| self.source.range.from.to_string(), |_| new.key.clone())
    }

    fn place(&mut self, new: &NewNode, vector: Option<&[f32]>) -> Result<()> {
        // What the user says after having it forgotten is meant.
        if self.source.episode.is_some() && self.graph.is_tombstoned(&value_digest(&new.description))? {
            return Ok(());
        }
        if self.source.identity == Identity::ByKey {
            return match self.graph.node(id_of(self.source, new).as_str())? {
                Some(old) if old.node.origin != Origin::Import => {
                    self.record("annotate", &old.node, None, "an imported note has the id of this memory")
                }
                Some(old) => self.merge(new, old, vector),
                None => self.create(new, vector, new.trust).map(drop),
            };
        }
        let candidates = self.candidates(new, vector)?;
        let shown: Vec<Candidate<'_>> = candidates
            .iter()
            .map(|(stored, vector)| Candidate { node: &stored.node, vector: vector.as_deref() })
            .collect();
        let resolution = resolve(new, vector, &shown, &self.embedder.thresholds());
        let find = |id: &NodeId| candidates.iter().find(|(s, _)| s.node.id == *id).map(|(s, _)| s.clone());
        match resolution {
            Resolution::CreateNew => self.create(new, vector, new.trust).map(drop),
            Resolution::Merge(id) => find(&id).map_or(Ok(()), |old| self.merge(new, old, vector)),
            Resolution::CreateChild(id) => self.create_child(new, &id, vector),
            Resolution::Supersede(_) => {
                let replaced = rivals(new, &shown);
                self.create(new, vector, new.trust)?;
                replaced.iter().filter_map(find).try_for_each(|old| self.supersede(&old, &new.key, &new.description))
            }
            Resolution::Review(id) => self.hold_back(new, &id, vector),
            Resolution::Revive(id) => find(&id).map_or(Ok(()), |old| self.revive(new, &old, vector)),
        }
    }

    /// Nodes of the same type that the new one may be: by name, by subject, by vector, whatever their state.
    fn candidates(&self, new: &NewNode, vector: Option<&[f32]>) -> Result<Vec<(StoredNode, Option<Vec<f32>>)>> {
        let mut found = self.graph.same_name(new.node_type, &new.name)?;
        if let Some(subject) = new.claim.as_ref().map(|c| c.subject.as_str()).filter(|s| !s.is_empty()) {
            found.extend(self.graph.same_subject(new.node_type, subject)?);
        }
        if let Some(vector) = vector {
            for id in self.graph.nearest(vector, NEIGHBOURS)? {
                found.extend(self.graph.node(&id)?.filter(|n| n.node.node_type == new.node_type));
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|n| seen.insert(n.key));
        found.into_iter().map(|n| self.graph.vector(n.node.id.as_str()).map(|v| (n, v))).collect()
    }

    fn create(&mut self, new: &NewNode, vector: Option<&[f32]>, trust: Trust) -> Result<NodeKey> {
        let node = self.fresh(new, trust);
        let key = self.graph.insert_node(&node, self.ordinal)?;
        self.graph.link_files(key, &node.affected_files)?;
        self.graph.index_text(key, &node.name, &node.description, &node.affected_files)?;
        if let Some(vector) = vector {
            self.graph.put_vector(node.id.as_str(), vector)?;
        }
        self.record("create", &node, None, &self.proposal(new))?;
        self.done.created += 1;
        self.placed.insert(new.key.clone(), (key, node.id));
        Ok(key)
    }

    fn fresh(&self, new: &NewNode, trust: Trust) -> Node {
        let now = self.source.now;

        let factors = StrengthFactors {
            base: new.base,
            episodes: 1,
            successes: u32::from(self.held_up()),
            causal: strength::causal_importance(new.causal),
            idle_sessions: 0,
        };
        let mut node = Node {
            id: id_of(self.source, new),
            name: new.name.clone(),
            node_type: new.node_type,
            kind: new.kind,
            description: new.description.clone(),
            strength: 0.0,
            factors,
            status: Status::Active,
            superseded_by: None,
            trust,
            origin: new.origin,
            claim: new.claim.clone(),
            affected_files: new.files.iter().take(MOST_FILES).cloned().collect(),
            source_episodes: self.source.episode.map(|e| e.id.clone()).into_iter().collect(),
            session: new.session.clone().or_else(|| self.source.episode.map(|e| e.session.clone())).unwrap_or_default(),
            valid_from: new.valid_from.unwrap_or(now),
            valid_to: None,
            recorded_at: new.valid_from.unwrap_or(now),
            retired_at: None,
            updated_at: now,
        };
        node.strength = strength::current(&node);
        node
    }

    fn merge(&mut self, new: &NewNode, mut old: StoredNode, vector: Option<&[f32]>) -> Result<()> {
        if old.node.trust == Trust::Quarantined {
            self.held_back.push(new.description.clone());
        }
        let before = old.node.description.clone();
        self.reinforce(new, &mut old.node);
        let replaces = new.trust <= old.node.trust && new.description.len() > before.len();
        if replaces {
            old.node.description.clone_from(&new.description);
            old.node.claim = new.claim.clone().or(old.node.claim.take());
            self.graph.index_text(old.key, &old.node.name, &old.node.description, &old.node.affected_files)?;
            if let Some(vector) = vector {
                self.graph.put_vector(old.node.id.as_str(), vector)?;
            }
        }
        self.graph.update_node(&old, self.ordinal)?;
        self.graph.link_files(old.key, &old.node.affected_files)?;
        self.record("merge", &old.node, replaces.then_some(before), &self.proposal(new))?;
        self.done.merged += 1;
        self.placed.insert(new.key.clone(), (old.key, old.node.id));
        Ok(())
    }

    /// What every further source of a node changes: its counts, its trust, its files, its clocks.
    fn reinforce(&self, new: &NewNode, old: &mut Node) {
        let episode = self.episode_id();
        if episode.is_empty() || !old.source_episodes.iter().any(|e| e == episode) {
            old.factors.episodes += 1;
            old.factors.successes += u32::from(self.held_up());
        }
        if !episode.is_empty() && !old.source_episodes.iter().any(|e| e == episode) {
            old.source_episodes.push(episode.to_owned());
        }
        old.factors.base = old.factors.base.max(new.base);
        old.factors.causal = old.factors.causal.max(strength::causal_importance(new.causal));
        old.factors.idle_sessions = 0;
        // Repetition lifts nothing out of quarantine: only a person does.
        if old.trust != Trust::Quarantined {
            old.trust = old.trust.min(new.trust);
        }
        old.kind = old.kind.or(new.kind);
        let known: BTreeSet<String> = old.affected_files.iter().cloned().collect();
        old.affected_files.extend(new.files.iter().filter(|f| !known.contains(*f)).cloned());
        old.affected_files.truncate(MOST_FILES);
        if let Some(e) = self.source.episode {
            old.session.clone_from(&e.session);
        }
        old.updated_at = self.source.now;
        old.strength = strength::current(old);
    }

    fn create_child(&mut self, new: &NewNode, parent: &NodeId, vector: Option<&[f32]>) -> Result<()> {
        self.create(new, vector, new.trust)?;
        self.connect(&NewEdge::new(new.key.clone(), EdgeType::VersionOf, parent.as_str()).with_strength(0.8))
    }

    /// A newcomer that contradicts what is trusted more waits for a person, and is told to nobody meanwhile.
    fn hold_back(&mut self, new: &NewNode, against: &NodeId, vector: Option<&[f32]>) -> Result<()> {
        self.create(new, vector, Trust::Quarantined)?;
        self.held_back.push(new.description.clone());
        let Some((_, id)) = self.placed.get(&new.key) else { return Ok(()) };
        self.graph.queue_review(id.as_str(), against.as_str(), "contradicts what is trusted more", self.source.now)
    }

    /// Takes what was held back out of the texts of the other nodes of this source, which quote the same message.
    fn leave_out_held_back(&mut self) -> Result<()> {
        let said: Vec<String> = self.held_back.iter().map(|s| s.trim_end_matches('.').to_owned()).collect();
        for (_, id) in self.placed.values().filter(|_| !said.is_empty()) {
            let Some(mut stored) = self.graph.node(id.as_str())?.filter(|n| n.node.trust != Trust::Quarantined) else {
                continue;
            };
            let told = said.iter().fold(stored.node.description.clone(), |text, s| text.replace(s, "(held back)"));
            if told != stored.node.description {
                stored.node.description = told;
                self.graph.update_node(&stored, self.ordinal)?;
                let node = &stored.node;
                self.graph.index_text(stored.key, &node.name, &node.description, &node.affected_files)?;
            }
        }
        Ok(())
    }

    /// Retires `old` in favour of the node placed under `by`.
    fn supersede(&mut self, old: &StoredNode, by: &str, reason: &str) -> Result<()> {
        let Some((key, id)) = self.placed.get(by).cloned() else { return Ok(()) };
        let cause = Supersession {
            by: Some(id.clone()),
            reason: reason.to_owned(),
            episode: self.episode_id().to_owned(),
            valid_to: self.source.now,
            at: self.source.now,
        };
        let Some(effect) = supersede::supersede(&old.node, &cause) else { return Ok(()) };
        let retired = StoredNode { key: old.key, node: effect.node };
        self.graph.update_node(&retired, 0)?;
        self.graph.note_supersession(old.key, &effect.reason, &effect.episode)?;
        self.edge(EdgeType::Supersedes, (key, id.as_str()), (old.key, old.node.id.as_str()), 1.0)?;
        self.record("supersede", &retired.node, Some(old.node.description.clone()), reason)?;
        self.done.superseded += 1;
        Ok(())
    }

    /// A memory that was superseded is proposed again. One that was stated takes its place back from what superseded it;
    /// anything less is only noted.
    fn revive(&mut self, new: &NewNode, old: &StoredNode, vector: Option<&[f32]>) -> Result<()> {
        let holder = match &old.node.superseded_by {
            Some(id) => self.graph.node(id.as_str())?.filter(|h| h.node.status == Status::Active),
            None => None,
        };
        let outranked = holder.as_ref().is_some_and(|h| h.node.trust < new.trust);
        let revived =
            supersede::revive(&old.node, self.source.now).filter(|_| new.base >= base::EXPLICIT && !outranked);
        let Some(node) = revived else {
            return self.record("annotate", &old.node, None, "proposed again after it was superseded");
        };
        self.merge(new, StoredNode { key: old.key, node }, vector)?;
        holder.map_or(Ok(()), |holder| self.supersede(&holder, &new.key, &new.description))
    }

    fn connect(&mut self, edge: &NewEdge) -> Result<()> {
        let (Some(from), Some(to)) = (self.end(&edge.from)?, self.end(&edge.to)?) else { return Ok(()) };
        if from.0 == to.0 {
            return Ok(());
        }
        self.edge(edge.edge_type, (from.0, from.1.as_str()), (to.0, to.1.as_str()), edge.strength)
    }

    fn end(&self, name: &str) -> Result<Option<(NodeKey, NodeId)>> {
        match self.placed.get(name) {
            Some(placed) => Ok(Some(placed.clone())),
            None => Ok(self.graph.node(name)?.map(|n| (n.key, n.node.id))),
        }
    }

    fn edge(&mut self, edge_type: EdgeType, from: (NodeKey, &str), to: (NodeKey, &str), strength: f64) -> Result<()> {
        let write = EdgeWrite { from, to, edge_type, strength, episode: self.episode_id(), now: self.source.now };
        self.done.edges += usize::from(self.graph.upsert_edge(&write)?);
        Ok(())
    }

    fn record(&mut self, action: &'static str, node: &Node, before: Option<String>, reason: &str) -> Result<()> {
        let episode = self.episode_id();
        self.done.lines.push(format!(
            "{action} {} {} \"{}\" strength={:.2} episode={episode}",
            node.node_type, node.id, node.name, node.strength
        ));
        self.graph.record(&AuditRow {
            ts: self.source.now,
            actor: self.source.actor,
            action,
            target: node.id.to_string(),
            before,
            after: Some(node.description.clone()),
            reason: reason.to_owned(),
            episode: self.source.episode.map(|e| e.id.clone()),
        })
    }
}
