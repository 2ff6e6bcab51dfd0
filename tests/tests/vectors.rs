//! The shared vectors in Rust, and that they cover what there is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use engram_core::models::HostCall;
use engram_core::{Engram, ErrorKind, wire};
use engram_tests::vectors::{Case, Failure, Subject, cases, run};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The Rust library, through the JSON door.
#[derive(Default)]
struct Rust {
    open: Option<Arc<Engram>>,
}

/// The handle that a script of its own model uses.
type Own = Arc<OnceLock<std::sync::Weak<Engram>>>;

fn failure(error: &engram_core::Error) -> Failure {
    Failure { kind: error.kind().name().to_owned(), message: error.to_string() }
}

impl Subject for Rust {
    fn open(&mut self, options: &Value, hosts: &Map<String, Value>) -> Result<(), Failure> {
        let own = Own::default();
        let host = |name: &str| hosts.get(name).map(|script| played(script.clone(), Arc::clone(&own)));
        let hosts = wire::Hosts { language_model: host("languageModel"), embedder: host("embedder") };
        let engram = Arc::new(wire::open(&options.to_string(), hosts).map_err(|e| failure(&e))?);
        own.set(Arc::downgrade(&engram)).unwrap();
        self.open = Some(engram);
        Ok(())
    }

    fn call(&mut self, verb: &str, arguments: Option<&Value>) -> Result<Value, Failure> {
        let closed = || Failure { kind: "Closed".into(), message: "the handle is closed".into() };
        called(self.open.as_ref().ok_or_else(closed)?, verb, arguments)
    }

    fn close(&mut self) {
        self.open = None;
    }

    fn kinds(&self) -> Value {
        let mut kinds: Map<String, Value> =
            ErrorKind::ALL.iter().map(|k| (k.name().to_owned(), json!(k.code()))).collect();
        kinds.insert("Panic".into(), json!(255));
        Value::Object(kinds)
    }
}

fn called(engram: &Engram, verb: &str, arguments: Option<&Value>) -> Result<Value, Failure> {
    let arguments = arguments.map_or(String::new(), Value::to_string);
    let answer = wire::call(engram, verb, &arguments).map_err(|e| failure(&e))?;
    Ok(serde_json::from_str(&answer).unwrap())
}

/// A host's model that follows a script.
fn played(script: Value, own: Own) -> HostCall {
    let turn = AtomicUsize::new(0);
    Arc::new(move |_| {
        if let Some(words) = script["throws"].as_str() {
            return Err(words.to_owned());
        }
        if script.get("hangs").is_some() {
            std::thread::sleep(Duration::from_secs(1));
        }
        if let Some(step) = script.get("calls") {
            let engram = own.get().and_then(std::sync::Weak::upgrade).ok_or("no handle")?;
            let answer = called(&engram, step["call"].as_str().unwrap(), step.get("with"));
            engram_tests::vectors::check(step, answer)?;
            return Ok(r#"{"text": "ready"}"#.to_owned());
        }
        let replies = script["replies"].as_array();
        let at = turn.fetch_add(1, Ordering::Relaxed);
        let reply = replies.map_or(&script["reply"], |all| &all[at.min(all.len() - 1)]);
        Ok(wrapped(reply).to_string())
    })
}

/// What the typed languages make of a plain text or a plain list.
fn wrapped(reply: &Value) -> Value {
    match reply {
        Value::String(text) => json!({ "text": text }),
        Value::Array(vectors) => json!({ "vectors": vectors }),
        other => other.clone(),
    }
}

#[test]
fn every_case_goes_as_written() {
    let cases = cases();
    let failed: Vec<String> =
        cases.iter().filter_map(|c| Some((c, run(c, &mut Rust::default()).err()?))).map(told).collect();
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), cases.len(), failed.join("\n"));
    assert!(cases.len() >= 80, "only {} cases", cases.len());
}

fn told((case, error): (&Case, String)) -> String {
    format!("{}: {error}", case.name)
}

/// Every value of `key` anywhere in the cases.
fn all_of(key: &str) -> BTreeSet<String> {
    fn walk(value: &Value, key: &str, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(k, v)| {
                found.extend(v.as_str().filter(|_| k == key).map(str::to_owned));
                walk(v, key, found);
            }),
            Value::Array(list) => list.iter().for_each(|v| walk(v, key, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    cases().iter().for_each(|case| walk(&Value::Object(case.body.clone()), key, &mut found));
    found
}

#[test]
fn they_cover_every_verb() {
    let called = all_of("call");
    let missing: Vec<&&str> = wire::VERBS.iter().filter(|v| !called.contains(**v)).collect();
    assert!(missing.is_empty(), "no case calls {missing:?}");
}

#[test]
fn they_cover_every_kind_of_error() {
    let failed = all_of("kind");
    // A fork is not to be had in every language: those that can have a test of their own.
    let missing: Vec<&str> =
        ErrorKind::ALL.iter().map(|k| k.name()).filter(|k| *k != "Forked" && !failed.contains(*k)).collect();
    assert!(missing.is_empty(), "no case fails with {missing:?}");
}

#[test]
fn a_case_that_does_not_go_as_written_fails() {
    let case = |steps: Value| Case {
        name: "x".into(),
        body: json!({"name": "x", "steps": steps}).as_object().unwrap().clone(),
    };
    for steps in [
        json!([{"call": "status", "gives": {"sessions": 1}}]),
        json!([{"call": "status", "gives": {"nodes": {"total": {"$absent": true}}}}]),
        json!([{"call": "status", "gives": {"warnings": {"$length": 1}}}]),
        json!([{"call": "status", "gives": {"home": {"$type": "number"}}}]),
        json!([{"call": "status", "gives": {"home": {"$contains": "never there"}}}]),
        json!([{"call": "status", "gives": {"home": {"$like": "x"}}}]),
        json!([{"call": "status", "fails": {"kind": "Io"}}]),
        json!([{"call": "dream", "fails": {"kind": "Io"}}]),
        json!([{"dance": true}]),
    ] {
        let outcome = run(&case(steps.clone()), &mut Rust::default());
        assert!(outcome.is_err(), "{steps}");
    }
}
