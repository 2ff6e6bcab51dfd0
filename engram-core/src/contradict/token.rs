//! The words of a decision, code told from prose.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An ordinary word.
    Word,
    /// A name: an acronym, or a word written with a capital inside the sentence.
    Name,
    /// Code: quoted, or shaped like an identifier, a call, a path, a flag.
    Code,
    /// A comma, a bracket.
    Soft,
    /// The end of a statement.
    Hard,
}

/// One token of a decision.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// As written, without punctuation.
    pub(crate) text: String,
    /// In lower case.
    pub(crate) lower: String,
    pub(crate) kind: TokenKind,
}

/// Takes `text` apart. Costs one pass.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut reader = Reader { out: Vec::new(), fresh: true };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = match span(rest) {
            Some((inside, after)) => {
                reader.push(inside, TokenKind::Code);
                after
            }
            None if c.is_whitespace() => &rest[c.len_utf8()..],
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                reader.word(&rest[..end]);
                &rest[end..]
            }
        };
    }
    reader.out
}

/// A quoted stretch at the beginning of `rest`: its inside and what follows.
fn span(rest: &str) -> Option<(&str, &str)> {
    let quote = rest.chars().next().filter(|c| "`\"'".contains(*c))?;
    let inside = &rest[1..];
    let end = inside.find(quote).filter(|e| (1..=60).contains(e))?;
    Some((&inside[..end], &inside[end + 1..]))
}

struct Reader {
    out: Vec<Token>,
    /// At the beginning of a sentence, where a capital says nothing.
    fresh: bool,
}

impl Reader {
    fn push(&mut self, text: &str, kind: TokenKind) {
        let lower = text.to_lowercase();
        self.fresh = kind == TokenKind::Hard;
        self.out.push(Token { text: text.to_owned(), lower, kind });
    }

    fn word(&mut self, raw: &str) {
        let body = raw.trim_start_matches(['(', '[', '"']);
        if body.len() < raw.len() {
            self.push("(", TokenKind::Soft);
        }
        let mut word = body.trim_end_matches(['.', ',', ';', ':', '?', '"', '\'', ']', '`']);
        if word.ends_with(')') && !word.contains('(') {
            word = word.trim_end_matches(')').trim_end_matches(['.', ',', ';', ':']);
        }
        if word.chars().any(char::is_alphanumeric) || word.starts_with(['*', '!', '$']) {
            self.classified(word);
        } else if !word.is_empty() {
            self.push(word, TokenKind::Hard);
        }
        let tail = &body[word.len()..];
        if tail.contains(['.', ';', ':', '?']) {
            self.push(tail, TokenKind::Hard);
        } else if tail.contains([',', ')', ']']) {
            self.push(tail, TokenKind::Soft);
        }
    }

    fn classified(&mut self, word: &str) {
        // "and/or", "read/write": alternatives, not a path.
        let both = word.split('/').filter(|p| p.len() > 1 && p.chars().all(|c| c.is_ascii_lowercase()));
        if word.contains('/') && both.count() == word.split('/').count() && word.split('/').count() == 2 {
            for part in word.split('/') {
                self.push(part, TokenKind::Word);
                self.push("/", TokenKind::Soft);
            }
            self.out.pop();
            return;
        }
        let kind = if is_code(word) {
            TokenKind::Code
        } else if is_name(word, self.fresh) {
            TokenKind::Name
        } else {
            TokenKind::Word
        };
        self.push(word, kind);
    }
}

const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "etc", "vs", "v1", "v2", "v3", "i/o", "24/7", "n/a"];

/// Whether a word is shaped like code.
pub(crate) fn is_code(word: &str) -> bool {
    if ABBREVIATIONS.contains(&word.to_lowercase().as_str()) || word.parse::<f64>().is_ok() {
        return false;
    }
    let chars: Vec<char> = word.chars().collect();
    let hump = chars.windows(2).any(|w| w[0].is_lowercase() && w[1].is_uppercase());
    let inner_dot = chars.windows(3).any(|w| w[1] == '.' && w[0].is_alphanumeric() && w[2].is_alphabetic());
    let extension = word.starts_with('.') && word.len() > 1 && chars[1].is_alphabetic();
    hump || inner_dot
        || extension
        || word.contains("::")
        || word.contains(['_', '(', '@', '$', '/', '*', '=', '<', '{'])
        || word.starts_with("--")
        || word.starts_with(['!', '#'])
        || word.ends_with('!') && word.len() > 3
}

fn is_name(word: &str, fresh: bool) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let acronym = letters >= 2 && capitals == letters;
    acronym || (!fresh && word.chars().next().is_some_and(char::is_uppercase) && letters >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(String, TokenKind)> {
        tokens(text).into_iter().map(|t| (t.text, t.kind)).collect()
    }

    #[test]
    fn tells_code_names_and_words() {
        use TokenKind::*;
        let got = kinds("Use vi.stubEnv, never `process.env` in SQL or and/or tests (see Luxon).");
        let want: Vec<(String, TokenKind)> = [
            ("Use", Word),
            ("vi.stubEnv", Code),
            (",", Soft),
            ("never", Word),
            ("process.env", Code),
            ("in", Word),
            ("SQL", Name),
            ("or", Word),
            ("and", Word),
            ("/", Soft),
            ("or", Word),
            ("tests", Word),
            ("(", Soft),
            ("see", Word),
            ("Luxon", Name),
            (").", Hard),
        ]
        .map(|(t, k)| (t.to_owned(), k))
        .to_vec();
        assert_eq!(got, want);
    }

    #[test]
    fn keeps_the_bang_of_a_macro_and_the_brackets_of_a_call() {
        let got = kinds("No println! and no eval(), end.");
        let code: Vec<&str> = got.iter().filter(|(_, k)| *k == TokenKind::Code).map(|(t, _)| t.as_str()).collect();
        assert_eq!(code, ["println!", "eval()"]);
    }
}
