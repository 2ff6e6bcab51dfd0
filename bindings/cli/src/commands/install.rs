//! `engram install`.

use super::args::InstallArgs;
use super::{App, Done, Failure};
use crate::install::{self, Installed, Mode, claude_code};
use crate::{detach, hook};
use engram_core::{Error, ErrorKind};
use serde_json::json;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    let hook = detach::beside("engram-hook").map_err(|e| {
        Error::new(ErrorKind::Io, "engram-hook is not beside engram; install both programs into one folder")
            .with_source(e)
    })?;
    let settings = settings_file(app, args)?;
    let done = install::install(&settings, &hook, mode(args))?;
    if !args.dry_run {
        create_home(app)?;
    }
    report(app, &done, args.dry_run, "holds engram's hooks already")
}

pub(super) fn mode(args: &InstallArgs) -> Mode {
    if args.dry_run { Mode::DryRun } else { Mode::Write }
}

/// The user's settings, or with `--local` those of the project, which has to exist.
pub(super) fn settings_file(app: &App, args: &InstallArgs) -> Result<PathBuf, Failure> {
    if args.local {
        return Ok(claude_code::local_settings(&app.project()?.root));
    }
    let user = claude_code::user_settings();
    Ok(user.ok_or_else(|| Error::new(ErrorKind::Config, "HOME is not set; set it, or use --local"))?)
}

/// engram's home, for the user alone.
fn create_home(app: &App) -> Result<(), Error> {
    let home = hook::data_home(app.common.home.clone())
        .ok_or_else(|| Error::new(ErrorKind::Config, "HOME is not set; name engram's home with --home"))?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&home);
    made.map_err(|e| Error::new(ErrorKind::Io, format!("cannot create \"{}\"", home.display())).with_source(e))
}

/// Says what became of a settings file; `unchanged` says why nothing did.
pub(super) fn report(app: &App, done: &Installed, dry_run: bool, unchanged: &str) -> Done {
    if app.common.json {
        app.out.json(&json!({
            "harness": "claude-code", "settings": done.settings, "changed": done.plan.changed, "dryRun": dry_run,
            "events": done.plan.added_events, "backup": done.backup,
        }));
    } else if !app.common.quiet {
        print(app, done, dry_run, unchanged);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(app: &App, done: &Installed, dry_run: bool, unchanged: &str) {
    let place = done.settings.display();
    if !done.plan.changed {
        return app.out.line(format!("{place} {unchanged}; nothing to change"));
    }
    app.out.line(if dry_run { format!("would change {place}:") } else { format!("changed {place}:") });
    done.plan.summary.iter().for_each(|line| app.out.line(format!("  {line}")));
    if let Some(backup) = &done.backup {
        app.out.line(format!("the file as it was: {}", backup.display()));
    }
}
