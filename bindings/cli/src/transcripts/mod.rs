//! Recorded sessions of a harness, read as the events that its hooks would have sent.

mod claude_code;
mod lines;
mod turn;

use crate::adapters::HostEvent;
use engram_core::capture::event::SessionId;
use engram_core::{Error, ErrorKind, Result};
use std::fs::File;
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

/// Reads the transcript of a Claude Code session, line by line: memory is the events and the longest line.
///
/// A file without a usable line gives no events.
///
/// # Errors
/// `InvalidArgument` if `path` is no regular file, `Io` if it cannot be read. Never for what stands in it.
pub fn read(path: &Path) -> Result<Transcript> {
    // Opening a named pipe would wait for a writer.
    let meta = std::fs::metadata(path).map_err(|e| unreadable(path).with_source(e))?;
    if !meta.is_file() {
        let detail = format!("\"{}\" is no file; name the .jsonl file of one session", path.display());
        return Err(Error::new(ErrorKind::InvalidArgument, detail));
    }
    let file = File::open(path).map_err(|e| unreadable(path).with_source(e))?;
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    claude_code::read(file, &stem).map_err(|e| unreadable(path).with_source(e))
}

fn unreadable(path: &Path) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read the transcript \"{}\"", path.display()))
}

#[cfg(test)]
mod tests;
