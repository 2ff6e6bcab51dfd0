//! `engram install`.

use super::args::InstallArgs;
use super::setup::{self, engram_home, lasting_programs, named, place, tell, wanted};
use super::{App, Done, Failure, out};
use crate::install::{self, Mode};
use crate::transcripts::Source;
use engram_core::{Error, ErrorKind};
use serde_json::json;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::process::ExitCode;

pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    if let Some(folder) = &args.plugin {
        return plugin(app, folder, args.dry_run);
    }
    if named(args) == Some("generic") {
        return generic(app);
    }
    let place = place(app, args)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let harnesses = wanted(args, &place, "detected");
    if harnesses.is_empty() {
        return Err(Failure::failed(
            "no Claude Code, Codex, Gemini CLI or OpenCode is found here; name one, as in: engram install --harness claude-code",
        ));
    }
    let programs = lasting_programs(app, mode)?;
    let by_name = named(args).is_some_and(|n| !matches!(n, "all" | "detected"));
    let (mut done, mut left_out) = (Vec::new(), Vec::new());
    for harness in harnesses {
        let installed = harness.targets(&place).map_err(Failure::of_arguments).and_then(|targets| {
            let each = targets.iter().map(|t| t.install(&programs, mode));
            Ok(each.collect::<Result<Vec<_>, _>>()?)
        });
        match installed {
            Ok(files) => done.extend(files.into_iter().map(|f| (harness, f))),
            Err(failure) if by_name => return Err(failure),
            Err(failure) => left_out.push((harness, failure)),
        }
    }
    if mode == Mode::Write && !done.is_empty() {
        create_home(app)?;
    }
    if app.common.json {
        let mut report = setup::report(&done, args.dry_run);
        let said = |(h, f): &(&install::harness::Harness, Failure)| json!({"harness": h.name, "error": f.to_string()});
        report["leftOut"] = left_out.iter().map(said).collect();
        app.out.json(&report);
    } else if !app.common.quiet {
        done.iter().for_each(|(h, d)| tell(app, h, d, args.dry_run, "holds engram already"));
        let mut notes: Vec<&str> = done.iter().filter(|(_, d)| d.plan.changed).filter_map(|(h, _)| h.note).collect();
        notes.dedup();
        notes.iter().for_each(|note| app.out.line(format!("note: {note}")));
        if mode == Mode::Write && done.iter().any(|(_, d)| d.plan.changed) {
            app.out.line("engram remembers from the next session on. `engram status` says what; `engram uninstall` takes it out.");
            offer_past_sessions(app, &place);
        }
    }
    left_out.iter().for_each(|(h, failure)| out::error(&format!("{}: {failure}", h.title)));
    Ok(if left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Names the past sessions of this project that could become memory now.
fn offer_past_sessions(app: &App, place: &install::harness::Place) {
    let Some(root) = &place.project else { return };
    for source in [Source::ClaudeCode, Source::Codex, Source::Gemini] {
        match source.kept(&place.home, root).len() {
            0 => {}
            1 => app
                .out
                .line(format!("There is a past session of this project: `engram import --from {}`", source.name())),
            n => app
                .out
                .line(format!("There are {n} past sessions of this project: `engram import --from {}`", source.name())),
        }
    }
}

fn plugin(app: &App, folder: &Path, dry_run: bool) -> Done {
    let files = if dry_run { Vec::new() } else { install::write_plugin(folder, &setup::programs()?)? };
    if app.common.json {
        app.out.json(&json!({"plugin": folder, "dryRun": dry_run, "files": files}));
    } else if dry_run {
        app.out.line(format!("would write a plugin of Claude Code into {}", folder.display()));
    } else {
        app.say(format!("wrote a plugin of Claude Code into {}", folder.display()));
        app.say(format!("try it: claude --plugin-dir {}", folder.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// A harness without settings of its own calls the program.
fn generic(app: &App) -> Done {
    let hook = setup::programs()?.hook;
    if app.common.json {
        app.out.json(&json!({"changed": false, "command": [hook, "generic"]}));
        return Ok(ExitCode::SUCCESS);
    }
    app.out.line("There are no settings to change. Run this at each event, with one JSON object on stdin:");
    app.out.line(format!("  {} generic", hook.display()));
    app.out.line(r#"  {"event": "session_start", "session": "7d0c", "cwd": "/home/me/project", "source": "startup"}"#);
    app.out.line(r#"  {"event": "prompt", "session": "7d0c", "cwd": "...", "text": "Add a discount"}"#);
    app.out.line(
        r#"  {"event": "tool_call", "session": "7d0c", "cwd": "...", "tool": "bash", "input": {"command": "make"}, "output": "...", "exitCode": 0}"#,
    );
    app.out.line(r#"  {"event": "stop", "session": "7d0c", "cwd": "...", "text": "Done."}"#);
    app.out.line(r#"It answers nothing, or {"context": "what to hand to the agent"}. docs/wire.md has the rest."#);
    Ok(ExitCode::SUCCESS)
}

/// engram's home, for the user alone.
fn create_home(app: &App) -> Result<(), Failure> {
    let home = engram_home(app)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&home);
    Ok(made.map_err(|e| Error::new(ErrorKind::Io, format!("cannot create \"{}\"", home.display())).with_source(e))?)
}
