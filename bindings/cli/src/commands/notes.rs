//! `engram import --format notes`.

use super::args::ImportArgs;
use super::import::unreadable;
use super::{App, Done};
use engram_core::{ConsolidateReport, Engram, Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

pub(super) fn run(app: &App, args: &ImportArgs) -> Done {
    let engram = app.open()?;
    // Every file is read before the first is imported: a bad one among them means that nothing is.
    let files = args.paths.iter().map(|path| read(&engram, path)).collect::<Result<Vec<_>>>()?;
    let mut done = Vec::new();
    let mut pending = false;
    for (path, (bytes, count)) in args.paths.iter().zip(&files) {
        if args.dry_run {
            app.say(format!("{}: {count} notes would be imported", path.display()));
            done.push(json!({"file": path, "notes": count}));
            continue;
        }
        let report = engram.import_notes(bytes)?;
        pending |= !report.pending.is_empty();
        app.say(format!("{}: {}", path.display(), in_words(&report)));
        done.push(in_json(path, &report));
    }
    if app.common.json {
        app.out.json(&in_all(&done));
    }
    Ok(ExitCode::from(u8::from(pending)))
}

/// The bytes of a file and how many notes they are.
fn read(engram: &Engram, path: &Path) -> Result<(Vec<u8>, usize)> {
    let bytes = std::fs::read(path).map_err(|e| unreadable(path, e))?;
    let count = engram.check_notes(&bytes).map_err(|e| Error::new(e.kind(), format!("\"{}\": {e}", path.display())))?;
    if count == 0 {
        return Err(Error::new(ErrorKind::Corrupt, format!("\"{}\" holds no notes", path.display())));
    }
    Ok((bytes, count))
}

fn in_words(report: &ConsolidateReport) -> String {
    let nothing = report.created == 0 && report.merged == 0 && report.superseded == 0 && report.edges == 0;
    let before = if nothing && report.pending.is_empty() { " (imported before)" } else { "" };
    format!("{} memories new, {} known already, {} links{before}", report.created, report.merged, report.edges)
}

/// The sums over all files, and the files.
fn in_all(files: &[Value]) -> Value {
    let sum = |key: &str| files.iter().filter_map(|f| f[key].as_u64()).sum::<u64>();
    json!({
        "created": sum("created"), "merged": sum("merged"), "edges": sum("edges"), "notes": sum("notes"), "files": files,
    })
}

fn in_json(path: &Path, report: &ConsolidateReport) -> Value {
    json!({"file": path, "created": report.created, "merged": report.merged, "edges": report.edges})
}
