//! Finished work becomes memory: pending stretches of the logs become episodes, episodes become graph.
//!
//! Order (D2): the episode goes into the episode file durably, then one transaction applies it. What the file has and the
//! database lacks is applied at the next start, so a crash at any point repeats nothing and loses nothing. One
//! consolidator a project, by a lock of the operating system.

mod apply;
mod extract;
mod failures;
mod forget;
mod late;
mod notes;
mod replay;
mod worker;

pub(crate) use apply::Applied;
use apply::{Source, apply};
use failures::Failures;
pub use forget::{Forget, Forgotten, Named};
pub(crate) use notes::Note;
pub(crate) use worker::Worker;

use crate::capture::event::SessionId;
use crate::config::Config;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::episode::{Episode, LogRange};
use crate::graph::withheld::Withheld;
use crate::log::{self, Covered, EpisodeFile, Lock, MemoryLog, PendingRange, Record, UserEntry, UserLog};
use crate::models::{Embedder, LanguageModel};
use crate::project::DataDir;
use crate::store::{self, Store};
use crate::time::{Clock, Timestamp};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Earlier events of the session that an extraction may look back at.
const LOOK_BACK: usize = 200;
const LOOK_BACK_BYTES: u64 = 512 * 1024;

/// What is to be consolidated.
#[derive(Clone, Debug, Default)]
pub struct ConsolidateOptions {
    /// Only this session; all otherwise.
    pub session: Option<SessionId>,
    /// Not this session: it has only begun, and its turn is one episode.
    pub except: Option<SessionId>,
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
    pub(crate) language_model: Option<Arc<dyn LanguageModel>>,
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
        let mut store = self.sound_store()?;
        match self.run_on(&mut store, options, progress) {
            Err(e) if e.kind() == ErrorKind::Corrupt && !store.is_sound() => {
                drop(store);
                self.run_on(&mut self.anew()?, options, progress)
            }
            done => done,
        }
    }

    fn run_on(
        &self,
        store: &mut Store,
        options: &ConsolidateOptions,
        progress: OnProgress<'_>,
    ) -> Result<ConsolidateReport> {
        let mut report = ConsolidateReport::default();
        let sessions = match &options.session {
            // By file name, as the other sessions come: an id that is no file name has one digest.
            Some(one) => vec![SessionId::new(one.file_stem())],
            None => {
                let mut unfinished = self.unfinished(store)?;
                unfinished.retain(|s| options.except.as_ref().is_none_or(|e| e.file_stem() != s.file_stem()));
                unfinished
            }
        };
        let withheld = self.withheld()?;
        self.replay(store, &sessions, &withheld, &mut report)?;
        let mut now = Timestamp::default();
        for (i, session) in sessions.iter().enumerate() {
            progress(i, sessions.len());
            now = self.clock.now().max(now.next());
            match self.session(store, (session, now), &withheld, &mut report) {
                Err(e) if e.kind() == ErrorKind::Corrupt && !store.is_sound() => return Err(e),
                Err(e) => report.pending.push(self.still_pending(session, &e)),
                Ok(()) => {}
            }
        }
        progress(sessions.len(), sessions.len());
        self.finish_or_say(store)?;
        Ok(report)
    }

    /// The database; one that cannot be opened for damage is set aside and made anew.
    fn sound_store(&self) -> Result<Store> {
        match Store::open_write(&self.data.database()) {
            Err(e) if e.kind() == ErrorKind::Corrupt => self.anew(),
            opened => opened,
        }
    }

    /// Sets the damaged database aside, for whoever wants to look at it, and begins another: everything in it follows from
    /// the files (I5).
    fn anew(&self) -> Result<Store> {
        let now = self.clock.now();
        let aside = store::set_aside(&self.data.database(), now)?;
        let line = format!("rebuild the database was damaged; it is kept as {}", aside.display());
        MemoryLog::at(self.data.memory_log()).write(now, &[line])?;
        Store::open_write(&self.data.database())
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

    fn session(
        &self,
        store: &mut Store,
        (session, now): (&SessionId, Timestamp),
        withheld: &Withheld,
        report: &mut ConsolidateReport,
    ) -> Result<()> {
        let mut file = EpisodeFile::read(&self.data.episodes(), session)?;
        let from = file.covered_to();
        let path = log::session_path(&self.data, session);
        let reading = log::read_from(&path, from)?;
        if reading.end == from {
            return Ok(());
        }
        report.events += reading.records.len();
        report.damaged_lines += reading.damage.lines;
        let range = LogRange { from, to: reading.end };
        let before = look_back(&path, from)?;
        let mut episode = self.extracted(session, range, &before, &reading.records)?;
        if let Some(e) = &mut episode {
            forget::strip(e, withheld);
        }
        if let Some(e) = &episode {
            report.episodes.push(summary(e));
        }
        let covered = Covered { range, consolidated_at: now, episode };
        file.covered.push(covered.clone());
        file.write(&self.data.episodes(), session)?;
        report.add(&self.apply_covered(store, session, &covered)?);
        late::warn(store, &self.data, &self.config, session, &reading.records)
    }

    fn still_pending(&self, session: &SessionId, error: &Error) -> StillPending {
        let from = EpisodeFile::read(&self.data.episodes(), session).map_or(0, |file| file.covered_to());
        let range = LogRange { from, to: log::length(&self.data, session).unwrap_or(from) };
        StillPending { range: PendingRange { session: session.clone(), range }, reason: error.to_string() }
    }

    /// The episode of a stretch: by the language model where there is one, by the rules where it failed three times (D6).
    fn extracted(
        &self,
        session: &SessionId,
        range: LogRange,
        before: &[Record],
        records: &[Record],
    ) -> Result<Option<Episode>> {
        let by_rules = || extract::episode(session, range, before, records, &self.config);
        let Some(model) = &self.language_model else { return Ok(by_rules()) };
        let mut failures = Failures::of(&self.data, session, range.from);
        if failures.are_enough() {
            failures.clear();
            return Ok(by_rules());
        }
        match extract::episode_by(model.as_ref(), session, range, before, records) {
            Ok(episode) => {
                failures.clear();
                Ok(episode)
            }
            Err(e) => {
                failures.add()?;
                Err(e)
            }
        }
    }

    /// Applies what the user said and is not applied yet; gives what became of the entry `mine`, which stands in the log.
    ///
    /// # Errors
    /// `Busy` if another consolidator works longer than `wait`: the entries stay in `user.jsonl` for the next one.
    pub(crate) fn user_entry(&self, mine: &UserEntry, wait: Duration) -> Result<Applied> {
        let _lock = Lock::at(&self.data.lock_file(), wait)?;
        let mut store = self.sound_store()?;
        let mut found = Applied::default();
        for (from, to, entry) in UserLog::read(&self.data.user_log())? {
            let applied = self.apply_said(&mut store, LogRange { from, to }, &entry)?;
            if entry == *mine {
                found = applied;
            }
        }
        self.finish_or_say(&mut store)?;
        Ok(found)
    }

    /// Takes what was forgotten out of notes before they are written.
    ///
    /// # Errors
    /// `Io` if the user's log cannot be read.
    pub(crate) fn without_forgotten(&self, mut episode: Episode) -> Result<Episode> {
        forget::strip(&mut episode, &self.withheld()?);
        Ok(episode)
    }

    /// Applies a change request exactly once and says so in `memory.log`.
    fn apply(&self, store: &mut Store, source: &Source<'_>) -> Result<Applied> {
        let applied = apply(store, self.embedder.as_ref(), source)?;
        // What is committed is committed: a log that cannot be written does not undo it.
        let _ = MemoryLog::at(self.data.memory_log()).write(self.clock.now(), &applied.lines);
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

/// The events before a stretch, as far as an extraction may look back.
fn look_back(path: &Path, from: u64) -> Result<Vec<Record>> {
    if from == 0 {
        return Ok(Vec::new());
    }
    // It may begin in the middle of a line, which is then no event.
    let mut records = log::read_from(path, from.saturating_sub(LOOK_BACK_BYTES))?.records;
    records.retain(|r| r.at < from);
    Ok(records.split_off(records.len().saturating_sub(LOOK_BACK)))
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
