//! The house keeps its plan: who imports whom, what only one room may touch, and how long a file may be (docs/style).

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use engram_tests::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rooms that every room may import.
const SHARED: &[&str] = &["error", "text", "time", "config", "project", "similarity"];
/// The data types that all rooms exchange: modules that import nothing but shared rooms and each other.
const DATA: &[&str] = &[
    "capture::event",
    "capture::call",
    "graph::node",
    "graph::edge",
    "graph::episode",
    "graph::change",
    "graph::withheld",
];

/// A room and what it may import beside itself: rooms, or single modules of a room.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("text", &["error"]),
    ("time", &["error"]),
    ("similarity", &[]),
    ("config", &["error", "text", "similarity"]),
    ("project", &["error", "text"]),
    ("capture", SHARED),
    ("log", &["SHARED", "capture", "DATA"]),
    ("models", &["SHARED"]),
    ("graph", &["SHARED", "DATA"]),
    ("store", &["SHARED", "DATA"]),
    ("consolidate", &["SHARED", "capture", "log", "models", "graph", "store", "contradict"]),
    ("recall", &["SHARED", "graph", "store"]),
    ("contradict", &["SHARED", "models", "graph", "store", "recall::render"]),
    ("metrics", &["SHARED", "capture"]),
];
/// Files that route between rooms and may import all.
const ROUTERS: &[&str] = &["engram", "session", "wire", "lib"];
/// Longest file, in lines.
const LONGEST: usize = 900;

/// A file of the core without its tests, its comments blanked and its strings too.
struct Source {
    path: PathBuf,
    room: String,
    code: String,
    lines: usize,
}

fn core() -> Vec<Source> {
    let root = repository().join("engram-core/src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    let sources: Vec<Source> = files.into_iter().filter_map(|path| source(&root, path)).collect();
    assert!(sources.len() > 50, "the core was not found");
    sources
}

fn source(root: &Path, path: PathBuf) -> Option<Source> {
    let inside = path.strip_prefix(root).ok()?.to_owned();
    let name = inside.file_stem()?.to_str()?;
    if name == "tests" || name.ends_with("_tests") || is_test_module(&path) {
        return None;
    }
    let room = inside.components().next()?.as_os_str().to_str()?.trim_end_matches(".rs").to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    let code = without_tests(&blanked(&text));
    Some(Source { path: inside, room, code, lines: text.lines().count() })
}

/// Whether the parent module takes the file in for tests only.
fn is_test_module(path: &Path) -> bool {
    let name = path.file_stem().unwrap().to_string_lossy();
    let dir = path.parent().unwrap();
    let parents = [dir.join("mod.rs"), dir.with_extension("rs"), dir.join("lib.rs")];
    parents
        .iter()
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .any(|text| text.contains(&format!("#[cfg(test)]\nmod {name};")))
}

fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|x| x == "rs") {
            found.push(path);
        }
    }
}

/// The text with the insides of comments and string literals as spaces.
fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = token_length(rest);
        let (token, tail) = rest.split_at(length);
        if length > c.len_utf8() && token.chars().count() > 1 {
            out.extend(token.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(token);
        }
        rest = tail;
    }
    out
}

/// The length of the comment, string or character literal at the start of `rest`, or of one character.
fn token_length(rest: &str) -> usize {
    let one = rest.chars().next().map_or(0, char::len_utf8);
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if let Some(hashes) = raw_string(rest) {
        let end = format!("\"{}", "#".repeat(hashes));
        let open = hashes + 2;
        return rest[open..].find(&end).map_or(rest.len(), |at| open + at + end.len());
    }
    match rest.as_bytes()[0] {
        b'"' => closing(rest, '"'),
        b'\'' if rest.as_bytes().get(1) == Some(&b'\\') || rest.chars().nth(2) == Some('\'') => closing(rest, '\''),
        _ => one,
    }
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.strip_prefix('r')?.chars().take_while(|c| *c == '#').count();
    rest[1 + hashes..].starts_with('"').then_some(hashes)
}

fn closing(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// The code up to the module of its tests, which stands last.
fn without_tests(code: &str) -> String {
    code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

/// Everything that stands behind `crate::`, as `room` or `room::module`.
fn imports(code: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let path = &code[at + "crate::".len()..];
        let names = if path.starts_with('{') { grouped(path) } else { vec![path.to_owned()] };
        found.extend(names.iter().map(|name| two_words(name)));
    }
    found
}

/// The members of `{a::b, c}`, not of groups inside.
fn grouped(path: &str) -> Vec<String> {
    let mut depth = 0;
    let mut members = vec![String::new()];
    for c in path.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            _ if depth == 0 => break,
            ',' if depth == 1 => members.push(String::new()),
            '{' if depth == 1 => {}
            c => members.last_mut().unwrap().push(c),
        }
    }
    members
}

fn two_words(path: &str) -> (String, String) {
    let word = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let room = word(path);
    let module =
        path.trim().strip_prefix(room.as_str()).and_then(|r| r.strip_prefix("::")).map(word).unwrap_or_default();
    (room, module)
}

fn allowed(room: &str, import: &(String, String)) -> bool {
    let (to, module) = import;
    if to == room || ROUTERS.contains(&room) {
        return true;
    }
    let full = format!("{to}::{module}");
    let Some((_, list)) = MAY_IMPORT.iter().find(|(name, _)| *name == room) else { return false };
    list.iter().any(|entry| match *entry {
        "SHARED" => SHARED.contains(&to.as_str()),
        "DATA" => DATA.contains(&full.as_str()),
        entry => entry == to || entry == full,
    })
}

#[test]
fn rooms_import_only_what_the_plan_allows() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for source in core() {
        for import in imports(&source.code) {
            seen += 1;
            if !allowed(&source.room, &import) {
                wrong.push(format!("{}: {} imports {}::{}", source.path.display(), source.room, import.0, import.1));
            }
        }
    }
    assert!(seen > 200, "only {seen} imports were found");
    assert!(wrong.is_empty(), "{} imports against the plan:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn data_types_import_no_rules() {
    let mut seen = 0;
    for source in core() {
        let module = source.path.with_extension("").to_string_lossy().replace('/', "::");
        if DATA.contains(&module.as_str()) {
            seen += 1;
            for (room, inner) in imports(&source.code) {
                let full = format!("{room}::{inner}");
                assert!(SHARED.contains(&room.as_str()) || DATA.contains(&full.as_str()), "{module} imports {full}");
            }
        }
    }
    assert_eq!(seen, DATA.len(), "every data type was found");
}

#[test]
fn the_reader_of_imports_sees_what_is_there() {
    let code = "use crate::{a::b, c, d::{e, f}};\nuse crate::store::Graph;\nlet x = crate::text::clip(1); $crate::z::y; my_crate::q";
    let found: Vec<String> = imports(code).into_iter().map(|(room, module)| format!("{room}::{module}")).collect();
    assert_eq!(found, ["a::b", "c::", "d::", "store::Graph", "text::clip"]);
    assert!(!allowed("recall", &("log".into(), "x".into())) && !allowed("metrics", &("log".into(), "reader".into())));
    assert!(
        !allowed("store", &("graph".into(), "resolve".into())) && allowed("store", &("graph".into(), "node".into()))
    );
    assert!(!allowed("a_new_room", &("error".into(), String::new())), "a new room has to be written into the plan");
}

#[test]
fn what_is_written_in_words_is_not_code() {
    let text =
        "let a = \"println!(\"; // env::var\nlet b = r#\"x\"SELECT\"#; let c = '\"'; let d = \"\\\"env::var\"; print\n";
    let code = blanked(text);
    assert!(
        !code.contains("println") && !code.contains("env::var") && !code.contains("SELECT") && code.contains("print\n"),
        "{code}"
    );
    assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests { b }"), "a\n");
}

/// What only some files may touch.
const TOUCHES: &[(&str, &[&str])] = &[
    ("SystemTime", &["time.rs"]),
    ("Instant::now", &["time.rs"]),
    // The user's home is what `Project::find` must not take for a project.
    ("env::var", &["config.rs", "project.rs"]),
    ("println!", &[]),
    ("eprintln!", &[]),
    ("print!(", &[]),
    ("dbg!(", &[]),
    ("process::exit", &[]),
    ("set_current_dir", &[]),
    ("set_var", &[]),
    ("unsafe ", &["store/vectors.rs", "store/mod.rs"]),
    ("rusqlite", &["store"]),
    ("TcpStream", &["models"]),
    ("ureq", &["models"]),
    ("Command::new", &["models"]),
    ("async fn", &[]),
];

#[test]
fn only_their_rooms_touch_the_outside() {
    let mut wrong = Vec::new();
    for source in core() {
        for (word, places) in TOUCHES {
            let here = source.path.to_string_lossy();
            if source.code.contains(word) && !places.iter().any(|p| here == *p || here.starts_with(&format!("{p}/"))) {
                wrong.push(format!("{here}: {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let clock = core().into_iter().find(|s| s.path == Path::new("time.rs")).unwrap();
    assert!(clock.code.contains("SystemTime"), "the search finds what is there");
}

#[test]
fn sql_stands_in_the_store() {
    const KEYWORDS: &[&str] =
        &["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA ", "BEGIN IMMEDIATE"];
    // Tables of words that people's own code and decisions use.
    let is_data = |path: &Path| {
        path.starts_with("contradict") && path.file_stem().is_some_and(|n| n.to_string_lossy().starts_with("concept_"))
    };
    let root = repository().join("engram-core/src");
    let mut in_store = 0;
    for source in core() {
        let text = std::fs::read_to_string(root.join(&source.path)).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        let hits: Vec<&str> = lines.filter(|l| KEYWORDS.iter().any(|k| l.contains(k))).collect();
        if source.room == "store" {
            in_store += hits.len();
        } else if !is_data(&source.path) {
            assert!(hits.is_empty(), "{}: {hits:?}", source.path.display());
        }
    }
    assert!(in_store > 20, "the search finds what is there: {in_store}");
}

#[test]
fn no_file_is_a_giant() {
    let giants: Vec<String> = core()
        .into_iter()
        .filter(|s| s.lines > LONGEST)
        .map(|s| format!("{} ({})", s.path.display(), s.lines))
        .collect();
    assert!(giants.is_empty(), "over {LONGEST} lines: {giants:?}");
}

#[test]
fn names_of_files_are_nouns_of_the_domain() {
    for source in core() {
        let name = source.path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(
            !["util", "utils", "helper", "helpers", "common", "misc", "manager"].contains(&name.as_str()),
            "{name}"
        );
    }
}

fn dependencies(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = [&["tree", "--offline", "--edges", "normal", "--prefix", "none", "--package"], arguments].concat();
    let output = Command::new(cargo).args(arguments).current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_core_brings_no_runtime_and_no_network() {
    let tree = dependencies(&["engram-core", "--no-default-features"]);
    let packages: BTreeSet<&str> = tree.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(packages.contains("rusqlite") && packages.contains("serde_json"), "{packages:?}");
    for runtime in
        ["tokio", "async-std", "smol", "futures", "hyper", "reqwest", "ureq", "regex", "clap", "napi", "pyo3"]
    {
        assert!(!packages.contains(runtime), "engram-core depends on {runtime}");
    }
    assert!(packages.len() < 80, "{} packages", packages.len());
}
