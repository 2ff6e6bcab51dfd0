//! `include/engram.h` is what cbindgen makes of the source. `ENGRAM_UPDATE=1 cargo test -p engram-ffi --test header` writes it.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

const INTRODUCTION: &str = "\
/* engram: memory for AI coding agents. JSON text in and out (docs/wire.md); a status as return value, 0 for success.
 *
 * Who frees what. What a function returns through `out_json` is the caller's, until engram_string_free; an error, until
 * engram_error_free; a handle, until engram_close. All three take null. Texts that go in stay the caller's and are copied.
 *
 * What is checked. Handles, errors and replies are numbers that are looked up, never followed: one that is null, freed,
 * foreign, or from before a fork gives a status and does no harm. The same holds for engram_string_free, as long as the
 * allocator has not given the address of a freed text to the next one: set pointers to null when they are freed. Texts are
 * followed, and out-pointers written to: they are null where that is allowed, or good; no library survives others.
 *
 * Threads. Any thread may use a handle, several at once. Functions that say \"may be slow\" can wait for a model or for the
 * disk; the others answer in about the time of writing a line to a file.
 *
 * Fork. A child gets ENGRAM_ERR_FORKED for a handle of its parent, and may close it. Fork before opening, or exec after: a
 * child that opens the same memory while its parent had it open shares locks of SQLite that are not its own.
 *
 * The library installs no signal handler, never ends the process, and writes to neither stdout nor stderr.
 *
 * Made by cbindgen from engram-ffi; do not edit. */";

fn generated() -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    config.header = Some(INTRODUCTION.to_owned());
    let [major, minor, patch] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")];
    config.after_includes = Some(format!(
        "\n#define ENGRAM_VERSION_MAJOR {major}\n#define ENGRAM_VERSION_MINOR {minor}\n#define ENGRAM_VERSION_PATCH {patch}\n\
         #define ENGRAM_VERSION \"{}\"",
        env!("CARGO_PKG_VERSION")
    ));
    let mut text = Vec::new();
    cbindgen::Builder::new().with_crate(here).with_config(config).generate().unwrap().write(&mut text);
    // A section of its own is for Rust's readers; those of C read on.
    String::from_utf8(text)
        .unwrap()
        .replace("\n\n # Safety\n ", "\n\n Pointers: ")
        .replace("Pointers: As", "Pointers: as")
}

#[test]
fn the_header_is_that_of_the_source() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/engram.h");
    let fresh = generated();
    if std::env::var_os("ENGRAM_UPDATE").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == fresh, "include/engram.h is stale; run: make header");
}
