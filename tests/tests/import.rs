//! Real recorded sessions become memory, and the same sessions again change nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

use engram_tests::event_log::EventLog;
use engram_tests::graph_table::GraphTable;
use engram_tests::place::Place;
use engram_tests::{shared, skip};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folders(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

/// How many events of each type the logs of a place hold.
fn events(place: &Place) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for file in std::fs::read_dir(place.data().join("events")).unwrap() {
        let log = EventLog::read(&file.unwrap().path());
        assert_eq!(log.broken, Vec::<String>::new());
        for event in log.types() {
            *counts.entry(event.to_owned()).or_default() += 1;
        }
    }
    counts
}

fn sum(report: &Value, field: &str) -> u64 {
    report["sessions"].as_array().unwrap().iter().filter_map(|s| s[field].as_u64()).sum()
}

fn print(name: &str, place: &Place, counts: &BTreeMap<String, usize>, graph: &GraphTable) {
    let events: Vec<String> = counts.iter().map(|(event, n)| format!("{event} {n}")).collect();
    println!("{name}: {}", events.join(", "));
    println!(
        "{name}: {} episodes, {} edges, nodes: {}",
        graph.episodes.len(),
        graph.edges.len(),
        GraphTable::by_type(&place.data())
    );
}

/// Imports one project's sessions twice; gives how many there were.
fn import(name: &str, folder: &Path) -> usize {
    let place = Place::new();
    let arguments = ["import", "--from", "claude-code", folder.to_str().unwrap()];
    let dry = place.engram(&[&arguments[..], &["--dry-run"]].concat());
    assert!(dry.code == Some(0) && dry.stdout.contains("would be imported"), "{dry:?}");
    assert!(!place.home.join("projects").exists(), "a dry run stores nothing");

    let first = place.json(&arguments);
    let (counts, graph) = (events(&place), GraphTable::read(&place.data()));
    print(name, &place, &counts, &graph);
    let sessions = first["sessions"].as_array().unwrap().len();
    assert_eq!(sum(&first, "events"), counts.values().sum::<usize>() as u64);
    assert_eq!(first["consolidated"]["pending"], json!([]));
    for event in ["prompt", "file_read", "file_write", "test_run", "command", "turn_complete"] {
        assert!(counts.contains_key(event), "{name} has no {event}: {counts:?}");
    }
    let types = GraphTable::by_type(&place.data());
    assert!(["decision", "episode"].iter().all(|t| types.contains(t)), "{name}: {types}");
    assert!(graph.episodes.len() >= sessions, "{name}: every session is worth an episode");

    let second = place.json(&arguments);
    assert_eq!((sum(&second, "events"), &second["consolidated"]["created"]), (0, &json!(0)), "{name}");
    assert_eq!(events(&place), counts, "{name}");
    assert_eq!(GraphTable::read(&place.data()), graph, "{name}: the second time changes nothing");

    let elsewhere = Place::new();
    elsewhere.json(&arguments);
    assert_eq!(
        GraphTable::read(&elsewhere.data()).difference(&graph),
        None,
        "{name}: the same sessions make the same graph"
    );
    sessions
}

#[test]
fn recorded_claude_code_sessions_are_imported_once() {
    let Some(dir) = shared("transcripts/claude-code") else {
        return skip("recorded_claude_code_sessions_are_imported_once: no ../shared/transcripts");
    };
    let sessions = std::thread::scope(|scope| {
        let projects = folders(&dir)
            .into_iter()
            .map(|folder| scope.spawn(move || import(&folder.file_name().unwrap().to_string_lossy(), &folder)));
        projects.collect::<Vec<_>>().into_iter().map(|project| project.join().unwrap()).sum::<usize>()
    });
    assert_eq!(sessions, 16);
}

#[test]
fn a_transcript_with_damaged_lines_is_imported_without_them() {
    let place = Place::new();
    let path = place.root().join("session.jsonl");
    let line = |value: Value| value.to_string();
    let common = |uuid: &str, kind: &str, message: Value| {
        line(
            json!({"type": kind, "uuid": uuid, "parentUuid": null, "sessionId": "0a1b2c3d-0000-4000-8000-000000000001", "cwd": "/home/dev/x",
            "timestamp": "2026-02-03T04:05:06.000Z", "version": "2.1.0", "message": message}),
        )
    };
    let lines = [
        common("1", "user", json!({"role": "user", "content": "Please fix the parser"})),
        "{\"type\":\"assistant\",\"mess".to_owned(),
        "\u{0}\u{0}".to_owned(),
        common(
            "2",
            "assistant",
            json!({"role": "assistant", "content": [{"type": "text", "text": "We decided to use a hand-written parser instead of a generator because errors read better."}]}),
        ),
    ];
    std::fs::write(&path, lines.join("\n")).unwrap();
    let report = place.json(&["import", "--from", "claude-code", path.to_str().unwrap()]);
    assert_eq!(report["sessions"][0]["skippedLines"], json!(2), "{report}");
    assert!(events(&place).contains_key("prompt"), "{:?}", events(&place));

    std::fs::write(&path, b"\xff\xfe not a transcript").unwrap();
    let other = place.engram(&["import", "--from", "claude-code", path.to_str().unwrap()]);
    assert_eq!(other.signal, None, "{other:?}");
}
