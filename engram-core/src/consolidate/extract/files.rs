//! Which files a sentence is about.

use super::turns::Turn;

/// Files that a memory without a named file is tied to.
const MOST_UNNAMED: usize = 3;

/// The files written in the turn that `text` names; if it names none, the most written ones.
pub(super) fn of_sentence(text: &str, turn: &Turn<'_>) -> Vec<String> {
    let named = named(text, turn);
    if !named.is_empty() {
        return named;
    }
    turn.written().into_iter().take(MOST_UNNAMED).map(|(path, _)| path.to_owned()).collect()
}

/// The files written in the turn that `text` names.
pub(super) fn named(text: &str, turn: &Turn<'_>) -> Vec<String> {
    turn.written().into_iter().filter(|(path, _)| names(text, path)).map(|(path, _)| path.to_owned()).collect()
}

/// Whether `text` names the file: by path, by name, or by a stem that is no common word.
pub(super) fn names(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let telling = stem.len() >= 6 && (stem.contains(['_', '-']) || stem.chars().skip(1).any(char::is_uppercase));
    has_word(text, name) || (telling && has_word(text, stem))
}

fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    !word.is_empty()
        && text
            .match_indices(word)
            .any(|(at, _)| !inside(text[..at].chars().next_back()) && !inside(text[at + word.len()..].chars().next()))
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
