//! Takes comments out of a line and blanks the inside of strings.

use super::file_kind::Language;

const LONG_QUOTE: &str = "\"\"\"";

/// Where the previous line of the same side left off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    Code,
    BlockComment,
    /// A string over lines that is no comment: Python's `x = """`.
    LongString,
}

/// A line without its comments.
#[derive(Debug)]
pub(crate) struct Stripped {
    /// Comments cut.
    pub(crate) text: String,
    /// Comments cut, insides of strings blanked.
    pub(crate) code: String,
}

impl Mask {
    /// Strips one line. Costs one pass over it.
    pub(crate) fn strip(&mut self, line: &str, language: &Language) -> Stripped {
        let mut cursor = Cursor { rest: line, out: Stripped { text: String::new(), code: String::new() }, quote: None };
        if *self == Mask::Code && continues_a_comment(line, language) {
            return cursor.out;
        }
        let mut before = ' ';
        while !cursor.rest.is_empty() {
            before = match *self {
                Mask::BlockComment => self.in_comment(&mut cursor, language),
                Mask::LongString => self.in_long_string(&mut cursor),
                Mask::Code => match self.in_code(&mut cursor, language, before) {
                    Some(c) => c,
                    None => break,
                },
            };
        }
        cursor.out
    }

    fn in_comment(&mut self, cursor: &mut Cursor<'_>, language: &Language) -> char {
        let close = language.block_comment.map_or("", |(_, c)| c);
        cursor.rest = match cursor.rest.find(close) {
            Some(at) => {
                *self = Mask::Code;
                &cursor.rest[at + close.len()..]
            }
            None => "",
        };
        ' '
    }

    fn in_long_string(&mut self, cursor: &mut Cursor<'_>) -> char {
        let end = cursor.rest.find(LONG_QUOTE).unwrap_or(cursor.rest.len());
        cursor.rest[..end].chars().for_each(|c| cursor.emit(c, false));
        cursor.rest = &cursor.rest[end..];
        if let Some(after) = cursor.rest.strip_prefix(LONG_QUOTE) {
            *self = Mask::Code;
            cursor.rest = after;
        }
        '"'
    }

    /// One step in code; `None` where a comment takes the rest of the line.
    fn in_code(&mut self, cursor: &mut Cursor<'_>, language: &Language, before: char) -> Option<char> {
        if cursor.quote.is_none() {
            if let Some((open, _)) = language.block_comment.filter(|(o, _)| cursor.rest.starts_with(o)) {
                let value = *open == *LONG_QUOTE && !cursor.out.text.trim().is_empty();
                *self = if value { Mask::LongString } else { Mask::BlockComment };
                cursor.rest = &cursor.rest[open.len()..];
                return Some(' ');
            }
            if language.line_comments.iter().any(|c| opens(cursor.rest, c, before)) {
                return None;
            }
        }
        cursor.step(language)
    }
}

/// `#` opens a comment only after a space: `#[attribute]`, `a#b`, `$#` and colours are none. `--` and `//` need no space.
fn opens(rest: &str, mark: &str, before: char) -> bool {
    rest.starts_with(mark) && (mark.len() > 1 || before.is_whitespace()) && !rest.starts_with("#!")
}

/// The middle of a block comment that began above the hunk: ` * text`.
fn continues_a_comment(line: &str, language: &Language) -> bool {
    let trimmed = line.trim_start();
    let starred = trimmed == "*" || trimmed.starts_with("* ") || trimmed.starts_with("*/");
    starred && language.block_comment.is_some_and(|(o, _)| o == "/*") && line.starts_with([' ', '\t', '*'])
}

struct Cursor<'a> {
    rest: &'a str,
    out: Stripped,
    quote: Option<char>,
}

impl Cursor<'_> {
    fn step(&mut self, language: &Language) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        if self.quote.is_some() && c == '\\' {
            self.rest = chars.as_str();
            self.emit(c, false);
            let escaped = chars.next()?;
            self.emit(escaped, false);
        } else if self.quote == Some(c) {
            self.quote = None;
            self.emit(c, true);
        } else if self.quote.is_none() && language.quotes.contains(c) && self.closes(c, chars.as_str()) {
            self.quote = Some(c);
            self.emit(c, true);
        } else {
            self.emit(c, self.quote.is_none());
        }
        self.rest = chars.as_str();
        Some(c)
    }

    /// A quote that is never closed on its line is an apostrophe, or a string over lines: not worth blanking.
    fn closes(&self, quote: char, after: &str) -> bool {
        quote == '`' || after.contains(quote)
    }

    fn emit(&mut self, c: char, shown: bool) {
        self.out.text.push(c);
        self.out.code.push(if shown { c } else { ' ' });
    }
}

#[cfg(test)]
mod tests {
    use super::super::file_kind::language;
    use super::*;

    fn strip(path: &str, lines: &[&str]) -> Vec<(String, String)> {
        let mut mask = Mask::Code;
        let strip = |l: &&str| {
            let s = mask.strip(l, &language(path));
            (s.text, s.code)
        };
        lines.iter().map(strip).collect()
    }

    #[test]
    fn comments_go_and_strings_blank() {
        let got = strip("a.ts", &["f('http://x', \"a\\\"b\"); // f()"]);
        assert_eq!(got[0].0, "f('http://x', \"a\\\"b\"); ");
        assert_eq!(got[0].1, "f('        ', \"    \"); ");
    }

    #[test]
    fn block_comments_span_lines_and_attributes_are_no_comments() {
        let got = strip("a.rs", &["a(); /* b", "c", "d */ e();", "#[allow(x)]", "let a: &'static str = b;"]);
        let text: Vec<&str> = got.iter().map(|g| g.0.trim()).collect();
        assert_eq!(text, ["a();", "", "e();", "#[allow(x)]", "let a: &'static str = b;"]);
        assert_eq!(strip("a.sh", &["x=1 # note", "echo \"#no\"", "${#a[@]}"])[1].1.trim(), "echo \"   \"");
    }
}
