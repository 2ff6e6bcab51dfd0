//! Forgetting (D12): an entry in `user.jsonl` that holds ids and digests, never the words; then the graph without them in
//! one transaction; then every file of the data folder, and the free pages of the database.
//!
//! A crash between any two of these repeats nothing: the entry is applied exactly once, and that files are still to be
//! cleaned is noted in the transaction. The event log stays as it is; whatever is derived from it again is stripped
//! ([`strip`]) before it is written.

mod plan;
mod strip;
mod traces;

pub(super) use strip::strip;

use super::replay::USER_LOG;
use super::{Applied, ConsolidateReport, Consolidator};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::episode::LogRange;
use crate::graph::node::{Status, Trust};
use crate::graph::withheld::Withheld;
use crate::log::{Lock, MemoryLog, Standing, UserEntry, UserLog};
use crate::store::{Access, AuditRow, Graph, Store, StoredNode};
use crate::time::Timestamp;
use plan::Plan;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use strip::{Effect, Texts};

/// What is to be forgotten: one memory by its id, or everything that holds a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Forget {
    /// The id of a memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// A literal text, letter case aside, in names, texts, claims, evidence and episodes. No character is special.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Say what would be forgotten, and forget nothing.
    pub dry_run: bool,
}

impl Forget {
    /// The memory of this id.
    pub fn id(id: impl Into<String>) -> Forget {
        Forget { id: Some(id.into()), ..Forget::default() }
    }

    /// Everything that holds this text.
    pub fn text(text: impl Into<String>) -> Forget {
        Forget { text: Some(text.into()), ..Forget::default() }
    }
}

/// What was forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    /// The memories that are gone.
    pub forgotten: Vec<Named>,
    /// Memories that lost the sentences, or the paths, in which it stood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shortened: Vec<Named>,
    /// Whether another process has to do it, or the last of it: it consolidates, or reads an older state.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
    /// Whether nothing was done.
    pub dry_run: bool,
}

/// A memory by its id and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// Its name, as it was.
    pub name: String,
}

/// What is asked, checked.
pub(super) enum Asked<'a> {
    Id(&'a str),
    Text(&'a str),
}

impl Forget {
    fn asked(&self) -> Result<Asked<'_>> {
        match (&self.id, &self.text) {
            (Some(id), None) => Ok(Asked::Id(id)),
            (None, Some(text)) if text.trim().is_empty() => {
                Err(Error::invalid("there is nothing to forget: the text is empty"))
            }
            (None, Some(text)) => Ok(Asked::Text(text)),
            _ => Err(Error::invalid("what is to be forgotten is named by its id or by a text, one of them")),
        }
    }
}

impl Asked<'_> {
    /// That there is no such thing. The text is not repeated: an error may be logged.
    fn not_found(&self) -> Error {
        match self {
            Asked::Id(id) => Error::invalid(format!("there is no memory with the id \"{id}\"")),
            Asked::Text(_) => {
                Error::invalid("no memory holds that text; what is pending is none before it is consolidated")
            }
        }
    }
}

/// A node, and what is left of its texts.
struct Shortened {
    stored: StoredNode,
    vector: Option<Vec<f32>>,
}

impl Consolidator {
    /// Forgets what is asked for; waits at most `wait` for another consolidator, which does it then.
    ///
    /// # Errors
    /// `InvalidArgument` if nothing is asked for, or nothing like it is there; `Io` or `Storage` if it cannot be done.
    pub(crate) fn forget(&self, forget: &Forget, wait: Duration) -> Result<Forgotten> {
        let asked = forget.asked()?;
        if !self.data.path().is_dir() {
            return Err(asked.not_found());
        }
        if forget.dry_run {
            return Ok(self.seen(&asked)?.answer(true));
        }
        match Lock::at(&self.data.lock_file(), wait) {
            Ok(_lock) => self.forget_now(&asked),
            Err(e) if e.kind() == ErrorKind::Busy => self.forget_later(&asked),
            Err(e) => Err(e),
        }
    }

    fn forget_now(&self, asked: &Asked<'_>) -> Result<Forgotten> {
        let mut store = self.sound_store()?;
        // What was learned and is not applied yet is forgotten as well.
        let sessions = self.unfinished(&mut store)?;
        self.replay(&mut store, &sessions, &self.withheld()?, &mut ConsolidateReport::default())?;
        let said = UserLog::read(&self.data.user_log())?;
        let plan = store.read(|graph| Plan::of(graph, &said, asked))?;
        self.note(&plan)?;
        let mut answer = plan.answer(false);
        match self.finish(&mut store) {
            Err(e) if e.kind() == ErrorKind::Busy => answer.pending = true,
            done => done?,
        }
        Ok(answer)
    }

    /// Leaves it to the consolidator that is at work. What a text matches is decided then.
    fn forget_later(&self, asked: &Asked<'_>) -> Result<Forgotten> {
        let plan = match (self.seen(asked), asked) {
            (Err(e), Asked::Text(text)) if e.kind() == ErrorKind::InvalidArgument => Plan::blind(text),
            (seen, _) => seen?,
        };
        self.note(&plan)?;
        Ok(Forgotten { pending: true, ..Forgotten::default() })
    }

    /// The plan on the present state of the database, without a lock.
    fn seen(&self, asked: &Asked<'_>) -> Result<Plan> {
        let said = UserLog::read(&self.data.user_log())?;
        match Store::open(&self.data.database(), Access::Read)? {
            Some(mut store) => store.read(|graph| Plan::of(graph, &said, asked)),
            None => Err(asked.not_found()),
        }
    }

    fn note(&self, plan: &Plan) -> Result<()> {
        let mut log = UserLog::open(&self.data.user_log(), self.config.durability)?;
        plan.entries(self.clock.now()).iter().try_for_each(|entry| log.append(entry))
    }

    /// What must not be told again, by the user's log as it is now.
    pub(super) fn withheld(&self) -> Result<Withheld> {
        UserLog::withheld(&self.data.user_log())
    }

    /// Applies what the user said while the lock was held, and removes the traces of what was forgotten.
    ///
    /// # Errors
    /// `Busy` if traces are left because an older state is being read; the next run removes them.
    pub(super) fn finish(&self, store: &mut Store) -> Result<()> {
        for (range, entry) in self.said(store)? {
            self.apply_said(store, range, &entry)?;
        }
        if !store.read(|graph| graph.is_unclean())? {
            return Ok(());
        }
        self.remove_traces()?;
        store.purge()?;
        store.write(|graph| graph.set_unclean(false))
    }

    /// [`Consolidator::finish`] after other work, which traces that are left do not undo: the next run removes them.
    pub(super) fn finish_or_say(&self, store: &mut Store) -> Result<()> {
        match self.finish(store) {
            Err(e) if matches!(e.kind(), ErrorKind::Busy | ErrorKind::Io) => {
                let line = format!("not-cleaned {e}");
                MemoryLog::at(self.data.memory_log()).write(self.clock.now(), &[line])
            }
            finished => finished,
        }
    }

    /// Takes what an entry names out of the graph, unless that was done.
    pub(super) fn apply_forget(&self, store: &mut Store, range: LogRange, entry: &UserEntry) -> Result<Applied> {
        let UserEntry::Forget { ts, nodes, phrases, kept } = entry else { return Ok(Applied::default()) };
        if store.read(|graph| graph.is_applied(USER_LOG, range.from))? {
            return Ok(Applied { before: true, ..Applied::default() });
        }
        let withheld: Withheld = phrases.iter().collect();
        let (gone, changed) = store.read(|graph| affected(graph, nodes, &withheld))?;
        let shortened = self.embedded(changed);
        store.write(|graph| {
            if !shortened.is_empty() {
                graph.use_embedder(self.embedder.model(), self.embedder.dimensions(), *ts)?;
            }
            gone.iter().try_for_each(|node| graph.delete_node(node))?;
            shortened.iter().try_for_each(|node| shorten(graph, node))?;
            rewrite_quotes(graph, &withheld)?;
            kept.iter().try_for_each(|standing| keep(graph, standing, *ts))?;
            phrases.iter().filter_map(|p| p.value()).try_for_each(|value| graph.bury(value, *ts))?;
            gone.iter().try_for_each(|node| graph.record(&audit(node, *ts)))?;
            graph.set_unclean(true)?;
            graph.mark_applied(USER_LOG, range, None, self.clock.now())
        })?;
        let lines: Vec<String> = gone.iter().map(|n| format!("forget {} {}", n.node.node_type, n.node.id)).collect();
        let _ = MemoryLog::at(self.data.memory_log()).write(self.clock.now(), &lines);
        Ok(Applied::default())
    }

    /// What is left of the texts has another vector; without an embedder none.
    fn embedded(&self, changed: Vec<StoredNode>) -> Vec<Shortened> {
        let texts: Vec<String> = changed.iter().map(|n| format!("{}: {}", n.node.name, n.node.description)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let none = vec![None; changed.len()];
        let vectors = if texts.is_empty() { none } else { self.embedder.embed(&texts).unwrap_or(none) };
        changed.into_iter().zip(vectors).map(|(stored, vector)| Shortened { stored, vector }).collect()
    }
}

/// The nodes that go, and those that stay with shorter texts.
fn affected(graph: &Graph<'_>, ids: &[String], withheld: &Withheld) -> Result<(Vec<StoredNode>, Vec<StoredNode>)> {
    let (mut gone, mut changed) = (Vec::new(), Vec::new());
    for mut stored in graph.all_nodes()? {
        let named = ids.iter().any(|id| id == stored.node.id.as_str());
        match Texts::of_node(&mut stored.node).strip(withheld) {
            _ if named => gone.push(stored),
            Effect::Gone => gone.push(stored),
            Effect::Shorter => changed.push(stored),
            Effect::None => {}
        }
    }
    Ok((gone, changed))
}

fn shorten(graph: &Graph<'_>, Shortened { stored, vector }: &Shortened) -> Result<()> {
    graph.update_node(stored, 0)?;
    graph.rename_node(stored)?;
    let id = stored.node.id.as_str();
    graph.delete_vector(id)?;
    vector.as_ref().map_or(Ok(()), |vector| graph.put_vector(id, vector))
}

/// Episodes and history quote what was said.
fn rewrite_quotes(graph: &Graph<'_>, withheld: &Withheld) -> Result<()> {
    graph.rewrite_history(&|text| withheld.stripped(text))?;
    for mut episode in graph.all_episodes()? {
        if strip(&mut episode, withheld) {
            graph.replace_episode(&episode)?;
        }
    }
    Ok(())
}

/// What a forgotten node did to another still holds: that something is outdated stays known.
fn keep(graph: &Graph<'_>, standing: &Standing, now: Timestamp) -> Result<()> {
    let Some(mut stored) = graph.node(&standing.id)? else { return Ok(()) };
    let node = &mut stored.node;
    match standing.valid_to {
        None => {
            node.trust = Trust::Quarantined;
            if !graph.waits_for_review(&standing.id)? {
                graph.queue_review(&standing.id, "", "contradicted what was forgotten", now)?;
            }
        }
        Some(valid_to) if node.status == Status::Active => {
            node.status = Status::Superseded;
            node.strength = 0.0;
            node.valid_to = Some(valid_to);
            node.retired_at = standing.retired_at;
            node.updated_at = node.updated_at.max(standing.retired_at.unwrap_or_default());
        }
        Some(_) => {}
    }
    graph.update_node(&stored, 0)
}

fn audit(node: &StoredNode, ts: Timestamp) -> AuditRow {
    AuditRow {
        ts,
        actor: "user",
        action: "forget",
        target: node.node.id.to_string(),
        before: None,
        after: None,
        reason: String::new(),
        episode: None,
    }
}
