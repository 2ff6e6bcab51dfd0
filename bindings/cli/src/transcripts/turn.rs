//! What the agent said last in the turn that is going on.

/// The agent's side of one turn.
#[derive(Debug, Default)]
pub(super) struct Turn {
    open: bool,
    text: String,
    message: String,
}

impl Turn {
    /// The agent said something; parts of one message add up, a new message replaces the one before.
    pub(super) fn say(&mut self, message: &str, text: &str) {
        self.open = true;
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
    pub(super) fn use_tool(&mut self) {
        self.open = true;
        self.text.clear();
    }

    /// The harness recorded the end of the turn: the final text, or nothing if no turn was going on.
    pub(super) fn end(&mut self) -> Option<String> {
        let turn = std::mem::take(self);
        turn.open.then_some(turn.text)
    }

    /// Something else began. It was the end of a turn only if the agent had the last word.
    pub(super) fn end_if_spoken(&mut self) -> Option<String> {
        self.end().filter(|text| !text.is_empty())
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
        turn.say("m1", "Let me look.");
        turn.use_tool();
        assert_eq!(turn.end_if_spoken(), None);
        turn.say("m2", "Looking.");
        turn.use_tool();
        turn.say("m3", "Done.\n");
        turn.say("m3", "Two files changed.");
        assert_eq!(turn.end().as_deref(), Some("Done.\nTwo files changed."));
        assert_eq!(turn.end(), None);
    }

    #[test]
    fn an_interrupted_turn_has_no_end() {
        let mut turn = Turn::default();
        turn.say("m1", "Let me");
        turn.interrupt();
        assert_eq!(turn.end(), None);
    }
}
