//! `engram doctor`: every check with its remedy.

use super::args::InstallArgs;
use super::setup::{engram_home, installed_programs, place};
use super::verify::{findings, trouble};
use super::{App, Done, Failure};
use crate::hook;
use crate::install::Programs;
use crate::install::harness::{HARNESSES, Place};
use anstyle::AnsiColor;
use serde::Serialize;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;

/// How a check ended, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Ok,
    Warning,
    Error,
}

/// One check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    level: Level,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

fn ok(name: &'static str, detail: impl Into<String>) -> Check {
    Check { name, level: Level::Ok, detail: detail.into(), remedy: None }
}

fn bad(name: &'static str, level: Level, detail: impl Into<String>, remedy: impl Into<String>) -> Check {
    Check { name, level, detail: detail.into(), remedy: Some(remedy.into()) }
}

pub(super) fn run(app: &App) -> Done {
    let place = place(app, &InstallArgs::default())?;
    let programs = installed_programs(app)?;
    let home = engram_home(app)?;
    let mut checks = vec![of_programs(&programs), of_home(&home)];
    checks.extend(of_environment());
    checks.extend(of_harnesses(&place, &programs));
    checks.extend(of_project(app));
    checks.push(of_log(&home));
    let worst = checks.iter().map(|c| c.level).max().unwrap_or(Level::Ok);
    if app.common.json {
        app.out.json(&serde_json::json!({"worst": worst, "checks": checks}));
    } else {
        checks.iter().for_each(|c| tell(app, c));
    }
    Ok(ExitCode::from(match worst {
        Level::Ok => 0,
        Level::Warning => 3,
        Level::Error => 1,
    }))
}

fn tell(app: &App, check: &Check) {
    let (word, colour) = match check.level {
        Level::Ok => ("ok     ", AnsiColor::Green),
        Level::Warning => ("warning", AnsiColor::Yellow),
        Level::Error => ("error  ", AnsiColor::Red),
    };
    app.out.line(format!("{}  {:<12} {}", app.out.coloured(colour, word), check.name, check.detail));
    if let Some(remedy) = &check.remedy {
        app.out.line(format!("         {:<12} -> {remedy}", ""));
    }
}

fn of_programs(programs: &Programs) -> Check {
    let problems: Vec<String> = [&programs.engram, &programs.hook].into_iter().filter_map(|p| trouble(p)).collect();
    match problems.is_empty() {
        true => ok(
            "programs",
            format!("engram {} and engram-hook in {}", env!("CARGO_PKG_VERSION"), folder(&programs.hook)),
        ),
        false => bad(
            "programs",
            Level::Error,
            problems.join("; "),
            "install engram again; both programs belong into one folder",
        ),
    }
}

fn folder(program: &Path) -> String {
    program.parent().unwrap_or(program).display().to_string()
}

fn of_home(home: &Path) -> Check {
    let shown = home.display();
    match std::fs::metadata(home) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            ok("home", format!("{shown} is made when there is something to store"))
        }
        Err(e) => {
            bad("home", Level::Error, format!("{shown}: {e}"), "make it readable, or name another with ENGRAM_HOME")
        }
        Ok(meta) if !meta.is_dir() => {
            bad("home", Level::Error, format!("{shown} is no folder"), "move it away, or name another with ENGRAM_HOME")
        }
        Ok(meta) if meta.permissions().mode() & 0o077 != 0 => {
            bad("home", Level::Warning, format!("others can look into {shown}"), format!("chmod 700 {shown}"))
        }
        Ok(_) if tempfile_in(home).is_err() => bad(
            "home",
            Level::Error,
            format!("{shown} cannot be written"),
            "make it writable, or free space on its disk",
        ),
        Ok(_) => ok("home", shown.to_string()),
    }
}

/// Writes and removes a file, as every hook has to.
fn tempfile_in(home: &Path) -> std::io::Result<()> {
    let probe = home.join(format!(".probe-{}", std::process::id()));
    std::fs::write(&probe, b"engram")?;
    std::fs::remove_file(probe)
}

fn of_environment() -> Option<Check> {
    hook::is_set("ENGRAM_DISABLE").then(|| {
        bad("environment", Level::Warning, "ENGRAM_DISABLE is set: no hook does anything", "unset ENGRAM_DISABLE")
    })
}

fn of_harnesses(place: &Place, programs: &Programs) -> Vec<Check> {
    let all: Vec<_> = HARNESSES.iter().collect();
    let found = findings(&all, place, programs, false);
    let of = |harness: &'static crate::install::harness::Harness| {
        let known = found.iter().find(|f| f.harness.name == harness.name);
        match known {
            Some(f) if f.problems.is_empty() => Some(match harness.note {
                Some(note) => ok(harness.name, format!("engram is installed ({note})")),
                None => ok(harness.name, "engram is installed"),
            }),
            Some(f) => Some(bad(harness.name, Level::Error, f.problems.join("; "), "engram repair")),
            None if !harness.experimental && harness.is_present(place) => Some(bad(
                harness.name,
                Level::Warning,
                format!("{} is on this machine, and engram is not installed in it", harness.title),
                format!("engram install --harness {}", harness.name),
            )),
            None => None,
        }
    };
    let mut checks: Vec<Check> = HARNESSES.iter().filter_map(of).collect();
    if checks.is_empty() {
        checks.push(bad("harnesses", Level::Warning, "no harness is found here", "engram install --harness NAME"));
    }
    checks
}

fn of_project(app: &App) -> Vec<Check> {
    let engram = match app.open_silently() {
        Ok(engram) => engram,
        Err(Failure::Usage(e)) => return vec![ok("project", format!("none here ({e})"))],
        Err(Failure::Failed(e)) => return vec![bad("project", Level::Error, e.to_string(), "mend what it names")],
    };
    let mut checks = Vec::new();
    match engram.status() {
        Ok(status) => {
            let detail = format!("{}: {} memories, {} sessions", status.project, status.nodes.total, status.sessions);
            checks.push(ok("project", detail));
            if status.pending > 0 {
                let detail = format!("{} sessions are not consolidated to the end", status.pending);
                checks.push(bad("pending", Level::Warning, detail, "engram consolidate"));
            }
            for warning in status.warnings {
                checks.push(bad(
                    "settings",
                    Level::Warning,
                    warning,
                    "mend config.json in engram's home, or the variable",
                ));
            }
        }
        Err(e) => {
            checks.push(bad("database", Level::Error, e.to_string(), "engram consolidate makes it anew from the logs"))
        }
    }
    checks
}

/// Lines of the last day in engram's own log.
fn of_log(home: &Path) -> Check {
    let path = home.join("engram.log");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let since =
        engram_core::time::Timestamp::from_millis(engram_core::time::Clock::System.now().as_millis() - 86_400_000);
    let recent = |line: &&str| {
        line.split(' ').next().and_then(|t| t.parse().ok()).is_some_and(|t: engram_core::time::Timestamp| t > since)
    };
    let lines: Vec<&str> = text.lines().filter(recent).collect();
    match lines.last() {
        None => ok("log", "no trouble in the last day"),
        Some(last) => {
            let detail = format!(
                "{} lines of trouble in the last day; the last: {}",
                lines.len(),
                engram_core::text::clip_marked(last, 200)
            );
            bad("log", Level::Warning, detail, format!("see {}", path.display()))
        }
    }
}
