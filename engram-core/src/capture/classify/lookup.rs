//! Tools that look something up, save a decision, or are not known.

use super::field::{failure, list, output, string, strings};
use super::{MAX_NAME, Reader};
use crate::capture::event::{EventBody, Plan};
use crate::capture::outcome::{output_text, reported, telling_line, text_of};
use serde_json::Value;

const MAX_QUERY: usize = 500;
const MAX_TEXT: usize = 4 * 1024;
const MAX_ERROR: usize = 300;

pub(super) fn search(r: &mut Reader<'_>) -> Option<EventBody> {
    if failure(r.call).is_some() {
        return None;
    }
    let path = string(&r.call.input, &["path", "dir_path", "directory", "dir", "target_directory"]);
    let query = string(&r.call.input, &["pattern", "query", "glob", "regex", "q", "search_term", "name"]).or(path)?;
    let results_count = results(output(r.call));
    let (query, path) = (r.scrub.line(query, MAX_QUERY), path.map(|p| r.path(p)));
    Some(EventBody::Search { query, path, results_count })
}

/// How many results a search gave, by its own count, by its list, or by its words.
fn results(output: &Value) -> Option<u32> {
    let metadata = output.get("metadata").unwrap_or(&Value::Null);
    let number = |v: &Value, key: &str| v.get(key)?.as_u64().and_then(|n| u32::try_from(n).ok());
    let keys: &[&str] = match output.get("mode").and_then(Value::as_str) {
        Some("content") => &["numMatches", "numLines", "numFiles"],
        Some("count") => &["numMatches", "numFiles"],
        _ => &["numFiles", "totalMatches", "numMatches", "count", "matches"],
    };
    let counted = keys.iter().find_map(|k| number(output, k).or_else(|| number(metadata, k)));
    let listed = || {
        let names = list(output, &["filenames", "files", "results", "matches"])?;
        u32::try_from(names.len()).ok()
    };
    counted.or_else(listed).or_else(|| said(&text_of(output)))
}

/// `Found 3 matches`, `No files found`.
fn said(text: &str) -> Option<u32> {
    let first = text.lines().find(|l| !l.trim().is_empty())?;
    if first.starts_with("No ") && (first.contains("found") || first.contains("match")) {
        return Some(0);
    }
    first.strip_prefix("Found ")?.split(' ').next()?.parse().ok()
}

pub(super) fn research(r: &mut Reader<'_>) -> Option<EventBody> {
    if failure(r.call).is_some() {
        return None;
    }
    let query = string(&r.call.input, &["query", "q", "search_query", "url", "prompt"])?;
    let results_count = found(output(r.call));
    let query = r.scrub.line(query, MAX_QUERY);
    Some(EventBody::Research { query, results_count, learned: None })
}

/// Hits of a web search; 1 for a page that was fetched.
fn found(output: &Value) -> Option<u32> {
    let hits = |v: &Value| match v {
        Value::Object(map) => map.get("content").and_then(Value::as_array).map_or(1, Vec::len),
        _ => 0,
    };
    let count = match list(output, &["results", "sources", "organic"]) {
        Some(results) => results.iter().map(hits).sum(),
        None => usize::from(output.get("code").and_then(Value::as_u64).is_some_and(|c| (200..300).contains(&c))),
    };
    let known = list(output, &["results", "sources", "organic"]).is_some() || output.get("code").is_some();
    known.then(|| u32::try_from(count).unwrap_or(u32::MAX))
}

pub(super) fn decision(r: &mut Reader<'_>) -> Option<EventBody> {
    if failure(r.call).is_some() {
        return None;
    }
    let input = &r.call.input;
    let content = string(input, &["decision", "content", "text", "fact", "memory", "title"])?;
    let rationale = string(input, &["rationale", "reason", "why", "because"]);
    let (content, rationale) = (r.scrub.text(content, MAX_TEXT), rationale.map(|t| r.scrub.text(t, MAX_TEXT)));
    let files = strings(input, &["files", "affected_files", "affectedFiles", "paths"]);
    let files = files.iter().take(50).map(|f| r.path(f)).collect();
    let rejected = strings(input, &["rejected", "alternatives", "rejected_alternatives"]);
    let rejected = rejected.iter().take(20).map(|t| r.scrub.line(t, MAX_QUERY)).collect();
    Some(EventBody::Decision { content, rationale, files, rejected })
}

/// A list of what is to do, given whole: Claude Code's older `TodoWrite`, Codex's `update_plan`, Gemini's `write_todos`.
pub(super) fn plan_list(r: &mut Reader<'_>) -> Option<EventBody> {
    let entries = list(&r.call.input, &["todos", "plan", "items", "tasks"])?;
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let done = entries.iter().filter(|e| matches!(e["status"].as_str(), Some("completed" | "done"))).count();
    let left_out = entries.iter().filter(|e| e["status"] == "cancelled").count();
    let plan = Plan::List { done: number(done), total: number(entries.len() - left_out) };
    Some(planned(r, plan))
}

/// One task of a list: Claude Code's `TaskCreate` and `TaskUpdate`.
pub(super) fn plan_task(r: &mut Reader<'_>) -> Option<EventBody> {
    let input = &r.call.input;
    let made = output(r.call).pointer("/task/id");
    let id = [input.get("taskId"), input.get("id"), made].into_iter().flatten().find_map(|v| match v {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    })?;
    // An update that says no status, for example of the wording, tells nothing about progress.
    let status = string(input, &["status"]).or_else(|| made.is_some().then_some("pending"))?;
    let plan = Plan::Task { id: r.scrub.line(&id, MAX_NAME), status: r.scrub.line(status, MAX_NAME) };
    Some(planned(r, plan))
}

/// The call of a tool that keeps the plan; nothing of what the tasks say is kept.
fn planned(r: &mut Reader<'_>, plan: Plan) -> EventBody {
    match other(r) {
        EventBody::Tool { name, exit_code, error, .. } => {
            EventBody::Tool { name, exit_code, plan: error.is_none().then_some(plan), error }
        }
        body => body,
    }
}

/// A tool that is not known, or a call of a known one that failed.
pub(super) fn other(r: &mut Reader<'_>) -> EventBody {
    let failure = failure(r.call);
    let text = output_text(r.call);
    let code = r.call.exit_code.or_else(|| failure.is_some().then(|| reported(r.call, &text).unwrap_or(1)));
    let failed = code.is_some_and(|c| c != 0);
    let line = failed.then(|| telling_line(failure.as_deref().unwrap_or(&text))).flatten();
    let error = line.map(|l| r.scrub.line(l.trim_start_matches("<tool_use_error>"), MAX_ERROR));
    EventBody::Tool { name: r.scrub.line(&r.call.tool, MAX_NAME), exit_code: code, error, plan: None }
}
