//! The handle: what is open for one project. It routes; the rooms do the work.

use crate::capture::event::{Event, SessionId};
use crate::config::{self, Config};
use crate::consolidate::{ConsolidateOptions, ConsolidateReport, Consolidator, Worker};
use crate::contradict::{self, Change, DecisionText, Verdict};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::node::Node;
use crate::graph::strength;
use crate::log::{self, PendingRange, SessionLog};
use crate::metrics::SessionReport;
use crate::models::{Bounded, Completion, Embedder, LanguageModel, StaticEmbedder};
use crate::project::{DataDir, Project};
use crate::recall::{self, Ask, Recall};
use crate::store::{Access, Counts, Graph, Store};
use crate::time::{Clock, Stopwatch, Timestamp};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Handles that are open, and the process that opened them. A forked child has the parent's numbers.
static OPEN: AtomicUsize = AtomicUsize::new(0);
static OPENED_BY: AtomicU32 = AtomicU32::new(0);

/// Sessions whose logs one handle keeps open.
const OPEN_SESSIONS: usize = 32;

/// Who does the slow work after a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// A thread of this handle, started when first needed.
    #[default]
    Worker,
    /// The caller, with [`Engram::consolidate`]: hooks, which end at once.
    Caller,
}

/// How a handle is opened.
#[derive(Clone, Default)]
pub struct Options {
    /// Where engram keeps its data; `None` = `ENGRAM_HOME`, or `~/.engram`.
    pub home: Option<PathBuf>,
    /// A directory of the project.
    pub project: PathBuf,
    /// Settings; `None` = `config.json` of the home and the environment.
    pub config: Option<Config>,
    /// Where the present comes from.
    pub clock: Clock,
    /// Who does the slow work.
    pub background: Background,
    /// The host's language model, which consolidates; `None` = the offline rules.
    pub language_model: Option<Arc<dyn LanguageModel>>,
    /// The host's embedder; `None` = the table inside the crate.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("home", &self.home)
            .field("project", &self.project)
            .field("config", &self.config)
            .field("clock", &self.clock)
            .field("background", &self.background)
            .field("language_model", &self.language_model.as_ref().map(|m| m.name()))
            .field("embedder", &self.embedder.as_ref().map(|e| e.model()))
            .finish()
    }
}

/// The memory of one project, open. Any thread may use it; calls of one session are serialised.
pub struct Engram {
    pub(crate) project: Project,
    pub(crate) data: DataDir,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    home: PathBuf,
    warnings: Vec<Error>,
    embedder: Arc<dyn Embedder>,
    language_model: Option<Arc<dyn LanguageModel>>,
    background: Background,
    /// The process that opened it: connections and threads do not cross a fork.
    process: u32,
    reader: Mutex<Option<Store>>,
    sessions: Mutex<HashMap<SessionId, Arc<Mutex<SessionLog>>>>,
    worker: Mutex<Option<Worker>>,
}

impl std::fmt::Debug for Engram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engram")
            .field("project", &self.project.root)
            .field("data", &self.data.path())
            .finish_non_exhaustive()
    }
}

/// What is remembered and what is pending (contract, `status`).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusReport {
    /// The project's root.
    pub project: String,
    /// The data folder of the project.
    pub data: String,
    /// engram's home.
    pub home: String,
    /// Sessions with a log.
    pub sessions: usize,
    /// How many sessions are not consolidated to the end of their log.
    pub pending: usize,
    /// Which, and from where.
    pub pending_ranges: Vec<PendingRange>,
    /// Nodes.
    pub nodes: Counts,
    /// Edges.
    pub edges: u64,
    /// Episodes.
    pub episodes: u64,
    /// Size of the database.
    pub db_bytes: u64,
    /// The embedder.
    pub embedder: String,
    /// The language model.
    pub llm: String,
    /// Model tokens used today.
    pub tokens_today: u64,
    /// When something was consolidated last.
    pub last_consolidation: Option<String>,
    /// What is wrong with the settings or the data.
    pub warnings: Vec<String>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panicking thread left is still consistent: each guarded value is replaced whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engram {
    /// Opens the memory of the project that `options.project` belongs to. Nothing is created until there is something to
    /// store.
    ///
    /// # Errors
    /// `InvalidArgument` if the directory belongs to no project, `Config` if no home can be found, `Forked` in a process that
    /// was forked while its parent had a handle open: what SQLite keeps in memory, its locks among it, is then the parent's.
    pub fn open(options: Options) -> Result<Engram> {
        let process = std::process::id();
        if OPEN.load(Ordering::Acquire) > 0 && OPENED_BY.load(Ordering::Acquire) != process {
            let detail =
                "this process was forked while its parent had a memory open; fork before opening, or start it anew";
            return Err(Error::new(ErrorKind::Forked, detail));
        }
        let home = match options.home {
            Some(home) => home,
            None => config::default_home()?,
        };
        let project = Project::find(&options.project)?;
        let (mut config, warnings) = match options.config {
            Some(config) => (config, Vec::new()),
            None => Config::load(&home),
        };
        config.ignore.extend(project.ignored());
        let limit = Duration::from_millis(config.probe_timeout_ms);
        let embedder: Arc<dyn Embedder> = match options.embedder {
            Some(hosts) => Arc::new(Bounded::new(hosts, limit)),
            None => Arc::new(StaticEmbedder::builtin()?),
        };
        OPENED_BY.store(process, Ordering::Release);
        let bounded = |model| Arc::new(Bounded::new(model, limit)) as Arc<dyn LanguageModel>;
        Ok(Engram {
            data: DataDir::of(&home, &project),
            project,
            config,
            warnings,
            home,
            clock: options.clock,
            embedder,
            language_model: options.language_model.map(bounded),
            background: options.background,
            process,
            reader: Mutex::new(None),
            sessions: Mutex::new(HashMap::new()),
            worker: Mutex::new(None),
        })
        .inspect(|_| {
            OPEN.fetch_add(1, Ordering::AcqRel);
        })
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// engram's home.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Where its data lies.
    pub fn data(&self) -> &DataDir {
        &self.data
    }

    /// The settings in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What was wrong with the settings.
    pub fn warnings(&self) -> &[Error] {
        &self.warnings
    }

    /// Whether this is the process that opened the handle.
    ///
    /// # Errors
    /// `Forked` in a child process: nothing of the handle is touched there.
    pub(crate) fn own_process(&self) -> Result<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Forked,
            "the handle was opened by the parent of this process; fork before opening, or start it anew",
        ))
    }

    /// Runs `body` on one snapshot of the graph; `None` when nothing was learned yet.
    pub(crate) fn read<T>(&self, body: impl FnOnce(&Graph<'_>) -> Result<T>) -> Result<Option<T>> {
        self.own_process()?;
        let mut reader = lock(&self.reader);
        if !reader.as_ref().is_some_and(Store::is_current) {
            *reader = Store::open(&self.data.database(), Access::Read)?;
        }
        reader.as_mut().map(|store| store.read(body)).transpose()
    }

    /// The log of a session, opened where needed.
    pub(crate) fn session(&self, session: &SessionId) -> Result<Arc<Mutex<SessionLog>>> {
        self.own_process()?;
        let mut open = lock(&self.sessions);
        // A log that was deleted meanwhile would swallow what is appended to it.
        if let Some(log) = open.get(session).filter(|log| !lock(log).is_gone()) {
            return Ok(Arc::clone(log));
        }
        if open.len() >= OPEN_SESSIONS {
            open.clear();
        }
        self.data.create_for(&self.project)?;
        let log = Arc::new(Mutex::new(SessionLog::open(&self.data, session, self.config.durability)?));
        open.insert(session.clone(), Arc::clone(&log));
        Ok(log)
    }

    /// Closes the log of a session; the next call opens it again.
    pub(crate) fn forget_session(&self, session: &SessionId) {
        lock(&self.sessions).remove(session);
    }

    /// Closes the logs of all sessions.
    pub(crate) fn close_sessions(&self) {
        lock(&self.sessions).clear();
    }

    /// Whether a path is never captured: by the settings, or by the project's `.engramignore`.
    pub(crate) fn ignores(&self, path: &str) -> bool {
        self.config.ignore.iter().any(|glob| glob == "*" || contradict::glob::covers(glob, path))
    }

    pub(crate) fn now(&self, given: Option<Timestamp>) -> Timestamp {
        given.unwrap_or_else(|| self.clock.now())
    }

    /// Recalls what a question brings to mind, in this project.
    ///
    /// Cost: under a millisecond at thousands of notes; bounded work at any size.
    ///
    /// # Errors
    /// `Storage` or `Busy` if the database refuses.
    pub fn retrieve(&self, ask: &Ask) -> Result<Recall> {
        let recalled = self.read(|graph| recall::recall(graph, ask, &self.config, &|_| false))?;
        Ok(recalled.unwrap_or_default())
    }

    /// The notes that a question brings to mind, most active first: what [`Engram::retrieve`] would tell if a block had
    /// room for all of it. `ask.budget` plays no part.
    ///
    /// # Errors
    /// As [`Engram::retrieve`].
    pub fn search(&self, ask: &Ask) -> Result<Vec<recall::RecallItem>> {
        let found = self.read(|graph| recall::search(graph, ask, &self.config))?;
        Ok(found.unwrap_or_default())
    }

    /// Recalls what a question brings to mind, in every project of this home; items of other projects name theirs.
    ///
    /// Cost: one recall a project. Databases that cannot be read are left out.
    ///
    /// # Errors
    /// As [`Engram::retrieve`], for this project.
    pub fn retrieve_everywhere(&self, ask: &Ask) -> Result<Recall> {
        let mut recalls = vec![self.retrieve(ask)?];
        for data in DataDir::all(&self.home).filter(|d| d.path() != self.data.path()) {
            let Ok(Some(mut store)) = Store::open(&data.database(), Access::Read) else { continue };
            let Ok(mut recall) = store.read(|graph| recall::recall(graph, ask, &self.config, &|_| false)) else {
                continue;
            };
            let root = data.root();
            recall.items.iter_mut().for_each(|item| item.project = Some(root.clone()));
            recalls.push(recall);
        }
        Ok(recall::joined(recalls, ask))
    }

    /// Checks a change against the decisions that bind its file, by rules, without a model.
    ///
    /// # Errors
    /// `Storage` or `Busy` if the database refuses.
    pub fn check_contradiction(&self, change: &Change<'_>) -> Result<Verdict> {
        self.judged(change).map(|(verdict, _)| verdict)
    }

    /// The verdict on a change, and the decisions that it was held against.
    pub(crate) fn judged(&self, change: &Change<'_>) -> Result<(Verdict, Vec<DecisionText>)> {
        let watch = Stopwatch::start();
        let threshold = self.config.contradiction_strength_threshold;
        let decisions = self.read(|graph| contradict::decisions_for(graph, change, threshold))?.unwrap_or_default();
        let mut verdict = contradict::check(change, &decisions);
        verdict.elapsed_micros = watch.micros();
        Ok((verdict, decisions))
    }

    pub(crate) fn consolidator(&self) -> Consolidator {
        Consolidator {
            data: self.data.clone(),
            config: self.config.clone(),
            embedder: Arc::clone(&self.embedder),
            language_model: self.language_model.clone(),
            clock: self.clock,
        }
    }

    /// Consolidates what is pending, in this thread. `progress` is told which session of how many is next.
    ///
    /// # Errors
    /// `Busy` if another consolidator works on the project longer than `options.wait`; `Storage` if the database refuses.
    pub fn consolidate(
        &self,
        options: &ConsolidateOptions,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<ConsolidateReport> {
        self.own_process()?;
        self.consolidator().run(options, progress)
    }

    /// Has the worker consolidate what is pending, `except` a session, where this handle has a worker.
    pub(crate) fn consolidate_soon(&self, except: Option<&SessionId>) -> Result<()> {
        if self.background == Background::Caller {
            return Ok(());
        }
        self.own_process()?;
        let mut worker = lock(&self.worker);
        if worker.is_none() {
            let started = Worker::start(self.consolidator());
            *worker = Some(
                started.map_err(|e| Error::new(ErrorKind::Io, "cannot start the background thread").with_source(e))?,
            );
        }
        if worker.as_ref().is_some_and(|w| !w.consolidate(except.cloned())) {
            // It ended by a panic: what was pending still is, for another one.
            *worker = None;
        }
        Ok(())
    }

    /// Waits until the background work asked for so far is done, at most `limit`; says whether it is.
    pub fn flush(&self, limit: Duration) -> bool {
        // The worker did not come along into a forked child.
        self.own_process().is_ok() && lock(&self.worker).as_ref().is_none_or(|w| w.flush(limit))
    }

    /// What is remembered and what is pending.
    ///
    /// # Errors
    /// `Io` or `Storage` if files or database cannot be read.
    pub fn status(&self) -> Result<StatusReport> {
        let graph = self.read(|g| Ok((g.counts()?, g.edge_count()?, g.episode_count()?, g.last_applied()?)))?;
        let (nodes, edges, episodes, last_consolidation) = graph.unwrap_or_default();
        let pending_ranges = log::pending(&self.data)?;
        let mut warnings: Vec<String> = self.warnings.iter().map(ToString::to_string).collect();
        if self.config.llm_provider != "offline" && self.language_model.is_none() {
            warnings.push(format!(
                "llmProvider {} is not in this version yet; consolidation runs offline",
                self.config.llm_provider
            ));
        }
        Ok(StatusReport {
            project: self.project.root.display().to_string(),
            data: self.data.path().display().to_string(),
            home: self.home.display().to_string(),
            sessions: log::sessions(&self.data)?.len(),
            pending: pending_ranges.len(),
            pending_ranges,
            nodes,
            edges,
            episodes,
            db_bytes: lock(&self.reader).as_ref().map_or(0, Store::bytes),
            embedder: self.embedder.model().to_owned(),
            llm: self.language_model.as_ref().map_or("offline", |m| m.name()).to_owned(),
            tokens_today: 0,
            last_consolidation,
            warnings,
        })
    }

    /// How a session goes: its metrics, from its log. Cost: linear in the log.
    ///
    /// # Errors
    /// `Io` if the log cannot be read; `InvalidArgument` if the session has none.
    pub fn session_report(&self, session: &SessionId) -> Result<SessionReport> {
        let events: Vec<Event> = self.events(session)?.records.into_iter().map(|r| r.event).collect();
        if events.is_empty() {
            return Err(Error::invalid(format!("there is no session \"{session}\" in this project")));
        }
        Ok(SessionReport::of(session.as_str(), &events))
    }

    /// The events of a session's log, in order.
    ///
    /// # Errors
    /// `Io` if the log cannot be read.
    pub fn events(&self, session: &SessionId) -> Result<log::Reading> {
        log::read_from(&log::session_path(&self.data, session), 0)
    }

    /// A node by its id, whatever its state.
    ///
    /// # Errors
    /// `Storage` if the database refuses.
    pub fn node(&self, id: &str) -> Result<Option<Node>> {
        let found = self.read(|graph| graph.node(id))?;
        Ok(found.flatten().map(|mut stored| {
            stored.node.strength = strength::current(&stored.node);
            stored.node
        }))
    }

    /// Asks the host's language model and the embedder for one small thing each, as consolidation will; says how long each
    /// took. For whoever connects a model, and for health checks.
    ///
    /// # Errors
    /// `Model` if one of them failed or took longer than `probeTimeoutMs`, `ModelReply` if it answered in another form.
    pub fn probe(&self) -> Result<Probed> {
        self.own_process()?;
        let watch = Stopwatch::start();
        self.embedder.embed(&["a note about a unit test"])?;
        let embedder = Answered { name: self.embedder.model().to_owned(), elapsed_micros: watch.micros() };
        let Some(model) = &self.language_model else { return Ok(Probed { embedder, language_model: None }) };
        let watch = Stopwatch::start();
        let prompt = "Answer with the one word: ready".to_owned();
        model.complete(&Completion { prompt, max_tokens: 16, ..Completion::default() })?;
        let language_model = Some(Answered { name: model.name().to_owned(), elapsed_micros: watch.micros() });
        Ok(Probed { embedder, language_model })
    }

    /// Every node and edge, for export and comparison.
    ///
    /// # Errors
    /// `Storage` if the database refuses.
    pub fn graph(&self) -> Result<GraphDump> {
        let dump = self.read(|g| {
            let nodes = g.all_nodes()?.into_iter().map(|n| n.node).collect();
            Ok(GraphDump { nodes, edges: g.all_edges()? })
        })?;
        Ok(dump.unwrap_or_default())
    }
}

/// That the models answered (see [`Engram::probe`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Probed {
    /// The embedder.
    pub embedder: Answered,
    /// The host's language model, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_model: Option<Answered>,
}

/// A model that answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// Its name.
    pub name: String,
    /// How long it took.
    pub elapsed_micros: u64,
}

/// The whole graph as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraphDump {
    /// The nodes by id.
    pub nodes: Vec<Node>,
    /// The edges: from, type, to, strength.
    pub edges: Vec<(String, String, String, f64)>,
}

impl Drop for Engram {
    fn drop(&mut self) {
        if self.own_process().is_err() {
            // A child must neither join the parent's thread nor close its connection, which would check-point its WAL.
            std::mem::forget(std::mem::take(&mut self.worker));
            std::mem::forget(std::mem::take(&mut self.reader));
            std::mem::forget(std::mem::take(&mut self.sessions));
            return;
        }
        OPEN.fetch_sub(1, Ordering::AcqRel);
        let worker = lock(&self.worker).take();
        if let Some(mut worker) = worker {
            worker.stop(Duration::from_secs(2));
        }
    }
}
