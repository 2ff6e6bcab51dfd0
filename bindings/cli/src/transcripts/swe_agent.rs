//! SWE-agent's trajectories: commands of its own shell, with what they printed. They carry no times.

use super::Transcript;
use super::recording::Recording;
use engram_core::capture::call::{Harness, ToolCall};
use serde_json::{Value, json};

pub(super) fn read(trajectory: &Value, stem: &str) -> Transcript {
    let mut to = Recording::of(Harness::Generic);
    let first = trajectory["history"].as_array().into_iter().flatten().find(|m| m["role"] == "user");
    let task = first.map(|m| &m["content"]).and_then(|c| c.as_str().or_else(|| c[0]["text"].as_str()));
    to.prompt(task.unwrap_or_default());
    let mut open = String::new();
    for (number, step) in trajectory["trajectory"].as_array().into_iter().flatten().enumerate() {
        let action = step["action"].as_str().unwrap_or_default().trim();
        if action.is_empty() {
            continue;
        }
        let id = number.to_string();
        let (tool, input) = call(action, &mut open);
        to.call(&id, tool, input);
        let output = step["observation"].as_str().unwrap_or_default().to_owned();
        to.ended(&id, |call| ToolCall { output: Some(Value::String(output)), ..call });
    }
    to.end_turn(trajectory["info"]["submission"].as_str().map(|_| "Submitted."));
    to.finish(stem, 0)
}

/// A command of SWE-agent's own shell, as the tool that it is elsewhere; `open` is the file that it has open.
fn call<'a>(action: &'a str, open: &mut String) -> (&'a str, Value) {
    let (command, rest) = action.split_once(char::is_whitespace).unwrap_or((action, ""));
    let rest = rest.trim();
    let word = rest.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
    match command {
        "open" => {
            word.clone_into(open);
            ("read", json!({"path": word}))
        }
        "create" => {
            word.clone_into(open);
            ("create", json!({"path": word, "content": ""}))
        }
        "edit" | "insert" => ("edit", json!({"path": open.as_str(), "old_string": "", "new_string": rest})),
        "find_file" | "search_dir" | "search_file" => ("search", json!({"pattern": word})),
        "submit" => ("submit", json!({})),
        _ => ("bash", json!({"command": action})),
    }
}
