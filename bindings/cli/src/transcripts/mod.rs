//! Recorded sessions of a harness, read as the events that its hooks would have sent.

mod claude_code;
pub(crate) mod codex;
mod copilot;
mod gemini;
mod kept;
mod lines;
mod opencode;
mod openhands;
mod recording;
mod swe_agent;
mod turn;

use crate::adapters::HostEvent;
use engram_core::capture::event::SessionId;
use engram_core::{Error, ErrorKind, Result};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// One recorded session.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The session's id; the file's name where none is recorded.
    pub session: SessionId,
    /// The first working directory recorded, whatever the session changed to later; empty if none is.
    pub cwd: String,
    /// What happened, in the order of the file, with the recorded times.
    pub events: Vec<HostEvent>,
    /// Lines that were no JSON object, or too long.
    pub skipped_lines: usize,
}

/// Who recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Claude Code: one JSON object a line.
    ClaudeCode,
    /// Codex CLI's rollouts.
    Codex,
    /// Gemini CLI's chats.
    Gemini,
    /// OpenCode's exported sessions.
    OpenCode,
    /// Copilot CLI's session files.
    Copilot,
    /// OpenHands' trajectories.
    OpenHands,
    /// SWE-agent's trajectories.
    SweAgent,
}

/// Largest recording that is one JSON object.
const OBJECT_BYTES: u64 = 256 << 20;

/// Reads one recorded session. Recordings of lines are read line by line: memory is the events and the longest line.
///
/// A file without a usable record gives no events.
///
/// # Errors
/// `InvalidArgument` if `path` is no regular file, `Io` if it cannot be read. Never for what stands in it.
pub fn read(source: Source, path: &Path) -> Result<Transcript> {
    // Opening a named pipe would wait for a writer.
    let meta = std::fs::metadata(path).map_err(|e| unreadable(path).with_source(e))?;
    if !meta.is_file() {
        let detail = format!("\"{}\" is no file; name the file of one session", path.display());
        return Err(Error::new(ErrorKind::InvalidArgument, detail));
    }
    let file = File::open(path).map_err(|e| unreadable(path).with_source(e))?;
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let read = match source {
        Source::ClaudeCode => claude_code::read(file, &stem),
        Source::Codex => codex::read(file, &stem),
        Source::Gemini => gemini::read(file, &stem),
        Source::Copilot => copilot::read(file, &stem),
        Source::OpenCode => object(file).map(|o| whole(&o, &stem, opencode::read)),
        Source::OpenHands => object(file).map(|o| whole(&o, &stem, openhands::read)),
        Source::SweAgent => object(file).map(|o| whole(&o, &stem, swe_agent::read)),
    };
    read.map_err(|e| unreadable(path).with_source(e))
}

/// The one object of a file; null where it holds none.
fn object(file: File) -> std::io::Result<Value> {
    let mut bytes = Vec::new();
    file.take(OBJECT_BYTES).read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes).unwrap_or_default())
}

fn whole(object: &Value, stem: &str, read: fn(&Value, &str) -> Transcript) -> Transcript {
    Transcript { skipped_lines: usize::from(!object.is_object()), ..read(object, stem) }
}

fn unreadable(path: &Path) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read the transcript \"{}\"", path.display()))
}

#[cfg(test)]
mod codex_tests;
#[cfg(test)]
mod tests;
