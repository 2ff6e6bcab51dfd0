//! The rules against the shared evaluation data, where it is there.

use super::verdict::VerdictKind;
use super::{Change, DecisionText, check};
use crate::graph::node::Trust;

const DATA: &str = "/work/shared/eval/contradictions.dev.jsonl";
const LABELS: [&str; 3] = ["NO", "INDIRECT", "DIRECT"];

fn label(kind: VerdictKind) -> usize {
    match kind {
        VerdictKind::NoContradiction => 0,
        VerdictKind::IndirectContradiction => 1,
        VerdictKind::DirectContradiction => 2,
    }
}

#[test]
fn the_development_half_stays_above_its_floor() {
    let Ok(lines) = std::fs::read_to_string(DATA) else {
        println!("skipped: {DATA} is not there");
        return;
    };
    let mut confusion = [[0u32; 3]; 3];
    for line in lines.lines() {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| pair[name].as_str().unwrap_or_default();
        let decision =
            DecisionText { trust: Trust::User, ..DecisionText::new(field("decision_id"), field("decision")) };
        let verdict = check(&Change { path: field("file"), diff: field("diff") }, &[decision]);
        let gold = LABELS.iter().position(|l| *l == field("label")).unwrap();
        let got = label(verdict.verdict);
        confusion[gold][got] += 1;
        if gold != got {
            println!("{:32} gold {:8} got {:8} {}", field("id"), LABELS[gold], LABELS[got], verdict.explanation);
        }
        if let Some(out) = std::env::var_os("ENGRAM_CONTRADICTION_RUN") {
            use std::io::Write;
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(out).unwrap();
            writeln!(file, "{}", serde_json::json!({"id": field("id"), "label": LABELS[got]})).unwrap();
        }
    }
    report(&confusion);
}

fn report(c: &[[u32; 3]; 3]) {
    let all: u32 = c.iter().flatten().sum();
    let right = c[0][0] + c[1][1] + c[2][2];
    let warned: u32 = (0..3).map(|g| c[g][1] + c[g][2]).sum();
    let true_warned = warned - c[0][1] - c[0][2];
    let due: u32 = c[1].iter().chain(&c[2]).sum();
    let share = |a: u32, b: u32| f64::from(a) / f64::from(b.max(1));
    let (precision, recall) = (share(true_warned, warned), share(true_warned, due));
    println!("rows gold, columns got {LABELS:?}: {c:?}");
    println!("accuracy {:.3}, warn precision {precision:.3}, recall {recall:.3}", share(right, all));
    let direct = share(c[2][1] + c[2][2], c[2].iter().sum());
    println!("of DIRECT warned {direct:.3}, of INDIRECT {:.3}", share(c[1][1] + c[1][2], c[1].iter().sum()));
    assert!(precision >= 0.9, "false alarms");
    assert!(direct >= 0.9, "direct contradictions missed");
    assert!(share(right, all) >= 0.9, "labels");
}
