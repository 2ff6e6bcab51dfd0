//! `engram verify`: whether the installation would run.

use super::args::InstallArgs;
use super::setup::{place, possible, wanted};
use super::{App, Done, Failure};
use crate::install::harness::{Harness, Place};
use crate::install::{Mode, Programs};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// What is wrong with the installation in one harness; nothing if it is healthy.
pub(super) struct Finding {
    pub(super) harness: &'static Harness,
    pub(super) problems: Vec<String>,
}

/// Looks at every harness that engram is in.
pub(super) fn findings(
    harnesses: &[&'static Harness],
    place: &Place,
    programs: &Programs,
    user_only: bool,
) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (harness, target) in possible(harnesses, place, user_only) {
        let problem = match target.refresh(programs, Mode::DryRun) {
            Ok(None) => continue,
            Ok(Some(found)) if !found.plan.changed => None,
            Ok(Some(found)) => Some(format!("{}: {}", target.file.display(), found.plan.summary.join("; "))),
            Err(e) => Some(e.to_string()),
        };
        match found.iter_mut().find(|f| f.harness.name == harness.name) {
            Some(known) => known.problems.extend(problem),
            None => found.push(Finding { harness, problems: problem.into_iter().collect() }),
        }
    }
    found
}

/// What keeps a program from running; `None` if it would.
pub(super) fn trouble(program: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    match std::fs::metadata(program) {
        Ok(meta) if meta.is_file() && meta.permissions().mode() & 0o111 != 0 => None,
        Ok(_) => Some(format!("{} is no program that can be run", program.display())),
        Err(e) => Some(format!("{}: {e}", program.display())),
    }
}

pub(super) fn run(app: &App, args: &InstallArgs) -> Done {
    let place = place(app, args)?;
    let programs = super::setup::installed_programs(app)?;
    let found = findings(&wanted(args, &place, "all"), &place, &programs, args.user);
    let mut problems: Vec<String> = [&programs.engram, &programs.hook].into_iter().filter_map(|p| trouble(p)).collect();
    problems.extend(found.iter().flat_map(|f| f.problems.iter().map(|p| format!("{}: {p}", f.harness.title))));
    if found.is_empty() {
        problems.push("engram is installed nowhere; run `engram install`".to_owned());
    }
    let healthy = problems.is_empty();
    if app.common.json {
        let names: Vec<&str> = found.iter().map(|f| f.harness.name).collect();
        app.out.json(&json!({"healthy": healthy, "harnesses": names, "problems": problems}));
    } else if healthy {
        let titles: Vec<&str> = found.iter().map(|f| f.harness.title).collect();
        app.say(format!("healthy: {}", titles.join(", ")));
    }
    match (healthy, app.common.json) {
        (true, _) => Ok(ExitCode::SUCCESS),
        (false, true) => Ok(ExitCode::FAILURE),
        (false, false) if found.is_empty() => Err(Failure::failed(problems.join("; "))),
        (false, false) => Err(Failure::failed(format!("{}; run `engram repair`", problems.join("; ")))),
    }
}
