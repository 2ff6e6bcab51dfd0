//! engram in a Rust agent: a test fails and is mended, a decision is made; the next session is told, and warned when it
//! goes against the decision. The other languages tell the same story with the same output (`examples/story.txt`).

use engram_core::capture::call::{SessionStart, ToolCall, TurnEnd, UserPrompt};
use engram_core::{Engram, Options, Reply};
use serde_json::{Value, json};
use std::time::Duration;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[allow(clippy::print_stdout, reason = "a program for people")]
fn main() -> Outcome<()> {
    let place = std::env::temp_dir().join(format!("engram-story-{}", std::process::id()));
    let project = place.join("shop");
    std::fs::create_dir_all(&project)?;
    let memory = Engram::open(Options { home: Some(place.join("home")), project, ..Options::default() })?;

    println!("== monday: a test fails, the agent mends it");
    start(&memory, "monday", "2026-11-30T09:00:00Z")?;
    let text = "The order total is off by a cent. Find out why and fix it.";
    memory.on_user_prompt(&UserPrompt {
        session: "monday".into(),
        text: text.into(),
        ts: Some("2026-11-30T09:00:05Z".parse()?),
    })?;
    let failing =
        "FAILED test_cart.py::test_total - AssertionError: 0.30000000000000004 != 0.3\n1 failed, 2 passed in 0.04s";
    let test = json!({"command": "pytest -q"});
    let red = call(&memory, "monday", "bash", test.clone(), failing, 1, "2026-11-30T09:00:30Z")?;
    println!("captured {}", seen(&red));
    let fix = json!({"file_path": "cart.py", "old_string": "total = 0.0", "new_string": "total_cents = 0"});
    let fixed = call(&memory, "monday", "edit", fix, "ok", 0, "2026-11-30T09:01:00Z")?;
    println!("captured {}", seen(&fixed));
    let green = call(&memory, "monday", "bash", test, "3 passed in 0.03s", 0, "2026-11-30T09:01:30Z")?;
    println!("captured {}", seen(&green));
    let text = "Fixed: adding floats drifted. We decided to keep money in integer cents instead of floats because floats drift.";
    memory.on_stop(&TurnEnd {
        session: "monday".into(),
        text: text.into(),
        ts: Some("2026-11-30T09:02:00Z".parse()?),
        ..TurnEnd::default()
    })?;
    memory.flush(Duration::from_secs(10));

    println!("\n== tuesday: the next session is told");
    println!("{}", start(&memory, "tuesday", "2026-12-01T09:00:00Z")?.context);

    println!("\n== tuesday: an edit goes against the decision");
    let slip = json!({"file_path": "cart.py", "old_string": "total_cents = 0", "new_string": "total = float(0)"});
    println!("{}", call(&memory, "tuesday", "edit", slip, "ok", 0, "2026-12-01T09:01:00Z")?.context);

    drop(memory);
    Ok(std::fs::remove_dir_all(&place)?)
}

fn start(memory: &Engram, session: &str, ts: &str) -> Outcome<Reply> {
    let start = SessionStart {
        session: session.into(),
        source: "startup".into(),
        ts: Some(ts.parse()?),
        ..SessionStart::default()
    };
    Ok(memory.on_session_start(&start)?)
}

fn call(
    memory: &Engram,
    session: &str,
    tool: &str,
    input: Value,
    output: &str,
    exit_code: i32,
    ts: &str,
) -> Outcome<Reply> {
    Ok(memory.on_tool_call(&ToolCall {
        session: session.into(),
        tool: tool.into(),
        input,
        output: Some(json!(output)),
        exit_code: Some(exit_code),
        ts: Some(ts.parse()?),
        ..ToolCall::default()
    })?)
}

/// An event in a few words, from its JSON form as every language sees it.
fn seen(reply: &Reply) -> String {
    let event = json!(reply.event);
    match event["type"].as_str() {
        Some("file_write") => format!("file_write {}", event["path"].as_str().unwrap_or_default()),
        Some("test_run") => format!("test_run passed={} failed={}", event["passed"], event["failed"]),
        other => other.unwrap_or("nothing").to_owned(),
    }
}
