use super::*;
use crate::capture::event::WriteKind;
use serde_json::json;

fn described(hunks: &[Hunk<'_>], original: Option<&str>) -> Described {
    describe(hunks, original, &mut Scrub::default())
}

#[test]
fn two_texts_give_a_unified_diff() {
    let old = (1..=20).map(|n| format!("line {n}\n")).collect::<String>();
    let new = old.replace("line 5\n", "line five\nmore\n").replace("line 18\n", "");
    let d = described(&between(&old, &new), Some(&old));
    assert_eq!(
        d.diff,
        "@@ -2,7 +2,8 @@\n line 2\n line 3\n line 4\n-line 5\n+line five\n+more\n line 6\n line 7\n line 8\n\
         @@ -15,6 +16,5 @@\n line 15\n line 16\n line 17\n-line 18\n line 19\n line 20\n"
    );
    assert_eq!(d.lines_changed, LinesChanged { added: 2, removed: 2, ranges: vec![[5, 6], [19, 19]] });
    assert!((5..=10).contains(&d.evidence.lines().count()), "{}", d.evidence);
    assert!(d.evidence.contains("line five"));
}

#[test]
fn near_changes_share_a_hunk() {
    let old = "a\nb\nc\nd\ne\n";
    let d = described(&between(old, "A\nb\nc\nd\nE\n"), None);
    assert_eq!(d.diff, "@@ -1,5 +1,5 @@\n-a\n+A\n b\n c\n d\n-e\n+E\n");
    assert_eq!(d.lines_changed.ranges, [[1, 5]]);
}

#[test]
fn a_new_file_is_all_addition() {
    let d = described(&created("a\nb\n"), None);
    assert_eq!(d.diff, "@@ -0,0 +1,2 @@\n+a\n+b\n");
    assert_eq!(d.lines_changed, LinesChanged { added: 2, removed: 0, ranges: vec![[1, 2]] });
}

#[test]
fn a_structured_patch_keeps_its_numbers() {
    let patch =
        json!([{"oldStart":10,"oldLines":2,"newStart":12,"newLines":2,"lines":[" f:","-  a","+  b","\\ No newline"]}]);
    let d = described(&structured(patch.as_array().unwrap()), None);
    assert_eq!(d.diff, "@@ -10,2 +12,2 @@\n f:\n-  a\n+  b\n");
    assert_eq!(d.lines_changed.ranges, [[13, 13]]);
}

#[test]
fn a_unified_diff_loses_its_header() {
    let text = "Index: c.py\n====\n--- c.py\tCurrent\n+++ c.py\tProposed\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n";
    let d = described(&unified(text), None);
    assert!(d.diff.starts_with("@@ -1,2 +1,2 @@\n def"));
    assert_eq!(d.lines_changed, LinesChanged { added: 1, removed: 1, ranges: vec![[2, 2]] });
}

#[test]
fn a_patch_names_its_files() {
    let patch = "*** Begin Patch\n*** Add File: n.py\n+x = 1\n*** Update File: a.py\n*** Move to: b.py\n@@ def f\n c\n-d\n+e\n*** Delete File: z.py\n*** End Patch\n";
    let files = sections(patch);
    let kinds: Vec<_> = files.iter().map(|f| (f.path, f.kind, f.moved_to)).collect();
    assert_eq!(
        kinds,
        [
            ("n.py", WriteKind::Create, None),
            ("a.py", WriteKind::Update, Some("b.py")),
            ("z.py", WriteKind::Delete, None)
        ]
    );
    assert_eq!(described(&files[0].hunks, None).diff, "@@ -0,0 +1,1 @@\n+x = 1\n");
    let d = described(&files[1].hunks, None);
    assert_eq!(d.diff, "@@ -0,0 +0,0 @@\n c\n-d\n+e\n");
    assert_eq!(d.lines_changed, LinesChanged { added: 1, removed: 1, ranges: vec![] });
}

#[test]
fn a_small_region_gets_lines_around_it_as_evidence() {
    let original = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let patch = json!([{"oldStart":5,"newStart":5,"lines":["-5","+five"]}]);
    let d = described(&structured(patch.as_array().unwrap()), Some(original));
    assert!(d.evidence.lines().count() >= 5, "{}", d.evidence);
    assert!(d.evidence.contains("five") && !d.evidence.contains("5\n"));
}

#[test]
fn huge_and_unreadable_changes_stay_small() {
    let content = "some line of code that is long enough\n".repeat(60_000);
    let mut scrub = Scrub::default();
    let d = describe(&created(&content), None, &mut scrub);
    assert!(d.diff.len() <= MAX_DIFF && d.diff.contains("lines left out"), "{}", d.diff.len());
    assert_eq!(d.lines_changed.added, 60_000);
    let minified = format!("x\n{}\n\0\n", "a".repeat(1_000_000));
    let d = described(&created(&minified), None);
    assert!(d.diff.len() < 200 && d.evidence.len() < 200, "{}", d.diff);
    assert!(d.diff.contains("[1000000 bytes, binary or minified]"));
}

#[test]
fn secrets_in_a_diff_are_taken_out() {
    let mut scrub = Scrub::default();
    let d = describe(&created("DB_PASSWORD=aB3dE.fgh9xx\n"), None, &mut scrub);
    assert_eq!(d.diff, "@@ -0,0 +1,1 @@\n+DB_PASSWORD=[REDACTED:password]\n");
    assert!(!d.evidence.contains("fgh9"));
}
