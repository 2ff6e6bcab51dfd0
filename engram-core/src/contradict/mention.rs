//! Finding the notions that a stretch of a decision names.

use super::concept::{self, Concept};
use super::pattern;
use super::token::{Token, TokenKind};

/// Words as mentions are compared with them.
#[derive(Debug)]
pub(crate) struct Wording {
    units: Vec<String>,
    /// The words as written, in lower case, for mentions that hold signs.
    joined: String,
    /// Code tokens in lower case.
    quoted: Vec<String>,
}

impl Wording {
    /// The wording of a stretch of tokens.
    pub(crate) fn of(tokens: &[Token]) -> Wording {
        let code = tokens.iter().filter(|t| t.kind == TokenKind::Code).map(|t| t.lower.clone());
        Wording {
            units: tokens.iter().flat_map(units_of).collect(),
            joined: tokens.iter().map(|t| t.lower.as_str()).collect::<Vec<_>>().join(" "),
            quoted: code.collect(),
        }
    }

    fn with(mut self, verb: Option<&str>) -> Wording {
        self.units.extend(verb.map(light));
        self
    }

    fn names(&self, mention: &str, statement: &Wording) -> bool {
        if let Some(exact) = mention.strip_prefix('`').and_then(|m| m.strip_suffix('`')) {
            return self.quoted.iter().any(|q| q == exact);
        }
        let elsewhere = !mention.starts_with(|c: char| c.is_alphanumeric()) || mention.contains(" + ");
        if !elsewhere && !self.units.iter().any(|u| begin_alike(mention, u)) {
            return false;
        }
        if self.quoted.iter().any(|q| q == mention) {
            return true;
        }
        if mention.contains(" + ") {
            let mut parts = mention.split(" + ");
            return parts.any(|p| phrase_in(p, &self.units))
                && mention.split(" + ").all(|p| phrase_in(p, &statement.units));
        }
        let signs = mention.contains(|c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '-' | '_' | '\''));
        if signs { pattern::contains(&self.joined, mention, false) } else { phrase_in(mention, &self.units) }
    }
}

/// Code is one unit, so that `console.log` does not speak of logs; a path (`a::b`) is its last part.
fn units_of(token: &Token) -> Vec<String> {
    let words = words_of(&token.lower);
    if token.kind != TokenKind::Code || words.len() <= 1 || token.text.contains(' ') {
        return words.iter().map(|w| light(w)).collect();
    }
    match token.text.contains("::") {
        true => words.last().map(|w| light(w)).into_iter().collect(),
        false => vec![token.lower.clone()],
    }
}

/// The notions that a stretch of words names. Of a mention in parts ("bucket + public") one part has to be in the
/// stretch, the others anywhere in the statement.
pub(crate) fn mentioned(part: &[Token], verb: Option<&str>, statement: &Wording) -> Vec<&'static Concept> {
    let wording = Wording::of(part).with(verb);
    concept::all().filter(|c| c.mentions.iter().any(|m| wording.names(m, statement))).collect()
}

/// Whether the words of `phrase` follow each other in `units`, plurals aside. Costs next to nothing where the words
/// begin differently: a decision is held against a thousand phrases.
pub(crate) fn phrase_in(phrase: &str, units: &[String]) -> bool {
    let wanted = || phrase.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    let count = wanted().count();
    count > 0 && units.windows(count).any(|w| wanted().zip(w).all(|(a, b)| begin_alike(a, b) && light(a) == *b))
}

/// Whether two words may have one stem: stemming leaves the first two letters alone.
pub(crate) fn begin_alike(word: &str, stem: &str) -> bool {
    let (a, b) = (word.as_bytes(), stem.as_bytes());
    let n = a.len().min(b.len()).min(2);
    a[..n] == b[..n]
}

/// A word without the ending of a plural. A stemmer goes too far here: it makes "import" of "important", "except" of
/// "exception" and "space" of "spacing".
pub(crate) fn light(word: &str) -> String {
    let cut = match word {
        "https" => 0,
        w if w.len() > 4 && w.ends_with("ies") => return format!("{}y", &w[..w.len() - 3]),
        w if w.len() > 4 && (w.ends_with("sses") || w.ends_with("shes") || w.ends_with("xes")) => 2,
        w if w.len() > 3 && w.ends_with('s') && !w.ends_with("ss") && !w.ends_with("us") && !w.ends_with("is") => 1,
        _ => 0,
    };
    word[..word.len() - cut].to_owned()
}

/// The words of a token in lower case: hyphens, dots and slashes part words.
pub(crate) fn words_of(lower: &str) -> Vec<String> {
    lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        let all = tokens(text);
        mentioned(&all, None, &Wording::of(&all)).iter().map(|c| c.name).collect()
    }

    #[test]
    fn words_that_only_share_a_stem_are_told_apart() {
        assert!(!names("This is important spacing").contains(&"a wildcard import"));
        assert!(!names("generous spacing").contains(&"spaces"));
        assert!(names("wildcard imports").contains(&"a wildcard import"));
        assert!(!names("`console.log`").contains(&"logging"));
        assert!(names("std::fs::canonicalize").contains(&"resolving a path on disk"));
        assert!(names("public buckets of ours").contains(&"closed networks"));
    }
}
