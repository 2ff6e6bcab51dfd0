//! Error repetition: the same error again after an attempt to mend it.

use crate::capture::event::{Derived, Event, EventBody};
use std::collections::BTreeMap;

/// How often one error came back.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    let mut seen: BTreeMap<&str, Trace> = BTreeMap::new();
    for event in events {
        if event.writes().next().is_some() || event.derived.contains(&Derived::FixAttempt) {
            seen.values_mut().for_each(|t| t.attempted = true);
        } else if let Some((kind, signatures)) = outcome(event) {
            for signature in signatures {
                seen.entry(signature).or_insert_with(|| Trace::new(kind)).appear(kind);
            }
            if !event.body.failed() && signatures.is_empty() {
                seen.values_mut().filter(|t| t.kind == kind).for_each(|t| t.open = false);
            }
        }
    }
    let repeated = seen.into_iter().filter(|(_, t)| t.most > 0);
    let mut found: Vec<ErrorRepetition> = repeated.map(|(signature, t)| t.report(signature)).collect();
    found.sort_by(|a, b| b.repetitions.cmp(&a.repetitions).then_with(|| a.signature.cmp(&b.signature)));
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Test,
    Build,
}

struct Trace {
    kind: Kind,
    current: u32,
    most: u32,
    open: bool,
    attempted: bool,
}

impl Trace {
    fn new(kind: Kind) -> Trace {
        Trace { kind, current: 0, most: 0, open: false, attempted: false }
    }

    fn appear(&mut self, kind: Kind) {
        if !self.open {
            self.current = 0;
        } else if self.attempted {
            self.current += 1;
            self.most = self.most.max(self.current);
        }
        *self = Trace { kind, open: true, attempted: false, ..*self };
    }

    fn report(&self, signature: &str) -> ErrorRepetition {
        ErrorRepetition { signature: signature.to_owned(), repetitions: self.most, open: self.open }
    }
}

/// The signatures that a run of tests or a build reported.
fn outcome(event: &Event) -> Option<(Kind, &[String])> {
    match &event.body {
        EventBody::TestRun { error_signatures, .. } => Some((Kind::Test, error_signatures)),
        EventBody::Build { error_signatures, .. } => Some((Kind::Build, error_signatures)),
        _ => None,
    }
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
