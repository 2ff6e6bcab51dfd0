//! `engram query`, `status` and `events`.

use super::args::{QueryArgs, Scope};
use super::{App, Done, Failure};
use engram_core::capture::event::{Event, EventBody, SessionId};
use engram_core::metrics::SessionReport;
use engram_core::recall::RecallItem;
use engram_core::recall::Tier;
use engram_core::{Ask, Engram, log};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Files that one note names.
const SHOWN_FILES: usize = 2;

pub(super) fn query(app: &App, args: &QueryArgs) -> Done {
    if args.question.trim().is_empty() {
        return Err(Failure::usage("the question is empty; ask something, as in: engram query \"why cents?\""));
    }
    let engram = app.open()?;
    let ask = Ask::question(&args.question, usize::from(args.limit));
    let (recall, scope) = match args.scope {
        Scope::Project => (engram.retrieve(&ask)?, "project"),
        Scope::All => (engram.retrieve_everywhere(&ask)?, "all"),
    };
    if app.common.json {
        let mut value = json!(recall);
        value["scope"] = json!(scope);
        app.out.json(&value);
        return Ok(ExitCode::SUCCESS);
    }
    if recall.items.is_empty() {
        let place = if scope == "all" { "any project".to_owned() } else { engram.project().root.display().to_string() };
        app.out.line(format!("nothing is remembered about this in {place}"));
    }
    for item in &recall.items {
        let (said, about) = told(item);
        app.out.line(format!("{} {said}", app.out.bold(format!("{}:", item.framing))));
        app.out.line(app.out.dim(format!("    {about}")));
    }
    Ok(ExitCode::SUCCESS)
}

/// A note for people: the whole of what fits well and the name of the rest; then where it comes from.
fn told(item: &RecallItem) -> (String, String) {
    let said = if item.tier == Tier::Low { &item.name } else { &item.text };
    let mut about = vec![item.id.clone(), item.learned.clone(), format!("activation {:.2}", item.activation)];
    about.extend(item.via.first().map(|way| format!("by {way}")));
    about.extend((!item.files.is_empty()).then(|| shortened(&item.files)));
    about.retain(|part| !part.is_empty());
    (said.clone(), about.join(", "))
}

/// The first files of a list, and how many more there are.
fn shortened(files: &[String]) -> String {
    let first = files.iter().take(SHOWN_FILES).cloned().collect::<Vec<_>>().join(" ");
    match files.len().saturating_sub(SHOWN_FILES) {
        0 => first,
        more => format!("{first} +{more}"),
    }
}

pub(super) fn status(app: &App, session: Option<&str>) -> Done {
    // The report holds the warnings of the settings.
    let engram = app.open_silently()?;
    let status = engram.status()?;
    let session = session.map(|wanted| how_it_goes(&engram, wanted)).transpose()?;
    if app.common.json {
        let mut report = serde_json::to_value(&status).unwrap_or_default();
        if let Some(session) = &session {
            report["session"] = serde_json::to_value(session).unwrap_or_default();
        }
        app.out.json(&report);
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(session) = &session {
        tell(app, session);
        return Ok(ExitCode::SUCCESS);
    }
    let out = app.out;
    let by_type: Vec<String> = status.nodes.by_type.iter().map(|(t, n)| format!("{n} {t}")).collect();
    out.line(format!("{} {}", out.bold("project  "), status.project));
    out.line(format!("{} {}", out.bold("data     "), status.data));
    out.line(format!(
        "{} {} with a log, {} not consolidated to the end",
        out.bold("sessions "),
        status.sessions,
        status.pending
    ));
    out.line(format!(
        "{} {} ({})",
        out.bold("memories "),
        status.nodes.total,
        if by_type.is_empty() { "none yet".into() } else { by_type.join(", ") }
    ));
    out.line(format!(
        "{} {} links, {} episodes, {} KiB",
        out.bold("graph    "),
        status.edges,
        status.episodes,
        status.db_bytes / 1024
    ));
    out.line(format!("{} {}; language model: {}", out.bold("embedder "), status.embedder, status.llm));
    out.line(format!("{} {}", out.bold("last run "), status.last_consolidation.as_deref().unwrap_or("never")));
    for pending in &status.pending_ranges {
        out.line(format!("pending: session {}, {} bytes", pending.session, pending.range.to - pending.range.from));
    }
    for warning in &status.warnings {
        out.line(format!("warning: {warning}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The sessions whose id begins with `wanted`.
fn sessions_of(engram: &Engram, wanted: Option<&str>) -> Result<Vec<SessionId>, Failure> {
    let fits = |s: &SessionId| wanted.is_none_or(|w| s.as_str().starts_with(w));
    let sessions: Vec<SessionId> = log::sessions(engram.data())?.into_iter().filter(fits).collect();
    match wanted {
        Some(wanted) if sessions.is_empty() => {
            Err(Failure::failed(format!("no session begins with \"{wanted}\"; `engram events` lists all")))
        }
        _ => Ok(sessions),
    }
}

fn how_it_goes(engram: &Engram, wanted: &str) -> Result<SessionReport, Failure> {
    match sessions_of(engram, Some(wanted))?.as_slice() {
        [one] => Ok(engram.session_report(one)?),
        several => {
            Err(Failure::failed(format!("{} sessions begin with \"{wanted}\"; give more of its id", several.len())))
        }
    }
}

fn tell(app: &App, report: &SessionReport) {
    let out = app.out;
    out.line(format!("{} {}", out.bold("session "), report.session));
    out.line(format!(
        "{} {} events, {} tool calls, {} turns",
        out.bold("so far  "),
        report.events,
        report.tool_calls,
        report.turns
    ));
    let progress = report.progress.map_or("the agent keeps no plan".to_owned(), |p| format!("{:.0} % done", p * 100.0));
    out.line(format!("{} {progress}", out.bold("plan    ")));
    let stretches: Vec<String> = report.velocity.per_stretch.iter().map(ToString::to_string).collect();
    let falling = if report.velocity.declining { " (falling)" } else { "" };
    out.line(format!(
        "{} {} files moved forward in each ten calls{falling}",
        out.bold("pace    "),
        stretches.join(" ")
    ));
    let ratio = &report.search_to_act;
    let concern = if ratio.concerning { " (concerning)" } else { "" };
    out.line(format!(
        "{} {} reads and searches for {} changes in the last 20 calls{concern}",
        out.bold("search  "),
        ratio.searches,
        ratio.acts
    ));
    for repeated in &report.repetitions {
        let state = if repeated.open { "still there" } else { "gone" };
        let flag = if repeated.is_flagged() { "! " } else { "" };
        out.line(format!("{flag}{} came back {} times, {state}", repeated.signature, repeated.repetitions));
    }
}

pub(super) fn events(app: &App, wanted: Option<&str>) -> Done {
    let engram = app.open()?;
    let sessions = sessions_of(&engram, wanted)?;
    let mut all = Vec::new();
    for session in &sessions {
        let reading = engram.events(session)?;
        if app.common.json {
            all.extend(reading.records.iter().map(|r| addressed(session, r)));
            continue;
        }
        let day = reading.records.first().map_or(String::new(), |r| r.event.ts.to_string());
        app.out.line(app.out.bold(format!("session {session} {}", day.get(..10).unwrap_or_default())));
        reading.records.iter().for_each(|r| app.out.line(readable(&r.event)));
        if reading.damage.lines > 0 {
            app.out.line(format!("({} damaged lines were skipped)", reading.damage.lines));
        }
    }
    if app.common.json {
        app.out.json(&all);
    } else if sessions.is_empty() {
        app.out.line("no events yet");
    }
    Ok(ExitCode::SUCCESS)
}

/// An event's line with its address: the session and the byte offset.
fn addressed(session: &SessionId, record: &log::Record) -> Value {
    let mut value = json!({"session": session, "at": record.at});
    if let (Value::Object(all), Ok(Value::Object(event))) = (&mut value, serde_json::to_value(&record.event)) {
        all.extend(event);
    }
    value
}

/// One event on one line.
pub(super) fn readable(event: &Event) -> String {
    let time = event.ts.to_string();
    let tags: Vec<String> =
        event.derived.iter().filter_map(|d| Some(format!("#{}", serde_json::to_value(d).ok()?.as_str()?))).collect();
    let line =
        format!("{} {:>2}  {:<13} {}", time.get(11..19).unwrap_or(""), event.turn, event.body.type_name(), gist(event));
    let flat = line.replace('\n', " ");
    let clipped = engram_core::text::clip_marked(&flat, 160);
    if tags.is_empty() { clipped } else { format!("{clipped}  {}", tags.join(" ")) }
}

fn gist(event: &Event) -> String {
    let code = |c: &Option<i32>| c.map_or(String::new(), |c| format!(" (exit {c})"));
    match &event.body {
        EventBody::SessionStart { harness, source, .. } => format!("{harness}, {source}"),
        EventBody::Prompt { text } => text.clone(),
        EventBody::FileRead { .. } => event.reads().collect::<Vec<_>>().join(" "),
        EventBody::FileWrite { .. } => event
            .writes()
            .map(|w| format!("{} +{} -{}", w.path, w.lines_changed.added, w.lines_changed.removed))
            .collect::<Vec<_>>()
            .join(", "),
        EventBody::TestRun { command, exit_code, passed, failed, .. } => {
            let count = |n: &Option<u32>, what: &str| n.map_or(String::new(), |n| format!(", {n} {what}"));
            format!("{command}{}{}{}", code(exit_code), count(passed, "passed"), count(failed, "failed"))
        }
        EventBody::Build { command, exit_code, .. } | EventBody::Command { command, exit_code, .. } => {
            format!("{command}{}", code(exit_code))
        }
        EventBody::Research { query, .. } | EventBody::Search { query, .. } => query.clone(),
        EventBody::Decision { content, .. } => content.clone(),
        EventBody::Tool { name, .. } => name.clone(),
        EventBody::Compact { trigger } => trigger.clone(),
        EventBody::TurnComplete { assistant, tool_calls, .. } => format!("[{tool_calls} calls] {assistant}"),
        EventBody::Injected { door, ids, .. } => format!("{door}: {} notes", ids.len()),
        EventBody::SessionEnd { reason } => reason.clone(),
        _ => String::new(),
    }
}
