//! What the user lays down: rules, choices, corrections, facts to be kept in mind.

use super::candidate::{Candidate, worth};
use super::prose::{self, Form, Unit};
use super::sentence::{has, is_english, length, literals, normal, starts};
use super::turns::Turn;
use super::{answers, cues, files, pasted, wording};
use crate::graph::claim;
use crate::graph::node::{MemoryKind, NodeType};

/// A longer prompt is a document; what it holds is read in other ways.
const LONGEST_PROMPT: usize = 2_000;
const LONGEST_SENTENCE: usize = 400;
const SHORTEST: usize = 4;

/// Memories in the user's words of one turn. `topic` says what the conversation is about.
pub(super) fn read(turn: &Turn<'_>, at: usize, topic: &str) -> Vec<Candidate> {
    let own = |p: &&&str| p.len() <= LONGEST_PROMPT && !pasted::is_document(p) && answers::reply(p).is_none();
    turn.prompts.iter().filter(own).flat_map(|p| prompt(p, turn, at, topic)).collect()
}

fn prompt(text: &str, turn: &Turn<'_>, at: usize, topic: &str) -> Vec<Candidate> {
    let units = prose::units(text);
    let mut before = String::new();
    let mut made = Vec::new();
    for unit in units.iter().filter(|u| !matches!(u.form, Form::Row)) {
        for sentence in unit.sentences() {
            made.extend(statement(sentence, &Around { unit, before: &before, topic }, turn, at));
            sentence.clone_into(&mut before);
        }
    }
    made
}

/// What stands around a sentence of the user's.
struct Around<'a> {
    unit: &'a Unit,
    before: &'a str,
    topic: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Fact,
    Correction,
    Preference,
    Rule,
    Wish,
}

fn statement(own: &str, around: &Around<'_>, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    if around.unit.form == Form::Quote || own.len() > LONGEST_SENTENCE {
        return None;
    }
    let n = normal(own);
    let said = kind_of(own, &n, at > 0 || !around.topic.is_empty())?;
    let text = in_full(own, around);
    let made = match said {
        Said::Fact => Candidate::new(NodeType::Finding, &text, worth::WISH, at),
        Said::Correction => Candidate::decision(&text, own, worth::CORRECTION, at).kind(MemoryKind::Correction),
        Said::Preference => Candidate::decision(&text, own, worth::RULE, at).kind(MemoryKind::Preference),
        Said::Rule => Candidate::decision(&text, own, worth::RULE, at),
        Said::Wish => Candidate::decision(&text, own, worth::WISH, at),
    };
    // A preference is about work in general, whatever was at hand when it was stated.
    let about = if said == Said::Preference { files::named(&text, turn) } else { files::of_sentence(&text, turn) };
    Some(made.of_user().named(&wording::capital(own)).files(about))
}

fn kind_of(own: &str, n: &str, answering: bool) -> Option<Said> {
    if own.ends_with('?') || !is_english(n) || length(n) < SHORTEST || has(n, cues::NO_RULE) {
        return None;
    }
    if has(n, cues::KEEP_IN_MIND) {
        return Some(Said::Fact);
    }
    let general = has(n, cues::GENERAL);
    let binds = turns_down(own) || has(n, cues::BINDING) || (has(n, cues::RULE) && length(n) >= 5);
    if !binds && !general {
        return None;
    }
    let drives = has(n, cues::PROCEDURE);
    let strong = has(n, cues::STRONG) || turns_down(own);
    // Without a thing to hold on to, only what binds clearly is more than a task.
    if has(n, cues::MUSING) || (!strong && !general && literals(own) == 0) || (!strong && !general && length(n) < 7) {
        return None;
    }
    match (general, drives) {
        (true, _) if drives || has(n, cues::CONDUCT) => Some(Said::Preference),
        (false, true) if !has(n, &["never", "always", "must", "instead", "should not", "shouldnt"]) => None,
        _ if answering && corrects(n) => Some(Said::Correction),
        (true, _) => Some(Said::Rule),
        _ if has(n, &["must", "should only", "should be", "should not", "shouldnt", "no longer", "only"]) => {
            Some(Said::Rule)
        }
        _ => Some(Said::Wish),
    }
}

/// Whether a sentence names both what is wanted and what is not.
fn turns_down(own: &str) -> bool {
    claim::parse(own).is_some_and(|c| !c.chosen.is_empty() && !c.rejected.is_empty())
}

fn corrects(n: &str) -> bool {
    has(n, cues::CORRECTION) || starts(n, &["no", "nope", "not"])
}

/// The sentence with what it points back to.
fn in_full(own: &str, around: &Around<'_>) -> String {
    let lead = wording::tidy_lead(&around.unit.lead);
    let text = if wording::points_back(own) && !around.before.is_empty() {
        format!("{} {}", wording::ended(around.before), wording::ended(own))
    } else if wording::says_something(&lead) && lead.len() < 120 {
        format!("{lead}: {}", wording::ended(own))
    } else {
        wording::ended(own)
    };
    let text = wording::capital(unopened(&text));
    let bare = wording::points_back(own) && (around.before.is_empty() || literals(&text) == 0);
    if bare && !around.topic.is_empty() && !has(&normal(own), cues::GENERAL) {
        format!("{text} (said of: {})", wording::shorten(around.topic, 110))
    } else {
        text
    }
}

/// Without the word that only opens it.
fn unopened(text: &str) -> &str {
    let openers = [
        "ok, ",
        "OK, ",
        "Ok, ",
        "ok ",
        "okay, ",
        "yes, ",
        "no, ",
        "No, ",
        "also, ",
        "and ",
        "but ",
        "so ",
        "can you please ",
        "can you ",
        "could you ",
        "please ",
        "also ",
        "basically ",
    ];
    openers.iter().find_map(|o| text.strip_prefix(o)).unwrap_or(text).trim_start_matches([',', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(prompt: &str) -> Vec<(Option<MemoryKind>, String)> {
        let turn = Turn { prompts: vec![prompt], ..Turn::default() };
        read(&turn, 1, "Add a cache to the importer").into_iter().map(|c| (c.node.kind, c.node.description)).collect()
    }

    #[test]
    fn rules_choices_and_corrections_are_told_apart() {
        assert_eq!(
            said("never write to the `legacy` table, reports read it"),
            [(None, "Never write to the `legacy` table, reports read it.".to_owned())]
        );
        assert_eq!(said("from now on always run the linter before you commit")[0].0, Some(MemoryKind::Preference));
        let got = said("- the worker polls every second\n\nThis should not poll, only the scheduler may wake it");
        assert_eq!(got[0].0, Some(MemoryKind::Correction));
        assert!(got[0].1.starts_with("The worker polls every second. This should not poll"), "{got:?}");
        assert!(said("keep in mind that two workers may share one queue file")[0].1.contains("share one queue"));
    }

    #[test]
    fn questions_and_driving_words_are_nothing() {
        for talk in [
            "does it always run twice?",
            "ok lets get back to main",
            "commit this and push",
            "I don't know if that is right",
            "yes please",
            "check the comment on the pr",
            "I think we need only a moment? what do you say?",
            "nur noch pnpm verwenden und niemals npm",
        ] {
            assert!(said(talk).is_empty(), "{talk}: {:?}", said(talk));
        }
    }

    #[test]
    fn a_statement_without_an_object_names_the_topic() {
        let got = said("this should stay off by default instead");
        assert!(got[0].1.contains("(said of: Add a cache to the importer)"), "{got:?}");
    }
}
