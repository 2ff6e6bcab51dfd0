//! Claude Code's session files (harness-protocols 2.5).

use super::Transcript;
use super::lines::Objects;
use super::turn::{LastWord, Turn};
use crate::adapters::{HostEvent, user_words};
use engram_core::capture::call::{Compaction, Harness, SessionStart, ToolCall, TurnEnd, UserPrompt};
use engram_core::capture::event::SessionId;
use engram_core::time::Timestamp;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};

/// Reads a whole file; `stem` names the session if no record does.
pub(super) fn read(from: impl Read, stem: &str) -> io::Result<Transcript> {
    let mut objects = Objects::new(from);
    let mut replay = Replay { stem: stem.to_owned(), ..Replay::default() };
    while let Some(record) = objects.next_object()? {
        replay.record(record);
    }
    Ok(replay.finish(objects.skipped))
}

/// What has been read so far.
#[derive(Default)]
struct Replay {
    stem: String,
    session: Option<SessionId>,
    cwd: String,
    started: Option<Timestamp>,
    /// The time of the last record that has one.
    now: Option<Timestamp>,
    events: Vec<HostEvent>,
    /// Calls without a result, by id.
    calls: HashMap<String, ToolCall>,
    turn: Turn,
    /// Prompts typed while the agent worked, with their places in `events`, until they turn up again.
    queued: Vec<(usize, String)>,
    /// A resumed session repeats records.
    seen: HashSet<String>,
}

impl Replay {
    fn record(&mut self, mut record: Value) {
        if record["uuid"].as_str().is_some_and(|id| !self.seen.insert(id.to_owned())) {
            return;
        }
        self.note_origin(&record);
        match record["type"].as_str() {
            Some("user") => self.user(&mut record),
            Some("assistant") => self.assistant(&mut record),
            Some("system") => self.system(&record),
            Some("queue-operation") => self.queue(&record),
            Some("attachment") => self.attachment(&record["attachment"]),
            _ => {}
        }
    }

    fn note_origin(&mut self, record: &Value) {
        if let Some(ts) = record["timestamp"].as_str().and_then(|t| t.parse().ok()) {
            self.now = Some(ts);
            self.started = self.started.or(Some(ts));
        }
        if self.session.is_none() {
            self.session = record["sessionId"].as_str().map(SessionId::new);
        }
        if self.cwd.is_empty() {
            record["cwd"].as_str().unwrap_or_default().clone_into(&mut self.cwd);
        }
    }

    fn session(&self) -> SessionId {
        self.session.clone().unwrap_or_else(|| SessionId::new(self.stem.as_str()))
    }

    fn user(&mut self, record: &mut Value) {
        let content = take(record, "/message/content");
        let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
        let results: Vec<&Value> = blocks.iter().filter(|b| b["type"] == "tool_result").collect();
        // The structured result names no call: it is clear whose it is only if there is one.
        let structured = if results.len() == 1 { take(record, "/toolUseResult") } else { Value::Null };
        for block in results {
            self.result(block, &structured);
        }
        if !is_written_by_harness(record) {
            self.words(&text_of(&content));
        }
    }

    /// A text on the user's side of the conversation.
    fn words(&mut self, text: &str) {
        if text.trim_start().starts_with("[Request interrupted by user") {
            return self.turn.interrupt();
        }
        let words = user_words::spoken(text);
        // A slash command begins a turn too, though nothing was said.
        if words.is_some() || text.contains("<command-name>") {
            let last = self.turn.end_if_spoken();
            self.stop(last);
        }
        if let Some(words) = words {
            self.take_queued(&words);
            self.prompt(words);
        }
    }

    fn prompt(&mut self, text: String) {
        self.events.push(HostEvent::Prompt(UserPrompt { session: self.session(), text, ts: self.now }));
    }

    fn stop(&mut self, last: Option<LastWord>) {
        if let Some((text, ts)) = last {
            let end = TurnEnd { session: self.session(), text, agent: None, ts };
            self.events.push(HostEvent::Stop(end));
        }
    }

    fn assistant(&mut self, record: &mut Value) {
        let of_agent = agent_of(record);
        // The harness's own lines: errors of the API, stand-ins after an interruption.
        if record["isApiErrorMessage"] == true || record["message"]["model"] == "<synthetic>" {
            return;
        }
        let cwd = record["cwd"].as_str().unwrap_or_default().to_owned();
        let message = record["message"]["id"].as_str().unwrap_or_default().to_owned();
        let Value::Array(blocks) = take(record, "/message/content") else { return };
        for block in blocks {
            match (block["type"].as_str(), &of_agent) {
                (Some("text"), None) => self.turn.say(&message, block["text"].as_str().unwrap_or_default(), self.now),
                (Some("tool_use"), _) => self.call(block, cwd.clone(), of_agent.clone()),
                _ => {}
            }
        }
    }

    fn call(&mut self, mut block: Value, cwd: String, agent: Option<String>) {
        let Some(id) = block["id"].as_str().map(str::to_owned) else { return };
        if agent.is_none() {
            self.turn.use_tool(self.now);
        }
        let call = ToolCall {
            session: self.session(),
            harness: Harness::ClaudeCode,
            cwd,
            tool: block["name"].as_str().unwrap_or_default().to_owned(),
            input: take(&mut block, "/input"),
            tool_use_id: Some(id.clone()),
            agent,
            ..ToolCall::default()
        };
        self.calls.insert(id, call);
    }

    /// Joins a result with its call. Results of calls made before the file begins are left out.
    fn result(&mut self, block: &Value, structured: &Value) {
        let Some(mut call) = block["tool_use_id"].as_str().and_then(|id| self.calls.remove(id)) else { return };
        call.ts = self.now;
        let text = text_of(&block["content"]);
        if block["is_error"] == true {
            return self.failure(call, text);
        }
        let output = if structured.is_null() { Value::String(text) } else { structured.clone() };
        let answer = user_words::answered(&call.tool, &call.input, &output).filter(|_| call.agent.is_none());
        self.events.push(HostEvent::Tool(ToolCall { output: Some(output), ..call }));
        answer.into_iter().for_each(|words| self.prompt(words));
    }

    /// A call that ran and failed is an event; one that never ran is none, but a reason given for that is.
    fn failure(&mut self, call: ToolCall, text: String) {
        if REFUSALS.iter().any(|r| text.starts_with(r)) {
            user_words::refusal_reason(&text).into_iter().for_each(|words| self.prompt(words));
        } else if !text.starts_with("<tool_use_error>") {
            let exit_code = crate::adapters::claude_exit_code(&text);
            self.events.push(HostEvent::Tool(ToolCall { error: Some(text), exit_code, ..call }));
        }
    }

    fn system(&mut self, record: &Value) {
        match record["subtype"].as_str() {
            Some("stop_hook_summary" | "turn_duration") => {
                let last = self.turn.end();
                self.stop(last);
            }
            Some("compact_boundary") => {
                let trigger = record["compactMetadata"]["trigger"].as_str().unwrap_or_default().to_owned();
                let session = self.session();
                self.events.push(HostEvent::Compaction(Compaction { session, trigger, ts: self.now }));
            }
            _ => {}
        }
    }

    /// Prompts typed while the agent works are queued; taken back for editing, they were not said.
    fn queue(&mut self, record: &Value) {
        match record["operation"].as_str() {
            Some("enqueue") => self.enqueue(record["content"].as_str().unwrap_or_default()),
            Some("popAll") => {
                for (at, _) in std::mem::take(&mut self.queued) {
                    self.events[at] = HostEvent::Ignored;
                }
            }
            _ => {}
        }
    }

    fn enqueue(&mut self, text: &str) {
        if let Some(words) = user_words::spoken(text) {
            self.queued.push((self.events.len(), words.clone()));
            self.prompt(words);
        }
    }

    /// Later versions record a queued prompt once more when the model gets to see it.
    fn attachment(&mut self, attachment: &Value) {
        if attachment["type"] != "queued_command" {
            return;
        }
        let Some(words) = user_words::spoken(&text_of(&attachment["prompt"])) else { return };
        match self.queued.iter().position(|(_, q)| *q == words) {
            Some(known) => drop(self.queued.remove(known)),
            None => self.prompt(words),
        }
    }

    /// A queued prompt that became a turn of its own counts there.
    fn take_queued(&mut self, words: &str) {
        if let Some(known) = self.queued.iter().position(|(_, q)| q == words) {
            let (at, _) = self.queued.remove(known);
            self.events[at] = HostEvent::Ignored;
        }
    }

    fn finish(mut self, skipped_lines: usize) -> Transcript {
        let last = self.turn.end_if_spoken();
        self.stop(last);
        self.events.retain(|e| *e != HostEvent::Ignored);
        let session = self.session();
        if !self.events.is_empty() {
            let start = SessionStart {
                session: session.clone(),
                harness: Harness::ClaudeCode,
                cwd: self.cwd.clone(),
                source: "startup".to_owned(),
                ts: self.started,
            };
            self.events.insert(0, HostEvent::SessionStart(start));
        }
        Transcript { session, cwd: self.cwd, events: self.events, skipped_lines }
    }
}

// Beginnings of the result of a call that the user, or a rule of the user's, did not let run.
const REFUSALS: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Request interrupted by user",
    "Permission to use ",
    "Claude requested permissions to ",
];

/// A part of a record, moved out; null where there is none.
fn take(record: &mut Value, pointer: &str) -> Value {
    record.pointer_mut(pointer).map(Value::take).unwrap_or_default()
}

/// The sub-agent whose line this is; older versions mark such lines without naming the agent.
fn agent_of(record: &Value) -> Option<String> {
    let named = record["agentId"].as_str().map(str::to_owned);
    named.or_else(|| (record["isSidechain"] == true).then(|| "sidechain".to_owned()))
}

fn is_written_by_harness(record: &Value) -> bool {
    const MARKS: &[&str] = &["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain"];
    let origin = record["origin"]["kind"].as_str();
    MARKS.iter().any(|m| record[*m] == true)
        || record["agentId"].is_string()
        || origin.is_some_and(|o| !matches!(o, "human" | "user"))
}

/// The text of a message or a result: a string, or the text blocks of a list.
fn text_of(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    blocks.iter().filter_map(|b| b["text"].as_str()).collect::<Vec<_>>().join("\n")
}
