//! `engram uninstall`.

use super::args::InstallArgs;
use super::setup::{self, ended, engram_home, place, possible, tell, wanted};
use super::{App, Done};
use crate::install::Mode;

pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    let place = place(app, args)?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let kept = engram_home(app)?.join("bin");
    let programs = setup::installed_programs(app)?;
    let harnesses = wanted(args, &place, "all");
    let (mut done, mut failures) = (Vec::new(), Vec::new());
    for (harness, target) in possible(&harnesses, &place, args.user) {
        match target.uninstall(&programs, mode) {
            Ok(taken_out) if taken_out.plan.changed => done.push((harness, taken_out)),
            Ok(_) => {}
            Err(e) => failures.push(e),
        }
    }
    if mode == Mode::Write && failures.is_empty() && setup::named(args).is_none() && kept.is_dir() {
        // Nobody names them any more; one that stays costs disk and nothing else.
        let _ = std::fs::remove_dir_all(&kept);
    }
    if app.common.json {
        app.out.json(&setup::report(&done, args.dry_run));
    } else if done.is_empty() && failures.is_empty() {
        app.say("engram is in none of the settings; nothing to change");
    } else if !app.common.quiet && !done.is_empty() {
        done.iter().for_each(|(h, d)| tell(app, h, d, args.dry_run, "holds nothing of engram's"));
        app.out.line("What is remembered stays in engram's home.");
    }
    ended(&failures)
}
