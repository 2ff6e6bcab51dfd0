//! How long the call takes in Rust, as JSON (`rust-json`) and with types (`rust`); the other programs of the folder above do the
//! same (README.md).

#![allow(clippy::print_stdout, reason = "a program for people")]

use engram_core::capture::call::ToolCall;
use engram_core::capture::event::SessionId;
use engram_core::{Engram, wire};
use serde_json::json;
use std::time::Instant;

const CALLS: u128 = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [home, project, rounds] = [1, 2, 3].map(|i| std::env::args().nth(i).unwrap_or_default());
    let durability = std::env::var("ENGRAM_DURABILITY").unwrap_or("process".to_owned());
    let options =
        json!({"home": home, "project": project, "background": "caller", "config": {"durability": durability}});
    let memory = wire::open(&options.to_string(), wire::Hosts::default())?;
    let output = "compiled another module without a warning\n".repeat(46);
    for round in 0..rounds.parse()? {
        measured("rust", |i| typed(&memory, round, i, &output))?;
        measured("rust-json", |i| as_json(&memory, round, i, &output))?;
    }
    Ok(())
}

fn measured(
    language: &str,
    mut call: impl FnMut(u128) -> engram_core::Result<()>,
) -> Result<(), Box<dyn std::error::Error>> {
    let begun = Instant::now();
    for i in 0..CALLS {
        call(i)?;
    }
    let nanos = begun.elapsed().as_nanos() / CALLS;
    println!("{}", json!({"language": language, "verb": "onToolCall", "nanos": u64::try_from(nanos)?}));
    Ok(())
}

fn typed(memory: &Engram, round: u32, i: u128, output: &str) -> engram_core::Result<()> {
    let call = ToolCall {
        session: SessionId::new(format!("typed-{round}")),
        tool: "bash".into(),
        input: json!({"command": format!("make part-{i}")}),
        output: Some(json!(output)),
        exit_code: Some(0),
        ..ToolCall::default()
    };
    memory.on_tool_call(&call).map(drop)
}

fn as_json(memory: &Engram, round: u32, i: u128, output: &str) -> engram_core::Result<()> {
    let command = format!("make part-{i}");
    let call = json!({"session": format!("round-{round}"), "tool": "bash", "input": {"command": command}, "output": output,
        "exitCode": 0});
    wire::call(memory, "onToolCall", &call.to_string()).map(drop)
}
