//! What a hostile file, text or neighbour may try, through the public handle.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use engram_core::capture::call::{Observation, ToolCall, UserPrompt};
use engram_core::capture::event::SessionId;
use engram_core::config::{Config, Durability};
use engram_core::contradict::pending::{self, PendingWarning};
use engram_core::{Background, Engram, Options, Remember};
use serde_json::json;
use std::path::Path;

fn open(tmp: &Path, change: impl FnOnce(&mut Config)) -> Engram {
    let project = tmp.join("shop");
    std::fs::create_dir_all(&project).unwrap();
    let mut config = Config::default();
    config.durability = Durability::Process;
    change(&mut config);
    let home = Some(tmp.join("home"));
    let background = Background::Caller;
    Engram::open(Options { home, project, config: Some(config), background, ..Options::default() }).unwrap()
}

fn ask(name: &str, text: &str) -> UserPrompt {
    UserPrompt { session: SessionId::new(name), text: text.into(), ts: None }
}

/// Put together here, so that no token stands in the source.
fn token() -> String {
    format!("ghp_{}", "a1B2c3D4e5".repeat(4).split_at(36).0)
}

/// Every file below `dir` with its bytes.
fn files(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    entries.flat_map(|p| if p.is_dir() { files(&p) } else { vec![(p.clone(), std::fs::read(&p).unwrap())] }).collect()
}

fn assert_unseen(dir: &Path, secret: &str) {
    for (path, bytes) in files(dir) {
        assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "{secret} is in {}", path.display());
    }
}

#[test]
fn a_hidden_character_smuggles_no_secret_past_redaction() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = open(tmp.path(), |_| {});
    let split = token().replacen("B2", "B\u{200b}2", 1);
    let said = Remember { text: format!("Deploy with {split}"), rationale: split.clone(), ..Remember::default() };
    memory.remember(&said).unwrap();
    let note = json!({"id": "n", "name": split, "text": format!("use {split}"), "files": [split], "session": split});
    memory.import_notes(note.to_string().as_bytes()).unwrap();
    drop(memory);
    assert_unseen(&tmp.path().join("home"), &token());
}

#[test]
fn a_secret_on_the_bound_of_a_text_is_not_kept_in_part() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = open(tmp.path(), |_| {});
    let at = |bound: usize| format!("{} {}", "x".repeat(bound - 21), token());
    let note = json!({"id": "n", "name": at(200), "text": at(16 * 1024), "files": [at(1024)], "session": at(1024)});
    memory.import_notes(note.to_string().as_bytes()).unwrap();
    drop(memory);
    assert_unseen(&tmp.path().join("home"), &token()[..12]);
}

#[test]
fn a_file_is_called_alike_whoever_names_it() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = open(tmp.path(), |_| {});
    let name = "docs/a  <user>.md";
    memory
        .remember(&Remember { text: "The guide is short".into(), files: vec![name.into()], ..Remember::default() })
        .unwrap();
    let read = ToolCall {
        session: SessionId::new("s"),
        tool: "Read".into(),
        input: json!({"file_path": name}),
        output: Some(json!({"type": "text", "file": {"content": "x"}})),
        ..ToolCall::default()
    };
    let told = memory.on_tool_call(&read).unwrap().context;
    assert!(told.contains("The guide is short") && !told.contains("<user"), "{told}");
}

#[test]
fn nothing_is_written_of_a_recall_while_capture_is_off() {
    let tmp = tempfile::tempdir().unwrap();
    open(tmp.path(), |_| {})
        .remember(&Remember { text: "Totals are integer cents".into(), ..Remember::default() })
        .unwrap();
    let before = files(&tmp.path().join("home/projects"));
    let log = |all: &[(std::path::PathBuf, Vec<u8>)]| {
        all.iter().find(|(p, _)| p.ends_with("memory.log")).map(|(_, bytes)| bytes.clone())
    };
    let memory = open(tmp.path(), |c| c.capture = false);
    let reply = memory.on_user_prompt(&ask("tuesday", "are totals integer cents?")).unwrap();
    assert!(reply.context.contains("integer cents") && reply.trouble.is_empty(), "{reply:?}");
    drop(memory);
    assert_eq!(log(&files(&tmp.path().join("home/projects"))), log(&before));
}

#[test]
fn a_link_for_waiting_warnings_empties_no_other_file() {
    let tmp = tempfile::tempdir().unwrap();
    let outside = tmp.path().join("outside");
    for (name, hard) in [("soft", false), ("hard", true)] {
        std::fs::write(&outside, "untouched").unwrap();
        let path = tmp.path().join(format!("{name}.warnings.jsonl"));
        if hard { std::fs::hard_link(&outside, &path) } else { std::os::unix::fs::symlink(&outside, &path) }.unwrap();
        let refused = pending::take(&path).unwrap_err().to_string();
        assert!(refused.contains(name), "the file is named: {refused}");
        assert!(pending::append(&path, &PendingWarning::default()).is_err());
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "untouched", "{name}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn links_and_pipes_for_the_other_files_are_refused_at_once() {
    let tmp = tempfile::tempdir().unwrap();
    let outside = tmp.path().join("outside");
    std::fs::write(&outside, "untouched").unwrap();
    let memory = open(tmp.path(), |_| {});
    memory.on_user_prompt(&ask("s", "hello")).unwrap();
    let data = memory.data().clone();
    for path in [data.user_log(), data.memory_log(), data.lock_file()] {
        for make in ["hard", "pipe"] {
            let _ = std::fs::remove_file(&path);
            match make {
                "hard" => std::fs::hard_link(&outside, &path).unwrap(),
                _ => assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success()),
            }
            // On a thread of its own: a pipe that is waited for would hold the test for good.
            let (done, answer) = std::sync::mpsc::channel();
            let other = open(tmp.path(), |_| {});
            std::thread::spawn(move || {
                let said = Remember { text: "Totals are integer cents".into(), ..Remember::default() };
                let _ = done.send(other.remember(&said).map_err(|e| e.to_string()));
            });
            let answer = answer.recv_timeout(std::time::Duration::from_secs(20));
            let answer = answer.unwrap_or_else(|_| panic!("{make} {} is waited for", path.display()));
            // What is applied is applied, whatever becomes of its line in memory.log.
            match path == data.memory_log() {
                true => drop(answer.unwrap()),
                false => {
                    let refused = answer.unwrap_err();
                    assert!(refused.contains(path.file_name().unwrap().to_str().unwrap()), "{refused}");
                }
            }
        }
        std::fs::remove_file(&path).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "untouched");
}

#[test]
fn an_import_never_gives_a_log_a_second_name() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = open(tmp.path(), |_| {});
    let events = memory.data().events();
    let done = std::sync::atomic::AtomicBool::new(false);
    let most = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let entries = std::fs::read_dir(&events).into_iter().flatten().flatten();
                let links = |e: std::fs::DirEntry| Some(std::os::unix::fs::MetadataExt::nlink(&e.metadata().ok()?));
                most = most.max(entries.filter_map(links).max().unwrap_or(0));
            }
            most
        });
        for i in 0..60 {
            let name = format!("s{i}");
            memory.import_session(&SessionId::new(&*name), "/x", &[Observation::Prompt(ask(&name, "hello"))]).unwrap();
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        watch.join().unwrap()
    });
    assert_eq!(most, 1, "a process that dies, or opens the log, in between finds one it must refuse");
}

#[test]
fn imports_of_one_session_in_one_process_do_not_disturb_each_other() {
    let tmp = tempfile::tempdir().unwrap();
    let memory = open(tmp.path(), |_| {});
    for i in 0..20 {
        let name = format!("s{i}");
        let seen = [Observation::Prompt(ask(&name, "hello"))];
        let written: usize = std::thread::scope(|scope| {
            let import = || memory.import_session(&SessionId::new(&*name), "/x", &seen).unwrap();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(import)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(written, 1);
    }
    assert!(files(&memory.data().events()).iter().all(|(p, _)| p.extension().is_some_and(|x| x == "jsonl")));
}
