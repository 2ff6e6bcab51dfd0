//! `engram check`.

use super::args::CheckArgs;
use super::{App, Done};
use anstyle::AnsiColor;
use engram_core::contradict::{Change, Verdict, VerdictKind};
use engram_core::{Engram, Error, ErrorKind, Result};
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Exit code of a contradiction, when `--exit-code` asks for it.
const CONTRADICTION: u8 = 3;

pub(super) fn run(app: &App, args: &CheckArgs) -> Done {
    let engram = app.open()?;
    let path = in_project(app, &engram, &args.file)?;
    let diff = diff(&engram, args.diff.as_deref(), &path)?;
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
fn in_project(app: &App, engram: &Engram, file: &Path) -> Result<String> {
    let here = app.directory()?.canonicalize().unwrap_or_else(|_| engram.project().root.clone());
    let base = if here.join(file).exists() { here } else { engram.project().root.clone() };
    Ok(engram.project().relative(&file.to_string_lossy(), &base))
}

fn diff(engram: &Engram, source: Option<&Path>, path: &str) -> Result<String> {
    let failed = |what: String, e: std::io::Error| Error::new(ErrorKind::Io, what).with_source(e);
    match source {
        Some(dash) if dash == Path::new("-") => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|e| failed("cannot read the diff from standard input".into(), e))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        Some(file) => {
            let bytes =
                std::fs::read(file).map_err(|e| failed(format!("cannot read the diff \"{}\"", file.display()), e))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        None => {
            let git =
                Command::new("git").args(["diff", "HEAD", "--", path]).current_dir(&engram.project().root).output();
            let output =
                git.map_err(|e| failed("cannot ask git for the change; name one with --diff FILE".into(), e))?;
            if !output.status.success() {
                return Err(Error::new(ErrorKind::Io, "git shows no change here; name one with --diff FILE"));
            }
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
    }
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
