//! `engram consolidate`.

use super::args::ConsolidateArgs;
use super::{App, Done};
use crate::detach;
use engram_core::capture::event::SessionId;
use engram_core::{ConsolidateOptions, ConsolidateReport, Engram};
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;
use std::time::Duration;

/// Longest time that a background run may take.
const LONGEST_RUN: Duration = Duration::from_secs(600);

pub(super) fn run(app: &App, args: &ConsolidateArgs) -> Done {
    if args.detached {
        return detached(app);
    }
    let engram = app.open()?;
    let session = args.session.as_deref().map(SessionId::new);
    let report = consolidate(app, &engram, session, Duration::from_secs(args.wait))?;
    if app.common.json {
        app.out.json(&report);
    } else {
        print(app, &report);
    }
    Ok(ExitCode::from(u8::from(!report.pending.is_empty())))
}

/// Consolidates with a progress bar for whoever watches.
pub(super) fn consolidate(
    app: &App,
    engram: &Engram,
    session: Option<SessionId>,
    wait: Duration,
) -> engram_core::Result<ConsolidateReport> {
    let bar = if app.shows_progress() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} sessions") {
        bar.set_style(style);
    }
    let report = engram.consolidate(&ConsolidateOptions { session, except: None, wait }, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    report
}

/// The background run that a hook starts. Somebody else at work means there is nothing to do here: that one, or the next
/// start, takes what is pending.
fn detached(app: &App) -> Done {
    detach::own_session();
    // Nothing of ours runs for ever (D16, I12): what a stuck run leaves stays pending, and the lock dies with it.
    std::thread::spawn(|| {
        std::thread::sleep(LONGEST_RUN);
        std::process::exit(1);
    });
    let engram = app.open()?;
    loop {
        let report = engram.consolidate(
            &ConsolidateOptions { wait: Duration::ZERO, ..ConsolidateOptions::default() },
            &mut |_, _| {},
        )?;
        // Events that came while this run was at work have started no run of their own.
        if report.events == 0 || !report.pending.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

fn print(app: &App, report: &ConsolidateReport) {
    let out = app.out;
    for e in &report.episodes {
        out.line(format!(
            "{}  {} {}",
            out.bold(&e.goal),
            e.outcome,
            out.dim(format!("({} memories, session {})", e.nodes, e.session))
        ));
    }
    out.line(format!(
        "{} events, {} episodes: {} memories new, {} known already, {} superseded, {} links",
        report.events,
        report.episodes.len(),
        report.created,
        report.merged,
        report.superseded,
        report.edges
    ));
    if report.damaged_lines > 0 {
        out.line(format!("{} damaged lines were skipped", report.damaged_lines));
    }
    for p in &report.pending {
        out.line(format!("still pending: session {}: {}", p.range.session, p.reason));
    }
}
