//! The shared vectors in C: `c/vectors.c`, compiled against the header and the library of this build, is driven by lines.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod compiled;

use engram_core::{ErrorKind, wire};
use engram_tests::vectors::{Case, Failure, Subject, cases, check, run};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program, and what it does when a model of its calls engram.
struct C {
    child: Child,
    lines: BufReader<ChildStdout>,
    /// The step that a model takes, to hold its answer against.
    inner: Option<Value>,
}

impl C {
    fn new() -> C {
        let mut child = Command::new(compiled::program("vectors"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        C { child, lines, inner: None }
    }

    fn tell(&mut self, command: &str) {
        assert!(!command.contains('\n'), "a command is one line: {command}");
        writeln!(self.child.stdin.as_mut().unwrap(), "{command}").unwrap();
    }

    fn ask(&mut self, command: &str) -> Result<String, Failure> {
        self.tell(command);
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the program ended at: {command}");
            let line = line.trim_end();
            let Some(inner) = line.strip_prefix("inner ") else { return answer(line) };
            let step = self.inner.as_ref().unwrap();
            check(step, answer(inner).map(|text| serde_json::from_str(&text).unwrap()))
                .map_err(|message| Failure { kind: "a call within a model".into(), message })?;
        }
    }

    fn host(&mut self, model: &str, script: &Value) {
        if let Some(words) = script["throws"].as_str() {
            self.tell(&format!("host {model} throws {words}"));
        } else if script.get("hangs").is_some() {
            self.tell(&format!("host {model} hangs"));
        } else if let Some(step) = script.get("calls") {
            self.inner = Some(step.clone());
            let arguments = step.get("with").map_or(String::new(), Value::to_string);
            self.tell(&format!("host {model} calls {} {arguments}", step["call"].as_str().unwrap()));
        } else {
            let one = [script["reply"].clone()];
            for reply in script["replies"].as_array().map_or(&one[..], Vec::as_slice) {
                self.tell(&format!("host {model} reply {}", wrapped(reply)));
            }
        }
    }

    /// Ends the program, which has to end well and to have said nothing beside its answers.
    fn end(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        let mut beside = String::new();
        self.lines.read_to_string(&mut beside).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut beside).unwrap();
        let status = self.child.wait().unwrap();
        if status.success() && beside.is_empty() { Ok(()) } else { Err(format!("{status}: {beside}")) }
    }
}

/// A status, a space, and a text.
fn answer(line: &str) -> Result<String, Failure> {
    let (status, text) = line.split_once(' ').unwrap();
    match status {
        "0" => Ok(text.to_owned()),
        other => Err(Failure { kind: name_of(other.parse().unwrap()), message: text.to_owned() }),
    }
}

fn name_of(code: u32) -> String {
    ErrorKind::ALL.iter().find(|k| k.code() == code).map_or("Panic", |k| k.name()).to_owned()
}

/// C has no objects: a script's plain text or list is said in the form of the wire.
fn wrapped(reply: &Value) -> Value {
    match reply {
        Value::String(text) => json!({ "text": text }),
        Value::Array(vectors) => json!({ "vectors": vectors }),
        other => other.clone(),
    }
}

impl Subject for C {
    fn open(&mut self, options: &Value, hosts: &Map<String, Value>) -> Result<(), Failure> {
        for (model, script) in hosts {
            self.host(model, script);
        }
        self.ask(&format!("open {options}")).map(drop)
    }

    fn call(&mut self, verb: &str, arguments: Option<&Value>) -> Result<Value, Failure> {
        let text = self.ask(&format!("call {verb} {}", arguments.map_or(String::new(), Value::to_string)))?;
        Ok(serde_json::from_str(&text).unwrap())
    }

    fn close(&mut self) {
        self.ask("close").unwrap();
    }

    fn kinds(&self) -> Value {
        let listed = C::new().listed("kinds");
        let kind = |pair: &str| {
            let (name, number) = pair.split_once('=').unwrap();
            (name.to_owned(), json!(number.parse::<u32>().unwrap()))
        };
        Value::Object(listed.iter().map(|pair| kind(pair)).collect())
    }
}

impl C {
    fn listed(mut self, what: &str) -> Vec<String> {
        let list = self.ask(what).unwrap().split_whitespace().map(str::to_owned).collect();
        self.end().unwrap();
        list
    }
}

fn gone_wrong(case: &Case) -> Option<String> {
    let mut subject = C::new();
    let went = run(case, &mut subject);
    let ended = subject.end();
    went.and(ended).err().map(|error| format!("{}: {error}", case.name))
}

#[test]
fn every_case_goes_as_written() {
    let cases = cases();
    let failed: Vec<String> = cases.iter().filter_map(gone_wrong).collect();
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), cases.len(), failed.join("\n"));
    assert!(cases.len() >= 80, "only {} cases", cases.len());
}

#[test]
fn the_program_calls_every_verb_by_its_own_function() {
    assert_eq!(C::new().listed("verbs"), wire::VERBS);
}
