//! What install, uninstall, verify, repair and doctor share: which harnesses, where, and with which programs.

use super::args::InstallArgs;
use super::{App, Done, Failure, out};
use crate::install::harness::{self, HARNESSES, Harness, Place};
use crate::install::{Installed, Mode, Programs, Target};
use crate::{detach, hook};
use engram_core::project::Project;
use engram_core::{Error, ErrorKind};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where to look and write. Outside a project `--local` is wrong usage.
pub(super) fn place(app: &App, args: &InstallArgs) -> Result<Place, Failure> {
    let home = std::env::var_os("HOME").filter(|h| !h.is_empty()).map(PathBuf::from);
    let home = home.ok_or_else(|| Error::new(ErrorKind::Config, "HOME is not set; set it to your home folder"))?;
    let project = match (args.local, &app.common.project) {
        (false, None) => app.directory().ok().and_then(|dir| Project::find(&dir).ok()),
        _ => Some(app.project()?),
    };
    Ok(Place { home, project: project.map(|p| p.root), local: args.local, mcp: args.mcp, package: package() })
}

/// The npm package that this program is part of: it lies in `engram-PLATFORM/bin`, beside the package `engram`.
fn package() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let modules = program.parent()?.parent()?.parent()?;
    let package = modules.join("engram");
    package.join("adapters").is_dir().then_some(package)
}

/// The programs as settings are to name them.
///
/// # Errors
/// `Io` if `engram-hook` is not beside this program.
pub(super) fn programs() -> Result<Programs, Failure> {
    let beside = |name| {
        detach::beside(name).map_err(|e| {
            let detail = format!("{name} is not beside engram; install both programs into one folder");
            Error::new(ErrorKind::Io, detail).with_source(e)
        })
    };
    Ok(Programs { engram: beside("engram")?, hook: beside("engram-hook")? })
}

/// Places that a package manager empties when it likes.
const CACHES: [&str; 4] = ["/_npx/", "/.cache/uv/", "/pipx/.cache/", "/.bun/install/cache/"];

/// The programs, copied into engram's home where they lie in a cache: what settings name has to stay.
pub(super) fn lasting_programs(app: &App, mode: Mode) -> Result<Programs, Failure> {
    let found = programs()?;
    if !CACHES.iter().any(|cache| found.hook.to_string_lossy().contains(cache)) {
        return Ok(found);
    }
    let folder = engram_home(app)?.join("bin");
    let kept = Programs { engram: folder.join("engram"), hook: folder.join("engram-hook") };
    if mode == Mode::Write {
        for (from, to) in [(&found.engram, &kept.engram), (&found.hook, &kept.hook)] {
            copy_program(from, to).map_err(|e| {
                Error::new(ErrorKind::Io, format!("cannot copy to \"{}\"", to.display())).with_source(e)
            })?;
        }
    }
    Ok(kept)
}

/// The programs as an installation names them: the copies in engram's home where there are any.
pub(super) fn installed_programs(app: &App) -> Result<Programs, Failure> {
    let folder = engram_home(app)?.join("bin");
    let kept = Programs { engram: folder.join("engram"), hook: folder.join("engram-hook") };
    if kept.hook.is_file() { Ok(kept) } else { programs() }
}

/// The roots of the projects that engram keeps something of.
pub(super) fn known_projects(app: &App) -> Result<Vec<PathBuf>, Failure> {
    let folders = std::fs::read_dir(engram_home(app)?.join("projects")).into_iter().flatten().flatten();
    let root = |folder: std::fs::DirEntry| {
        let text = std::fs::read(folder.path().join("project.json")).ok()?;
        let project: Value = serde_json::from_slice(&text).ok()?;
        project["root"].as_str().map(PathBuf::from).filter(|root| root.is_dir())
    };
    Ok(folders.filter_map(root).collect())
}

fn copy_program(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to.parent().unwrap_or(Path::new("/")))?;
    // A program that runs cannot be overwritten, but replaced.
    let new = to.with_extension("new");
    std::fs::copy(from, &new)?;
    std::fs::rename(new, to)
}

/// engram's home.
pub(super) fn engram_home(app: &App) -> Result<PathBuf, Failure> {
    let home = hook::data_home(app.common.home.clone());
    Ok(home.ok_or_else(|| Error::new(ErrorKind::Config, "HOME is not set; name engram's home with --home"))?)
}

/// The harness that was named, if one was.
pub(super) fn named(args: &InstallArgs) -> Option<&str> {
    if args.gsd { Some("gsd") } else { args.harness.as_deref() }
}

/// The harnesses meant by `--harness`; `None` for those that are found.
pub(super) fn wanted(args: &InstallArgs, place: &Place, default: &str) -> Vec<&'static Harness> {
    match named(args).unwrap_or(default) {
        "all" => HARNESSES.iter().filter(|h| default == "all" || !h.experimental).collect(),
        "detected" => HARNESSES.iter().filter(|h| !h.experimental && h.is_present(place)).collect(),
        name => harness::by_name(name).into_iter().collect(),
    }
}

/// Every file of the harnesses that engram may be in, MCP or not: the user's and, unless only they are asked for, the
/// project's too. What cannot be named here is left out.
pub(super) fn possible(
    harnesses: &[&'static Harness],
    place: &Place,
    user_only: bool,
) -> Vec<(&'static Harness, Target)> {
    let mut found: Vec<(&'static Harness, Target)> = Vec::new();
    let also_local = !place.local && !user_only && place.project.is_some();
    for local in [place.local, true].into_iter().take(1 + usize::from(also_local)) {
        let everything = Place { mcp: true, local, ..place.clone() };
        for harness in harnesses {
            let targets = harness.targets(&everything).unwrap_or_default();
            let new = targets.into_iter().filter(|t| !found.iter().any(|(_, known)| known.file == t.file));
            found.extend(new.map(|t| (*harness, t)).collect::<Vec<_>>());
        }
    }
    found
}

/// Names what could not be done with single files; the others were done.
pub(super) fn ended(failures: &[engram_core::Error]) -> Done {
    failures.iter().for_each(out::error);
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was done, for programs: `changed` of all, and each file.
pub(super) fn report(done: &[(&'static Harness, Installed)], dry_run: bool) -> Value {
    let of = |(harness, done): &(&'static Harness, Installed)| {
        json!({
            "harness": harness.name, "settings": done.settings, "changed": done.plan.changed,
            "events": done.plan.added_events, "changes": done.plan.summary, "backup": done.backup,
            "note": harness.note.filter(|_| done.plan.changed), "experimental": harness.experimental,
        })
    };
    let changed = done.iter().any(|(_, d)| d.plan.changed);
    json!({"changed": changed, "dryRun": dry_run, "files": done.iter().map(of).collect::<Vec<_>>()})
}

/// The changes, with new hooks that run the same command on one line.
fn folded(summary: &[String]) -> Vec<String> {
    let command_of = |line: &str| {
        let (_, command) = line.strip_prefix("+ ")?.split_once(": ")?;
        Some(command.split_once(" (at most").map_or(command, |(c, _)| c).to_owned())
    };
    let event_of =
        |line: &str| line.strip_prefix("+ ").and_then(|l| l.split_once(": ")).map(|(event, _)| event.to_owned());
    let mut lines: Vec<(Option<String>, Vec<String>, String)> = Vec::new();
    for line in summary {
        let command = command_of(line);
        match lines.last_mut() {
            Some((last, events, _)) if command.is_some() && *last == command => events.extend(event_of(line)),
            _ => lines.push((command, event_of(line).into_iter().collect(), line.clone())),
        }
    }
    let told = |(command, events, line): (Option<String>, Vec<String>, String)| match command {
        Some(command) if events.len() > 1 => format!("+ {} hooks run {command}: {}", events.len(), events.join(", ")),
        _ => line,
    };
    lines.into_iter().map(told).collect()
}

/// Says what became of one file.
pub(super) fn tell(app: &App, harness: &Harness, done: &Installed, dry_run: bool, unchanged: &str) {
    let mark = if harness.experimental { " (experimental)" } else { "" };
    app.out.line(app.out.bold(format!("{}{mark}", harness.title)));
    let place = done.settings.display();
    if !done.plan.changed {
        return app.out.line(format!("  {place} {unchanged}; nothing to change"));
    }
    app.out.line(if dry_run { format!("  would change {place}:") } else { format!("  changed {place}:") });
    folded(&done.plan.summary).iter().for_each(|line| app.out.line(format!("    {line}")));
    if let Some(backup) = &done.backup {
        app.out.line(app.out.dim(format!("  the file as it was: {}", backup.display())));
    }
}
