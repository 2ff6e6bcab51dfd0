//! Search-to-act ratio: looking against doing, without punishing thorough research at the start.

use crate::capture::event::Event;
use crate::capture::pace::{Looking, Pace};
use serde::Serialize;

/// When a ratio is worth a remark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchLimits {
    /// The last tool calls that are looked at.
    pub window: usize,
    /// Reads and searches for one write.
    pub ratio: f64,
    /// The directory distance that recent reads have to exceed.
    pub expansion: usize,
}

impl Default for SearchLimits {
    /// 20 calls, 5 to 1, and the two levels of `expanding_search`.
    fn default() -> SearchLimits {
        SearchLimits { window: 20, ratio: 5.0, expansion: 2 }
    }
}

/// The search-to-act ratio at the end of a stretch of events.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchRatio {
    /// Reads, searches and research in the window.
    pub searches: u32,
    /// Writes in the window.
    pub acts: u32,
    /// Searches for one act; with no act, the number of searches.
    pub ratio: f64,
    /// The widest step between a read in the window and the nearest of the reads before it, in directory levels.
    pub expansion: usize,
    /// Whether all three conditions hold: a high ratio, more than half of the task behind, and reads that spread.
    pub concerning: bool,
}

/// The ratio over the last calls. `progress` is how much of the task is done, 0 to 1, as far as the caller knows; at
/// 0.5 or less, or when it is not known (NaN), nothing is concerning.
pub fn search_to_act(events: &[Event], progress: f64, limits: &SearchLimits) -> SearchRatio {
    let mut pace = Pace::default();
    events.iter().for_each(|e| pace.apply(e, limits.window));
    judge(pace.looking(), progress, limits)
}

/// The ratio of a window that was folded already.
pub(crate) fn judge(looking: Looking, progress: f64, limits: &SearchLimits) -> SearchRatio {
    let Looking { looks: searches, changes: acts, widest: expansion } = looking;
    let ratio = f64::from(searches) / f64::from(acts.max(1));
    let concerning = ratio > limits.ratio && progress > 0.5 && expansion > limits.expansion;
    SearchRatio { searches, acts, ratio, expansion, concerning }
}

#[cfg(test)]
mod tests {
    use super::super::story::{read, search, write};
    use super::*;

    fn wandering() -> Vec<Event> {
        let mut events = vec![write("src/a/x.rs")];
        let reads = ["src/a/x.rs", "src/a/y.rs", "lib/net/tls/z.rs", "docs/old/api/q.md", "vendor/k/l/m.c"];
        events.extend(reads.into_iter().map(read));
        events.push(search("handshake"));
        events
    }

    #[test]
    fn all_three_conditions_together_are_concerning() {
        let found = search_to_act(&wandering(), 0.8, &SearchLimits::default());
        assert_eq!((found.searches, found.acts, found.expansion), (6, 1, 5));
        assert!(found.concerning);
    }

    #[test]
    fn thorough_research_at_the_start_is_not_concerning() {
        for progress in [0.0, 0.5, f64::NAN] {
            assert!(!search_to_act(&wandering(), progress, &SearchLimits::default()).concerning);
        }
    }

    #[test]
    fn reads_close_together_are_not_concerning() {
        let mut events = vec![write("src/a/x.rs")];
        events.extend(
            ["src/a/1.rs", "src/a/2.rs", "src/b/3.rs", "src/4.rs", "src/a/5.rs", "src/a/6.rs"].into_iter().map(read),
        );
        let found = search_to_act(&events, 0.9, &SearchLimits::default());
        assert!(found.ratio > 5.0 && found.expansion <= 2 && !found.concerning);
    }

    #[test]
    fn a_low_ratio_is_not_concerning() {
        let mut events = wandering();
        events.push(write("vendor/k/l/m.c"));
        let found = search_to_act(&events, 0.9, &SearchLimits::default());
        assert!(found.ratio <= 5.0 && found.expansion > 2 && !found.concerning);
    }

    #[test]
    fn only_the_window_counts() {
        let mut events: Vec<Event> = (0..30).map(|_| read("src/a.rs")).collect();
        events.extend((0..20).map(|_| write("src/a.rs")));
        let found = search_to_act(&events, 0.9, &SearchLimits::default());
        assert_eq!((found.searches, found.acts, found.ratio), (0, 20, 0.0));
    }
}
