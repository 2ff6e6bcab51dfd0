//! Copilot CLI's session files: one object a line with `type` and `data`.

use super::Transcript;
use super::lines::Objects;
use super::recording::Recording;
use crate::adapters::copilot_exit_code;
use engram_core::capture::call::{Harness, ToolCall};
use engram_core::capture::event::SessionId;
use serde_json::Value;
use std::io::{self, Read};

pub(super) fn read(from: impl Read, stem: &str) -> io::Result<Transcript> {
    let mut objects = Objects::new(from);
    let mut to = Recording::of(Harness::Copilot);
    while let Some(line) = objects.next_object()? {
        to.at(line["timestamp"].as_str().and_then(|t| t.parse().ok()));
        record(&mut to, line["type"].as_str().unwrap_or_default(), &line["data"]);
    }
    Ok(to.finish(stem, objects.skipped))
}

fn record(to: &mut Recording, kind: &str, data: &Value) {
    let id = data["toolCallId"].as_str().unwrap_or_default();
    match kind {
        "session.start" => {
            to.session = data["sessionId"].as_str().map(SessionId::new);
            data["context"]["cwd"].as_str().unwrap_or_default().clone_into(&mut to.cwd);
        }
        "user.message" => to.prompt(data["content"].as_str().unwrap_or_default()),
        "assistant.message" => {
            to.say(data["messageId"].as_str().unwrap_or_default(), data["content"].as_str().unwrap_or_default());
        }
        "tool.execution_start" => to.call(id, data["toolName"].as_str().unwrap_or_default(), data["arguments"].clone()),
        "tool.execution_complete" => to.ended(id, |call| ended(call, data)),
        "session.compaction_complete" => to.compacted("auto"),
        _ => {}
    }
}

fn ended(call: ToolCall, data: &Value) -> ToolCall {
    if data["success"] == false {
        let error = data["error"]["message"].as_str().or_else(|| data["error"].as_str()).unwrap_or("failed");
        return ToolCall { error: Some(error.to_owned()), ..call };
    }
    let text = data["result"]["content"].as_str().unwrap_or_default();
    ToolCall { exit_code: copilot_exit_code(text), output: Some(Value::String(text.to_owned())), ..call }
}
