//! With the real Claude Code and a scripted model: what `engram install` writes fires, and what hooks answer reaches the
//! model. Needs `../shared/real-clients` and the client's package; skipped where they are missing.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::place::Place;
use engram_tests::run::{WATCHDOG, run};
use engram_tests::{process, program, recorded, repository, shared, skip};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The runner of real clients, where it and what it needs are here.
fn runner() -> Option<PathBuf> {
    let script = shared("real-clients/run_client.py")?;
    let cache = PathBuf::from(std::env::var_os("HOME")?).join(".cache/engram-real-clients");
    let client = cache.join("node_modules/@anthropic-ai/claude-code-linux-x64/claude");
    let python = std::process::Command::new("python3").arg("--version").output();
    (client.exists() && python.is_ok_and(|p| p.status.success())).then_some(script)
}

/// Runs one session of the real client; gives the bodies of its requests to the model, in order.
fn session(place: &Place, runner: &Path, script: &str, prompt: &str) -> Vec<String> {
    let script = repository().join(format!("examples/sessions/{script}.script.json"));
    let mut command = place.command(Path::new("python3"));
    // The client finds engram's home below its own, as a user's would, and is allowed background work.
    command.env_remove("ENGRAM_HOME").env_remove("ENGRAM_NO_BACKGROUND");
    command.env("HOME", std::env::var_os("HOME").unwrap());
    command.arg(runner).arg("claude-code").arg("--home").arg(&place.user).arg("--project").arg(&place.project);
    command.arg("--script").arg(script).args(["--prompt", prompt, "--before"]);
    command.arg(format!("'{}' install --harness claude-code", program::engram().display()));
    let ended = run(&mut command, b"");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["exit"], 0, "{report}");
    let log = PathBuf::from(report["requests"].as_str().unwrap());
    let requests = std::fs::read_to_string(&log).unwrap().lines().map(str::to_owned).collect();
    let _ = std::fs::remove_dir_all(log.parent().unwrap());
    requests
}

#[test]
fn claude_code_remembers_and_is_warned() {
    let Some(runner) = runner() else {
        return skip("claude_code_remembers_and_is_warned: no ../shared/real-clients, Claude Code or python3");
    };
    let place = Place::new();
    recorded::set_up_project(&place);
    std::fs::write(place.project.join(".gitignore"), "__pycache__/\n").unwrap();
    place.commit_all();

    let first = session(&place, &runner, "1-fix", "The invoice test fails, please find out why and fix it");
    assert!(first.len() >= 4, "{} requests", first.len());
    assert!(
        !first.iter().any(|r| r.contains("engram memory") || r.contains("engram warning:")),
        "nothing is known yet"
    );
    assert!(process::all_gone(place.root(), WATCHDOG), "the consolidator ends by itself");
    place.git(&["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--all", "--message=fix"]);

    let second = session(&place, &runner, "2-discount", "Add a discount in percent to the invoice total");
    assert!(
        second[0].contains("engram memory") && second[0].contains("integer cents"),
        "known before the first action"
    );
    let warned = second.iter().position(|r| r.contains("engram warning:"));
    // Request 0 is answered with the read, 1 with the contradicting edit: the next one must carry the warning.
    assert_eq!(warned, Some(2), "the warning comes with the result of the edit that contradicts");
    let warnings = second.last().unwrap().matches("engram warning:").count();
    assert_eq!(warnings, 1, "the change back to cents is not warned about");

    assert!(process::all_gone(place.root(), WATCHDOG), "{:?}", process::alive(place.root()));
    assert_eq!(place.git(&["status", "--porcelain"]), " M invoice.py\n", "the agent's edit and nothing of ours");
    let status = run(place.command(&program::engram()).env_remove("ENGRAM_HOME").args(["status", "--json"]), b"");
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!((&status["sessions"], &status["pending"]), (&2.into(), &serde_json::json!(0)), "{status}");
}
