//! Payloads that real clients sent to their hooks, run through capture. Skipped, visibly, where they are not at hand.

use super::call::{Harness, ToolCall};
use super::event::{Derived, Event, EventBody, ExitCodeSource, SessionId};
use super::{Recent, capture};
use crate::time::Timestamp;
use serde_json::Value;
use std::path::{Path, PathBuf};

const SHARED: &str = "/work/shared";

/// The finished tool calls of a file of payloads, and the project's root.
fn calls(file: &Path) -> Option<(Vec<ToolCall>, String)> {
    let Ok(text) = std::fs::read_to_string(file) else {
        println!("skipped: {} is not here", file.display());
        return None;
    };
    let payloads: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let root = payloads[0]["cwd"].as_str().unwrap_or("/").to_owned();
    Some((payloads.iter().filter_map(|p| call(p, &root)).collect(), root))
}

fn call(p: &Value, _root: &str) -> Option<ToolCall> {
    let event = p["hook_event_name"].as_str()?;
    if !matches!(event, "PostToolUse" | "PostToolUseFailure" | "AfterTool") {
        return None;
    }
    let harness = match (event, p.get("turn_id").is_some()) {
        ("AfterTool", _) => Harness::Gemini,
        (_, true) => Harness::Codex,
        _ => Harness::ClaudeCode,
    };
    Some(ToolCall {
        session: SessionId::new("s"),
        harness,
        cwd: p["cwd"].as_str().unwrap_or("").to_owned(),
        tool: p["tool_name"].as_str()?.to_owned(),
        input: p["tool_input"].clone(),
        output: p.get("tool_response").cloned(),
        error: p["error"].as_str().map(str::to_owned),
        tool_use_id: p["tool_use_id"].as_str().map(str::to_owned),
        ..ToolCall::default()
    })
}

/// The events of a file of payloads, stamped in order.
fn events(file: &Path) -> Option<Vec<Event>> {
    let (calls, root) = calls(file)?;
    let mut recent = Recent::default();
    let made = calls.iter().map(|c| {
        let inside = |path: &str| path.strip_prefix(&root).map_or(path, |p| p.trim_start_matches('/')).to_owned();
        let mut event = capture(c, &inside, Timestamp::from_millis(0));
        recent.stamp(&mut event);
        recent.apply(&event);
        event
    });
    Some(made.collect())
}

#[test]
fn three_clients_tell_the_same_story() {
    for client in ["claude-code", "codex", "gemini"] {
        let Some(events) = events(&Path::new(SHARED).join(format!("real-clients/payloads/{client}.jsonl"))) else {
            return;
        };
        let kinds: Vec<&str> = events.iter().map(|e| e.body.type_name()).collect();
        assert_eq!(kinds, ["file_read", "test_run", "file_write", "test_run"], "{client}");
        let EventBody::FileRead { path, content_hash, .. } = &events[0].body else { panic!() };
        assert_eq!((path.as_str(), content_hash.is_some()), ("calc.py", true), "{client}");
        assert_eq!(events[0].derived, [Derived::Exploration], "{client}");
        let EventBody::TestRun { exit_code, exit_code_source, error_signatures, .. } = &events[1].body else {
            panic!()
        };
        let source = if client == "codex" { ExitCodeSource::Inferred } else { ExitCodeSource::Reported };
        assert_eq!((*exit_code, *exit_code_source), (Some(1), Some(source)), "{client}");
        assert!(
            error_signatures.contains(&"test_calc.py: AssertionError".to_owned()),
            "{client}: {error_signatures:?}"
        );
        assert!(events[1].flags.is_empty(), "{client}");
        let EventBody::FileWrite { change, .. } = &events[2].body else { panic!() };
        let numbers = if client == "codex" { "@@ -0,0 +0,0 @@" } else { "@@ -1,2 +1,2 @@" };
        assert_eq!(
            change.diff,
            format!("{numbers}\n def add(a, b):\n-    return a - b\n+    return a + b\n"),
            "{client}"
        );
        assert_eq!((change.path.as_str(), change.lines_changed.added), ("calc.py", 1), "{client}");
        assert_eq!(events[2].derived, [Derived::FixAttempt], "{client}");
        let EventBody::TestRun { exit_code, .. } = &events[3].body else { panic!() };
        assert_eq!(*exit_code, Some(0), "{client}");
    }
}

#[test]
fn recorded_sessions_are_captured_within_bounds() {
    let root = Path::new(SHARED).join("transcripts/hook-payloads");
    let files = payload_files(&root);
    if files.is_empty() {
        println!("skipped: no payloads in {}", root.display());
    }
    for file in files {
        let events = events(&file).unwrap();
        assert!(!events.is_empty(), "{}", file.display());
        for event in &events {
            let line = serde_json::to_string(event).unwrap();
            assert!(line.len() < 100_000, "{} bytes", line.len());
            assert_eq!(&serde_json::from_str::<Event>(&line).unwrap(), event);
            assert!(event.writes().all(|c| !c.path.is_empty()));
            if std::env::var_os("SHOW").is_some() {
                println!("{}", crate::text::clip(&line, 900));
            }
        }
    }
}

fn payload_files(root: &Path) -> Vec<PathBuf> {
    let list = |dir: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(dir).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect()
    };
    let is_payload = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with("stdin.jsonl") || name.ends_with("hooks.jsonl")
    };
    let mut files: Vec<PathBuf> = list(root).iter().flat_map(|d| list(d)).filter(is_payload).collect();
    files.sort();
    files
}
