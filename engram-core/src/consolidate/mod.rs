//! Finished work becomes memory: pending stretches of the logs become episodes, episodes become graph.
//!
//! Order (D2): the episode goes into the episode file durably, then one transaction applies it. What the file has and the
//! database lacks is applied at the next start, so a crash at any point repeats nothing and loses nothing. One
//! consolidator a project, by a lock of the operating system.

mod apply;
mod extract;
mod late;
mod notes;
mod worker;

pub(crate) use apply::Applied;
use apply::{Identity, Source, apply};
pub(crate) use notes::Note;
pub(crate) use worker::Worker;

use crate::capture::event::SessionId;
use crate::config::Config;
use crate::error::Result;
use crate::graph::change::GraphChange;
use crate::graph::episode::{Episode, LogRange};
use crate::log::{self, Covered, EpisodeFile, Lock, MemoryLog, PendingRange, Record, UserEntry, UserLog};
use crate::models::Embedder;
use crate::project::DataDir;
use crate::store::Store;
use crate::time::Clock;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// The name under which entries of `user.jsonl` are applied.
const USER_LOG: &str = "user.jsonl";
/// Earlier events of the session that an extraction may look back at.
const LOOK_BACK: usize = 200;

/// What is to be consolidated.
#[derive(Clone, Debug, Default)]
pub struct ConsolidateOptions {
    /// Only this session; all otherwise.
    pub session: Option<SessionId>,
    /// Longest wait for another consolidator of the project.
    pub wait: Duration,
}

/// What a consolidation made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsolidateReport {
    /// Episodes made in this run.
    pub episodes: Vec<EpisodeSummary>,
    /// Nodes created.
    pub created: usize,
    /// Proposed nodes that were known already.
    pub merged: usize,
    /// Nodes that were superseded.
    pub superseded: usize,
    /// Edges created.
    pub edges: usize,
    /// Events read.
    pub events: usize,
    /// Lines of logs that were no events.
    pub damaged_lines: u64,
    /// Stretches that are still pending, with the reason.
    pub pending: Vec<StillPending>,
}

/// An episode in one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeSummary {
    /// Its id.
    pub id: String,
    /// Its session.
    pub session: String,
    /// What was to be done.
    pub goal: String,
    /// How it ended.
    pub outcome: String,
    /// Nodes it proposed.
    pub nodes: usize,
}

/// A stretch that could not be consolidated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StillPending {
    /// Which.
    #[serde(flatten)]
    pub range: PendingRange,
    /// Why.
    pub reason: String,
}

/// What a consolidation works with.
#[derive(Clone)]
pub(crate) struct Consolidator {
    pub(crate) data: DataDir,
    pub(crate) config: Config,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Clock,
}

/// Told before each stretch: which of how many.
pub(crate) type OnProgress<'a> = &'a mut dyn FnMut(usize, usize);

impl Consolidator {
    /// Consolidates what is pending. A stretch that fails is reported and does not stop the others.
    ///
    /// # Errors
    /// `Busy` if another consolidator holds the lock longer than `options.wait`; `Storage` if the database refuses.
    pub(crate) fn run(&self, options: &ConsolidateOptions, progress: OnProgress<'_>) -> Result<ConsolidateReport> {
        self.data.create()?;
        let _lock = Lock::at(&self.data.lock_file(), options.wait)?;
        let mut store = Store::open_write(&self.data.database())?;
        let mut report = ConsolidateReport::default();
        self.apply_user_log(&mut store)?.iter().for_each(|applied| report.add(applied));
        let sessions = match &options.session {
            Some(one) => vec![one.clone()],
            None => self.unfinished(&mut store)?,
        };
        for (i, session) in sessions.iter().enumerate() {
            progress(i, sessions.len());
            if let Err(e) = self.session(&mut store, session, &mut report) {
                let range = LogRange { from: 0, to: 0 };
                report.pending.push(StillPending {
                    range: PendingRange { session: session.clone(), range },
                    reason: e.to_string(),
                });
            }
        }
        progress(sessions.len(), sessions.len());
        Ok(report)
    }

    /// Sessions with something to consolidate or to apply, oldest first: order decides what supersedes what.
    ///
    /// One `stat` and one look-up a session of the project; the rest of the work is for these alone.
    fn unfinished(&self, store: &mut Store) -> Result<Vec<SessionId>> {
        let mut sessions = log::sessions(&self.data)?;
        store.read(|graph| {
            let mut error = None;
            sessions.retain(|session| match graph.applied_to(session.as_str()) {
                Ok(applied) => applied.is_none() || applied < log::length(&self.data, session),
                Err(e) => error.replace(e).is_some(),
            });
            error.map_or(Ok(()), Err)
        })?;
        sessions
            .sort_by_cached_key(|session| (log::first_time(&self.data, session).unwrap_or_default(), session.clone()));
        Ok(sessions)
    }

    fn session(&self, store: &mut Store, session: &SessionId, report: &mut ConsolidateReport) -> Result<()> {
        let mut file = EpisodeFile::read(&self.data.episodes(), session)?;
        for covered in &file.covered {
            self.apply_covered(store, session, covered, report)?;
        }
        let from = file.covered_to();
        let path = log::session_path(&self.data, session);
        let reading = log::read_from(&path, from)?;
        if reading.end == from {
            return Ok(());
        }
        report.events += reading.records.len();
        report.damaged_lines += reading.damage.lines;
        let range = LogRange { from, to: reading.end };
        let before = if from == 0 { Vec::new() } else { last(log::read_from(&path, 0)?.records, from) };
        let episode = extract::episode(session, range, &before, &reading.records, &self.config);
        if let Some(e) = &episode {
            report.episodes.push(summary(e));
        }
        let covered = Covered { range, episode };
        file.covered.push(covered.clone());
        file.write(&self.data.episodes(), session)?;
        self.apply_covered(store, session, &covered, report)?;
        late::warn(store, &self.data, &self.config, session, &reading.records)
    }

    fn apply_covered(
        &self,
        store: &mut Store,
        session: &SessionId,
        covered: &Covered,
        report: &mut ConsolidateReport,
    ) -> Result<()> {
        let nothing = GraphChange::default();
        let episode = covered.episode.as_ref();
        let notes = episode.is_some_and(|e| e.extractor == notes::EXTRACTOR);
        let applied = self.apply(
            store,
            &Source {
                session: session.as_str(),
                range: covered.range,
                episode,
                change: episode.map_or(&nothing, |e| &e.change),
                identity: if notes { Identity::ByKey } else { Identity::Resolved },
                actor: if notes { "import" } else { "consolidate" },
                now: episode.map_or_else(|| self.clock.now(), |e| e.ended_at),
            },
        )?;
        report.add(&applied);
        Ok(())
    }

    /// Applies what the user said and is not applied yet; gives what each entry did.
    ///
    /// # Errors
    /// `Busy` if another consolidator works longer than `wait`: the entries stay in `user.jsonl` for the next one.
    pub(crate) fn user_entries(&self, wait: Duration) -> Result<Vec<Applied>> {
        let _lock = Lock::at(&self.data.lock_file(), wait)?;
        self.apply_user_log(&mut Store::open_write(&self.data.database())?)
    }

    fn apply_user_log(&self, store: &mut Store) -> Result<Vec<Applied>> {
        let mut done = Vec::new();
        for (from, to, entry) in UserLog::read(&self.data.user_log())? {
            let UserEntry::Remember { ts, node } = entry;
            let change = GraphChange { nodes: vec![node], edges: Vec::new() };
            done.push(self.apply(
                store,
                &Source {
                    session: USER_LOG,
                    range: LogRange { from, to },
                    episode: None,
                    change: &change,
                    identity: Identity::Resolved,
                    actor: "user",
                    now: ts,
                },
            )?);
        }
        Ok(done)
    }

    /// Applies a change request exactly once and says so in `memory.log`.
    fn apply(&self, store: &mut Store, source: &Source<'_>) -> Result<Applied> {
        let applied = apply(store, self.embedder.as_ref(), source)?;
        MemoryLog::at(self.data.memory_log()).write(self.clock.now(), &applied.lines)?;
        Ok(applied)
    }
}

impl ConsolidateReport {
    fn add(&mut self, applied: &Applied) {
        self.created += applied.created;
        self.merged += applied.merged;
        self.superseded += applied.superseded;
        self.edges += applied.edges;
    }
}

fn last(mut records: Vec<Record>, before: u64) -> Vec<Record> {
    records.retain(|r| r.at < before);
    records.split_off(records.len().saturating_sub(LOOK_BACK))
}

fn summary(episode: &Episode) -> EpisodeSummary {
    EpisodeSummary {
        id: episode.id.clone(),
        session: episode.session.clone(),
        goal: episode.goal.clone(),
        outcome: episode.outcome.to_string(),
        nodes: episode.change.nodes.len(),
    }
}
