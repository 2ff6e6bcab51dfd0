//! Every event of a hook from start to exit, at several sizes of memory, beside other programs that could answer it.

use super::synthetic;
use crate::corpus::Corpus;
use crate::records::Outcome;
use crate::timing::Samples;
use engram_core::config::Durability;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What else could be started for an event.
const OTHERS: &[(&str, &[&str])] = &[("/bin/true", &[]), ("node", &["-e", "0"]), ("/usr/bin/python3", &["-c", "0"])];
/// Rounds that are not counted.
const WARM_UP: usize = 1;

/// A session that all memories see in every round: the event's name, and its payload beside the fields of every event.
fn session(project: &Path, round: usize) -> Vec<(&'static str, Value)> {
    let read = project.join(synthetic::file(round));
    let edited = project.join(synthetic::file(round + 500));
    let output = "compiled another module without a warning\n".repeat(46);
    let patch =
        json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-let a = 1;", "+let a = 2;"]}]);
    vec![
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "find out why the parser is slow and mend it"})),
        (
            "PostToolUse",
            json!({"tool_name": "Read", "tool_input": {"file_path": read}, "tool_use_id": "toolu_1",
                "tool_response": {"type": "text", "file": {"filePath": read, "content": output, "numLines": 46}}}),
        ),
        (
            "PostToolUse",
            json!({"tool_name": "Edit", "tool_use_id": "toolu_2",
                "tool_input": {"file_path": edited, "old_string": "let a = 1;", "new_string": "let a = 2;"},
                "tool_response": {"filePath": edited, "originalFile": "let a = 1;\n", "structuredPatch": patch}}),
        ),
        (
            "PostToolUseFailure",
            json!({"tool_name": "Bash", "tool_input": {"command": "cargo test"}, "tool_use_id": "toolu_3",
                "error": format!("Exit code 1\n{output}")}),
        ),
        ("PreCompact", json!({"trigger": "auto"})),
        ("Stop", json!({"last_assistant_message": "The parser read the file twice; it reads it once now."})),
        ("SessionEnd", json!({"reason": "other"})),
    ]
}

struct Column {
    notes: usize,
    corpus: Corpus,
    samples: Vec<Samples>,
}

impl Column {
    fn new(notes: usize) -> Outcome<Column> {
        let corpus = match notes {
            0 => Corpus::empty(Durability::Process)?,
            _ => Corpus::of_notes(&synthetic::notes(notes))?,
        };
        Ok(Column { notes, corpus, samples: Vec::new() })
    }

    /// One session; its times are noted where they count.
    fn play(&mut self, hook: &Path, payload: &Path, round: usize) -> Outcome<()> {
        let project = self.corpus.project().to_owned();
        let home = self.corpus.home();
        for (at, (event, fields)) in session(&project, round).into_iter().enumerate() {
            let mut whole = fields;
            for (key, value) in [("session_id", format!("round-{round}")), ("hook_event_name", event.to_owned())] {
                whole[key] = json!(value);
            }
            whole["cwd"] = json!(project);
            std::fs::write(payload, whole.to_string())?;
            let mut command = Command::new(hook);
            command.arg("claude-code").env("ENGRAM_HOME", &home).env("ENGRAM_NO_BACKGROUND", "1");
            command.stdin(File::open(payload)?);
            let mut one = Samples::default();
            let output = one.time(|| command.output())?;
            if !output.status.success() || !output.stderr.is_empty() {
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!("{event}: the hook ended with {}, said \"{said}\"", output.status).into());
            }
            self.samples.resize_with(self.samples.len().max(at + 1), Samples::default);
            if round >= WARM_UP {
                self.samples[at].add(one);
            }
        }
        Ok(())
    }
}

/// A table of medians in milliseconds: a row an event, a column a size of memory; then the other programs.
pub(super) fn table(hook: &Path, sizes: &[usize], rounds: usize) -> Outcome<String> {
    if !hook.is_file() {
        return Err(format!("no program at \"{}\" (--hook names it)", hook.display()).into());
    }
    let folder = tempfile::tempdir()?;
    let payload: PathBuf = folder.path().join("payload.json");
    let mut columns = sizes.iter().map(|n| Column::new(*n)).collect::<Outcome<Vec<_>>>()?;
    let mut others = vec![Samples::default(); OTHERS.len()];
    for round in 0..WARM_UP + rounds {
        for column in &mut columns {
            column.play(hook, &payload, round)?;
        }
        for ((program, arguments), samples) in OTHERS.iter().zip(&mut others) {
            let mut one = Samples::default();
            let mut command = Command::new(program);
            if one.time(|| command.args(*arguments).stdin(Stdio::null()).status()).is_ok() && round >= WARM_UP {
                samples.add(one);
            }
        }
    }
    Ok(written(&columns, &others))
}

fn written(columns: &[Column], others: &[Samples]) -> String {
    let mut out = "| event | ".to_owned();
    out += &columns.iter().map(|c| format!("{} memories", c.notes)).collect::<Vec<_>>().join(" | ");
    out += " |\n| --- |";
    out += &" --- |".repeat(columns.len());
    for (at, (event, fields)) in session(Path::new(""), 0).iter().enumerate() {
        let tool = fields["tool_name"].as_str().map(|t| format!(" {t}")).unwrap_or_default();
        let _ = write!(out, "\n| {event}{tool} |");
        for column in columns {
            let _ = write!(out, " {:.2} |", column.samples[at].median() / 1000.0);
        }
    }
    for ((program, arguments), samples) in OTHERS.iter().zip(others) {
        let _ =
            write!(out, "\n| `{}` |{}", [&[*program], *arguments].concat().join(" "), " |".repeat(columns.len() - 1));
        let _ = write!(out, " {:.2} |", samples.median() / 1000.0);
    }
    out
}
