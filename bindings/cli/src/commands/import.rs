//! `engram import`.

use super::args::{ImportArgs, ImportFormat, ImportHarness};
use super::{App, Done, Failure, consolidate, notes};
use crate::adapters::HostEvent;
use crate::transcripts::{self, Source, Transcript};
use engram_core::capture::call::Observation;
use engram_core::project::Project;
use engram_core::time::Timestamp;
use engram_core::{ConsolidateReport, Engram, Error, ErrorKind, Result};
use indicatif::{ProgressBar, ProgressStyle};
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
    /// It began before `--since`.
    Older,
    /// Another project's: the folder's name, which the harness makes of the project's path, is not unique.
    Elsewhere,
}

impl Outcome {
    /// Whether the transcript is a session of this project's.
    fn counts(self) -> bool {
        !matches!(self, Outcome::Empty | Outcome::Older | Outcome::Elsewhere)
    }
}

fn sessions(app: &App, args: &ImportArgs) -> Done {
    let engram = app.open()?;
    let source = args.from.map_or(Source::ClaudeCode, ImportHarness::source);
    let since = args.since.as_deref().map(day).transpose()?;
    let by_name = !args.paths.is_empty();
    let files = if by_name { expand(source, &args.paths)? } else { kept(source, &engram)? };
    let bar = progress(app, files.len());
    let mut imported = Vec::new();
    for path in files {
        let transcript = transcripts::read(source, &path)?;
        if transcript.events.is_empty() && args.paths.contains(&path) {
            return Err(no_transcript(source, &path));
        }
        let one = if !by_name && !is_of_project(&engram, &transcript.cwd) {
            outcome(path, &transcript, 0, Outcome::Elsewhere)
        } else if began(&transcript) < since {
            outcome(path, &transcript, 0, Outcome::Older)
        } else {
            import_one(&engram, path, &transcript, args.dry_run)?
        };
        if !app.common.json {
            bar.suspend(|| print_one(app, &one, &transcript.cwd));
        }
        bar.inc(1);
        imported.push(one);
    }
    bar.finish_and_clear();
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

/// A bar on a terminal, where there is more than a file.
fn progress(app: &App, files: usize) -> ProgressBar {
    if files < 2 || !app.shows_progress() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("reading {bar:30} {pos}/{len} {wide_msg}");
    let bar = ProgressBar::new(files as u64);
    style.map_or(ProgressBar::hidden(), |style| bar.with_style(style))
}

/// A day, or a moment, as people write it.
fn day(text: &str) -> std::result::Result<Timestamp, Failure> {
    let moment = text.parse().or_else(|_| format!("{text}T00:00:00Z").parse());
    moment.map_err(|_| Failure::usage(format!("\"{text}\" is no date; write it as in --since 2026-11-01")))
}

/// When a session began, where the recording says so.
fn began(transcript: &Transcript) -> Option<Timestamp> {
    match transcript.events.first() {
        Some(HostEvent::SessionStart(start)) => Some(start.ts.unwrap_or(Timestamp::from_millis(i64::MAX))),
        _ => Some(Timestamp::from_millis(i64::MAX)),
    }
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

fn no_transcript(source: Source, path: &Path) -> Failure {
    Failure::failed(format!(
        "\"{}\" holds no event of a session of {}; if it holds notes, import it with --format notes",
        path.display(),
        source.name()
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
        HostEvent::BeforeTool(_) | HostEvent::Decision(_) | HostEvent::Ignored => None,
    }
}

/// What the harness keeps of this project.
fn kept(source: Source, engram: &Engram) -> Result<Vec<PathBuf>> {
    let home = std::env::var_os("HOME").filter(|h| !h.is_empty());
    let files = home.map(|h| source.kept(Path::new(&h), &engram.project().root)).unwrap_or_default();
    if files.is_empty() {
        let how = match source {
            Source::OpenCode => "; write them to files with `opencode export SESSION > FILE` and name those",
            _ => "; name transcript files or a folder of them",
        };
        return Err(Error::new(ErrorKind::Io, format!("{} keeps no sessions of this project{how}", source.name())));
    }
    Ok(files)
}

/// Files as they are, folders as the recordings in them, by name.
fn expand(source: Source, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            std::fs::read_dir(path).map_err(|e| unreadable(path, e))?;
            files.extend(source.within(path, 1));
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
        Outcome::Older => "skipped, older".to_owned(),
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
