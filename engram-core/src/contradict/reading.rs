//! What the rules need to know of a decision, read out of its words.

use super::DecisionText;
use super::concept::{self, Concept};
use super::mention::{Wording, light, mentioned, phrase_in, words_of};
use super::rival::{self, Family};
use super::stance::{self, Span, Stance};
use super::term::Term;
use super::token::{self, Token, TokenKind};
use super::vocabulary::BINDING;
use crate::graph::node::{Claim, Trust};
use crate::text;

/// Whether a decision speaks of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AboutTests {
    /// It does not: test files may break it.
    No,
    /// It mentions them: every file counts.
    Mentions,
    /// It is about tests alone.
    Only,
}

/// A decision, taken apart.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) forbidden: Vec<Term>,
    pub(crate) required: Vec<Term>,
    pub(crate) forbidden_concepts: Vec<&'static Concept>,
    pub(crate) required_concepts: Vec<&'static Concept>,
    /// Names of libraries and tools that the decision chose, with the family each belongs to.
    pub(crate) chosen: Vec<(&'static str, &'static Family)>,
    /// It binds every use: always, must, each, wherever, only.
    pub(crate) binds_all: bool,
    /// Words (stemmed) of places and cases that it leaves out.
    pub(crate) exempt: Vec<String>,
    pub(crate) about_tests: AboutTests,
    pub(crate) about_documents: bool,
    /// Every word as mentions are compared.
    units: Vec<String>,
    /// The word before "table", "log" and their like, stemmed: what the decision is about, where it says so.
    pub(crate) holder: Option<String>,
    /// Every word, stemmed, in order.
    pub(crate) stems: Vec<String>,
    /// Every word in lower case, in order.
    pub(crate) words: Vec<String>,
    pub(crate) by_user: bool,
}

const EXEMPTING: &[&str] = &["outside", "except", "unless", "excluding", "besides"];

const BACKGROUND: &str = "background work without an end";
const ENDING: &str = "an end that can be awaited";

impl Reading {
    /// Reads a decision. Costs a pass over its words for each notion of the tables, some tens of microseconds.
    pub(crate) fn of(decision: &DecisionText) -> Reading {
        let tokens = token::tokens(text::clip(&decision.text, 2_000));
        let mut reading = Reading::empty(&tokens, decision.trust);
        for statement in tokens.split(|t| t.kind == TokenKind::Hard) {
            reading.statement(statement);
        }
        if let Some(claim) = &decision.claim {
            reading.add_claim(claim);
        }
        reading.settle();
        reading
    }

    fn empty(tokens: &[Token], trust: Trust) -> Reading {
        let words: Vec<String> = tokens.iter().flat_map(|t| words_of(&t.lower)).collect();
        let stems: Vec<String> = words.iter().map(|w| text::stem(w)).collect();
        let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
        Reading {
            forbidden: Vec::new(),
            required: Vec::new(),
            forbidden_concepts: Vec::new(),
            required_concepts: Vec::new(),
            chosen: Vec::new(),
            binds_all: has(BINDING),
            exempt: exempt(tokens),
            about_tests: about_tests(&words),
            about_documents: has(&["readme", "changelog", "docs", "documentation"]),
            units: words.iter().map(|w| light(w)).collect(),
            holder: holder(&words),
            stems,
            words,
            by_user: trust == Trust::User,
        }
    }

    fn statement(&mut self, tokens: &[Token]) {
        let all = Wording::of(tokens);
        for span in stance::spans(tokens) {
            let part = &tokens[span.range.clone()];
            match span.stance {
                Stance::Forbidden => self.forbid(part, &span, &all),
                Stance::Required => self.require(part, &all),
            }
        }
    }

    fn forbid(&mut self, part: &[Token], span: &Span, statement: &Wording) {
        let plain = mentioned(part, None, statement);
        // "tests are never skipped": the verb is half of the notion.
        if let Some(verb) = span.verb.as_deref().filter(|_| plain.is_empty() && Term::forbidden(part, None).is_empty())
        {
            mentioned(part, Some(verb), statement).into_iter().for_each(|c| self.forbid_concept(c));
        }
        for concept in plain {
            // "never log passwords": a log call as such is no breach.
            match &span.verb {
                Some(_) if concept.breaks.is_empty() => {
                    self.forbidden.extend(Term::concept_with(concept, span.verb.clone()));
                }
                _ => self.forbid_concept(concept),
            }
        }
        self.forbidden.extend(Term::forbidden(part, span.verb.as_deref()));
    }

    /// A notion that has an opposite is a good thing: where its words are ruled out ("never as root"), the opposite is.
    fn forbid_concept(&mut self, concept: &'static Concept) {
        let two_sided = matches!(concept.name, "tabs" | "spaces");
        if concept.breaks.is_empty() || two_sided {
            self.forbidden_concepts.push(concept);
        } else {
            self.required_concepts.push(concept);
        }
    }

    fn require(&mut self, part: &[Token], statement: &Wording) {
        self.required_concepts.extend(mentioned(part, None, statement));
        self.required.extend(part.iter().filter_map(Term::required));
        let named = |t: &&Token| t.kind != TokenKind::Word || !rival::is_everyday(&t.lower);
        for token in part.iter().filter(named) {
            self.chosen.extend(rival::family_of(&token.lower));
        }
    }

    fn add_claim(&mut self, claim: &Claim) {
        for rejected in &claim.rejected {
            let tokens = token::tokens(rejected);
            self.forbid(
                &tokens,
                &Span { range: 0..tokens.len(), stance: Stance::Forbidden, verb: None },
                &Wording::of(&tokens),
            );
        }
        let chosen = token::tokens(&claim.chosen);
        self.require(&chosen, &Wording::of(&chosen));
    }

    /// What is ruled out in one place is not asked for in another, and a thing is named once.
    fn settle(&mut self) {
        dedup_concepts(&mut self.forbidden_concepts);
        dedup_concepts(&mut self.required_concepts);
        let banned: Vec<&str> = self.forbidden_concepts.iter().map(|c| c.name).collect();
        self.required_concepts.retain(|c| !banned.contains(&c.name));
        let forbidden = &self.forbidden;
        self.required.retain(|r| !forbidden.iter().any(|f| f.same_thing(r)));
        self.chosen.retain(|(name, _)| !forbidden.iter().any(|f| f.is_named(name)));
        // Work in the background is ruled out only where nothing can end it.
        if self.forbidden_concepts.iter().any(|c| c.name == BACKGROUND) {
            self.forbidden_concepts.retain(|c| c.name != BACKGROUND);
            self.require_concepts(&[BACKGROUND, ENDING]);
        }
        // Money rules speak of floats, but only where there is money.
        if self.mentions_concept("exact money") {
            self.forbidden_concepts.retain(|c| c.name != "floating point");
            self.forbidden.retain(|t| !["float", "double", "f64", "real"].iter().any(|f| t.is_named(f)));
            self.require_concepts(&["exact money"]);
        }
    }

    fn require_concepts(&mut self, names: &[&str]) {
        self.required_concepts.extend(concept::all().filter(|c| names.contains(&c.name)));
        dedup_concepts(&mut self.required_concepts);
    }

    fn mentions_concept(&self, name: &str) -> bool {
        concept::all().any(|c| c.name == name && c.mentions.iter().any(|m| phrase_in(m, &self.units)))
    }

    /// Whether one of `list` is among its words.
    pub(crate) fn says(&self, list: &[&str]) -> bool {
        self.words.iter().any(|w| list.contains(&w.as_str()))
    }
}

fn dedup_concepts(concepts: &mut Vec<&'static Concept>) {
    let mut seen = std::collections::BTreeSet::new();
    concepts.retain(|c| seen.insert(c.name));
}

fn about_tests(words: &[String]) -> AboutTests {
    let test = |w: &String| matches!(w.as_str(), "test" | "tests" | "testing" | "spec" | "specs");
    let first = words.iter().position(test);
    match first {
        None => AboutTests::No,
        Some(at) if at <= 1 || at >= 1 && words[at - 1] == "in" => AboutTests::Only,
        Some(_) => AboutTests::Mentions,
    }
}

/// The words after "outside", "except", "unless" and "only in", up to the end of the statement.
fn exempt(tokens: &[Token]) -> Vec<String> {
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map_or("", |t| t.lower.as_str());
        let opens = EXEMPTING.contains(&token.lower.as_str())
            || matches!(
                (token.lower.as_str(), next),
                ("other", "than")
                    | ("reserved", "for")
                    | ("apart", "from")
                    | ("only", "in" | "inside" | "within" | "for")
            );
        if opens {
            let tail = tokens[i + 1..].iter().take_while(|t| t.kind != TokenKind::Hard).take(8);
            out.extend(
                tail.flat_map(|t| words_of(&t.lower)).filter(|w| !text::is_stop_word(w)).map(|w| text::stem(&w)),
            );
        }
    }
    out
}

/// "The audit table is append-only" is about the audit table, not about every table.
fn holder(words: &[String]) -> Option<String> {
    const HOLDERS: &[&str] = &["table", "log", "collection", "topic", "queue", "stream", "index"];
    const NOBODY: &[&str] =
        &["money", "new", "large", "existing", "database", "lookup", "public", "sql", "big", "search", "unique"];
    let at = words.iter().position(|w| HOLDERS.contains(&w.as_str()))?;
    let owner = at.checked_sub(1).map(|b| words[b].as_str())?;
    (!text::is_stop_word(owner) && !NOBODY.contains(&owner)).then(|| text::stem(owner))
}
