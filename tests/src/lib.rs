//! Tests that no crate owns alone: they drive the programs `engram` and `engram-hook` as a harness does, in fresh folders.
//!
//! The files in `tests/` are named after the risk that each holds down; what they share is here. A test that cannot run
//! on this machine says so in a line that begins with `SKIP`, which `make test` shows.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a harness that cannot do its work fails the test")]

pub mod event_log;
pub mod graph_table;
pub mod malformed;
pub mod payload;
pub mod place;
pub mod process;
pub mod program;
pub mod random;
pub mod recorded;
pub mod run;
pub mod trace;
pub mod tree;
pub mod vectors;

use std::path::PathBuf;

/// Says on stdout that a test, or a part of one, could not run here.
#[allow(clippy::print_stdout, reason = "the one thing a test has to say when it does nothing")]
pub fn skip(why: &str) {
    println!("SKIP {why}");
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_owned()
}

/// A file or folder of the shared data beside the repository, where there is one.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = repository().parent()?.join("shared").join(name);
    path.exists().then_some(path)
}
