//! What the readers of recordings have in common: events in the making.

use super::Transcript;
use super::turn::{LastWord, Turn};
use crate::adapters::HostEvent;
use engram_core::capture::call::{Compaction, Harness, SessionStart, ToolCall, TurnEnd, UserPrompt};
use engram_core::capture::event::SessionId;
use engram_core::time::Timestamp;
use serde_json::Value;
use std::collections::HashMap;

/// A recording while it is read.
#[derive(Debug, Default)]
pub(super) struct Recording {
    harness: Harness,
    pub(super) session: Option<SessionId>,
    pub(super) cwd: String,
    started: Option<Timestamp>,
    /// The time of the last record that has one.
    pub(super) now: Option<Timestamp>,
    events: Vec<HostEvent>,
    /// Calls without a result, by id.
    calls: HashMap<String, ToolCall>,
    turn: Turn,
}

impl Recording {
    pub(super) fn of(harness: Harness) -> Recording {
        Recording { harness, ..Recording::default() }
    }

    pub(super) fn at(&mut self, time: Option<Timestamp>) {
        self.now = time.or(self.now);
        self.started = self.started.or(time);
    }

    fn session(&self) -> SessionId {
        self.session.clone().unwrap_or_default()
    }

    /// The user said something: a turn that was going on has ended.
    pub(super) fn prompt(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let last = self.turn.end_if_spoken();
        self.stop(last);
        let text = text.to_owned();
        self.events.push(HostEvent::Prompt(UserPrompt { session: self.session(), text, ts: self.now }));
    }

    /// The agent said something. `message` tells its messages apart.
    pub(super) fn say(&mut self, message: &str, text: &str) {
        if !text.trim().is_empty() {
            self.turn.say(message, text, self.now);
        }
    }

    /// The agent called a tool.
    pub(super) fn call(&mut self, id: &str, tool: &str, input: Value) {
        self.turn.use_tool(self.now);
        let call = ToolCall {
            session: self.session(),
            harness: self.harness,
            cwd: self.cwd.clone(),
            tool: tool.to_owned(),
            input,
            tool_use_id: Some(id.to_owned()).filter(|id| !id.is_empty()),
            ..ToolCall::default()
        };
        self.calls.insert(id.to_owned(), call);
    }

    /// The call of that id has ended; `end` adds its result. Results of calls that are not known are left out.
    pub(super) fn ended(&mut self, id: &str, end: impl FnOnce(ToolCall) -> ToolCall) {
        if let Some(call) = self.calls.remove(id) {
            let call = ToolCall { ts: self.now, ..end(call) };
            self.events.push(HostEvent::Tool(call));
        }
    }

    /// The harness recorded the end of a turn, perhaps with the agent's last words.
    pub(super) fn end_turn(&mut self, last: Option<&str>) {
        if let Some(text) = last {
            self.say("last", text);
        }
        let last = self.turn.end();
        self.stop(last);
    }

    /// The user broke the turn off.
    pub(super) fn interrupt(&mut self) {
        self.turn.interrupt();
    }

    pub(super) fn compacted(&mut self, trigger: &str) {
        let (session, trigger) = (self.session(), trigger.to_owned());
        self.events.push(HostEvent::Compaction(Compaction { session, trigger, ts: self.now }));
    }

    fn stop(&mut self, last: Option<LastWord>) {
        if let Some((text, ts)) = last {
            self.events.push(HostEvent::Stop(TurnEnd { session: self.session(), text, agent: None, ts }));
        }
    }

    /// The calls that ended, in order; for a recording of one turn.
    pub(super) fn into_calls(self) -> Vec<ToolCall> {
        let call = |event| if let HostEvent::Tool(call) = event { Some(call) } else { None };
        self.events.into_iter().filter_map(call).collect()
    }

    /// The session; `stem` names it if no record does.
    pub(super) fn finish(mut self, stem: &str, skipped_lines: usize) -> Transcript {
        let last = self.turn.end_if_spoken();
        self.stop(last);
        let session = self.session.clone().unwrap_or_else(|| SessionId::new(stem));
        if !self.events.is_empty() {
            let start = SessionStart {
                session: session.clone(),
                harness: self.harness,
                cwd: self.cwd.clone(),
                source: "startup".to_owned(),
                ts: self.started,
            };
            self.events.insert(0, HostEvent::SessionStart(start));
        }
        for event in &mut self.events {
            name(event, &session);
        }
        Transcript { session, cwd: self.cwd, events: self.events, skipped_lines }
    }
}

/// Events may come before the record that names the session.
fn name(event: &mut HostEvent, session: &SessionId) {
    let of = match event {
        HostEvent::SessionStart(e) => &mut e.session,
        HostEvent::Prompt(e) => &mut e.session,
        HostEvent::BeforeTool(e) | HostEvent::Tool(e) => &mut e.session,
        HostEvent::Decision(e) => &mut e.session,
        HostEvent::Stop(e) => &mut e.session,
        HostEvent::Compaction(e) => &mut e.session,
        HostEvent::SessionEnd(e) => &mut e.session,
        HostEvent::Ignored => return,
    };
    of.clone_from(session);
}
