//! What the agent said last in the turn that is going on.

use engram_core::time::Timestamp;

/// The agent's last word of a turn, and when it was said.
pub(super) type LastWord = (String, Option<Timestamp>);

/// The agent's side of one turn.
#[derive(Debug, Default)]
pub(super) struct Turn {
    open: bool,
    text: String,
    message: String,
    at: Option<Timestamp>,
}

impl Turn {
    /// The agent said something; parts of one message add up, a new message replaces the one before.
    pub(super) fn say(&mut self, message: &str, text: &str, at: Option<Timestamp>) {
        (self.open, self.at) = (true, at);
        if self.message != message {
            self.text.clear();
            message.clone_into(&mut self.message);
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text.trim());
    }

    /// The agent used a tool: what it said before is not its last word.
    pub(super) fn use_tool(&mut self, at: Option<Timestamp>) {
        (self.open, self.at) = (true, at);
        self.text.clear();
    }

    /// The harness recorded the end of the turn: the final text, or nothing if no turn was going on.
    pub(super) fn end(&mut self) -> Option<LastWord> {
        let turn = std::mem::take(self);
        turn.open.then_some((turn.text, turn.at))
    }

    /// Something else began. It was the end of a turn only if the agent had the last word.
    pub(super) fn end_if_spoken(&mut self) -> Option<LastWord> {
        self.end().filter(|(text, _)| !text.is_empty())
    }

    /// The user broke the turn off: harnesses call no hook then.
    pub(super) fn interrupt(&mut self) {
        *self = Turn::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_what_follows_the_last_tool() {
        let mut turn = Turn::default();
        let at = |millis| Some(Timestamp::from_millis(millis));
        turn.say("m1", "Let me look.", at(1));
        turn.use_tool(at(2));
        assert_eq!(turn.end_if_spoken(), None);
        turn.say("m2", "Looking.", at(3));
        turn.use_tool(at(4));
        turn.say("m3", "Done.\n", at(5));
        turn.say("m3", "Two files changed.", at(6));
        assert_eq!(turn.end(), Some(("Done.\nTwo files changed.".to_owned(), at(6))));
        assert_eq!(turn.end(), None);
    }

    #[test]
    fn an_interrupted_turn_has_no_end() {
        let mut turn = Turn::default();
        turn.say("m1", "Let me", None);
        turn.interrupt();
        assert_eq!(turn.end(), None);
    }
}
