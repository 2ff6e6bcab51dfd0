//! Error repetition: the same error again after an attempt to mend it.

use crate::capture::event::Event;
use crate::capture::repeats::{self, Repeats, Trace};
use serde::Serialize;
use std::collections::BTreeSet;

/// How often one error came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorRepetition {
    /// File and error kind.
    pub signature: String,
    /// Times it came back after an attempt to mend it; its first appearance is none.
    pub repetitions: u32,
    /// Whether it is still there: nothing that reported it has passed since.
    pub open: bool,
}

impl ErrorRepetition {
    /// Three or more: the mental model may be wrong. Two are ordinary debugging.
    pub fn is_flagged(&self) -> bool {
        self.repetitions >= 3
    }
}

/// Every error that came back at least once after a fix attempt, most often first, then by signature.
///
/// A fix attempt is any write between two appearances, tagged as one or not: runs without a write between them are
/// one look at the same error. A run of the same kind that passes closes its errors; the count starts anew if they
/// return later.
pub fn error_repetition(events: &[Event]) -> Vec<ErrorRepetition> {
    let mut repeats = Repeats::default();
    events.iter().for_each(|e| repeats.apply(e, usize::MAX));
    let named: BTreeSet<&String> = events.iter().flat_map(repeats::signatures).collect();
    let traces = named.into_iter().filter_map(|signature| Some((signature, repeats.of(signature)?)));
    let mut found: Vec<ErrorRepetition> = traces.filter(|(_, t)| t.most > 0).map(|(s, t)| report(s, t)).collect();
    found.sort_by(|a, b| b.repetitions.cmp(&a.repetitions).then_with(|| a.signature.cmp(&b.signature)));
    found
}

fn report(signature: &str, trace: &Trace) -> ErrorRepetition {
    ErrorRepetition { signature: signature.to_owned(), repetitions: trace.most, open: trace.open }
}

#[cfg(test)]
mod tests {
    use super::super::story::{read, tests, write};
    use super::*;

    const E: &str = "src/a.rs E0502";

    /// A failure, then `attempts` writes each followed by the same failure.
    fn fighting(attempts: usize) -> Vec<Event> {
        let mut events = vec![tests(&[E])];
        (0..attempts).for_each(|_| events.extend([write("src/a.rs"), tests(&[E])]));
        events
    }

    #[test]
    fn two_repetitions_are_normal_debugging() {
        let found = error_repetition(&fighting(2));
        assert_eq!(found, [ErrorRepetition { signature: E.to_owned(), repetitions: 2, open: true }]);
        assert!(!found[0].is_flagged());
    }

    #[test]
    fn three_repetitions_are_flagged() {
        assert!(error_repetition(&fighting(3))[0].is_flagged());
    }

    #[test]
    fn running_again_without_a_write_is_no_repetition() {
        assert!(error_repetition(&[tests(&[E]), tests(&[E]), read("src/a.rs"), tests(&[E])]).is_empty());
    }

    #[test]
    fn another_error_after_a_fix_is_no_repetition() {
        let events =
            [tests(&[E]), write("src/a.rs"), tests(&["src/a.rs E0382"]), write("src/a.rs"), tests(&["src/b.rs E0502"])];
        assert!(error_repetition(&events).is_empty());
    }

    #[test]
    fn an_error_that_was_mended_starts_anew() {
        let mut events = fighting(2);
        events.extend([write("src/a.rs"), tests(&[]), write("src/a.rs")]);
        events.extend(fighting(1));
        let found = error_repetition(&events);
        assert_eq!((found[0].repetitions, found[0].open), (2, true));
        events.extend([write("src/a.rs"), tests(&[])]);
        assert!(!error_repetition(&events)[0].open);
    }

    #[test]
    fn the_most_stubborn_error_comes_first() {
        let mut events = vec![tests(&["b", "a"]), write("x"), tests(&["b", "a"])];
        events.extend([write("x"), tests(&["b"])]);
        let order: Vec<_> = error_repetition(&events).into_iter().map(|e| (e.signature, e.repetitions)).collect();
        assert_eq!(order, [("b".to_owned(), 2), ("a".to_owned(), 1)]);
    }
}
