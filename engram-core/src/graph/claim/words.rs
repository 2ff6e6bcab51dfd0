//! A sentence as words that remember where they stood.

/// One word or one mark (`,` `:`) of a clause.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    source: &'a str,
    start: usize,
    end: usize,
    /// In lower case; a mark stands for itself, a dash for a comma.
    pub(super) low: String,
}

impl Word<'_> {
    /// Whether it is a dash, which reads as a comma.
    pub(super) fn is_dash(&self) -> bool {
        self.low == "," && &self.source[self.start..self.end] != ","
    }
}

/// The words as they stood in the sentence, spaces and all.
pub(super) fn written(words: &[Word<'_>]) -> String {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => first.source[first.start..last.end].to_owned(),
        _ => String::new(),
    }
}

const ABBREVIATIONS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no."];

/// A clause, and whether a `;` joins it to the one before.
pub(super) type Clause<'a> = (bool, Vec<Word<'a>>);

/// The clauses of a text: parted at `;` and at the ends of sentences.
pub(super) fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut clauses = vec![(false, Vec::new())];
    for (start, end) in runs(text) {
        let ends_clause = push_run(text, start, end, clauses.last_mut().map(|c| &mut c.1));
        let goes_on = text[end..].trim_start().starts_with(|c: char| c.is_alphabetic() || c == '`');
        let abbreviated = ABBREVIATIONS.contains(&text[start..end].trim_start_matches('(').to_lowercase().as_str());
        if ends_clause == Some(';') || (ends_clause == Some('.') && goes_on && !abbreviated) {
            clauses.push((ends_clause == Some(';'), Vec::new()));
        }
    }
    clauses.retain(|c| !c.1.is_empty());
    clauses
}

/// Runs without white space; what stands in back-ticks or quotes stays together.
fn runs(text: &str) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let (mut start, mut quote) = (None, None);
    for (at, c) in text.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if matches!(c, '`' | '"') && text[at + 1..].contains(c) => quote = Some(c),
            None => {}
        }
        if c.is_whitespace() && quote.is_none() {
            runs.extend(start.take().map(|s| (s, at)));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    runs.extend(start.map(|s| (s, text.len())));
    runs
}

/// Adds the word of one run, and the mark behind it; returns `;` or `.` if the run ends with one.
fn push_run<'a>(source: &'a str, start: usize, end: usize, clause: Option<&mut Vec<Word<'a>>>) -> Option<char> {
    let clause = clause?;
    let run = &source[start..end];
    if run.chars().all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}')) {
        clause.push(Word { source, start, end, low: ",".to_owned() });
        return None;
    }
    let bare = run.trim_end_matches([',', ';', ':', '.', '!', '*', '\u{2026}']);
    let lead = bare.len() - bare.trim_start_matches(['*', '>', '#', '\u{2022}']).len();
    let bare = balanced(bare, lead);
    if bare.len() > lead {
        let low = bare[lead..].to_lowercase().replace('\u{2019}', "'");
        clause.push(Word { source, start: start + lead, end: start + bare.len(), low });
    }
    let (offset, mark) = run[bare.len()..].char_indices().find(|(_, c)| matches!(c, ',' | ';' | ':' | '.' | '!'))?;
    if matches!(mark, ',' | ':') {
        let at = start + bare.len() + offset;
        clause.push(Word { source, start: at, end: at + 1, low: mark.to_string() });
    }
    match mark {
        ';' => Some(';'),
        '.' | '!' => Some('.'),
        _ => None,
    }
}

/// Without a closing bracket or quote that was opened in an earlier word.
fn balanced(bare: &str, lead: usize) -> &str {
    let bracket = bare.strip_suffix(')').filter(|b| !b[lead..].contains('('));
    let bare = bracket.unwrap_or(bare);
    bare.strip_suffix('"').filter(|b| !b[lead..].contains('"')).unwrap_or(bare)
}

/// Whether `words` begin with the words of `phrase`; the rest then.
pub(super) fn strip<'w, 'a>(words: &'w [Word<'a>], phrase: &str) -> Option<&'w [Word<'a>]> {
    let mut rest = words;
    for part in phrase.split(' ') {
        let (first, after) = rest.split_first()?;
        if !part.split('|').any(|p| p == first.low) {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// The first place at or after `from` where `phrase` stands: what is before it and what is after it.
pub(super) fn split_at<'w, 'a>(
    words: &'w [Word<'a>],
    from: usize,
    phrase: &str,
) -> Option<(&'w [Word<'a>], &'w [Word<'a>])> {
    (from..words.len()).find_map(|at| Some((&words[..at], strip(&words[at..], phrase)?)))
}

/// Whether one of the words is in `list`.
pub(super) fn any_of(words: &[Word<'_>], list: &[&str]) -> bool {
    words.iter().any(|w| list.contains(&w.low.as_str()))
}

/// The slots of `pattern` in `words`, if the whole of `words` fits it.
///
/// A pattern is words, alternatives parted by `|`; `?word` may be absent; `{x}` takes one word or more, as few as
/// possible.
pub(super) fn fit<'w, 'a>(pattern: &'static str, words: &'w [Word<'a>]) -> Option<Vec<(char, &'w [Word<'a>])>> {
    if pattern.is_empty() {
        return words.is_empty().then(Vec::new);
    }
    let (atom, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
    if let Some(slot) = atom.strip_prefix('{').and_then(|s| s.chars().next()) {
        return (1..=words.len()).find_map(|n| {
            let mut slots = fit(rest, &words[n..])?;
            slots.push((slot, &words[..n]));
            Some(slots)
        });
    }
    let optional = atom.strip_prefix('?');
    let taken = strip(words, optional.unwrap_or(atom)).and_then(|after| fit(rest, after));
    taken.or_else(|| optional.and_then(|_| fit(rest, words)))
}
