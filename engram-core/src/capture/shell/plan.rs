//! The programs that a command really runs: wrappers, assignments and inner shells taken off.

use super::lex::{self, Link, Redirect, Simple};

const MAX_DEPTH: usize = 3;
const MAX_COMMAND: usize = 64 * 1024;

/// One program with its arguments, and where it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) words: Vec<String>,
    /// Folder set by an earlier `cd` of the same command; empty = the call's own.
    pub(crate) dir: String,
    pub(crate) link: Link,
    pub(crate) outputs: Vec<Redirect>,
    pub(crate) heredoc: Option<String>,
}

impl Step {
    /// The program's name without its folder and `.exe`.
    pub(crate) fn program(&self) -> &str {
        let first = self.words.first().map_or("", String::as_str);
        let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
        name.strip_suffix(".exe").or_else(|| name.strip_suffix(".cmd")).unwrap_or(name)
    }

    /// What follows the program.
    pub(crate) fn args(&self) -> &[String] {
        self.words.get(1..).unwrap_or(&[])
    }

    /// A path of the step, from the call's working directory.
    pub(crate) fn path(&self, path: &str) -> String {
        let absolute = path.starts_with(['/', '~']) || path.get(1..2) == Some(":");
        if absolute || self.dir.is_empty() { path.to_owned() } else { format!("{}/{path}", self.dir) }
    }
}

/// A command as the programs it runs, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
}

impl Plan {
    /// Whether the exit code of step `at` can differ from that of the whole command.
    pub(crate) fn hides_status_of(&self, at: usize) -> bool {
        let later = self.steps.iter().skip(at + 1);
        later.into_iter().any(|s| s.link != Link::And)
    }
}

/// Takes a command apart.
pub(crate) fn plan(command: &str) -> Plan {
    let mut plan = Plan::default();
    let mut dir = String::new();
    add(&mut plan, &mut dir, crate::text::clip(command, MAX_COMMAND), MAX_DEPTH);
    plan
}

fn add(plan: &mut Plan, dir: &mut String, command: &str, depth: usize) {
    for simple in lex::commands(command) {
        let Simple { words, link, outputs, heredoc, .. } = simple;
        let words = unwrapped(words);
        match words.first().map(String::as_str) {
            Some("cd" | "pushd") => {
                if let Some(to) = words.get(1) {
                    *dir = enter(dir, to);
                }
            }
            _ if depth > 0 && inner_script(&words).is_some() => {
                let script = inner_script(&words).unwrap_or_default().to_owned();
                let mut inner_dir = dir.clone();
                let first = plan.steps.len();
                add(plan, &mut inner_dir, &script, depth - 1);
                if let Some(step) = plan.steps.get_mut(first) {
                    step.link = link;
                }
            }
            _ => plan.steps.push(Step { words, dir: dir.clone(), link, outputs, heredoc }),
        }
    }
}

fn enter(dir: &str, to: &str) -> String {
    let absolute = to.starts_with(['/', '~']) || dir.is_empty();
    if absolute { to.to_owned() } else { format!("{dir}/{to}") }
}

/// The script of `bash -c '…'` and its like.
fn inner_script(words: &[String]) -> Option<&str> {
    const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "fish", "pwsh", "powershell"];
    let name = words.first()?.rsplit('/').next()?;
    if name == "eval" {
        return words.get(1).map(String::as_str);
    }
    if !SHELLS.contains(&name) {
        return None;
    }
    let flag =
        words.iter().position(|w| w.starts_with('-') && !w.starts_with("--") && w.ends_with('c') || w == "-Command")?;
    words.get(flag + 1).map(String::as_str)
}

/// A word before a program, and how many words after its own flags belong to it.
const WRAPPERS: &[(&str, usize)] = &[
    ("sudo", 0),
    ("doas", 0),
    ("env", 0),
    ("time", 0),
    ("nohup", 0),
    ("nice", 0),
    ("ionice", 0),
    ("command", 0),
    ("exec", 0),
    ("stdbuf", 0),
    ("setsid", 0),
    ("unbuffer", 0),
    ("timeout", 1),
    ("gtimeout", 1),
    ("xvfb-run", 0),
    ("npx", 0),
    ("bunx", 0),
    ("pnpx", 0),
    ("uvx", 0),
    ("caffeinate", 0),
    ("then", 0),
    ("do", 0),
    ("else", 0),
    ("if", 0),
    ("while", 0),
    ("until", 0),
    ("!", 0),
    ("{", 0),
    ("xargs", 0),
    ("nyc", 0),
    ("c8", 0),
    ("cross-env", 0),
    ("dotenv", 0),
    ("watch", 0),
    ("strace", 0),
    ("valgrind", 0),
    ("arch", 0),
    ("chronic", 0),
    ("rtk", 0),
];
/// Two words before a program.
const TWO_WORD_WRAPPERS: &[(&str, &str)] = &[
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("pdm", "run"),
    ("hatch", "run"),
    ("rye", "run"),
    ("pixi", "run"),
    ("conda", "run"),
    ("bundle", "exec"),
    ("npm", "exec"),
    ("pnpm", "exec"),
    ("pnpm", "dlx"),
    ("yarn", "dlx"),
    ("yarn", "exec"),
    ("bun", "x"),
    ("mise", "exec"),
    ("mise", "x"),
    ("coverage", "run"),
    ("direnv", "exec"),
    ("nix-shell", "--run"),
    ("rustup", "run"),
    ("dotnet", "exec"),
    ("php", "-f"),
    ("composer", "exec"),
];
/// Flags of wrappers that take a value.
const WRAPPER_VALUES: &[&str] = &[
    "-u",
    "-n",
    "-k",
    "-s",
    "-p",
    "-P",
    "-I",
    "-L",
    "-o",
    "-e",
    "-i",
    "-C",
    "--signal",
    "--package",
    "--with",
    "--python",
    "--group",
    "--directory",
    "--project",
];

/// `words` without assignments, keywords and wrappers before the program.
fn unwrapped(mut words: Vec<String>) -> Vec<String> {
    loop {
        let Some(first) = words.first() else { return words };
        let name = first.rsplit('/').next().unwrap_or(first);
        let second = words.get(1).map_or("", String::as_str);
        let strip = if is_assignment(first) {
            1
        } else if TWO_WORD_WRAPPERS.contains(&(name, second)) {
            2 + flags(&words[2..])
        } else if let Some((_, own)) = WRAPPERS.iter().find(|(w, _)| *w == name) {
            1 + flags(&words[1..]) + own
        } else {
            return words;
        };
        if strip >= words.len() {
            return if words.len() > 1 && !is_assignment(&words[0]) { words } else { Vec::new() };
        }
        words.drain(..strip);
        // `coverage run -m pytest` runs a module.
        if words.first().is_some_and(|w| w == "-m") {
            words.insert(0, "python".to_owned());
        }
    }
}

/// How many words at the beginning are flags of a wrapper, with their values.
fn flags(words: &[String]) -> usize {
    let mut n = 0;
    while let Some(word) = words.get(n).filter(|w| w.starts_with('-') && w.len() > 1 && *w != "-m") {
        n += 1 + usize::from(WRAPPER_VALUES.contains(&word.as_str()));
        if word == "--" {
            break;
        }
    }
    n
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_behind_what_wraps_it() {
        let cases = [
            ("cargo test", "cargo test"),
            ("cd x && RUST_LOG=debug timeout 5 cargo test", "cargo test"),
            ("sudo -u dev env A=1 nice -n 5 make", "make"),
            ("bash -lc 'cd y && pytest -q'", "pytest -q"),
            ("sh -c \"bash -c 'go test ./...'\"", "go test ./..."),
            ("npx --yes vitest run", "vitest run"),
            ("uv run --with x pytest", "pytest"),
            ("poetry run python -m pytest", "python -m pytest"),
            ("coverage run -m pytest", "python -m pytest"),
            ("if ! cargo check; then exit 1; fi", "cargo check"),
        ];
        for (command, expected) in cases {
            assert_eq!(plan(command).steps[0].words.join(" "), expected, "{command}");
        }
    }

    #[test]
    fn cd_moves_the_paths_that_follow() {
        let steps = plan("cd a && cat x && cd b && cat y; cat /z").steps;
        let paths: Vec<String> = steps.iter().map(|s| s.path(&s.words[1])).collect();
        assert_eq!(paths, ["a/x", "a/b/y", "/z"]);
    }

    #[test]
    fn a_status_is_hidden_by_pipes_and_alternatives() {
        let cases = [("a", false), ("a && b", false), ("a | tail", true), ("a || true", true), ("a; b", true)];
        for (command, hidden) in cases {
            assert_eq!(plan(command).hides_status_of(0), hidden, "{command}");
        }
    }
}
