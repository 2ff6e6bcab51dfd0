//! OpenHands' trajectories: `history`, in which an observation names the action that caused it or follows it.

use super::Transcript;
use super::recording::Recording;
use engram_core::capture::call::{Harness, ToolCall};
use serde_json::{Value, json};

pub(super) fn read(trajectory: &Value, stem: &str) -> Transcript {
    let mut to = Recording::of(Harness::Generic);
    let mut last = String::new();
    for (number, entry) in trajectory["history"].as_array().into_iter().flatten().enumerate() {
        // Times are of no zone: they order nothing that the order of the history does not.
        let id = entry["id"].as_i64().map_or_else(|| format!("n{number}"), |id| id.to_string());
        if let Some(action) = entry["action"].as_str() {
            begin(&mut to, action, &id, entry);
            last = id;
        } else if entry["observation"].is_string() {
            let cause = entry["cause"].as_i64().map_or_else(|| last.clone(), |id| id.to_string());
            to.ended(&cause, |call| ended(call, entry));
        }
    }
    to.finish(stem, 0)
}

fn begin(to: &mut Recording, action: &str, id: &str, entry: &Value) {
    let arguments = if entry["args"].is_object() { &entry["args"] } else { entry };
    let said = arguments["content"].as_str().or_else(|| entry["message"].as_str()).unwrap_or_default();
    match action {
        "message" if matches!(entry["source"].as_str(), None | Some("user")) => to.prompt(said),
        "message" => to.say(id, said),
        "finish" => to.end_turn(arguments["final_thought"].as_str().or(Some(said))),
        "system" | "recall" | "null" => {}
        "run_ipython" => to.call(id, "python", json!({"code": arguments["code"]})),
        "edit" if arguments["command"].is_string() => to.call(id, "str_replace_editor", arguments.clone()),
        tool => to.call(id, tool, arguments.clone()),
    }
}

fn ended(call: ToolCall, entry: &Value) -> ToolCall {
    let content = entry["content"].as_str().unwrap_or_default().to_owned();
    let code = entry.pointer("/extras/metadata/exit_code").or_else(|| entry.pointer("/extras/exit_code"));
    let exit_code = code.or_else(|| entry.get("exit_code")).and_then(Value::as_i64).and_then(|c| i32::try_from(c).ok());
    if entry["observation"] == "error" {
        return ToolCall { error: Some(content), ..call };
    }
    ToolCall { output: Some(Value::String(content)), exit_code, ..call }
}
