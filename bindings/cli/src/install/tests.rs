use super::claude_code::{plan, plan_removal};
use super::*;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const HOOK: &str = "/opt/engram/bin/engram-hook";

const EVENTS: [&str; 8] = [
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
];

/// Settings of a user who has hooks of their own, in tabs and an order of their own.
const USERS: &str = "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\
    \t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"say done\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t],\n\
    \t\t\"Notification\": []\n\t},\n\t\"env\": {\n\t\t\"Z\": \"1\",\n\t\t\"A\": \"2\"\n\t}\n}\n";

fn planned(text: &str) -> Plan {
    plan(text, Path::new(HOOK)).unwrap()
}

fn json_of(plan: &Plan) -> Value {
    serde_json::from_str(plan.new_text.trim_start_matches('\u{feff}')).unwrap()
}

#[test]
fn an_empty_file_gets_every_hook() {
    let plan = planned("");
    assert!(plan.changed && plan.new_text.ends_with("}\n"));
    assert_eq!(plan.added_events, EVENTS);
    let hooks = &json_of(&plan)["hooks"];
    let handler =
        |timeout: u64| json!({"type": "command", "command": HOOK, "args": ["claude-code"], "timeout": timeout});
    for (event, timeout) in EVENTS.into_iter().zip([10, 5, 5, 5, 5, 5, 5, 1]) {
        assert_eq!(hooks[event][0]["hooks"], json!([handler(timeout)]), "{event}");
        let matcher = event.starts_with("PostToolUse").then_some("*");
        assert_eq!(hooks[event][0]["matcher"].as_str(), matcher, "{event}");
    }
}

#[test]
fn everything_of_the_users_stays_in_its_order_and_style() {
    let plan = planned(USERS);
    let new: Vec<&str> = plan.new_text.lines().collect();
    let mut at = 0;
    for line in USERS.lines().filter(|l| !matches!(l.trim(), "]" | "]," | "}" | "},")) {
        let found = new[at..].iter().position(|n| n.trim_end_matches(',') == line.trim_end_matches(','));
        at += found.unwrap_or_else(|| panic!("lost or moved: {line}")) + 1;
    }
    let settings = json_of(&plan);
    assert_eq!(settings["hooks"]["Stop"].as_array().unwrap().len(), 2);
    assert_eq!(settings["hooks"]["Stop"][0]["hooks"][0]["command"], "say done");
    let keys: Vec<&String> = settings.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["model", "hooks", "env"]);
}

#[test]
fn a_second_run_changes_nothing() {
    for text in ["", "{}", USERS, "\u{feff}{\r\n    \"a\": 1.50\r\n}\r\n"] {
        let once = planned(text);
        let twice = planned(&once.new_text);
        assert!(once.changed && !twice.changed && twice.summary.is_empty() && twice.added_events.is_empty());
        assert_eq!(twice.new_text, once.new_text);
    }
}

#[test]
fn what_was_put_in_comes_out_to_the_byte() {
    for text in ["{}\n", USERS, "\u{feff}{\r\n    \"a\": [\r\n        1\r\n    ]\r\n}"] {
        let removed = plan_removal(&planned(text).new_text).unwrap();
        assert!(removed.changed);
        assert_eq!(removed.new_text, text);
    }
    assert!(!plan_removal(USERS).unwrap().changed);
}

#[test]
fn a_moved_program_is_replaced_and_repeats_go() {
    let old = |command: &str, args: Value| json!({"hooks": [{"type": "command", "command": command, "args": args, "timeout": 77}]});
    let text = json!({"hooks": {
        "Stop": [old("/old/place/engram-hook", json!(["claude-code"])), old("/older/engram", json!(["hook", "claude-code"]))],
        "SessionEnd": [{"hooks": [{"type": "command", "command": "\"/old dir/engram\" hook claude-code"}, {"type": "command", "command": "/x/engram status"}]}],
    }})
    .to_string();
    let plan = planned(&text);
    let hooks = &json_of(&plan)["hooks"];
    let current = json!({"type": "command", "command": HOOK, "args": ["claude-code"], "timeout": 77});
    assert_eq!(hooks["Stop"], json!([{"hooks": [current]}]));
    assert_eq!(hooks["SessionEnd"][0]["hooks"][0]["command"], HOOK);
    assert_eq!(hooks["SessionEnd"][0]["hooks"][1]["command"], "/x/engram status");
    assert_eq!(plan.added_events.len(), 6);
    assert!(plan.summary.iter().any(|s| s.starts_with("~ Stop: /old/place/engram-hook becomes")), "{:?}", plan.summary);
}

#[test]
fn the_files_indentation_and_line_ends_are_kept() {
    for (text, line) in [
        ("{\n    \"a\": 1\n}", "\n        \"SessionStart\": ["),
        ("{\n\t\"a\": 1\n}", "\n\t\t\"SessionStart\": ["),
        ("{\"a\":1}", "\n    \"SessionStart\": ["),
        ("{\r\n  \"a\": 1\r\n}", "\r\n    \"SessionStart\": ["),
    ] {
        let new = planned(text).new_text;
        assert!(new.contains(line) && !new.ends_with('\n'), "{new}");
    }
}

#[test]
fn what_is_not_understood_is_refused_with_file_and_line_and_left_alone() {
    let tmp = tempfile::tempdir().unwrap();
    let settings = tmp.path().join("settings.json");
    for (text, reason) in [
        ("{\n  \"a\": 1,\n  // mine\n}", "line 3"),
        ("[1]", "no JSON object"),
        ("{\"hooks\": 7}", "\"hooks\" in it is no object"),
        ("{\"hooks\": {\"Stop\": {}}}", "\"hooks.Stop\" in it is no list"),
    ] {
        fs::write(&settings, text).unwrap();
        let error = install(&settings, Path::new(HOOK), Mode::Write).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains("settings.json"), "{error}");
        assert_eq!(fs::read_to_string(&settings).unwrap(), text);
    }
    assert_eq!(fs::read_dir(tmp.path()).unwrap().count(), 1, "no backup, no temporary file");
    assert!(install(&settings, Path::new("engram-hook"), Mode::Write).is_err());
}

#[test]
fn the_file_is_replaced_at_once_with_a_copy_of_the_old_one() {
    let tmp = tempfile::tempdir().unwrap();
    let real = tmp.path().join("dotfiles.json");
    let settings = tmp.path().join("settings.json");
    fs::write(&real, USERS).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&real, &settings).unwrap();

    let dry = install(&settings, Path::new(HOOK), Mode::DryRun).unwrap();
    assert!(dry.plan.changed && dry.backup.is_none() && dry.plan.summary.len() == 8);
    assert_eq!(fs::read_to_string(&settings).unwrap(), USERS);

    let done = install(&settings, Path::new(HOOK), Mode::Write).unwrap();
    assert_eq!(fs::read_to_string(done.backup.unwrap()).unwrap(), USERS);
    assert_eq!(fs::read_to_string(&real).unwrap(), done.plan.new_text);
    assert!(fs::symlink_metadata(&settings).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);

    let again = install(&settings, Path::new(HOOK), Mode::Write).unwrap();
    assert!(!again.plan.changed && again.backup.is_none());
    let gone = uninstall(&settings, Mode::Write).unwrap();
    assert!(gone.plan.changed && gone.plan.summary.len() == 8);
    assert_eq!(fs::read_to_string(&real).unwrap(), USERS);
}

#[test]
fn a_new_file_and_its_folder_are_made() {
    let tmp = tempfile::tempdir().unwrap();
    let settings = claude_code::local_settings(&tmp.path().join("project"));
    let done = install(&settings, Path::new(HOOK), Mode::Write).unwrap();
    assert!(done.backup.is_none() && settings.ends_with(".claude/settings.local.json"));
    assert_eq!(fs::read_to_string(&settings).unwrap(), done.plan.new_text);
}
