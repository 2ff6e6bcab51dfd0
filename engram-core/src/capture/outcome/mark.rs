//! Lines by which an output gives a failure away.

/// Beginnings of lines that tell of a failed build or test.
const STARTS: &[&str] = &[
    "Traceback (most recent call last)",
    "FAILED",
    "FAIL\t",
    "FAIL ",
    "FAIL:",
    "--- FAIL",
    "error:",
    "error[",
    "error TS",
    "ERROR:",
    "ERROR in ",
    "panic:",
    "npm ERR!",
    "npm error",
    "fatal:",
    "fatal error",
    "make: ***",
    "not ok ",
    "BUILD FAILED",
    "BUILD FAILURE",
    "[ERROR]",
    "FAILURE:",
    "Error:",
    "ninja: build stopped",
    "gmake: ***",
    "Failed to compile",
    "[!] ",
    "Compilation failed",
    "SyntaxError",
    "TypeError",
    "ReferenceError",
    "E   ",
];
/// Parts of lines that do.
const PARTS: &[&str] = &[
    "panicked at",
    ": error TS",
    ": error:",
    " error CS",
    ": fatal error",
    "command not found",
    "No module named",
    "ERROR task failed",
    "ELIFECYCLE",
    "test result: FAILED",
    "Segmentation fault",
    "core dumped",
    "AssertionError",
    "ModuleNotFoundError",
    "exited with code 1",
    "exit code 1",
    "exit status 1",
    "exit status 2",
    "make: *** [",
    "Could not compile",
    "could not compile",
    "undefined reference to",
    "ERR_PNPM",
    "Missing script",
];
/// Lines by which a shell or a common tool refuses.
const SHELL_PARTS: &[&str] = &[
    "command not found",
    ": not found",
    "No such file or directory",
    "Permission denied",
    "permission denied",
    "Operation not permitted",
    "No module named",
    "is not recognized as",
    "panicked at",
    "Connection refused",
];
const SHELL_STARTS: &[&str] = &[
    "Traceback (most recent call last)",
    "fatal:",
    "error:",
    "error[",
    "Error:",
    "npm ERR!",
    "npm error",
    "panic:",
    "ERROR:",
    "curl: (",
    "Cannot ",
    "Unable to ",
];
/// Lines that mean that a runner is missing.
const MISSING: &[&str] = &[
    "command not found",
    ": not found",
    "No module named pytest",
    "No module named unittest",
    "No module named tox",
    "no such command",
    "no such subcommand",
    "Missing script:",
    "missing script:",
    "could not determine executable to run",
    "No rule to make target",
    "No such file or directory",
    "is not recognized as",
    "No tests found",
    "no tests ran",
    "ERR_PNPM_NO_SCRIPT",
    "not found in package.json",
    "unknown command",
    "updates to go.mod needed",
    "cannot find main module",
    "Command \"test\" not found",
];

fn has_part(line: &str, parts: &[&str]) -> bool {
    parts.iter().any(|p| line.contains(p))
}

fn has_start(line: &str, starts: &[&str]) -> bool {
    starts.iter().any(|s| line.starts_with(s))
}

/// `0 errors`, `no errors`: what sounds like a failure and is none.
fn is_denial(line: &str) -> bool {
    has_part(line, &["0 error", "0 fail", "no error", "No error", "without error"])
}

fn is_failure(line: &str) -> bool {
    let line = line.trim_start();
    !is_denial(line) && (has_start(line, STARTS) || has_part(line, PARTS))
}

fn is_trouble(line: &str) -> bool {
    has_start(line, SHELL_STARTS) || has_part(line, SHELL_PARTS)
}

pub(super) fn is_missing_runner(line: &str) -> bool {
    has_part(line, MISSING)
}

/// Whether the output of a test run or a build shows a failure.
pub(crate) fn tests_or_build_failed(text: &str) -> bool {
    text.lines().any(is_failure)
}

/// Whether the output of some command shows that it failed. Only its beginning and its end count: in between there may
/// be anything.
pub(crate) fn shell_trouble(text: &str) -> bool {
    text.lines().take(3).any(is_trouble) || text.lines().rev().take(5).any(is_trouble)
}

/// Whether all that a file tool (`cat`, `sed`, `mv`) printed is its complaint.
pub(crate) fn tool_trouble(text: &str, program: &str) -> bool {
    let complains = |l: &str| {
        let own = l.split_once(": ").is_some_and(|(p, _)| p.rsplit('/').next() == Some(program) || p.ends_with("sh"));
        own && (has_part(l, SHELL_PARTS) || has_part(l, &["Is a directory", "can't read", "cannot"]))
    };
    let mut lines = text.lines().filter(|l| !l.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.all(complains)
}

/// The first line that tells what went wrong, else the last line.
pub(crate) fn telling_line(text: &str) -> Option<&str> {
    telling_lines(text, 1).first().copied()
}

/// The first lines that tell what went wrong, at most `max`; a traceback tells it in its last line.
pub(crate) fn telling_lines(text: &str, max: usize) -> Vec<&str> {
    let body = || text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("Exit code "));
    let is_telling = |l: &&str| (is_failure(l) || is_trouble(l)) && !l.starts_with("Traceback");
    let telling: Vec<&str> = body().filter(is_telling).take(max).collect();
    if telling.is_empty() { body().next_back().into_iter().collect() } else { telling }
}
