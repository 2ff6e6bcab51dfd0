//! The words of a verdict, and the warning that an agent reads.

use super::finding::Finding;
use super::verdict::{Verdict, VerdictKind};
use super::{Change, DecisionText};
use crate::text;

/// The first line of every warning (contract, settled detail 1).
pub const HEADING: &str = "engram warning:";
/// Most tokens of a warning (D9), as [`crate::text::estimate_tokens`] counts.
pub const TOKEN_LIMIT: usize = 200;

const LAST_LINE: &str = "If the decision no longer holds, say that it is superseded and why.";
const QUOTE_LIMIT: usize = 120;
const DECISION_LIMIT: usize = 160;

/// One sentence that quotes the decision and the line.
pub(crate) fn explanation(decision: &DecisionText, finding: &Finding) -> String {
    // An edit that comes without the file has lines and no numbers.
    let place = match (finding.removed, finding.number) {
        (false, 0) => String::new(),
        (true, 0) => ", removed".to_owned(),
        (false, number) => format!(", line {number}"),
        (true, number) => format!(", removed at line {number}"),
    };
    format!(
        "{}{place}, `{}`, {} (decision: \"{}\").",
        tidy(&finding.path, 100),
        tidy(&finding.quote, QUOTE_LIMIT).replace('`', "'"),
        tidy(&finding.reason, 140),
        tidy(decision.text.trim_end_matches('.'), DECISION_LIMIT),
    )
}

/// How to go on.
pub(crate) fn recommendation(finding: &Finding) -> String {
    let keep = match (finding.prohibition, finding.kind) {
        (true, VerdictKind::DirectContradiction) => "Keep the decision by doing this without what it rules out",
        (true, _) => "Keep the decision by finding a way that also serves its purpose",
        (false, _) => "Keep the decision by doing this the way it asks for",
    };
    format!("{keep}, or state that it is superseded because of a reason that holds now.")
}

/// The warning as it is injected: facts, the decision with its date and reason, and how to overrule it.
///
/// Begins with [`HEADING`], holds at most [`TOKEN_LIMIT`] tokens. Empty when there is no contradiction. The decisions
/// are looked up by the verdict's ids; unknown ones are left out.
pub fn render_warning(verdict: &Verdict, decisions: &[DecisionText]) -> String {
    if verdict.verdict == VerdictKind::NoContradiction {
        return String::new();
    }
    let kind = match verdict.verdict {
        VerdictKind::DirectContradiction => "This change contradicts a recorded decision.",
        _ => "This change may defeat the purpose of a recorded decision.",
    };
    let known = |id: &String| decisions.iter().find(|d| &d.id == id);
    let mut lines = vec![HEADING.to_owned(), kind.to_owned(), tidy(&verdict.explanation, 360)];
    if let Some(decision) = verdict.decisions.first().and_then(known) {
        lines.push(source_line(decision));
    }
    let more = verdict.decisions.iter().skip(1).filter_map(known).take(1);
    lines.extend(more.map(|d| format!("Also concerned: \"{}\"", tidy(&d.text, 80))));
    fit(lines)
}

/// Where the decision comes from, and why it was taken.
fn source_line(decision: &DecisionText) -> String {
    let since = decision.since.map(|t| format!(" since {}", t.date())).unwrap_or_default();
    let why = tidy(decision.rationale.trim_end_matches('.'), 120);
    let reason = if why.is_empty() { String::new() } else { format!(" Reason: {why}.") };
    format!("Decision {} ({} trust{since}).{reason}", tidy(&decision.id, 40), decision.trust)
}

/// Drops the least needed lines, then clips, until the whole fits; the last line always stays.
fn fit(mut lines: Vec<String>) -> String {
    let tokens = |lines: &[String]| text::estimate_tokens(&lines.join("\n")) + text::estimate_tokens(LAST_LINE) + 1;
    while lines.len() > 3 && tokens(&lines) > TOKEN_LIMIT {
        lines.pop();
    }
    lines.push(LAST_LINE.to_owned());
    lines.join("\n")
}

/// On one line, without what hides or controls, clipped.
fn tidy(raw: &str, limit: usize) -> String {
    let clipped = text::clip(raw, 4 * limit);
    text::clip_marked(&text::inert(clipped), limit)
}

/// What makes two warnings the same: the file, the lines added and removed, and the decisions with their texts.
///
/// A caller warns once for each fingerprint of a session: the same change again says nothing new.
pub fn fingerprint(change: &Change<'_>, verdict: &Verdict, decisions: &[DecisionText]) -> String {
    let lines = change.diff.lines().filter(|l| l.starts_with(['+', '-']));
    let told =
        decisions.iter().filter(|d| verdict.decisions.contains(&d.id)).flat_map(|d| [d.id.as_str(), d.text.as_str()]);
    let parts: Vec<&str> = std::iter::once(change.path).chain(lines).chain(told).collect();
    text::digest::<8>(parts.join("\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    fn decision() -> DecisionText {
        let mut d = DecisionText::new("d1", "Never use eval in the template engine.");
        d.rationale = "Templates come from users.".to_owned();
        d.since = "2026-03-04T00:00:00Z".parse().ok();
        d
    }

    const DIFF: &str = "@@ -3,0 +4,2 @@\n+const ok = 1;\n+const f = eval(body);\n";

    #[test]
    fn a_warning_states_file_line_decision_date_and_the_way_out() {
        let change = Change { path: "src/template.ts", diff: DIFF };
        let verdict = check(&change, &[decision()]);
        let warning = render_warning(&verdict, &[decision()]);
        assert!(warning.starts_with("engram warning:\n"), "{warning}");
        for part in [
            "src/template.ts, line 5, `const f = eval(body);`",
            "Never use eval",
            "2026-03-04",
            "Templates come from users",
            LAST_LINE,
        ] {
            assert!(warning.contains(part), "{part} is missing in:\n{warning}");
        }
        assert!(text::estimate_tokens(&warning) <= TOKEN_LIMIT);
    }

    #[test]
    fn hostile_and_long_text_stays_bounded_and_on_its_lines() {
        let mut d = decision();
        d.text = format!("Never use eval.\nengram memory\u{202e}\u{1b}[31m {}", "very ".repeat(400));
        d.rationale = "so ".repeat(900);
        let line = format!("+eval(x); /*{}*/", "y".repeat(5000));
        let verdict = check(&Change { path: "a.js", diff: &line }, std::slice::from_ref(&d));
        let warning = render_warning(&verdict, &[d]);
        assert!(text::estimate_tokens(&warning) <= TOKEN_LIMIT, "{}", text::estimate_tokens(&warning));
        assert!(!warning.contains(['\u{202e}', '\u{1b}']) && !warning.contains("\nengram memory"));
        assert!(warning.ends_with(LAST_LINE));
    }

    #[test]
    fn no_contradiction_renders_nothing_and_fingerprints_follow_the_change() {
        let change = Change { path: "a.js", diff: "+const a = 1;\n" };
        let verdict = check(&change, &[decision()]);
        assert_eq!(render_warning(&verdict, &[decision()]), "");
        let c = Change { path: "src/template.ts", diff: DIFF };
        let v = check(&c, &[decision()]);
        let moved = Change { diff: "@@ -30,0 +40,2 @@\n+const ok = 1;\n+const f = eval(body);\n", ..c };
        assert_eq!(fingerprint(&c, &v, &[decision()]), fingerprint(&moved, &v, &[decision()]));
        let other = Change { diff: "+eval(other)\n", ..c };
        assert_ne!(fingerprint(&c, &v, &[decision()]), fingerprint(&other, &v, &[decision()]));
    }
}
