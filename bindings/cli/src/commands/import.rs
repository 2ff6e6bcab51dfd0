//! `engram import`.

use super::args::{ImportArgs, ImportFormat};
use super::{App, Done, Failure, consolidate, notes};
use crate::adapters::HostEvent;
use crate::transcripts::{self, Transcript};
use engram_core::capture::call::Observation;
use engram_core::project::Project;
use engram_core::{ConsolidateReport, Engram, Error, ErrorKind, Result};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

pub(super) fn run(app: &App, args: &ImportArgs) -> Done {
    match args.format {
        Some(ImportFormat::Notes) => notes::run(app, args),
        None => sessions(app, args),
    }
}

/// One transcript and what became of it.
struct Imported {
    path: PathBuf,
    session: String,
    events: usize,
    skipped_lines: usize,
    outcome: Outcome,
}

/// What became of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Imported,
    WouldBe,
    /// Its session has a log already.
    Known,
    /// It holds nothing that a hook would have sent.
    Empty,
    /// Another project's: the folder's name, which the harness makes of the project's path, is not unique.
    Elsewhere,
}

impl Outcome {
    /// Whether the transcript is a session of this project's.
    fn counts(self) -> bool {
        !matches!(self, Outcome::Empty | Outcome::Elsewhere)
    }
}

fn sessions(app: &App, args: &ImportArgs) -> Done {
    let engram = app.open()?;
    let by_name = !args.paths.is_empty();
    let files = if by_name { expand(&args.paths)? } else { kept_by_claude_code(&engram)? };
    let mut imported = Vec::new();
    for path in files {
        let transcript = transcripts::read(&path)?;
        if transcript.events.is_empty() && args.paths.contains(&path) {
            return Err(no_transcript(&path));
        }
        let one = if by_name || is_of_project(&engram, &transcript.cwd) {
            import_one(&engram, path, &transcript, args.dry_run)?
        } else {
            outcome(path, &transcript, 0, Outcome::Elsewhere)
        };
        if !app.common.json {
            print_one(app, &one, &transcript.cwd);
        }
        imported.push(one);
    }
    if !imported.iter().any(|i| i.outcome.counts()) {
        return Err(Failure::failed("there is nothing to import; name transcript files or a folder of them"));
    }
    let report = if args.dry_run {
        ConsolidateReport::default()
    } else {
        consolidate::consolidate(app, &engram, None, Duration::from_secs(60))?
    };
    print_all(app, &imported, &report);
    Ok(ExitCode::from(u8::from(!report.pending.is_empty())))
}

fn import_one(engram: &Engram, path: PathBuf, transcript: &Transcript, dry_run: bool) -> Result<Imported> {
    let observed: Vec<Observation> = transcript.events.iter().filter_map(observation).collect();
    if observed.is_empty() {
        return Ok(outcome(path, transcript, 0, Outcome::Empty));
    }
    if dry_run {
        return Ok(outcome(path, transcript, observed.len(), Outcome::WouldBe));
    }
    let events = engram.import_session(&transcript.session, &transcript.cwd, &observed)?;
    Ok(outcome(path, transcript, events, if events == 0 { Outcome::Known } else { Outcome::Imported }))
}

fn outcome(path: PathBuf, transcript: &Transcript, events: usize, outcome: Outcome) -> Imported {
    let Transcript { session, skipped_lines, .. } = transcript;
    Imported { path, session: session.to_string(), events, skipped_lines: *skipped_lines, outcome }
}

/// Whether a session that was recorded in `cwd` is one of this project's; a folder that is gone counts by its path.
fn is_of_project(engram: &Engram, cwd: &str) -> bool {
    match Project::find(Path::new(cwd)) {
        Ok(project) => project.identity == engram.project().identity,
        Err(_) => cwd.is_empty() || Path::new(cwd).starts_with(&engram.project().root),
    }
}

fn no_transcript(path: &Path) -> Failure {
    Failure::failed(format!(
        "\"{}\" holds no event of a Claude Code session; if it holds notes, import it with --format notes",
        path.display()
    ))
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
            ErrorKind::Io,
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

pub(super) fn unreadable(path: &Path, e: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read \"{}\"", path.display())).with_source(e)
}

fn print_one(app: &App, one: &Imported, cwd: &str) {
    let what = match one.outcome {
        Outcome::Imported => format!("{} events", one.events),
        Outcome::WouldBe => format!("{} events would be imported", one.events),
        Outcome::Known => "imported before".to_owned(),
        Outcome::Empty => "no events, skipped".to_owned(),
        Outcome::Elsewhere => format!("skipped, recorded in another project ({cwd})"),
    };
    let skipped = if one.skipped_lines == 0 { String::new() } else { format!(", {} lines skipped", one.skipped_lines) };
    app.out.line(format!("{}: {what}{skipped}", one.path.display()));
}

fn print_all(app: &App, imported: &[Imported], report: &ConsolidateReport) {
    if app.common.json {
        let files: Vec<_> = imported
            .iter()
            .filter(|i| i.outcome.counts())
            .map(|i| json!({"file": i.path, "session": i.session, "events": i.events, "skippedLines": i.skipped_lines}))
            .collect();
        return app.out.json(&json!({"sessions": files, "consolidated": report}));
    }
    app.out.line(format!(
        "{} sessions: {} episodes, {} memories new, {} known already, {} superseded, {} links",
        imported.iter().filter(|i| i.outcome.counts()).count(),
        report.episodes.len(),
        report.created,
        report.merged,
        report.superseded,
        report.edges
    ));
}
