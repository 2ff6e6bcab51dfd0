//! `engram`: hooks, install, inspect.

use std::process::ExitCode;

fn main() -> ExitCode {
    engram_cli::commands::main()
}
