//! The change that `engram check` is asked about: a diff that is named, or what git shows.

use super::Failure;
use engram_core::project::Project;
use engram_core::{Error, ErrorKind};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

/// The diff in a file, or with `-` on standard input.
pub(super) fn given(source: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let (read, place) = if source == Path::new("-") {
        (std::io::stdin().lock().read_to_end(&mut bytes).map(drop), "on standard input".to_owned())
    } else {
        (std::fs::read(source).map(|all| bytes = all), format!("\"{}\"", source.display()))
    };
    read.map_err(|e| Error::new(ErrorKind::Io, format!("cannot read the diff {place}")).with_source(e))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What changed in `path` since the last commit; all of it where git does not know the file yet.
pub(super) fn from_git(project: &Project, path: &str) -> Result<String, Failure> {
    let file = project.root.join(path);
    if project.git_dir.is_none() {
        let what = if file.is_file() {
            "this is no git repository, so what changed is not known"
        } else {
            "there is no such file"
        };
        return Err(unknown(path, what));
    }
    let has_commits = git(project, &["rev-parse", "--quiet", "--verify", "HEAD"])?.status.success();
    if has_commits {
        let diff = shown(git(project, &["diff", "--no-ext-diff", "--no-color", "HEAD", "--", path])?, path)?;
        let is_known = !git(project, &["ls-files", "--", path])?.stdout.is_empty();
        if !diff.is_empty() || is_known {
            return Ok(diff);
        }
    }
    if !file.is_file() {
        return Err(unknown(path, "there is no such file"));
    }
    shown(git(project, &["diff", "--no-ext-diff", "--no-color", "--no-index", "--", "/dev/null", path])?, path)
}

/// Refuses a diff in which no line comes or goes.
pub(super) fn must_change(diff: &str, path: &str) -> Result<(), Failure> {
    let lines: Vec<&str> = diff.lines().collect();
    let begins = |at: usize, mark: &str| lines.get(at).is_some_and(|line| line.starts_with(mark));
    let is_header = |at: usize| begins(at, "--- ") && begins(at + 1, "+++ ");
    let changes = |at: usize| begins(at, "+") || begins(at, "-");
    if (0..lines.len()).any(|at| changes(at) && !is_header(at) && !(at > 0 && is_header(at - 1))) {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "there is no change in the diff of \"{path}\"; change the file first, or name a unified diff with --diff FILE"
    )))
}

fn git(project: &Project, arguments: &[&str]) -> Result<Output, Failure> {
    let mut command = Command::new("git");
    command.arg("--literal-pathspecs").args(arguments).current_dir(&project.root);
    Ok(command.output().map_err(|e| {
        Error::new(ErrorKind::Io, "cannot ask git for the change; name one with --diff FILE").with_source(e)
    })?)
}

/// What `git diff` printed. Its code 1 means that there are differences.
fn shown(output: Output, path: &str) -> Result<String, Failure> {
    if matches!(output.status.code(), Some(0 | 1)) {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(unknown(path, said.lines().next().unwrap_or("git gave no reason")))
}

fn unknown(path: &str, why: &str) -> Failure {
    Failure::failed(format!("cannot tell the change of \"{path}\": {why}; name one with --diff FILE"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_alone_are_no_change() {
        for diff in
            ["", "no diff at all", "--- a/x\n+++ b/x\n", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n"]
        {
            assert!(must_change(diff, "x").is_err(), "{diff:?}");
        }
        for diff in ["@@ -1 +0,0 @@\n-x\n", "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+y\n", "@@ -1 +0,0 @@\n--- sql comment\n"]
        {
            assert!(must_change(diff, "x").is_ok(), "{diff:?}");
        }
    }
}
