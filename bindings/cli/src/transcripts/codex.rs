//! Codex's rollout files (harness-protocols 3.5): read whole for an import, and their last turn at its end, because hooks are
//! not called for every tool.

use super::Transcript;
use super::lines::Objects;
use super::recording::Recording;
use engram_core::capture::call::{Harness, ToolCall};
use engram_core::capture::event::SessionId;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub(super) fn read(from: impl Read, stem: &str) -> io::Result<Transcript> {
    let mut objects = Objects::new(from);
    let rollout = Rollout::read(&mut objects)?;
    Ok(rollout.finish().finish(stem, objects.skipped))
}

/// A rollout while it is read.
struct Rollout {
    to: Recording,
    /// Commands that are answered in pieces, by Codex's number of the process: the call, and what it printed so far.
    running: HashMap<i64, (String, String)>,
    /// Calls that ask for the next piece, with the number.
    polls: HashMap<String, i64>,
}

impl Rollout {
    fn read<R: Read>(objects: &mut Objects<R>) -> io::Result<Rollout> {
        let to = Recording::of(Harness::Codex);
        let mut rollout = Rollout { to, running: HashMap::new(), polls: HashMap::new() };
        while let Some(line) = objects.next_object()? {
            rollout.record(&line);
        }
        Ok(rollout)
    }

    fn record(&mut self, line: &Value) {
        self.to.at(line["timestamp"].as_str().and_then(|t| t.parse().ok()));
        let payload = &line["payload"];
        match (line["type"].as_str(), payload["type"].as_str()) {
            (Some("session_meta"), _) if self.to.session.is_none() => {
                self.to.session = payload["id"].as_str().map(SessionId::new);
                text(payload, "cwd").clone_into(&mut self.to.cwd);
            }
            (Some("event_msg"), Some("user_message")) => self.to.prompt(text(payload, "message")),
            (Some("event_msg"), Some("agent_message")) => {
                self.to.say(text(line, "timestamp"), text(payload, "message"));
            }
            (Some("event_msg"), Some("task_complete")) => self.to.end_turn(payload["last_agent_message"].as_str()),
            (Some("event_msg"), Some("turn_aborted")) => self.to.interrupt(),
            (Some("event_msg"), Some("context_compacted")) => self.to.compacted("auto"),
            (Some("response_item"), Some(item)) => self.item(item, payload),
            _ => {}
        }
    }

    fn item(&mut self, item: &str, payload: &Value) {
        let id = text(payload, "call_id");
        match item {
            "function_call" => {
                let arguments: Value = serde_json::from_str(text(payload, "arguments")).unwrap_or_default();
                let number = arguments["session_id"].as_i64().filter(|n| self.running.contains_key(n));
                if let Some(number) = number {
                    self.polls.insert(id.to_owned(), number);
                    return;
                }
                let (tool, input) = as_hooks_say(text(payload, "name"), arguments);
                self.to.call(id, tool, input);
            }
            "custom_tool_call" => self.to.call(id, text(payload, "name"), json!({"command": payload["input"]})),
            "function_call_output" | "custom_tool_call_output" => self.output(id, &payload["output"]),
            "web_search_call" => {
                let query = payload.pointer("/action/query").cloned().unwrap_or_default();
                self.to.call("web", "web_search", json!({"query": query}));
                self.to.ended("web", |call| ToolCall { output: Some(json!({})), tool_use_id: None, ..call });
            }
            _ => {}
        }
    }

    fn output(&mut self, id: &str, output: &Value) {
        let Answer { said, code, process } = answer(output);
        let (call, said) = match self.polls.remove(id).and_then(|number| self.running.remove(&number)) {
            Some((call, before)) => (call, before + &said),
            None => (id.to_owned(), said),
        };
        match process {
            Some(number) => drop(self.running.insert(number, (call, said))),
            None => self.to.ended(&call, |call| ended(call, said, code)),
        }
    }

    /// What still ran when the recording ended has the output that was seen.
    fn finish(mut self) -> Recording {
        for (call, said) in std::mem::take(&mut self.running).into_values() {
            self.to.ended(&call, |call| ended(call, said, None));
        }
        self.to
    }
}

fn text<'a>(payload: &'a Value, key: &str) -> &'a str {
    payload[key].as_str().unwrap_or_default()
}

/// The tool and its arguments in the form in which hooks receive them.
fn as_hooks_say(tool: &str, arguments: Value) -> (&str, Value) {
    match tool {
        "exec_command" | "shell" | "local_shell" => {
            let command = if arguments["cmd"].is_null() { &arguments["command"] } else { &arguments["cmd"] };
            ("Bash", json!({"command": command, "workdir": arguments["workdir"]}))
        }
        tool => (tool, arguments),
    }
}

/// The result of a call, with the exit code that the rollout has and hooks do not.
fn ended(call: ToolCall, said: String, code: Option<i64>) -> ToolCall {
    let exit_code = code.and_then(|c| i32::try_from(c).ok());
    let cwd = call.input["workdir"].as_str().map_or_else(|| call.cwd.clone(), str::to_owned);
    let failed_patch = call.tool == "apply_patch" && !said.contains("Success. Updated");
    let (output, error) = if failed_patch { (None, Some(said)) } else { (Some(Value::String(said)), None) };
    ToolCall { output, error, exit_code, cwd, ..call }
}

/// What came back from a tool.
struct Answer {
    said: String,
    code: Option<i64>,
    /// The number of the process, which goes on.
    process: Option<i64>,
}

fn answer(output: &Value) -> Answer {
    const CODES: [&str; 2] = ["Process exited with code ", "Exit code: "];
    let raw = output.as_str().map_or_else(|| output.to_string(), str::to_owned);
    // Older versions wrap the output of a command in an object.
    let wrapped: Option<Value> = serde_json::from_str(&raw).ok().filter(|v: &Value| v["output"].is_string());
    if let Some(wrapped) = wrapped {
        let code = wrapped.pointer("/metadata/exit_code").and_then(Value::as_i64);
        return Answer { said: text(&wrapped, "output").to_owned(), code, process: None };
    }
    // Newer ones put lines before it.
    let framed = ["Chunk ID:", "Wall time:", "Exit code:"].iter().any(|m| raw.starts_with(m));
    let Some((head, body)) = raw.split_once("Output:\n").filter(|(head, _)| framed && head.len() < 1000) else {
        return Answer { said: raw, code: None, process: None };
    };
    let number = |line: &str, mark: &str| line.strip_prefix(mark)?.trim().parse().ok();
    let code = head.lines().find_map(|line| CODES.iter().find_map(|m| number(line, m)));
    let process = head.lines().find_map(|line| number(line, "Process running with session ID "));
    Answer { said: body.to_owned(), code, process }
}

/// Most bytes of a rollout that are read at the end of a turn (invariants, T-10).
const TURN_BYTES: u64 = 16 << 20;

/// The calls of the last turn of the rollout at `path`, in order. Costs what the turn is long.
///
/// # Errors
/// `PermissionDenied` if the file does not lie below `home`, Codex's own folder, or is reached through a link; what the
/// system says if it cannot be read.
pub(crate) fn last_turn(path: &Path, home: &Path) -> io::Result<Vec<ToolCall>> {
    let sessions = home.join("sessions").canonicalize()?;
    let folder = path.parent().unwrap_or(path).canonicalize()?;
    if !folder.starts_with(&sessions) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it lies outside of Codex's folder"));
    }
    let no_links = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(no_links.bits().cast_signed()).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is no file"));
    }
    let tail = tail(file)?;
    let begin = [&b"\"task_started\""[..], b"\"user_message\""].iter().find_map(|m| rfind(&tail, m)).unwrap_or(0);
    let begin = tail[..begin].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    Ok(Rollout::read(&mut Objects::new(&tail[begin..]))?.finish().into_calls())
}

/// The end of the file, as far back as the last turn begins.
fn tail(mut file: File) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut size = 64 << 10;
    loop {
        let from = length.saturating_sub(size);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        (&file).take(length - from).read_to_end(&mut bytes)?;
        if from == 0 || size >= TURN_BYTES || rfind(&bytes, b"\"task_started\"").is_some() {
            return Ok(bytes);
        }
        size = (size * 4).min(TURN_BYTES);
    }
}

fn rfind(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).rposition(|w| w == mark)
}
