//! The last step before a text is stored: hidden characters and secrets out, length bounded.

use super::event::Event;
use super::redact::redact;
use crate::text;

/// What is looked at of a text beyond its bound, so that a secret cut by the bound is still recognised.
const MARGIN: usize = 4096;

/// Longest path that is kept, in bytes.
const MAX_PATH: usize = 1024;

/// `raw` without hidden characters and secrets, of at most `max` bytes: for what comes in by another door than a call.
pub(crate) fn safe_text(raw: &str, max: usize) -> String {
    Scrub::default().text(raw, max)
}

/// A path or an id on one line, cleaned as those of a call are, so that both give the same.
pub(crate) fn safe_path(raw: &str) -> String {
    Scrub::default().line(raw, MAX_PATH)
}

/// Cleans texts and remembers what it did to them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scrub {
    redacted: bool,
    truncated: bool,
}

impl Scrub {
    /// `raw` without hidden characters and secrets, of at most `max` bytes.
    pub(crate) fn text(&mut self, raw: &str, max: usize) -> String {
        let part = text::clip(raw, max.saturating_add(MARGIN));
        let plain = text::neutralise(part);
        let safe = redact(&plain);
        self.redacted |= safe.as_ref() != plain.as_ref();
        self.truncated |= part.len() < raw.len() || safe.len() > max;
        text::clip(&safe, max).to_owned()
    }

    /// The same on one line, clipped with a mark: for names, titles and queries, where a cut loses nothing.
    pub(crate) fn line(&mut self, raw: &str, max: usize) -> String {
        let part = text::clip(raw, max.saturating_add(MARGIN));
        let plain = text::neutralise(part);
        let safe = redact(&plain);
        self.redacted |= safe.as_ref() != plain.as_ref();
        text::clip_marked(safe.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or(""), max)
    }

    /// Notes that something was left out.
    pub(crate) fn note_truncated(&mut self) {
        self.truncated = true;
    }

    /// Puts what was done into the event's flags.
    pub(crate) fn flag(self, e: &mut Event) {
        for (done, flag) in [(self.redacted, "redacted"), (self.truncated, "truncated")] {
            if done {
                e.flag(flag);
            }
        }
    }
}
