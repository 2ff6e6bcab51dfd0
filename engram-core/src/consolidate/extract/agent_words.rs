//! What the agent's final message states: choices against an alternative, and what it found out.

use super::candidate::{Candidate, worth};
use super::prose::{self, Form, Unit};
use super::sentence::{count, has, is_english, length, literals, normal, starts};
use super::turns::Turn;
use super::{cues, files, wording};
use crate::graph::node::NodeType;

const SHORTEST: usize = 5;
const LONGEST: usize = 380;

/// Memories in the final message of one turn.
/// `topic`: what the turn was about.
pub(super) fn read(turn: &Turn<'_>, at: usize, topic: &str) -> Vec<Candidate> {
    let mut made = tables(turn, at, topic);
    for unit in prose::units(turn.text).iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))) {
        let sentences = unit.sentences();
        for (i, own) in sentences.iter().enumerate() {
            if states_something(own, unit) {
                made.extend(classified(unit, i, own, (turn, topic), at));
            }
        }
    }
    made
}

/// Sentences that state what was done or is so, with their files; what the concepts are described with.
pub(super) fn facts(turn: &Turn<'_>) -> Vec<String> {
    if !turn.wrote() {
        return Vec::new();
    }
    let units = prose::units(turn.text);
    let listed = units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_)));
    let each =
        listed.flat_map(|u| u.sentences().into_iter().enumerate().map(move |(i, s)| (u, i, s)).collect::<Vec<_>>());
    each.filter(|(u, _, s)| states_something(s, u))
        .map(|(u, i, _)| with_file(u, &wording::compose(u, i), turn))
        .collect()
}

/// "I updated x" as "updated x".
fn impersonal(text: &str) -> &str {
    let rest = text.strip_prefix("I ").or_else(|| text.strip_prefix("I've "));
    rest.filter(|r| r.split(' ').next().is_some_and(|verb| verb.ends_with("ed"))).unwrap_or(text)
}

/// A sentence under a label that names a file names it too.
fn with_file(unit: &Unit, text: &str, turn: &Turn<'_>) -> String {
    let place = [&unit.lead, &unit.heading].into_iter().find_map(|l| files::named(l, turn).into_iter().next());
    let text = impersonal(text);
    match place {
        Some(path) if files::named(text, turn).is_empty() => format!("`{path}`: {text}"),
        _ => text.to_owned(),
    }
}

/// Whether a sentence may be a fact at all: no talk, no offer, no result of a run, no fragment.
pub(super) fn states_something(own: &str, unit: &Unit) -> bool {
    let n = normal(own);
    !own.ends_with(['?', ':'])
        && own.len() <= LONGEST
        && length(&n) >= SHORTEST
        && is_english(&n)
        && !starts(&n, cues::TALK)
        && !has(&n, cues::BOOKKEEPING)
        && !has(&normal(&unit.heading), cues::LEFT_HEADINGS)
        && !is_proposal(unit)
        && !own.contains("http://")
        && !own.contains("https://")
        && !own.ends_with(',')
}

/// Lists of options and manuals are no statements about what is.
fn is_proposal(unit: &Unit) -> bool {
    let around = normal(&format!("{} {}", unit.heading, unit.lead));
    has(&around, cues::MANUAL) || offers_choices(unit)
}

/// Whether a unit stands in a list of choices.
pub(super) fn offers_choices(unit: &Unit) -> bool {
    has(&normal(&format!("{} {}", unit.heading, unit.lead)), cues::CHOICES)
}

/// Whether a sentence says of itself that it is a decision.
pub(super) fn announces(own: &str) -> bool {
    has(&normal(own), cues::ANNOUNCED)
}

/// What the cues of a sentence amount to.
struct Signs {
    contrast: usize,
    choice: usize,
    reason: bool,
    found: usize,
    surprise: usize,
    removes: bool,
    concrete: usize,
    evidence: bool,
}

impl Signs {
    fn of(own: &str, text: &str, unit: &Unit, turn: &Turn<'_>) -> Signs {
        let n = normal(own);
        let around = normal(&format!("{} {}", unit.heading, unit.lead));
        Signs {
            contrast: count(&n, cues::CONTRAST),
            choice: count(&n, cues::CHOICE),
            reason: has(&n, cues::REASON),
            found: count(&n, cues::FOUND) + usize::from(has(&around, cues::FOUND)),
            surprise: count(&n, cues::SURPRISE),
            removes: starts(&n, &["removed", "deleted", "dropped", "disabled", "reverted"]),
            concrete: literals(text).min(3),
            evidence: !files::named(text, turn).is_empty(),
        }
    }

    fn decides(&self) -> bool {
        self.contrast > 0
            || self.removes
            || (self.choice >= 2 && self.reason)
            || (self.choice >= 1 && self.reason && self.evidence)
    }

    /// Worth above `base`, by how much speaks for it.
    fn weigh(&self, base: u32, cues: usize) -> u32 {
        let points = 6 * cues.min(3) + 4 * usize::from(self.reason) + 3 * usize::from(self.evidence) + self.concrete;
        base + u32::try_from(points).unwrap_or_default()
    }
}

/// A text that still points back says what it was about.
fn anchored(text: String, topic: &str) -> String {
    if !wording::points_back(&text) || topic.is_empty() || starts(&normal(&text), &["now"]) && literals(&text) > 1 {
        return text;
    }
    format!("{text} (task: {})", wording::shorten(topic, 110))
}

/// Whether a sentence is about a document that was brought up to date beside the code.
fn is_about_docs(text: &str, turn: &Turn<'_>) -> bool {
    let named = files::named(text, turn);
    let code = turn.written().iter().any(|(path, _)| files::is_inside(path) && !files::is_prose(path));
    code && !named.is_empty() && named.iter().all(|f| files::is_documentation(f))
}

/// Whether a sentence is about a test itself.
fn is_about_tests(own: &str, text: &str, turn: &Turn<'_>) -> bool {
    let named = files::named(text, turn);
    own.starts_with("`Test")
        || own.starts_with("`test_")
        || (!named.is_empty() && named.iter().all(|f| files::is_test(f)))
}

fn classified(unit: &Unit, i: usize, own: &str, (turn, topic): (&Turn<'_>, &str), at: usize) -> Option<Candidate> {
    if has(&normal(own), cues::OPEN_MIND) {
        return None;
    }
    let text = wording::ended(&wording::capital(&with_file(unit, &wording::compose(unit, i), turn)));
    let text = anchored(text, topic);
    let signs = Signs::of(own, &text, unit, turn);
    if is_about_docs(&text, turn) {
        return None;
    }
    // A choice that is announced as one needs no code span to be believed, nor a write beside it.
    let announced = announces(own) && signs.contrast > 0;
    if signs.concrete == 0 && !signs.evidence && !announced {
        return None;
    }
    if signs.found == 0 && signs.surprise == 0 && is_about_tests(own, &text, turn) {
        return None;
    }
    let decides = announced || turn.wrote() && signs.decides();
    if signs.found == 0 && decides && !is_about_tests(own, &text, turn) {
        let made = Candidate::decision(&text, own, signs.weigh(worth::AGENT, signs.contrast), at);
        return Some(made.files(files::of_sentence(&text, turn)));
    }
    let explains = turn.wrote() && ((signs.reason && signs.concrete >= 2) || signs.surprise > 0);
    if signs.found > 0 || explains {
        let made = Candidate::new(NodeType::Finding, &text, signs.weigh(worth::FINDING, signs.found * 2), at);
        return Some(made.files(files::named(&text, turn)));
    }
    None
}

/// The first sentence of the final message that states something, else the first that is no talk.
pub(super) fn gist(text: &str) -> String {
    let units = prose::units(text);
    let lines = || units.iter().filter(|u| u.form != Form::Row && u.form != Form::Quote);
    let first = |accept: &dyn Fn(&Unit, &str) -> bool| {
        lines().find_map(|u| u.sentences().iter().position(|s| accept(u, s)).map(|i| wording::compose(u, i)))
    };
    let plain = |_: &Unit, s: &str| {
        let n = normal(s);
        length(&n) > 3
            && is_english(&n)
            && !s.ends_with(['?', ':'])
            && !s.contains("://")
            && !has(&n, cues::BOOKKEEPING)
            && !starts(&n, cues::TALK)
    };
    first(&|u, s| states_something(s, u)).or_else(|| first(&plain)).unwrap_or_default()
}

/// The sentence that tells best how something was mended, if one does.
pub(super) fn mending(turn: &Turn<'_>) -> Option<String> {
    if !turn.wrote() {
        return None;
    }
    let units = prose::units(turn.text);
    let mut best: Option<(usize, String)> = None;
    for unit in units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))) {
        for (i, own) in unit.sentences().iter().enumerate() {
            if announces(own) {
                continue;
            }
            let Some(text) = mending_text(&units, unit, i, own) else { continue };
            let around = normal(&format!("{} {}", unit.heading, unit.lead));
            let told = 3 * usize::from(has(&around, cues::FIXED));
            if told == 0 && !has(&normal(own), cues::FIXED) {
                continue;
            }
            let score =
                (told + mending_score(own, &text)).saturating_sub(if is_about_tests(own, &text, turn) { 5 } else { 0 });
            if best.as_ref().is_none_or(|(s, _)| score > *s) {
                best = Some((score, text));
            }
        }
    }
    best.filter(|(score, _)| *score >= 3).map(|(_, text)| text)
}

/// The sentence in full, or a label with the list below it.
fn mending_text(units: &[Unit], unit: &Unit, i: usize, own: &str) -> Option<String> {
    let text = if own.ends_with(':') && has(&normal(own), cues::FIXED) && !wording::is_talk(own) {
        let list: Vec<&str> = units.iter().filter(|u| u.lead == unit.text).map(|u| u.text.as_str()).take(4).collect();
        (!list.is_empty()).then(|| format!("{own} {}", list.join("; ")))?
    } else {
        states_something(own, unit).then(|| wording::compose(unit, i))?
    };
    let n = normal(&text);
    (!has(&n, cues::OPEN_MIND) && !has(&n, cues::CAUSE)).then_some(text)
}

fn mending_score(own: &str, text: &str) -> usize {
    let n = normal(own);
    3 * count(&n, cues::FIXED).min(2)
        + 2 * usize::from(has(&n, cues::REASON))
        + usize::from(has(&n, cues::CONTRAST))
        + literals(text).min(3)
}

/// Tables that tell what was fixed, or what happens when: one memory for each.
fn tables(turn: &Turn<'_>, at: usize, topic: &str) -> Vec<Candidate> {
    let units = prose::units(turn.text);
    let rows: Vec<&Unit> = units.iter().filter(|u| u.form == Form::Row).collect();
    let mut made = Vec::new();
    let mut rest = rows.as_slice();
    while let [header, body @ ..] = rest {
        let width = header.text.split(" | ").count();
        let same = body.iter().take_while(|u| {
            u.heading == header.heading && u.lead == header.lead && u.text.split(" | ").count() == width
        });
        let table = &body[..same.count()];
        if turn.wrote() && !table.is_empty() {
            made.extend(table_memory(header, table, (turn, topic), at));
        }
        rest = &body[table.len()..];
    }
    made
}

/// Columns that say what was done or happens.
const TELLING_COLUMNS: &[&str] =
    &["fix", "fixes", "change", "changes", "behavior", "behaviour", "resolution", "decision", "when orphaned", "rule"];

fn table_memory(header: &Unit, rows: &[&Unit], (turn, topic): (&Turn<'_>, &str), at: usize) -> Option<Candidate> {
    let column = header.text.split(" | ").position(|c| has(&normal(c), TELLING_COLUMNS)).filter(|c| *c > 0)?;
    let cells = |u: &&Unit| {
        let cells: Vec<&str> = u.text.split(" | ").collect();
        Some(format!("{}: {}", cells.first()?.trim(), cells.get(column)?.trim()))
    };
    let label = wording::tidy_lead(if header.lead.is_empty() { &header.heading } else { &header.lead });
    let head = header.text.split(" | ").nth(column)?;
    let label = match wording::says_something(&label) {
        true => label,
        false => format!("{head} ({})", wording::shorten(topic, 100)),
    };
    let text = format!("{label}: {}", wording::ended(&rows.iter().filter_map(cells).collect::<Vec<_>>().join("; ")));
    if literals(&text) == 0 || !is_english(&normal(&text)) || has(&normal(&text), &["todo", "todos", "pending"]) {
        return None;
    }
    Some(Candidate::new(NodeType::Finding, &text, worth::FINDING + 8, at).files(files::of_sentence(&text, turn)))
}
