//! Claims: a decision's sentence taken apart into what was chosen, what was turned down, what it is about and why.
//!
//! Rules on words, no model: the forms stand in tables. What is asked, hoped, planned or reported is no decision.

mod compare;
mod forms;
mod phrase;
mod reading;
mod stated;
mod value;
// Lists of words read better in lines than one by one.
#[rustfmt::skip]
mod vocabulary;
mod words;

#[cfg(test)]
mod sentences;

pub use super::node::{Claim, Polarity};
pub use compare::{ClaimRelation, compare};
pub use stated::parse_stated;
pub use value::values_differ;
pub(super) use value::version;

use forms::Lead;
use words::{Word, any_of, split_at, strip, written};

// Longer texts are documents, not decisions; the shapes are matched with backtracking.
const LONGEST: usize = 80;

/// Takes a decision apart; `None` if the text decides nothing.
///
/// "Use X instead of Y because Z", "never X", "all X must go through Y", "switched from Y to X", "keep X; avoid Y" and
/// their kin. A text of several sentences gives the first claim in it, with what is joined to it by `;` or `instead`. Costs tens
/// of microseconds.
pub fn parse(sentence: &str) -> Option<Claim> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    let clauses = words::clauses(sentence);
    let mut claims: Vec<Option<Claim>> = clauses.iter().map(|(_, c)| clause_claim(c, false)).collect();
    // "Keep X; never Y": the second clause makes a decision of the first.
    if let ([first @ None, Some(second), ..], true) = (claims.as_mut_slice(), clauses.get(1).is_some_and(|c| c.0))
        && second.polarity == Polarity::Forbid
    {
        *first = clause_claim(&clauses[0].1, true);
    }
    let at = claims.iter().position(Option::is_some)?;
    let mut whole = claims[at].take()?;
    for ((joined, words), later) in clauses[at + 1..].iter().zip(&claims[at + 1..]) {
        let Some(later) = later else { continue };
        if *joined || words.last().is_some_and(|w| w.low == "instead") {
            add_clause(&mut whole, later);
        }
    }
    Some(whole).filter(names_something)
}

/// What a later clause forbids, the first one turns down; what it wants instead of a forbidden thing is chosen.
fn add_clause(first: &mut Claim, later: &Claim) {
    if later.polarity == Polarity::Forbid {
        first.rejected.extend(later.rejected.iter().cloned());
    } else if first.polarity == Polarity::Forbid && first.chosen.is_empty() && later.rejected.is_empty() {
        first.chosen.clone_from(&later.chosen);
        first.polarity = later.polarity;
    }
}

fn names_something(claim: &Claim) -> bool {
    !claim.chosen.is_empty() || !claim.rejected.is_empty()
}

/// What is known of a clause before its verb is looked at.
struct Clause<'w, 'a> {
    core: &'w [Word<'a>],
    subject: String,
    rationale: String,
    decided: bool,
    plan: bool,
}

/// `decided`: it is known from elsewhere that the clause decides something.
fn clause_claim(words: &[Word<'_>], decided: bool) -> Option<Claim> {
    let words = unnumbered(words);
    if words.len() > LONGEST || asks(words) || is_markup(words) {
        return None;
    }
    let mut clause = prepare(words);
    clause.decided |= decided;
    if clause.core.is_empty() || hedges(words, clause.core) {
        return None;
    }
    let mut claim = reading::READINGS.iter().find_map(|read| read(&clause))?;
    claim.rationale = clause.rationale;
    if claim.subject.is_empty() {
        claim.subject = clause.subject;
    }
    Some(claim)
}

/// Without a list's number or bullet.
fn unnumbered<'w, 'a>(words: &'w [Word<'a>]) -> &'w [Word<'a>] {
    let bullet = |w: &Word<'_>| w.low == "," || w.low.trim_end_matches([')', '.']).bytes().all(|b| b.is_ascii_digit());
    match words.split_first() {
        Some((first, rest)) if bullet(first) && rest.len() > 1 => rest,
        _ => words,
    }
}

fn asks(words: &[Word<'_>]) -> bool {
    words.first().is_some_and(|w| vocabulary::QUESTIONS.contains(&w.low.as_str()))
        || (strip(words, "do").is_some() && strip(words, "do not").is_none())
}

/// Headings, table rows and arrows: notes of a kind that names things without deciding.
fn is_markup(words: &[Word<'_>]) -> bool {
    let sign = |w: &Word<'_>| {
        matches!(w.low.as_str(), "|" | "=>" | "->" | "=") || w.low.contains(['\u{2192}', '\u{2705}', '\u{274c}', '<'])
    };
    words.last().is_some_and(|w| w.low == ":") || words.iter().any(sign) || strip(words, "if").is_some()
}

fn hedges(words: &[Word<'_>], core: &[Word<'_>]) -> bool {
    any_of(core, vocabulary::HEDGES) || vocabulary::HEDGING_PHRASES.iter().any(|p| split_at(words, 0, p).is_some())
}

fn prepare<'w, 'a>(words: &'w [Word<'a>]) -> Clause<'w, 'a> {
    let mut clause =
        Clause { core: words, subject: String::new(), rationale: String::new(), decided: false, plan: false };
    leads(&mut clause);
    front_reason(&mut clause);
    front_subject(&mut clause);
    leads(&mut clause);
    let reason = forms::REASONS.iter().filter_map(|(phrase, keep)| reason(clause.core, phrase, *keep));
    if let Some((core, rationale)) = reason.min_by_key(|(core, _)| core.len()) {
        clause.core = core;
        clause.rationale = rationale;
    }
    clause.core = phrase::unconditional(clause.core);
    clause
}

/// Takes lead-ins off, and notes what they say.
fn leads(clause: &mut Clause<'_, '_>) {
    while let Some((rest, lead)) = forms::LEADS.iter().find_map(|(p, lead)| Some((strip(clause.core, p)?, lead))) {
        if rest.is_empty() {
            break;
        }
        clause.decided |= *lead == Lead::Decided;
        clause.plan |= *lead == Lead::Plan;
        clause.core = rest;
    }
}

/// "Because Z, use X" and "to avoid Z, use X".
fn front_reason(clause: &mut Clause<'_, '_>) {
    let Some(after) = forms::REASONS
        .iter()
        .find_map(|(p, keep)| strip(clause.core, p).map(|rest| if *keep { &clause.core[1..] } else { rest }))
    else {
        return;
    };
    if let Some((reason, rest)) = split_at(after, 1, ",").filter(|(_, rest)| !rest.is_empty()) {
        clause.rationale = written(reason);
        clause.core = rest;
    }
}

/// "For money, use X"; "when parsing dates, use X".
fn front_subject(clause: &mut Clause<'_, '_>) {
    let opens = strip(clause.core, "for|in|on|when|whenever|inside|within|regarding|with");
    let parts = opens.and_then(|rest| split_at(rest, 1, ",")).filter(|(_, rest)| rest.len() > 1);
    if let Some((subject, rest)) = parts.filter(|(s, _)| s.len() <= 8) {
        clause.subject = phrase::subject_of(subject);
        clause.core = rest;
    }
}

fn reason<'w, 'a>(core: &'w [Word<'a>], phrase: &str, keep: bool) -> Option<(&'w [Word<'a>], String)> {
    let (before, after) = split_at(core, 2, phrase).filter(|(_, after)| !after.is_empty())?;
    let dated = |w: &Word<'_>| {
        w.low.starts_with(|c: char| c.is_ascii_digit()) || vocabulary::DATES.contains(&w.low.as_str()) || w.low == "the"
    };
    // Since when, not why; and "decided to avoid X", where the avoiding is the decision.
    if phrase == "since" && dated(&after[0]) && !any_of(after, vocabulary::FACTS) {
        return None;
    }
    let from = if keep { core.len() - after.len() - 1 } else { core.len() - after.len() };
    let before = before.strip_suffix_comma();
    Some((before, written(&core[from..])))
}

trait Comma {
    fn strip_suffix_comma(&self) -> &Self;
}

impl Comma for [Word<'_>] {
    fn strip_suffix_comma(&self) -> &Self {
        match self.split_last() {
            Some((last, before)) if last.low == "," => before,
            _ => self,
        }
    }
}
