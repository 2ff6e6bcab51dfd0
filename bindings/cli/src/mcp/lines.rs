//! Lines of a stream within a bound: a longer one is read over, not kept.

use std::io::{self, BufRead};

/// Longest message that is read.
const LINE_BYTES: usize = 4 << 20;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    TooLong,
}

/// The lines of `input`, without their ends; bytes that are no UTF-8 are replaced.
pub(super) fn lines(mut input: impl BufRead) -> impl Iterator<Item = io::Result<Line>> {
    std::iter::from_fn(move || next(&mut input).transpose())
}

fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let (mut line, mut any, mut long) = (Vec::new(), false, false);
    loop {
        let chunk = match input.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() && !any {
            return Ok(None);
        }
        any = true;
        let end = chunk.iter().position(|b| *b == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        long |= line.len() + part.len() > LINE_BYTES;
        if !long {
            line.extend_from_slice(part);
        }
        let (used, over) = (end.map_or(chunk.len(), |e| e + 1), end.is_some() || chunk.is_empty());
        input.consume(used);
        if over {
            let text = || Line::Text(String::from_utf8_lossy(&line).into_owned());
            return Ok(Some(if long { Line::TooLong } else { text() }));
        }
    }
}
