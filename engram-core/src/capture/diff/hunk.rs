//! One stretch of a diff.

/// A line of a hunk: ` `, `+` or `-`, and the text without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) sign: char,
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    pub(crate) fn new(sign: char, text: &'a str) -> Line<'a> {
        Line { sign, text: text.trim_end_matches(['\n', '\r']) }
    }

    /// From a line of a unified diff; nothing for `\ No newline at end of file`.
    pub(crate) fn parse(raw: &'a str) -> Option<Line<'a>> {
        match raw.chars().next() {
            Some(sign @ (' ' | '+' | '-')) => Some(Line::new(sign, &raw[1..])),
            // Some tools strip the space of an empty context line.
            None => Some(Line::new(' ', "")),
            _ => None,
        }
    }
}

/// Consecutive lines of a diff; starts count from 1, and 0 is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunk<'a> {
    pub(crate) old_start: u32,
    pub(crate) new_start: u32,
    pub(crate) lines: Vec<Line<'a>>,
}

impl Hunk<'_> {
    pub(crate) fn old_len(&self) -> u32 {
        self.count(|s| s != '+')
    }

    fn new_len(&self) -> u32 {
        self.count(|s| s != '-')
    }

    fn count(&self, counts: impl Fn(char) -> bool) -> u32 {
        u32::try_from(self.lines.iter().filter(|l| counts(l.sign)).count()).unwrap_or(u32::MAX)
    }

    fn is_placed(&self) -> bool {
        self.old_start > 0 || self.new_start > 0
    }

    /// `@@ -a,b +c,d @@`; all zeros where the place in the file is unknown.
    pub(crate) fn header(&self) -> String {
        if !self.is_placed() {
            return "@@ -0,0 +0,0 @@".to_owned();
        }
        format!("@@ -{},{} +{},{} @@", self.old_start, self.old_len(), self.new_start, self.new_len())
    }

    /// First and last changed line after the change; where lines only went, the line that stands there now.
    pub(crate) fn range(&self) -> Option<[u32; 2]> {
        if !self.is_placed() {
            return None;
        }
        let mut next = self.new_start.max(1);
        let (mut first, mut last) = (None, 0);
        let mut before = ' ';
        for line in &self.lines {
            // A removal right after an addition has no line of its own.
            if line.sign == '+' || (line.sign == '-' && before != '+') {
                first = first.or(Some(next));
                last = next;
            }
            next = next.saturating_add(u32::from(line.sign != '-'));
            before = if line.sign == '-' && before == '+' { '+' } else { line.sign };
        }
        first.map(|f| [f, last.max(f)])
    }

    /// The same hunk with at most `context` unchanged lines at either end.
    pub(crate) fn trimmed(mut self, context: usize) -> Self {
        let is_context = |l: &Line<'_>| l.sign == ' ';
        let extra_end = self.lines.iter().rev().take_while(|l| is_context(l)).count().saturating_sub(context);
        self.lines.truncate(self.lines.len() - extra_end);
        let extra = self.lines.iter().take_while(|l| is_context(l)).count().saturating_sub(context);
        self.lines.drain(..extra);
        if self.is_placed() {
            let extra = u32::try_from(extra).unwrap_or(0);
            self.old_start = self.old_start.saturating_add(extra);
            self.new_start = self.new_start.saturating_add(extra);
        }
        self
    }

    pub(crate) fn changes_something(&self) -> bool {
        self.lines.iter().any(|l| l.sign != ' ')
    }
}
