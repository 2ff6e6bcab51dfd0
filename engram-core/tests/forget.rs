//! What is forgotten stays forgotten (I23, D12, D24): in the graph, in every file but the event logs, and when the graph is
//! made again.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use engram_core::capture::call::{SessionEnd, ToolCall, TurnEnd, UserPrompt};
use engram_core::capture::event::SessionId;
use engram_core::config::{Config, Durability};
use engram_core::{
    Ask, Background, ConsolidateOptions, ConsolidateReport, Engram, ErrorKind, Forget, Forgotten, GraphDump, Options,
    Remember, wire,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

struct Place {
    tmp: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let tmp = tempfile::tempdir().unwrap();
        std::fs::create_dir(tmp.path().join("shop")).unwrap();
        Place { tmp }
    }

    fn open(&self) -> Engram {
        let mut config = Config::default();
        config.durability = Durability::Process;
        let home = Some(self.tmp.path().join("home"));
        let (project, background) = (self.tmp.path().join("shop"), Background::Caller);
        Engram::open(Options { home, project, config: Some(config), background, ..Options::default() }).unwrap()
    }

    /// Where the text stands in the data folder, letter case aside: file names, event logs excepted.
    fn traces(&self, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for path in files(&self.tmp.path().join("home")) {
            let name = path.display().to_string();
            let bytes = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).to_lowercase();
            if !name.contains("/events/") && bytes.contains(&text.to_lowercase()) {
                found.push(name);
            }
        }
        found
    }

    fn data(&self) -> PathBuf {
        self.open().data().path().to_owned()
    }

    /// Throws away everything that can be made again.
    fn lose_the_database(&self) {
        for name in ["engram.db", "engram.db-wal", "engram.db-shm"] {
            let _ = std::fs::remove_file(self.data().join(name));
        }
    }

    /// As if no session had ever been consolidated; notes that were imported stay.
    fn lose_the_episodes(&self) {
        self.lose_the_database();
        std::fs::remove_dir_all(self.data().join("episodes")).unwrap();
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn consolidate(memory: &Engram) -> ConsolidateReport {
    let report = memory.consolidate(&ConsolidateOptions::default(), &mut |_, _| {}).unwrap();
    assert_eq!(report.pending, []);
    report
}

/// A session in which the user says `prompt` and the agent ends with `answer`, after an edit of `file`.
fn work(memory: &Engram, name: &str, file: &str, prompt: &str, answer: &str) {
    let session = SessionId::new(name);
    memory.on_user_prompt(&UserPrompt { session: session.clone(), text: prompt.into(), ts: None }).unwrap();
    let patch = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a = 1", "+a = 2"]}]);
    let call = ToolCall {
        session: session.clone(),
        tool: "Edit".into(),
        input: json!({"file_path": file, "old_string": "a = 1", "new_string": "a = 2"}),
        output: Some(json!({"filePath": file, "structuredPatch": patch})),
        ..ToolCall::default()
    };
    memory.on_tool_call(&call).unwrap();
    let end = TurnEnd { session: session.clone(), text: answer.into(), ..TurnEnd::default() };
    memory.on_stop(&end).unwrap();
    memory.on_session_end(&SessionEnd { session, ..SessionEnd::default() }).unwrap();
}

const CENTS: &str =
    "Fixed `cart.py`. We decided to keep totals as integer cents instead of floats because floats drift.";
const PROMPT: &str = "From now on, always write the quarterly Zebrafish ledger in Norwegian kroner, never in euros";

/// Two sessions with a decision each.
fn two_sessions(place: &Place) -> Engram {
    let memory = place.open();
    work(&memory, "monday", "cart.py", "Totals in cart.py are off by a cent, fix it", CENTS);
    work(&memory, "tuesday", "ledger.py", PROMPT, "Done. `ledger.py` writes kroner now, as you asked for.");
    consolidate(&memory);
    memory
}

fn remember(memory: &Engram, text: &str) -> String {
    memory.remember(&Remember { text: text.into(), ..Remember::default() }).unwrap().id.unwrap()
}

fn ids(answer: &Forgotten) -> Vec<&str> {
    answer.forgotten.iter().map(|n| n.id.as_str()).collect()
}

fn told(memory: &Engram, question: &str) -> String {
    memory.retrieve(&Ask::question(question.to_owned(), 50)).unwrap().text
}

fn graph(memory: &Engram) -> String {
    serde_json::to_string(&memory.graph().unwrap()).unwrap()
}

/// What of a graph does not depend on the way to it.
fn shape(dump: &GraphDump) -> Vec<Value> {
    let node = |n: &engram_core::graph::node::Node| {
        let by_time = (n.valid_to, n.retired_at, n.trust, n.status);
        json!([n.id, n.name, n.description, n.affected_files, n.claim, serde_json::to_value(by_time).unwrap()])
    };
    dump.nodes.iter().map(node).chain(dump.edges.iter().map(|e| json!(e))).collect()
}

fn node_saying(memory: &Engram, part: &str, node_type: &str) -> String {
    let dump = memory.graph().unwrap();
    let says = |n: &&engram_core::graph::node::Node| n.description.contains(part) && n.node_type.as_str() == node_type;
    dump.nodes.iter().find(says).unwrap_or_else(|| panic!("nothing says {part}")).id.to_string()
}

#[test]
fn a_text_is_gone_from_the_graph_and_from_every_file_but_the_event_log() {
    let place = Place::new();
    let memory = two_sessions(&place);
    assert!(!told(&memory, "Which currency for the Zebrafish ledger?").is_empty());
    assert!(place.traces("zebrafish").len() >= 3, "{:?}", place.traces("zebrafish"));
    let answer = memory.forget(&Forget::text("zebraFISH ledger")).unwrap();
    assert!(!answer.forgotten.is_empty() && !answer.dry_run && !answer.pending, "{answer:?}");
    for id in ids(&answer) {
        assert_eq!(memory.node(id).unwrap(), None);
    }
    assert!(!graph(&memory).to_lowercase().contains("zebrafish"));
    assert!(!told(&memory, "Which currency for the Zebrafish ledger?").to_lowercase().contains("zebrafish"));
    assert_eq!(place.traces("zebrafish"), [] as [&str; 0]);
    assert!(told(&memory, "How are totals kept?").contains("integer cents"), "nothing else is gone");
    let log = std::fs::read_to_string(place.data().join("events/tuesday.jsonl")).unwrap();
    assert!(log.contains("Zebrafish"), "the event log is rewritten by purging alone");
}

#[test]
fn a_memory_is_forgotten_by_its_id_with_what_quotes_it() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let id = node_saying(&memory, "Norwegian kroner", "decision");
    let answer = memory.forget(&Forget::id(&id)).unwrap();
    assert_eq!(ids(&answer), [id.as_str()]);
    assert!(!graph(&memory).contains("Norwegian kroner"), "{}", graph(&memory));
    assert_eq!(place.traces("norwegian kroner"), [] as [&str; 0]);
    assert!(graph(&memory).contains("integer cents"));
    assert_eq!(memory.forget(&Forget::id(&id)).unwrap_err().kind(), ErrorKind::InvalidArgument, "it is gone");
}

#[test]
fn what_is_made_of_files_or_logs_again_leaves_it_out() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let id = node_saying(&memory, "Norwegian kroner", "decision");
    memory.forget(&Forget::id(id)).unwrap();
    memory.forget(&Forget::text("integer CENTS")).unwrap();
    let before = shape(&memory.graph().unwrap());
    drop(memory);
    for lose in [Place::lose_the_database, Place::lose_the_episodes] {
        lose(&place);
        let memory = place.open();
        consolidate(&memory);
        assert_eq!(shape(&memory.graph().unwrap()), before);
        assert_eq!(place.traces("norwegian kroner"), [] as [&str; 0]);
        assert_eq!(place.traces("integer cents"), [] as [&str; 0]);
    }
}

#[test]
fn a_saved_copy_of_the_episodes_and_the_same_log_as_another_session_bring_nothing_back() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let saved = std::fs::read(place.data().join("episodes/tuesday.episode.json")).unwrap();
    memory.forget(&Forget::text("Norwegian kroner")).unwrap();
    drop(memory);
    place.lose_the_database();
    std::fs::write(place.data().join("episodes/tuesday.episode.json"), saved).unwrap();
    std::fs::copy(place.data().join("events/tuesday.jsonl"), place.data().join("events/wednesday.jsonl")).unwrap();
    let memory = place.open();
    assert_eq!(consolidate(&memory).episodes.len(), 1);
    assert!(!graph(&memory).contains("Norwegian"));
    assert_eq!(place.traces("norwegian kroner"), [] as [&str; 0]);
}

fn notes(facts: &[String]) -> String {
    let line = |(i, fact): (usize, &String)| json!({"id": format!("note-{i}"), "text": fact}).to_string();
    facts.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Distinct facts of a seeded generator.
fn facts(seed: u64, count: usize) -> Vec<String> {
    let mut state = seed;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let subjects = ["the staging token", "our vendor", "the on-call phone", "the build host", "the invoice prefix"];
    (0..count)
        .map(|i| {
            let subject = subjects[(random() % 5) as usize];
            format!("Remember that {subject} number {i} is qx{:012x} since sprint {}", random() >> 16, random() % 90)
        })
        .collect()
}

fn secret(fact: &str) -> &str {
    fact.split(' ').find(|word| word.starts_with("qx")).unwrap()
}

#[test]
fn of_thirty_random_facts_none_comes_back() {
    let (seed, place) = (0x9e37_79b9_7f4a_7c15, Place::new());
    let facts = facts(seed, 30);
    let memory = place.open();
    for (i, fact) in facts.iter().enumerate().filter(|(i, _)| i % 3 == 0) {
        work(&memory, &format!("s{i}"), "a.py", fact, &format!("Noted. {fact}."));
    }
    for fact in facts.iter().skip(1).step_by(3) {
        remember(&memory, fact);
    }
    consolidate(&memory);
    let imported: Vec<String> = facts.iter().skip(2).step_by(3).cloned().collect();
    memory.import_notes(notes(&imported).as_bytes()).unwrap();
    for fact in &facts {
        assert!(!place.traces(secret(fact)).is_empty(), "seed {seed}: {fact} was never there");
        memory.forget(&Forget::text(secret(fact))).unwrap();
    }
    drop(memory);
    let gone = |when: &str| {
        for fact in &facts {
            assert_eq!(place.traces(secret(fact)), [] as [&str; 0], "seed {seed}, {when}: {fact}");
        }
    };
    gone("at once");
    place.lose_the_episodes();
    let memory = place.open();
    consolidate(&memory);
    gone("from the logs");
    memory.import_notes(notes(&imported).as_bytes()).unwrap();
    let more: Vec<String> = imported.into_iter().chain(["A new one about the weather".to_owned()]).collect();
    memory.import_notes(notes(&more).as_bytes()).unwrap();
    gone("from notes");
    assert!(graph(&memory).contains("about the weather"));
}

#[test]
fn notes_and_what_was_remembered_are_forgotten_by_id_too() {
    let place = Place::new();
    let memory = place.open();
    let said = remember(&memory, "Deploys of the Okapi service happen on Tuesday mornings only");
    let note = "The Quokka queue drops messages over one megabyte silently".to_owned();
    memory.import_notes(notes(std::slice::from_ref(&note)).as_bytes()).unwrap();
    memory.forget(&Forget::id(said)).unwrap();
    memory.forget(&Forget::id("note-0")).unwrap();
    assert_eq!(memory.graph().unwrap().nodes, []);
    memory.import_notes(notes(&["Something else that was noted".to_owned(), note]).as_bytes()).unwrap();
    assert_eq!(memory.graph().unwrap().nodes.len(), 1, "the same words under another id");
    for text in ["okapi", "tuesday mornings", "quokka", "one megabyte"] {
        assert_eq!(place.traces(text), [] as [&str; 0]);
    }
}

#[test]
fn said_again_by_the_user_it_is_remembered_again() {
    let place = Place::new();
    let memory = place.open();
    let words = "Deploys of the Okapi service happen on Tuesday mornings only";
    let first = remember(&memory, words);
    memory.forget(&Forget::id(&first)).unwrap();
    let second = remember(&memory, words);
    assert_ne!(first, second);
    drop(memory);
    place.lose_the_database();
    let memory = place.open();
    consolidate(&memory);
    let dump = memory.graph().unwrap();
    assert_eq!(dump.nodes.iter().map(|n| n.id.as_str()).collect::<Vec<_>>(), [second.as_str()]);
    assert_eq!(dump.nodes[0].description, words);
}

#[test]
fn other_words_that_became_the_same_memory_go_with_it() {
    let place = Place::new();
    let memory = place.open();
    let id = remember(&memory, "Use tabs for indentation in Makefiles of the Okapi repository");
    let again = remember(&memory, "Use tabs for indentation in Makefiles of the Okapi repository!");
    assert_eq!(id, again, "the test needs a merge");
    memory.forget(&Forget::id(id)).unwrap();
    drop(memory);
    assert_eq!(place.traces("okapi"), [] as [&str; 0]);
    place.lose_the_database();
    let memory = place.open();
    consolidate(&memory);
    assert_eq!(memory.graph().unwrap().nodes, []);
}

#[test]
fn what_a_forgotten_memory_replaced_stays_replaced() {
    let place = Place::new();
    let memory = place.open();
    let old = remember(&memory, "Use npm instead of yarn for packages");
    let new = remember(&memory, "Use yarn instead of npm for packages");
    let replaced = memory.node(&old).unwrap().unwrap();
    assert_eq!(replaced.superseded_by.as_ref().map(|n| n.as_str()), Some(new.as_str()), "the test needs one");
    memory.forget(&Forget::id(&new)).unwrap();
    let before = shape(&memory.graph().unwrap());
    let left = memory.node(&old).unwrap().unwrap();
    assert_eq!((left.status, left.superseded_by), (replaced.status, None));
    assert_eq!(place.traces("yarn instead of npm"), [] as [&str; 0], "the reason quoted it");
    drop(memory);
    place.lose_the_database();
    let memory = place.open();
    consolidate(&memory);
    assert_eq!(shape(&memory.graph().unwrap()), before);
}

#[test]
fn no_character_of_a_text_is_special() {
    let place = Place::new();
    let memory = place.open();
    let (hundred, star) = (remember(&memory, "Keep coverage at 100% of lines"), remember(&memory, "Lint src/*.py too"));
    let other = remember(&memory, "Keep latency at 100 milliseconds");
    assert_eq!(ids(&memory.forget(&Forget::text("*")).unwrap()), [star.as_str()]);
    assert_eq!(ids(&memory.forget(&Forget::text("100%")).unwrap()), [hundred.as_str()]);
    for none in ["%", "100_", "\\", "'; DROP TABLE nodes", "[a-z]"] {
        assert_eq!(memory.forget(&Forget::text(none)).unwrap_err().kind(), ErrorKind::InvalidArgument, "{none}");
    }
    assert_eq!(memory.graph().unwrap().nodes[0].id.as_str(), other);
}

#[test]
fn what_cannot_be_forgotten_is_said_and_writes_nothing() {
    let place = Place::new();
    let memory = place.open();
    let fails = |what: &Forget, says: &str| {
        let error = memory.forget(what).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains(says), "{error}");
    };
    fails(&Forget::text("anything"), "no memory holds that text");
    assert!(!place.tmp.path().join("home").exists(), "forgetting makes no data folder");
    remember(&memory, "Keep latency at 100 milliseconds");
    let before = std::fs::read(place.data().join("user.jsonl")).unwrap();
    fails(&Forget::text(" \n"), "empty");
    fails(&Forget::id("n_nothing"), "no memory with the id \"n_nothing\"");
    fails(&Forget::text("zebrafish"), "no memory holds that text");
    fails(&Forget::default(), "one of them");
    fails(&Forget { text: Some("x".into()), ..Forget::id("y") }, "one of them");
    assert_eq!(std::fs::read(place.data().join("user.jsonl")).unwrap(), before);
}

#[test]
fn a_dry_run_names_the_same_memories_and_changes_nothing() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let (before, user_log) = (graph(&memory), place.data().join("user.jsonl").exists());
    let dry = memory.forget(&Forget { dry_run: true, ..Forget::text("Norwegian kroner") }).unwrap();
    assert!(dry.dry_run && !dry.forgotten.is_empty());
    assert_eq!((graph(&memory), place.data().join("user.jsonl").exists()), (before, user_log));
    let done = memory.forget(&Forget::text("Norwegian kroner")).unwrap();
    assert_eq!(Forgotten { dry_run: true, ..done }, dry);
}

#[test]
fn while_another_consolidates_it_waits_and_is_done_by_that_one() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let lock = std::fs::File::options().write(true).open(place.data().join("consolidate.lock")).unwrap();
    lock.lock().unwrap();
    let answer = memory.forget(&Forget::text("Norwegian kroner")).unwrap();
    assert_eq!(answer, Forgotten { pending: true, ..Forgotten::default() });
    assert!(graph(&memory).contains("Norwegian kroner"));
    lock.unlock().unwrap();
    consolidate(&place.open());
    assert!(!graph(&memory).contains("Norwegian kroner"));
    assert_eq!(place.traces("norwegian kroner"), [] as [&str; 0]);
}

#[test]
fn an_entry_that_comes_during_a_consolidation_is_applied_at_its_end() {
    let place = Place::new();
    let memory = two_sessions(&place);
    work(&memory, "friday", "b.py", "Rename a to b in b.py, please", "Renamed. We use snake case for names in b.py.");
    let other = place.open();
    let mut answers = Vec::new();
    let report = memory.consolidate(&ConsolidateOptions::default(), &mut |at, of| {
        if at == 0 && of > 0 {
            answers.push(other.forget(&Forget::text("Norwegian kroner")).unwrap());
        }
    });
    assert_eq!(report.unwrap().pending, []);
    assert_eq!(answers, [Forgotten { pending: true, ..Forgotten::default() }]);
    assert!(!graph(&memory).contains("Norwegian kroner") && graph(&memory).contains("b.py"));
    assert_eq!(place.traces("norwegian kroner"), [] as [&str; 0]);
}

/// The entry of a forgetting, as it stands in the user's log; nothing else of it was done.
fn crashed_after_the_entry(place: &Place, memory: &Engram, what: &Forget) {
    let lock = std::fs::File::options().write(true).open(place.data().join("consolidate.lock")).unwrap();
    lock.lock().unwrap();
    assert!(memory.forget(what).unwrap().pending);
}

#[test]
fn a_crash_after_the_entry_is_made_good_at_the_next_start() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let id = node_saying(&memory, "integer cents", "decision");
    crashed_after_the_entry(&place, &memory, &Forget::id(id));
    drop(memory);
    let memory = place.open();
    consolidate(&memory);
    assert!(!graph(&memory).contains("integer cents"));
    assert_eq!(place.traces("totals as integer cents"), [] as [&str; 0]);
    let entries = std::fs::read(place.data().join("user.jsonl")).unwrap();
    consolidate(&memory);
    assert_eq!(std::fs::read(place.data().join("user.jsonl")).unwrap(), entries, "once");
}

#[test]
fn a_remembered_thing_that_waited_is_forgotten_as_well() {
    let place = Place::new();
    let memory = place.open();
    remember(&memory, "Lint the tests too");
    {
        let lock = std::fs::File::options().write(true).open(place.data().join("consolidate.lock")).unwrap();
        lock.lock().unwrap();
        let waits = Remember { text: "The Okapi is fed at nine in the morning".into(), ..Remember::default() };
        assert_eq!(memory.remember(&waits).unwrap().id, None);
    }
    assert_eq!(memory.forget(&Forget::text("okapi")).unwrap().forgotten.len(), 1);
    assert_eq!(place.traces("okapi"), [] as [&str; 0]);
    assert_eq!(memory.graph().unwrap().nodes.len(), 1);
}

#[test]
fn old_copies_of_the_database_and_left_overs_of_writers_go_too() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let data = place.data();
    for name in ["engram.db.corrupt-12", "engram.db.v1", "episodes/x.episode.tmp-999999999-0"] {
        std::fs::write(data.join(name), "the Zebrafish ledger").unwrap();
    }
    std::fs::write(data.join("state/tuesday.json"), r#"{"recent":{"prompt":"the Zebrafish"}}"#).unwrap();
    std::fs::write(
        data.join("state/tuesday.warnings.jsonl"),
        "\n{\"text\":\"the Zebrafish\"}\n{\"text\":\"a Wombat\"}\n",
    )
    .unwrap();
    memory.forget(&Forget::text("Zebrafish")).unwrap();
    assert_eq!(place.traces("zebrafish"), [] as [&str; 0]);
    assert_eq!(place.traces("wombat").len(), 1);
}

#[test]
fn the_verb_has_the_form_that_is_documented() {
    let place = Place::new();
    let memory = place.open();
    let id = remember(&memory, "Use tabs in Makefiles");
    let call = |arguments: Value| -> Value {
        serde_json::from_str(&wire::call(&memory, "forget", &arguments.to_string()).unwrap()).unwrap()
    };
    let named = json!([{"id": id, "name": "Use tabs in Makefiles"}]);
    assert_eq!(call(json!({"text": "TABS", "dryRun": true})), json!({"forgotten": named, "dryRun": true}));
    assert_eq!(call(json!({"id": id})), json!({"forgotten": named, "dryRun": false}));
    let error = wire::call(&memory, "forget", "{}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn the_words_of_what_is_forgotten_find_nothing_any_more() {
    let place = Place::new();
    let memory = place.open();
    remember(&memory, "Xylophone builds need the qvwcache volume mounted");
    for i in 0..40 {
        remember(&memory, &format!("Rule number {i}: part {i} of the system logs at level {i}"));
    }
    memory.forget(&Forget::text("xylophone")).unwrap();
    assert!(!told(&memory, "xylophone qvwcache volume").contains("volume"));
    assert_eq!(place.traces("xylophon"), [] as [&str; 0], "stems of the word index too");
    assert_eq!(place.traces("qvwcach"), [] as [&str; 0]);
    assert!(told(&memory, "part 7 of the system").contains("Rule number 7"), "the vectors and words of the rest work");
    let id = remember(&memory, "Rule number 7: part 7 of the system logs at level 7");
    assert_eq!(memory.graph().unwrap().nodes.iter().filter(|n| n.id.as_str() == id).count(), 1);
    assert_eq!(memory.graph().unwrap().nodes.len(), 40, "it was known");
}

#[test]
fn a_session_that_goes_on_writes_it_into_no_file_again() {
    let place = Place::new();
    let memory = two_sessions(&place);
    let prompt = |memory: &Engram, text: &str| {
        memory.on_user_prompt(&UserPrompt { session: SessionId::new("live"), text: text.into(), ts: None }).unwrap();
    };
    prompt(&memory, "What about the Zebrafish ledger?");
    memory.forget(&Forget::text("zebrafish")).unwrap();
    for tool in ["Read", "Glob"] {
        let call = ToolCall { session: SessionId::new("live"), tool: tool.into(), ..ToolCall::default() };
        place.open().on_tool_call(&call).unwrap();
    }
    assert!(place.data().join("state/live.json").exists());
    assert_eq!(place.traces("zebrafish"), [] as [&str; 0]);
    let end = TurnEnd { session: SessionId::new("live"), text: "Nothing.".into(), ..TurnEnd::default() };
    let stopped = serde_json::to_value(place.open().on_stop(&end).unwrap().event.unwrap()).unwrap();
    assert_eq!(stopped["user"], "What about the Zebrafish ledger?", "the log knows what was asked");
    consolidate(&place.open());
    assert_eq!(place.traces("zebrafish"), [] as [&str; 0]);
}

#[test]
fn remembering_something_else_finishes_what_waited() {
    let place = Place::new();
    let memory = two_sessions(&place);
    crashed_after_the_entry(&place, &memory, &Forget::text("Norwegian kroner"));
    remember(&memory, "Lint the tests too");
    assert!(!graph(&memory).contains("Norwegian kroner"));
    assert_eq!(place.traces("norwegian kroner"), [] as [&str; 0]);
}

#[test]
fn a_user_memory_that_quotes_it_keeps_the_rest() {
    let place = Place::new();
    let memory = place.open();
    memory.import_notes(notes(&["The Okapi is fed at nine in the morning".to_owned()]).as_bytes()).unwrap();
    let own = "Lint before every commit. The okapi is fed at nine in the morning. Run the tests on Fridays";
    let id = remember(&memory, own);
    let answer = memory.forget(&Forget::id("note-0")).unwrap();
    assert_eq!(answer.shortened.iter().map(|n| n.id.as_str()).collect::<Vec<_>>(), [id.as_str()]);
    let left = "Lint before every commit. (forgotten) Run the tests on Fridays";
    assert_eq!(memory.node(&id).unwrap().unwrap().description, left);
    assert_eq!(place.traces("fed at nine"), [] as [&str; 0]);
    drop(memory);
    place.lose_the_database();
    let memory = place.open();
    consolidate(&memory);
    assert_eq!(memory.node(&id).unwrap().unwrap().description, left);
}

#[test]
fn the_beginning_of_a_text_that_was_cut_short_goes_too() {
    let place = Place::new();
    let memory = place.open();
    let text = "wombat-4711 opens the door of the server room in the cellar of the old building";
    let lead = "Please rename the variable a to total in b.py and everywhere that it is used, and in its tests, and in the \
        documentation too, since nobody understands it, and mind that";
    work(&memory, "monday", "b.py", &format!("{lead} {text}"), "Renamed `a` to `total` in `b.py` and in its tests.");
    remember(&memory, text);
    consolidate(&memory);
    let dump = graph(&memory);
    assert!(dump.contains("wombat-4711 opens") && dump.contains("\u{2026}"), "{dump}");
    memory.forget(&Forget::text(text)).unwrap();
    assert_eq!(place.traces("wombat"), [] as [&str; 0]);
    assert!(graph(&memory).contains("Renamed `a` to `total`"));
}

#[test]
fn every_wording_that_became_the_memory_goes_with_it() {
    let place = Place::new();
    let memory = place.open();
    let note = |text: &str| json!({"id": "fire", "name": "Fire drill", "text": text}).to_string();
    memory.import_notes(note("The wombat alarm is tested on Mondays").as_bytes()).unwrap();
    memory.import_notes(note("On the first day of each week we try out the quokka siren").as_bytes()).unwrap();
    assert_eq!(memory.graph().unwrap().nodes.len(), 1, "the test needs a merge");
    memory.forget(&Forget::id("fire")).unwrap();
    for text in ["wombat", "quokka"] {
        assert_eq!(place.traces(text), [] as [&str; 0]);
    }
    drop(memory);
    place.lose_the_database();
    let memory = place.open();
    consolidate(&memory);
    assert_eq!(memory.graph().unwrap().nodes, []);
}

#[test]
fn notes_that_wait_for_their_turn_are_stripped_before_they_are_written() {
    let place = Place::new();
    let memory = place.open();
    let facts = ["The wombat alarm is tested on Mondays".to_owned(), "Lint the tests".to_owned()];
    memory.import_notes(notes(&facts[..1]).as_bytes()).unwrap();
    memory.forget(&Forget::text("wombat")).unwrap();
    let lock = std::fs::File::options().write(true).open(place.data().join("consolidate.lock")).unwrap();
    lock.lock().unwrap();
    let finished = |path: &PathBuf| path.extension().is_some_and(|e| e == "json");
    let written = || files(&place.data().join("episodes")).into_iter().filter(finished).count();
    let before = written();
    std::thread::scope(|scope| {
        let import = scope.spawn(|| memory.import_notes(notes(&facts).as_bytes()));
        while written() == before && !import.is_finished() {
            std::thread::yield_now();
        }
        assert_eq!(place.traces("wombat"), [] as [&str; 0]);
        lock.unlock().unwrap();
        assert_eq!(import.join().unwrap().unwrap().created, 1);
    });
}
