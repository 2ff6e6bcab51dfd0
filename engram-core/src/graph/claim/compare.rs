//! How two claims stand to each other (D22).

use super::super::node::{Claim, Polarity};
use super::value::{Terms, numbers_differ};

/// How two claims stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimRelation {
    /// They say the same.
    Same,
    /// What one chooses or requires, the other turns down.
    Opposed,
    /// They are about the same subject and give it different values.
    DifferentValue,
    /// Neither.
    Unrelated,
}

/// How `a` stands to `b`; symmetric.
///
/// A claim that chooses X and one that forbids Y are `Unrelated` even if the first turned Y down: they agree, but one
/// is not the other.
pub fn compare(a: &Claim, b: &Claim) -> ClaimRelation {
    let subject = subjects(a, b);
    if subject == Subjects::Differ {
        return ClaimRelation::Unrelated;
    }
    if opposes(a, b) || opposes(b, a) {
        return ClaimRelation::Opposed;
    }
    match (a.polarity == Polarity::Forbid, b.polarity == Polarity::Forbid) {
        (true, true) => relation(forbid_alike(a, b), false),
        (false, false) => {
            let (chosen_a, chosen_b) = (Terms::of(&a.chosen), Terms::of(&b.chosen));
            let alike = same_thing(&chosen_a, &chosen_b);
            let same_alternative = a.rejected.iter().any(|x| b.rejected.iter().any(|y| same_text(x, y)));
            let other_number = chosen_a.words == chosen_b.words && numbers_differ(&chosen_a, &chosen_b);
            relation(alike, subject == Subjects::Agree || same_alternative || other_number)
        }
        _ => ClaimRelation::Unrelated,
    }
}

fn relation(alike: bool, same_subject: bool) -> ClaimRelation {
    match (alike, same_subject) {
        (true, _) => ClaimRelation::Same,
        (false, true) => ClaimRelation::DifferentValue,
        (false, false) => ClaimRelation::Unrelated,
    }
}

#[derive(PartialEq, Eq)]
enum Subjects {
    Agree,
    Open,
    Differ,
}

/// Subjects agree when one's words contain the other's; an unstated one is open.
fn subjects(a: &Claim, b: &Claim) -> Subjects {
    let (a, b) = (Terms::of(&a.subject), Terms::of(&b.subject));
    if a.is_empty() || b.is_empty() {
        return Subjects::Open;
    }
    let contains = a.words.is_subset(&b.words) || b.words.is_subset(&a.words);
    if contains && !numbers_differ(&a, &b) { Subjects::Agree } else { Subjects::Differ }
}

/// Whether `a` wants what `b` turns down.
fn opposes(a: &Claim, b: &Claim) -> bool {
    a.polarity != Polarity::Forbid && !a.chosen.is_empty() && b.rejected.iter().any(|r| same_text(r, &a.chosen))
}

fn forbid_alike(a: &Claim, b: &Claim) -> bool {
    let covered = |x: &Claim, y: &Claim| x.rejected.iter().all(|r| y.rejected.iter().any(|s| same_text(r, s)));
    covered(a, b) || covered(b, a)
}

fn same_text(a: &str, b: &str) -> bool {
    same_thing(&Terms::of(a), &Terms::of(b))
}

/// The same words; a number on one side only is no difference.
fn same_thing(a: &Terms, b: &Terms) -> bool {
    !a.is_empty() && a.words == b.words && !numbers_differ(a, b)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn relation_of(a: &str, b: &str) -> ClaimRelation {
        let (a, b) = (parse(a).unwrap(), parse(b).unwrap());
        assert_eq!(compare(&a, &b), compare(&b, &a), "not symmetric");
        compare(&a, &b)
    }

    #[test]
    fn the_same_claim_in_other_words() {
        for (a, b) in [
            ("Use pnpm instead of npm", "We chose pnpm over npm because it is faster"),
            ("Use SQLite for storage", "We decided to use SQLite 3.53.0 for storage"),
            ("Never use moment", "Don't use moment"),
            ("Never commit secrets", "never commit the secrets"),
            ("Prefer tabs to spaces", "Use tabs, not spaces"),
        ] {
            assert_eq!(relation_of(a, b), ClaimRelation::Same, "{a} / {b}");
        }
    }

    #[test]
    fn opposed_claims() {
        for (a, b) in [
            ("Use tabs instead of spaces", "Use spaces instead of tabs"),
            ("Never use moment", "Use moment for dates because it is known"),
            ("Always run migrations by hand", "Never run migrations by hand"),
            ("Switched from Postgres to SQLite", "We decided to use Postgres"),
            ("Default exports are forbidden", "Always use default exports"),
        ] {
            assert_eq!(relation_of(a, b), ClaimRelation::Opposed, "{a} / {b}");
        }
    }

    #[test]
    fn another_value_of_the_same_subject() {
        for (a, b) in [
            ("Use SQLite for storage", "Use DuckDB for storage"),
            ("We decided to use Node 20", "We decided to use Node 22"),
            ("Use vitest instead of jest", "Use node:test instead of jest"),
            ("Use 2 spaces for indentation", "Use 4 spaces for indentation"),
        ] {
            assert_eq!(relation_of(a, b), ClaimRelation::DifferentValue, "{a} / {b}");
        }
    }

    #[test]
    fn unrelated_claims() {
        for (a, b) in [
            ("Use SQLite for storage", "Use pnpm for packages"),
            ("Use tabs instead of spaces in Go files", "Use spaces instead of tabs in Python files"),
            ("Never commit secrets", "Never log passwords"),
            ("Use luxon instead of moment", "Never use moment"),
        ] {
            assert_eq!(relation_of(a, b), ClaimRelation::Unrelated, "{a} / {b}");
        }
    }
}
