//! Which words of a statement are forbidden, which are asked for: negation and its scope.

use super::token::{Token, TokenKind};
use super::vocabulary::{BANNED, BASE_VERBS, FINITE, FORBIDDING, INSTEAD, NEGATIONS, PLACING, SCOPES, STOPS, USING};
use std::ops::Range;

/// How a stretch of words binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    Forbidden,
    Required,
}

/// A stretch of words of a statement and its stance.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) range: Range<usize>,
    pub(crate) stance: Stance,
    /// What must not be done with the things of a forbidden stretch, where that is more than using them.
    pub(crate) verb: Option<String>,
}

const BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being", "get", "gets", "isn't", "aren't"];

/// The stretches of one statement (no [`TokenKind::Hard`] inside), in order.
pub(crate) fn spans(tokens: &[Token]) -> Vec<Span> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < tokens.len() {
        let Some(found) = trigger(tokens, from, at) else {
            at += 1;
            continue;
        };
        if found.start > from {
            out.push(required(from..found.start));
        }
        from = found.end.max(at + 1);
        at = from;
        out.extend(found.spans);
    }
    if from < tokens.len() {
        out.push(required(from..tokens.len()));
    }
    out
}

fn required(range: Range<usize>) -> Span {
    Span { range, stance: Stance::Required, verb: None }
}

struct Trigger {
    /// The words before this one stay as they were.
    start: usize,
    /// Where reading goes on.
    end: usize,
    spans: Vec<Span>,
}

fn trigger(tokens: &[Token], from: usize, at: usize) -> Option<Trigger> {
    if tokens[at].kind != TokenKind::Word {
        return None;
    }
    let word = tokens[at].lower.as_str();
    let next = tokens.get(at + 1).map_or("", |t| t.lower.as_str());
    if NEGATIONS.contains(&word) {
        return negation(tokens, from, at, next);
    }
    if word == "no" && next == "longer" {
        return negation(tokens, from, at + 1, tokens.get(at + 2).map_or("", |t| t.lower.as_str()));
    }
    if INSTEAD.contains(&(word, next)) {
        return Some(forward(tokens, at, at + 2, None));
    }
    let preferred = tokens[from..at].iter().any(|t| {
        matches!(t.lower.as_str(), "prefer" | "prefers" | "preferred" | "choose" | "chose" | "chosen" | "over")
    });
    if word == "over" && preferred {
        return Some(forward(tokens, at, at + 1, None));
    }
    let banned = BANNED.contains(&word) && at > from && BE.contains(&tokens[at - 1].lower.as_str()) && next != "only";
    if banned {
        return Some(backward(tokens, from, at - 1, at + 1, None));
    }
    if word == "only" && at > from && BE.contains(&tokens[at - 1].lower.as_str()) {
        return reserved(tokens, from, at, next);
    }
    if word == "reserved" && next == "for" && at > from {
        return Some(backward(tokens, from, at, at + 1, None));
    }
    let counted =
        matches!(next, "more" | "later" | "earlier" | "less" | "fewer" | "other" | "matter" | "longer" | "one");
    (FORBIDDING.contains(&word) && !counted).then(|| forward(tokens, at, at + 1, None))
}

/// "X is only for main": everywhere else X is ruled out. Only code is taken so: "tests are only for ..." says less.
fn reserved(tokens: &[Token], from: usize, at: usize, next: &str) -> Option<Trigger> {
    let placed = matches!(next, "for" | "in" | "inside" | "within" | "used" | "allowed" | "called");
    let code = tokens[from..at].iter().any(|t| t.kind == TokenKind::Code);
    (placed && code).then(|| backward(tokens, from, at - 1, at + 1, None))
}

/// `X is not VERBED`, `X must not be VERBED`, `never VERB X`, `X, not Y`.
fn negation(tokens: &[Token], from: usize, at: usize, next: &str) -> Option<Trigger> {
    if describes(tokens, from, at) || matches!(next, "only" | "yet" | "just" | "necessarily" | "limited") {
        return None;
    }
    let mut verb_at = at + 1;
    while tokens.get(verb_at).is_some_and(|t| {
        matches!(t.lower.as_str(), "be" | "been" | "being" | "get" | "to" | "directly" | "ever" | "again" | "longer")
    }) {
        verb_at += 1;
    }
    let verb = tokens.get(verb_at).map_or("", |t| t.lower.as_str());
    let before = at.checked_sub(1).filter(|b| *b >= from).map_or("", |b| tokens[b].lower.as_str());
    let passive = (BE.contains(&before)
        || BE.contains(&tokens[at].lower.as_str())
        || tokens[at + 1..verb_at.min(tokens.len())].iter().any(|t| BE.contains(&t.lower.as_str())))
        && is_participle(verb);
    let doing = (!USING.contains(&verb) && (passive || is_base_verb(verb))).then(|| verb.to_owned());
    if !passive {
        let skip = if doing.is_some() || USING.contains(&verb) { verb_at + 1 } else { verb_at };
        return Some(forward(tokens, at, skip, doing));
    }
    // "is not declared with decorators": what is ruled out stands behind.
    let leads = |i: &usize| leads_on(verb, tokens[*i].lower.as_str());
    let by_means = (verb_at + 1..tokens.len().min(verb_at + 3)).find(leads).filter(|i| i + 1 < tokens.len());
    match by_means {
        Some(i) => Some(forward(tokens, at, i + 1, None)),
        None => Some(backward(tokens, from, at, verb_at + 1, doing)),
    }
}

/// Whether what is ruled out stands behind this preposition, and not in front of the verb.
fn leads_on(verb: &str, preposition: &str) -> bool {
    match preposition {
        "as" | "with" | "via" | "through" | "using" => true,
        "from" => matches!(verb, "imported" | "pulled" | "loaded" | "read" | "called" | "fetched" | "inherited"),
        "in" | "to" | "into" | "on" => PLACING.contains(&verb),
        _ => false,
    }
}

/// "work that X cannot do", "if X is not there": a description or a condition, not a prohibition.
fn describes(tokens: &[Token], from: usize, at: usize) -> bool {
    const OPENING: &[&str] = &["that", "which", "who", "if", "when", "where", "because", "whose", "since", "whether"];
    const BINDING: &[&str] = &["must", "should", "shall", "may"];
    let opens = |i: &usize| {
        let word = tokens[*i].lower.as_str();
        // "if" may be the noun ("raw if checks"): a condition begins a clause.
        let first = *i == from || tokens[*i - 1].kind == TokenKind::Soft;
        OPENING.contains(&word) && (*i > from || from == 0) && (first || !matches!(word, "if" | "when" | "where"))
    };
    let last = (from..at).rev().find(|i| tokens[*i].kind == TokenKind::Soft || opens(i));
    let inside = last.is_some_and(|i| opens(&i));
    inside && !tokens[from..at].iter().any(|t| BINDING.contains(&t.lower.as_str())) && tokens[at].lower != "never"
}

fn is_participle(word: &str) -> bool {
    word.ends_with("ed")
        || word.ends_with("en")
        || matches!(
            word,
            "set"
                | "put"
                | "run"
                | "built"
                | "kept"
                | "made"
                | "done"
                | "held"
                | "sent"
                | "left"
                | "read"
                | "cut"
                | "welcome"
                | "ok"
                | "ignored"
                | "thrown"
                | "caught"
                | "shown"
                | "drawn"
                | "known"
                | "bound"
                | "hidden"
        )
}

fn is_base_verb(word: &str) -> bool {
    BASE_VERBS.contains(&word)
}

fn forward(tokens: &[Token], start: usize, begin: usize, verb: Option<String>) -> Trigger {
    let handler = |i: usize| i > 0 && matches!(tokens[i - 1].lower.as_str(), "bare" | "broad" | "blanket" | "empty");
    let stop = |i: usize, t: &Token| {
        let word = t.lower.as_str();
        t.kind == TokenKind::Word && STOPS.contains(&word) && word != "and" && !(word == "except" && handler(i))
    };
    let mut end = begin;
    let mut seen = false;
    while let Some(token) = tokens.get(end) {
        let place = token.kind == TokenKind::Word && SCOPES.contains(&token.lower.as_str());
        let clause = token.kind == TokenKind::Soft && !continues_list(tokens, end);
        let negated = seen && NEGATIONS.contains(&token.lower.as_str());
        let finite = seen && matches!(token.lower.as_str(), "is" | "are" | "must");
        if stop(end, token) || finite || seen && place || clause || negated || starts_clause(tokens, end) {
            break;
        }
        seen |= token.kind != TokenKind::Soft
            && !place
            && !matches!(token.lower.as_str(), "anything" | "any" | "the" | "on");
        end += 1;
    }
    let range = begin.min(tokens.len())..end;
    Trigger { start, end, spans: vec![Span { range, stance: Stance::Forbidden, verb }] }
}

/// After a comma or "and": does a list go on ("a, b and c"), or does a new clause begin?
fn continues_list(tokens: &[Token], at: usize) -> bool {
    let rest = &tokens[at + 1..];
    let head = rest.iter().take_while(|t| t.kind != TokenKind::Soft).take(4);
    !head.clone().any(|t| FINITE.contains(&t.lower.as_str())) && tokens[at].text != "("
}

fn starts_clause(tokens: &[Token], at: usize) -> bool {
    tokens[at].lower == "and" && tokens[at].kind == TokenKind::Word && !continues_list(tokens, at)
}

/// The subject that stands before `end`, back to where its clause begins.
fn backward(tokens: &[Token], from: usize, end: usize, resume: usize, verb: Option<String>) -> Trigger {
    let mut stop = end;
    while stop > from
        && matches!(
            tokens[stop - 1].lower.as_str(),
            "is" | "are" | "was" | "were" | "must" | "may" | "can" | "should" | "shall" | "will" | "do" | "does"
        )
    {
        stop -= 1;
    }
    let mut start = stop;
    while start > from {
        let token = &tokens[start - 1];
        let word = token.lower.as_str();
        let ends = start < stop
            && FINITE.contains(&word)
            && token.kind == TokenKind::Word
            && !matches!(word, "all" | "every" | "each");
        if ends || STOPS.contains(&word) && word != "and" || word == "with" {
            break;
        }
        start -= 1;
    }
    // What the clause before ended with is not part of the subject: "A uses B, C is not used".
    if start > from {
        let cut = tokens[start..stop].iter().position(|t| t.kind == TokenKind::Soft || t.lower == "and");
        start = cut.map_or(start, |c| start + c + 1);
    }
    let span = Span { range: start..stop, stance: Stance::Forbidden, verb };
    Trigger { start, end: resume.min(tokens.len()), spans: vec![span] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contradict::token::tokens;

    fn forbidden(text: &str) -> Vec<(String, Option<String>)> {
        let all = tokens(text);
        let statements = all.split(|t| t.kind == TokenKind::Hard);
        let words =
            |s: &Span, t: &[Token]| t[s.range.clone()].iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" ");
        statements
            .flat_map(|t| {
                spans(t)
                    .into_iter()
                    .filter(|s| s.stance == Stance::Forbidden)
                    .map(|s| (words(&s, t), s.verb))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn finds_what_a_sentence_rules_out() {
        let cases: &[(&str, &[&str])] = &[
            ("Output goes through the Shell; the print macros are not used.", &["the print macros"]),
            ("Use zod instead of yup.", &["yup"]),
            ("Prefer composition over inheritance.", &["inheritance"]),
            ("println!, dbg! and eprintln! are forbidden in library code.", &["println! , dbg! and eprintln!"]),
            ("Never use eval or new Function in handlers.", &["eval or new Function"]),
            ("New features must not require cgo.", &["cgo"]),
            ("Default exports are avoided unless a tool needs one.", &["Default exports"]),
            ("Money is stored as cents, never as floats.", &["as floats"]),
            ("Routes are not declared with decorators.", &["decorators"]),
            ("Tabs are used and spaces are not allowed.", &["spaces"]),
            ("This is not only about style.", &[]),
            ("No more than 3 retries.", &[]),
        ];
        for (text, want) in cases {
            let got: Vec<String> = forbidden(text).into_iter().map(|(t, _)| t).collect();
            assert_eq!(&got, want, "{text}");
        }
    }

    #[test]
    fn keeps_the_verb_where_it_says_more_than_use() {
        let verb = |t: &str| forbidden(t).into_iter().next().and_then(|(_, v)| v);
        assert_eq!(verb("process.env is not assigned directly.").as_deref(), Some("assigned"));
        assert_eq!(verb("Never log passwords.").as_deref(), Some("log"));
        assert_eq!(verb("lodash is not used."), None);
    }
}
