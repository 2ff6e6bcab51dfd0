//! The commands that test and build here.

use super::candidate::{Candidate, worth};
use super::turns::Turn;
use crate::capture::NOT_STARTED;
use crate::capture::event::{Event, EventBody};
use crate::graph::node::{MemoryKind, NodeType};

/// What a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Test,
    Build,
}

/// A run of a check.
#[derive(Clone, Debug)]
pub(super) struct Check<'a> {
    pub(super) kind: Kind,
    /// The runner's words without options: what makes two runs the same check.
    pub(super) family: String,
    /// The command without folders, pipes and redirections.
    pub(super) command: String,
    pub(super) failed: bool,
    pub(super) tests: &'a [String],
    pub(super) signatures: &'a [String],
    pub(super) summary: &'a str,
}

/// The check that an event is, if it ran.
pub(super) fn check(event: &Event) -> Option<Check<'_>> {
    if event.flags.iter().any(|f| f == NOT_STARTED) {
        return None;
    }
    let failed = event.body.failed();
    let of = |kind, command: &str| {
        let command = core(command);
        Check { kind, family: family(&command), command, failed, tests: &[], signatures: &[], summary: "" }
    };
    match &event.body {
        EventBody::TestRun { command, failing_tests, error_signatures, .. } => {
            Some(Check { tests: failing_tests, signatures: error_signatures, ..of(Kind::Test, command) })
        }
        EventBody::Build { command, error_signatures, error_summary, .. } => Some(Check {
            signatures: error_signatures,
            summary: error_summary.as_deref().unwrap_or_default(),
            ..of(Kind::Build, command)
        }),
        _ => None,
    }
}

const RUNNERS: &[&str] = &[
    "go",
    "cargo",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "pytest",
    "python",
    "python3",
    "uv",
    "tox",
    "nox",
    "make",
    "just",
    "mise",
    "gradle",
    "gradlew",
    "mvn",
    "dotnet",
    "rake",
    "bundle",
    "rspec",
    "phpunit",
    "composer",
    "jest",
    "vitest",
    "tsc",
    "eslint",
    "golangci-lint",
    "biome",
    "ruff",
    "mypy",
    "flake8",
    "black",
    "cmake",
    "ctest",
    "bazel",
    "swift",
    "mix",
    "sbt",
    "task",
    "turbo",
    "nx",
    "stack",
    "zig",
    "ninja",
    "meson",
    "poetry",
    "hatch",
];

/// The part of a command line that runs something: without change of folder, pipes, redirections, variables.
pub(super) fn core(command: &str) -> String {
    let first_line = command.lines().find(|l| !l.trim().is_empty() && !l.trim().starts_with('#')).unwrap_or_default();
    let parts: Vec<&str> =
        first_line.split("&&").flat_map(|p| p.split(';')).map(|p| p.split('|').next().unwrap_or(p).trim()).collect();
    let runs = |p: &&&str| words(p).first().is_some_and(|w| RUNNERS.contains(&w.rsplit('/').next().unwrap_or(w)));
    let part = parts.iter().rfind(runs).or_else(|| parts.iter().find(|p| !p.starts_with("cd ")));
    words(part.copied().unwrap_or_default()).join(" ")
}

fn words(part: &str) -> Vec<&str> {
    let redirects = |w: &&str| {
        !(w.starts_with("2>") || w.starts_with('>') || w.starts_with("1>") || w.starts_with("&>") || *w == "/dev/null")
    };
    let assigns = |w: &&str| {
        w.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_' || b.is_ascii_digit())
        })
    };
    part.split_whitespace().skip_while(assigns).filter(redirects).collect()
}

fn family(command: &str) -> String {
    let plain =
        |w: &&str| !w.starts_with('-') && !w.contains('/') && !w.contains('.') && !w.contains('"') && !w.contains('\'');
    let mut words = command.split_whitespace();
    let mut runner = words.next().unwrap_or_default().to_owned();
    // `python -m unittest` is one runner: without its module the interpreter runs nothing.
    if runner.starts_with("python") && command.split_whitespace().nth(1) == Some("-m") {
        words.next();
        runner.push_str(" -m");
    }
    let most = if matches!(runner.as_str(), "npm" | "pnpm" | "bun" | "yarn" | "mise" | "npx" | "uv" | "poetry") {
        2
    } else {
        1
    };
    words.filter(plain).take(most).fold(runner, |all, w| all + " " + w)
}

/// The last check of the turn that passed.
pub(super) fn last_passing(turn: &Turn<'_>) -> Option<String> {
    let last = turn.events.iter().rev().filter_map(|e| check(e)).next()?;
    (!last.failed && !last.command.is_empty()).then(|| super::wording::shorten(&last.command, 80))
}

/// The canonical commands of the stretch: of each kind the most used runner that passed, in its shortest form.
pub(super) fn read(turns: &[Turn<'_>]) -> Vec<Candidate> {
    [(Kind::Test, "Tests are run with"), (Kind::Build, "It is built and checked with")]
        .into_iter()
        .filter_map(|(kind, says)| canonical(turns, kind, says))
        .collect()
}

fn canonical(turns: &[Turn<'_>], kind: Kind, says: &str) -> Option<Candidate> {
    let runs = || turns.iter().flat_map(|t| t.events.iter().filter_map(|e| check(e)));
    let passed: Vec<Check<'_>> = runs().filter(|c| c.kind == kind && !c.failed && known_runner(&c.command)).collect();
    let families = super::turns::counted(passed.iter().map(|c| c.family.as_str()));
    let (family, _) = families.first()?;
    let shortest =
        passed.iter().filter(|c| c.family == *family).map(|c| c.command.as_str()).min_by_key(|c| (c.len(), *c))?;
    // One file's tests are not the project's.
    let narrow = shortest.split_whitespace().any(|w| super::files::is_test(w) || matches!(w, "-run" | "-t" | "-k"));
    let shortest = if narrow || shortest.len() > 100 { family } else { shortest };
    let at = turns.len().saturating_sub(1);
    let text = format!("{says} `{shortest}` in this project (seen to pass).");
    let name = format!("{}: {shortest}", if kind == Kind::Test { "Test command" } else { "Build and lint command" });
    Some(Candidate::new(NodeType::Finding, &text, worth::COMMAND, at).observed().kind(MemoryKind::Command).named(&name))
}

fn known_runner(command: &str) -> bool {
    command.split_whitespace().next().is_some_and(|w| RUNNERS.contains(&w.rsplit('/').next().unwrap_or(w)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_of_a_command_is_what_runs() {
        assert_eq!(core("cd /x && CI=1 go test ./... 2>&1 | tail -5"), "go test ./...");
        assert_eq!(core("git add -A && pnpm --filter api test"), "pnpm --filter api test");
        assert_eq!(family("go test -run TestX ./pkg"), "go test");
        assert_eq!(family("mise run test:ci"), "mise run test:ci");
        assert_eq!(family("python3 -m unittest -q test_invoice"), "python3 -m unittest");
        assert_eq!(family("cargo test -p engram-core"), "cargo test");
    }
}
