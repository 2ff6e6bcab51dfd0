//! Chains of events: a check fails, edits follow, the same check passes.

use super::candidate::{Candidate, worth};
use super::commands::{Check, Kind, check};
use super::prose::{self, Form};
use super::sentence::{has, normal};
use super::turns::Turn;
use super::{agent_words, cues, files, wording};
use crate::capture::event::FileChange;
use crate::graph::node::NodeType;

/// A failure that has not been mended yet.
struct Failure<'a> {
    kind: Kind,
    family: String,
    /// What the last failing run said.
    name: String,
    said: String,
    /// Changes since the last failing run.
    edits: Vec<&'a FileChange>,
    /// Attempts that did not help.
    vain: usize,
    turn: usize,
    /// A failing test that was written in the same stretch is work in progress, not an error.
    fresh: bool,
}

/// Errors of the stretch. Failures of `before` count as open at its beginning.
pub(super) fn read(before: &[Turn<'_>], turns: &[Turn<'_>]) -> Vec<Candidate> {
    let mut open: Vec<Failure<'_>> = Vec::new();
    for turn in before {
        follow(&mut open, turn, 0);
    }
    let mut made = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        made.extend(follow(&mut open, turn, at).into_iter().filter_map(|(f, c)| mended(&f, &c, turn, at)));
    }
    let last = turns.len().saturating_sub(1);
    let unmended = open.iter().filter(|f| f.turn == last && f.kind == Kind::Test && !turns.is_empty() && !f.fresh);
    made.extend(unmended.filter_map(|f| unresolved(f, last)));
    made
}

/// Walks through a turn; gives the failures that a passing run closed after edits, with that run.
fn follow<'a>(open: &mut Vec<Failure<'a>>, turn: &Turn<'a>, at: usize) -> Vec<(Failure<'a>, Check<'a>)> {
    let mut closed = Vec::new();
    let mut created: Vec<&str> = Vec::new();
    for event in turn.events.iter().copied() {
        for change in event.writes() {
            created.push(&change.path);
            open.iter_mut().for_each(|f| f.edits.push(change));
        }
        let Some(run) = check(event) else { continue };
        let known = open.iter().position(|f| f.kind == run.kind && f.family == run.family);
        match (run.failed, known) {
            (true, Some(i)) => fail_again(&mut open[i], &run, at),
            (true, None) => open.extend(failure(&run, at, &created)),
            (false, Some(i)) => {
                let failure = open.remove(i);
                if !failure.edits.is_empty() {
                    closed.push((failure, run));
                }
            }
            (false, None) => {}
        }
    }
    closed
}

fn failure<'a>(run: &Check<'_>, turn: usize, created: &[&str]) -> Option<Failure<'a>> {
    let (name, said) = signature(run)?;
    let fresh = created.iter().any(|p| files::is_test(p)) && run.kind == Kind::Test;
    Some(Failure { kind: run.kind, family: run.family.clone(), name, said, edits: Vec::new(), vain: 0, turn, fresh })
}

fn fail_again(failure: &mut Failure<'_>, run: &Check<'_>, at: usize) {
    if let Some((name, said)) = signature(run) {
        // The same failure after an edit: the edit did not help. Another failure: the work has moved on.
        failure.vain = if name == failure.name { failure.vain + usize::from(!failure.edits.is_empty()) } else { 0 };
        failure.name = name;
        failure.said = said;
    }
    failure.edits.clear();
    failure.turn = at;
}

/// A telling name of a failure, and what it said; `None` where nothing telling was said, or it was a slip.
fn signature(run: &Check<'_>) -> Option<(String, String)> {
    let lines = run.signatures.iter().map(String::as_str).chain(run.summary.lines());
    let said: Vec<String> = lines.map(tidy).filter(|l| is_telling(l)).collect();
    let first = said.first().cloned().unwrap_or_default();
    if has(&normal(&first), SLIPS) {
        return None;
    }
    match run.tests.first() {
        Some(test) => Some((
            format!("{} fails", tidy(test)),
            said.into_iter().find(|l| has(&normal(l), ASSERTIONS)).unwrap_or_default(),
        )),
        None => (!first.is_empty()).then(|| (first.clone(), first)),
    }
}

// Trouble of a file half edited: it teaches nothing.
const SLIPS: &[&str] = &[
    "imported and not used",
    "declared and not used",
    "unused import",
    "unused imports",
    "unused variable",
    "undefined",
    "cannot find name",
    "syntax error",
    "unexpected token",
    "expected one of",
    "would reformat",
    "unresolved import",
    "its value is never read",
    "is not defined",
    "no such file or directory",
    "command not found",
    "formatting",
    "is defined but never used",
    "noUnusedImports",
    "not used",
    "unterminated",
    "mismatched",
    "cannot find module",
    "missing script",
    "script not found",
    "usage",
    "unknown flag",
    "unknown option",
    "unrecognized",
    "not enough arguments",
    "too many arguments",
    "too many errors",
    "assignment mismatch",
    "typecheck",
    "parse error",
    "no test files",
    "not found",
];

// What a failing assertion or a crash says.
const ASSERTIONS: &[&str] = &[
    "expected",
    "expect",
    "got",
    "want",
    "panic",
    "assert*",
    "error",
    "nil",
    "null",
    "undefined",
    "exception",
    "contain",
    "doesnt",
    "not",
    "cannot",
    "timeout",
    "timed out",
    "mismatch",
    "invalid",
    "refused",
    "denied",
];

const EMPTY: &[&str] = &[
    "exit status",
    "exit code",
    "exited with",
    "error script",
    "test failed",
    "tests failed",
    "failed tests",
    "fail",
    "make error",
    "task failed",
    "command failed",
    "npm err",
    "error command",
    "build failed",
    "lint failed",
    "elifecycle",
    "script exited",
    "task failed",
    "level error",
    "got",
    "to see",
    "run with",
    "error occurred",
    "errors occurred",
    "found 1 error*",
    "could not compile",
    "husky",
    "some errors were emitted",
];

fn is_telling(line: &str) -> bool {
    // Behind the place that it names.
    let message = line.split_once(": ").map_or(line, |(place, rest)| if place.contains('.') { rest } else { line });
    if message.len() < 8 || message.starts_with("--- FAIL") || message.starts_with('+') || !message.contains(' ') {
        return false;
    }
    let n = normal(message);
    let empty = EMPTY.iter().any(|e| super::sentence::starts(&n, &[e]) || (e.contains(' ') && has(&n, &[e])))
        || n.contains(" 0 fail");
    super::sentence::length(&n) >= 2 && !empty && !line.contains("://")
}

/// Without colours, leading marks and places, times and long numbers.
fn tidy(line: &str) -> String {
    let line = crate::text::neutralise(line)
        .trim()
        .trim_start_matches(['-', '*', '>', '\u{2717}', '\u{00d7}', ' '])
        .to_owned();
    let words = line.split_whitespace().filter(|w| !is_time(w));
    wording::shorten(&words.collect::<Vec<_>>().join(" "), 150)
}

fn is_time(word: &str) -> bool {
    let w = word.trim_matches(['(', ')', '[', ']', ',']);
    let number = w.trim_end_matches("ms").trim_end_matches('s');
    (w.ends_with('s') && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        || (w.len() > 7
            && w.contains(':')
            && w.bytes().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'-' | b'.' | b'T' | b'Z')))
}

fn mended(failure: &Failure<'_>, run: &Check<'_>, turn: &Turn<'_>, at: usize) -> Option<Candidate> {
    let cause = cause(failure, turn);
    // A test that the same stretch wrote, or a lint, with nothing learned: the ordinary course of work.
    if (failure.fresh || failure.kind == Kind::Build) && cause.is_none() && failure.vain == 0 {
        return None;
    }
    let edit = failure.edits.iter().rev().find_map(|c| edit_in_words(c));
    let help = match (&cause, &edit) {
        (_, Some(edit)) => edit.clone(),
        (Some(_), None) => format!("editing `{}`", failure.edits.last()?.path),
        (None, None) => return None,
    };
    let mut text = wording::ended(&failure.name);
    if !failure.said.is_empty() && failure.said != failure.name {
        text = format!("{text} It said: {}", wording::ended(&wording::shorten(&failure.said, 110)));
    }
    if let Some(cause) = &cause {
        text = format!("{text} {}", wording::ended(&wording::shorten(cause, 170)));
    }
    text = format!("{text} Fixed by {help}, verified by `{}`.", wording::shorten(&run.command, 70));
    if failure.vain > 0 {
        text = format!(
            "{text} {} before did not help.",
            if failure.vain == 1 { "An attempt" } else { "Several attempts" }
        );
    }
    let value = worth::CHAIN + 12 * u32::from(cause.is_some()) + 5 * u32::from(failure.vain > 0)
        - 8 * u32::from(failure.kind == Kind::Build);
    let mut made = Candidate::new(NodeType::Error, &text, value, at).observed().named(&failure.name);
    made.node.causal = true;
    made.mended_in = distinct(failure.edits.iter().rev().map(|c| c.path.as_str()));
    made.node.files.clone_from(&made.mended_in);
    made.cause = cause.unwrap_or_default();
    made.resolution = help;
    Some(made)
}

fn unresolved(failure: &Failure<'_>, at: usize) -> Option<Candidate> {
    if failure.kind == Kind::Build && failure.said.is_empty() {
        return None;
    }
    let tried = if failure.vain > 0 { " Edits so far did not help." } else { "" };
    let said = if failure.said.is_empty() || failure.said == failure.name {
        String::new()
    } else {
        format!(" It said: {}", wording::ended(&failure.said))
    };
    let text = format!("Still failing when the work ended: {}{said}{tried}", wording::ended(&failure.name));
    let mut made = Candidate::new(NodeType::Error, &text, worth::CHAIN + 6, at).observed().named(&failure.name);
    made.node.causal = true;
    made.node.files = distinct(failure.edits.iter().rev().map(|c| c.path.as_str()));
    Some(made)
}

fn distinct<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for path in paths {
        if !out.iter().any(|p| p == path) && out.len() < 3 {
            out.push(path.to_owned());
        }
    }
    out
}

/// What the final message says of the cause: a sentence that names the failing test or an edited file and explains.
fn cause(failure: &Failure<'_>, turn: &Turn<'_>) -> Option<String> {
    let test = failure.name.split_whitespace().next().unwrap_or_default();
    let units = prose::units(turn.text);
    units.iter().filter(|u| matches!(u.form, Form::Line | Form::Bullet(_))).find_map(|u| {
        u.sentences().iter().enumerate().find_map(|(i, own)| {
            let n = normal(own);
            let explains =
                has(&n, cues::FOUND) || has(&n, cues::REASON) || has(&n, &["fix", "fixed", "now", "expected"]);
            let about =
                (test.len() > 6 && own.contains(test)) || failure.edits.iter().any(|c| files::names(own, &c.path));
            (explains && about && agent_words::states_something(own, u)).then(|| wording::compose(u, i))
        })
    })
}

/// A change in words: a line that it took out with the like line that it put in, else a line that it put in.
fn edit_in_words(change: &FileChange) -> Option<String> {
    let lines = |mark: char| {
        change.diff.lines().filter_map(move |l| l.strip_prefix(mark)).map(str::trim).filter(|l| is_telling_code(l))
    };
    let pair = lines('-').find_map(|old| lines('+').find(|new| is_version_of(old, new)).map(|new| (old, new)));
    let short = |l: &str| wording::shorten(l, 90);
    if let Some((old, new)) = pair {
        return Some(format!("changing `{}` to `{}` in `{}`", short(old), short(new), change.path));
    }
    lines('+').next().map(|new| format!("an edit of `{}` that added `{}`", change.path, short(new)))
}

fn is_telling_code(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphanumeric()).count();
    letters >= 10
        && !line.starts_with('"')
        && !line.contains('`')
        && !["//", "#", "/*", "*", "import ", "use ", "++", "--"].iter().any(|m| line.starts_with(m))
}

/// Whether a line of code is another version of the other.
fn is_version_of(old: &str, new: &str) -> bool {
    let (a, b) = (super::sentence::terms(old), super::sentence::terms(new));
    let shared = a.intersection(&b).count();
    old != new
        && shared >= 2
        && shared * 5 >= 2 * a.union(&b).count()
        && wording::shorten(old, 90) != wording::shorten(new, 90)
}
