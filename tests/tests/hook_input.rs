//! Any input is survivable (I7), and no name in it becomes a place on disk (I8).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

use engram_tests::event_log::EventLog;
use engram_tests::malformed::{self, Malformed};
use engram_tests::payload::{HARNESSES, edit, every_event, read};
use engram_tests::place::Place;
use engram_tests::random::Random;
use engram_tests::tree::tree;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;

/// The session that valid and malformed payloads share.
const SESSION: &str = "good";
/// Cases taken of each payload: of tool calls, whose fields are many, and of others; `ENGRAM_TEST_ALL` takes all.
const SAMPLE: (usize, usize) = (120, 20);

/// Sends a case, then a valid event; gives what is wrong with either.
fn send(place: &Place, harness: &str, case: &Malformed, valid_id: &str) -> Option<String> {
    let ended = place.hook_bytes(harness, &case.bytes);
    let next = place.hook(harness, &read(harness, &place.project, SESSION, valid_id));
    let refused = (!next.acknowledged()).then(|| format!("the next valid event was refused: {next:?}"));
    ended.breach().or(refused).map(|what| format!("{harness}, {}: {what}", case.what))
}

/// Sends `cases` one after the other in a place of their own; gives what went wrong.
fn survive(harness: &str, cases: &[Malformed]) -> Vec<String> {
    let place = Place::new();
    let outside = tree(place.root(), &place.home);
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let retold = Malformed { what: case.what.clone(), bytes: moved(&case.bytes, &place.project) };
        wrong.extend(send(&place, harness, &retold, &format!("valid-{number}")));
        if tree(place.root(), &place.home) != outside {
            wrong.push(format!("{harness}, {}: something outside the data folder changed", case.what));
            return wrong;
        }
    }
    let log = everywhere(&place);
    let lost = (0..cases.len()).filter(|n| log.count(&format!("valid-{n}")) != 1);
    wrong
        .extend(lost.map(|n| format!("{harness}: the valid event after \"{}\" is not in the log once", cases[n].what)));
    wrong.extend(log.broken.iter().map(|line| format!("{harness}: unreadable line {line:.80}")));
    wrong.extend(strange_files(&place.home));
    wrong
}

/// The session's log, of all projects: a hostile directory is another project, and its valid neighbours are in this one.
fn everywhere(place: &Place) -> EventLog {
    let mut all = EventLog::default();
    for project in std::fs::read_dir(place.home.join("projects")).unwrap() {
        let log = EventLog::read(&project.unwrap().path().join("events").join(format!("{SESSION}.jsonl")));
        all.events.extend(log.events);
        all.broken.extend(log.broken);
    }
    all
}

/// Cases are made for a project that is nowhere; each place has its own.
fn moved(bytes: &[u8], project: &Path) -> Vec<u8> {
    const NOWHERE: &[u8] = b"/NOWHERE";
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut rest = bytes;
    while let Some(at) = rest.windows(NOWHERE.len()).position(|w| w == NOWHERE) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(project.as_os_str().as_encoded_bytes());
        rest = &rest[at + NOWHERE.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// Files in the data folder whose names no rule of engram's makes.
fn strange_files(home: &Path) -> Vec<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let names = tree(home, Path::new(""))
        .into_keys()
        .map(|path| path.strip_prefix(home).unwrap().to_string_lossy().into_owned());
    let folders = ["projects", "engram.log", "events", "episodes", "state"];
    let known = |name: &str| {
        let parts: Vec<&str> = name.split('/').collect();
        let depth = parts.len() <= 4
            && folders.contains(&parts[0])
            && parts.get(2).is_none_or(|p| folders.contains(p) || p.contains('.'));
        depth && parts.iter().all(|p| p.len() <= 80 && p.chars().all(plain) && !p.starts_with('.'))
    };
    names.filter(|name| !known(name)).map(|name| format!("a strange file in the data folder: {name:?}")).collect()
}

/// Runs batches on every core and gathers what went wrong.
fn in_parallel(batches: Vec<(&'static str, Vec<Malformed>)>) -> Vec<String> {
    let queue = Mutex::new(batches);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some((harness, cases)) = queue.lock().unwrap().pop() else { break };
                    wrong.lock().unwrap().extend(survive(harness, &cases));
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}

/// Everything that can be made of a payload, or a random part of it.
fn some_of(payload: &Value, random: &mut Random) -> Vec<Malformed> {
    let mut cases = malformed::of_payload(payload, random);
    let is_call = payload.get("tool_input").is_some() || payload.get("input").is_some();
    let most = if is_call { SAMPLE.0 } else { SAMPLE.1 };
    while cases.len() > most && std::env::var_os("ENGRAM_TEST_ALL").is_none() {
        cases.swap_remove(random.below(cases.len()));
    }
    cases
}

#[test]
fn every_valid_event_of_every_harness_is_recorded() {
    for harness in HARNESSES {
        let place = Place::new();
        let payloads = every_event(harness, &place.project, SESSION);
        for payload in &payloads {
            let ended = place.hook(harness, payload);
            assert!(ended.breach().is_none() && ended.acknowledged(), "{harness}: {payload}: {ended:?}");
        }
        let told = place.log(SESSION);
        let events = told.events.iter().filter(|e| e["type"] != "injected").count();
        assert_eq!(events, payloads.len(), "{harness}: {:?}", told.types());
    }
}

#[test]
fn malformed_input_is_survived() {
    let mut random = Random::seeded("hook_input");
    let mut batches = Vec::new();
    for harness in HARNESSES {
        let mut cases = malformed::of_nothing();
        for payload in every_event(harness, Path::new("/NOWHERE"), SESSION) {
            cases.extend(some_of(&payload, &mut random));
        }
        batches.extend(cases.chunks(150).map(|batch| (*harness, batch.to_vec())));
    }
    let count: usize = batches.iter().map(|(_, cases)| cases.len()).sum();
    println!("{count} malformed inputs");
    assert!(count >= 300);
    let wrong = in_parallel(batches);
    assert!(wrong.is_empty(), "{} wrong, among them:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    assert!(!Path::new("/tmp/engram-escaped").exists() && !Path::new("/tmp/engram-escaped.jsonl").exists());
}

#[test]
fn huge_input_is_survived_and_bounded() {
    let place = Place::new();
    let wide = edit(&place.project, SESSION, "wide");
    for harness in HARNESSES {
        let cases = malformed::huge(&read(harness, &place.project, SESSION, "huge"), &wide);
        for (number, case) in cases.iter().enumerate() {
            assert_eq!(send(&place, harness, case, &format!("{harness}-{number}")), None);
            assert_eq!(place.log(SESSION).count(&format!("{harness}-{number}")), 1, "after {}", case.what);
        }
    }
    let longest = std::fs::read(place.log_path(SESSION)).unwrap().split(|b| *b == b'\n').map(<[u8]>::len).max();
    assert!(longest.is_some_and(|bytes| bytes <= 256 * 1024), "{longest:?}");
    let log = place.log(SESSION);
    assert!(log.count("huge") > 0 && log.count("wide") > 0, "the huge calls are recorded too");
}

#[test]
fn two_hostile_names_are_two_sessions() {
    let place = Place::new();
    for (number, name) in malformed::HOSTILE.iter().filter(|n| !n.is_empty()).enumerate() {
        let id = format!("call-{number}");
        assert!(place.hook("generic", &read("generic", &place.project, name, &id)).acknowledged(), "{name:?}");
    }
    let logs = std::fs::read_dir(place.data().join("events")).unwrap().count();
    assert_eq!(logs, malformed::HOSTILE.len() - 1, "one log each");
    let events = place.json(&["events"]);
    let sessions: Vec<_> = events.as_array().unwrap().iter().map(|e| e["toolUseId"].clone()).collect();
    assert!((0..logs).all(|n| sessions.contains(&json!(format!("call-{n}")))), "{sessions:?}");
}

#[test]
fn a_payload_without_a_directory_belongs_to_the_hooks_own() {
    let place = Place::new();
    let mut payload = read("claude-code", &place.project, SESSION, "homeless");
    payload.as_object_mut().unwrap().remove("cwd");
    assert!(place.hook("claude-code", &payload).acknowledged());
    assert_eq!(place.log(SESSION).count("homeless"), 1, "an event that was not refused is recorded");
}

#[test]
fn an_unknown_harness_is_said_and_harms_nobody() {
    let place = Place::new();
    for name in ["", "emacs", "../claude-code", "--help"] {
        let ended = place.hook(name, &read("generic", &place.project, SESSION, "x"));
        assert!(ended.breach().is_none() && !ended.acknowledged(), "{name:?}: {ended:?}");
    }
    assert!(!place.home.join("projects").exists());
}
