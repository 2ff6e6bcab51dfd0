//! Holds each diff of a set against the decision it comes with.

use crate::records::{self, Outcome};
use crate::timing::Samples;
use engram_core::contradict::{Change, DecisionText, VerdictKind, check};
use engram_core::graph::claim;
use engram_core::graph::node::Trust;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Arguments of `contradictions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Decisions and diffs, one pair a line.
    #[arg(long, value_name = "FILE")]
    pairs: PathBuf,
    /// Where the run goes: {"id","label"} a line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Pair {
    id: String,
    decision_id: String,
    decision: String,
    rationale: String,
    affected_files: Vec<String>,
    file: String,
    diff: String,
}

#[derive(Debug, Serialize)]
struct Judged<'p> {
    id: &'p str,
    label: &'static str,
}

impl Pair {
    /// The decision as engram would hold it had the user stated it.
    fn decision(&self) -> DecisionText {
        DecisionText {
            rationale: self.rationale.clone(),
            claim: claim::parse(&self.decision),
            files: self.affected_files.clone(),
            trust: Trust::User,
            ..DecisionText::new(&self.decision_id, &self.decision)
        }
    }
}

fn label(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::NoContradiction => "NO",
        VerdictKind::IndirectContradiction => "INDIRECT",
        VerdictKind::DirectContradiction => "DIRECT",
    }
}

/// Judges every pair by the offline rules.
pub(crate) fn run(arguments: &Arguments) -> Outcome<String> {
    let pairs: Vec<Pair> = records::read(&arguments.pairs)?;
    let mut times = Samples::default();
    let judged: Vec<Judged<'_>> = pairs
        .iter()
        .map(|pair| {
            let change = Change { path: &pair.file, diff: &pair.diff };
            let decision = pair.decision();
            let verdict = times.time(|| check(&change, &[decision]));
            Judged { id: &pair.id, label: label(verdict.verdict) }
        })
        .collect();
    records::write(&arguments.out, &judged)?;
    let warned = judged.iter().filter(|j| j.label != "NO").count();
    Ok(format!("{} pairs, {warned} warned about; median {:.0} us a check", judged.len(), times.median()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_a_breach_and_leaves_obedience_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (pairs, out) = (dir.path().join("pairs.jsonl"), dir.path().join("run.jsonl"));
        let pair = |id: &str, line: &str| {
            let diff = format!("--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,1 +1,2 @@\n fn a() {{\n+    {line}\n");
            let decision = "Do not use println! for output; use the Shell.";
            serde_json::json!({"id": id, "decision_id": "d", "decision": decision, "file": "src/a.rs", "diff": diff})
        };
        records::write(&pairs, &[pair("bad", "println!(\"x\");"), pair("good", "shell.status(\"x\");")]).unwrap();
        run(&Arguments { pairs, out: out.clone() }).unwrap();
        let run: Vec<serde_json::Value> = records::read(&out).unwrap();
        assert_eq!(run[0], serde_json::json!({"id": "bad", "label": "DIRECT"}));
        assert_eq!(run[1], serde_json::json!({"id": "good", "label": "NO"}));
    }
}
