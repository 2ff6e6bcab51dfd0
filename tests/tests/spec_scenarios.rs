//! The test scenarios of the specification, from outside. Where another file holds one down, the table says which.
//!
//! | scenario of the specification | held by |
//! | --- | --- |
//! | event capture: tool call -> event type | shell_scripts, cycle `the_events_are_those_of_the_session`, engram-core capture |
//! | derived events | shell_scripts (all five patterns) |
//! | turn-complete events of pure discussion | shell_scripts `a_talk_without_tools_is_remembered_too` |
//! | minimum threshold | here `a_word_of_thanks_is_no_episode`; engram-core consolidate |
//! | pass 1 window overlap | here `an_event_at_a_boundary_is_in_one_episode` (offline there are no windows); the model path has its own |
//! | pass 2 episode format | here `an_episode_has_its_parts` |
//! | entity resolution, three scenarios | engram-core/tests/resolution.rs |
//! | strength computation, decay | here `strength_follows_the_formula`, `only_sessions_without_it_weaken_a_memory`; engram-core graph::strength |
//! | supersession | here `a_superseded_memory_is_kept_and_not_recalled` |
//! | supersession recovery | here `a_superseded_memory_can_hold_again` |
//! | activation: decay per hop, tiers | here `activation_decays_by_hop_and_makes_tiers` |
//! | activation: superseded nodes are skipped | here `a_superseded_memory_does_not_conduct` |
//! | involuntary retrieval, first and second read | here `the_first_read_of_a_file_is_annotated_and_the_second_is_not` |
//! | contradictions: direct, passing | cycle `check_judges_a_change_by_what_was_decided`, `only_the_contradicting_change_...` |
//! | contradictions: indirect | engram-core contradict (cases and measured pairs) |
//! | 3 consecutive model failures disable the checker | engram-core contradict::breaker |
//! | crash recovery | exactly_once, log_crash; here `the_next_start_takes_up_what_a_crash_left` |
//! | full cycle end-to-end | cycle, real_client |

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::payload::{event, read};
use engram_tests::place::Place;
use engram_tests::recorded::{self, FIX};
use engram_tests::run::{WATCHDOG, finish, start};
use engram_tests::{process, skip};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::io::Write;

/// Imports notes into a new place.
fn with_notes(notes: &[Value]) -> Place {
    let place = Place::new();
    let path = place.root().join("notes.jsonl");
    std::fs::write(&path, notes.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")).unwrap();
    let report = place.json(&["import", "--format", "notes", path.to_str().unwrap()]);
    assert_eq!(report["created"], json!(notes.len()), "{report}");
    place
}

/// One cell of the database.
fn cell(place: &Place, query: &str) -> String {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = Connection::open_with_flags(place.data().join("engram.db"), flags).unwrap();
    db.query_row(query, [], |row| row.get::<_, rusqlite::types::Value>(0)).map_or("none".to_owned(), |v| match v {
        rusqlite::types::Value::Real(n) => format!("{n:.3}"),
        rusqlite::types::Value::Integer(n) => n.to_string(),
        rusqlite::types::Value::Text(t) => t,
        other => format!("{other:?}"),
    })
}

fn items(recall: &Value) -> Vec<(&str, f64, &str)> {
    let all = recall["items"].as_array().unwrap().iter();
    all.map(|i| (i["id"].as_str().unwrap(), i["activation"].as_f64().unwrap(), i["tier"].as_str().unwrap())).collect()
}

/// A chain of four notes, the first about a file.
fn chain() -> Vec<Value> {
    let note = |id: &str, text: &str, to: &[&str]| {
        let links: Vec<Value> = to.iter().map(|to| json!({"to": to, "type": "requires"})).collect();
        json!({"id": id, "text": text, "type": "finding", "links": links})
    };
    let mut first = note("n1", "Lexing happens lazily", &["n2"]);
    first["files"] = json!(["src/a.rs"]);
    vec![
        first,
        note("n2", "Buffers are pooled", &["n3"]),
        note("n3", "Pools shrink at night", &["n4"]),
        note("n4", "Night begins at ten", &[]),
    ]
}

#[test]
fn activation_decays_by_hop_and_makes_tiers() {
    let place = with_notes(&chain());
    let recall = place.json(&["query", "src/a.rs"]);
    let found = items(&recall);
    let expected = [("n1", 1.0, "high"), ("n2", 0.6, "medium"), ("n3", 0.36, "medium"), ("n4", 0.216, "low")];
    assert_eq!(found.len(), expected.len(), "{recall}");
    for (got, wanted) in found.iter().zip(expected) {
        assert!((got.1 - wanted.1).abs() < 1e-6 && (got.0, got.2) == (wanted.0, wanted.2), "{got:?}, not {wanted:?}");
    }
}

#[test]
fn a_superseded_memory_is_kept_and_not_recalled() {
    let place = Place::new();
    let old = place.json(&["remember", "Use tabs for indentation"])["id"].as_str().unwrap().to_owned();
    assert!(place.json(&["query", "indentation"]).to_string().contains(&old), "recalled while it holds");
    let new = place.json(&["remember", "Use spaces for indentation"])["id"].as_str().unwrap().to_owned();

    let of_old = |column: &str| cell(&place, &format!("SELECT {column} FROM nodes WHERE id = '{old}'"));
    assert_eq!(
        (of_old("status"), of_old("strength"), of_old("superseded_by")),
        ("superseded".into(), "0.000".into(), new.clone())
    );
    assert_ne!(of_old("supersede_reason"), "none");
    let edge = format!("SELECT type FROM edges WHERE from_node = '{new}' AND to_node = '{old}'");
    assert_eq!(cell(&place, &edge), "supersedes");
    let recall = place.json(&["query", "indentation"]);
    assert!(recall.to_string().contains(&new) && items(&recall).iter().all(|(id, ..)| *id != old), "{recall}");
}

#[test]
fn a_superseded_memory_can_hold_again() {
    let place = Place::new();
    for text in ["Use tabs for indentation", "Use spaces for indentation", "Use tabs for indentation"] {
        place.json(&["remember", text]);
    }
    let recall = place.json(&["query", "indentation"]);
    let texts: Vec<&str> = recall["items"].as_array().unwrap().iter().filter_map(|i| i["text"].as_str()).collect();
    assert!(texts.iter().any(|t| t.contains("tabs")) && texts.iter().all(|t| !t.contains("spaces")), "{texts:?}");
    assert_eq!(cell(&place, "SELECT count(*) FROM nodes WHERE status = 'active' AND type = 'decision'"), "1");
}

#[test]
fn a_superseded_memory_does_not_conduct() {
    let mut notes = chain();
    notes[1] = json!({"id": "n2", "text": "Use tabs for indentation", "type": "decision", "links": [{"to": "n3", "type": "requires"}]});
    let place = with_notes(&notes);
    let reached = |recall: &Value| items(recall).iter().map(|(id, ..)| (*id).to_owned()).collect::<Vec<_>>();
    let before = reached(&place.json(&["query", "src/a.rs"]));
    assert!(
        before.contains(&"n2".to_owned()) && before.contains(&"n3".to_owned()),
        "it conducts while it holds: {before:?}"
    );
    assert_eq!(place.json(&["remember", "Use spaces for indentation"])["superseded"], json!(1));
    let after = reached(&place.json(&["query", "src/a.rs"]));
    assert!(after.contains(&"n1".to_owned()), "{after:?}");
    assert!(!after.contains(&"n2".to_owned()) && !after.contains(&"n3".to_owned()), "{after:?}");
}

#[test]
fn the_first_read_of_a_file_is_annotated_and_the_second_is_not() {
    let place = with_notes(&chain());
    let told =
        |session: &str, id: &str| place.hook("claude-code", &read("claude-code", &place.project, session, id)).stdout;
    let first = told("one", "r1");
    assert!(first.contains("engram memory") && first.contains("Lexing happens lazily"), "{first}");
    assert_eq!(told("one", "r2"), "", "seen in this session");
    assert_eq!(told("two", "r1"), first, "another session has not seen it");
    let mut other = read("claude-code", &place.project, "one", "r3");
    other["tool_input"]["file_path"] = json!(place.project.join("src/unknown.rs"));
    assert_eq!(place.hook("claude-code", &other).stdout, "", "nothing is known of that file");
}

#[test]
fn a_first_read_tells_three_notes_at_most() {
    let words = ["alpha", "bravo", "charlie", "delta", "echo"];
    let notes: Vec<Value> = words
        .iter()
        .map(|w| json!({"id": format!("n-{w}"), "text": format!("The {w} stage of the parser is separate"), "files": ["src/a.rs"]}))
        .collect();
    let place = with_notes(&notes);
    let told = place.hook("claude-code", &read("claude-code", &place.project, "one", "r1")).stdout;
    let count = words.iter().filter(|w| told.contains(&format!("The {w} stage"))).count();
    assert_eq!(count, 3, "{told}");
}

#[test]
fn strength_follows_the_formula() {
    let place = Place::new();
    place.json(&["remember", "Use tabs for indentation"]);
    assert_eq!(
        cell(&place, "SELECT strength FROM nodes WHERE type = 'decision'"),
        "0.850",
        "explicit decisions begin at 0.85"
    );
    let note = with_notes(&[
        json!({"id": "f", "text": "Lexing happens lazily"}),
        json!({"id": "s", "text": "Night begins at ten", "strength": 0.4}),
    ]);
    assert_eq!(cell(&note, "SELECT strength FROM nodes WHERE id = 'f'"), "1.000");
    assert_eq!(cell(&note, "SELECT strength FROM nodes WHERE id = 's'"), "0.400");
}

#[test]
fn only_sessions_without_it_weaken_a_memory() {
    let place = with_notes(&[json!({"id": "f", "text": "Lexing happens lazily", "strength": 0.5})]);
    let strength = || place.json(&["query", "lazy lexing"])["items"][0]["strength"].as_f64().unwrap();
    let before = strength();
    assert!((before - strength()).abs() < 1e-9, "asking again changes nothing");
    for n in 0..3 {
        let session = format!("s{n}");
        for payload in [
            event(&place.project, &session, "UserPromptSubmit", "prompt", "Please rename the button"),
            engram_tests::payload::edit(&place.project, &session, "e"),
            event(&place.project, &session, "Stop", "last_assistant_message", "Renamed the button."),
        ] {
            assert!(place.hook("claude-code", &payload).acknowledged());
        }
    }
    assert_eq!(place.json(&["consolidate"])["pending"], json!([]));
    let expected = before * (-0.3_f64).exp();
    assert!((strength() - expected).abs() < 0.01, "three sessions: {} of {before}, not {expected}", strength());
}

#[test]
fn a_word_of_thanks_is_no_episode() {
    let place = Place::new();
    for (name, field, text) in
        [("UserPromptSubmit", "prompt", "thanks!"), ("Stop", "last_assistant_message", "You are welcome.")]
    {
        assert!(place.hook("claude-code", &event(&place.project, "s", name, field, text)).acknowledged());
    }
    let report = place.json(&["consolidate"]);
    assert_eq!(
        (&report["episodes"], &report["pending"]),
        (&json!([]), &json!([])),
        "covered, and nothing made of it: {report}"
    );
}

#[test]
fn an_episode_has_its_parts() {
    let place = Place::new();
    recorded::set_up_project(&place);
    recorded::replay(FIX, &place);
    place.json(&["consolidate"]);
    let data = cell(&place, "SELECT episode_data FROM episodes");
    let episode: Value = serde_json::from_str(&data).unwrap();
    for part in ["id", "session", "goal", "approach", "outcome", "decisions", "errors"] {
        assert!(episode.get(part).is_some(), "no {part} in {episode}");
    }
    assert_eq!(episode["outcome"], "success");
    assert!(episode["decisions"].to_string().contains("integer cents"), "{episode}");
    assert_eq!(episode["decisions"][0]["explicit"], json!(true), "{episode}");
}

#[test]
fn an_event_at_a_boundary_is_in_one_episode() {
    let place = Place::new();
    recorded::set_up_project(&place);
    for payload in recorded::payloads(FIX, &place) {
        assert!(place.hook("claude-code", &payload).acknowledged());
        assert_eq!(place.json(&["consolidate"])["pending"], json!([]));
    }
    let db = Connection::open_with_flags(place.data().join("engram.db"), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut statement = db.prepare("SELECT from_offset, to_offset FROM applied_ranges ORDER BY from_offset").unwrap();
    let ranges: Vec<(i64, i64)> =
        statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap().map(Result::unwrap).collect();
    assert!(ranges.len() >= 2 && ranges[0].0 == 0, "{ranges:?}");
    assert!(ranges.windows(2).all(|w| w[0].1 == w[1].0), "no gap, no overlap: {ranges:?}");
}

#[test]
fn the_next_start_takes_up_what_a_crash_left() {
    if !process::can_look() {
        return skip("the_next_start_takes_up_what_a_crash_left: no /proc");
    }
    let place = Place::new();
    recorded::set_up_project(&place);
    // Everything up to the crash, which no Stop follows.
    for payload in recorded::payloads(FIX, &place).into_iter().take(6) {
        assert!(place.hook("claude-code", &payload).acknowledged());
    }
    assert_eq!(place.json(&["status"])["pending"], 1);
    let mut child = start(place.hook_command("claude-code").env_remove("ENGRAM_NO_BACKGROUND"));
    let payload = event(&place.project, "next", "SessionStart", "source", "startup");
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    assert!(finish(child, WATCHDOG).acknowledged());
    // The process in the background may not be seen yet when the hook has ended: its outcome is.
    let until = std::time::Instant::now() + WATCHDOG;
    while place.json(&["status"])["episodes"] != json!(1) {
        assert!(std::time::Instant::now() < until, "{}", place.json(&["status"]));
    }
    assert!(process::all_gone(place.root(), WATCHDOG));
}
