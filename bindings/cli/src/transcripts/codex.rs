//! Codex's rollout files (harness-protocols 3.5): read whole for an import, and their last turn at its end, because hooks are
//! not called for every tool.

use super::Transcript;
use super::lines::Objects;
use super::recording::Recording;
use engram_core::capture::call::{Harness, ToolCall};
use engram_core::capture::event::SessionId;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub(super) fn read(from: impl Read, stem: &str) -> io::Result<Transcript> {
    let mut objects = Objects::new(from);
    let mut recording = Recording::of(Harness::Codex);
    while let Some(line) = objects.next_object()? {
        record(&mut recording, &line);
    }
    Ok(recording.finish(stem, objects.skipped))
}

fn record(to: &mut Recording, line: &Value) {
    to.at(line["timestamp"].as_str().and_then(|t| t.parse().ok()));
    let payload = &line["payload"];
    match (line["type"].as_str(), payload["type"].as_str()) {
        (Some("session_meta"), _) => {
            if to.session.is_none() {
                to.session = payload["id"].as_str().map(SessionId::new);
                payload["cwd"].as_str().unwrap_or_default().clone_into(&mut to.cwd);
            }
        }
        (Some("event_msg"), Some("user_message")) => to.prompt(text(payload, "message")),
        (Some("event_msg"), Some("agent_message")) => {
            to.say(line["timestamp"].as_str().unwrap_or_default(), text(payload, "message"));
        }
        (Some("event_msg"), Some("task_complete")) => to.end_turn(payload["last_agent_message"].as_str()),
        (Some("event_msg"), Some("turn_aborted")) => to.interrupt(),
        (Some("event_msg"), Some("context_compacted")) => to.compacted("auto"),
        (Some("response_item"), Some(item)) => self::item(to, item, payload),
        _ => {}
    }
}

fn text<'a>(payload: &'a Value, key: &str) -> &'a str {
    payload[key].as_str().unwrap_or_default()
}

fn item(to: &mut Recording, item: &str, payload: &Value) {
    let id = text(payload, "call_id");
    match item {
        "function_call" => {
            let arguments = serde_json::from_str(text(payload, "arguments")).unwrap_or_default();
            let (tool, input) = as_hooks_say(text(payload, "name"), arguments);
            to.call(id, tool, input);
        }
        "custom_tool_call" => to.call(id, text(payload, "name"), json!({"command": payload["input"]})),
        "function_call_output" | "custom_tool_call_output" => to.ended(id, |call| ended(call, &payload["output"])),
        "web_search_call" => {
            let query = payload.pointer("/action/query").cloned().unwrap_or_default();
            to.call("web", "web_search", json!({"query": query}));
            to.ended("web", |call| ToolCall { output: Some(json!({})), tool_use_id: None, ..call });
        }
        _ => {}
    }
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
fn ended(call: ToolCall, output: &Value) -> ToolCall {
    let raw = output.as_str().map_or_else(|| output.to_string(), str::to_owned);
    // Older versions wrap the output of a command in an object.
    let wrapped: Option<Value> = serde_json::from_str(&raw).ok().filter(|v: &Value| v["output"].is_string());
    let (said, code) = match &wrapped {
        Some(v) => (text(v, "output").to_owned(), v.pointer("/metadata/exit_code").and_then(Value::as_i64)),
        None => unframed(&raw),
    };
    let exit_code = code.and_then(|c| i32::try_from(c).ok());
    let cwd = call.input["workdir"].as_str().map_or_else(|| call.cwd.clone(), str::to_owned);
    let failed_patch = call.tool == "apply_patch" && exit_code.is_some_and(|c| c != 0);
    let error = failed_patch.then(|| said.clone());
    ToolCall { output: Some(Value::String(said)).filter(|_| error.is_none()), error, exit_code, cwd, ..call }
}

/// The output without the lines that Codex puts before it, and the exit code that they name.
fn unframed(raw: &str) -> (String, Option<i64>) {
    const MARKS: [&str; 2] = ["Process exited with code ", "Exit code: "];
    let framed = raw.starts_with("Chunk ID:") || raw.starts_with("Wall time:") || raw.starts_with("Exit code:");
    let head = raw.split_once("Output:\n").filter(|(head, _)| framed && head.len() < 1000);
    let Some((head, body)) = head else { return (raw.to_owned(), None) };
    let code = |line: &str| MARKS.iter().find_map(|m| line.strip_prefix(m)?.trim().parse().ok());
    (body.to_owned(), head.lines().find_map(code))
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
    let mut objects = Objects::new(&tail[begin..]);
    let mut recording = Recording::of(Harness::Codex);
    while let Some(line) = objects.next_object()? {
        record(&mut recording, &line);
    }
    Ok(recording.into_calls())
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
