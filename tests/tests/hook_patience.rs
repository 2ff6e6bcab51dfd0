//! A hook never holds the agent up (I6): whatever its pipes do, whoever holds the database, and with work to do after it.
//!
//! The limits here are watchdogs against hanging, not measurements: benches/ measures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

use engram_tests::payload::{HARNESSES, event, read, shell};
use engram_tests::place::Place;
use engram_tests::run::{Ended, WATCHDOG, finish, run, start};
use engram_tests::{process, recorded, skip};
use rusqlite::Connection;
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const SESSION: &str = "s";
/// A complete payload is answered long before this, on a machine with other things to do too.
const AT_ONCE: Duration = Duration::from_secs(5);
/// A payload that does not come, or does not end, is given up long before this (I6 says 5 s).
const GIVEN_UP: Duration = Duration::from_secs(8);

fn call(place: &Place, id: &str) -> Value {
    read("claude-code", &place.project, SESSION, id)
}

/// Writes `bytes` to a new hook and keeps the pipe open until the hook ends.
fn with_open_pipe(place: &Place, harness: &str, bytes: &[u8], limit: Duration) -> Ended {
    let mut child = start(&mut place.hook_command(harness));
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(bytes).unwrap();
    let ended = finish(child, limit);
    drop(pipe);
    ended
}

#[test]
fn a_pipe_left_open_is_not_waited_for() {
    for harness in HARNESSES {
        let place = Place::new();
        let payload = read(harness, &place.project, SESSION, "open");
        let ended = with_open_pipe(&place, harness, payload.to_string().as_bytes(), AT_ONCE);
        assert!(ended.breach().is_none() && ended.acknowledged(), "{harness}: {ended:?}");
        assert_eq!(place.log(SESSION).count("open"), 1, "{harness}");
    }
}

#[test]
fn half_a_message_and_none_are_given_up() {
    let place = Place::new();
    let whole = call(&place, "half").to_string().into_bytes();
    for bytes in [&whole[..0], &whole[..whole.len() / 2], b"   \n"] {
        let ended = with_open_pipe(&place, "claude-code", bytes, GIVEN_UP);
        assert_eq!(ended.breach(), None);
        assert!(!ended.acknowledged(), "{ended:?}");
    }
    assert!(place.hook("claude-code", &call(&place, "next")).acknowledged());
    assert_eq!((place.log(SESSION).count("half"), place.log(SESSION).count("next")), (0, 1));
}

#[test]
fn a_message_in_drips_is_read_to_its_end() {
    let place = Place::new();
    let mut child = start(&mut place.hook_command("claude-code"));
    let mut pipe = child.stdin.take().unwrap();
    for part in call(&place, "drips").to_string().as_bytes().chunks(64) {
        pipe.write_all(part).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = finish(child, GIVEN_UP);
    assert!(ended.acknowledged(), "{ended:?}");
    assert_eq!(place.log(SESSION).count("drips"), 1);
}

#[test]
fn closed_and_full_streams_are_survived() {
    let place = Place::new();
    assert!(place.hook("claude-code", &call(&place, "first")).acknowledged());
    let streams = [("<&-", 0), (">&-", 1), ("2>&-", 1), (">&- 2>&-", 1), ("> /dev/full", 1), ("2> /dev/full", 1)];
    for (n, (redirection, recorded)) in streams.iter().enumerate() {
        let id = format!("stream-{n}");
        let mut shell = place.command(Path::new("/bin/sh"));
        let script = format!("exec \"$0\" claude-code {redirection}");
        let ended = run(
            shell.args(["-c", &script]).arg(engram_tests::program::hook()),
            call(&place, &id).to_string().as_bytes(),
        );
        assert_eq!(ended.code, Some(0), "{redirection}: {ended:?}");
        assert_eq!(place.log(SESSION).count(&id), *recorded, "{redirection}");
    }
}

/// A place with something to recall and to warn of, and the payload of a first read in a new session.
fn with_memory() -> (Place, Vec<Value>) {
    let place = Place::new();
    recorded::set_up_project(&place);
    recorded::replay(recorded::FIX, &place);
    assert_eq!(place.engram(&["consolidate", "--quiet"]).code, Some(0));
    let next = recorded::payloads(recorded::DISCOUNT, &place);
    (place, next)
}

#[test]
fn a_reader_who_does_not_read_is_not_waited_for() {
    let (place, next) = with_memory();
    let (reader, writer) = std::io::pipe().unwrap();
    let mut full = writer.try_clone().unwrap();
    // Fills the pipe from a thread that then hangs: the hook has an answer and no room for it.
    std::thread::spawn(move || full.write_all(&vec![b'x'; 1 << 20]));
    std::thread::sleep(Duration::from_millis(200));
    let mut command = place.hook_command("claude-code");
    command.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(next[0].to_string().as_bytes()).unwrap();
    assert_eq!(finish(child, AT_ONCE).code, Some(0));
    drop(reader);
    let session = next[0]["session_id"].as_str().unwrap();
    assert_eq!(place.log(session).of_type("session_start").len(), 1);
}

/// Holds the whole database of a place for itself until dropped.
fn held(place: &Place) -> Connection {
    let db = Connection::open(place.data().join("engram.db")).unwrap();
    db.busy_timeout(Duration::from_secs(10)).unwrap();
    db.execute_batch("PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE; INSERT INTO meta VALUES ('held', 'yes');")
        .unwrap();
    db
}

#[test]
fn a_locked_database_costs_memories_and_no_event() {
    let (place, next) = with_memory();
    let control = place.hook("claude-code", &next[0]);
    assert!(control.stdout.contains("engram memory"), "unlocked, the session is told something: {control:?}");

    let lock = held(&place);
    let before = place.log(next[0]["session_id"].as_str().unwrap()).events.len();
    for payload in &next[1..] {
        let started = Instant::now();
        let ended = place.hook("claude-code", payload);
        assert!(ended.breach().is_none() && ended.acknowledged(), "{ended:?}");
        assert!(started.elapsed() < AT_ONCE, "{payload}");
    }
    drop(lock);
    let log = place.log(next[0]["session_id"].as_str().unwrap());
    let recorded = log.events[before..].iter().filter(|e| e["type"] != "injected").count();
    assert_eq!(recorded, next.len() - 1, "{:?}", log.types());
    assert_eq!(place.engram(&["consolidate", "--quiet"]).code, Some(0), "nothing stays locked");
}

#[test]
fn a_locked_log_is_written_anyway() {
    let place = Place::new();
    assert!(place.hook("claude-code", &call(&place, "first")).acknowledged());
    let log = File::options().append(true).open(place.log_path(SESSION)).unwrap();
    log.lock().unwrap();
    let ended = place.hook("claude-code", &call(&place, "locked"));
    assert!(ended.acknowledged() && ended.took < AT_ONCE, "{ended:?}");
    log.unlock().unwrap();
    assert_eq!(place.log(SESSION).count("locked"), 1);
}

#[test]
fn disabled_means_nothing_at_all() {
    let place = Place::new();
    for event in engram_tests::payload::every_event("claude-code", &place.project, SESSION) {
        let mut command = place.hook_command("claude-code");
        let ended = run(command.env("ENGRAM_DISABLE", "1"), event.to_string().as_bytes());
        assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
    }
    assert!(!place.home.exists(), "nothing was made");
    assert!(place.hook("claude-code", &call(&place, "enabled")).acknowledged() && place.home.exists());
}

fn turn(place: &Place, n: usize) -> Vec<Value> {
    vec![
        event(&place.project, SESSION, "UserPromptSubmit", "prompt", "Make the parser faster"),
        call(place, &format!("read-{n}")),
        shell(
            &place.project,
            SESSION,
            &format!("test-{n}"),
            "cargo test",
            "test result: FAILED. 1 passed; 1 failed",
            101,
        ),
        event(
            &place.project,
            SESSION,
            "Stop",
            "last_assistant_message",
            &format!("Turn {n}: we decided to cache tokens because lexing dominates."),
        ),
    ]
}

/// Starts the hook of one payload with background work allowed.
fn begin_with_background(place: &Place, payload: &Value) -> Child {
    let mut child = start(place.hook_command("claude-code").env_remove("ENGRAM_NO_BACKGROUND"));
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    child
}

#[test]
fn without_background_no_process_is_left() {
    if !process::can_look() {
        return skip("without_background_no_process_is_left: no /proc");
    }
    let place = Place::new();
    for payload in turn(&place, 1) {
        assert!(place.hook("claude-code", &payload).acknowledged());
        assert_eq!(process::alive(place.root()), Vec::<u32>::new());
    }
    assert!(!place.data().join("engram.db").exists(), "hooks never write the database");
}

#[test]
fn the_consolidator_after_a_stop_ends_by_itself() {
    if !process::can_look() {
        return skip("the_consolidator_after_a_stop_ends_by_itself: no /proc");
    }
    let place = Place::new();
    for payload in turn(&place, 1) {
        let ended = finish(begin_with_background(&place, &payload), AT_ONCE);
        assert!(ended.breach().is_none() && ended.acknowledged(), "{ended:?}");
    }
    assert!(process::all_gone(place.root(), WATCHDOG), "{:?}", process::alive(place.root()));
    assert_eq!(place.json(&["status"])["pending"], serde_json::json!(0), "it consolidated before it ended");
}

#[test]
fn many_stops_do_not_pile_up() {
    if !process::can_look() {
        return skip("many_stops_do_not_pile_up: no /proc");
    }
    let place = Place::new();
    let mut most = 0;
    for n in 0..12 {
        let children: Vec<Child> =
            turn(&place, n).iter().map(|payload| begin_with_background(&place, payload)).collect();
        for child in children {
            assert!(finish(child, AT_ONCE).acknowledged());
        }
        most = most.max(process::alive(&place.home).len());
    }
    // One works; a newer one may just be finding that out.
    assert!(most <= 4, "{most} at once");
    assert!(process::all_gone(place.root(), WATCHDOG), "{:?}", process::alive(place.root()));
}
