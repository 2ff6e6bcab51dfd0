//! A unified diff taken apart: which line is code, comment or import, and where it stands after the change.

use super::file_kind::{self, FileKind, Language};
use super::mask::{Mask, Stripped};
use crate::text;

/// Longest part of a line that the rules look at, in bytes: minified bundles are no place for decisions.
const LINE_LIMIT: usize = 2_048;
/// Most bytes of changed and surrounding lines that are looked at.
const DIFF_LIMIT: usize = 96 * 1024;

/// Which side of the change a line is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Added,
    Removed,
    Context,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    Blank,
    Comment,
    Import,
    Code,
}

/// One line of a diff.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    pub(crate) side: Side,
    pub(crate) nature: Nature,
    /// From 1, in the file after the change; of a removed line, the place where it was.
    pub(crate) number: u32,
    pub(crate) hunk: u32,
    /// Index into [`Diff::files`].
    pub(crate) file: usize,
    /// Inside the part of a migration that undoes it.
    pub(crate) undo: bool,
    /// As written, clipped.
    pub(crate) raw: &'a str,
    /// Without comments.
    pub(crate) text: String,
    /// Without comments, the inside of strings blanked.
    pub(crate) code: String,
    /// The lower-case words of `code`, or of `text` where strings are data.
    pub(crate) words: Vec<String>,
}

/// One file of a diff.
#[derive(Debug)]
pub(crate) struct DiffFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) kind: FileKind,
    pub(crate) language: Language,
    /// Whether the change makes the file.
    pub(crate) is_new: bool,
}

/// A diff taken apart.
#[derive(Debug, Default)]
pub(crate) struct Diff<'a> {
    pub(crate) files: Vec<DiffFile<'a>>,
    pub(crate) lines: Vec<Line<'a>>,
}

impl<'a> Diff<'a> {
    /// Takes `diff` apart. Costs one pass; what lies past the limits is not read.
    pub(crate) fn parse(path: &'a str, diff: &'a str) -> Diff<'a> {
        Parser::new(path).run(diff)
    }

    /// The lines of one side.
    pub(crate) fn side(&self, side: Side) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(move |l| l.side == side)
    }

    /// The file a line belongs to.
    pub(crate) fn file_of(&self, line: &Line<'_>) -> &DiffFile<'a> {
        &self.files[line.file]
    }

    /// The lines that stand after the change: context and added.
    pub(crate) fn after(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().filter(|l| l.side != Side::Removed)
    }
}

struct Parser<'a> {
    diff: Diff<'a>,
    old: Mask,
    new: Mask,
    number: u32,
    hunk: u32,
    undo: bool,
    read: usize,
}

impl<'a> Parser<'a> {
    fn new(path: &'a str) -> Parser<'a> {
        let mut p = Parser {
            diff: Diff::default(),
            old: Mask::Code,
            new: Mask::Code,
            number: 1,
            hunk: 0,
            undo: false,
            read: 0,
        };
        p.open(path, false);
        p
    }

    fn open(&mut self, path: &'a str, is_new: bool) {
        let (kind, language) = (file_kind::kind(path), file_kind::language(path));
        self.diff.files.push(DiffFile { path, kind, language, is_new });
        self.undo = path.contains(".down.") || path.ends_with("/down.sql");
        (self.old, self.new, self.number) = (Mask::Code, Mask::Code, 1);
    }

    fn run(mut self, diff: &'a str) -> Diff<'a> {
        let mut lines = diff.lines().peekable();
        while let Some(line) = lines.next() {
            let after = lines.peek().filter(|_| line.starts_with("--- ")).and_then(|l| l.strip_prefix("+++ "));
            match after {
                Some(after) => {
                    lines.next();
                    self.header(&line[4..], after);
                }
                None => self.line(line),
            }
            if self.read > DIFF_LIMIT {
                break;
            }
        }
        self.diff
    }

    fn header(&mut self, before: &'a str, after: &'a str) {
        let (before, after) = (plain_path(before), plain_path(after));
        let is_new = before == "/dev/null";
        let path = if after == "/dev/null" { before } else { after };
        if self.diff.lines.is_empty() {
            self.diff.files.clear();
        }
        self.open(path, is_new);
    }

    fn line(&mut self, line: &'a str) {
        if let Some(rest) = line.strip_prefix("@@") {
            return self.hunk_header(rest);
        }
        let (side, body) = match line.as_bytes().first() {
            Some(b'+') => (Side::Added, &line[1..]),
            Some(b'-') => (Side::Removed, &line[1..]),
            Some(b' ') => (Side::Context, &line[1..]),
            None => (Side::Context, line),
            Some(_) => return,
        };
        self.push(side, text::clip(body, LINE_LIMIT));
        if side != Side::Removed {
            self.number = self.number.saturating_add(1);
        }
    }

    fn hunk_header(&mut self, rest: &'a str) {
        let start = rest.split_once('+').and_then(|(_, r)| r.split([',', ' ']).next()?.parse().ok());
        self.number = start.unwrap_or(self.number);
        if rest.trim_start().starts_with("-0,0 ") || rest.trim_start().starts_with("-0 ") {
            self.diff.files.last_mut().into_iter().for_each(|f| f.is_new = true);
        }
        self.hunk += 1;
        (self.old, self.new) = (Mask::Code, Mask::Code);
        let heading = rest.split_once("@@").map_or("", |(_, h)| h);
        if !heading.trim().is_empty() {
            self.undo = is_undo_heading(heading);
        }
    }

    fn push(&mut self, side: Side, raw: &'a str) {
        self.read += raw.len() + 1;
        let file = self.diff.files.len() - 1;
        let language = self.diff.files[file].language;
        let stripped = self.strip(side, raw, &language);
        self.track_undo(side, raw);
        let nature = nature(&stripped, raw, &self.diff.files[file]);
        let Stripped { text, code } = stripped;
        // Context only has to answer patterns; its words are never asked for.
        let shown = if language.strings_are_text { &code } else { &text };
        let words = if side == Side::Context { Vec::new() } else { crate::text::words(shown) };
        let (number, hunk, undo) = (self.number, self.hunk, self.undo);
        self.diff.lines.push(Line { side, nature, number, hunk, file, undo, raw, text, code, words });
    }

    /// The old and the new text have comments of their own: each side is read with its own state.
    fn strip(&mut self, side: Side, raw: &str, language: &Language) -> Stripped {
        match side {
            Side::Removed => self.old.strip(raw, language),
            Side::Added => self.new.strip(raw, language),
            Side::Context => {
                self.old.strip(raw, language);
                self.new.strip(raw, language)
            }
        }
    }

    fn track_undo(&mut self, side: Side, raw: &str) {
        if side == Side::Removed {
            return;
        }
        if is_undo_heading(raw) {
            self.undo = true;
        } else if is_definition(raw) || raw.contains("migrate:up") || raw.contains("+goose Up") {
            self.undo = false;
        }
    }
}

fn plain_path(header: &str) -> &str {
    let path = header.split('\t').next().unwrap_or(header).trim().trim_matches('"');
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path)
}

const UNDO: &[&str] = &[
    "def downgrade",
    "def down",
    "def backwards",
    "exports.down",
    "function down",
    "async down(",
    "void Down(",
    "func Down",
    "func down",
    "fn down",
    "+goose Down",
    "migrate:down",
    "def rollback",
    "reverse_sql",
];

fn is_undo_heading(text: &str) -> bool {
    UNDO.iter().any(|u| text.contains(u))
}

const DEFINITIONS: &[&str] = &[
    "def ",
    "fn ",
    "func ",
    "function ",
    "class ",
    "struct ",
    "impl ",
    "interface ",
    "enum ",
    "trait ",
    "fun ",
    "sub ",
    "module ",
    "type ",
];
const MODIFIERS: &[&str] = &[
    "pub ",
    "pub(crate) ",
    "public ",
    "private ",
    "protected ",
    "internal ",
    "export ",
    "default ",
    "async ",
    "static ",
    "final ",
    "abstract ",
    "override ",
    "open ",
    "unsafe ",
    "const ",
    "extern ",
    "suspend ",
    "inline ",
];

/// Whether a line begins the definition of a function or type.
pub(crate) fn is_definition(line: &str) -> bool {
    let mut rest = line.trim_start();
    while let Some(cut) = MODIFIERS.iter().find_map(|m| rest.strip_prefix(m)) {
        rest = cut.trim_start();
    }
    DEFINITIONS.iter().any(|d| rest.starts_with(d))
}

const IMPORTS: &[&str] = &[
    "import ",
    "import\t",
    "from ",
    "use ",
    "pub use ",
    "#include",
    "require ",
    "require_relative ",
    "require(",
    "require_once ",
    "include ",
    "using ",
    "@import ",
    "@use ",
    "extern crate ",
    "alias ",
    "library(",
    "source ",
    "export * from",
    "load(",
];

fn nature(stripped: &Stripped, raw: &str, file: &DiffFile<'_>) -> Nature {
    let text = stripped.text.trim();
    if text.is_empty() {
        return if raw.trim().is_empty() { Nature::Blank } else { Nature::Comment };
    }
    let lone_string = file.language.name == "go" && text.ends_with('"') && !text.contains(['(', '=', ',']);
    let required = text.contains("= require(") || text.contains(" import(");
    let imported = IMPORTS.iter().any(|i| text.starts_with(i)) && file.language.name != "sql";
    if file.kind == FileKind::Manifest || imported || lone_string || required { Nature::Import } else { Nature::Code }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, diff: &str) -> Vec<(Side, Nature, u32, String)> {
        let diff = Diff::parse(path, diff);
        diff.lines.iter().map(|l| (l.side, l.nature, l.number, l.code.trim().to_owned())).collect()
    }

    #[test]
    fn numbers_are_those_of_the_new_file() {
        let got = lines("a.rs", "@@ -10,3 +20,3 @@ fn f\n one();\n-two();\n+three(\"x y\"); // why\n four();\n");
        let numbers: Vec<u32> = got.iter().map(|l| l.2).collect();
        assert_eq!(numbers, [20, 21, 21, 22]);
        assert_eq!(got[2].3, "three(\"   \");");
    }

    #[test]
    fn headers_switch_the_file_and_removed_sql_comments_do_not() {
        let d = "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n+a()\n--- /dev/null\n+++ b/m.sql\n@@ -0,0 +1 @@\n+SELECT 1\n--- old remark\n";
        let diff = Diff::parse("ignored.txt", d);
        let paths: Vec<(&str, bool)> = diff.files.iter().map(|f| (f.path, f.is_new)).collect();
        assert_eq!(paths, [("x.go", false), ("m.sql", true)]);
        assert_eq!(diff.lines[2].nature, Nature::Comment);
        assert_eq!(diff.lines[2].side, Side::Removed);
    }

    #[test]
    fn tells_code_comment_import_and_blank() {
        let got = lines("a.py", "+import os\n+# note\n+\n+\"\"\"doc\n+os.remove(x)\n+\"\"\"\n+run()\n");
        let natures: Vec<Nature> = got.iter().map(|l| l.1).collect();
        use Nature::*;
        assert_eq!(natures, [Import, Comment, Blank, Comment, Comment, Comment, Code]);
    }

    #[test]
    fn the_undoing_half_of_a_migration_is_marked() {
        let d = Diff::parse("m.py", "+def upgrade():\n+    a()\n+def downgrade():\n+    b()\n");
        let undo: Vec<bool> = d.lines.iter().map(|l| l.undo).collect();
        assert_eq!(undo, [false, false, true, true]);
    }
}
