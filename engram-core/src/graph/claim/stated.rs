//! What somebody saved on purpose is a decision, however it is worded.

use super::{Claim, Polarity, clause_claim, names_something, parse, words};

/// Longest subject and longest value, in words: beyond that a sentence tells a story.
const LONGEST: usize = 8;
/// What points to something outside the sentence names no subject.
const POINTING: &[&str] = &["it", "this", "that", "these", "those", "there", "they", "we", "i", "he", "she", "you"];

/// Takes apart what was stated as a decision on purpose: as [`parse`] does, and where that finds none, also "store X as Y"
/// without an alternative, "the X is Y", and a sentence that gives one number ("sessions expire after 30 minutes").
pub fn parse_stated(sentence: &str) -> Option<Claim> {
    let sentence = &sentence.replace(" are now ", " are ").replace(" is now ", " is ");
    parse(sentence).or_else(|| decided(sentence)).or_else(|| being(sentence)).or_else(|| numbered(sentence))
}

/// The first clause, read as one that is known to decide.
fn decided(sentence: &str) -> Option<Claim> {
    let clauses = words::clauses(sentence);
    let (_, first) = clauses.first()?;
    clause_claim(first, true).filter(names_something).filter(|claim| !claim.subject.is_empty())
}

/// "The retry limit is 3", "log lines are not JSON".
fn being(sentence: &str) -> Option<Claim> {
    let said = sentence.trim().trim_end_matches(['.', '!']);
    let (subject, value) = [" is ", " are ", " = "].iter().find_map(|verb| said.split_once(verb))?;
    if !is_subject(subject) || !(1..=LONGEST).contains(&value.split_whitespace().count()) {
        return None;
    }
    let subject = subject.trim().to_lowercase();
    Some(match value.strip_prefix("not ") {
        Some(refused) => {
            Claim { polarity: Polarity::Forbid, subject, rejected: vec![refused.to_owned()], ..Claim::default() }
        }
        None => Claim { subject, chosen: value.trim().to_owned(), ..Claim::default() },
    })
}

/// A sentence with one number says a value of what stands before it.
fn numbered(sentence: &str) -> Option<Claim> {
    let said = sentence.trim().trim_end_matches(['.', '!']);
    let mut words = said.split_whitespace().enumerate().filter(|(_, w)| w.starts_with(|c: char| c.is_ascii_digit()));
    let (at, _) = words.next()?;
    if words.next().is_some() {
        return None;
    }
    let words: Vec<&str> = said.split_whitespace().collect();
    let (subject, value) = (words[..at].join(" "), words[at..].join(" "));
    let fits = is_subject(&subject) && words.len() - at <= LONGEST;
    fits.then(|| Claim { subject: subject.to_lowercase(), chosen: value, ..Claim::default() })
}

fn is_subject(text: &str) -> bool {
    let count = text.split_whitespace().count();
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    (2..=LONGEST).contains(&count) && !POINTING.contains(&first.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::{ClaimRelation, compare};
    use super::*;

    #[test]
    fn another_value_of_what_was_stated_is_another_value() {
        for (a, b) in [
            ("Store amounts as floats", "Store amounts as integer cents"),
            ("The retry limit is 3", "The retry limit is 5"),
            ("Sessions expire after 30 minutes", "Sessions expire after 60 minutes."),
            ("Log lines are JSON", "Log lines are plain text"),
            ("Log lines are JSON", "Log lines are now plain text"),
        ] {
            let (x, y) = (parse_stated(a).unwrap(), parse_stated(b).unwrap());
            assert_eq!(compare(&x, &y), ClaimRelation::DifferentValue, "{a} / {b}: {x:?} {y:?}");
            assert_eq!(compare(&x, &x), ClaimRelation::Same, "{a}");
        }
    }

    #[test]
    fn other_subjects_stay_apart_and_stories_are_no_claims() {
        let claim = |t: &str| parse_stated(t).unwrap();
        let (a, b) = (claim("The retry limit is 3"), claim("The page size is 50"));
        assert_eq!(compare(&a, &b), ClaimRelation::Unrelated);
        for none in ["It is fast", "That is fine", "Tests are slow", "We saw 3 of 5 fail", "Hello there"] {
            assert_eq!(parse_stated(none), None, "{none}");
        }
    }
}
