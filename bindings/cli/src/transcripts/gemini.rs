//! Gemini CLI's chats (harness-protocols 4): a line of metadata, then messages, and records that set them anew. A message is
//! written again when its calls finish: the last one counts.

use super::Transcript;
use super::lines::Objects;
use super::recording::Recording;
use crate::adapters::user_words;
use engram_core::capture::call::{Harness, ToolCall};
use engram_core::capture::event::SessionId;
use serde_json::{Value, json};
use std::io::{self, Read};

pub(super) fn read(from: impl Read, stem: &str) -> io::Result<Transcript> {
    let mut objects = Objects::new(from);
    let mut recording = Recording::of(Harness::Gemini);
    let mut messages: Vec<Value> = Vec::new();
    while let Some(line) = objects.next_object()? {
        if let Some(id) = line["sessionId"].as_str() {
            recording.session = Some(SessionId::new(id));
            // Older versions wrote one object with everything in it.
            messages.extend(line["messages"].as_array().into_iter().flatten().cloned());
        } else if let Some(id) = line["$rewindTo"].as_str() {
            let keep = messages.iter().position(|m| m["id"] == id).map_or(messages.len(), |at| at + 1);
            messages.truncate(keep);
        } else if let Some(all) = line["$set"]["messages"].as_array() {
            messages.clone_from(all);
        } else if line["type"].is_string() {
            put(&mut messages, line);
        }
    }
    messages.iter().for_each(|m| message(&mut recording, m));
    Ok(recording.finish(stem, objects.skipped))
}

fn put(messages: &mut Vec<Value>, message: Value) {
    match messages.iter_mut().find(|m| m["id"].is_string() && m["id"] == message["id"]) {
        Some(known) => *known = message,
        None => messages.push(message),
    }
}

fn message(to: &mut Recording, message: &Value) {
    to.at(message["timestamp"].as_str().and_then(|t| t.parse().ok()));
    let said = text(&message["content"]);
    match message["type"].as_str() {
        Some("user") => {
            if let Some(words) = user_words::spoken(&said).filter(|w| !w.starts_with("<session_context>")) {
                to.prompt(&words);
            }
        }
        Some("gemini") => {
            let calls = message["toolCalls"].as_array().map_or(&[][..], Vec::as_slice);
            calls.iter().for_each(|c| call(to, c));
            to.say(message["id"].as_str().unwrap_or_default(), &said);
        }
        _ => {}
    }
}

/// A call with its result, in the form in which hooks receive them.
fn call(to: &mut Recording, call: &Value) {
    let id = call["id"].as_str().unwrap_or_default();
    if let Some(path) = call["args"]["dir_path"].as_str().filter(|p| p.starts_with('/') && to.cwd.is_empty()) {
        path.clone_into(&mut to.cwd);
    }
    to.call(id, call["name"].as_str().unwrap_or_default(), call["args"].clone());
    let response = call.pointer("/result/0/functionResponse/response").unwrap_or(&Value::Null);
    let content = response.get("output").or_else(|| response.get("error")).cloned().unwrap_or_default();
    let failed = matches!(call["status"].as_str(), Some("error" | "cancelled"));
    let words = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
    let output = json!({"llmContent": content, "returnDisplay": call["resultDisplay"]});
    to.ended(id, |call| match failed {
        true => ToolCall { error: Some(words), ..call },
        false => ToolCall { output: Some(output), ..call },
    });
}

/// The text of a message: itself, or its parts.
fn text(content: &Value) -> String {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    let joined = || parts.iter().filter_map(|p| p["text"].as_str()).collect::<Vec<_>>().join("\n");
    content.as_str().map_or_else(joined, str::to_owned)
}
