//! What a hook does with the event it received: the one place where harness events meet the core's verbs.

use crate::adapters::{self, HostEvent};
use crate::detach;
use crate::hook::{Arrived, Reply};
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
        HostEvent::Stop(end) => engram.on_stop(&end),
        HostEvent::Compaction(compaction) => engram.on_compaction(&compaction),
        HostEvent::SessionEnd(end) => engram.on_session_end(&end),
        HostEvent::BeforeTool(_) | HostEvent::Ignored => Ok(engram_core::Reply::default()),
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
