//! Entity resolution with the built-in embedder: the specification's examples, and pairs with known answers.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout, reason = "a test")]

use engram_core::graph::likeness::{Described, Likeness, label_pair};
use engram_core::models::{Embedder, StaticEmbedder, cosine};
use serde_json::Value;

const PAIRS: &str = "/work/shared/eval/entities.dev.jsonl";

fn label(embedder: &StaticEmbedder, a: (&str, &str), b: (&str, &str)) -> Likeness {
    let vector = |(name, text): (&str, &str)| embedder.vector(&format!("{name}: {text}"));
    let near = vector(a).zip(vector(b)).map(|(x, y)| cosine(&x, &y));
    let described = |(name, description)| Described { name, description };
    label_pair(described(a), described(b), near, &embedder.thresholds())
}

#[test]
fn the_examples_of_the_specification_hold_with_real_vectors() {
    let embedder = StaticEmbedder::builtin().unwrap();
    let sqlite = ("SQLite", "Embedded SQL database that keeps the graph");
    let version = ("SQLite 3.53.0", "The embedded database of the project");
    let aspect = ("SQLite migration", "Moves the tables of the store to a new schema");
    let other = ("Kubernetes", "Schedules the containers of the services");
    assert_eq!(label(&embedder, version, sqlite), Likeness::Same);
    assert_eq!(label(&embedder, aspect, sqlite), Likeness::Version);
    assert_eq!(label(&embedder, other, sqlite), Likeness::Different);
}

#[test]
fn pairs_with_known_answers() {
    let Ok(file) = std::fs::read_to_string(PAIRS) else {
        eprintln!("skipped: {PAIRS} is not here");
        return;
    };
    let embedder = StaticEmbedder::builtin().unwrap();
    let (mut right, mut false_merges, mut all) = (0, 0, 0);
    for line in file.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        let side = |s: &str| (pair[s]["name"].as_str().unwrap(), pair[s]["description"].as_str().unwrap());
        let want = match pair["label"].as_str().unwrap() {
            "SAME" => Likeness::Same,
            "VERSION_OF" => Likeness::Version,
            _ => Likeness::Different,
        };
        let got = label(&embedder, side("a"), side("b"));
        all += 1;
        right += u32::from(got == want);
        false_merges += u32::from(got == Likeness::Same && want != Likeness::Same);
        if got != want {
            println!("{} is {want:?}, found {got:?}: {} / {}", pair["id"], side("a").0, side("b").0);
        }
    }
    let accuracy = f64::from(right) / f64::from(all);
    println!("accuracy {accuracy:.3}, false merges {false_merges} of {all} pairs");
    assert!(accuracy >= 0.80, "accuracy {accuracy:.3}");
    assert!(false_merges <= 1, "{false_merges} false merges");
}
