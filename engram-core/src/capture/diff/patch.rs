//! The patch format of `apply_patch`: several files, no line numbers.

use super::hunk::{Hunk, Line};
use super::source::header;
use crate::capture::event::WriteKind;

/// What a patch does to one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FilePatch<'a> {
    pub(crate) path: &'a str,
    pub(crate) kind: WriteKind,
    pub(crate) moved_to: Option<&'a str>,
    pub(crate) hunks: Vec<Hunk<'a>>,
}

const STARTS: &[(&str, WriteKind)] = &[
    ("*** Add File: ", WriteKind::Create),
    ("*** Update File: ", WriteKind::Update),
    ("*** Delete File: ", WriteKind::Delete),
];

/// The files of a patch, in order.
pub(crate) fn sections(patch: &str) -> Vec<FilePatch<'_>> {
    let mut files: Vec<FilePatch<'_>> = Vec::new();
    for raw in patch.lines() {
        let start = STARTS.iter().find_map(|(mark, kind)| Some((raw.strip_prefix(mark)?, *kind)));
        if let Some((path, kind)) = start {
            files.push(FilePatch { path: path.trim(), kind, ..FilePatch::default() });
        } else if let Some(file) = files.last_mut() {
            add_line(file, raw);
        }
    }
    for file in &mut files {
        file.hunks.retain(Hunk::changes_something);
    }
    files
}

fn add_line<'a>(file: &mut FilePatch<'a>, raw: &'a str) {
    if let Some(to) = raw.strip_prefix("*** Move to: ") {
        file.moved_to = Some(to.trim());
    } else if raw.starts_with("@@") {
        let (old_start, new_start) = header(raw).unwrap_or_default();
        file.hunks.push(Hunk { old_start, new_start, lines: Vec::new() });
    } else if !raw.starts_with("*** ") {
        if file.hunks.is_empty() {
            let new_start = u32::from(file.kind == WriteKind::Create);
            file.hunks.push(Hunk { new_start, ..Hunk::default() });
        }
        if let (Some(hunk), Some(line)) = (file.hunks.last_mut(), Line::parse(raw)) {
            hunk.lines.push(line);
        }
    }
}
