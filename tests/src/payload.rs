//! Payloads as the harnesses send them.

use serde_json::{Value, json};
use std::path::Path;

/// The harnesses of the command line.
pub const HARNESSES: &[&str] = &["claude-code", "codex", "gemini", "generic"];

/// A read of `src/a.rs` by the tool call `id`, in the form of `harness` (for Codex, which has no tool for reading, by
/// `cat`).
pub fn read(harness: &str, project: &Path, session: &str, id: &str) -> Value {
    let cwd = project.display().to_string();
    let file = format!("{cwd}/src/a.rs");
    match harness {
        "codex" => {
            json!({"session_id": session, "turn_id": "t1", "transcript_path": null, "cwd": cwd, "hook_event_name": "PostToolUse",
            "model": "gpt-5.5", "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": "cat src/a.rs"},
            "tool_response": "fn main() {}\n", "tool_use_id": id})
        }
        "gemini" => json!({"session_id": session, "transcript_path": "", "cwd": cwd, "hook_event_name": "AfterTool",
            "timestamp": "2026-03-01T10:00:00.000Z", "tool_name": "read_file", "tool_input": {"absolute_path": file},
            "tool_response": {"llmContent": "fn main() {}\n", "returnDisplay": ""}, "tool_use_id": id}),
        "generic" => {
            json!({"event": "tool_call", "session": session, "cwd": cwd, "tool": "read", "input": {"path": file},
            "output": {"content": "fn main() {}\n"}, "toolUseId": id})
        }
        _ => {
            json!({"session_id": session, "transcript_path": "/nowhere/t.jsonl", "cwd": cwd, "hook_event_name": "PostToolUse",
            "permission_mode": "default", "tool_name": "Read", "tool_use_id": id, "duration_ms": 3,
            "tool_input": {"file_path": file},
            "tool_response": {"type": "text", "file": {"filePath": file, "content": "fn main() {}\n", "numLines": 1, "startLine": 1, "totalLines": 1}}})
        }
    }
}

/// An edit of `src/a.rs` in Claude Code's form.
pub fn edit(project: &Path, session: &str, id: &str) -> Value {
    let file = format!("{}/src/a.rs", project.display());
    let mut payload = read("claude-code", project, session, id);
    payload["tool_name"] = json!("Edit");
    payload["tool_input"] = json!({"file_path": file, "old_string": "fn main() {}", "new_string": "fn main() { run() }", "replace_all": false});
    payload["tool_response"] = json!({"filePath": file, "oldString": "fn main() {}", "newString": "fn main() { run() }", "originalFile": "fn main() {}\n",
        "userModified": false, "replaceAll": false, "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
        "lines": ["-fn main() {}", "+fn main() { run() }"]}]});
    payload
}

/// A shell command in Claude Code's form: succeeded, or failed with the exit code.
pub fn shell(project: &Path, session: &str, id: &str, command: &str, output: &str, exit_code: i32) -> Value {
    let mut payload = read("claude-code", project, session, id);
    payload["tool_name"] = json!("Bash");
    payload["tool_input"] = json!({"command": command, "description": "run"});
    if exit_code == 0 {
        payload["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false});
        return payload;
    }
    payload["hook_event_name"] = json!("PostToolUseFailure");
    payload["error"] = json!(format!("Exit code {exit_code}\n{output}"));
    if let Some(fields) = payload.as_object_mut() {
        fields.remove("tool_response");
    }
    payload
}

/// An event of Claude Code that is no tool call, with its own field.
pub fn event(project: &Path, session: &str, name: &str, field: &str, value: &str) -> Value {
    let mut payload = json!({"session_id": session, "transcript_path": "/nowhere/t.jsonl", "cwd": project, "permission_mode": "default",
        "hook_event_name": name});
    payload[field] = json!(value);
    payload
}

/// One valid payload of each event of a harness.
pub fn every_event(harness: &str, project: &Path, session: &str) -> Vec<Value> {
    let plain = |name: &str, field: &str, value: &str| event(project, session, name, field, value);
    let generic = |name: &str, field: &str, value: &str| {
        let mut payload = json!({"event": name, "session": session, "cwd": project, "ts": "2026-03-01T10:00:00Z"});
        payload[field] = json!(value);
        payload
    };
    let call = read(harness, project, session, "call");
    match harness {
        "claude-code" => vec![
            plain("SessionStart", "source", "startup"),
            plain("UserPromptSubmit", "prompt", "Why does src/a.rs fail?"),
            call,
            edit(project, session, "call"),
            shell(project, session, "call", "cargo test", "test result: FAILED. 3 passed; 1 failed", 101),
            plain("Stop", "last_assistant_message", "We decided to use tabs because they align."),
            plain("PreCompact", "trigger", "auto"),
            plain("SessionEnd", "reason", "other"),
        ],
        "codex" => vec![
            plain("SessionStart", "source", "startup"),
            plain("UserPromptSubmit", "prompt", "Why does src/a.rs fail?"),
            call,
            plain("Stop", "last_assistant_message", "Done."),
            plain("SessionEnd", "reason", "other"),
        ],
        "gemini" => vec![
            plain("SessionStart", "source", "startup"),
            plain("BeforeAgent", "prompt", "Why does src/a.rs fail?"),
            call,
            plain("AfterAgent", "prompt_response", "Done."),
            plain("SessionEnd", "reason", "exit"),
        ],
        _ => vec![
            generic("session_start", "source", "startup"),
            generic("prompt", "text", "Why does src/a.rs fail?"),
            call,
            generic("stop", "text", "Done."),
            generic("compact", "trigger", "auto"),
            generic("session_end", "reason", "exit"),
        ],
    }
}
