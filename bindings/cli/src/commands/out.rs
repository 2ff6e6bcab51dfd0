//! What a command prints: text for people with colour only on a terminal, or one JSON value.

use anstyle::{AnsiColor, Style};
use std::io::{IsTerminal, Write};

/// Standard output of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    colour: bool,
}

impl Out {
    /// Standard output; colour only if it is a terminal and `NO_COLOR` is not set.
    pub(super) fn stdout() -> Out {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        Out { colour: std::io::stdout().is_terminal() && !plain }
    }

    /// Prints a line. A closed pipe ends the output, not the work.
    pub(super) fn line(self, text: impl AsRef<str>) {
        let _ = writeln!(std::io::stdout().lock(), "{}", text.as_ref());
    }

    /// Prints one JSON value on one line.
    pub(super) fn json(self, value: &impl serde::Serialize) {
        self.line(serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\":\"{e}\"}}")));
    }

    /// `text` as a heading.
    pub(super) fn bold(self, text: impl AsRef<str>) -> String {
        self.styled(Style::new().bold(), text.as_ref())
    }

    /// `text` as a side remark.
    pub(super) fn dim(self, text: impl AsRef<str>) -> String {
        self.styled(Style::new().dimmed(), text.as_ref())
    }

    /// `text` in a colour.
    pub(super) fn coloured(self, colour: AnsiColor, text: impl AsRef<str>) -> String {
        self.styled(Style::new().fg_color(Some(colour.into())), text.as_ref())
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// Prints `error: …` on stderr, on one line.
pub(super) fn error(reason: &impl std::fmt::Display) {
    let line = reason.to_string().replace('\n', " ");
    let _ = writeln!(std::io::stderr().lock(), "error: {line}");
}

/// Prints a remark on stderr.
pub(super) fn remark(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr().lock(), "{}", text.as_ref());
}
