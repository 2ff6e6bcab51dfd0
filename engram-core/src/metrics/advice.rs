//! What is worth a remark to the agent: in words, as a fact, once a finding.

use super::ratio::{SearchLimits, judge};
use crate::capture::Recent;
use crate::capture::event::Event;
use crate::capture::repeats;
use crate::text;

/// The first line of every remark.
pub const HEADING: &str = "engram note:";

/// Times an error has to come back before it is a finding (specification: 2 are normal, 3 are not).
const STUBBORN: u32 = 3;

/// A finding about the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Names the finding: it is told once.
    pub id: String,
    /// The words for the agent.
    pub text: String,
}

/// What `event`, which `recent` holds already, completes; at most one finding. O(1) in the session's length.
pub fn advice(event: &Event, recent: &Recent) -> Option<Advice> {
    stubborn_error(event, recent).or_else(|| aimless_search(event, recent))
}

fn stubborn_error(event: &Event, recent: &Recent) -> Option<Advice> {
    let stubborn = |s: &&String| recent.repeated(s).is_some_and(|t| t.open && t.current >= STUBBORN);
    let signature = repeats::signatures(event).iter().find(stubborn)?;
    let times = recent.repeated(signature)?.current;
    let text = format!(
        "{HEADING}\n`{}` has come back after {times} changes in this session that were to mend it. The idea of its cause that they share may be wrong.",
        text::clip_marked(signature, 160)
    );
    Some(Advice { id: format!("repeats {}", text::digest::<8>(signature.as_bytes())), text })
}

fn aimless_search(event: &Event, recent: &Recent) -> Option<Advice> {
    event.reads().next()?;
    let progress = recent.progress()?;
    let found = judge(recent.looking(), progress, &SearchLimits::default());
    let text = format!(
        "{HEADING}\nThe last calls were {} reads and searches and {} changes, in folders ever farther apart, while {:.0} % of the plan is done.",
        found.searches,
        found.acts,
        progress * 100.0
    );
    found.concerning.then(|| Advice { id: format!("searches {}", recent.turn()), text })
}

#[cfg(test)]
mod tests {
    use super::super::story::{plan, read, search, tests, write};
    use super::*;

    /// The remarks that the events bring about, told or not.
    fn remarks(events: Vec<Event>) -> Vec<Option<Advice>> {
        let mut recent = Recent::default();
        let told = |mut event: Event| {
            recent.stamp(&mut event);
            recent.apply(&event);
            advice(&event, &recent)
        };
        events.into_iter().map(told).collect()
    }

    #[test]
    fn an_error_is_a_finding_when_it_comes_back_the_third_time() {
        const E: &str = "src/a.rs E0502";
        let mut events = vec![tests(&[E])];
        (0..4).for_each(|_| events.extend([write("src/a.rs"), tests(&[E])]));
        let found = remarks(events);
        assert!(found[..6].iter().all(Option::is_none), "{found:?}");
        let (third, fourth) = (found[6].as_ref().unwrap(), found[8].as_ref().unwrap());
        assert!(third.text.contains(E) && third.text.starts_with(HEADING), "{third:?}");
        assert_eq!(third.id, fourth.id, "it is one finding");
    }

    #[test]
    fn searching_far_and_wide_is_a_finding_only_late_in_a_plan() {
        let wander = || {
            let mut events = vec![write("src/a/x.rs"), search("handshake")];
            let paths = ["src/a/x.rs", "src/a/y.rs", "lib/net/tls/z.rs", "docs/old/api/q.md", "vendor/k/l/m.c"];
            events.extend(paths.into_iter().map(read));
            events
        };
        let with =
            |plans: Vec<Event>| remarks(plans.into_iter().chain(wander()).collect()).into_iter().flatten().count();
        assert_eq!(with(vec![plan(3, 4)]), 1);
        assert_eq!(with(vec![plan(1, 4)]), 0);
        assert_eq!(with(Vec::new()), 0, "unknown progress is never flagged");
    }
}
