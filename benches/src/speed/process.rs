//! A hook from start to exit, against a program that does nothing.

use super::row::Row;
use super::synthetic;
use crate::corpus::Corpus;
use crate::records::Outcome;
use crate::timing::Samples;
use engram_core::config::Durability;
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Notes of the memory that is not empty.
const NOTES: usize = 10_000;
/// Rounds that are not counted: the first creates the session's log.
const WARM_UP: usize = 3;

struct Case {
    corpus: Corpus,
    durability: &'static str,
    notes: usize,
    samples: Samples,
}

/// A PostToolUse of Read for a file not read before, with and without memories, at both levels of durability.
pub(super) fn rows(hook: &Path, rounds: usize) -> Outcome<Vec<Row>> {
    if !hook.is_file() {
        return Err(format!("no program at \"{}\" (--hook names it)", hook.display()).into());
    }
    let folder = tempfile::tempdir()?;
    let nothing = empty_program(folder.path())?;
    let payload = folder.path().join("payload.json");
    let mut cases = cases()?;
    let mut least = Samples::default();
    // Interleaved, so that what else the machine does falls on all alike.
    for round in 0..WARM_UP + rounds {
        let mut floor = Samples::default();
        floor.time(|| Command::new(&nothing).stdin(Stdio::null()).status())?;
        for case in &mut cases {
            std::fs::write(&payload, case.payload(round))?;
            let one = case.hook(hook, &payload)?;
            if round >= WARM_UP {
                case.samples.add(one);
            }
        }
        if round >= WARM_UP {
            least.add(floor);
        }
    }
    let name = |case: &Case| format!("hook, first read, {} memories, {}", case.notes, case.durability);
    Ok(cases.iter().map(|c| Row::new(name(c), &c.samples, "empty static C program", &least)).collect())
}

fn cases() -> Outcome<Vec<Case>> {
    let mut cases = Vec::new();
    for notes in [0, NOTES] {
        for durability in ["process", "power"] {
            let corpus = match notes {
                0 => Corpus::empty(Durability::Process)?,
                _ => Corpus::of_notes(&synthetic::notes(notes))?,
            };
            cases.push(Case { corpus, durability, notes, samples: Samples::default() });
        }
    }
    Ok(cases)
}

impl Case {
    fn payload(&self, round: usize) -> String {
        let cwd = self.corpus.project();
        let place = cwd.join(synthetic::file(round));
        json!({
            "session_id": "speed", "cwd": cwd, "hook_event_name": "PostToolUse", "tool_name": "Read",
            "tool_input": {"file_path": place}, "tool_use_id": format!("toolu_{round}"),
            "tool_response": {"type": "text", "file": {"filePath": place, "content": "fn main() {}\n", "numLines": 1}},
        })
        .to_string()
    }

    /// One call, checked: a hook that failed would be quick.
    fn hook(&self, hook: &Path, payload: &Path) -> Outcome<Samples> {
        let mut command = Command::new(hook);
        command.arg("claude-code").env("ENGRAM_HOME", self.corpus.home()).env("ENGRAM_DURABILITY", self.durability);
        command.env("ENGRAM_NO_BACKGROUND", "1").stdin(File::open(payload)?);
        let mut one = Samples::default();
        let output = one.time(|| command.output())?;
        check(&output, self.notes > 0)?;
        Ok(one)
    }
}

fn check(output: &Output, knows: bool) -> Outcome<()> {
    let told = !output.stdout.is_empty();
    if !output.status.success() || !output.stderr.is_empty() || told != knows {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the hook ended with {}, told something: {told}, said \"{said}\"", output.status).into());
    }
    Ok(())
}

/// Compiles the floor under every process.
fn empty_program(folder: &Path) -> Outcome<PathBuf> {
    let (source, program) = (folder.join("nothing.c"), folder.join("nothing"));
    std::fs::write(&source, "int main(void) { return 0; }\n")?;
    let compiled = Command::new("cc").args(["-static", "-O2", "-o"]).arg(&program).arg(&source).output()?;
    if !compiled.status.success() {
        return Err(format!("cc: {}", String::from_utf8_lossy(&compiled.stderr)).into());
    }
    Ok(program)
}
