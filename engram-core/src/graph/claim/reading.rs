//! The ways to read a clause, each of which finds a claim or leaves it to the next.

use super::phrase::{self, Object};
use super::words::{Word, any_of, fit, split_at, strip, written};
use super::{Claim, Clause, Polarity, forms, vocabulary};

type Reading = fn(&Clause<'_, '_>) -> Option<Claim>;

/// From the most telling form to the least.
pub(super) const READINGS: &[Reading] = &[by_shape, by_binding, by_choice, by_doing, by_passive, by_subject, bare];

fn claim(polarity: Polarity, object: Object) -> Claim {
    Claim {
        polarity,
        subject: object.subject,
        chosen: object.chosen,
        rejected: object.rejected,
        rationale: String::new(),
    }
}

/// A clause that fits one of the whole shapes.
fn by_shape(clause: &Clause<'_, '_>) -> Option<Claim> {
    let tail = split_at(clause.core, 1, ", and|but|while").map_or(clause.core, |(before, _)| before);
    let long_report = clause.core.len() > 10 && clause.rationale.is_empty() && !clause.decided;
    forms::SHAPES.iter().filter(|(pattern, _)| !(long_report && is_deed(pattern, clause.core))).find_map(
        |(pattern, polarity)| {
            let mut object = Object::default();
            let forbids = *polarity == Polarity::Forbid;
            for (slot, words) in fit(pattern, if forbids { tail } else { clause.core })? {
                if slot_points(slot, words) {
                    return None;
                }
                fill(&mut object, slot, words, *polarity);
            }
            Some(claim(*polarity, object))
        },
    )
}

/// "Replaced the five checks with ...": in many words it tells what was done, in few what holds now.
fn is_deed(pattern: &str, core: &[Word<'_>]) -> bool {
    !pattern.starts_with('{') && core[0].low.ends_with("ed")
}

/// Whether a slot is filled with a word that names nothing ("it replaced that"), or with more than a thing.
fn slot_points(slot: char, words: &[Word<'_>]) -> bool {
    let first = words.first().map_or("", |w| w.low.as_str());
    let long = if slot == 'r' { 14 } else { 16 };
    let broken = any_of(words, &[":"]) || (slot != 'r' && any_of(words, &[","]));
    vocabulary::POINTING.contains(&first) || words.len() > long || broken
}

fn fill(object: &mut Object, slot: char, words: &[Word<'_>], polarity: Polarity) {
    let (thing, about) = match polarity {
        Polarity::Choose => phrase::thing(words),
        _ => (phrase::without_aside(words), String::new()),
    };
    match slot {
        'c' => object.chosen = phrase::name(thing),
        'x' | 'y' => {}
        'r' => object.rejected = phrase::list(thing),
        _ => object.subject = phrase::subject_of(words),
    }
    if object.subject.is_empty() {
        object.subject = about;
    }
}

/// "Never X", "always X", "must X" from the first word on.
fn by_binding(clause: &Clause<'_, '_>) -> Option<Claim> {
    let (rest, polarity, eaten) = binding(clause.core)?;
    let proposal = clause.plan && polarity == Polarity::Require;
    // "Only X exists" and "no longer blocks" tell what is; "only commit X" tells what to do.
    let told = !eaten && strip(clause.core, "only|no").is_some() && !is_ordered(rest) && !clause.decided;
    if proposal || told || clause.subject_is_agent() {
        return None;
    }
    bound(rest, polarity, eaten)
}

impl Clause<'_, '_> {
    /// "I don't use X", "I must check Y": said of the agent's doings.
    fn subject_is_agent(&self) -> bool {
        self.plan && !self.decided
    }
}

fn binding<'w, 'a>(words: &'w [Word<'a>]) -> Option<(&'w [Word<'a>], Polarity, bool)> {
    forms::BINDING.iter().find_map(|(p, polarity, eaten)| {
        let rest = strip_optional(words, p)?;
        (!rest.is_empty()).then_some((rest, *polarity, *eaten))
    })
}

/// [`strip`] for phrases that hold a `?word`.
fn strip_optional<'w, 'a>(words: &'w [Word<'a>], phrase: &str) -> Option<&'w [Word<'a>]> {
    match phrase.split_once('?') {
        Some((head, tail)) => {
            let rest = strip(words, head.trim_end())?;
            strip(rest, tail).or_else(|| strip(rest, tail.split_once(' ')?.1))
        }
        None => strip(words, phrase),
    }
}

/// The claim of what is required or forbidden; `eaten`: the words are the thing itself, not an action.
fn bound(words: &[Word<'_>], polarity: Polarity, eaten: bool) -> Option<Claim> {
    let first = words.first()?.low.as_str();
    let idle = (!eaten && vocabulary::IDLE.contains(&first)) || vocabulary::POINTING.contains(&first);
    if idle {
        return None;
    }
    let words = if eaten { words } else { strip(words, "be").filter(|r| !r.is_empty()).unwrap_or(words) };
    if polarity == Polarity::Forbid {
        return Some(forbidden(words, eaten));
    }
    let (object, _) = match phrase::parted(words, eaten) {
        Some(_) if eaten => phrase::choice(words),
        Some((chosen, rejected)) => {
            let object = Object {
                chosen: phrase::name(chosen),
                rejected: phrase::list(phrase::without_aside(rejected)),
                subject: String::new(),
            };
            (object, true)
        }
        None if eaten => phrase::choice(words),
        None => (Object { chosen: phrase::name(phrase::without_aside(words)), ..Object::default() }, false),
    };
    Some(claim(polarity, object))
}

fn forbidden(words: &[Word<'_>], eaten: bool) -> Claim {
    let (thing, subject) = if eaten { phrase::thing(words) } else { (phrase::without_aside(words), String::new()) };
    let rejected = if eaten { phrase::list(thing) } else { vec![phrase::name(thing)] };
    claim(Polarity::Forbid, Object { chosen: String::new(), rejected, subject })
}

/// "Use X instead of Y", "went with X", "prefer X to Y".
fn by_choice(clause: &Clause<'_, '_>) -> Option<Claim> {
    let (words, decisive) = forms::CHOOSING.iter().find_map(|(p, d)| Some((strip(clause.core, p)?, *d)))?;
    // "Keep amounts as cents" says what they are kept as, not that amounts are kept.
    if strip(clause.core, "keep").is_some() && split_at(words, 1, "as").is_some() {
        return by_doing(clause);
    }
    let preferring = clause.core[0].low.starts_with("prefer") || clause.core[0].low.starts_with("favo");
    let (object, named) = if preferring { preference(words) } else { phrase::choice(words) };
    let first = words.first()?.low.as_str();
    if vocabulary::POINTING.contains(&first) || strip(words, "the following|above|same|other").is_some() {
        return None;
    }
    let past_doing = clause.subject_is_agent() && strip(clause.core, "used").is_some();
    let sure = named || (!clause.subject_is_agent() && (decisive || clause.decided || is_rule(clause, words)));
    let only = strip(clause.core, "use|uses|using only|just|exclusively").is_some();
    let polarity = if only { Polarity::Require } else { Polarity::Choose };
    (sure && !past_doing).then(|| claim(polarity, object))
}

/// "Use X for Y" and "use X because Z" are rules; "use X to do Y" and "keep going" are instructions.
fn is_rule(clause: &Clause<'_, '_>, words: &[Word<'_>]) -> bool {
    let reasoned = !clause.rationale.is_empty() || !clause.subject.is_empty();
    let instruction = split_at(words, 1, "to|:").is_some() || words.len() > 12;
    let using = strip(clause.core, "use|using").is_some();
    reasoned || (using && !instruction)
}

/// `prefer X to Y`: here `to` parts, where it elsewhere says what for.
fn preference(words: &[Word<'_>]) -> (Object, bool) {
    match (phrase::parted(words, true), split_at(words, 1, "to").filter(|(_, r)| !r.is_empty())) {
        (None, Some((chosen, rejected))) => {
            let ((rejected, subject), chosen) = (phrase::thing(rejected), phrase::name(chosen));
            (Object { chosen, rejected: phrase::list(rejected), subject }, true)
        }
        _ => phrase::choice(words),
    }
}

/// "Store money as integer cents instead of floats".
fn by_doing(clause: &Clause<'_, '_>) -> Option<Claim> {
    let (verb, words) = clause.core.split_first()?;
    if !vocabulary::DOING.contains(&verb.low.as_str()) || words.is_empty() {
        return None;
    }
    let (object, named) = phrase::means(std::slice::from_ref(verb), phrase::without_aside(words));
    let missing = phrase::parted(words, false).is_some_and(|(_, r)| any_of(r, vocabulary::MISSING));
    let sure = (named && !missing) || (clause.decided && !clause.plan);
    sure.then(|| claim(Polarity::Choose, object))
}

/// "Money is stored as integer cents, not floats"; "process.env is not assigned directly".
fn by_passive(clause: &Clause<'_, '_>) -> Option<Claim> {
    let (subject, rest) = split_at(clause.core, 1, "is|are|gets|get")?;
    if points(subject) || any_of(subject, vocabulary::HELPERS) {
        return None;
    }
    if let Some(done) = strip(rest, "not|never") {
        return forbidden_deed(subject, done);
    }
    let (verb, words) = rest.split_first()?;
    if !vocabulary::DONE.contains(&verb.low.as_str()) || words.is_empty() {
        return None;
    }
    let (mut object, named) = phrase::means(std::slice::from_ref(verb), phrase::without_aside(words));
    object.subject = phrase::subject_of(subject);
    (named || clause.decided).then(|| claim(Polarity::Choose, object))
}

/// "X is not edited by hand": a rule where it says how; without that it may be a report.
fn forbidden_deed(subject: &[Word<'_>], done: &[Word<'_>]) -> Option<Claim> {
    let done = phrase::without_aside(done);
    let ways = ["directly", "manually", "automatically", "hand", "outside", "default"];
    let how = any_of(done, &ways) && done.len() > 1;
    let verb = done.first().is_some_and(|w| w.low.ends_with("ed") || vocabulary::DONE.contains(&w.low.as_str()));
    (how && verb).then(|| {
        let thing = format!("{} {}", phrase::name(subject), written(done));
        claim(
            Polarity::Forbid,
            Object { rejected: vec![thing], subject: phrase::subject_of(subject), ..Object::default() },
        )
    })
}

/// "Handlers never touch the database", "all SQL must live in store", "tests use pytest, not unittest".
fn by_subject(clause: &Clause<'_, '_>) -> Option<Claim> {
    let at = (1..clause.core.len().min(9))
        .find(|at| binding(&clause.core[*at..]).is_some())
        .into_iter()
        .chain(split_at(clause.core, 1, "use|uses").map(|(s, _)| s.len()))
        .min()?;
    let (subject, rest) = clause.core.split_at(at);
    if points(subject) || any_of(subject, vocabulary::FACTS) {
        return None;
    }
    let mut found = match binding(rest) {
        Some((words, polarity, eaten)) => binds(rest, words, eaten).then(|| bound(words, polarity, eaten))?,
        None => {
            let (object, named) = phrase::choice(&rest[1..]);
            (named || clause.decided).then(|| claim(Polarity::Choose, object))
        }
    }?;
    found.subject = phrase::subject_of(subject);
    Some(found)
}

/// Whether "X modal Y" is a rule: by its modal, or as "never" and "always" with a verb of rules. "X always writes" and
/// "X do not run" tell what is.
fn binds(rest: &[Word<'_>], words: &[Word<'_>], eaten: bool) -> bool {
    let modal = strip(rest, "must|shall|may|mustn't|has|have|should|shouldn't").is_some();
    let rule =
        (strip(rest, "never").is_some() && is_ruled(words)) || (strip(rest, "always").is_some() && is_ordered(words));
    modal || eaten || rule
}

/// Whether the first word is a verb of rules in the form of an order.
fn is_ordered(words: &[Word<'_>]) -> bool {
    words.first().is_some_and(|w| {
        let verb = w.low.as_str();
        vocabulary::RULED.contains(&verb) || vocabulary::DOING.contains(&verb)
    })
}

fn is_ruled(words: &[Word<'_>]) -> bool {
    let verb = words.first().map_or("", |w| w.low.as_str());
    let is = |v: &&str| *v == verb || verb.strip_prefix(*v).is_some_and(|end| matches!(end, "s" | "es"));
    vocabulary::RULED.iter().any(is)
}

fn points(subject: &[Word<'_>]) -> bool {
    let alone = subject.len() == 1 && subject[0].low == "all";
    alone
        || subject.len() > 9
        || any_of(subject, &[",", ":"])
        || subject.last().is_some_and(|w| w.low == "to")
        || subject.first().is_some_and(|w| vocabulary::POINTING.contains(&w.low.as_str()))
}

/// "Composition over inheritance", "tabs, not spaces", "no default exports": things alone, no verb.
fn bare(clause: &Clause<'_, '_>) -> Option<Claim> {
    let bracketed = clause.core.iter().any(|w| w.low.starts_with('(') || w.low == ":");
    if clause.plan || bracketed || any_of(&clause.core[..1], vocabulary::REPORTS) {
        return None;
    }
    if let Some(rest) = strip(clause.core, "no") {
        let missing = any_of(rest, vocabulary::MISSING) || rest.is_empty() || rest.len() > 6;
        return (!missing).then(|| forbidden(rest, true));
    }
    let over = split_at(clause.core, 1, "over").filter(|(_, r)| !r.is_empty());
    let (chosen, rejected) = phrase::parted(clause.core, false).or(over)?;
    let moves = over.is_some() && (any_of(chosen, vocabulary::MOVING) || any_of(rejected, vocabulary::CARRIERS));
    let fact = any_of(clause.core, vocabulary::FACTS)
        || any_of(rejected, vocabulary::MISSING)
        || points(chosen)
        || points(rejected);
    let short = chosen.len() <= 4 && rejected.len() <= 5;
    let cued = clause.decided || !clause.subject.is_empty();
    if moves || fact || !(short || cued) {
        return None;
    }
    let (object, _) = phrase::choice(clause.core);
    Some(claim(Polarity::Choose, object))
}
