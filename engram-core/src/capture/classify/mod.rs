//! One tool call to one event: which handler knows the tool, and what all handlers share.

mod command;
mod field;
mod file;
mod lookup;
mod tool;

use super::call::ToolCall;
use super::diff::Described;
use super::event::{Event, EventBody, FileChange, WriteKind};
use super::scrub::Scrub;
use crate::time::Timestamp;

const MAX_NAME: usize = 120;
const MAX_ID: usize = 200;
const MAX_PATH: usize = 1024;
/// Further files of one call.
const MAX_ALSO: usize = 50;
/// Bytes of all diffs of one call: the line of the log has a limit.
const MAX_DIFFS: usize = 64 * 1024;

/// The event that a finished tool call is. Deterministic; knows the tools of Claude Code, Codex, Gemini CLI, OpenCode,
/// Pi and Copilot, and generic names; anything else becomes [`EventBody::Tool`].
///
/// `paths` maps a path as given in the call to the form that memory keeps (relative to the project's root). The event's
/// turn and derived tags are left to [`Recent::stamp`](super::Recent::stamp). Cost: linear in what of the call is looked
/// at, about 10 us for a small call in an optimised build.
///
/// ```
/// use engram_core::capture::{call::ToolCall, capture};
/// use engram_core::time::Timestamp;
/// use serde_json::json;
///
/// let call = ToolCall {
///     tool: "Bash".to_owned(),
///     input: json!({"command": "cat src/lib.rs"}),
///     output: Some(json!("fn main() {}\n")),
///     ..ToolCall::default()
/// };
/// let event = capture(&call, &|path| path.to_owned(), Timestamp::default());
/// assert_eq!(event.body.type_name(), "file_read");
/// ```
pub fn capture(call: &ToolCall, paths: &dyn Fn(&str) -> String, now: Timestamp) -> Event {
    let mut reader = Reader { call, paths, scrub: Scrub::default(), diffs: 0, flags: Vec::new() };
    let body = match tool::handler(&call.tool) {
        Some(handler) => handler(&mut reader).unwrap_or_else(|| lookup::other(&mut reader)),
        None => lookup::other(&mut reader),
    };
    let mut event = Event::new(call.ts.unwrap_or(now), body);
    event.tool = Some(reader.scrub.line(&call.tool, MAX_NAME));
    event.tool_use_id = call.tool_use_id.as_ref().map(|id| reader.scrub.line(id, MAX_ID));
    event.agent = call.agent.as_ref().map(|a| reader.scrub.line(a, MAX_ID));
    reader.scrub.flag(&mut event);
    reader.flags.iter().for_each(|f| event.flag(f));
    event
}

/// What a handler reads a call with.
struct Reader<'a> {
    call: &'a ToolCall,
    paths: &'a dyn Fn(&str) -> String,
    scrub: Scrub,
    diffs: usize,
    flags: Vec<&'static str>,
}

type Handler = fn(&mut Reader<'_>) -> Option<EventBody>;

impl Reader<'_> {
    /// A path of the call as memory keeps it.
    fn path(&mut self, raw: &str) -> String {
        let mapped = (self.paths)(raw.trim());
        self.scrub.line(&mapped, MAX_PATH)
    }

    /// A change within the budget of one event's diffs.
    fn change(&mut self, path: &str, kind: WriteKind, described: Described) -> FileChange {
        let Described { mut diff, lines_changed, mut evidence } = described;
        self.diffs += diff.len() + evidence.len();
        if self.diffs > MAX_DIFFS {
            diff.clear();
            evidence.clear();
            self.scrub.note_truncated();
        }
        FileChange { path: self.path(path), kind, renamed_from: None, diff, lines_changed, evidence }
    }

    /// One write event for the changes of a call; nothing without any.
    fn written(&mut self, changes: Vec<FileChange>) -> Option<EventBody> {
        let mut changes = changes.into_iter();
        let change = changes.next()?;
        let also: Vec<FileChange> = changes.by_ref().take(MAX_ALSO).collect();
        if changes.next().is_some() {
            self.scrub.note_truncated();
        }
        Some(EventBody::FileWrite { change, also })
    }

    /// One read event for the files of a call; nothing without any.
    fn files_read(&mut self, files: &[String], content_hash: Option<String>) -> Option<EventBody> {
        let (first, rest) = files.split_first()?;
        if rest.len() > MAX_ALSO {
            self.scrub.note_truncated();
        }
        let path = self.path(first);
        let also = rest.iter().take(MAX_ALSO).map(|p| self.path(p)).collect();
        Some(EventBody::FileRead { path, content_hash, also })
    }
}

#[cfg(test)]
mod tests;
