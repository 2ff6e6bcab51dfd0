//! Recorded sessions of every harness through the readers and capture: how many tool calls went in, what events came out,
//! and, for commands that a person has labelled, whether each is what the person says.

use crate::records::{self, Outcome};
use clap::Args;
use engram_cli::adapters::HostEvent;
use engram_cli::transcripts::{self, Source};
use engram_core::capture::call::ToolCall;
use engram_core::capture::capture;
use engram_core::capture::event::Event;
use engram_core::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The folder of recordings, one folder a harness
    #[arg(long, value_name = "DIR")]
    recordings: PathBuf,
    /// Commands with what a reader calls them: {"file","call","kind":[...],"passed"}
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
}

/// The folders of the recordings, and who recorded.
const FOLDERS: [(&str, Source); 6] = [
    ("claude-code", Source::ClaudeCode),
    ("codex", Source::Codex),
    ("copilot-cli", Source::Copilot),
    ("opencode", Source::OpenCode),
    ("openhands", Source::OpenHands),
    ("swe-agent", Source::SweAgent),
];

/// Events by the recording and the harness's id of the call.
type Seen = HashMap<(String, String), Event>;

pub(crate) fn run(arguments: &Arguments) -> Outcome<String> {
    let mut out = String::from(
        "| recorded by | sessions | calls that ended | events | of them | not recognised |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut seen = Seen::new();
    for (folder, source) in FOLDERS {
        let files = source.within(&arguments.recordings.join(folder), 3);
        if files.is_empty() {
            return Err(format!("there are no recordings in {}", arguments.recordings.join(folder).display()).into());
        }
        let mut row = Row::default();
        for file in &files {
            row.add(&arguments.recordings, source, file, &mut seen)?;
        }
        row.write(&mut out, source, files.len())?;
    }
    if let Some(labels) = &arguments.labels {
        out.push('\n');
        out.push_str(&judge(&records::read(labels)?, &seen)?);
    }
    Ok(out.trim_end().to_owned())
}

#[derive(Default)]
struct Row {
    ended: usize,
    events: usize,
    types: BTreeMap<&'static str, usize>,
    unknown: BTreeMap<String, usize>,
}

impl Row {
    fn add(&mut self, root: &Path, source: Source, file: &Path, seen: &mut Seen) -> Outcome<()> {
        let transcript = transcripts::read(source, file)?;
        self.ended += ended(source, &std::fs::read_to_string(file)?);
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().into_owned();
        let calls = transcript.events.iter().filter_map(|e| if let HostEvent::Tool(c) = e { Some(c) } else { None });
        for call in calls {
            let event = event_of(call);
            self.events += 1;
            *self.types.entry(event.body.type_name()).or_default() += 1;
            if event.body.type_name() == "tool" {
                *self.unknown.entry(call.tool.clone()).or_default() += 1;
            }
            if let Some(id) = &call.tool_use_id {
                seen.insert((name.clone(), id.clone()), event);
            }
        }
        Ok(())
    }

    fn write(&self, out: &mut String, source: Source, sessions: usize) -> Outcome<()> {
        let list = |counts: Vec<String>| if counts.is_empty() { "-".to_owned() } else { counts.join(", ") };
        let types = list(self.types.iter().map(|(t, n)| format!("{t} {n}")).collect());
        let unknown = list(self.unknown.iter().map(|(t, n)| format!("{t} {n}")).collect());
        let (ended, events) = (self.ended, self.events);
        writeln!(out, "| {} | {sessions} | {ended} | {events} | {types} | {unknown} |", source.name())?;
        Ok(())
    }
}

fn event_of(call: &ToolCall) -> Event {
    capture(call, &|path| path.to_owned(), call.ts.unwrap_or_else(|| Timestamp::from_millis(0)))
}

/// How many calls a recording says have ended, counted from its text and not by the reader that is measured.
fn ended(source: Source, text: &str) -> usize {
    let lines = || text.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok());
    let whole = || serde_json::from_str::<Value>(text).unwrap_or_default();
    let list = |v: &Value, key: &str| v[key].as_array().cloned().unwrap_or_default();
    match source {
        Source::ClaudeCode => lines().map(|l| count(&l["message"]["content"], |b| b["type"] == "tool_result")).sum(),
        Source::Codex => {
            lines().filter(|l| l["payload"]["type"].as_str().is_some_and(|t| t.ends_with("call_output"))).count()
        }
        Source::Copilot => lines().filter(|l| l["type"] == "tool.execution_complete").count(),
        Source::OpenCode => {
            list(&whole(), "messages").iter().map(|m| count(&m["parts"], |p| p["type"] == "tool")).sum()
        }
        Source::OpenHands => {
            let history = Value::Array(list(&whole(), "history"));
            count(&history, |e| e["observation"].is_string() && e["observation"] != "recall")
        }
        Source::SweAgent => {
            let steps = Value::Array(list(&whole(), "trajectory"));
            count(&steps, |s| s["action"].as_str().is_some_and(|a| !a.trim().is_empty()))
        }
        Source::Gemini => 0,
    }
}

fn count(list: &Value, is: impl Fn(&Value) -> bool) -> usize {
    list.as_array().map_or(0, |l| l.iter().filter(|v| is(v)).count())
}

/// What a reader says of one command.
#[derive(Debug, Deserialize)]
struct Label {
    file: String,
    call: String,
    /// What it may be called, the best first.
    kind: Vec<String>,
    /// Whether what it was for succeeded; nothing where its output does not say.
    passed: Option<bool>,
}

fn kind_of(event: &Event) -> &'static str {
    match event.body.type_name() {
        "test_run" => "test",
        "build" => "build",
        "file_read" => "read",
        "file_write" => "write",
        "search" => "search",
        _ => "other",
    }
}

fn judge(labels: &[Label], seen: &Seen) -> Outcome<String> {
    let mut out = String::from("| kind | precision | recall |\n| --- | --- | --- |\n");
    let found: Vec<(&Label, &Event)> =
        labels.iter().filter_map(|l| Some((l, seen.get(&(l.file.clone(), l.call.clone()))?))).collect();
    let mut wrong = Vec::new();
    for kind in ["test", "build", "read", "write", "search"] {
        let called: Vec<_> = found.iter().filter(|(_, e)| kind_of(e) == kind).collect();
        let right = called.iter().filter(|(l, _)| l.kind.iter().any(|k| k == kind)).count();
        let is: Vec<_> = found.iter().filter(|(l, _)| l.kind == [kind]).collect();
        let hit = is.iter().filter(|(_, e)| kind_of(e) == kind).count();
        writeln!(out, "| {kind} | {right} of {} | {hit} of {} |", called.len(), is.len())?;
    }
    let told: Vec<_> = found.iter().filter_map(|(l, e)| Some((l, e, l.passed?))).collect();
    let mut right = 0;
    for (label, event, passed) in &told {
        let seems = !event.body.failed();
        right += usize::from(seems == *passed);
        if seems != *passed {
            wrong.push(format!("{} {}: passed is {passed}", label.file, label.call));
        }
    }
    for (label, event) in &found {
        if !label.kind.iter().any(|k| k == kind_of(event)) {
            wrong.push(format!("{} {}: {} called {}", label.file, label.call, label.kind.join("|"), kind_of(event)));
        }
    }
    writeln!(
        out,
        "\nexit status right: {right} of {}; {} of {} labelled commands were found",
        told.len(),
        found.len(),
        labels.len()
    )?;
    wrong.iter().for_each(|w| out.push_str(&format!("- {w}\n")));
    Ok(out)
}
