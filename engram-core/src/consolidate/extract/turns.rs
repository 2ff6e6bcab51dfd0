//! The events of a stretch, grouped by turn: what was asked, what was done, what was said at the end.

use crate::capture::event::{Event, EventBody, FileChange};
use crate::log::Record;
use crate::time::Timestamp;

/// One turn: from a prompt to the agent's last word.
#[derive(Debug, Default)]
pub(super) struct Turn<'a> {
    /// The user's words, in order: the request, then what was said while the agent worked.
    pub(super) prompts: Vec<&'a str>,
    /// Everything else that happened.
    pub(super) events: Vec<&'a Event>,
    /// The agent's final message.
    pub(super) text: &'a str,
    /// Whether the agent finished.
    pub(super) ended: bool,
}

/// The turns of `records`. A turn ends with the main agent's last word; prompts before it belong to it.
pub(super) fn turns(records: &[Record]) -> Vec<Turn<'_>> {
    let mut done = Vec::new();
    let mut open = Turn::default();
    for record in records {
        match &record.event.body {
            EventBody::Prompt { text } => open.prompts.push(text),
            EventBody::TurnComplete { text, assistant, .. } if record.event.agent.is_none() => {
                open.text = if text.is_empty() { assistant } else { text };
                open.ended = true;
                done.push(std::mem::take(&mut open));
            }
            EventBody::SessionStart { .. } | EventBody::SessionEnd { .. } | EventBody::Unknown => {}
            _ => open.events.push(&record.event),
        }
    }
    if !open.prompts.is_empty() || open.events.iter().any(|e| e.is_tool_call()) {
        done.push(open);
    }
    done
}

/// The time of the first and the last event; the epoch for none.
pub(super) fn span(records: &[Record]) -> (Timestamp, Timestamp) {
    let times = || records.iter().map(|r| r.event.ts);
    (times().min().unwrap_or_default(), times().max().unwrap_or_default())
}

impl<'a> Turn<'a> {
    /// The request that opened the turn.
    pub(super) fn request(&self) -> &'a str {
        self.prompts.first().copied().unwrap_or_default()
    }

    /// Every change to a file, in order.
    pub(super) fn changes(&self) -> impl Iterator<Item = &'a FileChange> + '_ {
        self.events.iter().flat_map(|e| e.writes())
    }

    /// Files changed, with how often, most changed first.
    pub(super) fn written(&self) -> Vec<(&'a str, usize)> {
        counted(self.changes().map(|c| c.path.as_str()))
    }

    /// Whether any file was changed.
    pub(super) fn wrote(&self) -> bool {
        self.changes().next().is_some()
    }

    /// Number of tool calls.
    pub(super) fn calls(&self) -> usize {
        self.events.iter().filter(|e| e.is_tool_call()).count()
    }
}

/// Distinct values with their counts: most frequent first, then in order of appearance.
pub(super) fn counted<'a>(values: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut out: Vec<(&str, usize)> = Vec::new();
    for value in values.filter(|v| !v.is_empty()) {
        match out.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => out.push((value, 1)),
        }
    }
    out.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    out
}
