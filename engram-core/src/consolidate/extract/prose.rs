//! Markdown, or what people type, cut into units: a bullet or a line with the headings it stands under.

use super::sentence;

/// One line of thought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// The heading above it.
    pub(super) heading: String,
    /// The label or bullet that it details.
    pub(super) lead: String,
    /// The text, markup taken off, code spans kept.
    pub(super) text: String,
    /// How it stands there.
    pub(super) form: Form,
}

/// How a unit is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// Running text.
    #[default]
    Line,
    /// An item of a list; its number, or 0.
    Bullet(u32),
    /// A row of a table, cells parted by ` | `.
    Row,
    /// A quotation.
    Quote,
}

impl Unit {
    /// The sentences of the text.
    pub(super) fn sentences(&self) -> Vec<&str> {
        sentence::split(&self.text)
    }
}

/// Cuts `text` into units. Code blocks, rules and HTML comments are left out.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.line(line));
    paired(reader.units)
}

/// "Before: x" and "After: y" as one unit.
fn paired(units: Vec<Unit>) -> Vec<Unit> {
    let mut out: Vec<Unit> = Vec::with_capacity(units.len());
    for mut unit in units {
        let new = after_mark(&unit.text, &["Now", "After", "New"]);
        let old = out.last().and_then(|u| after_mark(&u.text, &["Previously", "Before", "Old", "Was"]));
        if let (Some(new), Some(old)) = (new, old) {
            unit.text = format!("Now: {} (before: {})", new.trim_end_matches('.'), old.trim_end_matches('.'));
            out.pop();
        }
        out.push(unit);
    }
    out
}

fn after_mark<'a>(text: &'a str, marks: &[&str]) -> Option<&'a str> {
    marks.iter().find_map(|m| text.strip_prefix(m)?.strip_prefix(':')).map(str::trim)
}

#[derive(Default)]
struct Reader {
    units: Vec<Unit>,
    heading: String,
    /// The last label: a line that ends in a colon, or is all bold.
    label: String,
    /// Open bullets: indentation and text.
    parents: Vec<(usize, String)>,
    fence: Option<&'static str>,
    blank: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if self.in_fence(line) {
            return;
        }
        if line.is_empty() {
            self.blank = true;
            return;
        }
        self.content(indent, line);
        self.blank = false;
    }

    /// Whether the line is code, or opens or closes a block of it.
    fn in_fence(&mut self, line: &str) -> bool {
        match self.fence {
            Some(mark) => {
                if line.starts_with(mark) {
                    self.fence = None;
                }
                true
            }
            None => {
                self.fence = ["```", "~~~"].into_iter().find(|m| line.starts_with(m));
                self.fence.is_some()
            }
        }
    }

    fn content(&mut self, indent: usize, line: &str) {
        if line.bytes().all(|b| matches!(b, b'-' | b'=' | b'*' | b'_' | b' ')) || line.starts_with("<!--") {
            self.parents.clear();
        } else if let Some(heading) = heading(line) {
            self.heading = sentence::plain(heading);
            self.label.clear();
            self.parents.clear();
        } else if let Some(quote) = line.strip_prefix('>') {
            self.push(Form::Quote, String::new(), sentence::plain(quote));
        } else if line.starts_with('|') {
            self.row(line);
        } else if let Some((number, rest)) = bullet(line) {
            self.bullet(indent, number, rest);
        } else {
            self.running(indent, line);
        }
    }

    fn bullet(&mut self, indent: usize, number: u32, rest: &str) {
        self.parents.retain(|(at, _)| *at < indent);
        let text = sentence::plain(rest);
        let lead = self.parents.last().map_or_else(|| self.label.clone(), |(_, t)| t.clone());
        self.parents.push((indent, text.clone()));
        self.push(Form::Bullet(number), lead, text);
    }

    fn running(&mut self, indent: usize, line: &str) {
        let text = sentence::plain(line);
        // A list ends the reach of the label above it.
        if matches!(self.units.last(), Some(u) if matches!(u.form, Form::Bullet(_))) && self.blank {
            self.label.clear();
        }
        // Indented text goes on with its bullet.
        if let Some((_, lead)) = self.parents.iter().rev().find(|(at, _)| *at < indent) {
            return self.push(Form::Line, lead.clone(), text);
        }
        if !self.blank && self.continues(&text) {
            if let Some(last) = self.units.last_mut() {
                last.text.push(' ');
                last.text.push_str(&text);
            }
            return;
        }
        self.parents.clear();
        if is_label(line, &text) {
            self.label.clone_from(&text);
        }
        let lead = if is_label(line, &text) { String::new() } else { std::mem::take(&mut self.label) };
        self.push(Form::Line, lead, text);
    }

    /// Whether a line is the rest of a wrapped sentence.
    fn continues(&self, text: &str) -> bool {
        let Some(last) = self.units.last() else { return false };
        let open = last.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '`' | ')'));
        open && last.text.len() > 50 && text.starts_with(|c: char| c.is_lowercase())
    }

    fn row(&mut self, line: &str) {
        let cells: Vec<String> = line.trim_matches('|').split('|').map(sentence::plain).collect();
        if cells.iter().all(|c| c.bytes().all(|b| matches!(b, b'-' | b':' | b' '))) {
            return;
        }
        let label = self.label.clone();
        self.push(Form::Row, label, cells.join(" | "));
    }

    fn push(&mut self, form: Form, lead: String, text: String) {
        if !text.is_empty() {
            self.units.push(Unit { heading: self.heading.clone(), lead, text, form });
        }
    }
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && rest.starts_with(' ')).then(|| rest.trim())
}

/// The number (0 for none) and the text of a list item.
fn bullet(line: &str) -> Option<(u32, &str)> {
    if let Some(rest) =
        ["- ", "* ", "+ ", "\u{2022} ", "\u{2705} ", "\u{274c} "].iter().find_map(|m| line.strip_prefix(m))
    {
        return Some((0, rest.trim()));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix([')', '.'])?.strip_prefix(' ')?;
    (1..=2).contains(&digits).then_some(())?;
    Some((line[..digits].parse().ok()?, rest.trim()))
}

/// A line that names what follows it.
fn is_label(line: &str, text: &str) -> bool {
    let bold =
        line.starts_with("**") && (line.ends_with("**") || line.ends_with("**:")) && line.matches("**").count() == 2;
    text.len() <= 160 && (bold || text.ends_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "## Cache\n\nIntro line.\n\n**Store (`store.rs`)**:\n- Moved to `redb`\n  - because of locks\n```rust\nlet never = 1;\n```\n1. First thing\n\n| a | b |\n|---|---|\n| x | y |\n> quoted\n---\nWrapped line that is long enough to be taken as the beginning of a\nsentence.";

    fn texts(form: impl Fn(Form) -> bool) -> Vec<String> {
        units(TEXT).into_iter().filter(|u| form(u.form)).map(|u| u.text).collect()
    }

    #[test]
    fn bullets_know_their_label_and_their_parent() {
        let all = units(TEXT);
        let of = |text: &str| all.iter().find(|u| u.text.starts_with(text)).unwrap();
        assert_eq!(of("Moved").lead, "Store (`store.rs`):");
        assert_eq!(of("Moved").heading, "Cache");
        assert_eq!(of("because").lead, "Moved to `redb`");
        assert_eq!(of("First").form, Form::Bullet(1));
    }

    #[test]
    fn code_is_left_out_and_wrapped_lines_are_joined() {
        assert!(!units(TEXT).iter().any(|u| u.text.contains("never")));
        let lines = texts(|f| f == Form::Line);
        assert!(lines.last().unwrap().ends_with("as the beginning of a sentence."), "{lines:?}");
        assert_eq!(texts(|f| f == Form::Row), ["a | b", "x | y"]);
        assert_eq!(texts(|f| f == Form::Quote), ["quoted"]);
    }

    #[test]
    fn an_open_code_block_swallows_the_rest() {
        assert!(units("```\nnever use this").is_empty());
    }
}
