//! Finds where the first JSON object of a growing buffer ends.

use std::ops::Range;

/// What is known after the bytes so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// More bytes are needed.
    Open,
    /// The object is these bytes.
    Complete(Range<usize>),
    /// The first thing in the buffer is no object.
    NotAnObject,
}

/// Counts braces and brackets outside of strings. It looks at each byte once, whatever the sizes of the pieces.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    at: usize,
    start: Option<usize>,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// Whether the object's first brace was seen.
    pub(super) fn begun(&self) -> bool {
        self.start.is_some()
    }

    /// Goes on to the end of `bytes`, which must begin with the bytes of the call before.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> State {
        let start = match self.start {
            Some(start) => start,
            None => match self.find_start(bytes) {
                Ok(start) => start,
                Err(state) => return state,
            },
        };
        while let Some(&b) = bytes.get(self.at) {
            self.at += 1;
            if self.step(b) {
                return State::Complete(start..self.at);
            }
        }
        State::Open
    }

    fn find_start(&mut self, bytes: &[u8]) -> Result<usize, State> {
        let bom = bytes.starts_with(b"\xef\xbb\xbf");
        self.at = self.at.max(if bom { 3 } else { 0 });
        let skipped = bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
        self.at += skipped;
        match bytes.get(self.at) {
            Some(b'{') => {
                self.start = Some(self.at);
                Ok(self.at)
            }
            // The mark may have come in pieces.
            Some(0xef | 0xbb) if bytes.len() < 3 => Err(State::Open),
            Some(_) => Err(State::NotAnObject),
            None => Err(State::Open),
        }
    }

    /// Takes one byte; true when it closes the object.
    fn step(&mut self, b: u8) -> bool {
        if self.in_string {
            self.in_string = self.escaped || b != b'"';
            self.escaped = !self.escaped && b == b'\\';
            return false;
        }
        match b {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => return false,
        }
        self.depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_pieces(bytes: &[u8], size: usize) -> State {
        let mut scanner = Scanner::default();
        let ends = (size..bytes.len()).step_by(size).chain([bytes.len()]);
        ends.map(|end| scanner.advance(&bytes[..end])).find(|s| *s != State::Open).unwrap_or(State::Open)
    }

    #[test]
    fn finds_the_end_whatever_the_pieces() {
        let text = "\u{feff} \n{\"a\":\"}\\\"{\\\\\",\"b\":[{},[]]}{\"next\":1}";
        let end = text.find("{\"next").unwrap();
        for size in 1..text.len() {
            assert_eq!(in_pieces(text.as_bytes(), size), State::Complete(5..end), "pieces of {size}");
        }
    }

    #[test]
    fn anything_but_an_object_is_told_at_once() {
        for text in ["[1]", "\"{}\"", "hello {}", "7", "\u{7f}{}"] {
            assert_eq!(in_pieces(text.as_bytes(), 1), State::NotAnObject, "{text}");
        }
        for text in ["", "  \n\0", "{\"a\":\"}", "{\"a\":\"\\\"}", "{{}"] {
            assert_eq!(in_pieces(text.as_bytes(), 1), State::Open, "{text}");
        }
    }
}
