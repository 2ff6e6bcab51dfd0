//! Bounded unified diffs, changed lines and evidence, from whatever a harness gives.

mod hunk;
mod patch;
mod source;

pub(crate) use hunk::{Hunk, Line};
pub(crate) use patch::sections;
pub(crate) use source::{between, created, fragment, structured, unified};

use super::event::LinesChanged;
use super::scrub::Scrub;
use crate::text;

/// Bytes of a stored diff.
const MAX_DIFF: usize = 8 * 1024;
/// Of these, bytes for the end of a diff that is too long.
const MAX_TAIL: usize = 2 * 1024;
/// Bytes of one stored line.
const MAX_LINE: usize = 400;
/// A line longer than this was not written by hand.
const MINIFIED: usize = 2_000;
const MAX_EVIDENCE: usize = 1_536;
const EVIDENCE_LINES: usize = 10;
const MIN_EVIDENCE_LINES: usize = 5;
const MAX_RANGES: usize = 64;

/// How a change is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Described {
    pub(crate) diff: String,
    pub(crate) lines_changed: LinesChanged,
    pub(crate) evidence: String,
}

/// Renders the hunks within the bounds; `original` is the whole text before the change, where it is known.
pub(crate) fn describe(hunks: &[Hunk<'_>], original: Option<&str>, scrub: &mut Scrub) -> Described {
    let lines_changed = LinesChanged {
        added: count(hunks, '+'),
        removed: count(hunks, '-'),
        ranges: hunks.iter().filter_map(Hunk::range).take(MAX_RANGES).collect(),
    };
    let rendered = render(hunks, scrub);
    let diff = scrub.text(&rendered, MAX_DIFF);
    let evidence = scrub.text(&evidence(hunks, original), MAX_EVIDENCE);
    Described { diff, lines_changed, evidence }
}

fn count(hunks: &[Hunk<'_>], sign: char) -> u32 {
    let n = hunks.iter().flat_map(|h| &h.lines).filter(|l| l.sign == sign).count();
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The diff as text; of one that is too long the head, the tail and how much is missing.
fn render(hunks: &[Hunk<'_>], scrub: &mut Scrub) -> String {
    let rows: Vec<Row<'_>> = hunks.iter().flat_map(rows).collect();
    let total: usize = rows.iter().map(Row::len).sum();
    let mut out = String::with_capacity(total.min(MAX_DIFF + MAX_LINE));
    if total <= MAX_DIFF {
        rows.iter().for_each(|r| r.write(&mut out));
        return out;
    }
    let mut head = 0;
    while head < rows.len() && out.len() + rows[head].len() <= MAX_DIFF - MAX_TAIL - MAX_LINE {
        rows[head].write(&mut out);
        head += 1;
    }
    let (mut tail, mut size) = (rows.len(), 0);
    while tail > head && size + rows[tail - 1].len() <= MAX_TAIL {
        tail -= 1;
        size += rows[tail].len();
    }
    out.push_str(&format!("\\ {} lines left out\n", tail - head));
    rows[tail..].iter().for_each(|r| r.write(&mut out));
    scrub.note_truncated();
    out
}

/// One line of the rendered diff.
enum Row<'a> {
    Header(String),
    Line(&'a Line<'a>),
}

fn rows<'a>(hunk: &'a Hunk<'a>) -> impl Iterator<Item = Row<'a>> {
    std::iter::once(Row::Header(hunk.header())).chain(hunk.lines.iter().map(Row::Line))
}

impl Row<'_> {
    fn len(&self) -> usize {
        match self {
            Row::Header(h) => h.len() + 1,
            Row::Line(l) if is_unreadable(l.text) => 48,
            Row::Line(l) => l.text.len().min(MAX_LINE + 3) + 2,
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Row::Header(h) => out.push_str(h),
            Row::Line(l) => {
                out.push(l.sign);
                push_line(out, l.text);
            }
        }
        out.push('\n');
    }
}

fn push_line(out: &mut String, line: &str) {
    if is_unreadable(line) {
        out.push_str(&format!("[{} bytes, binary or minified]", line.len()));
    } else if line.len() > MAX_LINE {
        out.push_str(&text::clip_marked(line, MAX_LINE));
    } else {
        out.push_str(line);
    }
}

fn is_unreadable(line: &str) -> bool {
    line.len() > MINIFIED || line.contains('\0')
}

/// 5 to 10 lines of the biggest changed region as it is now.
fn evidence(hunks: &[Hunk<'_>], original: Option<&str>) -> String {
    let biggest = hunks.iter().rev().max_by_key(|h| h.lines.iter().filter(|l| l.sign == '+').count());
    let Some(hunk) = biggest else { return String::new() };
    let after: Vec<&Line<'_>> = hunk.lines.iter().filter(|l| l.sign != '-').collect();
    let first_change = hunk.lines.iter().take_while(|l| l.sign == ' ').count();
    let start = first_change.saturating_sub(2).min(after.len());
    let mut lines: Vec<&str> = after[start..].iter().take(EVIDENCE_LINES).map(|l| l.text).collect();
    widen(&mut lines, hunk, start, &after, original);
    let mut out = String::new();
    for line in lines {
        push_line(&mut out, line);
        out.push('\n');
    }
    out
}

/// Adds lines around a region that is too small to be understood, from the hunk and from the text before the change.
fn widen<'a>(lines: &mut Vec<&'a str>, hunk: &Hunk<'a>, start: usize, after: &[&Line<'a>], original: Option<&'a str>) {
    let mut above: Vec<&str> = after[..start].iter().map(|l| l.text).collect();
    let all: Vec<&str> = match original {
        Some(text) if hunk.old_start > 0 && lines.len() + above.len() < MIN_EVIDENCE_LINES => text.lines().collect(),
        _ => Vec::new(),
    };
    let end = (hunk.old_start.saturating_sub(1) + hunk.old_len()) as usize;
    let below = all.get(end..).unwrap_or(&[]);
    lines.extend(below.iter().take(MIN_EVIDENCE_LINES.saturating_sub(lines.len())));
    if lines.len() < MIN_EVIDENCE_LINES {
        let before = all.get(..(hunk.old_start.saturating_sub(1)) as usize).unwrap_or(&[]);
        above.splice(0..0, before.iter().copied());
        let wanted = above.len().saturating_sub(MIN_EVIDENCE_LINES - lines.len());
        lines.splice(0..0, above.into_iter().skip(wanted));
    }
}

#[cfg(test)]
mod tests;
