//! The verbs of a session: what a harness calls, in the order in which things happen.

use crate::capture::call::{Compaction, Decided, Observation, SessionEnd, SessionStart, ToolCall, TurnEnd, UserPrompt};
use crate::capture::event::{Derived, Event, EventBody, SessionId};
use crate::capture::{self, Recent};
use crate::config::ContradictionMode;
use crate::consolidate::{Applied, ConsolidateOptions, ConsolidateReport, Forget, Forgotten, Note};
use crate::contradict::pending::{self, PendingWarning};
use crate::contradict::{self, Change, Verdict, VerdictKind};
use crate::engram::{Engram, lock};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::change::NewNode;
use crate::graph::claim;
use crate::graph::episode::LogRange;
use crate::graph::node::{MemoryKind, NodeType, Origin, Trust, base};
use crate::log::{self, UserEntry, UserLog};
use crate::metrics;
use crate::project;
use crate::recall::{self, Ask, Recall};
use crate::text;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What engram has to say after a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// What was written to the log; `None` if capture is off or the call was a repetition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
    /// Notes recalled.
    pub recall: Recall,
    /// Contradictions found.
    pub warnings: Vec<Verdict>,
    /// Remarks about how the session goes, for example an error that keeps coming back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
    /// The text to hand to the agent; empty when there is nothing to say.
    pub context: String,
    /// What went wrong beside the capture itself; for a log, not for the agent.
    pub trouble: Vec<String>,
}

/// Something the user wants remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Remember {
    /// The memory.
    pub text: String,
    /// `decision` (default), `finding` or `preference`.
    #[serde(rename = "type")]
    pub memory_type: String,
    /// Files it is about.
    pub files: Vec<String>,
    /// Why.
    pub rationale: String,
}

/// What became of something the user wanted remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// The node that holds it; `None` while another process consolidates and will apply it.
    pub id: Option<String>,
    /// Whether it is new; otherwise it made a known memory stronger.
    pub is_new: bool,
    /// How many older memories it took the place of.
    pub superseded: usize,
}

impl Remembered {
    fn of(applied: &Applied) -> Remembered {
        let id = applied.placed.values().next().map(ToString::to_string);
        // Applied by another consolidator in the meantime: the node by the entry's own id is one that it made.
        let is_new = applied.created > 0 || (applied.before && id.is_some());
        Remembered { id, is_new, superseded: applied.superseded }
    }
}

impl Engram {
    /// A session begins or goes on: the event is logged, pending work is queued, and what the session should know is
    /// recalled.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded. Trouble with recall is in [`Reply::trouble`].
    pub fn on_session_start(&self, start: &SessionStart) -> Result<Reply> {
        let now = self.now(start.ts);
        let root = self.project.root.display().to_string();
        let head = self.project.git_head();
        // A session that only begins has its turn before it, which is one episode; one that goes on may have a crash behind it.
        let begins = log::length(&self.data, &start.session).is_none_or(|bytes| bytes == 0);
        let except = begins.then_some(&start.session);
        let mut reply =
            self.captured(&start.session, |_| capture::session_start_event(start, &root, head.as_deref(), now))?;
        self.trouble(&mut reply, |_| self.consolidate_soon(except));
        let branch = self.project.git_branch();
        self.tell(&start.session, &mut reply, "session_start", now, |told| {
            self.read(|g| recall::session_start(g, branch.as_deref(), &self.config, told))
        });
        Ok(reply)
    }

    /// The user said something: logged as said, and answered with what it brings to mind.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn on_user_prompt(&self, prompt: &UserPrompt) -> Result<Reply> {
        let now = self.now(prompt.ts);
        let mut reply = self.captured(&prompt.session, |_| capture::prompt_event(prompt, now))?;
        let ask = Ask::prompt(text::clip(&prompt.text, 4_000), &self.config);
        self.tell(&prompt.session, &mut reply, "prompt", now, |told| {
            self.read(|g| recall::recall(g, &ask, &self.config, told))
        });
        Ok(reply)
    }

    /// A tool call finished: one event, durable at the level of `durability`; the first read of a file is answered with
    /// what is known of it, a write with the contradictions it makes.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn on_tool_call(&self, call: &ToolCall) -> Result<Reply> {
        let now = self.now(call.ts);
        let cwd = self.working_dir(&call.cwd);
        let mut event = capture::capture(call, &|p| self.project.relative(p, &cwd), now);
        call.flags.iter().for_each(|f| event.flag(f));
        if self.is_ignored(&event) {
            return Ok(Reply::default());
        }
        // What is not recorded is still answered; that a file was read before is then not known.
        let mut reply = match self.opted_out() {
            true => Reply { event: Some(event), ..Reply::default() },
            false => self.captured(&call.session, |_| event)?,
        };
        let event = reply.event.clone().unwrap_or_else(|| Event::new(now, EventBody::Unknown));
        let first = self.opted_out() || event.derived.contains(&Derived::Exploration);
        let paths: Vec<&str> = if first { event.reads().collect() } else { Vec::new() };
        self.tell(&call.session, &mut reply, "file", now, |told| {
            if paths.is_empty() {
                return Ok(None);
            }
            self.read(|g| recall::first_read(g, &paths, self.config.injection_budget.annotation, told))
        });
        reply.event = reply.event.filter(|_| !self.opted_out());
        Ok(reply)
    }

    /// A tool is about to change files: nothing is logged, and the contradictions that the change would make are told, for
    /// harnesses that say nothing of it afterwards (D20). Each is told once a session, now or with the change's result.
    ///
    /// # Errors
    /// None at present: what goes wrong is in [`Reply::trouble`].
    pub fn on_before_tool(&self, call: &ToolCall) -> Result<Reply> {
        let now = self.now(call.ts);
        let cwd = self.working_dir(&call.cwd);
        let event = capture::capture(call, &|p| self.project.relative(p, &cwd), now);
        if event.writes().next().is_none() || self.is_ignored(&event) {
            return Ok(Reply::default());
        }
        let mut reply = Reply { event: Some(event), ..Reply::default() };
        self.tell(&call.session, &mut reply, "before_tool", now, |_| Ok(None));
        reply.event = None;
        Ok(reply)
    }

    /// Logs a tool call of which the harness said nothing when it ended; nothing is told.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn record_tool_call(&self, call: &ToolCall) -> Result<Reply> {
        let now = self.now(call.ts);
        let cwd = self.working_dir(&call.cwd);
        let mut event = capture::capture(call, &|p| self.project.relative(p, &cwd), now);
        event.flag("fromTranscript");
        if self.is_ignored(&event) {
            return Ok(Reply::default());
        }
        self.captured(&call.session, |_| event)
    }

    /// Logs the exit code of a call that is logged already, which the harness told only now.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn record_outcome(&self, session: &SessionId, tool_use_id: &str, exit_code: i32) -> Result<Reply> {
        let mut event = Event::new(self.now(None), EventBody::Outcome { exit_code });
        event.tool_use_id = Some(capture::safe_text(tool_use_id, 200));
        self.captured(session, |_| event)
    }

    /// The harness's ids of the tool calls that are logged since the user's last words, with their exit codes. Cost: linear
    /// in the turn.
    ///
    /// # Errors
    /// `Io` if the log cannot be read.
    pub fn calls_of_turn(&self, session: &SessionId) -> Result<HashMap<String, Option<i32>>> {
        if self.opted_out() {
            return Ok(HashMap::new());
        }
        let log = self.session(session)?;
        let records = lock(&log).since_prompt()?;
        let calls = records.into_iter().map(|r| r.event).filter(Event::is_tool_call);
        Ok(calls.filter_map(|e| Some((e.tool_use_id?, e.body.exit_code()))).collect())
    }

    /// The agent finished responding: logged, and consolidation is asked for. A repeated stop (same turn, same text) is
    /// dropped.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn on_stop(&self, end: &TurnEnd) -> Result<Reply> {
        if self.opted_out() {
            return Ok(Reply::default());
        }
        let now = self.now(end.ts);
        let log = self.session(&end.session)?;
        let mut log = lock(&log);
        let recent = log.look()?;
        let event = capture::turn_event(end, recent, now);
        if recent.repeats_stop(&event) {
            return Ok(Reply::default());
        }
        let event = log.append(|recent| capture::turn_event(end, recent, now))?;
        drop(log);
        let mut reply = Reply { event: Some(event), ..Reply::default() };
        self.trouble(&mut reply, |_| self.consolidate_soon(None));
        Ok(reply)
    }

    /// A decision is saved on purpose: logged, and remembered as an explicit one when the turn is consolidated.
    ///
    /// # Errors
    /// `InvalidArgument` if nothing was decided; `Io` if the event could not be recorded.
    pub fn on_decision(&self, decided: &Decided) -> Result<Reply> {
        if decided.content.trim().is_empty() {
            return Err(Error::invalid("there is no decision: \"content\" is empty"));
        }
        let now = self.now(decided.ts);
        let relative = |path: &str| self.project.relative(path, &self.project.root);
        self.captured(&decided.session, |_| capture::decision_event(decided, &relative, now))
    }

    /// The harness compacts its context: notes may be told again.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn on_compaction(&self, compaction: &Compaction) -> Result<Reply> {
        let now = self.now(compaction.ts);
        self.captured(&compaction.session, |_| capture::compact_event(compaction, now))
    }

    /// The session ended.
    ///
    /// # Errors
    /// `Io` if the event could not be recorded.
    pub fn on_session_end(&self, end: &SessionEnd) -> Result<Reply> {
        let now = self.now(end.ts);
        let mut reply = self.captured(&end.session, |_| capture::session_end_event(end, now))?;
        self.trouble(&mut reply, |_| self.consolidate_soon(None));
        Ok(reply)
    }

    /// Remembers what the user says, with the user's trust. It is stored durably first, then applied to the graph: at once,
    /// unless another process consolidates right now, which applies it then.
    ///
    /// # Errors
    /// `InvalidArgument` if the text is empty or the type unknown; `Io` or `Storage` if it could not be stored.
    pub fn remember(&self, memory: &Remember) -> Result<Remembered> {
        self.own_process()?;
        let node = self.user_node(memory)?;
        self.data.create_for(&self.project)?;
        let mut log = UserLog::open(&self.data.user_log(), self.config.durability)?;
        let entry = UserEntry::Remember { ts: self.clock.now(), node: Box::new(node) };
        log.append(&entry)?;
        match self.consolidator().user_entry(&entry, Duration::from_secs(2)) {
            Ok(applied) => Ok(Remembered::of(&applied)),
            Err(e) if e.kind() == ErrorKind::Busy => Ok(Remembered::default()),
            Err(e) => Err(e),
        }
    }

    /// Forgets a memory, or everything that holds a text, for good: it is neither recalled nor exported, the data folder
    /// holds its words nowhere but in the event logs, and what is made of those again leaves them out. Said again by the
    /// user it is remembered again. It is stored durably first, as digests, then applied: at once, unless another process
    /// consolidates right now, which applies it then.
    ///
    /// Cost: reads every node and episode, and rewrites the database.
    ///
    /// # Errors
    /// `InvalidArgument` if the text is empty, if there is no such memory, or if no memory holds the text; `Io` or
    /// `Storage` if it could not be done: what was stored of it is done by the next consolidation.
    pub fn forget(&self, what: &Forget) -> Result<Forgotten> {
        self.own_process()?;
        if !what.dry_run {
            // They would write what they hold of a session when they are closed.
            self.close_sessions();
        }
        self.consolidator().forget(what, Duration::from_secs(2))
    }

    fn user_node(&self, memory: &Remember) -> Result<NewNode> {
        let clean = |raw: &str| capture::safe_text(raw.trim(), usize::MAX);
        let (said, why) = (clean(&memory.text), clean(&memory.rationale));
        if said.is_empty() {
            return Err(Error::invalid("there is nothing to remember: the text is empty"));
        }
        let (node_type, kind) = match memory.memory_type.as_str() {
            "" | "decision" => (NodeType::Decision, None),
            "finding" => (NodeType::Finding, None),
            "preference" => (NodeType::Decision, Some(MemoryKind::Preference)),
            other => {
                return Err(Error::invalid(format!("unknown type \"{other}\"; it is decision, finding or preference")));
            }
        };
        let mut node = NewNode::new("said", node_type, text::clip_marked(&said, 80), said.clone());
        node.kind = kind;
        node.trust = Trust::User;
        node.origin = Origin::User;
        node.base = if node_type == NodeType::Decision { base::EXPLICIT } else { base::OTHER };
        node.claim = claim::parse_stated(&said);
        if !why.is_empty() {
            node.description = format!("{} (because {why})", said.trim_end_matches('.'));
            node.claim.get_or_insert_default().rationale = why;
        }
        let relative = |f: &String| capture::safe_path(&self.project.relative(f.trim(), &self.project.root));
        node.files = memory.files.iter().filter(|f| !f.trim().is_empty()).map(relative).collect();
        Ok(node)
    }

    /// Makes a log of what another source recorded of a session, unless the session has a log already. `root` is the
    /// project's root where it was recorded, perhaps on another machine. Says how many events were written; of nothing
    /// observed no log is made.
    ///
    /// # Errors
    /// `Io` if the log cannot be written.
    pub fn import_session(&self, session: &SessionId, root: &str, observed: &[Observation]) -> Result<usize> {
        if observed.is_empty() {
            return Ok(0);
        }
        self.data.create_for(&self.project)?;
        let path = log::session_path(&self.data, session);
        if path.exists() {
            return Ok(0);
        }
        let mut recent = Recent::default();
        let mut bytes = Vec::new();
        let mut written = 0;
        for one in observed {
            let mut event = self.event_of(one, root, &recent);
            recent.stamp(&mut event);
            if recent.repeats_stop(&event) {
                continue;
            }
            event.flag("imported");
            recent.apply(&event);
            log::frame(&event, &mut bytes)?;
            written += 1;
        }
        Ok(if log::create_file(&path, &bytes)? { written } else { 0 })
    }

    fn event_of(&self, observed: &Observation, root: &str, recent: &Recent) -> Event {
        match observed {
            Observation::SessionStart(s) => capture::session_start_event(s, root, None, self.now(s.ts)),
            Observation::Prompt(p) => capture::prompt_event(p, self.now(p.ts)),
            Observation::ToolCall(c) => {
                capture::capture(c, &|p| project::relative_by_text(Path::new(root), p, &c.cwd), self.now(c.ts))
            }
            Observation::Stop(e) => capture::turn_event(e, recent, self.now(e.ts)),
            Observation::Compaction(c) => capture::compact_event(c, self.now(c.ts)),
            Observation::SessionEnd(e) => capture::session_end_event(e, self.now(e.ts)),
        }
    }

    /// Reads notes as [`Engram::import_notes`] would and stores nothing; says how many there are.
    ///
    /// # Errors
    /// `InvalidArgument` naming the first line that is no note.
    pub fn check_notes(&self, bytes: &[u8]) -> Result<usize> {
        Ok(Note::episode(bytes, self.clock.now())?.change.nodes.len())
    }

    /// Imports notes: one JSON object a line, each becoming the memory of the same id. The same file twice changes
    /// nothing.
    ///
    /// # Errors
    /// `InvalidArgument` naming the first line that is no note (nothing is imported then); `Busy`, `Io` or `Storage`.
    pub fn import_notes(&self, bytes: &[u8]) -> Result<ConsolidateReport> {
        let episode = Note::episode(bytes, self.clock.now())?;
        let session = SessionId::new(episode.session.clone());
        self.data.create_for(&self.project)?;
        let mut file = log::EpisodeFile::read(&self.data.episodes(), &session)?;
        if file.covered.is_empty() {
            let range = LogRange { from: 0, to: bytes.len() as u64 };
            let consolidated_at = self.clock.now();
            let episode = Some(self.consolidator().without_forgotten(episode)?);
            file.covered.push(log::Covered { range, consolidated_at, episode });
            file.write(&self.data.episodes(), &session)?;
        }
        let options = ConsolidateOptions { session: Some(session), except: None, wait: Duration::from_secs(60) };
        self.consolidate(&options, &mut |_, _| {})
    }

    /// Whether an event is about an ignored path.
    fn is_ignored(&self, event: &Event) -> bool {
        let mut paths = event.writes().map(|w| w.path.as_str()).chain(event.reads());
        paths.any(|p| self.ignores(p))
    }

    /// A line `*` in `.engramignore`, or in the settings, opts the project out of capture.
    fn opted_out(&self) -> bool {
        !self.config.capture || self.config.ignore.iter().any(|g| g == "*")
    }

    fn working_dir(&self, cwd: &str) -> PathBuf {
        if cwd.is_empty() { self.project.root.clone() } else { PathBuf::from(cwd) }
    }

    /// Appends the event that `make` builds, unless capture is off.
    fn captured(&self, session: &SessionId, make: impl FnOnce(&Recent) -> Event) -> Result<Reply> {
        if self.opted_out() {
            return Ok(Reply::default());
        }
        let log = self.session(session)?;
        let appended = lock(&log).append(make);
        if appended.is_err() {
            // A descriptor that failed once is not used again: the next call opens the file anew.
            self.forget_session(session);
        }
        let event = appended?;
        Ok(Reply { event: Some(event), ..Reply::default() })
    }

    /// Puts together what the agent is told: warnings that waited, contradictions of this call, notes that `find` recalls;
    /// and notes in the logs that it was told (D21), unless nothing is to be recorded.
    fn tell(
        &self,
        session: &SessionId,
        reply: &mut Reply,
        door: &str,
        now: Timestamp,
        find: impl FnOnce(&dyn Fn(&str) -> bool) -> Result<Option<Recall>>,
    ) {
        let told = self.told(session);
        let mut warnings = Vec::new();
        self.trouble(reply, |reply| {
            warnings = pending::take(&self.data.warnings_of(&session.file_stem()))?;
            warnings.retain(|w| !told.was_injected(&w.fingerprint));
            if let Some(event) = reply.event.clone() {
                warnings.extend(self.contradictions(&event, &told, reply)?);
            }
            Ok(())
        });
        self.trouble(reply, |reply| {
            reply.recall = find(&|id| told.was_injected(id))?.unwrap_or_default();
            Ok(())
        });
        self.trouble(reply, |reply| {
            let finding =
                reply.event.as_ref().and_then(|e| metrics::advice(e, &told)).filter(|f| !told.was_injected(&f.id));
            reply.advice = finding.iter().map(|f| f.text.clone()).collect();
            let remarks = reply.advice.iter().map(String::as_str);
            let texts = warnings.iter().map(|w| w.text.as_str()).chain(remarks).chain([reply.recall.text.as_str()]);
            reply.context = texts.filter(|t| !t.is_empty()).collect::<Vec<_>>().join("\n\n");
            if reply.context.is_empty() || self.opted_out() {
                return Ok(());
            }
            let notes = reply.recall.items.iter().map(|i| i.id.clone());
            let found = finding.into_iter().map(|f| f.id);
            let ids: Vec<String> = warnings.iter().map(|w| w.fingerprint.clone()).chain(found).chain(notes).collect();
            self.note(session, |_| capture::injected_event(door, &ids, &reply.context, now))?;
            let line = recall_line(door, session, &warnings, &reply.recall);
            log::MemoryLog::at(self.data.memory_log()).write(now, &[line])
        });
    }

    fn told(&self, session: &SessionId) -> Recent {
        if self.opted_out() {
            return Recent::default();
        }
        self.session(session).map(|log| lock(&log).recent()).unwrap_or_default()
    }

    fn note(&self, session: &SessionId, make: impl FnOnce(&Recent) -> Event) -> Result<()> {
        let log = self.session(session)?;
        lock(&log).note(make).map(drop)
    }

    /// The contradictions that a write makes, in words, each told once a session.
    fn contradictions(&self, event: &Event, told: &Recent, reply: &mut Reply) -> Result<Vec<PendingWarning>> {
        if self.config.contradiction_mode == ContradictionMode::Off {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for write in event.writes() {
            let change = Change { path: &write.path, diff: &write.diff };
            let (verdict, decisions) = self.judged(&change)?;
            let fingerprint = contradict::fingerprint(&change, &verdict, &decisions);
            if verdict.verdict == VerdictKind::NoContradiction || told.was_injected(&fingerprint) {
                continue;
            }
            let text = contradict::render_warning(&verdict, &decisions);
            found.push(PendingWarning { text, decisions: verdict.decisions.clone(), fingerprint });
            reply.warnings.push(verdict);
        }
        Ok(found)
    }

    fn trouble(&self, reply: &mut Reply, body: impl FnOnce(&mut Reply) -> Result<()>) {
        if let Err(e) = body(reply) {
            reply.trouble.push(e.to_string());
        }
    }
}

/// One greppable line for what was told (D13).
fn recall_line(door: &str, session: &SessionId, warnings: &[PendingWarning], recall: &Recall) -> String {
    let told: Vec<String> = recall.items.iter().map(|i| format!("{}={:.2}", i.id, i.activation)).collect();
    let warned: Vec<&str> = warnings.iter().flat_map(|w| w.decisions.iter().map(String::as_str)).collect();
    format!(
        "recall {door} session={} told=[{}] warned=[{}] dropped={} tokens={}",
        safe_id(session),
        told.join(" "),
        warned.join(" "),
        recall.dropped,
        recall.tokens
    )
}

/// A session id as a log may show it: one that looks like a secret, or is no plain word, is shown as a digest.
fn safe_id(session: &SessionId) -> String {
    match capture::redact(session.as_str()) {
        std::borrow::Cow::Borrowed(_) => session.file_stem(),
        std::borrow::Cow::Owned(_) => format!("x-{}", text::digest::<16>(session.as_str().as_bytes())),
    }
}
