//! The first minutes with the program: what a command that cannot do its work says, and that it never pretends.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::place::Place;
use engram_tests::program;
use engram_tests::repository;
use engram_tests::run::{Ended, run};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn assert_fails(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(code), ""), "{ended:?}");
    assert!(ended.stderr.starts_with("error: "), "{ended:?}");
    for word in words {
        assert!(ended.stderr.contains(word), "no \"{word}\" in {ended:?}");
    }
}

fn assert_says(ended: &Ended, words: &[&str]) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for word in words {
        assert!(ended.stdout.contains(word), "no \"{word}\" in {ended:?}");
    }
}

#[test]
fn a_hook_never_fails_whatever_its_command_line() {
    let place = Place::new();
    for line in
        ["hook", "hook --bogus", "hook claude-code x y", "--quiet hook", "hook claude-code --home", "hook nobody"]
    {
        let ended = run(place.command(&program::engram()).args(line.split(' ')), b"{}");
        assert_eq!(ended.breach(), None, "engram {line}");
        assert!(
            ended.stdout.is_empty() && ended.stderr.starts_with("engram: not recorded: "),
            "engram {line}: {ended:?}"
        );
    }
    for arguments in [&[][..], &["--help"], &["", "x"]] {
        let ended = run(place.command(&program::hook()).args(arguments), b"{}");
        assert_eq!(ended.breach(), None, "engram-hook {arguments:?}");
        assert!(ended.stdout.is_empty(), "engram-hook {arguments:?}: {ended:?}");
    }
    let off = run(place.command(&program::engram()).arg("hook").env("ENGRAM_DISABLE", "1"), b"");
    assert_eq!((off.code, off.stderr.as_str()), (Some(0), ""));
    assert_says(&place.engram(&["hook", "--help"]), &["Usage: engram hook"]);
    assert_eq!(place.engram(&["bogus"]).code, Some(2));
}

#[test]
fn install_and_uninstall_leave_the_settings_as_they_were() {
    let place = Place::new();
    let settings = place.user.join(".claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let mine = "{\n  \"model\": \"opus\"\n}\n";
    std::fs::write(&settings, mine).unwrap();
    assert_says(&place.engram(&["install", "--dry-run"]), &["would change"]);
    assert!(!place.home.exists(), "a dry run makes no home");
    let quiet = place.engram(&["install", "--quiet"]);
    assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(std::fs::metadata(&place.home).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(std::fs::read_to_string(&settings).unwrap().contains("engram-hook"));

    assert_says(&place.engram(&["uninstall", "--dry-run"]), &["would change"]);
    assert!(std::fs::read_to_string(&settings).unwrap().contains("engram-hook"), "a dry run changes nothing");
    assert_eq!(place.json(&["uninstall", "--harness", "claude-code"])["changed"], json!(true));
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), mine);
    assert_says(&place.engram(&["uninstall"]), &["nothing to change"]);
}

#[test]
fn every_harness_that_is_found_is_installed_into_verified_and_repaired() {
    let place = Place::new();
    assert_fails(&place.engram(&["install"]), 1, &["name one"]);
    assert_fails(&place.engram(&["verify"]), 1, &["engram install"]);
    assert_fails(&place.engram(&["repair"]), 1, &["engram install"]);
    for folder in [".claude", ".codex", ".gemini"] {
        std::fs::create_dir_all(place.user.join(folder)).unwrap();
    }
    let installed = place.json(&["install"]);
    let files = installed["files"].as_array().unwrap();
    let names: Vec<&str> = files.iter().map(|f| f["harness"].as_str().unwrap()).collect();
    assert_eq!(names, ["claude-code", "codex", "gemini"]);
    assert!(files[1]["note"].as_str().unwrap().contains("/hooks"), "the trust of Codex is told of");
    assert_eq!(place.json(&["install"])["changed"], json!(false));
    assert_eq!(place.json(&["verify"])["harnesses"], json!(names));

    // The program moved, and one hook went missing.
    let hooks = place.user.join(".codex/hooks.json");
    let text = std::fs::read_to_string(&hooks).unwrap();
    let mut settings: serde_json::Value = serde_json::from_str(&text).unwrap();
    settings["hooks"].as_object_mut().unwrap().remove("Stop");
    let moved = settings.to_string().replace("/engram-hook", "/gone/engram-hook");
    std::fs::write(&hooks, moved).unwrap();
    let wrong = place.engram(&["verify"]);
    assert_fails(&wrong, 1, &["engram repair"]);
    assert!(wrong.stderr.contains("+ Stop") && wrong.stderr.contains("/gone/engram-hook"), "{wrong:?}");
    let doctor = place.engram(&["doctor", "--json"]);
    assert_eq!(doctor.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&doctor.stdout).unwrap();
    let codex = report["checks"].as_array().unwrap().iter().find(|c| c["name"] == "codex").unwrap();
    assert_eq!((&codex["level"], &codex["remedy"]), (&json!("error"), &json!("engram repair")));
    assert_eq!(place.json(&["repair"])["changed"], json!(true));
    assert_eq!(place.json(&["verify"])["healthy"], json!(true));
    assert_says(&place.engram(&["repair"]), &["nothing to mend"]);
    assert_says(&place.engram(&["migrate"]), &["present form"]);

    place.json(&["uninstall"]);
    assert!(!std::fs::read_to_string(&hooks).is_ok_and(|t| t.contains("engram")));
    assert!(!place.user.join(".gemini/settings.json").exists());
}

#[test]
fn one_broken_file_keeps_engram_in_no_other() {
    let place = Place::new();
    for folder in [".claude", ".codex", ".gemini"] {
        std::fs::create_dir_all(place.user.join(folder)).unwrap();
    }
    place.json(&["install"]);
    let broken = place.user.join(".claude/settings.json");
    std::fs::write(&broken, "{bad").unwrap();
    let ended = place.engram(&["uninstall"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("settings.json") && ended.stdout.contains("Gemini CLI"), "{ended:?}");
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), "{bad");
    for file in [".codex/hooks.json", ".gemini/settings.json"] {
        assert!(!place.user.join(file).exists(), "{file}");
    }
}

#[test]
fn uninstall_finds_what_stands_in_the_project_too() {
    let place = Place::with_git();
    place.json(&["install", "--harness", "claude-code", "--local"]);
    assert_eq!(place.json(&["verify"])["harnesses"], json!(["claude-code"]));
    assert_eq!(place.json(&["uninstall", "--user"])["changed"], json!(false));
    assert_eq!(place.json(&["uninstall"])["changed"], json!(true));
    assert!(!place.project.join(".claude/settings.local.json").exists());
}

#[test]
fn doctor_names_what_is_wrong_with_its_remedy() {
    let place = Place::with_git();
    std::fs::create_dir_all(place.user.join(".gemini")).unwrap();
    std::fs::create_dir_all(&place.home).unwrap();
    std::fs::set_permissions(&place.home, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ended = run(place.command(&program::engram()).arg("doctor").env("ENGRAM_DISABLE", "1"), b"");
    assert_eq!(ended.code, Some(3), "warnings, no error: {ended:?}");
    for said in ["chmod 700", "unset ENGRAM_DISABLE", "engram install --harness gemini"] {
        assert!(ended.stdout.contains(said), "{said}: {}", ended.stdout);
    }
    assert_says(&place.engram(&["install", "--harness", "generic"]), &["engram-hook generic", "tool_call"]);
}

#[test]
fn a_local_install_is_the_projects_and_needs_one() {
    let place = Place::with_git();
    let sub = place.project.join("src");
    let sub = sub.to_str().unwrap();
    for project in ["/nowhere/at/all", "/", place.user.to_str().unwrap()] {
        assert_fails(&place.engram(&["install", "--local", "--project", project]), 2, &["project"]);
        assert_fails(&place.engram(&["uninstall", "--local", "--project", project]), 2, &["project"]);
    }
    assert!(!Path::new("/nowhere").exists() && !place.user.join(".claude").exists());
    assert_eq!(place.engram(&["install", "--harness", "claude-code", "--local", "--project", sub]).code, Some(0));
    assert!(place.project.join(".claude/settings.local.json").is_file(), "it belongs into the root");
    assert_eq!(place.json(&["uninstall", "--local"])["changed"], json!(true));
}

/// A project with a decision about `cart.py`, which does not exist yet.
fn decided(place: Place) -> Place {
    place.json(&["remember", "Amounts are integers in cents, never floats", "--files", "cart.py"]);
    place
}

const FLOATS: &str = "def total(lines):\n    return float(total_price) * 1.19\n";

#[test]
fn check_asks_git_for_new_and_changed_files() {
    let place = decided(Place::with_git());
    let file = place.project.join("cart.py");
    let verdict = |place: &Place| place.json(&["check", "--file", "cart.py"])["verdict"].clone();
    assert_fails(&place.engram(&["check", "--file", "cart.py"]), 1, &["no such file", "--diff"]);
    std::fs::write(&file, FLOATS).unwrap();
    assert_eq!(verdict(&place), "DIRECT_CONTRADICTION", "an untracked file is new from its first line");
    std::fs::write(&file, "def total(lines):\n    return 0\n").unwrap();
    place.commit_all();
    assert_fails(&place.engram(&["check", "--file", "cart.py"]), 1, &["there is no change in the diff"]);
    std::fs::write(&file, FLOATS).unwrap();
    assert_eq!(verdict(&place), "DIRECT_CONTRADICTION");
}

#[test]
fn check_names_what_is_missing() {
    let place = decided(Place::new());
    std::fs::write(place.project.join("cart.py"), FLOATS).unwrap();
    assert_fails(&place.engram(&["check", "--file", "cart.py"]), 1, &["no git repository", "--diff"]);
    let fresh = Place::new();
    fresh.git(&["init", "--quiet"]);
    let fresh = decided(fresh);
    std::fs::write(fresh.project.join("cart.py"), FLOATS).unwrap();
    assert_eq!(fresh.json(&["check", "--file", "cart.py"])["verdict"], "DIRECT_CONTRADICTION", "no commit yet");
    for diff in ["", "words", "--- a/cart.py\n+++ b/cart.py\n"] {
        let arguments = ["check", "--file", "cart.py", "--diff", "-"];
        let ended = run(place.command(&program::engram()).args(arguments), diff.as_bytes());
        assert_fails(&ended, 1, &["there is no change in the diff"]);
    }
}

fn transcript(cwd: &Path, session: &str) -> String {
    let line = |uuid: &str, kind: &str, content: Value| {
        json!({"type": kind, "uuid": uuid, "parentUuid": null, "sessionId": session, "cwd": cwd, "version": "2.1.0",
            "timestamp": "2026-02-03T04:05:06.000Z", "message": {"role": kind, "content": content}})
        .to_string()
    };
    let said = "We decided to use a hand-written parser instead of a generator because errors read better.";
    [line("1", "user", json!("Please fix the parser")), line("2", "assistant", json!([{"type": "text", "text": said}]))]
        .join("\n")
}

#[test]
fn sessions_of_another_project_are_left_out_unless_they_are_named() {
    let place = Place::with_git();
    let name: String =
        place.project.to_str().unwrap().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let kept = place.user.join(".claude/projects").join(name);
    std::fs::create_dir_all(&kept).unwrap();
    let other = place.root().join("other");
    std::fs::create_dir_all(&other).unwrap();
    let places =
        [("a", place.project.join("src")), ("b", place.project.join("gone")), ("c", other), ("d", "/gone".into())];
    for (session, cwd) in &places {
        std::fs::write(kept.join(format!("{session}.jsonl")), transcript(cwd, session)).unwrap();
    }
    let ended = place.engram(&["import", "--from", "claude-code", "--dry-run"]);
    assert_says(
        &ended,
        &["a.jsonl: 3 events would", "b.jsonl: 3 events would", "c.jsonl: skipped", "d.jsonl: skipped", "2 sessions"],
    );
    let imported = place.json(&["import", "--from", "claude-code"]);
    assert_eq!(imported["sessions"].as_array().unwrap().len(), 2, "{imported}");
    assert!(place.log_path("a").exists() && !place.log_path("c").exists());
    let named = kept.join("c.jsonl");
    assert_says(&place.engram(&["import", "--from", "claude-code", named.to_str().unwrap()]), &["c.jsonl: 3 events"]);
}

#[test]
fn a_file_that_is_no_transcript_is_refused_and_leaves_nothing() {
    let place = Place::new();
    let notes = place.root().join("notes.jsonl");
    std::fs::write(&notes, "{\"id\":\"n\",\"text\":\"The parser keeps comments\"}\n").unwrap();
    let notes = notes.to_str().unwrap();
    assert_fails(&place.engram(&["import", "--from", "claude-code", notes]), 1, &["notes.jsonl", "--format notes"]);
    assert!(!place.home.join("projects").exists());
    assert_fails(&place.engram(&["import", notes]), 2, &["--from", "--format"]);
    assert_fails(&place.engram(&["import", "--from", "claude-code"]), 1, &["keeps no sessions of this project"]);
}

#[test]
fn notes_are_tried_as_they_are_imported() {
    let place = Place::new();
    let path = place.root().join("notes.jsonl");
    let arguments = ["import", "--format", "notes", path.to_str().unwrap()];
    let dry = [&arguments[..], &["--dry-run"]].concat();
    std::fs::write(&path, "{\"id\":\"n\",\"text\":\"The parser keeps comments\"}\n{\"id\":\"m\"}\n").unwrap();
    assert_fails(&place.engram(&dry), 1, &["line 2"]);
    assert_fails(&place.engram(&arguments), 1, &["line 2"]);
    assert!(!place.home.join("projects").exists());
    std::fs::write(&path, "{\"id\":\"n\",\"text\":\"The parser keeps comments\"}\n").unwrap();
    assert_says(&place.engram(&dry), &["1 notes would be imported"]);
    assert!(!place.home.join("projects").exists());
    assert_says(&place.engram(&arguments), &["1 memories new, 0 known already, 0 links\n"]);
    assert_says(&place.engram(&arguments), &["(imported before)"]);
    assert_eq!(place.json(&arguments)["files"], json!([{"file": path, "created": 0, "merged": 0, "edges": 0}]));
}

#[test]
fn what_is_printed_is_for_people() {
    let place = Place::new();
    std::fs::create_dir_all(&place.home).unwrap();
    std::fs::write(place.home.join("config.json"), "{\"nonsense\": 1}").unwrap();
    let status = place.engram(&["status"]);
    assert_eq!((status.stdout.matches("nonsense").count(), status.stderr.as_str()), (1, ""), "{status:?}");
    std::fs::remove_file(place.home.join("config.json")).unwrap();
    for limit in ["0", "1001", "x"] {
        assert_fails(&place.engram(&["query", "parser", "--limit", limit]), 2, &["--limit"]);
    }
    place.json(&["remember", "The parser keeps comments for the formatter", "--files", "a.rs,b.rs,c.rs,d.rs"]);
    let answer = place.engram(&["query", "what does the parser keep?"]);
    assert_says(&answer, &["keeps comments for the formatter", "a.rs b.rs +2\n"]);
    assert!(!answer.stdout.contains("; "), "one way is enough: {}", answer.stdout);
    let prompt =
        json!({"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": place.project, "prompt": "hello"});
    assert_eq!(place.hook("claude-code", &prompt).code, Some(0));
    let heading = place.engram(&["events"]).stdout.lines().next().unwrap().to_owned();
    assert!(heading.starts_with("session s1 20") && heading.ends_with(|c: char| c.is_ascii_digit()), "{heading}");
}

#[test]
fn the_readme_shows_the_program_that_is_tested() {
    let shown = |file: &str| {
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        let (_, after) = text.split_once("```rust,no_run\n").expect("an example that the compiler sees");
        after.split_once("```").unwrap().0.to_owned()
    };
    // The crate's page is a doctest of engram-core; the repository's is nobody's.
    assert_eq!(shown("README.md"), shown("engram-core/README.md"));
}
