use super::*;
use std::collections::BTreeMap;
use std::path::Path;

fn parse(harness: &str, payload: &Value) -> Parsed {
    (adapter(harness).unwrap().parse)(payload)
}

/// The recorded payloads of one file; none, with a line that says so, where the file is not here.
fn recorded(file: &str) -> Vec<Value> {
    let path = Path::new("/work/shared").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().map(|l| serde_json::from_str(l).unwrap()).collect(),
        Err(_) => {
            eprintln!("SKIPPED: no recorded payloads at {}", path.display());
            Vec::new()
        }
    }
}

fn kind(event: &HostEvent) -> &'static str {
    match event {
        HostEvent::SessionStart(_) => "start",
        HostEvent::Prompt(_) => "prompt",
        HostEvent::BeforeTool(_) => "before",
        HostEvent::Tool(c) if c.error.is_some() => "failed",
        HostEvent::Tool(_) => "tool",
        HostEvent::Decision(_) => "decision",
        HostEvent::Stop(_) => "stop",
        HostEvent::Compaction(_) => "compact",
        HostEvent::SessionEnd(_) => "end",
        HostEvent::Ignored => "ignored",
    }
}

/// Harness, file, and how often each kind of event is in it.
type Counts = &'static [(&'static str, usize)];

const FILES: &[(&str, &str, Counts)] = &[
    (
        "claude-code",
        "real-clients/payloads/claude-code.jsonl",
        &[("before", 4), ("end", 1), ("failed", 1), ("prompt", 1), ("start", 1), ("stop", 1), ("tool", 3)],
    ),
    (
        "codex",
        "real-clients/payloads/codex.jsonl",
        &[("before", 4), ("end", 1), ("prompt", 1), ("start", 1), ("stop", 1), ("tool", 4)],
    ),
    (
        "gemini",
        "real-clients/payloads/gemini.jsonl",
        &[("before", 4), ("end", 1), ("ignored", 5), ("prompt", 1), ("start", 1), ("stop", 1), ("tool", 4)],
    ),
    (
        "gemini",
        "transcripts/hook-payloads/gemini-cli-0.61.0/run1_stdin.jsonl",
        &[
            ("before", 6),
            ("end", 1),
            ("failed", 1),
            ("ignored", 7),
            ("prompt", 1),
            ("start", 1),
            ("stop", 1),
            ("tool", 5),
        ],
    ),
    (
        "codex",
        "transcripts/hook-payloads/codex-0.171.0/run3_apply_patch_stdin.jsonl",
        &[("before", 2), ("end", 1), ("prompt", 1), ("start", 1), ("stop", 1), ("tool", 1)],
    ),
    (
        "claude-code",
        "transcripts/hook-payloads/claude-code-derived/entireio-cli_03_2026-01-16_d2fc39aa5f.hooks.jsonl",
        &[("before", 66), ("end", 1), ("failed", 7), ("prompt", 2), ("start", 1), ("stop", 2), ("tool", 58)],
    ),
];

#[test]
fn recorded_payloads_are_understood() {
    for (harness, file, expected) in FILES {
        let payloads = recorded(file);
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for payload in &payloads {
            let parsed = parse(harness, payload);
            *found.entry(kind(&parsed.event)).or_default() += 1;
            assert!(parsed.cwd.starts_with('/') && parsed.transcript_path.is_some() && !parsed.name.is_empty());
            if let HostEvent::Tool(call) | HostEvent::BeforeTool(call) = &parsed.event {
                assert!(!call.tool.is_empty() && call.input.is_object() && call.session.as_str().len() > 8);
            }
        }
        if !payloads.is_empty() {
            assert_eq!(found.into_iter().collect::<Vec<_>>(), *expected, "{file}");
        }
    }
}

#[test]
fn the_details_of_real_calls_arrive() {
    for payload in recorded("real-clients/payloads/claude-code.jsonl") {
        match parse("claude-code", &payload).event {
            HostEvent::Tool(call) if call.error.is_some() => {
                assert_eq!((call.exit_code, call.output), (Some(1), None));
                assert!(call.tool_use_id.is_some() && call.error.unwrap().contains("AssertionError"));
            }
            HostEvent::Tool(call) if call.tool == "Edit" => {
                assert!(call.output.unwrap()["structuredPatch"].is_array());
            }
            HostEvent::Stop(end) => assert!(end.text.starts_with("Fixed: add()") && end.agent.is_none()),
            _ => {}
        }
    }
    for payload in recorded("real-clients/payloads/gemini.jsonl") {
        match parse("gemini", &payload).event {
            HostEvent::Stop(end) => assert_eq!(end.text, "Look.\nFixed the sign."),
            HostEvent::Tool(call) => assert!(call.ts.is_some() && call.output.unwrap()["llmContent"].is_string()),
            _ => {}
        }
    }
    for payload in recorded("real-clients/payloads/codex.jsonl") {
        if let HostEvent::Tool(call) = parse("codex", &payload).event {
            assert!(call.output.unwrap().is_string());
        }
    }
}

#[test]
fn prompts_of_machines_are_not_the_users() {
    for (source, is_prompt) in [("user", true), ("sdk", true), ("system", false), ("loop_wakeup", false)] {
        let payload = json!({"hook_event_name": "UserPromptSubmit", "prompt": "go", "source": source});
        assert_eq!(kind(&parse("claude-code", &payload).event) == "prompt", is_prompt, "{source}");
    }
    let notice = json!({"hook_event_name": "UserPromptSubmit", "prompt": "<task-notification>x</task-notification>"});
    assert_eq!(parse("claude-code", &notice).event, HostEvent::Ignored);
}

#[test]
fn sub_agents_are_named() {
    let stop = json!({"hook_event_name": "SubagentStop", "agent_id": "a1", "last_assistant_message": "found it"});
    let HostEvent::Stop(end) = parse("claude-code", &stop).event else { panic!("no stop") };
    assert_eq!((end.agent.as_deref(), end.text.as_str()), (Some("a1"), "found it"));
    let tool = json!({"hook_event_name": "PostToolUse", "agent_id": "a1", "tool_name": "Read", "tool_response": {}});
    let HostEvent::Tool(call) = parse("claude-code", &tool).event else { panic!("no call") };
    assert_eq!(call.agent.as_deref(), Some("a1"));
}

#[test]
fn the_plain_form_and_claudes_form_reach_the_generic_adapter() {
    let plain = json!({"event": "tool_call", "session": "s", "cwd": "/p", "tool": "bash", "input": {"command": "ls"},
        "output": "a.rs", "exitCode": 2, "error": "no", "ts": "2026-01-02T03:04:05Z"});
    let HostEvent::Tool(call) = parse("generic", &plain).event else { panic!("no call") };
    assert_eq!((call.session.as_str(), call.exit_code, call.error.as_deref()), ("s", Some(2), Some("no")));
    assert_eq!((call.cwd.as_str(), call.ts.unwrap().date().as_str()), ("/p", "2026-01-02"));
    for (event, expected) in [
        ("session_start", "start"),
        ("prompt", "prompt"),
        ("before_tool", "before"),
        ("stop", "stop"),
        ("compact", "compact"),
        ("session_end", "end"),
        ("dance", "ignored"),
    ] {
        assert_eq!(kind(&parse("generic", &json!({"event": event, "text": "hi"})).event), expected);
    }
    let claude = json!({"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": "done"});
    assert_eq!(kind(&parse("generic", &claude).event), "stop");
}

/// Every field that may stand in an answer, by harness: Codex rejects an answer with any other.
#[test]
fn answers_hold_only_the_fields_of_their_harness() {
    for (harness, events, silent) in [
        (
            "claude-code",
            &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"][..],
            &["Stop", "SubagentStop", "PreCompact", "SessionEnd", "Unheard", ""][..],
        ),
        (
            "codex",
            &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"],
            &["Stop", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd", "PostToolUseFailure"],
        ),
        (
            "gemini",
            &["SessionStart", "BeforeAgent", "AfterTool"],
            &["AfterAgent", "PreCompress", "SessionEnd", "BeforeTool"],
        ),
    ] {
        let adapter = adapter(harness).unwrap();
        for event in events {
            let expected = json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": "note"}});
            assert_eq!((adapter.render)(event, " note\n"), Some(expected), "{harness} {event}");
            assert!((adapter.accepts_context)(event));
            assert_eq!((adapter.render)(event, "  "), None, "nothing to say");
        }
        for event in silent {
            assert_eq!((adapter.render)(event, "note"), None, "{harness} {event}");
            assert!(!(adapter.accepts_context)(event));
        }
    }
    let generic = adapter("generic").unwrap();
    assert_eq!((generic.render)("tool_call", "note"), Some(json!({"context": "note"})));
    assert_eq!((generic.render)("stop", "note"), None);
}

#[test]
fn long_context_is_cut_to_what_harnesses_take() {
    let answer = (adapter("claude-code").unwrap().render)("SessionStart", &"\u{fc}".repeat(20_000)).unwrap();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.len() < 10_000 && context.ends_with('\u{2026}'));
}

#[test]
fn each_harness_has_one_adapter() {
    let names: Vec<&str> = ADAPTERS.iter().map(|a| a.harness.name()).collect();
    assert_eq!(names, ["claude-code", "codex", "gemini", "copilot", "cursor", "generic"]);
    assert!(adapter("emacs").is_none());
}

/// Valid payloads to be damaged.
fn samples() -> Vec<Value> {
    let mut samples: Vec<Value> =
        ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "AfterTool", "BeforeAgent"]
            .iter()
            .map(|name| {
                json!({"hook_event_name": name, "session_id": "s", "cwd": "/p", "transcript_path": "/t", "source": "user",
                    "prompt": "p", "tool_name": "Edit", "tool_input": {"file_path": "a"}, "tool_response": {"error": {}},
                    "error": "Exit code 1", "is_interrupt": false, "tool_use_id": "t", "agent_id": "a",
                    "timestamp": "2026-01-02T03:04:05Z", "last_assistant_message": "m", "prompt_response": "r"})
            })
            .collect();
    samples.push(json!({"event": "tool_call", "session": "s", "cwd": "/p", "tool": "bash", "input": {}, "output": "o",
        "error": "e", "exitCode": 1, "toolUseId": "t", "agent": "a", "ts": "t", "text": "x"}));
    samples
}

#[test]
fn damaged_payloads_are_survived_and_parse_to_the_same_kind() {
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("../../etc/passwd\0\u{202e}"),
        json!("x".repeat(100_000)),
        json!([]),
        json!([[{}]]),
        json!({}),
        json!({"message": {"a": [1]}, "error": "e"}),
    ];
    let mut tried = 0;
    for sample in samples() {
        let fields = sample.as_object().unwrap();
        for (name, adapter) in fields.keys().flat_map(|name| ADAPTERS.iter().map(move |a| (name, a))) {
            let mut missing = sample.clone();
            missing.as_object_mut().unwrap().remove(name);
            let wrong = odd.iter().map(|o| {
                let mut damaged = sample.clone();
                damaged[name] = o.clone();
                damaged
            });
            for damaged in wrong.chain([missing]) {
                let parsed = (adapter.parse)(&damaged);
                let _ = (adapter.render)(&parsed.name, "note");
                tried += 1;
                let names_event = matches!(name.as_str(), "hook_event_name" | "event" | "prompt" | "source" | "text");
                if !names_event && adapter.harness != Harness::Generic {
                    let (before, after) = ((adapter.parse)(&sample).event, parsed.event);
                    assert_eq!(
                        std::mem::discriminant(&before),
                        std::mem::discriminant(&after),
                        "{name}: {damaged:.200}"
                    );
                }
            }
        }
    }
    for not_an_object in odd {
        for adapter in ADAPTERS {
            assert_eq!((adapter.parse)(&not_an_object).event, HostEvent::Ignored);
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn copilot_and_cursor_are_read_in_their_own_names() {
    let parsed = |harness: &str, payload: serde_json::Value| (adapter(harness).unwrap().parse)(&payload);
    let base = json!({"sessionId": "s1", "cwd": "/p", "timestamp": 1_700_000_000_000_i64});
    let with = |event: &str, more: serde_json::Value| {
        let mut payload = base.clone();
        payload[EVENT] = event.into();
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        parsed("copilot", payload)
    };
    let HostEvent::Tool(call) = with(
        "postToolUse",
        json!({"toolName": "bash", "toolArgs": "{\"command\":\"make\"}", "toolResult": {"textResultForLlm": "no\n<shellId: 3 completed with exit code 2>"}}),
    )
    .event
    else {
        panic!()
    };
    assert_eq!((call.exit_code, call.tool.as_str(), &call.input["command"]), (Some(2), "bash", &json!("make")));
    assert_eq!(call.ts.unwrap().as_millis(), 1_700_000_000_000);
    assert!(
        matches!(with("userPromptSubmitted", json!({"prompt": "go"})).event, HostEvent::Prompt(p) if p.text == "go")
    );
    assert!(matches!(with("agentStop", json!({})).event, HostEvent::Stop(_)));
    assert_eq!(with("preToolUse", json!({"toolCalls": []})).event, HostEvent::Ignored);

    let cursor = json!({"hook_event_name": "postToolUseFailure", "conversation_id": "c1", "workspace_roots": ["/p"],
        "tool_name": "Shell", "tool_input": {"command": "make"}, "error_message": "it failed"});
    let read = parsed("cursor", cursor);
    let HostEvent::Tool(call) = read.event else { panic!() };
    assert_eq!((call.error.as_deref(), call.cwd.as_str(), call.session.as_str()), (Some("it failed"), "/p", "c1"));
    for harness in ["copilot", "cursor"] {
        let adapter = adapter(harness).unwrap();
        assert!((adapter.render)("sessionStart", "told").is_some() && (adapter.render)("stop", "told").is_none());
    }
}

#[test]
fn a_decision_of_the_plain_form_is_one() {
    let payload =
        json!({"event": "decision", "session": "s", "cwd": "/p", "content": "Use cents", "rejected": ["floats", 7]});
    let HostEvent::Decision(decided) = (adapter("generic").unwrap().parse)(&payload).event else { panic!() };
    assert_eq!((decided.content.as_str(), decided.rejected), ("Use cents", vec!["floats".to_owned()]));
}
