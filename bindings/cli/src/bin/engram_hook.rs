//! `engram-hook HARNESS [EVENT]`: one hook call, from a program without network code or argument parser (D25).

use engram_cli::hook::{self, Called};
use engram_cli::serve;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).take(2).map(|w| w.to_string_lossy().into_owned()).collect();
    let harness = words.first().map_or("", String::as_str);
    let called = Called { harness, event: words.get(1).map(String::as_str) };
    let home = hook::data_home(None);
    hook::run(called, home.clone().as_deref(), |arrived| serve::act(home, arrived))
}
