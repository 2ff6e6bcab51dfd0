//! Consolidation happens exactly once (I3, D2): whenever it is killed, however many run, the graph is that of one clean
//! run; and the graph can be rebuilt from the files (I5).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

use engram_tests::graph_table::GraphTable;
use engram_tests::place::{Place, data_in};
use engram_tests::random::Random;
use engram_tests::recorded::{self, DISCOUNT, FIX};
use engram_tests::run::{WATCHDOG, finish, run, start};
use engram_tests::{program, skip, trace, tree};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Two recorded sessions, logged and not consolidated, and the graph that one clean run makes of them.
struct Logged {
    place: Place,
    clean: GraphTable,
}

impl Logged {
    fn new() -> Logged {
        let place = Place::new();
        recorded::set_up_project(&place);
        recorded::replay(FIX, &place);
        recorded::replay(DISCOUNT, &place);
        let logged = Logged { clean: GraphTable::default(), place };
        let home = logged.copy("clean");
        assert_eq!(run(&mut logged.consolidate(&home), b"").code, Some(0));
        let clean = GraphTable::read(&data_in(&home));
        assert!(!clean.is_empty() && clean.episodes.len() >= 2, "there is something to compare: {clean:?}");
        Logged { clean, ..logged }
    }

    /// engram's home as it was before any consolidation, once more.
    fn copy(&self, name: &str) -> PathBuf {
        let home = self.place.root().join(format!("home-{name}"));
        tree::copy(&self.place.home, &home);
        home
    }

    fn consolidate(&self, home: &Path) -> Command {
        let mut command = self.place.command(&program::engram());
        command.args(["consolidate", "--json", "--wait", "30"]).env("ENGRAM_HOME", home);
        command
    }

    /// Consolidates what is left, and compares with the clean run; `after` says after what.
    fn assert_completes(&self, home: &Path, after: &str) {
        let ended = run(&mut self.consolidate(home), b"");
        assert_eq!(ended.code, Some(0), "{after}: {ended:?}");
        self.assert_clean(home, after);
    }

    fn assert_clean(&self, home: &Path, after: &str) {
        let graph = GraphTable::read(&data_in(home));
        assert_eq!(graph.difference(&self.clean), None, "{after}");
    }
}

#[test]
fn a_second_clean_run_is_the_same_and_a_rerun_changes_nothing() {
    let logged = Logged::new();
    let home = logged.copy("again");
    logged.assert_completes(&home, "a second run");
    let before = GraphTable::read(&data_in(&home));
    let files = std::fs::read_dir(data_in(&home).join("episodes")).unwrap().count();
    for _ in 0..3 {
        let ended = run(&mut logged.consolidate(&home), b"");
        let report: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&report["events"], &report["created"]), (&json!(0), &json!(0)), "{report}");
    }
    assert_eq!(GraphTable::read(&data_in(&home)), before);
    assert_eq!(std::fs::read_dir(data_in(&home).join("episodes")).unwrap().count(), files, "no file was left behind");
}

#[test]
fn a_difference_would_be_seen() {
    let logged = Logged::new();
    let mut graph = logged.clean.clone();
    graph.nodes.pop();
    assert!(graph.difference(&logged.clean).is_some_and(|d| d.starts_with("missing")));
    let mut graph = logged.clean.clone();
    graph.edges.push(graph.edges[0].clone());
    assert!(graph.difference(&logged.clean).is_some());
}

#[test]
fn random_kills_leave_the_graph_of_a_clean_run() {
    let mut random = Random::seeded("exactly_once");
    let logged = Logged::new();
    let mut killed = 0;
    for round in 0..12 {
        let home = logged.copy(&format!("kill-{round}"));
        for _ in 0..3 {
            let mut child = start(&mut logged.consolidate(&home));
            std::thread::sleep(Duration::from_micros(2_000 + random.below(40_000) as u64));
            let _ = child.kill();
            killed += usize::from(finish(child, WATCHDOG).signal.is_some());
        }
        logged.assert_completes(&home, &format!("kills of round {round}"));
        std::fs::remove_dir_all(&home).unwrap();
    }
    println!("{killed} of 36 were killed");
    assert!(killed > 0, "no kill hit anything");
}

/// System calls that change files, and how far apart those that are killed stand: databases write much.
const WRITES: &[(&str, usize)] =
    &[("write", 1), ("pwrite64", 9), ("fsync", 1), ("fdatasync", 2), ("rename", 1), ("ftruncate", 1), ("unlink", 1)];
/// Most kills of one kind of call; `ENGRAM_TEST_ALL` kills at each.
const MOST: usize = 7;

#[test]
fn a_kill_at_any_write_leaves_the_graph_of_a_clean_run() {
    if !trace::available() {
        return skip("a_kill_at_any_write_leaves_the_graph_of_a_clean_run: no strace");
    }
    let all = std::env::var_os("ENGRAM_TEST_ALL").is_some();
    let logged = Logged::new();
    let mut killed = 0;
    for (syscall, apart) in WRITES {
        for nth in (1..).step_by(if all { 1 } else { *apart }).take(if all { 2_000 } else { MOST }) {
            let home = logged.copy(&format!("{syscall}-{nth}"));
            let inject = format!("{syscall}:signal=KILL:when={nth}");
            let hit = run(&mut trace::traced(&logged.consolidate(&home), &inject, None), b"").signal.is_some();
            logged.assert_completes(&home, &inject);
            std::fs::remove_dir_all(&home).unwrap();
            if !hit {
                break;
            }
            killed += 1;
        }
    }
    println!("{killed} kills");
    assert!(killed >= 10, "the kills must hit: {killed}");
}

#[test]
fn a_disk_that_refuses_leaves_the_rest_for_the_next_run() {
    if !trace::available() {
        return skip("a_disk_that_refuses_leaves_the_rest_for_the_next_run: no strace");
    }
    let logged = Logged::new();
    for fault in ["pwrite64:error=ENOSPC:when=5+", "fsync:error=EIO", "fdatasync:error=EIO", "rename:error=ENOSPC"] {
        let home = logged.copy("refused");
        let ended = run(&mut trace::traced(&logged.consolidate(&home), fault, None), b"");
        assert_eq!(ended.signal, None, "{fault}: {ended:?}");
        assert!(ended.code != Some(0) || fault.starts_with("fdatasync"), "{fault} is not said: {ended:?}");
        logged.assert_completes(&home, fault);
        std::fs::remove_dir_all(&home).unwrap();
    }
}

#[test]
fn four_at_once_are_one() {
    let logged = Logged::new();
    for round in 0..3 {
        let home = logged.copy(&format!("four-{round}"));
        let children: Vec<_> = (0..4).map(|_| start(&mut logged.consolidate(&home))).collect();
        for child in children {
            let ended = finish(child, WATCHDOG);
            assert_eq!(ended.code, Some(0), "each waits its turn: {ended:?}");
        }
        logged.assert_clean(&home, "four at once");
    }
}

#[test]
fn hooks_go_on_while_consolidation_runs() {
    let logged = Logged::new();
    let place = &logged.place;
    for n in 0..4 {
        let child = start(&mut logged.consolidate(&place.home));
        let payload = engram_tests::payload::read("claude-code", &place.project, "later", &format!("call-{n}"));
        assert!(place.hook("claude-code", &payload).acknowledged());
        assert_eq!(finish(child, WATCHDOG).code, Some(0));
    }
    assert_eq!(run(&mut logged.consolidate(&place.home), b"").code, Some(0));
    let ranges = GraphTable::read(&place.data()).ranges;
    assert_eq!(place.log("later").events.len(), 4);
    assert_eq!(place.json(&["status"])["pending"], json!(0), "{ranges:?}");
}

#[test]
fn the_graph_is_rebuilt_from_the_files() {
    let logged = Logged::new();
    let home = logged.copy("rebuilt");
    logged.assert_completes(&home, "the first run");
    let episodes = tree::tree(&data_in(&home).join("episodes"), Path::new(""));
    for name in ["engram.db", "engram.db-wal", "engram.db-shm"] {
        let _ = std::fs::remove_file(data_in(&home).join(name));
    }
    logged.assert_completes(&home, "without its database");
    assert_eq!(tree::tree(&data_in(&home).join("episodes"), Path::new("")), episodes, "nothing was extracted anew");
}

#[test]
fn what_the_user_said_survives_a_lost_database() {
    let place = Place::new();
    let said = place.json(&["remember", "Amounts are integers in cents", "--files", "src/a.rs"]);
    let id = said["id"].as_str().unwrap().to_owned();
    for name in ["engram.db", "engram.db-wal", "engram.db-shm"] {
        let _ = std::fs::remove_file(place.data().join(name));
    }
    assert_eq!(place.engram(&["consolidate", "--quiet"]).code, Some(0));
    let recalled = place.json(&["query", "amounts in cents"]);
    assert_eq!(recalled["items"][0]["id"], json!(id), "{recalled}");
}
