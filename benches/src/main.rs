//! Measures engram on data with known right answers, and against the floors of the machine it runs on.
//!
//! It uses the public interface of `engram-core` only, and for recordings the readers of the program `engram`, so that what is
//! measured is what a harness gets.

mod contradictions;
mod corpus;
mod entities;
mod notes;
mod records;
mod replay;
mod retrieval;
mod speed;
mod timing;

use clap::{Parser, Subcommand};
use records::Outcome;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "Examples:
  engram-eval retrieval --memories locomo.memories.jsonl.gz --queries locomo.queries.jsonl.gz --out run.jsonl
  engram-eval retrieval --memories recall.memories.jsonl.gz --queries recall.queries.jsonl.gz --view task --out run.jsonl
  engram-eval contradictions --pairs contradictions.jsonl --out run.jsonl
  engram-eval entities --pairs entities.jsonl --out run.jsonl
  engram-eval replay --recordings ../shared/transcripts --labels benches/labels/commands.jsonl
  engram-eval speed --nodes 5000 --hook target/x86_64-unknown-linux-gnu/release/engram-hook
  engram-eval hooks --hook target/release/engram-hook

Run files are scored by another program (docs/evaluation.md says how). Paths ending in .gz are read compressed.";

/// Measures engram: what it finds, how it judges, how long it takes.
#[derive(Debug, Parser)]
#[command(name = "engram-eval", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ranks the memories of each corpus for each query.
    Retrieval(retrieval::Arguments),
    /// Judges diffs against decisions, offline.
    Contradictions(contradictions::Arguments),
    /// Says of pairs of things whether they are the same, a version of each other, or different.
    Entities(entities::Arguments),
    /// Recorded sessions of every harness: tool calls in, events out, and labelled commands.
    Replay(replay::Arguments),
    /// Times engram beside the floors of this machine.
    Speed(speed::Arguments),
    /// Times every event of a hook, from start to exit, beside other programs (milliseconds, medians).
    Hooks(speed::HookArguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Retrieval(a) => retrieval::run(&a),
        Command::Contradictions(a) => contradictions::run(&a),
        Command::Entities(a) => entities::run(&a),
        Command::Replay(a) => replay::run(&a),
        Command::Speed(a) => speed::run(&a),
        Command::Hooks(a) => speed::hooks(&a),
    };
    finish(outcome)
}

fn finish(outcome: Outcome<String>) -> ExitCode {
    match outcome {
        Ok(summary) => {
            let _ = writeln!(std::io::stdout(), "{summary}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "error: {e}");
            ExitCode::FAILURE
        }
    }
}
