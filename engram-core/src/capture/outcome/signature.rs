//! Error signatures: `file: kind`, without numbers, times and absolute paths, so that the same error is the same text.

const MAX_SIGNATURES: usize = 8;
const MAX_KIND: usize = 60;

/// The signatures of an output's errors, each once, at most eight. `paths` makes a path relative to the project.
pub(crate) fn signatures(text: &str, paths: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut walk = Walk { paths, found: Vec::new(), frame: None, kind: None, suite: None, test: None };
    for line in text.lines().filter(|l| l.len() < 2_000) {
        walk.take(line);
        if walk.found.len() >= MAX_SIGNATURES {
            return walk.found;
        }
    }
    walk.flush();
    walk.found
}

struct Walk<'a> {
    paths: &'a dyn Fn(&str) -> String,
    found: Vec<String>,
    /// The last file of the project in a Python traceback, or the file that a linter lists problems of.
    frame: Option<String>,
    /// A kind of error whose file is still to come.
    kind: Option<String>,
    /// The test file that failed.
    suite: Option<String>,
    /// The failing test of `go test` whose file is still to come.
    test: Option<String>,
}

impl Walk<'_> {
    fn take(&mut self, line: &str) {
        let rules: [fn(&mut Self, &str) -> bool; 10] = [
            Self::python_frame,
            Self::pytest,
            Self::rustc,
            Self::panic,
            Self::go_test,
            Self::suite,
            Self::exception,
            Self::script_frame,
            Self::located,
            Self::shell,
        ];
        let text = line.trim();
        if !text.is_empty() {
            let _ = rules.iter().any(|rule| rule(self, line));
        }
    }

    fn push(&mut self, file: Option<&str>, kind: &str) {
        let kind = plain_kind(kind);
        let signature = match file {
            Some(file) => format!("{file}: {kind}"),
            None => kind,
        };
        if !signature.is_empty() && !self.found.contains(&signature) {
            self.found.push(signature);
        }
    }

    /// A path of the project; nothing for libraries and temporary code.
    fn project_file(&self, path: &str) -> Option<String> {
        const FOREIGN: &[&str] = &["node_modules/", "site-packages/", "/rustc/", ".cargo/registry", "dist-packages/"];
        if path.starts_with('<') || path.starts_with("node:") || FOREIGN.iter().any(|f| path.contains(f)) {
            return None;
        }
        let file = (self.paths)(path.trim_start_matches("./").trim_start_matches("file://"));
        (!file.starts_with('/') && file.get(1..2) != Some(":")).then_some(file)
    }

    /// `File "x.py", line 3, in f`
    fn python_frame(&mut self, line: &str) -> bool {
        let Some((path, rest)) = line.trim_start().strip_prefix("File \"").and_then(|r| r.split_once('"')) else {
            return false;
        };
        let file = self.project_file(path).filter(|_| rest.starts_with(", line "));
        self.frame = file.or(self.frame.take());
        true
    }

    /// `FAILED tests/a.py::test - Kind: message`
    fn pytest(&mut self, line: &str) -> bool {
        let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) else { return false };
        let Some((place, message)) = rest.split_once(" - ") else { return false };
        let Some(file) = place.split("::").next().filter(|f| f.ends_with(".py")) else { return false };
        let kind =
            exception_name(message).unwrap_or(if message.starts_with("assert") { "AssertionError" } else { "error" });
        let file = (self.paths)(file);
        self.push(Some(&file), kind);
        true
    }

    /// `error[E0308]: …` and, on a later line, `--> src/a.rs:3:5`
    fn rustc(&mut self, line: &str) -> bool {
        const SUMMARIES: &[&str] =
            &["could not compile", "aborting due to", "test failed", "process didn't", "build failed"];
        let text = line.trim_start();
        if let Some(rest) = text.strip_prefix("error[") {
            self.kind = rest.split(']').next().map(str::to_owned);
            return true;
        }
        if let Some(message) = line.strip_prefix("error: ") {
            let is_summary = SUMMARIES.iter().any(|s| message.contains(s));
            self.kind = (!is_summary).then(|| message.to_owned());
            return true;
        }
        if text.starts_with("warning") {
            self.kind = None;
            return false;
        }
        let Some(place) = text.strip_prefix("--> ") else { return false };
        let path = place.split(':').next().unwrap_or(place);
        if let (Some(kind), Some(file)) = (self.kind.take(), self.project_file(path)) {
            self.push(Some(&file), &kind);
        }
        true
    }

    /// `thread 'x' panicked at src/a.rs:3:5:`
    fn panic(&mut self, line: &str) -> bool {
        let Some((_, place)) = line.split_once("panicked at ") else { return false };
        let place = place.rsplit(", ").next().unwrap_or(place);
        match place.split(':').next().and_then(|p| self.project_file(p)) {
            Some(file) => self.push(Some(&file), "panic"),
            None => self.push(None, "panic"),
        }
        true
    }

    /// `--- FAIL: TestX (0.00s)` and, below it, `a_test.go:12: message`
    fn go_test(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        if let Some(rest) = text.strip_prefix("--- FAIL: ") {
            self.flush_test();
            self.test = rest.split(" (").next().map(str::to_owned);
            return true;
        }
        let file = text.split(':').next().filter(|f| f.ends_with("_test.go"));
        if let (Some(file), true, Some(test)) = (file, line.starts_with("    "), self.test.clone()) {
            self.push(Some(file), &format!("--- FAIL {test}"));
            self.test = None;
            return true;
        }
        false
    }

    /// `FAIL src/a.test.ts`
    fn suite(&mut self, line: &str) -> bool {
        let Some(rest) = line.trim_start().strip_prefix("FAIL ") else { return false };
        let Some(path) = rest.split_whitespace().next().filter(|p| p.contains('.') && !p.starts_with('[')) else {
            return false;
        };
        if !path.contains('/') && !is_source(path) {
            return false;
        }
        self.flush();
        self.suite = Some((self.paths)(path));
        true
    }

    /// `AssertionError: …`, `TypeError: …` at the beginning of a line, or after pytest's `E   `
    fn exception(&mut self, line: &str) -> bool {
        let text = line.strip_prefix("E   ").unwrap_or(line).trim_start().trim_start_matches("Uncaught ");
        let Some(kind) = exception_name(text) else { return false };
        if line.starts_with("E   ") {
            self.kind = Some(kind.to_owned());
        } else if let Some(file) = self.frame.take().or_else(|| self.suite.take()) {
            self.push(Some(&file), kind);
        } else {
            self.kind = Some(kind.to_owned());
        }
        true
    }

    /// `    at f (/p/src/a.js:3:5)`
    fn script_frame(&mut self, line: &str) -> bool {
        let Some(rest) = line.trim_start().strip_prefix("at ") else { return false };
        let place = rest.rsplit_once('(').map_or(rest, |(_, p)| p.trim_end_matches(')'));
        let path = place.rsplitn(3, ':').last().unwrap_or(place);
        if let (Some(kind), Some(file)) = (self.kind.clone(), self.project_file(path)) {
            self.push(Some(&file), &kind);
            self.kind = None;
        }
        true
    }

    /// `path:3:5: error: message`, `path(3,5): error TS2345: …`, ESLint's `  3:5  error  message  rule` under its file
    fn located(&mut self, line: &str) -> bool {
        if let Some(rule) = eslint_rule(line) {
            if let Some(file) = self.frame.clone() {
                self.push(Some(&file), rule);
            }
            return true;
        }
        if is_source(line.trim()) && !line.contains(' ') {
            self.frame = self.project_file(line.trim());
            return false;
        }
        let text = line.trim_start().trim_start_matches("[ERROR] ").trim_start_matches("vet: ");
        let Some((path, message)) = split_location(text) else { return false };
        let kind =
            message_kind(message).map(str::to_owned).or_else(|| self.kind.clone().filter(|_| message.is_empty()));
        if let (Some(kind), Some(file)) = (kind, self.project_file(path)) {
            self.push(Some(&file), &kind);
            self.kind = None;
        }
        true
    }

    /// `npm ERR! code X`, `bash: x: command not found`
    fn shell(&mut self, line: &str) -> bool {
        if let Some(code) = line.strip_prefix("npm ERR! code ").or_else(|| line.strip_prefix("npm error code ")) {
            self.push(Some("npm"), code);
        } else if let Some(head) = line.strip_suffix(": command not found") {
            let program = head.rsplit(": ").next().unwrap_or(head);
            self.push(Some(program), "command not found");
        } else if let Some((_, module)) = line.split_once(": No module named ") {
            self.push(Some(module.trim_matches('\'')), "No module");
        } else if line.ends_with(": No such file or directory") {
            let program = line.split(':').next().unwrap_or("").rsplit('/').next().unwrap_or("").to_owned();
            self.push(Some(&program), "No such file or directory");
        }
        true
    }

    fn flush_test(&mut self) {
        if let Some(test) = self.test.take() {
            self.push(None, &format!("--- FAIL {test}"));
        }
    }

    /// What waits for a file that never came.
    fn flush(&mut self) {
        self.flush_test();
        let suite = self.suite.take();
        match (suite, self.kind.take()) {
            (Some(suite), Some(kind)) => self.push(Some(&suite), &kind),
            (Some(suite), None) => self.push(Some(&suite), "FAIL"),
            (None, Some(kind)) if self.found.is_empty() => self.push(None, &kind),
            _ => {}
        }
    }
}

/// The kind without what changes from run to run: quoted parts, numbers, what follows a colon.
fn plain_kind(kind: &str) -> String {
    let head = kind.split(": ").next().unwrap_or(kind).trim();
    let is_code = !head.contains(' ');
    let mut out = String::new();
    let mut quoted = None;
    for c in head.chars() {
        match quoted {
            Some(q) if c == q => quoted = None,
            Some(_) => {}
            None if matches!(c, '`' | '"') => quoted = Some(c),
            None if c.is_ascii_digit() && !is_code && !head.starts_with("---") => {}
            None => out.push(c),
        }
    }
    let words: Vec<&str> = out.split_whitespace().take(8).collect();
    crate::text::clip(&words.join(" "), MAX_KIND).to_owned()
}

/// `ValueError` of `ValueError: x`, `pkg.module.ValueError`, `java.lang.IllegalStateException: y`.
fn exception_name(text: &str) -> Option<&str> {
    const ENDS: &[&str] = &["Error", "Exception", "Failure", "Interrupt", "Warning", "Violation", "Timeout"];
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let last = name.rsplit('.').next()?;
    let rest =
        rest.trim_start_matches(|c: char| c == '[' || c == ']' || c.is_ascii_uppercase() || c == '_' || c == ' ');
    let is_kind = ENDS.iter().any(|e| last.ends_with(e)) && last.starts_with(|c: char| c.is_ascii_uppercase());
    (is_kind && (rest.is_empty() || rest.starts_with(':')) && last.len() <= MAX_KIND).then_some(last)
}

fn is_source(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(stem, e)| if stem.is_empty() { "" } else { e });
    (1..=6).contains(&ending.len())
        && ending.bytes().all(|b| b.is_ascii_alphanumeric())
        && !path.contains(['"', '\'', '(', '='])
}

/// The rule of `3:5  error  message  rule`.
fn eslint_rule(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let place = words.next()?;
    let is_place = place.contains(':') && place.bytes().all(|b| b.is_ascii_digit() || b == b':');
    (is_place && line.starts_with(' ') && words.next()? == "error").then(|| words.next_back()).flatten()
}

/// Path and message of `path:3:5: message`, `path(3,5): message`, `path:[3,5] message`.
fn split_location(text: &str) -> Option<(&str, &str)> {
    let (path, rest) =
        if let Some((path, rest)) = text.split_once('(').filter(|(p, _)| is_source(p) && !p.contains(' ')) {
            let (place, rest) = rest.split_once(')')?;
            place.bytes().all(|b| b.is_ascii_digit() || b == b',').then_some((path, rest))?
        } else {
            let from = if text.get(1..3) == Some(":\\") { 2 } else { 0 };
            let colon = text[from..].find(':')? + from;
            (&text[..colon], &text[colon..])
        };
    let starts_at_number =
        rest.strip_prefix(':').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit() || c == '['));
    if !is_source(path) || path.contains(' ') || !(starts_at_number || rest.starts_with(": ")) {
        return None;
    }
    Some((
        path,
        rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '[' | ']' | ',' | ' ' | '-')),
    ))
}

/// The kind in a compiler's or linter's message; nothing for warnings and notes.
fn message_kind(message: &str) -> Option<&str> {
    const MILD: &[&str] = &["warning", "note", "info", "hint", "in function", "In function", "At top"];
    if message.is_empty() || MILD.iter().any(|m| message.starts_with(m)) {
        return None;
    }
    let is_code = |w: &&str| {
        let digits = w.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        digits.len() < w.len() && digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit()) && w.len() <= 10
    };
    let code = message.split([' ', ':']).take(3).find(is_code);
    let bracketed = |open, close| message.strip_suffix(close).and_then(|m| m.rsplit_once(open)).map(|(_, m)| m);
    let rule = bracketed('[', ']').or_else(|| bracketed('(', ')')).filter(|r| !r.contains(' ') && !r.is_empty());
    let whole = message.strip_prefix("error: ").or_else(|| message.strip_prefix("fatal error: ")).unwrap_or(message);
    exception_name(message).or(code).or(rule).or(Some(whole))
}
