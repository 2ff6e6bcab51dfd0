//! Ranks the memories of a set for its queries.

use crate::corpus::Corpus;
use crate::notes::{self, Memory};
use crate::records::{self, Outcome};
use crate::timing::Samples;
use clap::ValueEnum;
use engram_core::Ask;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Ranked this deep where memories of a query's future are taken out afterwards.
const DEPTH: usize = 400;

/// Arguments of `retrieval`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The memories, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    memories: PathBuf,
    /// The queries, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Where the run goes: `{"qid","ranked":[ids]}` a line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Memories ranked for a query.
    #[arg(long, default_value_t = 20)]
    k: usize,
    /// What embeds texts.
    #[arg(long, value_enum, default_value_t = Embedder::Builtin)]
    embedder: Embedder,
    /// What of a query is asked.
    #[arg(long, value_enum, default_value_t = View::Question)]
    view: View,
    /// Strength of the link between neighbouring turns of a talk; 0 = none.
    #[arg(long, value_name = "STRENGTH", default_value_t = 1.0)]
    link_neighbours: f64,
    /// Least share of a query's weight that a memory found by words must answer; 0 ranks everything found.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    coverage: f64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Embedder {
    /// The table in the program.
    Builtin,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum View {
    /// The question as it stands.
    Question,
    /// The path of the file, as when it is read.
    File,
    /// The path and the functions, as before an edit.
    #[value(name = "file+functions")]
    FileFunctions,
    /// The words of the task, as in a prompt.
    Task,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Query {
    qid: String,
    corpus: String,
    question: String,
    before: Option<i64>,
    file: String,
    functions: Vec<String>,
    task: String,
}

impl Query {
    fn asked(&self, view: View) -> String {
        match view {
            View::Question => self.question.clone(),
            View::File => self.file.clone(),
            View::FileFunctions => format!("{} {}", self.file, self.functions.join(" ")),
            View::Task => self.task.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Ranking<'q> {
    qid: &'q str,
    ranked: Vec<String>,
}

/// Imports each corpus, asks its queries, writes the rankings in the order of the queries.
pub(crate) fn run(arguments: &Arguments) -> Outcome<String> {
    // The one embedder there is: naming another is refused by the parser.
    let Embedder::Builtin = arguments.embedder;
    let memories: Vec<Memory> = records::read(&arguments.memories)?;
    let queries: Vec<Query> = records::read(&arguments.queries)?;
    let mut rankings: BTreeMap<usize, Ranking<'_>> = BTreeMap::new();
    let mut times = Samples::default();
    let mut corpora = 0;
    for (name, members) in by_corpus(&memories) {
        let asked: Vec<(usize, &Query)> = queries.iter().enumerate().filter(|(_, q)| q.corpus == name).collect();
        if asked.is_empty() {
            continue;
        }
        corpora += 1;
        let corpus = Corpus::of_notes(&notes::notes(&members, arguments.link_neighbours)?)?;
        let turns: BTreeMap<&str, i64> = members.iter().map(|m| (m.id.as_str(), m.turn)).collect();
        for (at, query) in asked {
            let ranked = rank(&corpus, query, arguments, &turns, &mut times)?;
            rankings.insert(at, Ranking { qid: &query.qid, ranked });
        }
    }
    let empty = rankings.values().filter(|r| r.ranked.is_empty()).count();
    records::write(&arguments.out, &rankings.values().collect::<Vec<_>>())?;
    Ok(format!(
        "{} queries over {corpora} corpora, {empty} without an answer; median {:.0} us a query, 99 in 100 below {:.0} us",
        rankings.len(),
        times.median(),
        times.p99()
    ))
}

fn by_corpus(memories: &[Memory]) -> BTreeMap<&str, Vec<&Memory>> {
    let mut by: BTreeMap<&str, Vec<&Memory>> = BTreeMap::new();
    for memory in memories {
        by.entry(&memory.corpus).or_default().push(memory);
    }
    by
}

fn rank(
    corpus: &Corpus,
    query: &Query,
    arguments: &Arguments,
    turns: &BTreeMap<&str, i64>,
    times: &mut Samples,
) -> Outcome<Vec<String>> {
    let limit = if query.before.is_some() { DEPTH.max(arguments.k) } else { arguments.k };
    let ask = Ask { coverage: arguments.coverage, ..Ask::question(query.asked(arguments.view), limit) };
    let found = times.time(|| corpus.engram.search(&ask))?;
    let known = |id: &str| query.before.is_none_or(|before| turns.get(id).is_some_and(|turn| *turn < before));
    Ok(found.into_iter().map(|item| item.id).filter(|id| known(id)).take(arguments.k).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORIES: &str = r#"{"id":"a1","corpus":"a","session":"s","turn":1,"time":"2024-01-01","speaker":"Ann","text":"We went to the planetarium"}
{"id":"a2","corpus":"a","session":"s","turn":2,"time":"2024-01-02","speaker":"Ben","text":"The planetarium closes early"}
{"id":"b1","corpus":"b","session":"s","turn":1,"time":"2024-01-01","speaker":"Cid","text":"My planetarium is better"}
{"id":"a3","corpus":"a","session":"s","turn":3,"time":"2024-01-02","speaker":"Ben","text":"Bread needs flour"}
"#;

    fn ranked(query: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        std::fs::write(file("m.jsonl"), MEMORIES).unwrap();
        std::fs::write(file("q.jsonl"), query).unwrap();
        let arguments = Arguments {
            memories: file("m.jsonl"),
            queries: file("q.jsonl"),
            out: file("run.jsonl"),
            k: 20,
            embedder: Embedder::Builtin,
            view: View::Question,
            link_neighbours: 0.0,
            coverage: 0.0,
        };
        run(&arguments).unwrap();
        let rows: Vec<serde_json::Value> = records::read(&file("run.jsonl")).unwrap();
        rows[0]["ranked"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn ranks_within_the_corpus_of_the_query() {
        let mut found = ranked(r#"{"qid":"q","corpus":"a","question":"planetarium"}"#);
        found.sort();
        assert_eq!(found, ["a1", "a2"]);
    }

    #[test]
    fn leaves_out_the_future_of_the_query() {
        assert_eq!(ranked(r#"{"qid":"q","corpus":"a","question":"planetarium","before":2}"#), ["a1"]);
    }
}
