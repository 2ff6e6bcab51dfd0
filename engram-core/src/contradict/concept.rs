//! General programming knowledge: what the words of a decision look like in code.

/// One notion that decisions speak of.
///
/// When a decision forbids it, an added `shows` is DIRECT and an added `around` INDIRECT. When a decision requires it,
/// an added `breaks` is DIRECT, an added `defeats` INDIRECT, and a `shows` that goes without coming back is DIRECT.
#[derive(Debug)]
pub(crate) struct Concept {
    /// For explanations.
    pub(crate) name: &'static str,
    /// How decisions name it: lower-case words, stemmed when compared.
    pub(crate) mentions: &'static [&'static str],
    /// Patterns that are the thing.
    pub(crate) shows: &'static [&'static str],
    /// Patterns that get the same effect by another way.
    pub(crate) around: &'static [&'static str],
    /// Patterns that are its opposite.
    pub(crate) breaks: &'static [&'static str],
    /// Patterns that keep it in name and undo it.
    pub(crate) defeats: &'static [&'static str],
}

/// What the tables start from.
pub(crate) const NONE: Concept =
    Concept { name: "", mentions: &[], shows: &[], around: &[], breaks: &[], defeats: &[] };

/// Every table.
pub(crate) const TABLES: &[&[Concept]] = &[
    super::concept_language::TABLE,
    super::concept_runtime::TABLE,
    super::concept_data::TABLE,
    super::concept_operations::TABLE,
    super::concept_interface::TABLE,
];

/// All notions.
pub(crate) fn all() -> impl Iterator<Item = &'static Concept> {
    TABLES.iter().flat_map(|t| t.iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contradict::probe::PROBES;

    #[test]
    fn every_entry_is_named_mentioned_and_says_something() {
        for c in all() {
            assert!(!c.name.is_empty() && !c.mentions.is_empty(), "{c:?}");
            let patterns = c.shows.len() + c.around.len() + c.breaks.len() + c.defeats.len();
            assert!(patterns > 0, "{}", c.name);
            assert!(c.mentions.iter().all(|m| *m == m.to_lowercase()), "{}", c.name);
        }
    }

    #[test]
    fn every_probe_that_a_pattern_calls_exists() {
        let patterns = all().flat_map(|c| [c.shows, c.around, c.breaks, c.defeats]).flatten();
        for part in patterns.flat_map(|p| p.split(" & ")) {
            let bare = part.rsplit(' ').next().unwrap_or(part).trim_start_matches('!');
            if let Some(name) = bare.strip_prefix('%').filter(|n| n.len() > 2) {
                assert!(PROBES.iter().any(|(n, _)| *n == name), "{part}");
            }
        }
    }
}
