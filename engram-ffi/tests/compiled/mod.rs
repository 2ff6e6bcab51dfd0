//! C programs of `tests/c`, compiled against the header and the library of this build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Compiles a program once a process; gives its path.
pub(crate) fn program(name: &str) -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let path = MADE.get_or_init(|| compile(name));
    assert!(path.ends_with(name), "a test file compiles one program");
    path
}

fn compile(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Test runners start a process a test: a program is written under a name of its own and renamed when it is whole.
    let written = made.with_extension(std::process::id().to_string());
    let out = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g", "-I"])
        .arg(here.join("../include"))
        .arg(here.join(format!("tests/c/{name}.c")))
        .arg(library())
        .args(["-lpthread", "-lm", "-ldl", "-o"])
        .arg(&written)
        .output()
        .expect("cc is installed");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    std::fs::rename(&written, &made).expect("the program is there");
    made
}

/// The static library, which cargo puts beside the test or one folder up.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let beside = test.parent().unwrap().join("libengram_ffi.a");
    assert!(beside.exists(), "{} is not there", beside.display());
    beside
}
