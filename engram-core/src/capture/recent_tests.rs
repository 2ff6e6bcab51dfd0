use super::*;
use crate::capture::event::{ExitCodeSource, FileChange, LinesChanged, WriteKind};
use crate::time::Timestamp;

fn event(body: EventBody) -> Event {
    Event::new(Timestamp::default(), body)
}

fn read(path: &str) -> Event {
    event(EventBody::FileRead { path: path.to_owned(), content_hash: None, also: Vec::new() })
}

fn write(path: &str, range: [u32; 2]) -> Event {
    let lines_changed = LinesChanged { added: 1, removed: 1, ranges: vec![range] };
    let change = FileChange { path: path.to_owned(), lines_changed, ..FileChange::default() };
    event(EventBody::FileWrite { change, also: Vec::new() })
}

fn create(path: &str) -> Event {
    let mut e = write(path, [1, 9]);
    if let EventBody::FileWrite { change, .. } = &mut e.body {
        change.kind = WriteKind::Create;
    }
    e
}

fn test(exit: i32, signatures: &[&str]) -> Event {
    event(EventBody::TestRun {
        command: "cargo test".to_owned(),
        exit_code: Some(exit),
        exit_code_source: Some(ExitCodeSource::Reported),
        passed: None,
        failed: None,
        failing_tests: Vec::new(),
        error_signatures: signatures.iter().map(|s| (*s).to_owned()).collect(),
    })
}

fn prompt(text: &str) -> Event {
    event(EventBody::Prompt { text: text.to_owned() })
}

/// Applies the events in turn; the tags of the last one.
fn tags(events: &[Event]) -> Vec<Derived> {
    let mut recent = Recent::default();
    let mut last = Vec::new();
    for e in events {
        last = recent.derive(e);
        recent.apply(e);
    }
    last
}

#[test]
fn a_read_of_a_new_file_is_exploration_once() {
    assert_eq!(tags(&[read("a.rs")]), [Derived::Exploration]);
    assert_eq!(tags(&[read("a.rs"), prompt("next"), read("a.rs")]), []);
}

#[test]
fn a_write_to_a_region_written_before_a_failed_test_is_a_fix_attempt() {
    let cases: &[(&str, Vec<Event>, bool)] = &[
        ("same region", vec![write("a.rs", [10, 12]), test(1, &[]), write("a.rs", [11, 11])], true),
        ("adjacent", vec![write("a.rs", [10, 12]), test(1, &[]), write("a.rs", [15, 16])], true),
        ("far region", vec![write("a.rs", [10, 12]), test(1, &[]), write("a.rs", [40, 41])], false),
        ("other file", vec![write("a.rs", [10, 12]), test(1, &[]), write("b.rs", [10, 12])], false),
        ("no failure", vec![write("a.rs", [10, 12]), test(0, &[]), write("a.rs", [10, 12])], false),
        ("named", vec![test(1, &["src/a.rs: E0308"]), write("src/a.rs", [3, 3])], true),
        ("subject of the named test", vec![test(1, &["test_calc.py: AssertionError"]), write("calc.py", [2, 2])], true),
        ("read after the failure", vec![test(1, &[]), read("calc.py"), write("calc.py", [2, 2])], true),
        ("passed since", vec![write("a.rs", [1, 2]), test(1, &[]), test(0, &[]), write("a.rs", [1, 2])], false),
    ];
    for (name, events, expected) in cases {
        assert_eq!(tags(events).contains(&Derived::FixAttempt), *expected, "{name}");
    }
}

#[test]
fn a_test_that_never_ran_is_neither_pass_nor_fail() {
    let mut missing = test(127, &[]);
    missing.flag(crate::capture::NOT_STARTED);
    let mut recent = Recent::default();
    recent.apply(&missing);
    assert!(!recent.last_test_failed() && !recent.last_test_passed());
}

#[test]
fn a_new_file_after_a_passing_test_is_progression() {
    assert!(tags(&[test(0, &[]), create("new.rs")]).contains(&Derived::Progression));
    assert!(!tags(&[test(1, &[]), create("new.rs")]).contains(&Derived::Progression));
    assert!(!tags(&[create("new.rs")]).contains(&Derived::Progression));
    assert!(!tags(&[test(0, &[]), write("old.rs", [1, 2])]).contains(&Derived::Progression));
}

#[test]
fn reads_that_move_outward_are_an_expanding_search() {
    let near = [read("src/auth/a.rs"), read("src/auth/b.rs"), read("src/auth/c.rs")];
    assert!(!tags(&near).contains(&Derived::ExpandingSearch));
    let far = [read("src/auth/a.rs"), read("src/auth/b.rs"), read("docs/api/v1/x.md")];
    assert!(tags(&far).contains(&Derived::ExpandingSearch));
}

#[test]
fn the_third_write_to_the_same_lines_is_a_repeated_revision() {
    let w = |r| write("a.rs", r);
    assert!(!tags(&[w([5, 6]), w([5, 6])]).contains(&Derived::RepeatedRevision));
    assert!(tags(&[w([5, 6]), w([6, 8]), w([6, 6])]).contains(&Derived::RepeatedRevision));
    assert!(!tags(&[w([5, 6]), w([16, 18]), w([26, 26])]).contains(&Derived::RepeatedRevision));
}

#[test]
fn regions_follow_the_lines_that_move() {
    let mut insert_above = write("a.rs", [1, 20]);
    if let EventBody::FileWrite { change, .. } = &mut insert_above.body {
        change.diff = format!("@@ -0,0 +1,20 @@\n{}", "+x\n".repeat(20));
    }
    let events = [write("a.rs", [5, 6]), write("a.rs", [5, 6]), insert_above, write("a.rs", [25, 26])];
    assert!(tags(&events).contains(&Derived::RepeatedRevision));
}

#[test]
fn patches_without_line_numbers_are_followed_by_their_lines() {
    let patch = |old: &str, new: &str| {
        let mut e = write("a.py", [0, 0]);
        if let EventBody::FileWrite { change, .. } = &mut e.body {
            change.lines_changed.ranges.clear();
            change.diff = format!("@@ -0,0 +0,0 @@\n-{old}\n+{new}\n");
        }
        e
    };
    let events = [patch("return a", "return b"), patch("return b", "return c"), patch("return c", "return d")];
    assert!(tags(&events).contains(&Derived::RepeatedRevision));
    assert!(!tags(&events[..2]).contains(&Derived::RepeatedRevision));
}

#[test]
fn injected_notes_are_remembered_until_the_context_is_compacted() {
    let mut recent = Recent::default();
    recent.apply(&event(EventBody::Injected {
        door: "prompt".to_owned(),
        ids: vec!["n1".to_owned()],
        text: String::new(),
    }));
    assert!(recent.was_injected("n1") && !recent.was_injected("n2"));
    recent.apply(&event(EventBody::Compact { trigger: "auto".to_owned() }));
    assert!(!recent.was_injected("n1"));
}

#[test]
fn a_repeated_stop_is_seen_until_something_happens() {
    let stop = |recent: &Recent| {
        let mut e = event(EventBody::TurnComplete {
            user: String::new(),
            assistant: String::new(),
            tool_calls: 0,
            text: "Done.".to_owned(),
        });
        recent.stamp(&mut e);
        e
    };
    let mut recent = Recent::default();
    recent.apply(&prompt("do it"));
    let first = stop(&recent);
    assert!(!recent.repeats_stop(&first));
    recent.apply(&first);
    assert!(recent.repeats_stop(&stop(&recent)));
    recent.apply(&read("a.rs"));
    assert!(!recent.repeats_stop(&stop(&recent)), "the agent went on working");
    assert_eq!(recent.tool_calls_this_turn(), 1);
}

#[test]
fn the_state_is_bounded_and_round_trips() {
    let mut recent = Recent::default();
    for n in 0..3_000u32 {
        let path = format!("a/rather/long/path/in/a/big/monorepo/{}/file_{n}.rs", n % 7);
        recent.apply(&read(&path));
        recent.apply(&write(&path, [n, n + 5]));
        recent.apply(&event(EventBody::Injected {
            door: "file".to_owned(),
            ids: vec![format!("node-{n}")],
            text: String::new(),
        }));
    }
    recent.apply(&prompt(&"long ".repeat(1_000)));
    let json = serde_json::to_string(&recent).unwrap();
    assert!(json.len() < 40_000 && !json.contains("long long"), "{}", json.len());
    let mut read = serde_json::from_str::<Recent>(&json).unwrap();
    assert_eq!(read.last_prompt(), "", "what the user says is in no state");
    read.recall_prompt(&"long ".repeat(1_000));
    assert!(read == recent && read.last_prompt().len() > 500);
    assert!(recent.has_read("a/rather/long/path/in/a/big/monorepo/3/file_2999.rs"));
    assert!(!recent.has_read("a/rather/long/path/in/a/big/monorepo/0/file_0.rs"), "forgotten by then");
}
