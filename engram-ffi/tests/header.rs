//! `include/engram.h` is what cbindgen makes of the source. `ENGRAM_UPDATE=1 cargo test -p engram-ffi --test header` writes it.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

const INTRODUCTION: &str = "\
/* engram: memory for AI coding agents. JSON text in and out (docs/wire.md); a status as return value, 0 for success.
 *
 * Any thread may use a handle. What a function returns through `out_json` is the caller's and is freed with
 * engram_string_free; an error is freed with engram_error_free; both take null. Handles, errors, strings and replies are
 * looked up, never followed: one that is null, freed, foreign, or from before a fork gives a status and does no harm.
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
    // The section that Rust's readers need says nothing to those of C.
    String::from_utf8(text).unwrap().replace(" *\n * # Safety\n", " *\n * Safety: ")
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
