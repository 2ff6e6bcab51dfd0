//! `engram mcp`: the Model Context Protocol on stdin and stdout, with one tool.
//!
//! One JSON object a line. Both eras are served: with `initialize` (2025-11-25 and older), and the stateless one of
//! 2026-07-28, in which every request names its version. docs/decisions/0006 says why there is no SDK beneath it.

mod lines;
mod protocol;

#[cfg(test)]
mod tests;

use engram_core::{Ask, Background, Engram, Options, Recall, Result};
use lines::Line;
use protocol::Server;
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// Most notes of an answer.
const NOTES: usize = 10;

/// Serves until `input` ends or nobody reads `output`. A line that is no request is answered with an error of JSON-RPC.
///
/// # Errors
/// What the system says if `input` cannot be read.
pub fn serve(input: impl BufRead, mut output: impl Write, memory: &Memory) -> io::Result<()> {
    let mut server = Server::new(memory);
    for line in lines::lines(input) {
        let answer = match line? {
            Line::Text(text) if text.trim().is_empty() => None,
            Line::Text(text) => server.line(&text),
            Line::TooLong => Some(protocol::error(&Value::Null, protocol::PARSE, "the message is too long", None)),
        };
        let Some(answer) = answer else { continue };
        if writeln!(output, "{answer}").and_then(|()| output.flush()).is_err() {
            // Whoever asked has gone.
            return Ok(());
        }
    }
    Ok(())
}

/// Where the tool looks.
#[derive(Clone, Debug)]
pub struct Memory {
    /// engram's home, if it was named.
    pub home: Option<PathBuf>,
    /// A directory of the project.
    pub project: PathBuf,
}

/// What the tool found.
struct Found {
    text: String,
    recall: Value,
}

impl Memory {
    /// Asks the memory; opened anew each time, so that settings and a project that came meanwhile count.
    fn query(&self, question: &str, all: bool) -> Result<Found> {
        let options = Options {
            home: self.home.clone(),
            project: self.project.clone(),
            background: Background::Caller,
            ..Options::default()
        };
        let engram = Engram::open(options)?;
        let ask = Ask::question(question, NOTES);
        let recall: Recall = if all { engram.retrieve_everywhere(&ask)? } else { engram.retrieve(&ask)? };
        let text = if recall.items.is_empty() {
            let place =
                if all { "any project".to_owned() } else { format!("the project {}", engram.project().root.display()) };
            format!("Nothing is remembered about this in {place}.")
        } else {
            recall.text.clone()
        };
        let scope = if all { "all" } else { "current_project" };
        Ok(Found { text, recall: json!({"scope": scope, "items": recall.items}) })
    }
}
