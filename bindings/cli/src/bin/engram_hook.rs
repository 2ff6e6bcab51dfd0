//! `engram-hook HARNESS`: one hook call.

use engram_cli::hook::{self, Arrived, Reply};
use std::process::ExitCode;

fn main() -> ExitCode {
    let harness = std::env::args_os().nth(1).unwrap_or_default();
    hook::run(&harness.to_string_lossy(), hook::data_home(None).as_deref(), act)
}

/// Until the core's verbs are linked, nothing is recorded, and that is said.
fn act(_: Arrived) -> Reply {
    Reply { not_recorded: Some("this build holds no capture".into()), ..Reply::default() }
}
