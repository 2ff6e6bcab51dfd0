//! How many tests passed and failed, from the summaries that runners print.

/// Tests counted in one output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: Option<u32>,
    pub(crate) failed: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Passed,
    Failed,
    Total,
    Skipped,
}
use What::{Failed, Passed, Skipped, Total};

const VOCABULARY: &[(&str, What)] = &[
    ("passed", Passed),
    ("pass", Passed),
    ("passing", Passed),
    ("succeeded", Passed),
    ("successes", Passed),
    ("failed", Failed),
    ("fail", Failed),
    ("failing", Failed),
    ("failures", Failed),
    ("failure", Failed),
    ("errors", Failed),
    ("error", Failed),
    ("timed", Failed),
    ("tests", Total),
    ("test", Total),
    ("runs", Total),
    ("run", Total),
    ("examples", Total),
    ("example", Total),
    ("total", Total),
    ("of", Total),
    ("skipped", Skipped),
    ("ignored", Skipped),
    ("pending", Skipped),
    ("todo", Skipped),
    ("skips", Skipped),
    ("skip", Skipped),
    ("cancelled", Skipped),
    ("xfailed", Skipped),
    ("deselected", Skipped),
];

/// How the lines of one form add up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    /// One line a package: they add.
    Add,
    /// The last line is the whole.
    Last,
    /// Counts something else.
    Skip,
}

/// Beginnings of summary lines. Lines that begin with a number count too.
const LEADS: &[(&str, Sum)] = &[
    ("test result:", Sum::Add),
    ("Summary [", Sum::Add),
    ("Tests run:", Sum::Last),
    ("Tests:", Sum::Add),
    ("Tests ", Sum::Add),
    ("Passed!", Sum::Add),
    ("Failed!", Sum::Add),
    ("ok |", Sum::Add),
    ("FAILED |", Sum::Add),
    ("OK (", Sum::Add),
    ("FAILED (", Sum::Add),
    ("Ran ", Sum::Add),
    ("Executed ", Sum::Last),
    ("Test Suites:", Sum::Skip),
    ("Test Files", Sum::Skip),
    ("Test run with ", Sum::Add),
];

#[derive(Default)]
struct Totals {
    counts: [Option<u32>; 4],
    /// Lines of `go test`: packages that passed and failed; tests that did.
    go: [u32; 4],
    /// `ok` and `not ok` lines.
    tap: [u32; 2],
}

/// Counts the tests of an output; nothing where no summary is recognised.
pub(crate) fn tally(text: &str) -> Tally {
    let mut totals = Totals::default();
    for line in text.lines().filter(|l| l.len() < 400) {
        totals.take_go(line);
        totals.take_tap(line.trim_start());
        totals.take_summary(bare(line));
    }
    totals.result()
}

/// A line without the decoration that some runners put before the summary.
fn bare(line: &str) -> &str {
    let line = line.trim_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '=' | '-' | '~' | '#' | '*' | '\u{2139}' | '\u{2716}' | '\u{2714}' | '\u{2713}' | '\u{2717}')
    });
    ["[INFO]", "[ERROR]", "[WARNING]"].iter().find_map(|p| line.strip_prefix(p)).unwrap_or(line).trim_start()
}

impl Totals {
    fn take_summary(&mut self, line: &str) {
        let lead = LEADS.iter().find(|(lead, _)| line.starts_with(lead)).map(|(_, sum)| *sum);
        let tokens = tokens(line);
        let two = tokens.len() == 2 && what(tokens[0]).is_some() && tokens[1].parse::<u32>().is_ok();
        let by_number = || {
            tokens.first().is_some_and(|t| t.parse::<u32>().is_ok()) && tokens.get(1).is_some_and(|t| what(t).is_some())
        };
        let by_percent = tokens.first().is_some_and(|t| t.ends_with('%')) && line.contains(" out of ");
        let sum = match lead {
            Some(Sum::Skip) => return,
            Some(Sum::Last) if line.contains("Time elapsed") => return,
            Some(sum) => sum,
            None if two || by_percent || by_number() => Sum::Add,
            None => return,
        };
        let pairs = if two { vec![(tokens[1].parse().unwrap_or(0), what(tokens[0]))] } else { pairs(&tokens) };
        if sum == Sum::Last && !pairs.is_empty() {
            self.counts = [None; 4];
        }
        for (n, what) in pairs {
            if let Some(what) = what {
                let slot = &mut self.counts[what as usize];
                *slot = Some(slot.unwrap_or(0).saturating_add(n));
            }
        }
    }

    fn take_go(&mut self, line: &str) {
        let empty = line.contains("[no test files]") || line.contains("[no tests to run]");
        let forms = ["ok  \t", "FAIL\t", "--- PASS: ", "--- FAIL: "];
        if let Some(i) = forms.iter().position(|f| line.starts_with(f)).filter(|_| !empty) {
            self.go[i] += 1;
        }
    }

    fn take_tap(&mut self, line: &str) {
        let is_point = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if line.strip_prefix("not ok ").is_some_and(is_point) {
            self.tap[1] += 1;
        } else if line.strip_prefix("ok ").is_some_and(is_point) {
            self.tap[0] += 1;
        }
    }

    fn result(self) -> Tally {
        let [mut passed, mut failed, total, skipped] = self.counts;
        if let (None, Some(total)) = (passed, total) {
            passed = Some(total.saturating_sub(failed.unwrap_or(0)).saturating_sub(skipped.unwrap_or(0)));
        }
        let [ok_packages, bad_packages, ok_tests, bad_tests] = self.go;
        if passed.is_none() && failed.is_none() && ok_packages + bad_packages + ok_tests + bad_tests > 0 {
            passed = Some(if ok_tests > 0 { ok_tests } else { ok_packages });
            failed = Some(bad_tests.max(bad_packages));
        }
        if passed.is_none() && failed.is_none() && self.tap != [0, 0] {
            (passed, failed) = (Some(self.tap[0]), Some(self.tap[1]));
        }
        if passed.is_some() {
            failed = failed.or(Some(0));
        }
        Tally { passed, failed }
    }
}

fn tokens(line: &str) -> Vec<&str> {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '(' | ')' | '.');
    // `failures=1` is read as `failures: 1`, with the sign left on the word.
    line.split(is_gap).flat_map(|t| t.split_inclusive('=')).filter(|t| !t.is_empty()).take(40).collect()
}

fn what(token: &str) -> Option<What> {
    let word = token.trim_end_matches([':', '=', '!']);
    VOCABULARY.iter().find(|(v, _)| v.eq_ignore_ascii_case(word)).map(|(_, w)| *w)
}

/// `3 passed`, `Failures: 1`, `1 tests failed`.
fn pairs(tokens: &[&str]) -> Vec<(u32, Option<What>)> {
    let is_label = |t: &&&str| t.ends_with([':', '=']);
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Ok(n) = token.parse::<u32>() else { continue };
        let next = tokens.get(i + 1).filter(|t| !is_label(t) || t.eq_ignore_ascii_case("run:"));
        let next = match (next.and_then(|t| what(t)), tokens.get(i + 2).and_then(|t| what(t))) {
            (Some(Total), Some(w @ (Passed | Failed))) => Some(w),
            (w, _) => w,
        };
        let before = i.checked_sub(1).map(|p| &tokens[p]).filter(|t| is_label(t) || **t == "of");
        out.push((n, next.or_else(|| before.and_then(|t| what(t)))));
    }
    out
}
