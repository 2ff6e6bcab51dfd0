//! Hunks out of the forms in which harnesses give a change.

use super::hunk::{Hunk, Line};
use imara_diff::{Algorithm, Diff, InternedInput};
use serde_json::Value;

const CONTEXT: u32 = 3;

/// Claude Code's `structuredPatch`.
pub(crate) fn structured(patch: &[Value]) -> Vec<Hunk<'_>> {
    let hunk = |h: &'_ Value| -> Option<(u32, u32)> { Some((number(h, "oldStart")?, number(h, "newStart")?)) };
    let whole = |h| {
        let (old_start, new_start) = hunk(h)?;
        let lines = h.get("lines")?.as_array()?.iter().filter_map(Value::as_str).filter_map(Line::parse).collect();
        Some(Hunk { old_start, new_start, lines }.trimmed(CONTEXT as usize))
    };
    patch.iter().filter_map(whole).filter(Hunk::changes_something).collect()
}

fn number(value: &Value, key: &str) -> Option<u32> {
    value.get(key)?.as_u64().and_then(|n| u32::try_from(n).ok())
}

/// A unified diff of one file, with or without its header.
pub(crate) fn unified(diff: &str) -> Vec<Hunk<'_>> {
    let mut hunks: Vec<Hunk<'_>> = Vec::new();
    for raw in diff.lines() {
        if let Some((old_start, new_start)) = header(raw) {
            hunks.push(Hunk { old_start, new_start, lines: Vec::new() });
        } else if let Some(hunk) = hunks.last_mut() {
            hunk.lines.extend(Line::parse(raw));
        }
    }
    hunks.into_iter().map(|h| h.trimmed(CONTEXT as usize)).filter(Hunk::changes_something).collect()
}

/// The starts of `@@ -a,b +c,d @@`.
pub(crate) fn header(raw: &str) -> Option<(u32, u32)> {
    let mut parts = raw.strip_prefix("@@ -")?.split(' ');
    let start = |part: &str| part.split(',').next().and_then(|n| n.parse().ok());
    Some((start(parts.next()?)?, start(parts.next()?.strip_prefix('+')?)?))
}

/// A new file: all of it is added.
pub(crate) fn created(content: &str) -> Vec<Hunk<'_>> {
    if content.is_empty() {
        return Vec::new();
    }
    let lines = content.lines().map(|l| Line::new('+', l)).collect();
    vec![Hunk { old_start: 0, new_start: 1, lines }]
}

/// The difference between two whole texts. Linear for ordinary edits.
pub(crate) fn between<'a>(old: &'a str, new: &'a str) -> Vec<Hunk<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut hunks: Vec<Hunk<'a>> = Vec::new();
    let mut shown = 0u32;
    for change in diff.hunks() {
        let from = change.before.start.saturating_sub(CONTEXT).max(shown);
        let near = !hunks.is_empty() && change.before.start <= shown.saturating_add(2 * CONTEXT);
        if near {
            extend(&mut hunks, ' ', &old, shown..change.before.start);
        } else {
            close(&mut hunks, &old, shown);
            let lead = change.before.start - from;
            hunks.push(Hunk { old_start: from + 1, new_start: change.after.start - lead + 1, lines: Vec::new() });
            extend(&mut hunks, ' ', &old, from..change.before.start);
        }
        extend(&mut hunks, '-', &old, change.before.clone());
        extend(&mut hunks, '+', &new, change.after.clone());
        shown = change.before.end;
    }
    close(&mut hunks, &old, shown);
    hunks.iter_mut().for_each(name_empty_side);
    hunks
}

fn extend<'a>(hunks: &mut [Hunk<'a>], sign: char, lines: &[&'a str], range: std::ops::Range<u32>) {
    if let Some(hunk) = hunks.last_mut() {
        let lines = lines.get(range.start as usize..range.end as usize).unwrap_or(&[]);
        hunk.lines.extend(lines.iter().map(|l| Line::new(sign, l)));
    }
}

fn close<'a>(hunks: &mut [Hunk<'a>], old: &[&'a str], shown: u32) {
    let end = shown.saturating_add(CONTEXT).min(u32::try_from(old.len()).unwrap_or(u32::MAX));
    extend(hunks, ' ', old, shown..end.max(shown));
}

/// An empty side stands after the line before it, as in every unified diff.
fn name_empty_side(hunk: &mut Hunk<'_>) {
    if hunk.lines.iter().all(|l| l.sign == '+') {
        hunk.old_start -= 1;
    }
    if hunk.lines.iter().all(|l| l.sign == '-') {
        hunk.new_start -= 1;
    }
}

/// A replaced piece whose place in the file is unknown.
pub(crate) fn fragment<'a>(old: &'a str, new: &'a str) -> Vec<Hunk<'a>> {
    let mut hunks = between(old, new);
    for hunk in &mut hunks {
        (hunk.old_start, hunk.new_start) = (0, 0);
    }
    hunks
}
