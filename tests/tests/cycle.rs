//! The full cycle from outside (specification, "Full cycle end-to-end"): a session is captured and consolidated, the next
//! one is told what it should know and warned of what it should not do; and what the command line says about it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::place::Place;
use engram_tests::program;
use engram_tests::recorded::{self, DISCOUNT, FIX, Told};
use engram_tests::run::run;
use engram_tests::tree::tree;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Words of the decision that session 1 states.
const DECISION: &str = "integer cents";

/// A git repository in which session 1 has happened.
fn after_the_fix() -> Place {
    let place = Place::new();
    recorded::set_up_project(&place);
    place.commit_all();
    let told = recorded::replay(FIX, &place);
    assert!(told.iter().all(|t| !t.context.contains("engram warning:")), "nothing contradicts anything yet: {told:?}");
    place
}

/// The same, consolidated.
fn with_memory() -> Place {
    let place = after_the_fix();
    let report = place.json(&["consolidate"]);
    assert_eq!(report["pending"], json!([]), "{report}");
    assert_eq!(report["episodes"].as_array().map(Vec::len), Some(1), "{report}");
    place
}

/// What was told at the events of a tool that touched a file: `Read`, `Edit`.
fn at_tool<'a>(told: &'a [Told], tool: &str) -> Vec<&'a Told> {
    told.iter().filter(|t| t.payload["tool_name"] == tool).collect()
}

fn warns(told: &Told) -> bool {
    told.context.lines().any(|line| line.starts_with("engram warning:"))
}

#[test]
fn the_next_session_knows_the_decision_before_it_acts() {
    let place = with_memory();
    let told = recorded::replay(DISCOUNT, &place);
    let first_edit = told.iter().position(|t| t.payload["tool_name"] == "Edit").unwrap();
    let before: Vec<&Told> = told[..first_edit].iter().filter(|t| !t.context.is_empty()).collect();
    assert!(before.iter().any(|t| t.context.contains(DECISION)), "the decision is not told: {before:#?}");
    for t in before {
        assert!(t.context.starts_with("engram memory"), "{}", t.context);
        assert!(!warns(t), "recalled notes carry no warning: {}", t.context);
    }
}

#[test]
fn only_the_contradicting_change_is_warned_about_and_at_once() {
    let place = with_memory();
    let told = recorded::replay(DISCOUNT, &place);
    let edits = at_tool(&told, "Edit");
    assert_eq!(edits.len(), 2);
    assert!(warns(edits[0]), "the float is not warned about: {:#?}", edits[0]);
    assert!(edits[0].context.contains("cents"), "the warning names the decision: {}", edits[0].context);
    assert!(!warns(edits[1]), "going back to cents is warned about: {}", edits[1].context);
    assert_eq!(told.iter().filter(|t| warns(t)).count(), 1, "told once");
}

#[test]
fn nothing_is_told_without_a_first_session() {
    let place = Place::new();
    recorded::set_up_project(&place);
    let told = recorded::replay(DISCOUNT, &place);
    assert!(told.iter().all(|t| t.context.is_empty()), "{told:#?}");
}

#[test]
fn nothing_is_told_twice_in_a_session() {
    let place = with_memory();
    let told = recorded::replay(DISCOUNT, &place);
    let notes = told.iter().flat_map(|t| t.context.lines()).filter(|line| line.starts_with("- "));
    let mut seen = std::collections::BTreeSet::new();
    for note in notes {
        assert!(seen.insert(note.to_owned()), "twice: {note}");
    }
    assert!(!seen.is_empty());
}

#[test]
fn after_a_compaction_notes_may_be_told_again() {
    let place = with_memory();
    let mut start = recorded::payloads(DISCOUNT, &place).remove(0);
    let text = |ended: engram_tests::run::Ended| ended.stdout;
    let first = text(place.hook("claude-code", &start));
    assert!(first.contains("engram memory"));
    start["source"] = json!("resume");
    assert_eq!(text(place.hook("claude-code", &start)), "", "a resumed session knows it already");
    start["source"] = json!("compact");
    assert_eq!(text(place.hook("claude-code", &start)), first);
}

#[test]
fn another_project_is_told_nothing() {
    let place = with_memory();
    let elsewhere = place.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    for mut payload in recorded::payloads(DISCOUNT, &place) {
        payload["cwd"] = json!(elsewhere);
        let ended = place.hook("claude-code", &payload);
        assert!(ended.acknowledged() && ended.stdout.is_empty(), "{ended:?}");
    }
    assert_eq!(place.json(&["query", "cents", "--project", elsewhere.to_str().unwrap()])["items"], json!([]));
    let all = place.json(&["query", "cents", "--scope", "all", "--project", elsewhere.to_str().unwrap()]);
    assert!(!all["items"].as_array().unwrap().is_empty(), "unless it asks for all");
}

#[test]
fn a_subfolder_and_a_worktree_share_the_memory() {
    let place = with_memory();
    let sub = place.project.join("src");
    std::fs::create_dir_all(&sub).unwrap();
    let tree = place.root().join("worktree");
    place.git(&["worktree", "add", "--quiet", "--detach", tree.to_str().unwrap()]);
    for dir in [sub, tree] {
        let found = place.json(&["query", "cents", "--project", dir.to_str().unwrap()]);
        assert!(!found["items"].as_array().unwrap().is_empty(), "{}", dir.display());
    }
}

#[test]
fn the_events_are_those_of_the_session() {
    let place = after_the_fix();
    let events = place.json(&["events", "--session", "9c21"]);
    let types: Vec<&str> = events.as_array().unwrap().iter().map(|e| e["type"].as_str().unwrap()).collect();
    let expected =
        ["session_start", "prompt", "file_read", "test_run", "file_write", "test_run", "turn_complete", "session_end"];
    assert_eq!(types, expected);
    let event = |n: usize| &events[n];
    assert_eq!((&event(2)["path"], &event(2)["derived"]), (&json!("invoice.py"), &json!(["exploration"])));
    assert_eq!((&event(3)["exitCode"], &event(3)["failed"]), (&json!(1), &json!(1)));
    assert_eq!(event(3)["failingTests"], json!(["test_three_dimes_are_thirty_cents"]));
    assert!(event(4)["diff"].as_str().unwrap().starts_with("@@") && event(4)["evidence"].as_str().is_some());
    assert_eq!(event(5)["failed"], json!(0));
    assert_eq!((&event(6)["toolCalls"], &event(6)["turn"]), (&json!(4), &json!(1)));
    for n in 0..expected.len() {
        let ts = event(n)["ts"].as_str().unwrap();
        assert!(event(n)["v"] == 1 && ts.ends_with('Z') && ts.len() == 24, "{}", event(n));
    }
}

/// Fails if `value` lacks one of `fields`.
fn assert_has(value: &Value, fields: &[&str]) {
    let missing: Vec<&&str> = fields.iter().filter(|f| value.get(**f).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?} missing in {value}");
}

#[test]
fn status_says_what_is_remembered_and_pending() {
    let place = after_the_fix();
    let before = place.json(&["status"]);
    let fields = [
        "project",
        "home",
        "sessions",
        "pending",
        "nodes",
        "edges",
        "episodes",
        "dbBytes",
        "embedder",
        "llm",
        "tokensToday",
        "warnings",
    ];
    assert_has(&before, &fields);
    assert_eq!((&before["pending"], &before["nodes"]["total"]), (&json!(1), &json!(0)));
    place.json(&["consolidate"]);
    let after = place.json(&["status"]);
    assert_has(&after, &fields);
    assert_has(&after["nodes"], &["total", "byType", "byTrust"]);
    assert!(after["pending"] == json!(0) && after["nodes"]["byType"]["decision"].as_u64() >= Some(1), "{after}");
    assert!(after["lastConsolidation"].is_string() && after["dbBytes"].as_u64() > Some(0), "{after}");
}

#[test]
fn query_answers_in_the_documented_form() {
    let place = with_memory();
    let recall = place.json(&["query", "how do we keep amounts?", "--limit", "3"]);
    assert_has(&recall, &["items", "text", "tokens", "dropped", "elapsedMicros"]);
    let items = recall["items"].as_array().unwrap();
    assert!((1..=3).contains(&items.len()), "{recall}");
    for item in items {
        assert_has(
            item,
            &[
                "id",
                "name",
                "type",
                "trust",
                "tier",
                "activation",
                "strength",
                "text",
                "framing",
                "files",
                "episode",
                "session",
                "learned",
                "via",
            ],
        );
        assert!(["high", "medium", "low"].contains(&item["tier"].as_str().unwrap()));
    }
    assert!(recall.to_string().contains(DECISION), "{recall}");
    let nothing = place.json(&["query", "zebra crossing regulations"]);
    assert_eq!((&nothing["items"], &nothing["scope"]), (&json!([]), &json!("project")));
}

#[test]
fn check_judges_a_change_by_what_was_decided() {
    let place = Place::new();
    std::fs::write(place.project.join("invoice.py"), "def total(lines):\n    return 0\n").unwrap();
    let said = place.json(&["remember", "Amounts are integers in cents, never floats", "--files", "invoice.py"]);
    let id = said["id"].as_str().unwrap();
    let check = |diff: &str, more: &[&str]| {
        let arguments = [&["check", "--file", "invoice.py", "--diff", "-", "--json"], more].concat();
        let ended = run(place.command(&program::engram()).args(arguments), diff.as_bytes());
        (ended.code, serde_json::from_str::<Value>(&ended.stdout).unwrap())
    };
    let bad = "@@ -1,2 +1,2 @@\n def total(lines):\n-    return 0\n+    return float(total_price) * 1.19\n";
    let (code, verdict) = check(bad, &[]);
    assert_has(
        &verdict,
        &["verdict", "severity", "decisions", "explanation", "recommendation", "checkedBy", "elapsedMicros"],
    );
    assert_eq!(
        (code, &verdict["verdict"], &verdict["decisions"]),
        (Some(0), &json!("DIRECT_CONTRADICTION"), &json!([id]))
    );
    assert_eq!(check(bad, &["--exit-code"]).0, Some(3));
    let good = "@@ -1,2 +1,2 @@\n def total(lines):\n-    return 0\n+    return sum(cents for cents in lines)\n";
    let (code, verdict) = check(good, &["--exit-code"]);
    assert_eq!((code, &verdict["verdict"]), (Some(0), &json!("NO_CONTRADICTION")), "{verdict}");
}

#[test]
fn the_users_later_word_takes_the_place_of_the_earlier() {
    let place = Place::new();
    let first = place.json(&["remember", "Use tabs for indentation"]);
    assert_eq!((&first["isNew"], &first["superseded"]), (&json!(true), &json!(0)));
    let second = place.json(&["remember", "Use spaces for indentation"]);
    assert_eq!(second["superseded"], json!(1), "{second}");
    let recall = place.json(&["query", "indentation"]);
    let texts = recall["items"].to_string();
    assert!(texts.contains("spaces for") && !texts.contains("tabs for"), "{texts}");
    assert_eq!(place.json(&["remember", "Use spaces for indentation"])["isNew"], json!(false));
}

#[test]
fn what_is_forgotten_is_named_and_answers_no_question_any_more() {
    let place = Place::new();
    place.json(&["remember", "Amounts are integers in cents, never floats"]);
    let id = place.json(&["remember", "The staging token is -zebra-4711"])["id"].clone();
    let named = json!([{"id": id, "name": "The staging token is -zebra-4711"}]);
    let dry = place.json(&["forget", "--text", "-ZEBRA-4711", "--dry-run"]);
    assert_eq!(dry, json!({"forgotten": named, "dryRun": true}));
    let line = place.engram(&["forget", "--text", "-zebra-4711", "--yes"]);
    assert_eq!(line.code, Some(0), "{line:?}");
    assert!(line.stdout.contains(id.as_str().unwrap()) && line.stderr.is_empty(), "{line:?}");
    let again = place.engram(&["forget", id.as_str().unwrap()]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(1), ""), "{again:?}");
    assert!(!place.json(&["query", "staging token"])["items"].to_string().contains("zebra"));
    assert_eq!(place.json(&["status"])["nodes"]["total"], json!(1));
    for usage in [&["forget"][..], &["forget", "a", "--text", "b"], &["forget", "a", "--purge"]] {
        assert_eq!(place.engram(usage).code, Some(2), "{usage:?}");
    }
}

#[test]
fn notes_are_imported_once_and_recalled_by_file() {
    let place = Place::new();
    let notes = place.root().join("notes.jsonl");
    let lines = [
        json!({"id": "n1", "name": "Parser", "text": "The parser keeps comments for the formatter", "type": "finding", "files": ["src/a.rs"], "time": "2026-01-02T03:04:05Z", "session": "old"}),
        json!({"id": "n2", "text": "The formatter never reorders imports", "type": "decision", "links": [{"to": "n1", "type": "requires"}]}),
    ];
    std::fs::write(&notes, lines.each_ref().map(ToString::to_string).join("\n")).unwrap();
    let arguments = ["import", "--format", "notes", notes.to_str().unwrap()];
    let first = place.json(&arguments);
    assert_eq!((&first["created"], &first["edges"]), (&json!(2), &json!(1)), "{first}");
    assert_eq!(place.json(&arguments)["created"], json!(0), "the same file again");
    let recall = place.json(&["query", "comments in the parser"]);
    assert_eq!(
        (&recall["items"][0]["id"], &recall["items"][0]["files"]),
        (&json!("n1"), &json!(["src/a.rs"])),
        "{recall}"
    );

    std::fs::write(&notes, format!("{}\n{{\"id\":\"n3\"}}\n", lines[0])).unwrap();
    let refused = place.engram(&arguments);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.starts_with("error:") && refused.stderr.contains("line 2"), "{}", refused.stderr);
}

#[test]
fn wrong_usage_is_said_in_one_line() {
    let place = Place::new();
    for (arguments, code) in [
        (&["query", ""][..], 2),
        (&["remember", "  "], 2),
        (&["forget", "--text", " "], 2),
        (&["forget", "--text", "anything at all"], 1),
        (&["forget", "n_nothing", "--json"], 1),
        (&["remember", "x", "--type", "wish"], 2),
        (&["status", "--project", ""], 2),
        (&["status", "--project", "/nowhere/at/all"], 2),
        (&["events", "--session", "zzz"], 1),
        (&["import", "--format", "notes", "/nowhere.jsonl"], 1),
    ] {
        let ended = place.engram(arguments);
        assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:?}");
        // What the command line itself refuses comes with a hint below.
        let lines = if arguments.contains(&"") && code == 2 && arguments[0] == "status" { 3 } else { 1 };
        assert!(
            ended.stderr.starts_with("error:") && ended.stderr.lines().count() == lines,
            "{arguments:?}: {}",
            ended.stderr
        );
    }
    assert!(!place.home.join("projects").exists(), "nothing was made of any of it");
}

#[test]
fn the_project_is_left_as_it_was() {
    let place = Place::new();
    recorded::set_up_project(&place);
    place.commit_all();
    let before = tree(&place.project, &place.project.join(".git"));
    recorded::replay(FIX, &place);
    place.json(&["consolidate"]);
    recorded::replay(DISCOUNT, &place);
    place.json(&["status"]);
    assert_eq!(tree(&place.project, &place.project.join(".git")), before);
    assert_eq!(place.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_is_stored_is_for_the_user_alone() {
    let place = Place::new();
    recorded::set_up_project(&place);
    let permissive = |arguments: &[&str], input: &str| {
        let mut shell = place.command(Path::new("/bin/sh"));
        let ended = run(
            shell.args(["-c", "umask 0; exec \"$0\" \"$@\""]).arg(program::engram()).args(arguments),
            input.as_bytes(),
        );
        assert_eq!(ended.code, Some(0), "{ended:?}");
    };
    for payload in recorded::payloads(FIX, &place) {
        permissive(&["hook", "claude-code"], &payload.to_string());
    }
    permissive(&["hook", "claude-code"], "not json");
    permissive(&["consolidate"], "");
    permissive(&["remember", "Use tabs"], "");
    let stored = tree(&place.home, Path::new(""));
    assert!(stored.len() > 8 && stored.keys().any(|p| p.ends_with("engram.db")), "{stored:?}");
    for (path, (mode, _)) in stored {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode & 0o777, wanted, "{}", path.display());
    }
    assert_eq!(place.home.metadata().unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn capture_can_be_switched_off() {
    let place = with_memory();
    std::fs::write(place.home.join("config.json"), r#"{"capture": false}"#).unwrap();
    let before = tree(&place.data().join("events"), Path::new(""));
    let told = recorded::replay(DISCOUNT, &place);
    assert!(told.iter().any(|t| t.context.contains("engram memory")), "recall goes on");
    let log = place.log(told[0].payload["session_id"].as_str().unwrap());
    assert_eq!(log.events.iter().filter(|e| e["type"] != "injected").count(), 0, "{:?}", log.types());
    let after = tree(&place.data().join("events"), Path::new(""));
    assert!(before.iter().all(|(path, entry)| after.get(path) == Some(entry)));
}
