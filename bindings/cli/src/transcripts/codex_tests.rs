use super::codex::{last_turn, read};
use crate::adapters::HostEvent as E;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn item(payload: &Value) -> String {
    json!({"timestamp": "2026-11-30T20:00:00.000Z", "type": "response_item", "payload": payload}).to_string()
}

fn call(id: &str, name: &str, arguments: &Value) -> String {
    item(&json!({"type": "function_call", "name": name, "call_id": id, "arguments": arguments.to_string()}))
}

fn output(id: &str, text: &str) -> String {
    item(&json!({"type": "function_call_output", "call_id": id, "output": text}))
}

fn started() -> String {
    json!({"type": "event_msg", "payload": {"type": "task_started"}}).to_string()
}

fn calls(lines: &[String]) -> Vec<(String, Option<i32>, String)> {
    let transcript = read(lines.join("\n").as_bytes(), "stem").unwrap();
    let said = |c: &engram_core::capture::call::ToolCall| {
        let output = c.output.as_ref().and_then(Value::as_str).or(c.error.as_deref());
        (c.tool_use_id.clone().unwrap_or_default(), c.exit_code, output.unwrap_or_default().to_owned())
    };
    transcript.events.iter().filter_map(|e| if let E::Tool(c) = e { Some(said(c)) } else { None }).collect()
}

#[test]
fn a_command_that_is_answered_in_pieces_is_one_call() {
    let running = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nfirst\n";
    let done = "Chunk ID: 2\nWall time: 1.0 seconds\nProcess exited with code 3\nOutput:\nlast\n";
    let lines = [
        call("a", "exec_command", &json!({"cmd": "make"})),
        output("a", running),
        call("b", "write_stdin", &json!({"session_id": 7, "chars": ""})),
        output("b", running),
        call("c", "write_stdin", &json!({"session_id": 7, "chars": ""})),
        output("c", done),
        call("d", "exec_command", &json!({"cmd": "sleep 99"})),
        output("d", running),
    ];
    let seen = calls(&lines);
    assert_eq!(seen[0], ("a".to_owned(), Some(3), "first\nfirst\nlast\n".to_owned()));
    assert_eq!(seen[1], ("d".to_owned(), None, "first\n".to_owned()), "what still runs has what was seen");
    assert_eq!(seen.len(), 2);
}

#[test]
fn exit_codes_of_every_version_are_read() {
    let old = json!({"output": "FAILED (failures=1)\n", "metadata": {"exit_code": 1}}).to_string();
    let lines = [
        call("a", "shell", &json!({"command": ["bash", "-lc", "make"]})),
        output("a", &old),
        call("b", "exec_command", &json!({"cmd": "x"})),
        output("b", "plain text, no frame"),
    ];
    let seen = calls(&lines);
    assert_eq!(seen[0], ("a".to_owned(), Some(1), "FAILED (failures=1)\n".to_owned()));
    assert_eq!(seen[1], ("b".to_owned(), None, "plain text, no frame".to_owned()));
}

#[test]
fn only_the_last_turn_of_a_file_below_codexs_own_folder_is_read() {
    let tmp = tempfile::tempdir().unwrap();
    let sessions = tmp.path().join("codex/sessions/2026");
    fs::create_dir_all(&sessions).unwrap();
    let home = tmp.path().join("codex");
    let turn = |id: &str| [started(), call(id, "exec_command", &json!({"cmd": "x"})), output(id, "ok")].join("\n");
    // The turns before are longer than what is read at first.
    let before = (0..3000).map(|n| turn(&format!("old{n}"))).collect::<Vec<_>>().join("\n");
    let rollout = sessions.join("rollout.jsonl");
    fs::write(&rollout, format!("{before}\n{}\n{{\"torn", turn("new"))).unwrap();
    let ids = |path: &Path| {
        last_turn(path, &home).map(|calls| calls.into_iter().filter_map(|c| c.tool_use_id).collect::<Vec<_>>())
    };
    assert_eq!(ids(&rollout).unwrap(), ["new"]);

    let outside = tmp.path().join("outside.jsonl");
    fs::copy(&rollout, &outside).unwrap();
    let link = sessions.join("link.jsonl");
    std::os::unix::fs::symlink(&outside, &link).unwrap();
    let up = sessions.join("../../../outside.jsonl");
    for refused in [&outside, &link, &up, &sessions, &sessions.join("none.jsonl")] {
        assert!(ids(refused).is_err(), "{}", refused.display());
    }
}

#[test]
fn a_record_of_any_shape_is_survived() {
    let odd = [json!(null), json!(7), json!("x"), json!([]), json!({}), json!([1, {"a": null}])];
    let mut lines = Vec::new();
    for kind in ["session_meta", "event_msg", "response_item", "compacted", "turn_context", "x"] {
        for o in &odd {
            lines.push(json!({"type": kind, "payload": o, "timestamp": o}).to_string());
            for item in ["function_call", "function_call_output", "custom_tool_call", "web_search_call", "user_message"]
            {
                let payload = json!({"type": item, "call_id": o, "name": o, "arguments": o, "output": o, "input": o, "message": o});
                lines.push(json!({"type": kind, "payload": payload}).to_string());
            }
        }
    }
    assert!(read(lines.join("\n").as_bytes(), "stem").is_ok());
}
