//! With the real Claude Code, Codex and Gemini CLI and a scripted model: what `engram install` writes fires, what hooks
//! answer reaches the model, and `engram uninstall` leaves the settings as they were. Needs `../shared/real-clients` and
//! python3; the clients are installed into a cache of the user's, or skipped where that cannot be.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::event_log::EventLog;
use engram_tests::place::Place;
use engram_tests::run::{WATCHDOG, run};
use engram_tests::{process, program, recorded, repository, shared, skip};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A real client.
struct Client {
    name: &'static str,
    package: &'static str,
    /// What the package has when it is installed.
    marker: &'static str,
    settings: &'static str,
}

const CLAUDE_CODE: Client = Client {
    name: "claude-code",
    package: "@anthropic-ai/claude-code@2.1.332",
    marker: "@anthropic-ai/claude-code-linux-x64/claude",
    settings: ".claude/settings.json",
};
const CODEX: Client = Client {
    name: "codex",
    package: "@openai/codex@0.171.0",
    marker: "@openai/codex/package.json",
    settings: ".codex/hooks.json",
};
const GEMINI: Client = Client {
    name: "gemini",
    package: "@google/gemini-cli@0.61.0",
    marker: "@google/gemini-cli/package.json",
    settings: ".gemini/settings.json",
};

/// Installs one client at a time into the cache.
static CACHE: Mutex<()> = Mutex::new(());

/// The runner of real clients, where it, the client and what they need are here.
fn runner(client: &Client) -> Option<PathBuf> {
    let script = shared("real-clients/run_client.py")?;
    let works = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|p| p.status.success());
    if !works("python3") || !works("node") {
        return None;
    }
    let cache = PathBuf::from(std::env::var_os("HOME")?).join(".cache/engram-real-clients");
    let is_there = || cache.join("node_modules").join(client.marker).exists();
    let _alone = CACHE.lock().unwrap();
    if !is_there() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&cache).arg(client.package);
        let _ = npm.output();
    }
    is_there().then_some(script)
}

/// One run of the client: the bodies of its requests to the model, in order.
fn session(place: &Place, client: &Client, runner: &Path, script: &Path, prompt: &str) -> Vec<String> {
    let mut command = place.command(Path::new("python3"));
    // The client finds engram's home below its own, as a user's would, and is allowed background work.
    command.env_remove("ENGRAM_HOME").env_remove("ENGRAM_NO_BACKGROUND");
    command.env("HOME", std::env::var_os("HOME").unwrap());
    command.arg(runner).arg(client.name).arg("--home").arg(&place.user).arg("--project").arg(&place.project);
    command.arg("--script").arg(script).args(["--prompt", prompt]);
    let node = std::env::var("PATH").unwrap_or_default();
    command.args(["--path", &node, "--before"]);
    command.arg(format!("'{}' install --harness {}", program::engram().display(), client.name));
    let ended = run(&mut command, b"");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["exit"], 0, "{report}");
    let log = PathBuf::from(report["requests"].as_str().unwrap());
    let requests = std::fs::read_to_string(&log).unwrap().lines().map(str::to_owned).collect();
    let _ = std::fs::remove_dir_all(log.parent().unwrap());
    requests
}

/// engram as the client's user has it.
fn engram(place: &Place, arguments: &[&str]) -> Value {
    let ended = run(place.command(&program::engram()).env_remove("ENGRAM_HOME").arg("--json").args(arguments), b"");
    assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
    serde_json::from_str(&ended.stdout).unwrap()
}

fn scripted(name: &str) -> PathBuf {
    repository().join(format!("examples/sessions/{name}.script.json"))
}

/// The events of the logs below the user's own engram home, in the order of the files.
fn events(place: &Place) -> Vec<Value> {
    let sessions = std::fs::read_dir(place.user.join(".engram/projects")).unwrap().flatten();
    let logs = sessions.flat_map(|p| std::fs::read_dir(p.path().join("events")).into_iter().flatten().flatten());
    logs.flat_map(|log| EventLog::read(&log.path()).events).collect()
}

fn of_type<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|e| e["type"] == kind).collect()
}

/// Two sessions: the first mends and decides, the second is told and warned; then engram goes without a trace.
fn remembers_and_is_warned(client: &Client) {
    let Some(runner) = runner(client) else {
        return skip(&format!(
            "{}: no ../shared/real-clients, python3, node, or no package of the client",
            client.name
        ));
    };
    let place = Place::new();
    recorded::set_up_project(&place);
    std::fs::write(place.project.join(".gitignore"), "__pycache__/\n").unwrap();
    place.commit_all();

    let task = "The invoice test fails, please find out why and fix it";
    let first = session(&place, client, &runner, &scripted("1-fix"), task);
    assert!(first.len() >= 4, "{} requests", first.len());
    let knows = |r: &String| r.contains("engram memory:") || r.contains("engram warning:");
    assert!(!first.iter().any(knows), "nothing is known yet");
    assert!(process::all_gone(place.root(), WATCHDOG), "the consolidator ends by itself");
    let log = events(&place);
    let tests: Vec<bool> = of_type(&log, "test_run").iter().map(|t| t["exitCode"] == 0).collect();
    assert_eq!(tests, [false, true], "a failing and a passing run: {log:#?}");
    assert_eq!(of_type(&log, "file_write").len(), 1, "{log:#?}");
    assert!(!of_type(&log, "file_read").is_empty() && of_type(&log, "turn_complete").len() == 1, "{log:#?}");
    assert_eq!(of_type(&log, "prompt")[0]["text"], task);
    place.git(&["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--all", "--message=fix"]);

    let second =
        session(&place, client, &runner, &scripted("2-discount"), "Add a discount in percent to the invoice total");
    // Gemini CLI also asks small questions beside the work, without tools.
    let works = |r: &&String| r.contains("discount in percent") && r.contains("invoice") && r.contains("\"tools\"");
    let asks: Vec<&String> = second.iter().filter(works).collect();
    assert!(asks[0].contains("engram memory:") && asks[0].contains("integer cents"), "known before the first action");
    let warned = asks.iter().position(|r| r.contains("engram warning:"));
    // Request 0 is answered with the read, 1 with the contradicting edit: the next one must carry the warning.
    assert_eq!(warned, Some(2), "the warning comes with the result of the edit that contradicts");
    let warnings = asks.last().unwrap().matches("engram warning:").count();
    assert_eq!(warnings, 1, "the change back to cents is not warned about, and nothing is said twice");

    assert!(process::all_gone(place.root(), WATCHDOG), "{:?}", process::alive(place.root()));
    assert_eq!(place.git(&["status", "--porcelain"]), " M invoice.py\n", "the agent's edit and nothing of ours");
    let status = engram(&place, &["status"]);
    assert_eq!((&status["sessions"], &status["pending"]), (&2.into(), &json!(0)), "{status}");

    assert_eq!(engram(&place, &["verify"])["healthy"], true);
    engram(&place, &["uninstall"]);
    let settings = std::fs::read_to_string(place.user.join(client.settings)).unwrap_or_default();
    assert!(!settings.contains("engram"), "{settings}");
}

#[test]
fn claude_code_remembers_and_is_warned() {
    remembers_and_is_warned(&CLAUDE_CODE);
}

#[test]
fn codex_remembers_and_is_warned() {
    remembers_and_is_warned(&CODEX);
}

#[test]
fn gemini_remembers_and_is_warned() {
    remembers_and_is_warned(&GEMINI);
}

/// Codex says nothing of a patch that fails and of one made through the shell: both are found in its recording.
#[test]
fn codex_patches_are_known_although_no_hook_tells_of_them() {
    let Some(runner) = runner(&CODEX) else {
        return skip("codex patches: no ../shared/real-clients, python3, node, or no package of the client");
    };
    let place = Place::new();
    recorded::set_up_project(&place);
    place.commit_all();
    let script = place.root().join("script.json");
    let patch =
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: notes.md\n+Prices are strings.\n*** End Patch\nEOF\n";
    let steps = json!([
        {"say": "Trying.", "edit": {"file": "invoice.py", "old": "no such line", "new": "x"}},
        {"bash": patch},
        {"bash": "sh -c 'echo broken; exit 7'"},
        {"say": "Wrote the notes."},
    ]);
    std::fs::write(&script, steps.to_string()).unwrap();
    session(&place, &CODEX, &runner, &script, "Write notes");
    assert!(process::all_gone(place.root(), WATCHDOG));
    let log = events(&place);
    let writes = of_type(&log, "file_write");
    assert_eq!(writes.len(), 1, "the patch that failed changed nothing: {log:#?}");
    assert_eq!((&writes[0]["path"], &writes[0]["kind"]), (&json!("notes.md"), &json!("create")));
    let failed: Vec<&Value> = log.iter().filter(|e| e["exitCode"].as_i64().is_some_and(|c| c != 0)).collect();
    assert!(failed.iter().any(|e| e["tool"] == "apply_patch"), "the failed patch is on record: {log:#?}");
    let exited: Vec<&Value> = of_type(&log, "outcome").iter().map(|e| &e["exitCode"]).collect();
    assert_eq!(exited, [7], "the hook saw no exit code: {log:#?}");
    let ids: Vec<&Value> =
        log.iter().filter(|e| e["type"] != "outcome").map(|e| &e["toolUseId"]).filter(|id| id.is_string()).collect();
    let mut once = ids.clone();
    once.sort_by_key(|id| id.to_string());
    once.dedup();
    assert_eq!(ids.len(), once.len(), "no call is logged twice: {log:#?}");
    assert_eq!(
        log.last().map(|e| e["type"].clone()).filter(|t| t != "session_end").unwrap_or_else(|| json!("turn_complete")),
        "turn_complete"
    );
}
