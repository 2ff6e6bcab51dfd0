//! Times engram beside the floor of this machine, in the same run.
//!
//! A ratio to a floor measured in the same minutes says something on any machine; a time alone does not. Nothing here
//! passes or fails.

mod append;
mod floor;
mod process;
mod recalls;
mod round_trips;
mod row;
mod synthetic;

use crate::records::Outcome;
use std::path::{Path, PathBuf};

/// Arguments of `speed`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Sizes of the synthetic memories for recall.
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "5000")]
    nodes: Vec<usize>,
    /// The program engram-hook, linked statically; beside this program if absent.
    #[arg(long, value_name = "PATH")]
    hook: Option<PathBuf>,
    /// Rounds of the process measurements.
    #[arg(long, default_value_t = 40)]
    rounds: usize,
    /// One JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// Arguments of `hooks`.
#[derive(Debug, clap::Args)]
pub(crate) struct HookArguments {
    /// How many memories the project has.
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "0,1000,10000")]
    memories: Vec<usize>,
    /// The program engram-hook, linked statically; beside this program if absent.
    #[arg(long, value_name = "PATH")]
    hook: Option<PathBuf>,
    /// Sessions that are counted.
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

/// Measures the round trip of every event of a hook.
pub(crate) fn hooks(arguments: &HookArguments) -> Outcome<String> {
    round_trips::table(&hook(arguments.hook.as_deref())?, &arguments.memories, arguments.rounds)
}

/// Measures everything; the rows that this machine cannot measure are named instead.
pub(crate) fn run(arguments: &Arguments) -> Outcome<String> {
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    match process::rows(&hook(arguments.hook.as_deref())?, arguments.rounds) {
        Ok(measured) => rows.extend(measured),
        Err(why) => left_out.push(format!("hook processes not measured: {why}")),
    }
    rows.extend(append::rows()?);
    for nodes in &arguments.nodes {
        rows.extend(recalls::rows(*nodes)?);
    }
    if arguments.json {
        return Ok(serde_json::json!({ "rows": rows, "leftOut": left_out }).to_string());
    }
    Ok([row::table(&rows), left_out.join("\n")].join("\n").trim_end().to_owned())
}

fn hook(named: Option<&Path>) -> Outcome<PathBuf> {
    match named {
        Some(path) => Ok(path.canonicalize().map_err(|e| format!("no hook at \"{}\": {e}", path.display()))?),
        None => Ok(std::env::current_exe()?.with_file_name("engram-hook")),
    }
}
