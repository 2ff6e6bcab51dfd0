//! What a hook does with the event it received: the one place where harness events meet the core's verbs.

use crate::adapters::{self, HostEvent, Parsed};
use crate::detach;
use crate::hook::{Arrived, Reply};
use crate::transcripts::codex;
use engram_core::capture::call::{Harness, ToolCall, TurnEnd};
use engram_core::{Background, Engram, Error, ErrorKind, Options, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Handles one hook event. What slow work follows is started as a detached process, never done here.
pub fn act(home: Option<PathBuf>, arrived: Arrived) -> Reply {
    let project = directory(&arrived.parsed.cwd);
    let is_there = project.is_dir();
    let options = Options { home, project, background: Background::Caller, ..Options::default() };
    let engram = match Engram::open(options) {
        Ok(engram) => engram,
        // A session in the home folder belongs to no project: there is nothing to record it in, and nothing to say.
        Err(e) if is_there && e.kind() == engram_core::ErrorKind::InvalidArgument => return Reply::default(),
        Err(e) => return Reply { not_recorded: Some(e.to_string()), ..Reply::default() },
    };
    let mut trouble: Vec<String> = engram.warnings().iter().map(ToString::to_string).collect();
    trouble.extend(missed_calls(&engram, arrived.adapter.harness, &arrived.parsed).err());
    let slow_work =
        matches!(arrived.parsed.event, HostEvent::SessionStart(_) | HostEvent::Stop(_) | HostEvent::SessionEnd(_));
    let reply = match verb(&engram, arrived.parsed.event, arrived.bytes_replaced) {
        Ok(reply) => reply,
        Err(e) => return Reply { not_recorded: Some(e.to_string()), trouble, ..Reply::default() },
    };
    if slow_work {
        trouble.extend(start_consolidation(&engram).err().map(|e| format!("cannot start the consolidation: {e}")));
    }
    trouble.extend(reply.trouble);
    Reply { context: reply.context, not_recorded: None, trouble }
}

/// Codex calls no hook for a patch that failed, for one made through the shell and for a command that took long. Its
/// recording has them all: at the end of a turn what the log lacks is added from there.
fn missed_calls(engram: &Engram, harness: Harness, parsed: &Parsed) -> std::result::Result<(), String> {
    let (Harness::Codex, HostEvent::Stop(TurnEnd { session, agent: None, .. }), Some(path)) =
        (harness, &parsed.event, &parsed.transcript_path)
    else {
        return Ok(());
    };
    let named = |variable: &str| std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = named("CODEX_HOME").or_else(|| named("HOME").map(|h| h.join(".codex")));
    let unread = |e: &dyn std::fmt::Display| format!("cannot read what Codex recorded of the turn, \"{path}\": {e}");
    let calls = codex::last_turn(Path::new(path), &home.unwrap_or_default()).map_err(|e| unread(&e))?;
    let known = engram.calls_of_turn(session).map_err(|e| e.to_string())?;
    for call in calls {
        let Some(id) = call.tool_use_id.clone() else { continue };
        let recorded = match (known.get(&id), call.exit_code) {
            (None, _) => {
                let cwd = if call.cwd.is_empty() { parsed.cwd.clone() } else { call.cwd.clone() };
                engram.record_tool_call(&ToolCall { session: session.clone(), cwd, ..call })
            }
            // What was inferred from the output and is right needs no correction.
            (Some(inferred), Some(code)) if inferred.is_some_and(|i| (i == 0) != (code == 0)) => {
                engram.record_outcome(session, &id, code)
            }
            _ => continue,
        };
        recorded.map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// The directory that names the project: the payload's, or the hook's own where the payload names none, since harnesses
/// run hooks in the project.
fn directory(named: &str) -> PathBuf {
    if named.is_empty() { std::env::current_dir().unwrap_or_default() } else { PathBuf::from(named) }
}

/// Calls the core's verb for an event.
///
/// # Errors
/// Those of the verb: the event could not be recorded.
pub fn verb(engram: &Engram, event: HostEvent, bytes_replaced: bool) -> Result<engram_core::Reply> {
    match event {
        HostEvent::SessionStart(start) => engram.on_session_start(&start),
        HostEvent::Prompt(prompt) => engram.on_user_prompt(&prompt),
        HostEvent::Tool(mut call) => {
            if bytes_replaced {
                call.flags.push("bytesReplaced".to_owned());
            }
            engram.on_tool_call(&call)
        }
        HostEvent::Decision(decided) => engram.on_decision(&decided),
        HostEvent::Stop(end) => engram.on_stop(&end),
        HostEvent::Compaction(compaction) => engram.on_compaction(&compaction),
        HostEvent::SessionEnd(end) => engram.on_session_end(&end),
        HostEvent::BeforeTool(call) => engram.on_before_tool(&call),
        HostEvent::Ignored => Ok(engram_core::Reply::default()),
    }
}

/// Handles one payload of `harness` on an open handle, as a hook would, for harnesses that run engram inside: JSON with
/// `answer` (the harness's own form; null where there is nothing to say), `context` and `trouble`.
///
/// # Errors
/// `InvalidArgument` if no harness has that name or the payload is no JSON object; those of the verb.
pub fn hook(engram: &Engram, harness: &str, payload: &str) -> Result<String> {
    let adapter = adapters::adapter(harness).ok_or_else(|| {
        let known: Vec<&str> = adapters::ADAPTERS.iter().map(|a| a.harness.name()).collect();
        Error::new(ErrorKind::InvalidArgument, format!("no harness \"{harness}\"; there are {}", known.join(", ")))
    })?;
    let payload: Value = serde_json::from_str(payload)
        .map_err(|e| Error::new(ErrorKind::InvalidArgument, format!("the payload is no JSON: {e}")))?;
    let parsed = (adapter.parse)(&payload);
    let reply = verb(engram, parsed.event, false)?;
    let answer = (adapter.render)(&parsed.name, &reply.context);
    Ok(json!({"answer": answer, "context": reply.context, "trouble": reply.trouble}).to_string())
}

fn start_consolidation(engram: &Engram) -> std::io::Result<bool> {
    detach::consolidate(&detach::beside("engram")?, Path::new(engram.home()), &engram.project().root)
}
