//! Progress velocity: how many files move forward, for the calls made.

use crate::capture::event::{Event, FileChange, WriteKind};
use serde::Serialize;
use std::collections::BTreeSet;

/// Progress velocity over a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Velocity {
    /// Unique files with meaningful writes in each stretch of calls, oldest first. The last stretch may be short; its
    /// figure is then what it has reached.
    pub per_stretch: Vec<u32>,
    /// Whether the last whole stretches fall off: the later half averages less than half of the earlier one. Needs four
    /// whole stretches; late in a task this suggests that the agent is stuck.
    pub declining: bool,
}

/// Counts unique files with meaningful writes per `stretch` tool calls (10 is a good stretch; 0 counts as 1).
pub fn progress_velocity(events: &[Event], stretch: usize) -> Velocity {
    let calls: Vec<&Event> = events.iter().filter(|e| e.is_tool_call()).collect();
    let stretch = stretch.max(1);
    let per_stretch: Vec<u32> = calls.chunks(stretch).map(moved_files).collect();
    let whole = &per_stretch[..calls.len() / stretch];
    Velocity { declining: declines(whole), per_stretch }
}

fn moved_files(calls: &[&Event]) -> u32 {
    let files: BTreeSet<&str> =
        calls.iter().flat_map(|e| e.writes()).filter(|c| is_meaningful(c)).map(|c| c.path.as_str()).collect();
    u32::try_from(files.len()).unwrap_or(u32::MAX)
}

/// A write that changed lines, made or removed a file. Rewriting the same content moves nothing.
fn is_meaningful(change: &FileChange) -> bool {
    change.kind != WriteKind::Update
        || change.renamed_from.is_some()
        || change.lines_changed.added + change.lines_changed.removed > 0
}

fn declines(stretches: &[u32]) -> bool {
    if stretches.len() < 4 {
        return false;
    }
    let (early, late) = stretches.split_at(stretches.len() / 2);
    let mean = |part: &[u32]| f64::from(part.iter().sum::<u32>()) / part.len() as f64;
    mean(late) < mean(early) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::story::{prompt, read, tests, write, write_lines};
    use super::*;

    #[test]
    fn a_file_counts_once_a_stretch_and_only_if_it_changed() {
        let events = [write("a"), write("a"), write_lines("b", 0), read("c"), write("c")];
        assert_eq!(progress_velocity(&events, 5).per_stretch, [2]);
    }

    #[test]
    fn prompts_are_no_calls() {
        let events = [prompt(), write("a"), prompt(), write("b"), prompt()];
        assert_eq!(progress_velocity(&events, 2).per_stretch, [2]);
    }

    #[test]
    fn thrashing_late_in_a_task_declines() {
        let mut events: Vec<Event> = ["a", "b", "c", "d"].into_iter().map(write).collect();
        events.extend((0..4).map(|_| tests(&["a E1"])));
        let velocity = progress_velocity(&events, 2);
        assert_eq!((velocity.per_stretch.as_slice(), velocity.declining), ([2, 2, 0, 0].as_slice(), true));
    }

    #[test]
    fn steady_work_and_short_work_do_not_decline() {
        let steady: Vec<Event> = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().map(write).collect();
        assert!(!progress_velocity(&steady, 2).declining);
        assert!(!progress_velocity(&[write("a"), write("b"), read("c"), read("d")], 2).declining);
        assert_eq!(progress_velocity(&[], 0), Velocity::default());
    }
}
