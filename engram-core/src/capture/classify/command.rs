//! Shell tools: tests, builds, and the reads, writes and searches that commands do.

use super::Reader;
use super::field::{is_true, output};
use super::file;
use crate::capture::diff::{self, Described};
use crate::capture::event::{EventBody, FileChange};
use crate::capture::outcome::{self, Exit, Tally};
use crate::capture::region::file_in;
use crate::capture::shell::{self, Effect, Job, Looked, Plan, Step, Touched};
use crate::text;
use serde_json::Value;
use std::borrow::Cow;

const MAX_COMMAND: usize = 2 * 1024;
const MAX_ERROR: usize = 300;
const MAX_QUERY: usize = 500;
const SUMMARY_LINES: usize = 4;
const MAX_FILES: usize = 52;

/// What refuses or stops a command before it can say anything about the project.
const REFUSALS: &[&str] = &[
    "user doesn't want",
    "user rejected",
    "user denied",
    "Permission to use",
    "Request interrupted",
    "interrupted by user",
    "timed out",
    "<tool_use_error>",
    "requires approval",
    "hook denied",
    "blocked by",
    "was cancelled",
    "was aborted",
    "rejected by",
    "not allowed by",
    "permission was denied",
    "has been denied",
];

pub(super) fn run(r: &mut Reader<'_>) -> Option<EventBody> {
    let command = command_of(&r.call.input)?;
    let text = outcome::output_text(r.call);
    let reported = outcome::reported(r.call, &text);
    if let Some(refusal) = refusal(r, &text, reported) {
        let error = Some(r.scrub.line(&refusal, MAX_ERROR));
        let command = r.scrub.text(&command, MAX_COMMAND);
        return Some(EventBody::Command { command, exit_code: reported, exit_code_source: None, error });
    }
    let plan = shell::plan(&command);
    let run = Run { command: &command, text: &text, reported, plan: &plan };
    Some(match run.job() {
        Some((Job::Test, at)) => test_run(r, &run, at),
        Some((Job::Build, at)) => build(r, &run, at),
        None => effects(r, &run).unwrap_or_else(|| plain(r, &run)),
    })
}

/// A command with its result.
struct Run<'a> {
    command: &'a str,
    text: &'a str,
    reported: Option<i32>,
    plan: &'a Plan,
}

/// The command as one text; some harnesses give its words.
fn command_of(input: &Value) -> Option<Cow<'_, str>> {
    let value = if input.is_string() || input.is_array() {
        input
    } else {
        ["command", "cmd", "script", "input"].iter().find_map(|k| input.get(*k))?
    };
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            Some(match words.as_slice() {
                [_, flag, script] if flag.starts_with('-') && flag.ends_with('c') => Cow::Borrowed(*script),
                _ => Cow::Owned(words.join(" ")),
            })
        }
        _ => None,
    }
}

fn refusal(r: &Reader<'_>, text: &str, reported: Option<i32>) -> Option<String> {
    if is_true(output(r.call), &["interrupted"]) {
        return Some("interrupted".to_owned());
    }
    let error = r.call.error.as_deref().filter(|_| reported.is_none())?;
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or(error);
    REFUSALS.iter().any(|m| first.contains(m)).then(|| first.to_owned())
}

impl Run<'_> {
    /// The job that the command does and the step that does it: tests before builds. When a build before the tests
    /// failed, they did not run.
    fn job(&self) -> Option<(Job, usize)> {
        let jobs: Vec<(Job, usize)> =
            self.plan.steps.iter().enumerate().filter_map(|(i, s)| Some((shell::job(s)?, i))).collect();
        let first = |job| jobs.iter().copied().find(|(j, _)| *j == job);
        match (first(Job::Test), first(Job::Build)) {
            (Some((_, test)), Some((_, build))) if build < test && self.stopped_at_build() => Some((Job::Build, build)),
            (Some(test), _) => Some(test),
            (None, build) => build,
        }
    }

    fn stopped_at_build(&self) -> bool {
        let failed = self.reported.map_or_else(|| outcome::tests_or_build_failed(self.text), |c| c != 0);
        failed && outcome::tally(self.text) == Tally::default() && outcome::failing_tests(self.text).is_empty()
    }

    /// The exit code of step `at`: the reported one unless a pipe may hide another, else what the output shows.
    fn exit_of(&self, at: usize, shows_failure: bool, has_result: bool) -> Exit {
        match self.reported {
            Some(0) if self.plan.hides_status_of(at) => {
                Exit::inferred(self.echoed().unwrap_or(i32::from(shows_failure)))
            }
            Some(code) => Exit::reported(code),
            None if has_result => Exit::inferred(self.echoed().unwrap_or(i32::from(shows_failure))),
            None => Exit::default(),
        }
    }

    /// The code that the command itself prints: `…; echo "exit: $?"`.
    fn echoed(&self) -> Option<i32> {
        if !self.command.contains("$?") && !self.command.contains("PIPESTATUS") {
            return None;
        }
        let line = self.text.lines().rev().take(5).find(|l| l.to_ascii_lowercase().contains("exit"))?;
        line.rsplit(|c: char| !c.is_ascii_digit()).find(|n| !n.is_empty())?.parse().ok()
    }
}

/// Whether the call came back with anything: a command in the background has no result yet.
fn has_result(r: &Reader<'_>) -> bool {
    let running = output(r.call).get("backgroundTaskId").is_some_and(|v| !v.is_null());
    (r.call.output.is_some() || r.call.error.is_some()) && !running
}

fn test_run(r: &mut Reader<'_>, run: &Run<'_>, at: usize) -> EventBody {
    let tally = outcome::tally(run.text);
    let shows_failure = match tally {
        Tally { failed: Some(n), .. } if n > 0 => true,
        Tally { passed: Some(n), .. } if n > 0 => false,
        _ => r.call.error.is_some() || outcome::tests_or_build_failed(run.text),
    };
    let exit = run.exit_of(at, shows_failure, has_result(r));
    let failed = exit.failed() || tally.failed.is_some_and(|n| n > 0);
    let (mut names, mut signatures) = (Vec::new(), Vec::new());
    if failed {
        names = outcome::failing_tests(run.text);
        signatures = outcome::signatures(run.text, r.paths);
    }
    let silent = tally == Tally::default() && names.is_empty() && !signatures.iter().any(|s| file_in(s).is_some());
    if failed && silent && outcome::never_started(run.text, exit.code) {
        r.flags.push(crate::capture::NOT_STARTED);
    }
    EventBody::TestRun {
        command: r.scrub.text(run.command, MAX_COMMAND),
        exit_code: exit.code,
        exit_code_source: exit.source,
        passed: tally.passed,
        failed: tally.failed,
        failing_tests: names.iter().map(|n| r.scrub.line(n, MAX_ERROR)).collect(),
        error_signatures: signatures.iter().map(|s| r.scrub.line(s, MAX_ERROR)).collect(),
    }
}

fn build(r: &mut Reader<'_>, run: &Run<'_>, at: usize) -> EventBody {
    let shows_failure = r.call.error.is_some() || outcome::tests_or_build_failed(run.text);
    let exit = run.exit_of(at, shows_failure, has_result(r));
    let (mut summary, mut signatures) = (None, Vec::new());
    if exit.failed() {
        let lines = outcome::telling_lines(run.text, SUMMARY_LINES);
        summary = Some(r.scrub.text(&lines.join("\n"), 2 * MAX_ERROR)).filter(|s| !s.is_empty());
        signatures = outcome::signatures(run.text, r.paths);
    }
    EventBody::Build {
        command: r.scrub.text(run.command, MAX_COMMAND),
        exit_code: exit.code,
        exit_code_source: exit.source,
        error_summary: summary,
        error_signatures: signatures.iter().map(|s| r.scrub.line(s, MAX_ERROR)).collect(),
        learned: None,
    }
}

/// What the steps do to files: writes before reads before searches; nothing if the command failed.
fn effects(r: &mut Reader<'_>, run: &Run<'_>) -> Option<EventBody> {
    let all: Vec<(&Step, Effect)> = run.plan.steps.iter().filter_map(|s| Some((s, shell::effect(s)?))).collect();
    let (first, _) = all.first()?;
    let refused =
        run.reported.is_none() && (r.call.error.is_some() || outcome::tool_trouble(run.text, first.program()));
    let nothing_found = run.reported == Some(1) && run.text.lines().count() <= 1;
    if !refused && run.reported.is_none_or(|c| c == 0) {
        let writes = changes(r, &all);
        let reads: Vec<String> =
            all.iter().filter_map(|(_, e)| read_files(e)).flatten().take(MAX_FILES).cloned().collect();
        let alone = run.plan.steps.len() == 1 && reads.len() == 1 && !run.text.is_empty();
        let hash = alone.then(|| text::digest::<8>(run.text.as_bytes()));
        if let Some(body) = r.written(writes).or_else(|| r.files_read(&reads, hash)) {
            return Some(body);
        }
    } else if !nothing_found {
        return None;
    }
    let looked = all.iter().find_map(|(_, e)| if let Effect::Search(looked) = e { Some(looked) } else { None })?;
    Some(searched(r, run, looked))
}

fn read_files(effect: &Effect) -> Option<&Vec<String>> {
    if let Effect::Read(files) = effect { Some(files) } else { None }
}

/// A temporary file outside the project.
fn is_scratch(r: &Reader<'_>, path: &str) -> bool {
    let mapped = (r.paths)(path);
    ["/tmp/", "/private/tmp/", "/var/tmp/", "/var/folders/"].iter().any(|t| mapped.starts_with(t)) || mapped == "/tmp"
}

fn searched(r: &mut Reader<'_>, run: &Run<'_>, looked: &Looked) -> EventBody {
    let lines = run.text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with("Exit code ")).count();
    let counted = run.plan.steps.len() == 1 && (run.reported.is_some() || has_result(r));
    EventBody::Search {
        query: r.scrub.line(if looked.query.is_empty() { run.command } else { &looked.query }, MAX_QUERY),
        path: looked.path.as_ref().map(|p| r.path(p)),
        results_count: counted.then(|| u32::try_from(lines).unwrap_or(u32::MAX)),
    }
}

fn changes(r: &mut Reader<'_>, all: &[(&Step, Effect)]) -> Vec<FileChange> {
    let mut changes = Vec::new();
    for (step, effect) in all {
        match effect {
            Effect::Write(files) => {
                let kept: Vec<&Touched> = files.iter().filter(|t| !is_scratch(r, &t.path)).take(MAX_FILES).collect();
                changes.extend(kept.into_iter().map(|t| touched(r, t)));
            }
            Effect::Patch(patch) => changes.extend(file::patched(r, patch, &|p| step.path(p))),
            _ => {}
        }
    }
    changes
}

fn touched(r: &mut Reader<'_>, t: &Touched) -> FileChange {
    let described = match &t.content {
        Some(content) if t.append => diff::describe(&diff::fragment("", content), None, &mut r.scrub),
        Some(content) => diff::describe(&diff::created(content), None, &mut r.scrub),
        None => Described::default(),
    };
    let mut change = r.change(&t.path, t.kind, described);
    change.renamed_from = t.renamed_from.as_ref().map(|p| r.path(p));
    change
}

fn plain(r: &mut Reader<'_>, run: &Run<'_>) -> EventBody {
    let last = run.plan.steps.len().saturating_sub(1);
    let program = run.plan.steps.first().map_or("", Step::program);
    let quiet_tool = run.plan.steps.first().is_some_and(|s| shell::effect(s).is_some());
    let trouble =
        || if quiet_tool { outcome::tool_trouble(run.text, program) } else { outcome::shell_trouble(run.text) };
    let exit = match run.reported {
        Some(code) => Exit::reported(code),
        None => run.exit_of(last, r.call.error.is_some() || trouble(), has_result(r)),
    };
    let line = exit.failed().then(|| outcome::telling_line(run.text)).flatten();
    EventBody::Command {
        command: r.scrub.text(run.command, MAX_COMMAND),
        exit_code: exit.code,
        exit_code_source: exit.source,
        error: line.map(|l| r.scrub.line(l, MAX_ERROR)),
    }
}
