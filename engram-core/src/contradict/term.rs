//! A thing that a decision names, and how to find it on a line.

use super::concept::Concept;
use super::diff::{Diff, Line, Nature};
use super::mention::{begin_alike, words_of};
use super::pattern;
use super::token::{Token, TokenKind};
use super::vocabulary::{COMMON, FILLERS};
use crate::text;

/// How a thing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Code as written: an identifier, a path, a call, a flag.
    Code(String),
    /// A proper name or acronym, in lower case.
    Name(String),
    /// Ordinary words, stemmed.
    Phrase(Vec<String>),
    /// A notion of the tables, by name; only together with a verb.
    Notion(&'static [&'static str]),
}

/// A thing that a decision names.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// As the decision writes it.
    pub(crate) text: String,
    pub(crate) form: Form,
    /// What must not be done with it, where that is more than using it.
    pub(crate) verb: Option<String>,
    /// The decision says that it is called: a variable of the name is another thing.
    pub(crate) called: bool,
}

/// Nouns that say that a name is called.
const CALLED: &[&str] = &["function", "functions", "method", "methods", "call", "calls", "macro", "macros"];

impl Term {
    /// The things that a forbidden stretch of words names.
    pub(crate) fn forbidden(part: &[Token], verb: Option<&str>) -> Vec<Term> {
        let mut out = Vec::new();
        let mut phrase: Vec<&str> = Vec::new();
        for token in part {
            match token.kind {
                TokenKind::Code => out.push(Term::code(&token.text, verb)),
                TokenKind::Name | TokenKind::Word if joins(&token.lower) => phrase.push(&token.lower),
                TokenKind::Word if CALLED.contains(&token.lower.as_str()) => {
                    out.extend(close_phrase(&mut phrase, verb).map(|t| Term { called: true, ..t }));
                }
                TokenKind::Word if FILLERS.contains(&token.lower.as_str()) => {}
                _ => out.extend(close_phrase(&mut phrase, verb)),
            }
        }
        out.extend(close_phrase(&mut phrase, verb));
        out
    }

    /// The thing that a token of a required stretch names, if it is concrete enough to be missed.
    pub(crate) fn required(token: &Token) -> Option<Term> {
        match token.kind {
            TokenKind::Code => Some(Term::code(&token.text, None)),
            TokenKind::Name => Some(Term::name(token)),
            _ => None,
        }
    }

    pub(crate) fn concept_with(concept: &Concept, verb: Option<String>) -> Option<Term> {
        (!concept.shows.is_empty()).then(|| Term {
            text: concept.name.to_owned(),
            form: Form::Notion(concept.shows),
            verb,
            called: false,
        })
    }

    fn code(written: &str, verb: Option<&str>) -> Term {
        Term {
            text: written.to_owned(),
            form: Form::Code(written.to_owned()),
            verb: verb.map(str::to_owned),
            called: false,
        }
    }

    fn name(token: &Token) -> Term {
        Term { text: token.text.clone(), form: Form::Name(token.lower.clone()), verb: None, called: false }
    }

    /// Whether both name the same thing.
    pub(crate) fn same_thing(&self, other: &Term) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }

    /// Whether it is called `name` (lower case).
    pub(crate) fn is_named(&self, name: &str) -> bool {
        match &self.form {
            Form::Phrase(stems) => stems.len() == 1 && stems[0] == text::stem(name),
            _ => self.text.to_lowercase() == name,
        }
    }

    /// Whether `line` holds the thing.
    pub(crate) fn on(&self, line: &Line<'_>, diff: &Diff<'_>) -> bool {
        match &self.form {
            Form::Code(code) => code_on(code, line, diff),
            Form::Name(name) => name_on(name, line),
            Form::Phrase(stems) if stems.len() == 1 => single_on(&stems[0], self.called, line),
            Form::Phrase(stems) => phrase_on(stems, line),
            Form::Notion(patterns) => patterns.iter().any(|p| pattern::found(p, line, diff)),
        }
    }

    /// Whether it is written so that nothing else looks like it.
    pub(crate) fn is_distinct(&self) -> bool {
        matches!(&self.form, Form::Code(c) if c.len() >= 4) || matches!(&self.form, Form::Name(n) if n.len() >= 3)
    }
}

fn joins(word: &str) -> bool {
    !text::is_stop_word(word)
        && !FILLERS.contains(&word)
        && !matches!(word, "plus" | "nor" | "and" | "or" | "never" | "neither")
        && word.len() > 1
}

fn is_common(word: &str) -> bool {
    COMMON.contains(&word) || word.strip_suffix('s').is_some_and(|w| COMMON.contains(&w))
}

/// Ends a noun phrase: up to three words; one word alone must be rare enough.
fn close_phrase(phrase: &mut Vec<&str>, verb: Option<&str>) -> Option<Term> {
    let words = std::mem::take(phrase);
    let lone_common = words.len() == 1 && verb.is_none() && (is_common(words[0]) || words[0].len() < 3);
    if words.is_empty() || words.len() > 3 || lone_common {
        return None;
    }
    let stems: Vec<String> = words.iter().flat_map(|w| words_of(w)).map(|w| text::stem(&w)).collect();
    Some(Term { text: words.join(" "), form: Form::Phrase(stems), verb: verb.map(str::to_owned), called: false })
}

/// The text in which code is looked for: inside strings only where they are data or name what is imported.
fn visible<'l>(line: &'l Line<'_>, diff: &Diff<'_>) -> &'l str {
    let data = !diff.file_of(line).language.strings_are_text || line.nature == Nature::Import;
    if data { &line.text } else { &line.code }
}

fn code_on(code: &str, line: &Line<'_>, diff: &Diff<'_>) -> bool {
    let hay = visible(line, diff);
    let call = code.trim_end_matches("()").trim_end_matches('(');
    if call.len() < 2 {
        return false;
    }
    if spelled(hay, call) {
        return true;
    }
    let last = call.rsplit(['.', ':', '/']).next().unwrap_or(call);
    let distinct = last.len() >= 7
        || last.chars().any(|c| c.is_uppercase()) && last.chars().any(|c| c.is_lowercase()) && last.len() >= 5;
    let tail = last.len() < call.len() && distinct && !call.contains('/') && spelled(hay, last);
    tail || is_identifier(call) && same_identifier(call, line)
}

/// `t.Fatal` is also in `t.Fatalf`: a letter or two of a variant may follow.
fn spelled(hay: &str, needle: &str) -> bool {
    if pattern::contains(hay, needle, false) {
        return true;
    }
    let open = format!("{needle}*");
    needle.contains(['.', ':'])
        && !needle.contains('/')
        && pattern::position(hay, &open, false).is_some_and(|at| {
            let tail = &hay[at + needle.len()..];
            let letters = tail.chars().take_while(|c| c.is_alphanumeric()).count();
            letters <= 2 && tail.chars().take(letters).all(char::is_lowercase)
        })
}

fn is_identifier(code: &str) -> bool {
    code.chars().all(|c| c.is_alphanumeric() || c == '_') && code.len() >= 4
}

/// The same name in another convention: `stub_env` for `stubEnv`.
fn same_identifier(code: &str, line: &Line<'_>) -> bool {
    let plain = |s: &str| s.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect::<String>();
    let wanted = plain(code);
    line.words.iter().any(|w| w.len() >= wanted.len() && plain(w) == wanted)
}

/// `Shell` is on a line that has `shell()`, `Shell::new`, or the word in an identifier of several words.
fn name_on(name: &str, line: &Line<'_>) -> bool {
    let singular = name.strip_suffix('s').filter(|s| s.len() > 3).unwrap_or(name);
    line.words.iter().any(|w| w == name || w == singular)
        || line.nature == Nature::Import && pattern::contains(&line.text, name, true)
}

/// The words of the phrase, near each other and in any order; one word alone must be an identifier of its own.
fn phrase_on(stems: &[String], line: &Line<'_>) -> bool {
    let at = |stem: &String| line.words.iter().position(|w| is_stem_of(stem, w));
    let places: Option<Vec<usize>> = stems.iter().map(at).collect();
    let near = |p: Vec<usize>| p.iter().max().zip(p.iter().min()).is_some_and(|(a, b)| a - b <= p.len());
    places.is_some_and(near)
}

fn is_stem_of(stem: &str, word: &str) -> bool {
    word == stem || begin_alike(word, stem) && text::stem(word) == stem
}

fn single_on(stem: &str, called: bool, line: &Line<'_>) -> bool {
    let mut rest = if line.nature == Nature::Import { line.text.as_str() } else { line.code.as_str() };
    // Identifiers whole: `eval(` and not `medieval`, `no_eval` or `evalResult`.
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric()) {
        let word_end = rest[start..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest.len(), |e| start + e);
        let negated = rest[..start].ends_with(['!']) && line.raw.contains("build");
        let word = rest[start..word_end].to_lowercase();
        let call = !called || rest[word_end..].starts_with(['(', '!']);
        if is_stem_of(stem, &word) && !negated && call {
            return true;
        }
        rest = &rest[word_end..];
    }
    false
}
