use super::harness::{HARNESSES, Place, by_name};
use super::*;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Settings of a user who has hooks of their own, comments, trailing commas, tabs and an order of their own.
const USERS: &str = "// mine\n{\n\t\"model\": \"opus\", // the best\n\t\"hooks\": {\n\t\t/* a sound */\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] },\n\t\t],\n\
    \t\t\"Notification\": []\n\t},\n\t\"env\": { \"Z\": \"1\", \"A\": 1.50 },\n}\n";

const TEXTS: [&str; 8] = [
    "",
    "{}",
    "{}\n",
    "{\"a\":1}",
    "{\n    \"a\": [1,2,  3]\n}",
    USERS,
    "\u{feff}{\r\n  \"a\": 1.50\r\n}\r\n",
    "{\n  \"hooks\": {},\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\n}\n",
];

fn programs() -> Programs {
    Programs { engram: "/opt/engram/bin/engram".into(), hook: "/opt/engram/bin/engram-hook".into() }
}

fn elsewhere() -> Programs {
    Programs { engram: "/new place/bin/engram".into(), hook: "/new place/bin/engram-hook".into() }
}

/// A home and a project, in folders with spaces and letters that are no ASCII.
fn place(root: &Path) -> Place {
    let (home, project) = (root.join("h o m é"), root.join("prójekt x"));
    fs::create_dir_all(&home).unwrap();
    fs::create_dir_all(&project).unwrap();
    let package = root.join("node_modules/engram");
    fs::create_dir_all(package.join("adapters")).unwrap();
    for name in ["opencode", "gsd"] {
        fs::write(package.join(format!("adapters/{name}.js")), "").unwrap();
    }
    Place { home, project: Some(project), local: false, mcp: true, package: Some(package) }
}

/// Every file of every harness that is JSON, with its harness.
fn json_targets(place: &Place) -> Vec<Target> {
    let all = HARNESSES.iter().flat_map(|h| h.targets(place).unwrap());
    all.filter(|t| matches!(t.edits[0], Edit::Hooks(_) | Edit::McpJson(_))).collect()
}

fn value(text: &str) -> Value {
    let root = jsonc_parser::cst::CstRootNode::parse(
        text.trim_start_matches('\u{feff}'),
        &jsonc_parser::ParseOptions::default(),
    );
    root.unwrap().to_serde_value().unwrap()
}

/// The lines of a text that say something.
fn telling(text: &str) -> Vec<&str> {
    text.lines().map(|l| l.trim().trim_end_matches(',')).filter(|l| l.chars().any(char::is_alphanumeric)).collect()
}

#[test]
fn everything_of_the_users_stays_in_its_order_and_form_in_every_harness() {
    let tmp = tempfile::tempdir().unwrap();
    for target in json_targets(&place(tmp.path())) {
        for text in TEXTS {
            let plan = with(text, &target.edits, &programs()).unwrap();
            assert!(plan.changed && !plan.summary.is_empty(), "{}", target.file.display());
            let new = telling(&plan.new_text);
            // What stands on one line and gets more in it is spread over several.
            if text.contains('\n') && !text.contains("\"hooks\": {}") {
                let mut at = 0;
                for line in telling(text) {
                    let found = new[at..].iter().position(|n| *n == line);
                    at += found.unwrap_or_else(|| panic!("lost or moved: {line}\n{}", plan.new_text)) + 1;
                }
            }
            let (before, after) = (value(if text.trim().is_empty() { "{}" } else { text }), value(&plan.new_text));
            for (key, old) in before.as_object().unwrap() {
                if key != "hooks" && key != "mcpServers" {
                    assert_eq!(&after[key], old);
                }
            }
            assert_eq!(plan.new_text.contains("\r\n"), text.contains("\r\n"));
            assert_eq!(plan.new_text.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
            assert!(!text.contains("\r\n") || !plan.new_text.replace("\r\n", "").contains('\n'), "mixed line ends");
        }
    }
}

#[test]
fn a_second_run_changes_nothing_and_what_was_put_in_comes_out() {
    let tmp = tempfile::tempdir().unwrap();
    for target in json_targets(&place(tmp.path())) {
        for text in TEXTS {
            let once = with(text, &target.edits, &programs()).unwrap();
            let twice = with(&once.new_text, &target.edits, &programs()).unwrap();
            assert!(!twice.changed && twice.summary.is_empty() && twice.new_text == once.new_text);
            let out = target.without(&once.new_text).unwrap();
            assert!(out.changed);
            let mut expected = value(if text.trim().is_empty() { "{}" } else { text });
            let mut left = value(&out.new_text);
            // A key that held nothing may go, and a version may stay.
            for value in [&mut expected, &mut left] {
                let map = value.as_object_mut().unwrap();
                map.remove("version");
                map.retain(|_, v| *v != json!({}));
            }
            assert_eq!(left, expected, "{}", out.new_text);
            assert!(!target.without(text).unwrap().changed, "there is nothing to take out of the user's own");
        }
    }
}

#[test]
fn each_harness_gets_its_form_and_unit() {
    let tmp = tempfile::tempdir().unwrap();
    let place = place(tmp.path());
    let hooks = |name: &str| {
        let target = &by_name(name).unwrap().targets(&place).unwrap()[0];
        value(&with("", &target.edits, &elsewhere()).unwrap().new_text)["hooks"].clone()
    };
    let hook = "/new place/bin/engram-hook";
    let (claude, codex, gemini) = (hooks("claude-code"), hooks("codex"), hooks("gemini"));
    assert_eq!(
        claude["PostToolUse"],
        json!([{"matcher": "*", "hooks": [{"type": "command", "command": hook, "args": ["claude-code"], "timeout": 5}]}])
    );
    assert!(claude["Stop"][0].get("matcher").is_none() && claude["SessionEnd"][0]["hooks"][0]["timeout"] == 1);
    let line = format!("'{hook}' codex");
    assert_eq!(codex["Stop"], json!([{"hooks": [{"type": "command", "command": line, "timeout": 5}]}]));
    assert_eq!(codex["PreToolUse"][0]["matcher"], "*");
    assert_eq!(gemini["AfterTool"][0]["hooks"][0]["timeout"], 5000);
    assert!(gemini.get("PreCompress").is_none() && gemini.get("AfterModel").is_none());
    assert_eq!(hooks("cursor")["stop"], json!([{"command": format!("'{hook}' cursor")}]));
    assert_eq!(hooks("copilot")["agentStop"][0]["bash"], format!("'{hook}' copilot agentStop"));
}

#[test]
fn a_moved_program_is_brought_up_to_date_and_repeats_go() {
    let tmp = tempfile::tempdir().unwrap();
    let target = &by_name("claude-code").unwrap().targets(&place(tmp.path())).unwrap()[0];
    let old = |command: &str, args: Value| json!({"hooks": [{"type": "command", "command": command, "args": args, "timeout": 77}]});
    let text = json!({"hooks": {
        "Stop": [old("/old/place/engram-hook", json!(["claude-code"])), old("/older/engram", json!(["hook", "claude-code"]))],
        "SessionEnd": [{"hooks": [{"type": "command", "command": "\"/old dir/engram\" hook claude-code"}, {"type": "command", "command": "/x/engram status"}]}],
    }})
    .to_string();
    let plan = with(&text, &target.edits, &programs()).unwrap();
    let hooks = &value(&plan.new_text)["hooks"];
    let hook = "/opt/engram/bin/engram-hook";
    let current = json!({"type": "command", "command": hook, "args": ["claude-code"], "timeout": 77});
    assert_eq!(hooks["Stop"], json!([{"hooks": [current]}]), "the user's time-out stays");
    assert_eq!(hooks["SessionEnd"][0]["hooks"][0]["command"], hook);
    assert_eq!(hooks["SessionEnd"][0]["hooks"][1]["command"], "/x/engram status");
    assert_eq!(plan.added_events.len(), 6);
    assert!(
        plan.summary.iter().any(|s| s.starts_with("~ Stop: /old/place/engram-hook claude-code becomes")),
        "{:?}",
        plan.summary
    );

    for target in json_targets(&place(tmp.path())) {
        let here = with(USERS, &target.edits, &programs()).unwrap().new_text;
        let moved = with(&here, &target.edits, &elsewhere()).unwrap();
        assert!(moved.changed && moved.added_events.is_empty() && moved.new_text.contains("/new place/bin/engram"));
        assert!(!moved.new_text.contains("/opt/engram"), "{}", moved.new_text);
    }
}

#[test]
fn what_is_not_understood_is_refused_with_file_and_line_and_left_alone() {
    let tmp = tempfile::tempdir().unwrap();
    for target in json_targets(&place(tmp.path())) {
        let key = if matches!(target.edits[0], Edit::Hooks(_)) { "hooks" } else { "mcpServers" };
        let key = if target.file.ends_with("opencode.json") { "mcp" } else { key };
        fs::create_dir_all(target.file.parent().unwrap()).unwrap();
        let wrong_form = format!("{{\"{key}\": 7}}");
        for (text, reason) in [
            ("{\n  \"a\": 1,\n  mine\n}", "line 3"),
            ("{\n  \"a\": 1", "line"),
            ("[1]", "no JSON object"),
            (wrong_form.as_str(), "in it is no object"),
        ] {
            fs::write(&target.file, text).unwrap();
            let error = target.install(&programs(), Mode::Write).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains(target.file.to_str().unwrap()), "{error}");
            assert_eq!(fs::read_to_string(&target.file).unwrap(), text);
            assert!(target.uninstall(&programs(), Mode::Write).is_err() || text == "[1]");
        }
        fs::remove_file(&target.file).unwrap();
        let beside = fs::read_dir(target.file.parent().unwrap()).unwrap().flatten();
        let ours = beside.filter(|e| e.file_name().to_string_lossy().contains("engram-")).count();
        assert_eq!(ours, 0, "no backup, no temporary file");
    }
    let relative = Programs { hook: "engram-hook".into(), ..programs() };
    let target = &json_targets(&place(tmp.path()))[0];
    assert!(target.install(&relative, Mode::Write).is_err());
}

#[test]
fn a_file_comes_back_byte_for_byte_with_its_mode_and_link_and_the_copies_go() {
    let tmp = tempfile::tempdir().unwrap();
    let place = place(tmp.path());
    for (number, target) in json_targets(&place).into_iter().enumerate() {
        let folder = target.file.parent().unwrap().to_owned();
        fs::create_dir_all(&folder).unwrap();
        for (which, text) in TEXTS.into_iter().enumerate() {
            let real = tmp.path().join(format!("dotfiles-{number}-{which}"));
            fs::write(&real, text).unwrap();
            fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
            let _ = fs::remove_file(&target.file);
            std::os::unix::fs::symlink(&real, &target.file).unwrap();

            let dry = target.install(&programs(), Mode::DryRun).unwrap();
            assert!(dry.plan.changed && dry.backup.is_none());
            assert_eq!(fs::read_to_string(&real).unwrap(), text);
            let done = target.install(&programs(), Mode::Write).unwrap();
            assert_eq!(fs::read_to_string(done.backup.unwrap()).unwrap(), text);
            assert!(fs::symlink_metadata(&target.file).unwrap().is_symlink());
            assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
            assert!(!target.install(&programs(), Mode::Write).unwrap().plan.changed);
            assert!(target.refresh(&programs(), Mode::DryRun).unwrap().is_some_and(|i| !i.plan.changed));
            assert!(target.refresh(&elsewhere(), Mode::DryRun).unwrap().is_some_and(|i| i.plan.changed));

            target.uninstall(&programs(), Mode::Write).unwrap();
            assert_eq!(fs::read_to_string(&real).unwrap(), text);
            assert!(fs::symlink_metadata(&target.file).unwrap().is_symlink());
            let copies = fs::read_dir(tmp.path()).unwrap().flatten();
            assert_eq!(copies.filter(|e| e.file_name().to_string_lossy().contains("backup")).count(), 0);
            assert!(target.refresh(&programs(), Mode::DryRun).unwrap().is_none());
        }
        fs::remove_file(&target.file).unwrap();
    }
}

#[test]
fn a_link_to_a_file_that_is_not_there_yet_is_kept_and_followed() {
    let tmp = tempfile::tempdir().unwrap();
    let target = &by_name("claude-code").unwrap().targets(&place(tmp.path())).unwrap()[0];
    fs::create_dir_all(target.file.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("../dotfiles.json", &target.file).unwrap();
    target.install(&programs(), Mode::Write).unwrap();
    assert!(fs::symlink_metadata(&target.file).unwrap().is_symlink());
    let real = target.file.parent().unwrap().join("../dotfiles.json");
    assert!(fs::read_to_string(&real).unwrap().contains("engram-hook"));
    target.uninstall(&programs(), Mode::Write).unwrap();
    assert!(!real.exists() && fs::symlink_metadata(&target.file).unwrap().is_symlink());
}

#[test]
fn what_the_user_changed_since_stays_when_engram_goes() {
    let tmp = tempfile::tempdir().unwrap();
    let target = &by_name("gemini").unwrap().targets(&place(tmp.path())).unwrap()[0];
    fs::create_dir_all(target.file.parent().unwrap()).unwrap();
    fs::write(&target.file, "{\n  // mine\n  \"a\": 1\n}\n").unwrap();
    target.install(&programs(), Mode::Write).unwrap();
    let changed = fs::read_to_string(&target.file).unwrap().replace("\"a\": 1", "\"a\": 2");
    fs::write(&target.file, changed).unwrap();
    let done = target.uninstall(&programs(), Mode::Write).unwrap();
    assert_eq!(fs::read_to_string(&target.file).unwrap(), "{\n  // mine\n  \"a\": 2\n}\n");
    assert!(done.backup.is_some_and(|b| b.exists()));
}

#[test]
fn files_that_engram_made_go_with_it() {
    let tmp = tempfile::tempdir().unwrap();
    let place = place(tmp.path());
    for target in HARNESSES.iter().flat_map(|h| h.targets(&place).unwrap()) {
        if target.file.exists() {
            continue;
        }
        target.install(&programs(), Mode::Write).unwrap();
        assert!(target.file.is_file() && !target.install(&programs(), Mode::Write).unwrap().plan.changed);
        target.uninstall(&programs(), Mode::Write).unwrap();
        assert!(!target.file.exists(), "{}", target.file.display());
    }
}

#[test]
fn a_read_only_file_is_named_and_left_alone() {
    let tmp = tempfile::tempdir().unwrap();
    let target = &by_name("claude-code").unwrap().targets(&place(tmp.path())).unwrap()[0];
    let folder = target.file.parent().unwrap();
    fs::create_dir_all(folder).unwrap();
    fs::write(&target.file, USERS).unwrap();
    fs::set_permissions(&target.file, fs::Permissions::from_mode(0o444)).unwrap();
    let done = target.install(&programs(), Mode::Write);
    // Who may not write the file keeps it; its mode says that nobody is to.
    let error = done.unwrap_err().to_string();
    assert!(error.contains("read-only") && error.contains("settings.json"), "{error}");
    assert_eq!(fs::read_to_string(&target.file).unwrap(), USERS);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn with_the_server_added_later_or_at_once_a_file_comes_back_and_no_copy_stays() {
    let tmp = tempfile::tempdir().unwrap();
    let with_server = place(tmp.path());
    let without_server = Place { mcp: false, ..place(tmp.path()) };
    let files = |place: &Place| HARNESSES.iter().flat_map(|h| h.targets(place).unwrap()).collect::<Vec<_>>();
    let texts = TEXTS.into_iter().map(Some).chain([None, Some("{ \"hooks\": {\"AfterTool\": []}, \"b\": 2 }")]);
    for text in texts {
        for later in [false, true] {
            for target in json_targets(&with_server) {
                fs::create_dir_all(target.file.parent().unwrap()).unwrap();
                let _ = fs::remove_file(&target.file);
                text.into_iter().for_each(|t| fs::write(&target.file, t).unwrap());
                if later {
                    let first = files(&without_server).into_iter().filter(|t| t.file == target.file);
                    first.for_each(|t| drop(t.install(&programs(), Mode::Write).unwrap()));
                }
                target.install(&programs(), Mode::Write).unwrap();
                target.uninstall(&programs(), Mode::Write).unwrap();
                let name = target.file.display();
                assert_eq!(fs::read_to_string(&target.file).ok().as_deref(), text, "{name}, later: {later}");
                let beside = fs::read_dir(target.file.parent().unwrap()).unwrap().flatten();
                let copies = beside.filter(|e| e.file_name().to_string_lossy().contains("engram-backup")).count();
                assert_eq!(copies, 0, "{name}, later: {later}");
                let _ = fs::remove_file(&target.file);
            }
        }
    }
}

#[test]
fn what_the_user_wrote_into_the_servers_entry_stays() {
    let tmp = tempfile::tempdir().unwrap();
    let place = place(tmp.path());
    let of = |harness: &str| by_name(harness).unwrap().targets(&place).unwrap()[1].clone();
    let toml = "[mcp_servers.engram]\ncommand = \"/old/engram\" # mine\nargs = [\"serve\"]\nstartup_timeout_sec = 20\n\n[mcp_servers.engram.env]\nA = \"1\"\n";
    let new = with(toml, &of("codex").edits, &programs()).unwrap();
    let wanted = toml.replace("/old/engram", "/opt/engram/bin/engram").replace("\"serve\"", "\"mcp\"");
    assert_eq!(new.new_text, wanted);
    assert!(!with(&wanted, &of("codex").edits, &programs()).unwrap().changed);
    let json = "{\n  \"mcpServers\": {\n    \"engram\": { \"command\": \"/old/engram\", \"args\": [\"mcp\"], /* mine */ \"env\": {\"A\": \"1\"} }\n  }\n}\n";
    let new = with(json, &of("claude-code").edits, &programs()).unwrap();
    assert_eq!(new.new_text, json.replace("/old/engram", "/opt/engram/bin/engram"));
    assert!(new.summary[0].starts_with("~ MCP server"));
}

#[test]
fn comments_and_order_of_a_toml_file_stay() {
    let tmp = tempfile::tempdir().unwrap();
    let target = &by_name("codex").unwrap().targets(&place(tmp.path())).unwrap()[1];
    let text = "# mine\nmodel = \"gpt\" # good\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[zeta]\na = 1\n";
    let plan = with(text, &target.edits, &programs()).unwrap();
    for line in text.lines() {
        assert!(plan.new_text.contains(line), "{line}\n{}", plan.new_text);
    }
    assert!(
        plan.new_text.contains("[mcp_servers.engram]\ncommand = \"/opt/engram/bin/engram\"\nargs = [\"mcp\"]"),
        "{}",
        plan.new_text
    );
    assert!(!with(&plan.new_text, &target.edits, &programs()).unwrap().changed);
    assert_eq!(target.without(&plan.new_text).unwrap().new_text, text);
    let error = with("a = 1\nb = \n", &target.edits, &programs()).unwrap_err().to_string();
    assert!(error.contains("line 2"), "{error}");
}

#[test]
fn a_file_that_is_not_engrams_is_not_overwritten() {
    let tmp = tempfile::tempdir().unwrap();
    let target = &by_name("opencode").unwrap().targets(&place(tmp.path())).unwrap()[0];
    fs::create_dir_all(target.file.parent().unwrap()).unwrap();
    fs::write(&target.file, "export const Mine = 1\n").unwrap();
    assert!(target.install(&programs(), Mode::Write).is_err());
    assert!(!target.uninstall(&programs(), Mode::Write).unwrap().plan.changed);
    assert_eq!(fs::read_to_string(&target.file).unwrap(), "export const Mine = 1\n");
}

#[test]
fn without_the_package_a_harness_that_needs_it_says_so() {
    let tmp = tempfile::tempdir().unwrap();
    let bare = Place { package: None, ..place(tmp.path()) };
    let error = by_name("opencode").unwrap().targets(&bare).unwrap_err().to_string();
    assert!(error.contains("npx engram install --harness opencode"), "{error}");
}

#[test]
fn a_plugin_folder_has_all_that_claude_code_needs() {
    let tmp = tempfile::tempdir().unwrap();
    let bin = tmp.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let programs = Programs { engram: bin.join("engram"), hook: bin.join("engram-hook") };
    fs::write(&programs.engram, "e").unwrap();
    fs::write(&programs.hook, "h").unwrap();
    let folder = tmp.path().join("plugin");
    for _ in 0..2 {
        assert_eq!(write_plugin(&folder, &programs).unwrap().len(), 5);
    }
    let hooks = value(&fs::read_to_string(folder.join("hooks/hooks.json")).unwrap());
    assert_eq!(hooks["hooks"]["Stop"][0]["hooks"][0]["command"], "${CLAUDE_PLUGIN_ROOT}/bin/engram-hook");
    assert_eq!(fs::read_to_string(folder.join("bin/engram-hook")).unwrap(), "h");
    assert!(write_plugin(&bin, &programs).is_err(), "a folder of something else stays");
}
