//! Real shell scripts, really run (specification, "Real child_process.exec with small bash test scripts"): their results,
//! told as a harness tells them, become the right events.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::place::Place;
use engram_tests::run::Ended;
use engram_tests::{repository, run};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const SESSION: &str = "s";

fn script(name: &str) -> PathBuf {
    repository().join("tests/scripts").join(name)
}

/// A harness in miniature: it runs commands and tells engram.
struct Harness {
    place: Place,
    calls: usize,
}

impl Harness {
    fn new() -> Harness {
        let harness = Harness { place: Place::new(), calls: 0 };
        harness.send(
            &json!({"event": "session_start", "session": SESSION, "cwd": harness.place.project, "source": "startup"}),
        );
        harness.prompt("Make the tests pass");
        harness
    }

    fn send(&self, payload: &Value) -> Ended {
        let ended = self.place.hook("generic", payload);
        assert!(ended.breach().is_none() && ended.acknowledged(), "{payload}: {ended:?}");
        ended
    }

    fn prompt(&self, text: &str) {
        self.send(&json!({"event": "prompt", "session": SESSION, "cwd": self.place.project, "text": text}));
    }

    fn tool(&mut self, tool: &str, input: &Value, output: &Value, exit_code: Option<i32>) -> Value {
        self.calls += 1;
        let id = format!("call-{}", self.calls);
        self.send(
            &json!({"event": "tool_call", "session": SESSION, "cwd": self.place.project, "tool": tool, "input": input,
            "output": output, "exitCode": exit_code, "toolUseId": id}),
        );
        let log = self.place.log(SESSION);
        log.events.iter().find(|e| e["toolUseId"] == id).unwrap().clone()
    }

    /// Runs a script in the project, tells its result, and gives the event that became of it.
    fn runs(&mut self, name: &str, arguments: &[&str]) -> Value {
        let output = Command::new(script(name)).args(arguments).current_dir(&self.place.project).output().unwrap();
        let command =
            [&["./scripts/".to_owned() + name], &arguments.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>()[..]]
                .concat();
        let told = json!({"stdout": String::from_utf8(output.stdout).unwrap(), "stderr": String::from_utf8(output.stderr).unwrap()});
        self.tool("bash", &json!({"command": command.join(" ")}), &told, output.status.code())
    }

    fn reads(&mut self, path: &str) -> Value {
        self.tool("read", &json!({"path": path}), &json!({"content": "fn main() {}\n"}), None)
    }

    fn edits(&mut self, path: &str, line: u32) -> Value {
        let input = json!({"file_path": self.place.project.join(path), "old_string": "old", "new_string": "new"});
        let hunk = json!({"oldStart": line, "oldLines": 1, "newStart": line, "newLines": 1, "lines": ["-old", "+new"]});
        self.tool("edit", &input, &json!({"structuredPatch": [hunk]}), None)
    }
}

fn derived(event: &Value) -> Vec<&str> {
    event["derived"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn a_passing_script_is_a_passed_test_run() {
    let event = Harness::new().runs("test-exit-0.sh", &[]);
    assert_eq!(
        (&event["type"], &event["exitCode"], &event["exitCodeSource"]),
        (&json!("test_run"), &json!(0), &json!("reported"))
    );
    assert_eq!((&event["passed"], &event["failed"]), (&json!(4), &json!(0)), "{event}");
    assert!(event["command"].as_str().unwrap().contains("test-exit-0.sh"));
}

#[test]
fn a_failing_script_is_a_failed_test_run_with_names() {
    let event = Harness::new().runs("test-exit-1.sh", &[]);
    assert_eq!((&event["type"], &event["exitCode"]), (&json!("test_run"), &json!(1)), "{event}");
    assert_eq!((&event["passed"], &event["failed"]), (&json!(3), &json!(1)));
    assert_eq!(event["failingTests"], json!(["parser::tests::empty_input"]));
}

#[test]
fn a_stateful_script_fails_and_then_passes() {
    let mut harness = Harness::new();
    let state = harness.place.root().join("state");
    let codes: Vec<Value> =
        (0..3).map(|_| harness.runs("test-stateful.sh", &[state.to_str().unwrap()])["exitCode"].clone()).collect();
    assert_eq!(codes, [json!(1), json!(0), json!(0)]);
    let log = harness.place.log(SESSION);
    let runs = log.of_type("test_run");
    assert_eq!(runs.len(), 3, "{:?}", log.types());
    assert_eq!((&runs[0]["failed"], &runs[1]["passed"]), (&json!(1), &json!(1)));
}

#[test]
fn a_slow_script_that_is_cut_off_is_recorded_as_failed() {
    let mut harness = Harness::new();
    let started = Instant::now();
    // The harness's own time limit: `timeout` answers 124.
    let output = Command::new("timeout").arg("0.3").arg(script("test-slow.sh")).arg("20").output().unwrap();
    assert!(started.elapsed() < Duration::from_secs(10) && output.status.code() == Some(124));
    let event = harness.tool(
        "bash",
        &json!({"command": "scripts/test-slow.sh 20"}),
        &json!({"stdout": "", "interrupted": true}),
        Some(124),
    );
    assert_eq!(event["exitCode"], json!(124), "{event}");
    let finished = harness.runs("test-slow.sh", &["0"]);
    assert_eq!(finished["exitCode"], json!(0), "{finished}");
}

#[test]
fn a_read_of_a_new_file_is_exploration_and_a_second_is_not() {
    let mut harness = Harness::new();
    assert_eq!(derived(&harness.reads("src/a.rs")), ["exploration"]);
    assert_eq!(derived(&harness.reads("src/a.rs")), Vec::<&str>::new());
}

#[test]
fn a_write_after_a_failed_test_is_a_fix_attempt() {
    let mut harness = Harness::new();
    harness.reads("src/a.rs");
    let first = harness.edits("src/a.rs", 3);
    assert!(!derived(&first).contains(&"fix_attempt"), "nothing failed yet: {first}");
    harness.runs("test-exit-1.sh", &[]);
    harness.reads("src/a.rs");
    let fix = harness.edits("src/a.rs", 3);
    assert!(derived(&fix).contains(&"fix_attempt"), "{fix}");
}

#[test]
fn a_new_file_after_a_passing_test_is_progression() {
    let mut harness = Harness::new();
    harness.runs("test-exit-0.sh", &[]);
    let input = json!({"path": harness.place.project.join("src/new.rs"), "content": "fn f() {}\n"});
    let event = harness.tool("write", &input, &json!("ok"), None);
    assert!(derived(&event).contains(&"progression"), "{event}");
}

#[test]
fn the_third_write_to_the_same_lines_is_a_repeated_revision() {
    let mut harness = Harness::new();
    let tags: Vec<bool> =
        (0..3).map(|_| derived(&harness.edits("src/a.rs", 7)).contains(&"repeated_revision")).collect();
    assert_eq!(tags, [false, false, true]);
}

#[test]
fn reads_that_move_far_out_are_an_expanding_search() {
    let mut harness = Harness::new();
    let near = ["src/a.rs", "src/b.rs"].map(|p| harness.reads(p));
    assert!(near.iter().all(|e| !derived(e).contains(&"expanding_search")), "{near:?}");
    let far = harness.reads("vendor/deep/down/below/x.rs");
    assert!(derived(&far).contains(&"expanding_search"), "{far}");
}

#[test]
fn a_talk_without_tools_is_remembered_too() {
    let harness = Harness::new();
    harness.prompt("Should we use tabs or spaces?");
    harness.send(&json!({"event": "stop", "session": SESSION, "cwd": harness.place.project,
        "text": "We decided to use tabs for indentation instead of spaces because they let everyone choose the width."}));
    let log = harness.place.log(SESSION);
    let turn = log.of_type("turn_complete");
    assert_eq!((turn.len(), &turn[0]["toolCalls"]), (1, &json!(0)), "{:?}", log.types());
    let report = harness.place.json(&["consolidate"]);
    assert_eq!(report["episodes"].as_array().unwrap().len(), 1, "{report}");
    let recall = harness.place.json(&["query", "tabs or spaces?"]);
    assert!(recall["items"].to_string().contains("tabs"), "{recall}");
}

#[test]
fn engram_hook_itself_runs_from_a_shell() {
    let place = Place::new();
    let payload = engram_tests::payload::read("generic", &place.project, SESSION, "from-shell");
    std::fs::write(place.root().join("payload"), payload.to_string()).unwrap();
    let mut shell = place.command(std::path::Path::new("/bin/sh"));
    let line = "cat ../payload | \"$0\" generic && echo after";
    let ended = run::run(shell.args(["-c", line]).arg(engram_tests::program::hook()), b"");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "after\n"));
    assert_eq!(place.log(SESSION).count("from-shell"), 1);
}
