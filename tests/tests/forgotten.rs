//! Forgetting that is killed anywhere is made good (I23): at the next start it is either done or was never begun.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

use engram_tests::graph_table::GraphTable;
use engram_tests::place::{Place, data_in};
use engram_tests::recorded::{self, FIX};
use engram_tests::run::run;
use engram_tests::{program, skip, trace, tree};
use std::path::{Path, PathBuf};
use std::process::Command;

const SECRET: &str = "zebra-4711";

/// A home in which a recorded session, notes and the user tell the same secret among other things.
struct Told {
    place: Place,
    clean: GraphTable,
}

impl Told {
    fn new() -> Told {
        let place = Place::new();
        recorded::set_up_project(&place);
        recorded::replay(FIX, &place);
        place.json(&["consolidate"]);
        place.json(&["remember", "The staging token is zebra-4711"]);
        place.json(&["remember", "Amounts are integers in cents"]);
        let notes = place.root().join("notes.jsonl");
        std::fs::write(&notes, r#"{"id":"n1","text":"Never print zebra-4711 into a log"}"#).unwrap();
        place.json(&["import", "--format", "notes", notes.to_str().unwrap()]);
        let told = Told { clean: GraphTable::default(), place };
        let home = told.copy("clean");
        assert!(traces(&home).len() >= 4, "{:?}", traces(&home));
        assert_eq!(run(&mut told.engram(&home, &["forget", "--text", SECRET]), b"").code, Some(0));
        assert_eq!(traces(&home), [] as [PathBuf; 0]);
        Told { clean: GraphTable::read(&data_in(&home)), ..told }
    }

    fn copy(&self, name: &str) -> PathBuf {
        let home = self.place.root().join(format!("home-{name}"));
        tree::copy(&self.place.home, &home);
        home
    }

    fn engram(&self, home: &Path, arguments: &[&str]) -> Command {
        let mut command = self.place.command(&program::engram());
        command.args(arguments).env("ENGRAM_HOME", home);
        command
    }

    /// The next start; then, if the killed one had not begun, the same again. Either way the end is the same.
    fn assert_made_good(&self, home: &Path, after: &str) {
        let begun = std::fs::read_to_string(data_in(home).join("user.jsonl")).unwrap().contains("\"phrases\"");
        assert_eq!(run(&mut self.engram(home, &["consolidate"]), b"").code, Some(0), "{after}");
        if !begun {
            assert_eq!(run(&mut self.engram(home, &["forget", "--text", SECRET]), b"").code, Some(0), "{after}");
        }
        assert_eq!(traces(home), [] as [PathBuf; 0], "{after}");
        assert_eq!(GraphTable::read(&data_in(home)).difference(&self.clean), None, "{after}");
        let again = run(&mut self.engram(home, &["forget", "--text", SECRET]), b"");
        assert_eq!(again.code, Some(1), "{after}: it is forgotten");
    }
}

/// The files below `home` in which the secret stands, event logs excepted.
fn traces(home: &Path) -> Vec<PathBuf> {
    let told = |path: &PathBuf| {
        let bytes = String::from_utf8_lossy(&std::fs::read(path).unwrap()).to_lowercase();
        !path.to_string_lossy().contains("/events/") && (bytes.contains(SECRET) || bytes.contains("zebra"))
    };
    let mut files = files(home);
    files.retain(told);
    files
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// System calls that change files, and how far apart those that are killed stand.
const WRITES: &[(&str, usize)] =
    &[("write", 1), ("pwrite64", 11), ("fsync", 1), ("fdatasync", 2), ("rename", 1), ("ftruncate", 1), ("unlink", 1)];
/// Most kills of one kind of call; `ENGRAM_TEST_ALL` kills at each.
const MOST: usize = 6;

#[test]
fn a_kill_at_any_write_is_made_good_at_the_next_start() {
    if !trace::available() {
        return skip("a_kill_at_any_write_is_made_good_at_the_next_start: no strace");
    }
    let all = std::env::var_os("ENGRAM_TEST_ALL").is_some();
    let told = Told::new();
    let mut killed = 0;
    for (syscall, apart) in WRITES {
        for nth in (1..).step_by(if all { 1 } else { *apart }).take(if all { 2_000 } else { MOST }) {
            let home = told.copy(&format!("{syscall}-{nth}"));
            let inject = format!("{syscall}:signal=KILL:when={nth}");
            let forget = told.engram(&home, &["forget", "--text", SECRET, "--yes"]);
            let hit = run(&mut trace::traced(&forget, &inject, None), b"").signal.is_some();
            if !hit {
                break;
            }
            told.assert_made_good(&home, &inject);
            std::fs::remove_dir_all(&home).unwrap();
            killed += 1;
        }
    }
    println!("{killed} kills");
    assert!(killed >= 10, "the kills must hit: {killed}");
}
