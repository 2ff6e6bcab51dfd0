//! engram in a Rust agent, in thirty lines: two sessions, one memory.

use engram_core::capture::call::{SessionStart, ToolCall, TurnEnd, UserPrompt};
use engram_core::capture::event::SessionId;
use engram_core::{Engram, Options};
use serde_json::json;
use std::time::Duration;

#[allow(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place = std::env::temp_dir().join(format!("engram-example-{}", std::process::id()));
    let project = place.join("shop");
    std::fs::create_dir_all(&project)?;
    let memory = Engram::open(Options { home: Some(place.join("home")), project, ..Options::default() })?;

    // First session: the agent works, and says what was decided.
    let session = SessionId::new("monday");
    memory.on_session_start(&SessionStart {
        session: session.clone(),
        source: "startup".into(),
        ..SessionStart::default()
    })?;
    memory.on_user_prompt(&UserPrompt {
        session: session.clone(),
        text: "Totals are off by a cent".into(),
        ts: None,
    })?;
    memory.on_tool_call(&ToolCall {
        session: session.clone(),
        tool: "edit".into(),
        input: json!({"file_path": "cart.py", "old_string": "total = 0.0", "new_string": "total = 0"}),
        output: Some(json!("ok")),
        ..ToolCall::default()
    })?;
    let text = "Fixed. We decided to keep totals in integer cents instead of floats because floats drift.";
    memory.on_stop(&TurnEnd { session, text: text.into(), ..TurnEnd::default() })?;
    memory.flush(Duration::from_secs(10));

    // The next session is told.
    let session = SessionId::new("tuesday");
    let start = SessionStart { session, source: "startup".into(), ..SessionStart::default() };
    println!("{}", memory.on_session_start(&start)?.context);

    drop(memory);
    Ok(std::fs::remove_dir_all(&place)?)
}
