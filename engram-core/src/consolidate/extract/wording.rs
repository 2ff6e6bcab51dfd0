//! How a memory is put: one fact that can be read alone.

use super::cues;
use super::prose::Unit;
use super::sentence::{self, normal};
use crate::text;

/// Longest description, in bytes.
pub(super) const LONGEST: usize = 420;
const LONGEST_NAME: usize = 90;
const LONGEST_LEAD: usize = 140;

/// The `at`th sentence of `unit`, with what it needs to be read alone: the sentence that it points back to, the label or
/// heading that it stands under, the reason that follows.
pub(super) fn compose(unit: &Unit, at: usize) -> String {
    let sentences = unit.sentences();
    let Some(own) = sentences.get(at) else { return String::new() };
    let mut out = String::new();
    let points_back = points_back(own);
    if let Some(previous) = at.checked_sub(1).map(|p| sentences[p]).filter(|p| points_back && !is_talk(p)) {
        out.push_str(previous);
        out.push(' ');
    }
    out.push_str(own);
    if let Some(next) = sentences.get(at + 1).filter(|n| gives_reason(n)) {
        out.push(' ');
        out.push_str(next);
    }
    let lead = lead(unit, points_back && at == 0);
    let said = lead.as_deref().is_some_and(|l| out.contains(l));
    match lead.filter(|_| !said) {
        Some(lead) => clip(&format!("{lead}: {out}")),
        None => clip(&out),
    }
}

/// Whether a sentence only drives the conversation on.
pub(super) fn is_talk(sentence: &str) -> bool {
    let n = normal(sentence);
    sentence::length(&n) < 4 || sentence::starts(&n, cues::TALK)
}

/// Whether a sentence begins with a word that points back.
pub(super) fn points_back(own: &str) -> bool {
    sentence::starts(&normal(own), cues::POINTERS)
}

fn gives_reason(next: &str) -> bool {
    let n = normal(next);
    sentence::starts(&n, &["because", "otherwise", "this", "that", "reason", "since", "so that", "it"])
        && sentence::length(&n) < 40
}

/// The label, parent or heading of a unit where it says something.
fn lead(unit: &Unit, needed: bool) -> Option<String> {
    [&unit.lead, &unit.heading].into_iter().find_map(|l| {
        let l = tidy_lead(l);
        let usable = says_something(&l) && l.len() <= LONGEST_LEAD && (needed || is_short_label(&l));
        usable.then_some(l)
    })
}

fn is_short_label(lead: &str) -> bool {
    sentence::length(&normal(lead)) <= 14
}

/// A label without its number, its colon and words such as "new file"; empty where it is no label but talk.
pub(super) fn tidy_lead(lead: &str) -> String {
    let lead = lead.trim().trim_end_matches([':', '.', ' ', '-', '\u{2014}']);
    let lead = unnumbered(lead);
    let lead_words = normal(lead);
    if sentence::starts(&lead_words, cues::TALK)
        || sentence::starts(&lead_words, &["i", "we"])
        || sentence::has(&lead_words, &["caused two", "the following"])
    {
        return String::new();
    }
    sole_span(lead).unwrap_or(lead).to_owned()
}

/// "Change 2 - Retry" and "3. Retry" as "Retry".
fn unnumbered(lead: &str) -> &str {
    let word = lead.split_whitespace().next().unwrap_or_default();
    let rest = if NUMBERED.contains(&word) { lead[word.len()..].trim_start() } else { lead };
    let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b')' | b'-')).count();
    if digits == 0 {
        return lead;
    }
    rest[digits..].trim_start_matches([' ', ':', '-', '\u{2014}', '\u{2013}'])
}

const NUMBERED: &[&str] = &["Change", "Step", "Steps", "Fix", "Part", "Phase", "Task", "Bug", "Issue", "Root"];

/// The code span of a label that says nothing beside it.
fn sole_span(lead: &str) -> Option<&str> {
    let (before, rest) = lead.split_once('`')?;
    let (_, after) = rest.split_once('`')?;
    let silent = !says_something(before) && !says_something(after) && !after.contains('`');
    silent.then(|| &lead[before.len()..lead.len() - after.len()])
}

/// Whether a label has a word that is about something.
pub(super) fn says_something(label: &str) -> bool {
    let about =
        |w: &&str| !cues::EMPTY_WORDS.contains(w) && !text::is_stop_word(w) && !w.bytes().all(|b| b.is_ascii_digit());
    normal(label).split_whitespace().any(|w| about(&w)) || label.contains('`')
}

/// A short name: the beginning of a text, at a word's end, without code marks.
pub(super) fn name(text: &str) -> String {
    let bare = text.replace('`', "");
    let bare = bare.trim().trim_end_matches(['.', ':', ',', ';']);
    if bare.len() <= LONGEST_NAME {
        return bare.to_owned();
    }
    let cut = text::clip(bare, LONGEST_NAME);
    let cut = cut.rsplit_once(' ').map_or(cut, |(head, _)| head);
    format!("{}\u{2026}", cut.trim_end_matches([',', ';', ':', ' ', '(']))
}

/// A description of bounded length, cut at a word's end.
pub(super) fn clip(text: &str) -> String {
    shorten(text.trim(), LONGEST)
}

/// At most `max` bytes of `text`, cut at a word's end and marked.
pub(super) fn shorten(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let cut = text::clip(text, max);
    let cut = cut.rsplit_once(' ').map_or(cut, |(head, _)| head);
    let closing = if cut.matches('`').count() % 2 == 1 { "`" } else { "" };
    format!("{}{closing}\u{2026}", cut.trim_end())
}

/// With a full stop at the end.
pub(super) fn ended(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?', '\u{2026}', ':']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// With a capital at the beginning, unless it begins with something literal.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(c)
            if !chars.clone().take_while(|c| !c.is_whitespace()).any(|c| c.is_uppercase() || c == '.' || c == '_') =>
        {
            c.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::prose::units;
    use super::*;

    #[test]
    fn a_bullet_carries_its_label_and_a_pointer_its_antecedent() {
        let all =
            units("## Summary\n\n**Retry queue** (`queue.rs`)\n- Now keeps jobs on disk. This survives a restart.\n");
        let bullet = all.iter().find(|u| u.text.starts_with("Now")).unwrap();
        assert_eq!(compose(bullet, 0), "Now keeps jobs on disk. This survives a restart.");
        let all = units("**Retry queue**:\n- It was lost on restart.\n");
        assert_eq!(compose(&all[1], 0), "Retry queue: It was lost on restart.");
        let all = units("## Summary of changes\n- Dropped the cache.\n");
        assert_eq!(compose(&all[0], 0), "Dropped the cache.");
    }

    #[test]
    fn names_and_texts_are_cut_at_words() {
        let long = "word ".repeat(200);
        assert!(clip(&long).len() <= LONGEST + 3 && clip(&long).ends_with("word\u{2026}"));
        assert!(name(&long).len() <= LONGEST_NAME + 3);
        assert_eq!(name("Use `x` here."), "Use x here");
        assert_eq!((capital("the X").as_str(), capital("setup_test.go x").as_str()), ("The X", "setup_test.go x"));
    }
}
