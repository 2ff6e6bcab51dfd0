//! `engram repair` and `engram migrate`.

use super::args::InstallArgs;
use super::setup::{self, lasting_programs, place, possible, tell, wanted};
use super::{App, Done, Failure};
use crate::install::Mode;
use engram_core::{Background, Engram, Options};
use serde_json::json;
use std::process::ExitCode;

/// Installs anew wherever engram is, with the programs where they are now, and brings back what a harness lacks.
pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    let place = place(app, args)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let programs = lasting_programs(app, mode)?;
    let (mut done, mut present) = (Vec::new(), 0);
    for (harness, target) in possible(&wanted(args, &place, "all"), &place) {
        if target.stale(&programs)?.is_none() {
            continue;
        }
        present += 1;
        let mended = target.install(&programs, mode)?;
        if mended.plan.changed {
            done.push((harness, mended));
        }
    }
    if present == 0 {
        return Err(Failure::failed("engram is installed nowhere; run `engram install`"));
    }
    if app.common.json {
        app.out.json(&setup::report(&done, args.dry_run));
    } else if done.is_empty() {
        app.say("nothing to mend");
    } else if !app.common.quiet {
        done.iter().for_each(|(h, d)| tell(app, h, d, args.dry_run, "is as it should be"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Brings settings and databases of older versions to the present form. Databases are brought forward when they are opened;
/// each keeps a copy of itself as it was.
pub(super) fn migrate(app: &App, args: &InstallArgs) -> Done {
    let place = place(app, args)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let programs = lasting_programs(app, mode)?;
    let mut done = Vec::new();
    for (harness, target) in possible(&wanted(args, &place, "all"), &place) {
        if target.stale(&programs)?.is_some_and(|plan| plan.changed) {
            done.push((harness, target.install(&programs, mode)?));
        }
    }
    let (mut opened, mut problems) = (0, Vec::new());
    for root in setup::known_projects(app)? {
        let options = Options {
            home: app.common.home.clone(),
            background: Background::Caller,
            project: root.clone(),
            ..Options::default()
        };
        match Engram::open(options).and_then(|engram| engram.status()) {
            Ok(_) => opened += 1,
            Err(e) => problems.push(format!("{}: {e}", root.display())),
        }
    }
    if app.common.json {
        let mut report = setup::report(&done, args.dry_run);
        report["databases"] = json!({"opened": opened, "problems": problems});
        app.out.json(&report);
    } else {
        done.iter().for_each(|(h, d)| tell(app, h, d, args.dry_run, "is as it should be"));
        let settings = if done.is_empty() { "no older settings; " } else { "" };
        app.say(format!("{settings}{opened} projects have the present form"));
        problems.iter().for_each(|p| app.say(p));
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
