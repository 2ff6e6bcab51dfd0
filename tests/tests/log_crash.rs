//! Acknowledged events are in the log exactly once, whatever kills their hooks (I1); records never mix (I2); fragments
//! harm nobody (I4); a disk that refuses is reported (I9).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

use engram_tests::payload::{edit, read};
use engram_tests::place::Place;
use engram_tests::random::Random;
use engram_tests::run::{Ended, WATCHDOG, finish, run, start};
use engram_tests::{skip, trace};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Child;
use std::time::Duration;

const SESSION: &str = "s";
/// Rounds of processes that are killed.
const ROUNDS: usize = 60;
/// Processes a round.
const PROCESSES: usize = 6;

fn call(place: &Place, id: &str) -> Value {
    read("claude-code", &place.project, SESSION, id)
}

/// Starts a hook and hands it its whole payload.
fn begin(place: &Place, payload: &Value) -> Child {
    let mut child = start(&mut place.hook_command("claude-code"));
    // A hook killed on the way does not read all.
    let _ = child.stdin.take().unwrap().write_all(payload.to_string().as_bytes());
    child
}

/// Checks what a log must hold of the calls `(id, acknowledged)`.
fn assert_exactly_once(place: &Place, calls: &[(String, bool)]) {
    let log = place.log(SESSION);
    for (id, acknowledged) in calls {
        let count = log.count(id);
        assert!(
            count == 1 || (count == 0 && !acknowledged),
            "{id}: acknowledged {acknowledged}, {count} times in the log"
        );
    }
}

#[test]
fn killed_hooks_lose_and_double_nothing() {
    let mut random = Random::seeded("log_crash");
    let place = Place::new();
    let mut calls = Vec::new();
    for round in 0..ROUNDS {
        let ids: Vec<String> = (0..PROCESSES).map(|n| format!("call-{round}-{n}")).collect();
        let mut children: Vec<Child> = ids.iter().map(|id| begin(&place, &call(&place, id))).collect();
        for _ in 0..PROCESSES / 2 {
            std::thread::sleep(Duration::from_micros(random.below(6_000) as u64));
            let _ = children[random.below(PROCESSES)].kill();
        }
        let ended = children.into_iter().map(|child| finish(child, WATCHDOG).acknowledged());
        calls.extend(ids.into_iter().zip(ended));
    }
    let killed = calls.iter().filter(|(_, acknowledged)| !acknowledged).count();
    println!("{} of {} hooks were killed", killed, calls.len());
    assert!(killed > 10 && killed < calls.len() - 10, "the kills must hit some and miss some");
    assert_exactly_once(&place, &calls);
    assert!(place.hook("claude-code", &call(&place, "afterwards")).acknowledged());
    assert_eq!(place.log(SESSION).count("afterwards"), 1);
}

#[test]
fn thirty_two_at_once_do_not_mix() {
    let place = Place::new();
    for round in 0..3 {
        let ids: Vec<String> = (0..32).map(|n| format!("call-{round}-{n}")).collect();
        let mut payload = edit(&place.project, SESSION, "");
        // Records of very different lengths, up to what an event may hold.
        let children = ids.iter().enumerate().map(|(n, id)| {
            payload["tool_use_id"] = json!(id);
            payload["tool_response"]["structuredPatch"][0]["lines"] =
                json!([format!("+{}", "long line ".repeat(n * 300))]);
            begin(&place, &payload)
        });
        for child in children.collect::<Vec<Child>>() {
            let ended = finish(child, WATCHDOG);
            assert!(ended.breach().is_none() && ended.acknowledged(), "{ended:?}");
        }
        assert_exactly_once(&place, &ids.into_iter().map(|id| (id, true)).collect::<Vec<_>>());
    }
    let log = place.log(SESSION);
    assert_eq!((log.events.len(), log.broken.len()), (96, 0));
    assert_eq!(place.json(&["events"]).as_array().unwrap().len(), 96, "engram reads the same");
}

#[test]
fn fragments_hide_no_event() {
    let fragments: [&[u8]; 6] = [
        b"{\"v\":1,\"ts\":\"2026-01-01T00:00:00.000Z\",\"type\":\"file_write\",\"pa",
        b"{\"v\":1,\"text\":\"\xe2\x82",
        &[0; 4096],
        b"\x7fELF\x02\x01\n\xff\xfe\n",
        b"}{\"a\":1}{",
        b"{}\n[]\nnull\n\"text\"",
    ];
    let place = Place::new();
    for (n, fragment) in fragments.iter().enumerate() {
        assert!(place.hook("claude-code", &call(&place, &format!("before-{n}"))).acknowledged());
        let mut file = std::fs::OpenOptions::new().append(true).open(place.log_path(SESSION)).unwrap();
        file.write_all(fragment).unwrap();
    }
    let end = place.hook("claude-code", &call(&place, "after"));
    assert!(end.breach().is_none() && end.acknowledged(), "{end:?}");

    let log = place.log(SESSION);
    assert!(!log.broken.is_empty(), "the fragments are there");
    let ids: Vec<String> = (0..fragments.len()).map(|n| format!("before-{n}")).chain(["after".to_owned()]).collect();
    assert!(ids.iter().all(|id| log.count(id) == 1), "{:?}", log.types());
    let told = place.json(&["events"]).to_string();
    assert!(ids.iter().all(|id| told.matches(&format!("\"{id}\"")).count() == 1), "engram reads every one: {told}");
    assert_eq!(place.engram(&["consolidate", "--quiet"]).code, Some(0), "and consolidates past them");
    assert_eq!(place.json(&["status"])["pending"], json!(0));
}

/// Runs a hook for the call `id` under an injection that hits the log.
fn injected(place: &Place, id: &str, inject: &str) -> Ended {
    let log = place.log_path(SESSION);
    let payload = call(place, id).to_string();
    run(&mut trace::traced(&place.hook_command("claude-code"), inject, Some(&log)), payload.as_bytes())
}

#[test]
fn a_disk_that_refuses_is_said_and_the_next_event_is_kept() {
    if !trace::available() {
        return skip("a_disk_that_refuses_is_said_and_the_next_event_is_kept: no strace");
    }
    let place = Place::new();
    assert!(place.hook("claude-code", &call(&place, "first")).acknowledged());
    let control = injected(&place, "traced", "write:delay_exit=1");
    assert!(
        control.acknowledged() && place.log(SESSION).count("traced") == 1,
        "tracing alone refuses nothing: {control:?}"
    );

    for (n, fault) in
        ["write:error=ENOSPC", "write:error=EIO", "fdatasync:error=EIO", "fdatasync:error=ENOSPC"].iter().enumerate()
    {
        let ended = injected(&place, &format!("refused-{n}"), fault);
        assert_eq!(ended.breach(), None, "{fault}");
        assert!(ended.stderr.starts_with("engram: not recorded: "), "{fault} is not said: {ended:?}");
        assert!(place.log(SESSION).count(&format!("refused-{n}")) <= 1, "{fault}");
        assert!(place.hook("claude-code", &call(&place, &format!("next-{n}"))).acknowledged(), "after {fault}");
        assert_eq!(place.log(SESSION).count(&format!("next-{n}")), 1, "after {fault}");
    }
    assert_eq!(place.log(SESSION).count("first"), 1, "older events are as they were");
}

#[test]
fn a_kill_at_any_write_of_a_hook_loses_nothing_acknowledged() {
    if !trace::available() {
        return skip("a_kill_at_any_write_of_a_hook_loses_nothing_acknowledged: no strace");
    }
    let place = Place::new();
    let mut calls = Vec::new();
    for syscall in ["write", "fdatasync", "openat", "flock"] {
        for nth in 1..=12 {
            let id = format!("{syscall}-{nth}");
            let inject = format!("{syscall}:signal=KILL:when={nth}");
            let payload = call(&place, &id).to_string();
            let ended = run(&mut trace::traced(&place.hook_command("claude-code"), &inject, None), payload.as_bytes());
            let survived = ended.acknowledged();
            calls.push((id, survived));
            let next = format!("{syscall}-{nth}-next");
            assert!(place.hook("claude-code", &call(&place, &next)).acknowledged());
            calls.push((next, true));
            if survived {
                break;
            }
        }
    }
    assert!(calls.iter().any(|(_, acknowledged)| !acknowledged), "no kill hit anything");
    assert_exactly_once(&place, &calls);
}
