use super::*;
use crate::capture::call::Harness;
use crate::capture::event::{ExitCodeSource, LinesChanged};
use proptest::prelude::*;
use serde_json::{Value, json};

fn call(harness: Harness, tool: &str, input: Value, output: Value) -> ToolCall {
    let output = (!output.is_null()).then_some(output);
    ToolCall { harness, tool: tool.to_owned(), input, output, ..ToolCall::default() }
}

fn relative(path: &str) -> String {
    path.strip_prefix("/p/").unwrap_or(path).to_owned()
}

fn event(call: &ToolCall) -> Event {
    capture(call, &relative, Timestamp::default())
}

fn body(harness: Harness, tool: &str, input: Value, output: Value) -> EventBody {
    event(&call(harness, tool, input, output)).body
}

fn bash(command: &str, output: Value) -> EventBody {
    body(Harness::ClaudeCode, "Bash", json!({"command": command}), output)
}

fn claude_ok(stdout: &str) -> Value {
    json!({"stdout": stdout, "stderr": "", "interrupted": false})
}

fn failing(command: &str, error: &str) -> Event {
    let mut call = call(Harness::ClaudeCode, "Bash", json!({"command": command}), Value::Null);
    call.error = Some(error.to_owned());
    event(&call)
}

#[test]
fn each_tool_gives_its_type() {
    use Harness::{ClaudeCode, Codex, Gemini, Generic};
    let cases: &[(Harness, &str, Value, &str)] = &[
        (ClaudeCode, "Read", json!({"file_path": "/p/a.rs"}), "file_read"),
        (ClaudeCode, "Write", json!({"file_path": "/p/a.rs", "content": "x"}), "file_write"),
        (ClaudeCode, "Edit", json!({"file_path": "/p/a.rs", "old_string": "a", "new_string": "b"}), "file_write"),
        (
            ClaudeCode,
            "MultiEdit",
            json!({"file_path": "/p/a.rs", "edits": [{"old_string": "a", "new_string": "b"}]}),
            "file_write",
        ),
        (ClaudeCode, "NotebookEdit", json!({"notebook_path": "/p/a.ipynb", "new_source": "b"}), "file_write"),
        (ClaudeCode, "Grep", json!({"pattern": "x"}), "search"),
        (ClaudeCode, "Glob", json!({"pattern": "*.rs"}), "search"),
        (ClaudeCode, "LS", json!({"path": "/p"}), "search"),
        (ClaudeCode, "WebSearch", json!({"query": "x"}), "research"),
        (ClaudeCode, "WebFetch", json!({"url": "https://x", "prompt": "y"}), "research"),
        (ClaudeCode, "Task", json!({"prompt": "x"}), "tool"),
        (ClaudeCode, "TodoWrite", json!({"todos": []}), "tool"),
        (ClaudeCode, "PowerShell", json!({"command": "Get-Content a.rs"}), "file_read"),
        (Codex, "apply_patch", json!({"command": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}), "file_write"),
        (Codex, "shell", json!({"command": ["bash", "-lc", "cargo test"]}), "test_run"),
        (Codex, "exec_command", json!({"cmd": "cat a.rs"}), "file_read"),
        (Gemini, "read_file", json!({"file_path": "a.rs"}), "file_read"),
        (Gemini, "read_many_files", json!({"paths": ["a.rs", "b.rs"]}), "file_read"),
        (Gemini, "write_file", json!({"file_path": "a.rs", "content": "x"}), "file_write"),
        (Gemini, "replace", json!({"file_path": "a.rs", "old_string": "a", "new_string": "b"}), "file_write"),
        (Gemini, "run_shell_command", json!({"command": "npm run build"}), "build"),
        (Gemini, "search_file_content", json!({"pattern": "x"}), "search"),
        (Gemini, "list_directory", json!({"dir_path": "/p"}), "search"),
        (Gemini, "google_web_search", json!({"query": "x"}), "research"),
        (Gemini, "save_memory", json!({"fact": "uses tabs"}), "decision"),
        (Generic, "read", json!({"filePath": "a.rs"}), "file_read"),
        (Generic, "edit", json!({"filePath": "a.rs", "oldString": "a", "newString": "b"}), "file_write"),
        (Generic, "bash", json!({"command": "git push"}), "command"),
        (Generic, "find", json!({"pattern": "*.rs"}), "search"),
        (Generic, "str_replace_editor", json!({"command": "view", "path": "a.rs"}), "file_read"),
        (
            Generic,
            "str_replace_editor",
            json!({"command": "insert", "path": "a.rs", "insert_line": 3, "new_str": "x"}),
            "file_write",
        ),
        (Generic, "mcp__fs__write_file", json!({"path": "a.rs", "content": "x"}), "file_write"),
        (Generic, "save_decision", json!({"decision": "use x", "rationale": "y", "files": ["a.rs"]}), "decision"),
        (Generic, "mcp__github__create_issue", json!({"title": "x"}), "tool"),
        (Generic, "Read", json!({}), "tool"),
        (Generic, "", json!(null), "tool"),
    ];
    for (harness, tool, input, expected) in cases {
        assert_eq!(body(*harness, tool, input.clone(), Value::Null).type_name(), *expected, "{tool} {input}");
    }
}

#[test]
fn the_same_read_in_every_shape_is_the_same_event() {
    let shapes = [
        json!("fn main() {}\n"),
        json!({"type": "text", "file": {"filePath": "/p/a.rs", "content": "fn main() {}\n"}}),
        json!({"llmContent": "fn main() {}\n", "returnDisplay": ""}),
        json!({"content": [{"type": "text", "text": "fn main() {}\n"}]}),
        json!([{"type": "text", "text": "fn main() {}\n"}]),
        json!({"output": "fn main() {}\n", "metadata": {"x": 1}}),
    ];
    let hash = Some(crate::text::digest::<8>(b"fn main() {}\n"));
    for shape in shapes {
        let made = body(Harness::Generic, "read", json!({"path": "/p/a.rs", "unknown": [1]}), shape.clone());
        let expected = EventBody::FileRead { path: "a.rs".to_owned(), content_hash: hash.clone(), also: vec![] };
        assert_eq!(made, expected, "{shape}");
    }
}

#[test]
fn exit_codes_are_reported_or_inferred() {
    use ExitCodeSource::{Inferred, Reported};
    let codex = |command: &str, out: &str| body(Harness::Codex, "Bash", json!({"command": command}), json!(out));
    let gemini = |out: &str| {
        body(Harness::Gemini, "run_shell_command", json!({"command": "npm test"}), json!({"llmContent": out}))
    };
    let cases = [
        (failing("npm test", "Exit code 1\nFAIL src/a.test.ts").body, Some(1), Some(Reported)),
        (bash("npm test", claude_ok("ok")), Some(0), Some(Reported)),
        (bash("npm test | tail -3", claude_ok("Tests: 1 failed, 2 total")), Some(1), Some(Inferred)),
        (bash("npm test || true", claude_ok("Tests: 2 passed, 2 total")), Some(0), Some(Inferred)),
        (bash("npm test; echo \"exit: $?\"", claude_ok("whatever\nexit: 3")), Some(3), Some(Inferred)),
        (codex("cargo test", "test result: FAILED. 1 passed; 1 failed;"), Some(1), Some(Inferred)),
        (codex("cargo build", "error[E0308]: x\n --> src/a.rs:1:1"), Some(1), Some(Inferred)),
        (codex("cargo build", "   Finished dev"), Some(0), Some(Inferred)),
        (codex("git pull", "fatal: not a git repository"), Some(128).map(|_| 1), Some(Inferred)),
        (gemini("<untrusted_context>\nOutput: x\nExit Code: 2\n</untrusted_context>"), Some(2), Some(Reported)),
        (gemini("<untrusted_context>\nOutput: x\n</untrusted_context>"), Some(0), Some(Reported)),
        (
            body(
                Harness::Generic,
                "bash",
                json!({"command": "npm test"}),
                json!({"output": "x", "metadata": {"exit": 1}}),
            ),
            Some(1),
            Some(Reported),
        ),
        (
            body(Harness::Generic, "bash", json!({"command": "npm test"}), json!({"stdout": "x", "exit_code": "1"})),
            Some(1),
            Some(Reported),
        ),
        (body(Harness::Generic, "bash", json!({"command": "npm test"}), Value::Null), None, None),
        (bash("npm test", json!({"stdout": "", "backgroundTaskId": "b1"})), None, None),
    ];
    for (body, code, source) in cases {
        let (EventBody::TestRun { exit_code, exit_code_source, .. }
        | EventBody::Build { exit_code, exit_code_source, .. }
        | EventBody::Command { exit_code, exit_code_source, .. }) = &body
        else {
            panic!("{body:?}")
        };
        assert_eq!((*exit_code, *exit_code_source), (code, source), "{body:?}");
    }
}

#[test]
fn a_failing_test_in_a_generic_harness_is_a_failing_test() {
    let mut call = call(Harness::Generic, "bash", json!({"command": "sh test-exit-1.sh"}), Value::Null);
    call.exit_code = Some(1);
    let e = event(&call);
    assert!(matches!(e.body, EventBody::TestRun { exit_code: Some(1), .. }), "{e:?}");
    assert!(e.body.failed() && e.flags.is_empty());
}

#[test]
fn refused_and_interrupted_calls_are_no_test_runs() {
    let errors = [
        "The user doesn't want to proceed with this tool use.",
        "Command timed out after 2m 0s",
        "<tool_use_error>x</tool_use_error>",
    ];
    for error in errors {
        let body = failing("npm test", error).body;
        assert!(matches!(&body, EventBody::Command { error: Some(_), exit_code: None, .. }), "{body:?}");
    }
    let body = bash("npm test", json!({"stdout": "", "interrupted": true}));
    assert!(matches!(&body, EventBody::Command { error: Some(e), .. } if e == "interrupted"), "{body:?}");
}

#[test]
fn a_runner_that_is_missing_is_flagged() {
    let e = failing("pytest -q", "Exit code 127\nbash: pytest: command not found");
    assert_eq!(e.flags, [crate::capture::NOT_STARTED]);
    let e = failing(
        "python3 -m pytest || python3 -c 'from test_a import *; test_x()'",
        "Exit code 1\n/usr/bin/python3: No module named pytest\n  File \"/p/test_a.py\", line 3, in x\nAssertionError",
    );
    assert!(e.flags.is_empty(), "the second command ran and failed");
}

#[test]
fn compound_commands_take_the_weightiest_part() {
    let cases = [
        ("cat a.rs && cargo test", "test_run"),
        ("cargo build && cat a.rs", "build"),
        ("cat a.rs && sed -i s/a/b/ b.rs", "file_write"),
        ("grep x src; cat a.rs", "file_read"),
        ("git status; ls", "search"),
        ("git add . && git commit -m 'cargo test; rm -rf x'", "command"),
        ("cat <<'EOF' > notes.md\ncargo test\nEOF", "file_write"),
        ("rm -rf /tmp/scratch", "command"),
    ];
    for (command, expected) in cases {
        assert_eq!(bash(command, claude_ok("x")).type_name(), expected, "{command}");
    }
    let stopped = failing("cargo build && cargo test", "Exit code 101\nerror[E0308]: x\n --> src/a.rs:1:1").body;
    assert_eq!(stopped.type_name(), "build", "the tests did not run");
    assert_eq!(
        failing("cat missing", "Exit code 1\ncat: missing: No such file or directory").body.type_name(),
        "command"
    );
}

#[test]
fn writes_say_whether_the_file_is_new() {
    let write =
        |output| body(Harness::ClaudeCode, "Write", json!({"file_path": "/p/a.rs", "content": "a\nb\n"}), output);
    let kind = |b: &EventBody| if let EventBody::FileWrite { change, .. } = b { Some(change.kind) } else { None };
    assert_eq!(
        kind(&write(json!({"type": "create", "structuredPatch": [], "originalFile": null}))),
        Some(WriteKind::Create)
    );
    let update = write(json!({"type": "update", "structuredPatch": [], "originalFile": "a\nc\n"}));
    assert_eq!(kind(&update), Some(WriteKind::Update));
    let EventBody::FileWrite { change, .. } = update else { panic!() };
    assert_eq!(change.diff, "@@ -1,2 +1,2 @@\n a\n-c\n+b\n");
    assert_eq!(write(json!({"type": "update", "staged": true})).type_name(), "tool", "a staged write changed nothing");
    assert_eq!(kind(&write(Value::Null)), Some(WriteKind::Create));
}

#[test]
fn an_edit_finds_its_lines_in_the_original() {
    let input = json!({"file_path": "/p/a.rs", "old_string": "two", "new_string": "2"});
    let output = json!({"originalFile": "one\ntwo\nthree\n", "structuredPatch": []});
    let EventBody::FileWrite { change, .. } = body(Harness::ClaudeCode, "Edit", input, output) else { panic!() };
    assert_eq!(change.lines_changed, LinesChanged { added: 1, removed: 1, ranges: vec![[2, 2]] });
    assert_eq!(change.evidence, "one\n2\nthree\n");
}

#[test]
fn a_patch_over_several_files_is_one_line() {
    let patch = "*** Begin Patch\n*** Update File: /p/a.py\n@@\n-x\n+y\n*** Update File: b.py\n*** Move to: c.py\n@@\n-x\n+y\n*** End Patch";
    let commands = [
        body(Harness::Codex, "apply_patch", json!({"command": patch}), json!("Exit code: 0\nSuccess.")),
        bash(&format!("cd sub && apply_patch <<'EOF'\n{patch}\nEOF"), claude_ok("Success.")),
    ];
    for made in commands {
        let EventBody::FileWrite { change, also } = made else { panic!("{made:?}") };
        assert_eq!(change.path, "a.py");
        assert!(also[0].path.ends_with("c.py") && also[0].renamed_from.as_deref().is_some_and(|p| p.ends_with("b.py")));
    }
    let failed = body(Harness::Codex, "apply_patch", json!({"command": patch}), json!("Exit code: 1\nInvalid context"));
    assert_eq!(failed.type_name(), "tool");
}

#[test]
fn research_and_searches_count_their_results() {
    let web = json!({"query": "x", "results": [{"tool_use_id": "t", "content": [{"title": "a"}, {"title": "b"}]}, "a summary"]});
    let made = body(Harness::ClaudeCode, "WebSearch", json!({"query": "x"}), web);
    assert!(matches!(made, EventBody::Research { results_count: Some(2), .. }), "{made:?}");
    let grep = json!({"mode": "files_with_matches", "numFiles": 3, "filenames": ["a", "b", "c"]});
    let made = body(Harness::ClaudeCode, "Grep", json!({"pattern": "x", "path": "/p/src"}), grep);
    let expected = EventBody::Search { query: "x".to_owned(), path: Some("src".to_owned()), results_count: Some(3) };
    assert_eq!(made, expected);
    let made = bash("grep -rn x src", claude_ok("a:1:x\nb:2:x"));
    assert!(matches!(made, EventBody::Search { results_count: Some(2), .. }), "{made:?}");
    let none = failing("grep x src", "Exit code 1").body;
    assert!(matches!(none, EventBody::Search { results_count: Some(0), .. }), "{none:?}");
}

#[test]
fn secrets_do_not_pass_in_any_field() {
    let secret = format!("ghp_{}", "aB3dE5fG7h".repeat(4));
    let outputs = [json!(format!("error: bad token {secret}\nFAILED t.py::x[{secret}] - ValueError")), Value::Null];
    let inputs = [
        ("Bash", json!({"command": format!("GITHUB_TOKEN={secret} pytest")})),
        ("Bash", json!({"command": format!("curl -H 'Authorization: Bearer {secret}' x")})),
        ("Bash", json!({"command": format!("echo {secret} > .env")})),
        ("Write", json!({"file_path": "/p/.env", "content": format!("A=1\nB={secret}\n")})),
        ("Edit", json!({"file_path": format!("/p/{secret}"), "old_string": "a", "new_string": secret})),
        ("Grep", json!({"pattern": secret})),
        ("WebFetch", json!({"url": format!("https://x?{secret}")})),
        ("save_decision", json!({"content": secret, "rationale": secret, "rejected": [secret], "files": [secret]})),
        ("nothing", json!({"x": secret})),
    ];
    for (tool, input) in &inputs {
        for output in &outputs {
            let mut call = call(Harness::Codex, tool, input.clone(), output.clone());
            let clean = |c: &ToolCall| !serde_json::to_string(&event(c)).unwrap().contains("aB3dE5fG7haB3d");
            assert!(clean(&call), "{tool} {:?}", event(&call));
            call.error = Some(format!("Exit code 1\nfatal: {secret}"));
            assert!(clean(&call), "{tool} with an error {:?}", event(&call));
        }
    }
}

#[test]
fn big_calls_make_small_events() {
    let big = "x = 'some text' # and more\n".repeat(200_000);
    let files: String = (0..80).map(|n| format!("*** Add File: f{n}\n{}", "+line of a file\n".repeat(1_000))).collect();
    let calls = [
        call(Harness::ClaudeCode, "Write", json!({"file_path": "/p/a", "content": big}), Value::Null),
        call(Harness::ClaudeCode, "Bash", json!({"command": "npm test"}), claude_ok(&big)),
        call(Harness::ClaudeCode, "Bash", json!({"command": big}), claude_ok("x")),
        call(Harness::Codex, "apply_patch", json!({"command": files}), Value::Null),
        call(Harness::ClaudeCode, &"n".repeat(100_000), json!({}), json!(big)),
    ];
    for call in calls {
        let line = serde_json::to_string(&event(&call)).unwrap();
        assert!(line.len() < 160 * 1024, "{} bytes for {}", line.len(), crate::text::clip(&call.tool, 20));
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ -~\n\u{e9}\u{1b}\0]{0,40}",
        Just("Exit code 1\nerror[E0308]\n --> a.rs:1:1\n".to_owned()),
        Just("*** Begin Patch\n*** Update File: a\n@@ -1,2 +3 @@\n-x\n+\u{e9}\n".to_owned()),
        Just("cd x && cat <<EOF | sh -c 'pytest; $(rm y' > z".to_owned()),
        Just("@@ -4294967295,1 +4294967295,9 @@\n+a\n-b\n c".to_owned()),
        Just("Traceback\n  File \"a.py\", line 1\nKeyError: 'x'\n1 failed, 99999999999 passed".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from)
    ];
    let key = prop_oneof![
        Just("command"),
        Just("file_path"),
        Just("content"),
        Just("old_string"),
        Just("new_string"),
        Just("edits"),
        Just("structuredPatch"),
        Just("lines"),
        Just("oldStart"),
        Just("newStart"),
        Just("originalFile"),
        Just("stdout"),
        Just("file"),
        Just("error"),
        Just("pattern"),
        Just("insert_line"),
        Just("results"),
        Just("returnDisplay"),
        Just("fileDiff"),
        Just("metadata"),
        Just("exit"),
        Just("patch"),
        Just("paths"),
        Just("llmContent"),
    ];
    leaf.prop_recursive(4, 48, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..8).prop_map(|pairs| pairs
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #[test]
    fn any_call_makes_an_event_that_round_trips(
        tool in prop_oneof![
            Just("Bash"), Just("Read"), Just("Write"), Just("Edit"), Just("MultiEdit"), Just("NotebookEdit"), Just("apply_patch"),
            Just("Grep"), Just("WebSearch"), Just("str_replace_editor"), Just("save_memory"), Just("replace"), Just("x"),
        ],
        harness in prop_oneof![Just(Harness::ClaudeCode), Just(Harness::Codex), Just(Harness::Gemini), Just(Harness::Generic)],
        input in any_json(),
        output in prop::option::of(any_json()),
        error in prop::option::of("[ -~\n]{0,60}"),
        exit_code in prop::option::of(any::<i32>()),
    ) {
        let call = ToolCall { harness, tool: tool.to_owned(), input, output, error, exit_code, ..ToolCall::default() };
        let mut made = event(&call);
        let mut recent = crate::capture::Recent::default();
        for _ in 0..3 {
            recent.stamp(&mut made);
            recent.apply(&made);
        }
        let line = serde_json::to_string(&made).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Event>(&line).unwrap(), &made);
        prop_assert_eq!(event(&call).body, made.body, "deterministic");
    }
}
