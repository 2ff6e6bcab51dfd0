use super::*;
use crate::adapters::HostEvent as E;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What a person finds in the recorded sessions by reading them: words of the user, calls that ran, calls that failed.
const RECORDED: &[(&str, usize, usize, usize)] = &[
    ("cipher-box/02_2026-02-21_485d538f55-1.jsonl", 10, 139, 4),
    ("cipher-box/03_2026-02-22_a1991528fc.jsonl", 9, 65, 4),
    ("context-evaluator/01_2026-02-12_3a3c81d623.jsonl", 3, 60, 2),
    ("context-evaluator/02_2026-02-12_e3f2133aa6.jsonl", 2, 31, 1),
    ("context-evaluator/03_2026-02-13_28f44c88f4-1.jsonl", 4, 55, 3),
    ("context-evaluator/04_2026-02-17_da33aeff7e-2.jsonl", 3, 71, 2),
    ("context-evaluator/05_2026-02-17_8f64dd752f-1.jsonl", 2, 65, 2),
    ("context-evaluator/09_2026-02-19_946606a339-1.jsonl", 1, 31, 1),
    ("entireio-cli/01_2026-01-05_de498254e2.jsonl", 15, 110, 6),
    ("entireio-cli/02_2026-01-08_e8fac5a8d6.jsonl", 4, 49, 1),
    ("entireio-cli/03_2026-01-16_d2fc39aa5f.jsonl", 2, 58, 7),
    ("entireio-cli/05_2026-02-02_c9e2351016-2.jsonl", 5, 79, 5),
    ("entireio-cli/07_2026-02-09_053674f90a.jsonl", 6, 89, 5),
    ("entireio-cli/09_2026-02-09_db96e5c261.jsonl", 11, 118, 3),
    ("entireio-cli/10_2026-02-09_fc89b34b6c.jsonl", 4, 56, 2),
    ("entireio-cli/11_2026-02-11_04c3d92e38-4.jsonl", 1, 109, 3),
];

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new("/work/shared/transcripts").join(folder);
    if !path.is_dir() {
        eprintln!("SKIPPED: no recorded sessions at {}", path.display());
        return None;
    }
    Some(path)
}

fn count(events: &[E], is: impl Fn(&E) -> bool) -> usize {
    events.iter().filter(|e| is(e)).count()
}

fn ran(event: &E) -> bool {
    matches!(event, E::Tool(c) if c.output.is_some() && c.error.is_none() && !c.input.is_null())
}

fn failed(event: &E) -> bool {
    matches!(event, E::Tool(c) if c.error.is_some() && c.output.is_none() && c.exit_code.is_some_and(|c| c != 0))
}

fn time_of(event: &E) -> Option<engram_core::time::Timestamp> {
    match event {
        E::SessionStart(e) => e.ts,
        E::Prompt(e) => e.ts,
        E::BeforeTool(e) | E::Tool(e) => e.ts,
        E::Decision(e) => e.ts,
        E::Stop(e) => e.ts,
        E::Compaction(e) => e.ts,
        E::SessionEnd(e) => e.ts,
        E::Ignored => None,
    }
}

#[test]
fn every_recorded_session_replays_as_its_hooks_would_have() {
    let Some(folder) = shared("claude-code") else { return };
    println!("{:52} prompts   ran failed stops compact", "session");
    for (name, prompts, good, bad) in RECORDED {
        let t = read(Source::ClaudeCode, &folder.join(name)).unwrap();
        let e = &t.events;
        let stops = count(e, |e| matches!(e, E::Stop(_)));
        let compactions = count(e, |e| matches!(e, E::Compaction(_)));
        let found = (count(e, |e| matches!(e, E::Prompt(_))), count(e, ran), count(e, failed));
        println!("{name:52} {:7} {:5} {:6} {stops:5} {compactions:7}", found.0, found.1, found.2);
        assert_eq!(found, (*prompts, *good, *bad), "{name}");
        assert_eq!(count(e, |e| matches!(e, E::Tool(_))), good + bad, "{name}");
        assert!((1..=prompts + 2).contains(&stops) && t.skipped_lines == 0, "{name}: {stops} stops");
        assert!(matches!(&e[0], E::SessionStart(s) if s.cwd == t.cwd && s.cwd.starts_with("/home/dev/")), "{name}");
        assert!(e.iter().all(|e| time_of(e).is_some()), "{name}");
    }
}

#[test]
fn the_final_texts_are_those_of_the_derived_hook_streams() {
    let Some(folder) = shared("hook-payloads/claude-code-derived") else { return };
    let Some(sessions) = shared("claude-code") else { return };
    for (stream, session) in [
        ("cipher-box_02_2026-02-21_485d538f55-1", "cipher-box/02_2026-02-21_485d538f55-1"),
        ("entireio-cli_03_2026-01-16_d2fc39aa5f", "entireio-cli/03_2026-01-16_d2fc39aa5f"),
    ] {
        let expected: Vec<String> = std::fs::read_to_string(folder.join(format!("{stream}.hooks.jsonl")))
            .unwrap()
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap())
            .filter(|p| p["hook_event_name"] == "Stop")
            .map(|p| p["last_assistant_message"].as_str().unwrap().trim().to_owned())
            .collect();
        let t = read(Source::ClaudeCode, &sessions.join(format!("{session}.jsonl"))).unwrap();
        let stops: Vec<String> =
            t.events.into_iter().filter_map(|e| if let E::Stop(s) = e { Some(s.text) } else { None }).collect();
        assert_eq!(stops, expected, "{session}");
    }
}

fn replay(records: &[Value]) -> Transcript {
    let text: String = records.iter().map(|r| format!("{r}\n")).collect();
    claude_code::read(text.as_bytes(), "stem").unwrap()
}

/// The events in short, one word and a text each.
fn short(t: &Transcript) -> Vec<String> {
    t.events
        .iter()
        .map(|e| match e {
            E::SessionStart(s) => format!("start {}", s.source),
            E::Prompt(p) => format!("prompt {}", p.text),
            E::BeforeTool(_) | E::Decision(_) | E::Ignored | E::SessionEnd(_) => "unexpected".to_owned(),
            E::Tool(c) => format!("tool {} {}", c.tool, c.agent.as_deref().unwrap_or("-")),
            E::Stop(s) => format!("stop {}", s.text),
            E::Compaction(c) => format!("compact {}", c.trigger),
        })
        .collect()
}

fn user(text: &str) -> Value {
    json!({"type": "user", "sessionId": "s", "cwd": "/p", "message": {"content": text}})
}

fn says(id: &str, text: &str) -> Value {
    json!({"type": "assistant", "message": {"id": id, "content": [{"type": "text", "text": text}]}})
}

fn calls(id: &str, tool: &str) -> Value {
    let block = json!({"type": "tool_use", "id": id, "name": tool, "input": {"plan": "1. go"}});
    json!({"type": "assistant", "message": {"id": "m", "content": [block]}})
}

fn result(id: &str, text: &str, error: bool, structured: Value) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": error});
    json!({"type": "user", "toolUseResult": structured, "message": {"content": [block]}})
}

fn queued(operation: &str, text: &str) -> Value {
    json!({"type": "queue-operation", "operation": operation, "content": text, "sessionId": "s"})
}

#[test]
fn answers_approvals_and_reasons_for_a_refusal_are_the_users_words() {
    let t = replay(&[
        user("go"),
        calls("1", "AskUserQuestion"),
        result("1", "answered", false, json!({"answers": {"Tabs?": "yes"}})),
        calls("2", "ExitPlanMode"),
        result("2", "approved", false, json!({"plan": "1. go"})),
        calls("3", "Edit"),
        result(
            "3",
            "The user doesn't want to proceed with this tool use. ... the user said:\nuse a trait",
            true,
            json!(""),
        ),
        calls("4", "Edit"),
        result("4", "<tool_use_error>not read yet</tool_use_error>", true, json!("Error")),
        says("m9", "ok"),
    ]);
    let expected = [
        "start startup",
        "prompt go",
        "tool AskUserQuestion -",
        "prompt Tabs? yes",
        "tool ExitPlanMode -",
        "prompt Approved this plan:\n1. go",
        "prompt use a trait",
        "stop ok",
    ];
    assert_eq!(short(&t), expected);
    assert_eq!((t.session.as_str(), t.cwd.as_str()), ("s", "/p"));
}

#[test]
fn a_queued_prompt_counts_once_and_not_when_taken_back() {
    let attachment = json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and push"}});
    let t = replay(&[
        user("go"),
        queued("enqueue", "and push"),
        attachment,
        queued("enqueue", "wait"),
        queued("popAll", ""),
        queued("enqueue", "next task"),
        says("m1", "done"),
        user("next task"),
    ]);
    assert_eq!(short(&t), ["start startup", "prompt go", "prompt and push", "stop done", "prompt next task"]);
}

#[test]
fn sub_agents_speak_neither_for_the_user_nor_for_the_agent() {
    let aside = |mut record: Value| {
        record["isSidechain"] = json!(true);
        record
    };
    let t = replay(&[
        user("go"),
        aside(user("You are a reviewer.")),
        aside(calls("1", "Read")),
        aside(result("1", "text", false, json!({"type": "text"}))),
        aside(says("a1", "reviewed")),
        says("m1", "done"),
        json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}),
    ]);
    assert_eq!(short(&t), ["start startup", "prompt go", "tool Read sidechain", "compact auto", "stop done"]);
}

#[test]
fn an_interrupted_turn_has_no_stop_and_a_recorded_one_has_even_without_words() {
    let ended = json!({"type": "system", "subtype": "stop_hook_summary"});
    let t = replay(&[
        user("go"),
        says("m1", "Let me"),
        user("[Request interrupted by user]"),
        user("again"),
        calls("1", "Bash"),
        result("1", "Exit code 2\nboom", true, json!("Error: Exit code 2")),
        ended.clone(),
        ended,
    ]);
    assert_eq!(short(&t), ["start startup", "prompt go", "prompt again", "tool Bash -", "stop "]);
}

#[test]
fn records_of_any_shape_are_survived_and_repeats_are_read_once() {
    let odd = [json!(null), json!(7), json!("x"), json!([]), json!({}), json!([1, "a", {"type": "tool_result"}])];
    let mut records = vec![json!({"type": "user", "uuid": "u1", "message": {"content": "hello"}}); 2];
    for kind in ["user", "assistant", "system", "queue-operation", "attachment", "summary", ""] {
        for o in &odd {
            records.push(json!({"type": kind, "message": o, "sessionId": o, "cwd": o, "timestamp": o, "uuid": o,
                "attachment": o, "operation": o, "content": o, "subtype": o, "toolUseResult": o}));
            records.push(json!({"type": kind, "message": {"content": o, "id": o, "model": o}}));
            records
                .push(json!({"type": kind, "message": {"content": [{"type": "tool_use", "id": "t", "input": o}, o]}}));
        }
    }
    let t = replay(&records);
    assert_eq!(t.events.iter().filter(|e| matches!(e, E::Prompt(p) if p.text == "hello")).count(), 1);
}

#[test]
fn what_is_no_file_is_refused_with_its_name() {
    let error = read(Source::ClaudeCode, Path::new("/")).unwrap_err();
    assert!(error.to_string().contains("\"/\" is no file"), "{error}");
    assert!(read(Source::ClaudeCode, Path::new("/no/such.jsonl")).unwrap_err().to_string().contains("/no/such.jsonl"));
}
