//! The small pattern language of the knowledge tables.
//!
//! `@go,rust part & part`: in these languages only, a line that holds every part. A part is literal text with word
//! boundaries where it begins or ends with a word character. In front of it: `!` the part must be absent, `~` letter
//! case is ignored, `"` the inside of strings counts too (here and in the parts after it), `^` comments count too, `%name` one of [`PROBES`].
//! `*` at either end of the literal lifts the boundary there.

use super::diff::{Diff, Line};
use super::probe;

/// Whether `pattern` is found on `line`.
pub(crate) fn found(pattern: &str, line: &Line<'_>, diff: &Diff<'_>) -> bool {
    let (languages, body) = match pattern.strip_prefix('@').and_then(|p| p.split_once(' ')) {
        Some((languages, body)) => (Some(languages), body),
        None => (None, pattern),
    };
    let language = &diff.file_of(line).language;
    if languages.is_some_and(|l| !l.split(',').any(|l| l == language.name)) {
        return false;
    }
    let visible = if language.strings_are_text { &line.code } else { &line.text };
    // Once a part looks into strings, those after it do too.
    let mut visible = visible;
    body.split(" & ").all(|part| {
        let found = part_found(part, line, visible);
        if part.trim_start_matches(['!', '~']).starts_with('"') {
            visible = &line.text;
        }
        found
    })
}

fn part_found(part: &str, line: &Line<'_>, visible: &str) -> bool {
    if let Some(part) = part.strip_prefix('!') {
        return !part_found(part, line, visible);
    }
    if let Some(name) = part.strip_prefix('%') {
        return probe::run(name, line);
    }
    let (mut rest, mut hay, mut fold) = (part, visible, false);
    loop {
        rest = match rest.as_bytes().first() {
            Some(b'~') => {
                fold = true;
                &rest[1..]
            }
            Some(b'"') if rest.len() > 1 => {
                hay = &line.text;
                &rest[1..]
            }
            Some(b'^') => {
                hay = line.raw;
                &rest[1..]
            }
            _ => break,
        };
    }
    contains(hay, rest, fold)
}

/// Whether `needle` stands in `hay` with word boundaries; `*` at an end lifts the boundary there.
pub(crate) fn contains(hay: &str, needle: &str, fold: bool) -> bool {
    position(hay, needle, fold).is_some()
}

/// Where `needle` stands in `hay`, as [`contains`] reads it. Costs one pass over `hay`.
pub(crate) fn position(hay: &str, needle: &str, fold: bool) -> Option<usize> {
    let (open_left, needle) = needle.strip_prefix('*').map_or((false, needle), |n| (true, n));
    let (open_right, needle) = needle.strip_suffix('*').map_or((false, needle), |n| (true, n));
    let (hay, needle) = (hay.as_bytes(), needle.as_bytes());
    let (first, last) = (*needle.first()?, *needle.last()?);
    let (guard_left, guard_right) = (!open_left && is_word(first), !open_right && is_word(last));
    let end = (hay.len() + 1).checked_sub(needle.len())?;
    (0..end).find(|&at| {
        let window = &hay[at..at + needle.len()];
        let same = if fold { window.eq_ignore_ascii_case(needle) } else { window == needle };
        same && !(guard_left && at > 0 && is_word(hay[at - 1]))
            && !(guard_right && hay.get(at + needle.len()).copied().is_some_and(is_word))
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(pattern: &str, path: &str, added: &str) -> bool {
        let text = format!("+{added}\n");
        let diff = Diff::parse(path, &text);
        found(pattern, &diff.lines[0], &diff)
    }

    #[test]
    fn boundaries_strings_case_and_negation() {
        assert!(hit("eval(", "a.js", "x = eval(y)"));
        assert!(!hit("eval(", "a.js", "x = medieval(y)"));
        assert!(!hit("eval(", "a.js", "x = 'eval(y)'"));
        assert!(hit("\"~select *", "a.py", "run('SELECT * FROM t')"));
        assert!(hit("@go go func", "a.go", "go func() {"));
        assert!(!hit("@go go func", "a.rs", "go func() {"));
        assert!(!hit("fetch( & !signal", "a.ts", "fetch(url, { signal })"));
        assert!(hit("^noqa", "a.py", "import x  # noqa"));
        assert!(hit("*Sync(", "a.js", "fs.readFileSync(p)"));
    }
}
