//! Line ranges that were written, kept in the coordinates of the file as it is now.

use super::event::FileChange;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How many lines apart two regions may lie and still be the same region.
pub(crate) const NEAR: u32 = 3;
/// Line numbers of a write that did not say where it wrote.
const ANYWHERE: [u32; 2] = [0, u32::MAX];
const MAX_RANGES_PER_WRITE: usize = 8;
const MAX_MARKS: usize = 8;

/// One range of one write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WriteRange {
    pub(crate) file: u64,
    /// First and last line.
    lines: [u32; 2],
    /// The number of the write: ranges of one write count once.
    write: u32,
    /// Of a write without line numbers: hashes of the lines it put there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<u32>,
    /// Of a write without line numbers: how many earlier writes it continued.
    #[serde(default, skip_serializing_if = "is_zero")]
    depth: u32,
}

/// The ranges of one change, to be kept after [`shift`].
pub(crate) fn ranges_of(writes: &VecDeque<WriteRange>, file: u64, write: u32, change: &FileChange) -> Vec<WriteRange> {
    let ranges = &change.lines_changed.ranges;
    if ranges.is_empty() {
        let depth = continued_depth(writes, file, change);
        return vec![WriteRange { file, lines: ANYWHERE, write, marks: marks(&change.diff, '+'), depth }];
    }
    let one = |lines: &[u32; 2]| WriteRange { file, lines: *lines, write, marks: Vec::new(), depth: 0 };
    ranges.iter().take(MAX_RANGES_PER_WRITE).map(one).collect()
}

/// Whether the change touches lines written before, or lines at most `near` away from them. A write that did not say
/// where it wrote touches the whole file.
pub(crate) fn touches_any(writes: &VecDeque<WriteRange>, file: u64, change: &FileChange, near: u32) -> bool {
    let steps = steps(&change.diff);
    let whole = [ANYWHERE];
    let ranges = if change.lines_changed.ranges.is_empty() { &whole[..] } else { &change.lines_changed.ranges };
    writes.iter().filter(|w| w.file == file).any(|w| {
        let now = w.lines.map(|l| moved(l, &steps));
        ranges.iter().any(|r| within(now, *r, near))
    })
}

/// How many earlier writes touched lines that this change touches again.
pub(crate) fn earlier_writes(writes: &VecDeque<WriteRange>, file: u64, change: &FileChange) -> usize {
    if change.lines_changed.ranges.is_empty() {
        return continued_depth(writes, file, change) as usize;
    }
    let steps = steps(&change.diff);
    let again = |w: &&WriteRange| {
        let now = w.lines.map(|l| moved(l, &steps));
        w.file == file && w.lines != ANYWHERE && change.lines_changed.ranges.iter().any(|r| within(now, *r, 0))
    };
    let mut numbers: Vec<u32> = writes.iter().filter(again).map(|w| w.write).collect();
    numbers.dedup();
    numbers.len()
}

/// Moves the ranges of a file as the change moves its lines.
pub(crate) fn shift(writes: &mut VecDeque<WriteRange>, file: u64, change: &FileChange) {
    let steps = steps(&change.diff);
    for w in writes.iter_mut().filter(|w| w.file == file && w.lines != ANYWHERE) {
        w.lines = w.lines.map(|l| moved(l, &steps));
    }
}

/// A patch without line numbers continues the writes whose lines it removes.
fn continued_depth(writes: &VecDeque<WriteRange>, file: u64, change: &FileChange) -> u32 {
    let removed = marks(&change.diff, '-');
    let same = writes.iter().filter(|w| w.file == file && w.marks.iter().any(|m| removed.contains(m)));
    same.map(|w| w.depth + 1).max().unwrap_or(0)
}

/// Hashes of the first telling lines that a diff adds or removes.
fn marks(diff: &str, sign: char) -> Vec<u32> {
    let lines = diff.lines().filter_map(|l| l.strip_prefix(sign)).map(str::trim).filter(|l| l.len() >= 4);
    lines.take(MAX_MARKS).map(fold).collect()
}

fn fold(line: &str) -> u32 {
    line.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

/// One run of changed lines: where it stood before, how many lines it had and has.
#[derive(Clone, Copy)]
struct Step {
    at: i64,
    old: i64,
    new: i64,
}

/// The runs of changed lines of a diff with line numbers, in order.
fn steps(diff: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut line, mut open) = (0i64, false);
    if diff.starts_with("@@ -0,0 +0,0 @@") {
        return steps;
    }
    // Behind a gap (`\\ 12 lines left out`) the numbers are unknown.
    for text in diff.lines().take_while(|l| !l.starts_with('\\')) {
        if let Some(start) = hunk_start(text) {
            (line, open) = (start, false);
        } else if text.starts_with('-') || text.starts_with('+') {
            if !open {
                steps.push(Step { at: line, old: 0, new: 0 });
                open = true;
            }
            let removed = text.starts_with('-');
            if let Some(step) = steps.last_mut() {
                *(if removed { &mut step.old } else { &mut step.new }) += 1;
            }
            line += i64::from(removed);
        } else {
            line += 1;
            open = false;
        }
    }
    steps
}

/// The first old line of `@@ -a,b +c,d @@`; an empty old range stands after line `a`.
fn hunk_start(header: &str) -> Option<i64> {
    let old = header.strip_prefix("@@ -")?.split(' ').next()?;
    let (start, len) = old.split_once(',').unwrap_or((old, "1"));
    let start: i64 = start.parse().ok()?;
    Some(if len == "0" { start + 1 } else { start })
}

/// Where a line stands after the runs of changes; a removed line stands where its replacement does.
fn moved(line: u32, steps: &[Step]) -> u32 {
    if line == 0 || line == u32::MAX {
        return line;
    }
    let (line, mut delta) = (i64::from(line), 0);
    for s in steps.iter().take_while(|s| s.at <= line) {
        let inside = line < s.at + s.old;
        if inside {
            let last = s.at + (s.new - 1).max(0);
            return u32::try_from(line.min(last) + delta).unwrap_or(1).max(1);
        }
        delta += s.new - s.old;
    }
    u32::try_from(line + delta).unwrap_or(1).max(1)
}

/// Lets the ranges follow a renamed file.
pub(crate) fn rename(writes: &mut VecDeque<WriteRange>, old: u64, new: u64) {
    writes.iter_mut().filter(|w| w.file == old).for_each(|w| w.file = new);
}

/// The file that a failing test's name or an error signature begins with.
pub(crate) fn file_in(text: &str) -> Option<String> {
    let head = text.split("::").next().unwrap_or(text);
    let head = head.split([':', ' ', '(']).next().unwrap_or(head).trim_start_matches("./");
    let looks_like_file = head.rsplit('/').next().is_some_and(|n| n.contains('.') && !n.ends_with('.'));
    (looks_like_file && head.len() <= 200).then(|| head.to_owned())
}

/// Whether `named`, a file of a failing run, is `path`, ends it, or is its test by name (`test_calc.py`, `calc.py`).
pub(crate) fn names_file(named: &str, path: &str) -> bool {
    let is_end =
        |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    is_end(path, named) || is_end(named, path) || (subject(named) == subject(path) && !subject(path).is_empty())
}

/// A file's stem without the marks of a test.
fn subject(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or("");
    let marks = ["test_", "tests_", "spec_"].iter().find_map(|p| stem.strip_prefix(p));
    let stem = marks.unwrap_or(stem);
    let end = ["_test", "_spec", "-test", "-spec", "tests", "test"].iter().find_map(|s| stem.strip_suffix(s));
    end.unwrap_or(stem).to_owned()
}

fn within(a: [u32; 2], b: [u32; 2], near: u32) -> bool {
    a[0] <= b[1].saturating_add(near) && b[0] <= a[1].saturating_add(near)
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_move_with_the_changes_above_them() {
        let diff = "@@ -2,3 +2,5 @@\n a\n-b\n+b1\n+b2\n+b3\n c\n";
        let steps = steps(diff);
        let cases = [(1, 1), (2, 2), (3, 3), (4, 6), (50, 52)];
        for (before, after) in cases {
            assert_eq!(moved(before, &steps), after, "line {before}");
        }
    }

    #[test]
    fn a_removed_line_stands_where_its_neighbour_does() {
        let steps = steps("@@ -5,4 +5,1 @@\n a\n-b\n-c\n-d\n");
        assert_eq!([6, 7, 8, 9].map(|l| moved(l, &steps)), [6, 6, 6, 6]);
    }

    #[test]
    fn files_are_found_in_test_names_and_signatures() {
        let cases = [
            ("tests/test_a.py::test_x", Some("tests/test_a.py")),
            ("src/a.rs: E0308", Some("src/a.rs")),
            ("pkg/a_test.go: --- FAIL TestX", Some("pkg/a_test.go")),
            ("graph::tests::merge", None),
            ("TestAdd", None),
        ];
        for (text, file) in cases {
            assert_eq!(file_in(text).as_deref(), file, "{text}");
        }
    }

    #[test]
    fn a_test_file_names_its_subject() {
        assert!(names_file("test_calc.py", "src/calc.py"));
        assert!(names_file("cart.test.ts", "src/cart.ts"));
        assert!(names_file("pkg/a_test.go", "pkg/a.go"));
        assert!(names_file("src/CartTest.java", "src/main/Cart.java"));
        assert!(names_file("b/src/x.rs", "src/x.rs"));
        assert!(!names_file("test_calc.py", "src/cart.py"));
        assert!(!names_file("ab.rs", "b.rs"));
    }
}
