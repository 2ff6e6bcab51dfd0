//! `engram import`.

use super::args::{ImportArgs, ImportFormat};
use super::{App, Done, consolidate};
use crate::adapters::HostEvent;
use crate::transcripts::{self, Transcript};
use engram_core::capture::call::Observation;
use engram_core::{ConsolidateReport, Engram, Error, ErrorKind, Result};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

pub(super) fn run(app: &App, args: &ImportArgs) -> Done {
    match args.format {
        Some(ImportFormat::Notes) => notes(app, args),
        None => sessions(app, args),
    }
}

fn notes(app: &App, args: &ImportArgs) -> Done {
    let engram = app.open()?;
    for path in &args.paths {
        let bytes = std::fs::read(path).map_err(|e| unreadable(path, e))?;
        if args.dry_run {
            let count = bytes.split(|b| *b == b'\n').filter(|l| !l.iter().all(u8::is_ascii_whitespace)).count();
            app.out.line(format!("{}: {count} notes would be imported", path.display()));
            continue;
        }
        let report = engram.import_notes(&bytes)?;
        if app.common.json {
            app.out.json(&report);
        } else {
            let known = if report.created == 0 { " (imported before)" } else { "" };
            app.out.line(format!("{}: {} memories, {} links{known}", path.display(), report.created, report.edges));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One transcript and what became of it.
struct Imported {
    path: PathBuf,
    session: String,
    events: usize,
    skipped_lines: usize,
}

fn sessions(app: &App, args: &ImportArgs) -> Done {
    let engram = app.open()?;
    let files = if args.paths.is_empty() { kept_by_claude_code(&engram)? } else { expand(&args.paths)? };
    let mut imported = Vec::new();
    for path in files {
        let transcript = transcripts::read(&path)?;
        let observed: Vec<Observation> = transcript.events.iter().filter_map(observation).collect();
        let events = if args.dry_run {
            observed.len()
        } else {
            engram.import_session(&transcript.session, &root_of(&transcript), &observed)?
        };
        let Transcript { session, skipped_lines, .. } = transcript;
        imported.push(Imported { path, session: session.to_string(), events, skipped_lines });
        if !app.common.json {
            print_one(app, imported.last(), args.dry_run);
        }
    }
    let report = if args.dry_run {
        ConsolidateReport::default()
    } else {
        consolidate::consolidate(app, &engram, None, Duration::from_secs(60))?
    };
    print_all(app, &imported, &report);
    Ok(ExitCode::from(u8::from(!report.pending.is_empty())))
}

/// Where the session was recorded: its first working directory.
fn root_of(transcript: &Transcript) -> String {
    transcript.cwd.clone()
}

fn observation(event: &HostEvent) -> Option<Observation> {
    match event.clone() {
        HostEvent::SessionStart(s) => Some(Observation::SessionStart(s)),
        HostEvent::Prompt(p) => Some(Observation::Prompt(p)),
        HostEvent::Tool(c) => Some(Observation::ToolCall(c)),
        HostEvent::Stop(e) => Some(Observation::Stop(e)),
        HostEvent::Compaction(c) => Some(Observation::Compaction(c)),
        HostEvent::SessionEnd(e) => Some(Observation::SessionEnd(e)),
        HostEvent::BeforeTool(_) | HostEvent::Ignored => None,
    }
}

/// What Claude Code keeps of this project: `~/.claude/projects/{root with - for every other character}`.
fn kept_by_claude_code(engram: &Engram) -> Result<Vec<PathBuf>> {
    let root = engram.project().root.to_string_lossy();
    let folder: String = root.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let settings = crate::install::claude_code::user_settings();
    let dir = settings.and_then(|s| Some(s.parent()?.join("projects").join(folder)));
    match dir.filter(|d| d.is_dir()) {
        Some(dir) => expand(&[dir]),
        None => Err(Error::new(
            ErrorKind::InvalidArgument,
            "Claude Code keeps no sessions of this project; name transcript files or a folder of them",
        )),
    }
}

/// Files as they are, folders as the `.jsonl` files below them, by name.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|e| unreadable(path, e))?;
            let mut inside: Vec<PathBuf> = entries
                .filter_map(|e| Some(e.ok()?.path()))
                .filter(|p| p.extension().is_some_and(|x| x == "jsonl"))
                .collect();
            inside.sort();
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn unreadable(path: &Path, e: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read \"{}\"", path.display())).with_source(e)
}

fn print_one(app: &App, imported: Option<&Imported>, dry_run: bool) {
    let Some(one) = imported else { return };
    let what = match (one.events, dry_run) {
        (n, true) => format!("{n} events would be imported"),
        (0, false) => "imported before".to_owned(),
        (n, false) => format!("{n} events"),
    };
    let skipped = if one.skipped_lines == 0 { String::new() } else { format!(", {} lines skipped", one.skipped_lines) };
    app.out.line(format!("{}: {what}{skipped}", one.path.display()));
}

fn print_all(app: &App, imported: &[Imported], report: &ConsolidateReport) {
    if app.common.json {
        let files: Vec<_> = imported
            .iter()
            .map(|i| json!({"file": i.path, "session": i.session, "events": i.events, "skippedLines": i.skipped_lines}))
            .collect();
        return app.out.json(&json!({"sessions": files, "consolidated": report}));
    }
    app.out.line(format!(
        "{} sessions: {} episodes, {} memories new, {} known already, {} superseded, {} links",
        imported.len(),
        report.episodes.len(),
        report.created,
        report.merged,
        report.superseded,
        report.edges
    ));
}
