//! The judge on input that nobody wrote with it in mind.

use super::reading::Reading;
use super::verdict::VerdictKind;
use super::{Change, DecisionText, candidates, check, fingerprint, render_warning};
use proptest::prelude::*;

/// Words that the reading of decisions and the rules know, and some that upset parsers.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "never", "not", "no", "must", "use", "instead", "of", "is", "are", "only", "in", "`a::b`", "eval", "unwrap",
    "money",
    "float", "every", "timeout", "2", ";", ",", ".", "\"", "'", "%", "&", "!", "\u{e9}", "\u{1f600}", "--x", "src/**",
    "(",
    "not", "all", "goes", "through", "FooClient", "except", "fetch(", "money", "console.log(", "deprecated",
    "removed",
];

fn soup(longest: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(WORDS), 0..longest).prop_map(|w| w.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gets_a_verdict(text in ".{0,200}", path in ".{0,40}", diff in "([-+ @\\\\]?.{0,40}\n){0,12}") {
        judged(&text, &path, &diff);
    }

    #[test]
    fn any_decision_like_text_gets_a_verdict(
        text in soup(30),
        path in "[a-z/]{0,12}\\.(rs|py|ts|sql|yml|md|tf|sh|css)",
        lines in proptest::collection::vec(("[-+ ]", soup(8)), 0..12),
    ) {
        let diff: String = lines.into_iter().map(|(side, body)| format!("{side}{body}\n")).collect();
        judged(&text, &path, &diff);
    }
}

fn judged(text: &str, path: &str, diff: &str) {
    let decision = DecisionText { files: vec![text.to_owned()], ..DecisionText::new("d", text) };
    let everywhere = DecisionText::new("e", text);
    let decisions = [decision, everywhere];
    let change = Change { path, diff };
    let verdict = check(&change, &decisions);
    candidates::candidates(&change, &decisions);
    fingerprint(&change, &verdict, &decisions);
    let warning = render_warning(&verdict, &decisions);
    assert_eq!(warning.is_empty(), verdict.verdict == VerdictKind::NoContradiction);
    assert!(crate::text::estimate_tokens(&warning) <= super::render::TOKEN_LIMIT);
}

/// Milliseconds of the quickest of three checks.
fn millis(diff: &str) -> f64 {
    let decisions = [
        DecisionText::new("a", "Never use eval or `new Function`; raw SQL and floats for money are forbidden."),
        DecisionText::new("b", "Every goroutine can be stopped, and at most 3 retries are made."),
    ];
    let once = || check(&Change { path: "src/a.ts", diff }, &decisions).elapsed_micros;
    let best = (0..3).map(|_| once()).min().unwrap_or(0);
    f64::from(u32::try_from(best).unwrap_or(u32::MAX)) / 1000.0
}

#[test]
fn huge_diffs_take_no_more_than_bounded_time() {
    let one_line = format!("+{}", "x = f(\"a'b`c\"); ".repeat(120_000));
    let many_lines = "+const a = b(1, \"two\"); // three\n".repeat(60_000);
    let pairs = "-const a = 1;\n+const a = 2;\n".repeat(40_000);
    for (name, diff) in [("one line", &one_line), ("many lines", &many_lines), ("pairs", &pairs)] {
        let took = millis(diff);
        println!("{name}: {} KB in {took:.1} ms", diff.len() / 1024);
        // A debug build on a shared machine; a quadratic rule would take minutes.
        assert!(took < 8_000.0, "{name} took {took} ms");
    }
}

#[test]
fn a_usual_change_is_checked_in_a_moment() {
    let diff = "@@ -1,4 +1,6 @@\n context();\n-old(1);\n+new(1);\n+const f = eval(body);\n more();\n".repeat(8);
    let took = millis(&diff);
    println!("{} lines, 2 decisions: {took:.2} ms", diff.lines().count());
    assert!(took < 100.0, "{took} ms");
    let reading = Reading::of(&DecisionText::new("d", "word ".repeat(100_000)));
    assert!(reading.words.len() <= 500, "a decision is clipped");
}
