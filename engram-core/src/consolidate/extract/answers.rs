//! Short answers: "yes", "3", "option 1" decide what the agent asked before.

use super::agent_words;
use super::candidate::{Candidate, worth};
use super::prose::{self, Form, Unit};
use super::sentence::{has, length, literals, normal, starts};
use super::turns::Turn;
use super::{cues, files, wording};
use crate::capture::event::EventBody;

/// What a short answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// Agreement.
    Yes,
    /// One of the options.
    Option(u32),
}

const YES: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yup",
    "ok",
    "okay",
    "sure",
    "go ahead",
    "please do",
    "do it",
    "sounds good",
    "agreed",
    "correct",
    "exactly",
    "lets do it",
    "lets do that",
    "perfect",
    "good idea",
    "i agree",
    "fine",
    "makes sense",
    "go for it",
    "do that",
];
const ORDINALS: &[(&str, u32)] = &[("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5)];
const LONGEST_YES: usize = 8;
const LONGEST_CHOICE: usize = 400;

/// The reply that `prompt` is, if it is one.
pub(super) fn reply(prompt: &str) -> Option<Reply> {
    let n = normal(prompt);
    if prompt.len() > LONGEST_CHOICE {
        return None;
    }
    if let Some(number) = chosen_number(&n) {
        return Some(Reply::Option(number));
    }
    (starts(&n, YES) && length(&n) <= LONGEST_YES).then_some(Reply::Yes)
}

fn chosen_number(n: &str) -> Option<u32> {
    let mut words = n.split_whitespace().peekable();
    let first: u32 = words.peek()?.parse().unwrap_or(0);
    // "3 and also" answers; "3 tests fail" does not.
    let second = words.clone().nth(1).unwrap_or("and");
    if (1..=20).contains(&first)
        && matches!(second, "and" | "but" | "please" | "is" | "seems" | "looks" | "sounds" | "with" | "i" | "then")
    {
        return Some(first);
    }
    let after = |mark: &str| n.split_once(mark)?.1.split_whitespace().next()?.parse::<u32>().ok();
    if let Some(number) = after(" option ").filter(|_| length(n) < 60) {
        return Some(number);
    }
    let picks = has(n, &["the", "go with", "i like", "lets take", "take", "use", "prefer"]) && length(n) <= 9;
    ORDINALS.iter().find(|(w, _)| picks && has(n, &[w])).map(|(_, number)| *number)
}

/// What the agent put to the user.
#[derive(Debug, Default)]
pub(super) struct Proposal {
    /// The offer at the end, without its question form.
    pub(super) offer: String,
    /// Numbered options.
    pub(super) options: Vec<(u32, String)>,
    /// The sentence that recommends.
    pub(super) advice: String,
    /// The options are a list of tasks.
    pub(super) is_agenda: bool,
}

impl Proposal {
    /// Whether the offer alone does not say what is offered.
    pub(super) fn is_vague(&self) -> bool {
        literals(&self.offer) == 0 && length(&normal(&self.offer)) < 8
    }
}

const OFFERS: &[&str] = &[
    "want me to",
    "would you like me to",
    "should i",
    "shall i",
    "do you want me to",
    "would you like to",
    "may i",
    "ok to",
];
const ADVICE: &[&str] = &[
    "id suggest",
    "i suggest",
    "i recommend",
    "id recommend",
    "my recommendation",
    "makes sense",
    "i think",
    "better here",
    "is better",
    "best option",
    "proposed",
    "i propose",
];

/// Reads what a final message proposes.
pub(super) fn proposal(text: &str) -> Proposal {
    let units = prose::units(text);
    let mut out = Proposal::default();
    for unit in &units {
        note_option(unit, &mut out.options);
        for (i, own) in unit.sentences().iter().enumerate() {
            let n = normal(own);
            if own.ends_with(['?', ':']) && has(&n, OFFERS) {
                out.offer = offered(own);
            } else if has(&n, ADVICE) && out.advice.is_empty() && !own.ends_with([':', '?']) && length(&n) > 4 {
                out.advice = wording::compose(unit, i);
            }
        }
    }
    let all = normal(text);
    out.is_agenda = has(&all, &["todo", "todos", "reply with a number", "backlog", "pending"])
        || units
            .iter()
            .any(|u| u.form == Form::Row && !out.options.is_empty() && has(&normal(&u.text), &["age", "priority"]));
    out
}

fn offered(own: &str) -> String {
    let low = own.to_lowercase();
    let after = OFFERS.iter().filter_map(|o| Some(low.find(o)? + o.len())).next();
    let rest = after.and_then(|at| own.get(at..)).unwrap_or_default();
    rest.trim().trim_end_matches(['?', ':']).trim().to_owned()
}

/// A numbered bullet, a heading "Option 2: ..." or a row that begins with a number. A later list replaces an earlier one.
fn note_option(unit: &Unit, options: &mut Vec<(u32, String)>) {
    let numbered = match unit.form {
        Form::Bullet(number) if number > 0 => Some((number, unit.text.clone())),
        Form::Row => unit
            .text
            .split_once(" | ")
            .and_then(|(n, rest)| Some((n.trim().parse().ok()?, rest.split(" | ").next()?.to_owned()))),
        _ => option_heading(&unit.heading),
    };
    let Some((number, text)) = numbered else { return };
    if options.iter().any(|(n, t)| *n == number && *t == text) {
        return;
    }
    if options.iter().any(|(n, _)| *n == number) || (number == 1 && !options.is_empty()) {
        options.clear();
    }
    options.push((number, text));
}

fn option_heading(heading: &str) -> Option<(u32, String)> {
    let rest = heading.strip_prefix("Option ")?;
    let (number, text) = rest.split_once([':', '.', ' '])?;
    Some((number.trim().parse().ok()?, text.trim_matches([':', '-', ' ', '\u{2014}']).to_owned()))
}

/// What the short answer that opens `turn` decided, given the agent's last message before it.
pub(super) fn decided(turn: &Turn<'_>, before: Option<&Turn<'_>>, at: usize) -> Option<Candidate> {
    let answer = reply(turn.request())?;
    let before = before.filter(|b| !b.text.is_empty())?;
    let asked = proposal(before.text);
    let made = match answer {
        Reply::Option(number) => picked(number, &asked, turn, at)?,
        Reply::Yes => agreed(&asked, before, turn, at)?,
    };
    let about = files::of_sentence(&made.node.description, turn);
    Some(made.of_user().files(about))
}

fn picked(number: u32, asked: &Proposal, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    if asked.is_agenda {
        return None;
    }
    let chosen = &asked.options.iter().find(|(n, _)| *n == number)?.1;
    let others: Vec<String> = asked.options.iter().filter(|(n, _)| *n != number).map(|(_, t)| headline(t)).collect();
    let said = turn.request().trim();
    let mut text = format!("The user chose: {}", wording::ended(&wording::shorten(chosen, 200)));
    if !others.is_empty() {
        text = format!("{text} Not: {}.", others.join("; "));
    }
    if length(&normal(said)) > 4 {
        text = format!("{text} In the user's words: {}", wording::shorten(said, 160).replace('\n', " "));
    }
    let mut made = Candidate::decision(&text, chosen, worth::ANSWER, at).named(&headline(chosen));
    let claim = made.node.claim.get_or_insert_with(Default::default);
    if claim.chosen.is_empty() {
        claim.chosen = headline(chosen);
    }
    claim.rejected.extend(others);
    Some(made)
}

/// An option without its explanation.
fn headline(option: &str) -> String {
    let head = option.split([':', '\u{2014}', '\u{2013}']).next().unwrap_or(option);
    let head = head.split(" - ").next().unwrap_or(head);
    wording::shorten(head.trim(), 80)
}

fn agreed(asked: &Proposal, before: &Turn<'_>, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    let offer = normal(&asked.offer);
    let drives = has(&offer, cues::PROCEDURE) || asked.offer.is_empty();
    if drives || !turn.wrote() {
        return None;
    }
    let result = agent_words::gist(turn.text);
    let subject = offered_in_full(asked, before);
    let mut text = format!("The user agreed: {}", wording::ended(&wording::shorten(&subject, 220)));
    if !result.is_empty() {
        text = format!("{text} Done: {}", wording::ended(&wording::shorten(&result, 160)));
    }
    Some(Candidate::decision(&text, &subject, worth::ANSWER, at).named(&wording::capital(&subject)))
}

/// The offer; a vague one with what it refers to: the advice, the list, or the user's own question.
fn offered_in_full(asked: &Proposal, before: &Turn<'_>) -> String {
    if !asked.is_vague() {
        return asked.offer.clone();
    }
    if literals(&asked.advice) > 0 {
        return asked.advice.clone();
    }
    if reply(before.request()).is_some() && asked.options.len() > 1 {
        let list: Vec<String> = asked.options.iter().map(|(_, t)| headline(t)).collect();
        return format!("{} ({})", asked.offer, list.join("; "));
    }
    format!("{} (asked: {})", asked.offer, wording::shorten(&before.request().replace('\n', " "), 140))
}

/// Answers to multiple-choice questions: each line a question and what was chosen.
pub(super) fn to_questions(turn: &Turn<'_>, at: usize) -> Vec<Candidate> {
    let asked = turn
        .events
        .iter()
        .any(|e| matches!(&e.body, EventBody::Tool { name, .. } if name.to_lowercase().contains("question")));
    let lines = turn.prompts.iter().filter(|_| asked).flat_map(|p| p.lines());
    lines.filter_map(|l| l.split_once("? ")).filter_map(|(q, a)| answered(q, a, turn, at)).collect()
}

fn answered(question: &str, answer: &str, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    let (q, a) = (normal(question), normal(answer));
    let drives =
        has(&q, &["commit", "proceed", "continue", "next", "todo", "ready", "start", "work on", "like to do", "push"])
            || starts(&a, &["yes", "no", "work on it", "proceed", "continue", "skip"]);
    if drives || answer.trim().is_empty() || question.len() > 300 {
        return None;
    }
    let text = format!("{}? The user chose: {}", question.trim(), wording::ended(answer.trim()));
    let made =
        Candidate::decision(&text, answer, worth::ANSWER, at).named(&format!("{}: {}", question.trim(), answer.trim()));
    let mut made = made.of_user().files(files::of_sentence(&text, turn));
    let claim = made.node.claim.get_or_insert_with(Default::default);
    if claim.chosen.is_empty() {
        claim.chosen = answer.trim().to_owned();
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_answers_are_told_from_requests() {
        assert_eq!(reply("yes"), Some(Reply::Yes));
        assert_eq!(reply("ok do it"), Some(Reply::Yes));
        assert_eq!(reply("2"), Some(Reply::Option(2)));
        assert_eq!(reply("I like option 3, because it is simple"), Some(Reply::Option(3)));
        assert_eq!(reply("go with the second one"), Some(Reply::Option(2)));
        assert_eq!(reply("3 tests fail in the importer"), None);
        assert_eq!(reply("ok lets get back to the main branch and pull in the latest"), None);
    }

    #[test]
    fn the_last_list_holds_the_options() {
        let p = proposal(
            "I did:\n1. one\n2. two\n\nWhich way?\n1. **Lock file** - a file beside it\n2. **Socket** - a port\n",
        );
        assert_eq!(p.options, [(1, "Lock file - a file beside it".to_owned()), (2, "Socket - a port".to_owned())]);
        let p = proposal("### Option 1: One table\n- simple\n### Option 2: Two tables\n- fast");
        assert_eq!(p.options, [(1, "One table".to_owned()), (2, "Two tables".to_owned())]);
    }

    #[test]
    fn an_offer_is_read_without_its_question() {
        assert_eq!(proposal("It works.\n\nWant me to move `a` below `b`?").offer, "move `a` below `b`");
    }
}
