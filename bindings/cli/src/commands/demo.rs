//! `engram demo`: two recorded sessions of one small project, replayed into a temporary folder, stage by stage.

use super::inspect::readable;
use super::{App, Done};
use crate::{adapters, serve};
use anstyle::AnsiColor;
use engram_core::{Background, ConsolidateOptions, Engram, Error, ErrorKind, Options, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Hook payloads of the real Claude Code (examples/sessions/record.sh makes them).
const SESSIONS: [(&str, &str); 2] = [
    ("a bug is found and fixed, and a decision is stated", include_str!("../../../../examples/sessions/1-fix.jsonl")),
    ("the next day, in a new session", include_str!("../../../../examples/sessions/2-discount.jsonl")),
];
/// Where the sessions were recorded.
const RECORDED_AT: &str = "/home/dev/invoice";
const NEXT: &str = "Next: make release && target/release/engram install";

/// A folder that goes with the demo.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Result<Temporary> {
        let path = std::env::temp_dir().join(format!("engram-demo-{}", std::process::id()));
        let made = std::fs::create_dir_all(path.join("invoice"));
        made.map_err(|e| Error::new(ErrorKind::Io, format!("cannot create \"{}\"", path.display())).with_source(e))?;
        Ok(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Left behind in the folder for temporary files if it cannot be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(super) fn run(app: &App) -> Done {
    let place = Temporary::new()?;
    let engram = Engram::open(Options {
        home: Some(place.0.join("home")),
        project: place.0.join("invoice"),
        background: Background::Caller,
        ..Options::default()
    })?;
    for (number, (title, payloads)) in SESSIONS.iter().enumerate() {
        app.out.line(app.out.bold(format!("Session {}: {title}", number + 1)));
        replay(app, &engram, &place.0.join("invoice"), payloads)?;
        if number == 0 {
            app.out.line("");
            app.out.line(app.out.bold("Between the sessions: what was learned"));
            learned(app, &engram)?;
        }
        app.out.line("");
    }
    app.out.line(app.out.dim("Everything happened in a temporary folder, which is gone now."));
    app.out.line(app.out.dim(NEXT));
    Ok(ExitCode::SUCCESS)
}

/// Feeds recorded payloads through the adapter and the verbs that a hook uses.
fn replay(app: &App, engram: &Engram, project: &Path, payloads: &str) -> Result<()> {
    let here = project.display().to_string();
    let adapter =
        adapters::adapter("claude-code").ok_or_else(|| Error::new(ErrorKind::Config, "no adapter for claude-code"))?;
    for line in payloads.lines() {
        let value = serde_json::from_str(&line.replace(RECORDED_AT, &here))
            .map_err(|e| Error::new(ErrorKind::Corrupt, "a recorded payload cannot be read").with_source(e))?;
        let reply = serve::verb(engram, (adapter.parse)(&value).event, false)?;
        if let Some(event) = &reply.event {
            app.out.line(format!("  {}", readable(event)));
        }
        for told in reply.context.lines() {
            let colour = if told.starts_with("engram warning") { AnsiColor::Red } else { AnsiColor::Cyan };
            app.out.line(format!("      {} {}", app.out.coloured(colour, "told>"), app.out.coloured(colour, told)));
        }
    }
    Ok(())
}

fn learned(app: &App, engram: &Engram) -> Result<()> {
    let report = engram.consolidate(&ConsolidateOptions::default(), &mut |_, _| {})?;
    let mut nodes = engram.graph()?.nodes;
    nodes.sort_by_key(|n| std::cmp::Reverse(n.node_type));
    for node in &nodes {
        let kind = format!("{:<9}", node.node_type.to_string());
        app.out.line(format!(
            "  {} {} {}",
            app.out.coloured(AnsiColor::Green, kind),
            node.description,
            app.out.dim(format!("({:.2})", node.strength))
        ));
    }
    app.out.line(
        app.out
            .dim(format!("  {} events became {} memories and {} links", report.events, report.created, report.edges)),
    );
    Ok(())
}
