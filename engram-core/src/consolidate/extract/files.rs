//! Which files a sentence is about.

use super::turns::Turn;
use crate::capture::event::WriteKind;

/// Files that a memory without a named file is tied to.
const MOST_UNNAMED: usize = 3;

/// The files written in the turn that `text` names; if it names none, the most written ones.
pub(super) fn of_sentence(text: &str, turn: &Turn<'_>) -> Vec<String> {
    let named = named(text, turn);
    if !named.is_empty() {
        return named;
    }
    let gone =
        |path: &str| turn.changes().filter(|c| c.path == path).last().is_some_and(|c| c.kind == WriteKind::Delete);
    let mut written: Vec<&str> =
        turn.written().into_iter().map(|(path, _)| path).filter(|p| is_inside(p) && !gone(p)).collect();
    // Code before prose, otherwise the most written first.
    written.sort_by_key(|p| is_prose(p));
    written.into_iter().take(MOST_UNNAMED).map(str::to_owned).collect()
}

/// Whether a path lies in the project.
pub(super) fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && !path.starts_with("..")
}

/// Whether a file is a text or a hidden setting rather than code.
pub(super) fn is_prose(path: &str) -> bool {
    is_text(path) || path.starts_with('.')
}

/// Whether a file documents the project, rather than being a text that the project works with.
pub(super) fn is_documentation(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    is_text(path)
        && (path.split('/').any(|dir| matches!(dir, "docs" | "doc"))
            || ["README", "CHANGELOG"].iter().any(|n| name.starts_with(n)))
}

fn is_text(path: &str) -> bool {
    [".md", ".txt", ".rst", ".adoc"].iter().any(|e| path.ends_with(e))
}

/// The files written in the turn that `text` names.
pub(super) fn named(text: &str, turn: &Turn<'_>) -> Vec<String> {
    turn.written()
        .into_iter()
        .filter(|(path, _)| is_inside(path) && names(text, path))
        .map(|(path, _)| path.to_owned())
        .collect()
}

/// Whether `text` names the file: by path, by name, or by a stem that is no common word.
pub(super) fn names(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let telling = stem.len() >= 6 && (stem.contains(['_', '-']) || stem.chars().skip(1).any(char::is_uppercase));
    has_name(text, path, name) || (telling && has_word(text, stem))
}

/// Whether the file's name stands in the text, not as the end of another path.
fn has_name(text: &str, path: &str, name: &str) -> bool {
    has_word(text, name)
        && text.match_indices(name).any(|(at, _)| {
            let in_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
            let start =
                text[..at].rfind(|c| !in_path(c)).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
            let written = text[start..at + name.len()].trim_start_matches("./");
            path.ends_with(written) || written.ends_with(path)
        })
}

fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let mut after = text[at + word.len()..].chars();
            let next = after.next();
            // "a.env" goes on in "a.env.example".
            let goes_on = inside(next) || (next == Some('.') && after.next().is_some_and(char::is_alphanumeric));
            !inside(text[..at].chars().next_back()) && !goes_on
        })
}

/// Whether a path is that of a test.
pub(super) fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    ["_test.", ".test.", ".spec.", "test_", "_spec."].iter().any(|m| name.contains(m))
        || path.split('/').any(|dir| matches!(dir, "tests" | "test" | "__tests__" | "spec"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_by_path_name_or_telling_stem() {
        let path = "src/store/FullSchema.ts";
        assert!(names("Reverted `src/store/FullSchema.ts`", path));
        assert!(names("FullSchema is frozen", path));
        assert!(!names("the schema is frozen", path));
        assert!(!names("see pre_clean.go", "cmd/clean.go"));
        assert!(names("see clean.go:12", "cmd/clean.go"));
        assert!(is_test("a/x_test.go") && is_test("tests/a.rs") && !is_test("src/latest.rs"));
    }
}
