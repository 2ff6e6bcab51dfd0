//! Work that the agent says is left.

use super::candidate::{Candidate, worth};
use super::prose::{self, Form, Unit};
use super::sentence::{has, is_english, length, literals, normal, overlap, starts, terms};
use super::turns::Turn;
use super::{cues, files, wording};
use crate::graph::node::{MemoryKind, NodeType};

/// Open items of the stretch that no later turn took up.
pub(super) fn read(turns: &[Turn<'_>]) -> Vec<Candidate> {
    let mut made = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let later: Vec<_> = turns[at + 1..].iter().map(|t| terms(&format!("{} {}", t.request(), t.text))).collect();
        let open = of_turn(turn, at).into_iter().filter(|c| {
            let own = terms(&c.node.description);
            !later.iter().any(|l| !l.is_empty() && overlap(&own, l) >= 0.6)
        });
        made.extend(open);
    }
    made
}

fn of_turn(turn: &Turn<'_>, at: usize) -> Vec<Candidate> {
    let units = prose::units(turn.text);
    let mut made = Vec::new();
    for unit in units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))) {
        for (i, own) in unit.sentences().iter().enumerate() {
            if is_left(own, unit, turn.wrote()) {
                let text = wording::ended(&wording::capital(&wording::compose(unit, i)));
                let made_one = Candidate::new(NodeType::Finding, &text, worth::OPEN, at).kind(MemoryKind::OpenItem);
                made.push(made_one.files(files::named(&text, turn)));
            }
        }
    }
    made
}

/// `done`: the turn changed something, so that what it says is left is left of work.
fn is_left(own: &str, unit: &Unit, done: bool) -> bool {
    let n = normal(own);
    if super::agent_words::offers_choices(unit) {
        return false;
    }
    let speaks_to_user =
        has(&n, &["you", "your", "youll", "want me", "let me"]) || starts(&n, &["run", "restart", "open", "test"]);
    if own.ends_with(['?', ':']) || !is_english(&n) || length(&n) < 4 || own.len() > 320 || speaks_to_user {
        return false;
    }
    let listed = matches!(unit.form, Form::Bullet(_));
    let under = has(&normal(&unit.heading), cues::LEFT_HEADINGS) || has(&normal(&unit.lead), cues::LEFT_HEADINGS);
    (listed && under)
        || (done && has(&n, cues::LEFT) && literals(own) > 0 && !starts(&n, &["if", "when", "previously", "before"]))
}
