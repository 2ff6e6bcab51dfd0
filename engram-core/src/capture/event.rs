//! What the log holds: one event a line (contract, "Event line").

use crate::text;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The id that a harness gives a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// Wraps an id as received.
    pub fn new(id: impl Into<String>) -> SessionId {
        SessionId(id.into())
    }

    /// The id as received.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as a file name: itself if it is `[A-Za-z0-9][A-Za-z0-9_-]{0,63}`, a digest otherwise (I8).
    pub fn file_stem(&self) -> String {
        let bytes = self.0.as_bytes();
        let plain = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'-';
        let safe = (1..=64).contains(&bytes.len()) && bytes[0].is_ascii_alphanumeric() && bytes.iter().all(plain);
        if safe { self.0.clone() } else { format!("x-{}", text::digest::<16>(bytes)) }
    }
}

impl From<&str> for SessionId {
    fn from(id: &str) -> SessionId {
        SessionId::new(id)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One event of a session. Immutable once written; its address is the byte offset of its line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Version of the line's form; this library writes 1.
    pub v: u32,
    /// When it happened, by the harness's clock or ours.
    pub ts: Timestamp,
    /// What happened; carries `type`.
    #[serde(flatten)]
    pub body: EventBody,
    /// The user's turn it belongs to, from 1; 0 before the first prompt.
    #[serde(default)]
    pub turn: u32,
    /// The harness's name of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The harness's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The sub-agent that made the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Patterns this event completes (D3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<Derived>,
    /// What was done to the event on its way, for example `redacted`, `truncated`, `bytesReplaced`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl Event {
    /// An event with nothing but a time and a body.
    pub fn new(ts: Timestamp, body: EventBody) -> Event {
        Event {
            v: 1,
            ts,
            body,
            turn: 0,
            tool: None,
            tool_use_id: None,
            agent: None,
            derived: Vec::new(),
            flags: Vec::new(),
        }
    }

    /// Adds a flag once.
    pub fn flag(&mut self, flag: &str) {
        if !self.flags.iter().any(|f| f == flag) {
            self.flags.push(flag.to_owned());
        }
    }

    /// Every file that this event changed.
    pub fn writes(&self) -> impl Iterator<Item = &FileChange> {
        let (first, rest) = match &self.body {
            EventBody::FileWrite { change, also } => (Some(change), also.as_slice()),
            _ => (None, &[][..]),
        };
        first.into_iter().chain(rest)
    }

    /// Every file that this event read.
    pub fn reads(&self) -> impl Iterator<Item = &str> {
        let (first, rest) = match &self.body {
            EventBody::FileRead { path, also, .. } => (Some(path.as_str()), also.as_slice()),
            _ => (None, &[][..]),
        };
        first.into_iter().chain(rest.iter().map(String::as_str))
    }

    /// Whether a tool call made this event.
    pub fn is_tool_call(&self) -> bool {
        !matches!(
            self.body,
            EventBody::SessionStart { .. }
                | EventBody::SessionEnd { .. }
                | EventBody::Prompt { .. }
                | EventBody::TurnComplete { .. }
                | EventBody::Compact { .. }
                | EventBody::Outcome { .. }
                | EventBody::Injected { .. }
                | EventBody::Unknown
        )
    }
}

/// A pattern over the recent events of the session (specification, "Derived event types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Derived {
    /// A file read for the first time in this task.
    Exploration,
    /// A write to a region written before, after a test failed.
    FixAttempt,
    /// A write to a new file after a test passed.
    Progression,
    /// Reads that move outward: more than two directories away from the reads before, over the last five.
    ExpandingSearch,
    /// Three or more writes to the same lines.
    RepeatedRevision,
}

/// Where an exit code came from (D4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitCodeSource {
    /// The harness said it.
    Reported,
    /// Read out of the command's output.
    Inferred,
}

/// What a write did to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WriteKind {
    /// The file existed and was changed.
    #[default]
    Update,
    /// The file is new.
    Create,
    /// The file was removed.
    Delete,
}

/// What one call did to one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// The file, relative to the project's root.
    pub path: String,
    /// What happened to it.
    #[serde(default)]
    pub kind: WriteKind,
    /// Where it was before, if it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Unified diff, hunks only, bounded.
    pub diff: String,
    /// The lines touched.
    pub lines_changed: LinesChanged,
    /// 5 to 10 lines of the region after the change.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

/// The lines that a write touched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LinesChanged {
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// First and last line of each hunk after the change, both included, from 1.
    pub ranges: Vec<[u32; 2]>,
}

/// What a call says about the agent's own plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Plan {
    /// The whole list: how many of its entries are done, of how many.
    List {
        /// Entries that are done.
        done: u32,
        /// All entries.
        total: u32,
    },
    /// One task of a list that is kept one by one.
    Task {
        /// The harness's id of the task.
        id: String,
        /// Its state, in the harness's word: `pending`, `in_progress`, `completed`, `deleted`.
        status: String,
    },
}

/// The kinds of event. Unknown kinds of later versions read as [`EventBody::Unknown`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the contract's; docs/wire.md describes each")]
pub enum EventBody {
    /// A session began, or went on after a resume or a compaction.
    SessionStart {
        harness: String,
        cwd: String,
        root: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        git_head: Option<String>,
        source: String,
    },
    /// The user's words, when submitted.
    Prompt { text: String },
    /// A file was read. `also` names further files of the same call (a shell command that prints several).
    FileRead {
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content_hash: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<String>,
    },
    /// A file was changed. `also` holds further files of the same call (a patch over several): a call is one line (D3).
    FileWrite {
        #[serde(flatten)]
        change: FileChange,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<FileChange>,
    },
    /// A command that runs tests.
    TestRun {
        command: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code_source: Option<ExitCodeSource>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        passed: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failed: Option<u32>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        failing_tests: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        error_signatures: Vec<String>,
    },
    /// A command that builds, checks or lints.
    Build {
        command: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code_source: Option<ExitCodeSource>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error_summary: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        error_signatures: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        learned: Option<String>,
    },
    /// Something was looked up on the web.
    Research {
        query: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        results_count: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        learned: Option<String>,
    },
    /// A decision that was saved on purpose.
    Decision {
        content: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rejected: Vec<String>,
    },
    /// Any other shell command. `error` is the first telling line of a failure's output.
    Command {
        command: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code_source: Option<ExitCodeSource>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A search in the project: grep, glob, listing.
    Search {
        query: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        results_count: Option<u32>,
    },
    /// Any other tool.
    Tool {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// Where it keeps a plan or a list of tasks: how far that is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<Plan>,
    },
    /// The harness compacted its context: notes may be told again.
    Compact { trigger: String },
    /// The agent finished responding. `assistant` is the first ~200 tokens; `text` the whole final message, bounded.
    TurnComplete {
        user: String,
        assistant: String,
        tool_calls: u32,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
    },
    /// The exit code of the call with the same `toolUseId`, which the harness told only later.
    Outcome { exit_code: i32 },
    /// What engram told the agent: no echo of it counts as evidence (D21).
    Injected { door: String, ids: Vec<String>, text: String },
    /// The session ended.
    SessionEnd { reason: String },
    /// A kind that this version does not know.
    #[serde(other)]
    Unknown,
}

impl EventBody {
    /// The value of `type` on the wire.
    pub fn type_name(&self) -> &'static str {
        match self {
            EventBody::SessionStart { .. } => "session_start",
            EventBody::Prompt { .. } => "prompt",
            EventBody::FileRead { .. } => "file_read",
            EventBody::FileWrite { .. } => "file_write",
            EventBody::TestRun { .. } => "test_run",
            EventBody::Build { .. } => "build",
            EventBody::Research { .. } => "research",
            EventBody::Decision { .. } => "decision",
            EventBody::Command { .. } => "command",
            EventBody::Search { .. } => "search",
            EventBody::Tool { .. } => "tool",
            EventBody::Compact { .. } => "compact",
            EventBody::TurnComplete { .. } => "turn_complete",
            EventBody::Outcome { .. } => "outcome",
            EventBody::Injected { .. } => "injected",
            EventBody::SessionEnd { .. } => "session_end",
            EventBody::Unknown => "unknown",
        }
    }

    /// The exit code of a test run, a build, a command or another tool.
    pub fn exit_code(&self) -> Option<i32> {
        match self {
            EventBody::TestRun { exit_code, .. }
            | EventBody::Build { exit_code, .. }
            | EventBody::Command { exit_code, .. }
            | EventBody::Tool { exit_code, .. } => *exit_code,
            _ => None,
        }
    }

    /// Sets the exit code that the harness reported, where the event has one.
    pub(crate) fn report(&mut self, code: i32) {
        match self {
            EventBody::TestRun { exit_code, exit_code_source, .. }
            | EventBody::Build { exit_code, exit_code_source, .. }
            | EventBody::Command { exit_code, exit_code_source, .. } => {
                (*exit_code, *exit_code_source) = (Some(code), Some(ExitCodeSource::Reported));
            }
            EventBody::Tool { exit_code, .. } => *exit_code = Some(code),
            _ => {}
        }
    }

    /// Whether a test run, a build or a command is known to have failed.
    pub fn failed(&self) -> bool {
        match self {
            EventBody::TestRun { exit_code, failed, .. } => {
                exit_code.is_some_and(|c| c != 0) || failed.is_some_and(|f| f > 0)
            }
            EventBody::Build { exit_code, .. }
            | EventBody::Command { exit_code, .. }
            | EventBody::Tool { exit_code, .. } => exit_code.is_some_and(|c| c != 0),
            _ => false,
        }
    }
}
