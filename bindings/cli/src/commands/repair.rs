//! `engram repair` and `engram migrate`.

use super::args::InstallArgs;
use super::setup::{self, ended, lasting_programs, place, possible, tell, wanted};
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
    let (mut done, mut present, mut failures) = (Vec::new(), 0, Vec::new());
    for (harness, target) in possible(&wanted(args, &place, "all"), &place, args.user) {
        let mended = target.refresh(&programs, mode).unwrap_or_else(|e| {
            failures.push(e);
            None
        });
        present += usize::from(mended.is_some());
        done.extend(mended.filter(|m| m.plan.changed).map(|m| (harness, m)));
    }
    if present == 0 && failures.is_empty() {
        return Err(Failure::failed("engram is installed nowhere; run `engram install`"));
    }
    if app.common.json {
        app.out.json(&setup::report(&done, args.dry_run));
    } else if done.is_empty() && failures.is_empty() {
        app.say("nothing to mend");
    } else if !app.common.quiet {
        done.iter().for_each(|(h, d)| tell(app, h, d, args.dry_run, "is as it should be"));
    }
    ended(&failures)
}

/// Brings settings and databases of older versions to the present form. Databases are brought forward when they are opened;
/// each keeps a copy of itself as it was.
pub(super) fn migrate(app: &App, args: &InstallArgs) -> Done {
    let place = place(app, args)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let programs = lasting_programs(app, mode)?;
    let (mut done, mut opened, mut problems) = (Vec::new(), 0, Vec::new());
    for (harness, target) in possible(&wanted(args, &place, "all"), &place, args.user) {
        match target.refresh(&programs, mode) {
            Ok(brought) => done.extend(brought.filter(|b| b.plan.changed).map(|b| (harness, b))),
            Err(e) => problems.push(e.to_string()),
        }
    }
    // Opening a database brings it forward, so a dry run opens none.
    let projects = if args.dry_run { Vec::new() } else { setup::known_projects(app)? };
    for root in projects {
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
