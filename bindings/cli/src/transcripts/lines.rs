//! Lines of a file as JSON objects, one at a time, within bounds.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};

/// Longer lines are skipped; the largest seen in recorded sessions is below 1 MiB.
const LINE_BYTES: usize = 64 << 20;

/// Reads objects, and counts what is none.
#[derive(Debug)]
pub(super) struct Objects<R> {
    from: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    pub(super) skipped: usize,
}

impl<R: Read> Objects<R> {
    pub(super) fn new(from: R) -> Objects<R> {
        Objects { from: BufReader::with_capacity(64 << 10, from), line: Vec::new(), limit: LINE_BYTES, skipped: 0 }
    }

    /// The next line that is an object; `None` at the end.
    pub(super) fn next_object(&mut self) -> io::Result<Option<Value>> {
        while self.next_line()? {
            if self.line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match serde_json::from_slice::<Value>(&self.line) {
                Ok(value) if value.is_object() => return Ok(Some(value)),
                _ => self.skipped += 1,
            }
        }
        Ok(None)
    }

    /// Puts the next line into `self.line`; false at the end. A line over the limit comes as a text that is no JSON.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut any = false;
        loop {
            let chunk = self.from.fill_buf()?;
            if chunk.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = chunk.iter().position(|b| *b == b'\n');
            let used = end.map_or(chunk.len(), |e| e + 1);
            // One byte over the limit stays, so that the line is known to be too long and fails to parse.
            let room = (self.limit + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&chunk[..used.min(room)]);
            self.from.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn objects(text: &[u8], limit: usize) -> (Vec<Value>, usize) {
        let mut objects = Objects { limit, ..Objects::new(text) };
        let mut found = Vec::new();
        while let Some(o) = objects.next_object().unwrap() {
            found.push(o);
        }
        (found, objects.skipped)
    }

    #[test]
    fn bad_lines_are_counted_and_do_not_hide_good_ones() {
        let text = b"{\"a\":1}\n\nnot json\n[1]\n\xff\xfe\n{\"a\":2}\r\n{\"torn\":";
        assert_eq!(objects(text, 1000), (vec![json!({"a": 1}), json!({"a": 2})], 4));
    }

    #[test]
    fn a_line_over_the_limit_is_skipped() {
        let long = format!("{{\"a\":\"{}\"}}\n{{\"b\":1}}", "x".repeat(200_000));
        assert_eq!(objects(long.as_bytes(), 1000), (vec![json!({"b": 1})], 1));
        assert_eq!(objects(long.as_bytes(), 300_000).1, 0);
        // A line of just the limit is whole.
        assert_eq!(objects(b"{\"b\":1}\n", 8), (vec![json!({"b": 1})], 0));
    }
}
