//! The programs under test, as this checkout builds them.

use crate::repository;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// What the programs are built from.
const SOURCES: &[&str] = &["engram-core/src", "bindings/cli/src"];

/// The program `engram`.
pub fn engram() -> PathBuf {
    folder().join("engram")
}

/// The program `engram-hook`.
pub fn hook() -> PathBuf {
    folder().join("engram-hook")
}

/// The folder of the programs: that of the running test's profile. They are built first where missing or older than
/// their sources.
pub fn folder() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let exe = std::env::current_exe().expect("a test knows its program");
        let profile = exe.ancestors().nth(2).expect("target/PROFILE/deps/TEST").to_owned();
        let built = ["engram", "engram-hook"].map(|name| modified(&profile.join(name)));
        let sources = SOURCES.iter().filter_map(|dir| newest(&repository().join(dir))).max();
        if built.iter().any(Option::is_none) || built.into_iter().flatten().min() < sources {
            build(profile.ends_with("release"));
        }
        profile
    })
}

fn build(release: bool) {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "engram-cli", "--bins"]).current_dir(repository());
    if release {
        cargo.arg("--release");
    }
    assert!(cargo.status().expect("cargo runs").success(), "the programs cannot be built");
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

fn newest(dir: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(dir).ok()?.filter_map(|e| Some(e.ok()?.path()));
    entries.filter_map(|path| if path.is_dir() { newest(&path) } else { modified(&path) }).max()
}
