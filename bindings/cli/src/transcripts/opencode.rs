//! OpenCode's exported sessions: one object with `info` and `messages`, each message with its parts.

use super::Transcript;
use super::recording::Recording;
use crate::adapters::user_words;
use engram_core::capture::call::{Harness, ToolCall};
use engram_core::capture::event::SessionId;
use engram_core::time::Timestamp;
use serde_json::{Value, json};

pub(super) fn read(session: &Value, stem: &str) -> Transcript {
    let mut to = Recording::of(Harness::OpenCode);
    to.session = session["info"]["id"].as_str().map(SessionId::new);
    session["info"]["directory"].as_str().unwrap_or_default().clone_into(&mut to.cwd);
    for message in session["messages"].as_array().into_iter().flatten() {
        to.at(millis(&message["info"]["time"]["created"]));
        let parts = message["parts"].as_array().map_or(&[][..], Vec::as_slice);
        if message["info"]["role"] == "user" {
            let said: Vec<&str> =
                parts.iter().filter(|p| p["synthetic"] != true).filter_map(|p| p["text"].as_str()).collect();
            user_words::spoken(&said.join("\n")).into_iter().for_each(|words| to.prompt(&words));
        } else {
            parts.iter().for_each(|p| part(&mut to, message, p));
        }
    }
    to.finish(stem, 0)
}

fn millis(time: &Value) -> Option<Timestamp> {
    time.as_i64().map(Timestamp::from_millis)
}

fn part(to: &mut Recording, message: &Value, part: &Value) {
    match part["type"].as_str() {
        Some("text") => {
            to.say(message["info"]["id"].as_str().unwrap_or_default(), part["text"].as_str().unwrap_or_default())
        }
        Some("tool") => call(to, part),
        _ => {}
    }
}

fn call(to: &mut Recording, part: &Value) {
    let (id, state) = (part["callID"].as_str().unwrap_or_default(), &part["state"]);
    if !matches!(state["status"].as_str(), Some("completed" | "error")) {
        return;
    }
    to.call(id, part["tool"].as_str().unwrap_or_default(), state["input"].clone());
    to.at(millis(&state["time"]["end"]));
    let exit_code = state["metadata"]["exit"].as_i64().and_then(|c| i32::try_from(c).ok());
    let error = state["error"].as_str().filter(|_| state["status"] == "error").map(str::to_owned);
    let output = json!({"output": state["output"], "title": state["title"], "metadata": state["metadata"]});
    let output = Some(output).filter(|_| error.is_none());
    to.ended(id, |call| ToolCall { output, error, exit_code, ..call });
}
