//! `engram check`.

use super::args::CheckArgs;
use super::{App, Done, Failure, change};
use anstyle::AnsiColor;
use engram_core::Engram;
use engram_core::contradict::{Change, Verdict, VerdictKind};
use std::path::Path;
use std::process::ExitCode;

/// Exit code of a contradiction, when `--exit-code` asks for it.
const CONTRADICTION: u8 = 3;

pub(super) fn run(app: &App, args: &CheckArgs) -> Done {
    let engram = app.open()?;
    let path = in_project(app, &engram, &args.file)?;
    let diff = match args.diff.as_deref() {
        Some(source) => change::given(source)?,
        None => change::from_git(engram.project(), &path)?,
    };
    change::must_change(&diff, &path)?;
    let verdict = engram.check_contradiction(&Change { path: &path, diff: &diff })?;
    if app.common.json {
        app.out.json(&verdict);
    } else {
        print(app, &verdict);
    }
    let contradicts = verdict.verdict != VerdictKind::NoContradiction;
    Ok(ExitCode::from(if contradicts && args.exit_code { CONTRADICTION } else { 0 }))
}

/// The file as memory names it: relative to the working directory if it is there, else to the project's root.
fn in_project(app: &App, engram: &Engram, file: &Path) -> Result<String, Failure> {
    let here = app.directory()?.canonicalize().unwrap_or_else(|_| engram.project().root.clone());
    let base = if here.join(file).exists() { here } else { engram.project().root.clone() };
    Ok(engram.project().relative(&file.to_string_lossy(), &base))
}

fn print(app: &App, verdict: &Verdict) {
    let (word, colour) = match verdict.verdict {
        VerdictKind::NoContradiction => ("no contradiction", AnsiColor::Green),
        VerdictKind::IndirectContradiction => ("indirect contradiction", AnsiColor::Yellow),
        VerdictKind::DirectContradiction => ("direct contradiction", AnsiColor::Red),
    };
    app.out.line(app.out.coloured(colour, word));
    if verdict.verdict != VerdictKind::NoContradiction {
        app.out.line(&verdict.explanation);
        app.out.line(&verdict.recommendation);
        app.out.line(app.out.dim(format!("decisions: {}", verdict.decisions.join(" "))));
    }
}
