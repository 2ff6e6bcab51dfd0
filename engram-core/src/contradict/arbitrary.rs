//! The judge on input that nobody wrote with it in mind.

use super::diff::Diff;
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
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

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

/// The rules see at most a fixed part of a diff, whatever its form: so their time is bounded too.
#[test]
fn of_huge_diffs_a_bounded_part_is_read() {
    let decision = [DecisionText::new("a", "Never use eval or `new Function`; floats for money are forbidden.")];
    let one_line = format!("+{}", "x = f(\"a'b`c\"); ".repeat(60_000));
    let many_lines = "+const a = b(1, \"two\"); // three\n".repeat(20_000);
    let pairs = "-const a = 1;\n+const a = 2;\n".repeat(20_000);
    for diff in [&one_line, &many_lines, &pairs] {
        let read: usize = Diff::parse("src/a.ts", diff).lines.iter().map(|l| l.raw.len()).sum();
        assert!(read <= 96 * 1024, "{read} bytes");
        assert_eq!(check(&Change { path: "src/a.ts", diff }, &decision).verdict, VerdictKind::NoContradiction);
    }
    let reading = Reading::of(&DecisionText::new("d", "word ".repeat(100_000)));
    assert!(reading.words.len() <= 500, "a decision is clipped");
}
