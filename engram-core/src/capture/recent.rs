//! What the session did lately: the fold over its events that derived tags need.

use super::event::{Derived, Event, EventBody};
use super::pace::{Looking, Pace};
use super::region::{self, WriteRange};
use super::repeats::{Repeats, Trace};
use super::route;
use super::tasks::Tasks;
use crate::text;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

const MAX_READS: usize = 1024;
const MAX_ROUTE: usize = 5;
const MAX_WRITES: usize = 64;
const MAX_INJECTED: usize = 256;
const MAX_SUSPECTS: usize = 16;
const MAX_PROMPT: usize = 600;
const MAX_ERRORS: usize = 32;
/// Calls over which looking is held against doing.
const WINDOW: usize = 20;

/// The recent past of one session, bounded whatever the session's length: about 1 kB as JSON, at most about 40 kB.
///
/// For each new event call [`Recent::stamp`] and then [`Recent::apply`]. Both cost O(1) in the session's length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Recent {
    turn: u32,
    calls: u32,
    /// Kept in no file: what the user says may have to be forgotten, and the log has it.
    #[serde(skip)]
    prompt: String,
    test: LastTest,
    read: VecDeque<u64>,
    route: VecDeque<String>,
    writes: VecDeque<WriteRange>,
    write_count: u32,
    injected: VecDeque<u64>,
    last_stop: Option<String>,
    repeats: Repeats,
    pace: Pace,
    tasks: Tasks,
}

/// Whether an event completes a pattern.
type Rule = fn(&Recent, &Event) -> bool;

/// The last test run that really ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LastTest {
    failed: Option<bool>,
    /// Files that the failing run named.
    named: Vec<String>,
    /// Hashes of the files looked at since it failed.
    looked_at: VecDeque<u64>,
}

impl Recent {
    /// Sets the event's turn and derived tags from the past; call it before [`Recent::apply`].
    pub fn stamp(&self, e: &mut Event) {
        e.turn = self.turn + u32::from(matches!(e.body, EventBody::Prompt { .. }));
        e.derived = self.derive(e);
    }

    /// The patterns that `e` completes; `e` must not have been applied yet.
    pub fn derive(&self, e: &Event) -> Vec<Derived> {
        let rules: [(Derived, Rule); 5] = [
            (Derived::Exploration, Recent::explores),
            (Derived::FixAttempt, Recent::attempts_a_fix),
            (Derived::Progression, Recent::progresses),
            (Derived::ExpandingSearch, Recent::searches_outward),
            (Derived::RepeatedRevision, Recent::revises_again),
        ];
        rules.iter().filter(|(_, holds)| holds(self, e)).map(|(tag, _)| *tag).collect()
    }

    /// Takes `e` into the past.
    pub fn apply(&mut self, e: &Event) {
        if e.is_tool_call() {
            self.calls = self.calls.saturating_add(1);
            self.last_stop = None;
        }
        e.reads().for_each(|p| self.note_read(p));
        self.note_writes(e);
        self.repeats.apply(e, MAX_ERRORS);
        self.pace.apply(e, WINDOW);
        self.tasks.apply(e);
        match &e.body {
            EventBody::Prompt { text } => self.note_prompt(text),
            EventBody::TestRun { .. } => self.note_test(e),
            EventBody::TurnComplete { .. } if e.agent.is_none() => {
                self.last_stop = stop_digest(e);
                self.calls = 0;
            }
            EventBody::Injected { ids, .. } => {
                ids.iter().for_each(|id| keep(&mut self.injected, hash(id), MAX_INJECTED))
            }
            EventBody::Compact { .. } => self.injected.clear(),
            EventBody::SessionStart { source, .. } if source == "compact" || source == "clear" => self.injected.clear(),
            _ => {}
        }
    }

    /// The number of prompts so far; 0 before the first.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Tool calls since the last prompt or completed turn.
    pub fn tool_calls_this_turn(&self) -> u32 {
        self.calls
    }

    /// Whether the file was read in this session (of the last 1,024 files).
    pub fn has_read(&self, path: &str) -> bool {
        self.read.contains(&hash(path))
    }

    /// Whether the file was written in this session (of the last 64 ranges).
    pub fn has_written(&self, path: &str) -> bool {
        let file = hash(path);
        self.writes.iter().any(|w| w.file == file)
    }

    /// Whether the note was told since the harness last compacted or cleared its context (of the last 256 notes).
    pub fn was_injected(&self, id: &str) -> bool {
        self.injected.contains(&hash(id))
    }

    /// Whether the last test run that ran failed.
    pub fn last_test_failed(&self) -> bool {
        self.test.failed == Some(true)
    }

    /// Whether the last test run that ran passed.
    pub fn last_test_passed(&self) -> bool {
        self.test.failed == Some(false)
    }

    /// How often the error of that signature came back after an attempt to mend it.
    pub(crate) fn repeated(&self, signature: &str) -> Option<&Trace> {
        self.repeats.of(signature)
    }

    /// Looking and doing in the last 20 calls.
    pub(crate) fn looking(&self) -> Looking {
        self.pace.looking()
    }

    /// How much of the agent's plan is done, 0 to 1; `None` where no plan was seen.
    pub fn progress(&self) -> Option<f64> {
        self.tasks.progress()
    }

    /// The user's last words, clipped to 600 bytes.
    pub fn last_prompt(&self) -> &str {
        &self.prompt
    }

    /// Takes in the user's last words anew, which are kept in the log alone.
    pub(crate) fn recall_prompt(&mut self, text: &str) {
        self.prompt = text::clip_marked(text, MAX_PROMPT);
    }

    /// [`stop_digest`] of the last completed turn, as long as nothing happened since.
    pub fn last_stop_digest(&self) -> Option<&str> {
        self.last_stop.as_deref()
    }

    /// Whether `e` is a completed turn that the log already ends with (contract, detail 14).
    pub fn repeats_stop(&self, e: &Event) -> bool {
        self.last_stop.is_some() && e.agent.is_none() && stop_digest(e) == self.last_stop
    }

    fn explores(&self, e: &Event) -> bool {
        e.reads().any(|p| !self.has_read(p))
    }

    /// A write, while the last test run is a failed one, to lines written before, to a file that the failing run named,
    /// or to a file that was looked at since.
    fn attempts_a_fix(&self, e: &Event) -> bool {
        self.last_test_failed()
            && e.writes().any(|c| {
                let file = hash(&c.path);
                self.test.looked_at.contains(&file)
                    || self.test.named.iter().any(|n| region::names_file(n, &c.path))
                    || region::touches_any(&self.writes, file, c, region::NEAR)
            })
    }

    fn progresses(&self, e: &Event) -> bool {
        let is_new = |path: &str| !self.has_read(path) && !self.has_written(path);
        self.last_test_passed()
            && e.writes()
                .any(|c| c.kind == super::event::WriteKind::Create && c.renamed_from.is_none() && is_new(&c.path))
    }

    fn searches_outward(&self, e: &Event) -> bool {
        e.reads().any(|p| route::moves_outward(self.route.iter().map(String::as_str), p))
    }

    fn revises_again(&self, e: &Event) -> bool {
        e.writes().any(|c| region::earlier_writes(&self.writes, hash(&c.path), c) >= 2)
    }

    fn note_prompt(&mut self, prompt: &str) {
        self.turn = self.turn.saturating_add(1);
        self.calls = 0;
        self.last_stop = None;
        self.recall_prompt(prompt);
    }

    fn note_read(&mut self, path: &str) {
        let file = hash(path);
        keep(&mut self.read, file, MAX_READS);
        if self.last_test_failed() {
            keep(&mut self.test.looked_at, file, MAX_SUSPECTS);
        }
        if self.route.back().is_none_or(|last| last != path) {
            push_bounded(&mut self.route, text::clip(path, 256).to_owned(), MAX_ROUTE);
        }
    }

    fn note_writes(&mut self, e: &Event) {
        for change in e.writes() {
            let file = hash(&change.path);
            if let Some(old) = &change.renamed_from {
                region::rename(&mut self.writes, hash(old), file);
            }
            self.write_count = self.write_count.wrapping_add(1);
            region::shift(&mut self.writes, file, change);
            for range in region::ranges_of(&self.writes, file, self.write_count, change) {
                push_bounded(&mut self.writes, range, MAX_WRITES);
            }
        }
    }

    fn note_test(&mut self, e: &Event) {
        let EventBody::TestRun { exit_code, passed, failing_tests, error_signatures, .. } = &e.body else { return };
        let never_ran = e.flags.iter().any(|f| f == super::NOT_STARTED);
        let known = e.body.failed() || *exit_code == Some(0) || passed.is_some_and(|p| p > 0);
        if never_ran || !known {
            return;
        }
        let named = failing_tests.iter().chain(error_signatures).filter_map(|t| region::file_in(t));
        let named = if e.body.failed() { named.take(MAX_SUSPECTS).collect() } else { Vec::new() };
        self.test = LastTest { failed: Some(e.body.failed()), named, looked_at: VecDeque::new() };
    }
}

/// A digest of a completed turn's number and final text; nothing for other events.
pub fn stop_digest(e: &Event) -> Option<String> {
    match &e.body {
        EventBody::TurnComplete { text, .. } => Some(text::digest::<8>(format!("{}\n{text}", e.turn).as_bytes())),
        _ => None,
    }
}

fn keep(ring: &mut VecDeque<u64>, value: u64, max: usize) {
    if !ring.contains(&value) {
        push_bounded(ring, value, max);
    }
}

fn push_bounded<T>(ring: &mut VecDeque<T>, value: T, max: usize) {
    while ring.len() >= max {
        ring.pop_front();
    }
    ring.push_back(value);
}

/// FNV-1a: the state outlives the process, so the hash must not depend on it.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
#[path = "recent_tests.rs"]
mod tests;
