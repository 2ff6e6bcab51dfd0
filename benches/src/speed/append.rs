//! A tool call captured in process, against the bare write of a line of its size.

use super::floor::Lines;
use super::row::Row;
use crate::corpus::Corpus;
use crate::records::Outcome;
use crate::timing::Samples;
use engram_core::capture::call::ToolCall;
use engram_core::capture::event::SessionId;
use engram_core::config::Durability;
use serde_json::json;

/// Calls measured.
const CALLS: usize = 400;
/// Calls before them.
const WARM_UP: usize = 20;

/// A read of a file, as a harness reports it.
pub(super) fn read_of(corpus: &Corpus, session: &str, path: &str) -> ToolCall {
    let place = corpus.project().join(path);
    ToolCall {
        session: SessionId::new(session),
        tool: "Read".to_owned(),
        input: json!({"file_path": place}),
        output: Some(json!({"type": "text", "file": {"filePath": place, "content": "fn main() {}\n", "numLines": 1}})),
        ..ToolCall::default()
    }
}

/// The bytes of an event of `session` on average.
pub(super) fn line_size(corpus: &Corpus, session: &str) -> Outcome<usize> {
    let path = corpus.engram.data().events().join(format!("{session}.jsonl"));
    let text = std::fs::read(&path).map_err(|e| format!("\"{}\": {e}", path.display()))?;
    let lines = text.iter().filter(|b| **b == b'\n').count();
    Ok(text.len() / lines.max(1))
}

/// `on_tool_call` at both levels of durability.
pub(super) fn rows() -> Outcome<Vec<Row>> {
    [(Durability::Process, "process", "write"), (Durability::Power, "power", "write + fdatasync")]
        .into_iter()
        .map(|(durability, level, floor)| row(durability, &format!("on_tool_call in process, {level}"), floor))
        .collect()
}

fn row(durability: Durability, name: &str, floor: &str) -> Outcome<Row> {
    let corpus = Corpus::empty(durability)?;
    let call = read_of(&corpus, "append", "src/main.rs");
    for _ in 0..WARM_UP {
        corpus.engram.on_tool_call(&call)?;
    }
    let size = line_size(&corpus, "append")?;
    let mut lines = Lines::new(&corpus.home().join("floor"), size)?;
    let (mut calls, mut least) = (Samples::default(), Samples::default());
    for _ in 0..CALLS {
        calls.time(|| corpus.engram.on_tool_call(&call))?;
        least.time(|| match durability {
            Durability::Process => lines.write(),
            Durability::Power => lines.write_durably(),
        })?;
    }
    Ok(Row::new(name, &calls, format!("{floor} of {size} bytes"), &least))
}
