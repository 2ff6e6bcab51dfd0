//! Events that no tool call makes: sessions, prompts, turns, injections.

use super::call::{Compaction, Decided, SessionEnd, SessionStart, TurnEnd, UserPrompt};
use super::event::{Event, EventBody};
use super::recent::Recent;
use super::scrub::Scrub;
use crate::text;
use crate::time::Timestamp;

/// Bytes kept of a prompt, a final message and an injected text.
const MAX_TEXT: usize = 8 * 1024;
/// Bytes of a turn's user summary.
const MAX_USER: usize = 300;
/// Bytes of a turn's answer summary: about 200 tokens.
const MAX_ASSISTANT: usize = 800;
const MAX_NAME: usize = 200;
const MAX_PATH: usize = 1024;

/// A session begins or goes on: harness, folders, commit.
pub fn session_start_event(start: &SessionStart, root: &str, git_head: Option<&str>, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let body = EventBody::SessionStart {
        harness: start.harness.name().to_owned(),
        cwd: scrub.line(if start.cwd.is_empty() { root } else { &start.cwd }, MAX_PATH),
        root: scrub.line(root, MAX_PATH),
        git_head: git_head.map(|h| scrub.line(h, MAX_NAME)),
        source: scrub.line(&start.source, MAX_NAME),
    };
    finish(start.ts, now, body, scrub)
}

/// The user's words, redacted, at most 8 KiB; a longer prompt has the flag `truncated`.
pub fn prompt_event(prompt: &UserPrompt, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let body = EventBody::Prompt { text: scrub.text(&prompt.text, MAX_TEXT) };
    finish(prompt.ts, now, body, scrub)
}

/// A decision that was saved on purpose; `paths` maps its files to the form that memory keeps.
pub fn decision_event(decided: &Decided, paths: &dyn Fn(&str) -> String, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let rationale = decided.rationale.trim();
    let body = EventBody::Decision {
        content: scrub.text(decided.content.trim(), MAX_TEXT / 2),
        rationale: (!rationale.is_empty()).then(|| scrub.text(rationale, MAX_TEXT / 2)),
        files: decided.files.iter().take(50).map(|f| scrub.line(&paths(f.trim()), MAX_PATH)).collect(),
        rejected: decided.rejected.iter().take(20).map(|r| scrub.line(r, 500)).collect(),
    };
    finish(decided.ts, now, body, scrub)
}

/// The end of a turn: the user's words and the agent's answer in short, the answer at most 8 KiB, the turn's number and
/// how many tool calls it had.
pub fn turn_event(end: &TurnEnd, recent: &Recent, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let message = scrub.text(&end.text, MAX_TEXT);
    let body = EventBody::TurnComplete {
        user: text::clip_marked(recent.last_prompt(), MAX_USER),
        assistant: text::clip_marked(&message, MAX_ASSISTANT),
        tool_calls: recent.tool_calls_this_turn(),
        text: message,
    };
    let mut event = finish(end.ts, now, body, scrub);
    event.turn = recent.turn();
    event.agent = end.agent.clone();
    event
}

/// The harness compacts its context.
pub fn compact_event(compaction: &Compaction, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let body = EventBody::Compact { trigger: scrub.line(&compaction.trigger, MAX_NAME) };
    finish(compaction.ts, now, body, scrub)
}

/// The session ended.
pub fn session_end_event(end: &SessionEnd, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let body = EventBody::SessionEnd { reason: scrub.line(&end.reason, MAX_NAME) };
    finish(end.ts, now, body, scrub)
}

/// What engram told the agent at `door` (for example `prompt`), so that no echo of it counts as evidence (D21).
pub fn injected_event(door: &str, ids: &[String], text: &str, now: Timestamp) -> Event {
    let mut scrub = Scrub::default();
    let text = scrub.text(text, MAX_TEXT);
    finish(None, now, EventBody::Injected { door: door.to_owned(), ids: ids.to_vec(), text }, scrub)
}

fn finish(ts: Option<Timestamp>, now: Timestamp, body: EventBody, scrub: Scrub) -> Event {
    let mut event = Event::new(ts.unwrap_or(now), body);
    scrub.flag(&mut event);
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_millis(1_000)
    }

    fn prompted(text: &str) -> Recent {
        let mut recent = Recent::default();
        recent.apply(&prompt_event(&UserPrompt { text: text.to_owned(), ..UserPrompt::default() }, now()));
        recent
    }

    #[test]
    fn a_discussion_turn_produces_an_event() {
        let end = TurnEnd { text: "Because it is simpler.".to_owned(), ..TurnEnd::default() };
        let event = turn_event(&end, &prompted("Why plain functions?"), now());
        let EventBody::TurnComplete { user, assistant, tool_calls, text } = event.body else { panic!("{event:?}") };
        assert_eq!((user.as_str(), tool_calls, event.turn), ("Why plain functions?", 0, 1));
        assert_eq!(assistant, text);
    }

    #[test]
    fn long_texts_are_bounded_and_say_so() {
        let long = "word ".repeat(4_000);
        let event = prompt_event(&UserPrompt { text: long.clone(), ..UserPrompt::default() }, now());
        assert!(event.flags.contains(&"truncated".to_owned()));
        let end = TurnEnd { text: long, ..TurnEnd::default() };
        let event = turn_event(&end, &prompted(&"x ".repeat(900)), now());
        let EventBody::TurnComplete { user, assistant, text, .. } = event.body else { panic!() };
        assert!(user.len() <= MAX_USER + 3 && assistant.len() <= MAX_ASSISTANT + 3 && text.len() <= MAX_TEXT);
    }

    #[test]
    fn a_prompt_with_a_secret_is_redacted() {
        let text = format!("use {}{} for the demo", "AK", "IAQ3EGVZT4XK7WPLMN");
        let event = prompt_event(&UserPrompt { text, ..UserPrompt::default() }, now());
        let EventBody::Prompt { text } = &event.body else { panic!() };
        assert_eq!(text, "use [REDACTED:aws-key-id] for the demo");
        assert_eq!(event.flags, ["redacted"]);
    }
}
