//! Writes the tables of README.md that follow from the code, or with `--check` says whether they are fresh.

use engram_core::config::{Allowed, Config, SETTINGS, env_name};
use std::process::ExitCode;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
const BEGIN: &str = "<!-- settings: made by `cargo run -p engram-tests --bin readme-tables` -->\n";
const END: &str = "<!-- end of settings -->";

fn main() -> ExitCode {
    match run(std::env::args().any(|a| a == "--check")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            #[allow(clippy::print_stderr, reason = "a developer's tool")]
            {
                eprintln!("error: {reason}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<(), String> {
    let old = std::fs::read_to_string(README).map_err(|e| format!("cannot read {README}: {e}"))?;
    let (head, rest) = old.split_once(BEGIN).ok_or("README.md has no settings table")?;
    let (_, tail) = rest.split_once(END).ok_or("the settings table of README.md has no end")?;
    let new = format!("{head}{BEGIN}{}{END}{tail}", table());
    if new == old {
        return Ok(());
    }
    if check {
        return Err(
            "the settings table of README.md is stale; run cargo run -p engram-tests --bin readme-tables".into()
        );
    }
    std::fs::write(README, new).map_err(|e| format!("cannot write {README}: {e}"))
}

fn table() -> String {
    let defaults = serde_json::to_value(Config::default()).unwrap_or_default();
    let mut table = String::from(
        "| setting | default | what it may hold | what it does | environment |\n| --- | --- | --- | --- | --- |\n",
    );
    for s in SETTINGS {
        let default = if matches!(s.allowed, Allowed::Budgets) {
            "see below".to_owned()
        } else {
            format!("`{}`", defaults[s.name])
        };
        let rule = s.allowed.rule();
        table.push_str(&format!(
            "| `{}` | {default} | {} | {} | `{}` |\n",
            s.name,
            rule.strip_prefix("must be ").unwrap_or(&rule),
            s.help,
            env_name(s.name)
        ));
    }
    table
}
