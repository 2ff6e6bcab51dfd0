//! `engram install`.

use super::args::InstallArgs;
use super::{App, Done};
use crate::detach;
use crate::install::{self, Installed, Mode, claude_code};
use engram_core::{Error, ErrorKind, Result};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    let hook = detach::beside("engram-hook").map_err(|e| {
        Error::new(ErrorKind::Io, "engram-hook is not beside engram; install both programs into one folder")
            .with_source(e)
    })?;
    let settings = settings_file(app, args)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let done = install::install(&settings, &hook, mode)?;
    if app.common.json {
        app.out.json(&json!({
            "harness": "claude-code", "settings": settings, "changed": done.plan.changed, "dryRun": args.dry_run,
            "events": done.plan.added_events, "backup": done.backup,
        }));
        return Ok(ExitCode::SUCCESS);
    }
    print(app, &done, args.dry_run);
    Ok(ExitCode::SUCCESS)
}

fn settings_file(app: &App, args: &InstallArgs) -> Result<PathBuf> {
    if args.local {
        return Ok(claude_code::local_settings(&app.directory()?));
    }
    claude_code::user_settings().ok_or_else(|| Error::new(ErrorKind::Config, "HOME is not set; set it, or use --local"))
}

fn print(app: &App, done: &Installed, dry_run: bool) {
    let place = done.settings.display();
    if !done.plan.changed {
        return app.out.line(format!("engram is installed in {place} already; nothing to change"));
    }
    app.out.line(if dry_run { format!("would change {place}:") } else { format!("changed {place}:") });
    done.plan.summary.iter().for_each(|line| app.out.line(format!("  {line}")));
    if let Some(backup) = &done.backup {
        app.out.line(format!("the file as it was: {}", backup.display()));
    }
}
