//! Tools that read and change files.

use super::Reader;
use super::field::{CONTENT, NEW, OLD, PATH, failure, is_true, list, output, string, strings};
use crate::capture::diff::{self, Described, Hunk, Line};
use crate::capture::event::{EventBody, FileChange, WriteKind};
use crate::capture::outcome::{reported, text_of};
use crate::text;
use serde_json::Value;
use std::borrow::Cow;

/// Whole texts longer than this are not compared line by line.
const MAX_COMPARED: usize = 4 * 1024 * 1024;

pub(super) fn read(r: &mut Reader<'_>) -> Option<EventBody> {
    if failure(r.call).is_some() {
        return None;
    }
    let mut files = strings(&r.call.input, &["paths", "files", "file_paths", "include"]);
    if files.is_empty() {
        files = string(&r.call.input, PATH).map(str::to_owned).into_iter().collect();
    }
    let hash = if files.len() == 1 { content(r.call.output.as_ref()) } else { None };
    let hash = hash.map(|c| text::digest::<8>(c.as_bytes()));
    r.files_read(&files, hash)
}

/// What a read tool returned of the file.
fn content(output: Option<&Value>) -> Option<Cow<'_, str>> {
    let output = output?;
    let file = output.get("file").unwrap_or(output);
    let text = match file.get("content").and_then(Value::as_str) {
        Some(content) => Cow::Borrowed(content),
        None => text_of(file),
    };
    (!text.is_empty()).then_some(text)
}

pub(super) fn write(r: &mut Reader<'_>) -> Option<EventBody> {
    let (path, content) = (string(&r.call.input, PATH)?, string(&r.call.input, CONTENT)?);
    if !took_effect(r) {
        return None;
    }
    let kind = written_kind(r);
    let described = from_result(r).unwrap_or_else(|| match original(r) {
        Some(old) if old.len() + content.len() <= MAX_COMPARED => {
            diff::describe(&diff::between(old, content), Some(old), &mut r.scrub)
        }
        _ => diff::describe(&diff::created(content), None, &mut r.scrub),
    });
    one(r, path, kind, described)
}

pub(super) fn edit(r: &mut Reader<'_>) -> Option<EventBody> {
    let path = string(&r.call.input, PATH)?;
    let edits = edits(&r.call.input);
    if !took_effect(r) || (edits.is_empty() && from_result(r).is_none()) {
        return None;
    }
    let creates = edits.len() == 1 && edits[0].old.is_empty() && original(r).is_none_or(str::is_empty);
    let described = match from_result(r) {
        Some(described) => described,
        None => from_edits(r, &edits),
    };
    one(r, path, if creates { WriteKind::Create } else { WriteKind::Update }, described)
}

/// One replacement of an edit tool.
struct Edit<'a> {
    old: &'a str,
    new: &'a str,
    all: bool,
}

fn edits(input: &Value) -> Vec<Edit<'_>> {
    let one = |v| {
        let new = string(v, NEW)?;
        Some(Edit { old: string(v, OLD).unwrap_or(""), new, all: is_true(v, &["replace_all", "replaceAll"]) })
    };
    match list(input, &["edits", "replacements"]) {
        Some(edits) => edits.iter().take(100).filter_map(one).collect(),
        None => one(input).into_iter().collect(),
    }
}

/// The edits on the whole text before them where it is known, else each by itself without line numbers.
fn from_edits(r: &mut Reader<'_>, edits: &[Edit<'_>]) -> Described {
    if let Some(before) = original(r).filter(|o| o.len() <= MAX_COMPARED) {
        let after = edits.iter().fold(Cow::Borrowed(before), |text, e| match (e.old.is_empty(), e.all) {
            (true, _) => text,
            (_, true) => Cow::Owned(text.replace(e.old, e.new)),
            (_, false) => Cow::Owned(text.replacen(e.old, e.new, 1)),
        });
        if after.as_ref() != before {
            return diff::describe(&diff::between(before, &after), Some(before), &mut r.scrub);
        }
    }
    let hunks: Vec<Hunk<'_>> = match edits {
        [only] if only.old.is_empty() => diff::created(only.new),
        _ => edits.iter().flat_map(|e| diff::fragment(e.old, e.new)).collect(),
    };
    diff::describe(&hunks, None, &mut r.scrub)
}

pub(super) fn notebook(r: &mut Reader<'_>) -> Option<EventBody> {
    let path = string(&r.call.input, PATH)?;
    if !took_effect(r) {
        return None;
    }
    let result = output(r.call);
    let old = string(result, &["old_source"]).unwrap_or("");
    let new = if string(&r.call.input, &["edit_mode"]) == Some("delete") {
        ""
    } else {
        string(&r.call.input, NEW).unwrap_or("")
    };
    let described = diff::describe(&diff::fragment(old, new), None, &mut r.scrub);
    one(r, path, WriteKind::Update, described)
}

pub(super) fn patch(r: &mut Reader<'_>) -> Option<EventBody> {
    let keys = ["command", "patch", "patchText", "patch_text", "input", "diff"];
    let patch = r.call.input.as_str().or_else(|| string(&r.call.input, &keys))?;
    let text = text_of(output(r.call));
    if !took_effect(r) || reported(r.call, &text).is_some_and(|c| c != 0) {
        return None;
    }
    let changes = patched(r, patch, &str::to_owned);
    r.written(changes)
}

/// The changes that a patch makes, whether a tool or a shell command applies it; `place` completes its paths.
pub(super) fn patched(r: &mut Reader<'_>, patch: &str, place: &dyn Fn(&str) -> String) -> Vec<FileChange> {
    let mut changes = Vec::new();
    for file in diff::sections(patch).into_iter().take(super::MAX_ALSO + 2) {
        let described = diff::describe(&file.hunks, None, &mut r.scrub);
        let mut change = r.change(&place(file.moved_to.unwrap_or(file.path)), file.kind, described);
        change.renamed_from = file.moved_to.map(|_| r.path(&place(file.path)));
        changes.push(change);
    }
    changes
}

/// `str_replace_editor` and its like: the command says what to do.
pub(super) fn editor(r: &mut Reader<'_>) -> Option<EventBody> {
    match string(&r.call.input, &["command"])? {
        "view" => read(r),
        "create" => write(r),
        "str_replace" => edit(r),
        "insert" => insert(r),
        _ => None,
    }
}

fn insert(r: &mut Reader<'_>) -> Option<EventBody> {
    let path = string(&r.call.input, PATH)?;
    let new = string(&r.call.input, NEW).or_else(|| string(&r.call.input, &["insert_text"]))?;
    let line = r.call.input.get("insert_line")?.as_u64().and_then(|n| u32::try_from(n).ok())?;
    if !took_effect(r) {
        return None;
    }
    let lines = new.lines().map(|l| Line::new('+', l)).collect();
    let hunk = Hunk { old_start: line, new_start: line.saturating_add(1), lines };
    let described = diff::describe(&[hunk], None, &mut r.scrub);
    one(r, path, WriteKind::Update, described)
}

pub(super) fn delete(r: &mut Reader<'_>) -> Option<EventBody> {
    let path = string(&r.call.input, PATH)?;
    if !took_effect(r) {
        return None;
    }
    one(r, path, WriteKind::Delete, Described::default())
}

pub(super) fn rename(r: &mut Reader<'_>) -> Option<EventBody> {
    let from = string(&r.call.input, &["source", "from", "old_path", "oldPath", "source_path"])?;
    let to = string(&r.call.input, &["destination", "to", "new_path", "newPath", "destination_path"])?;
    if !took_effect(r) {
        return None;
    }
    let mut change = r.change(to, WriteKind::Update, Described::default());
    change.renamed_from = Some(r.path(from));
    r.written(vec![change])
}

fn one(r: &mut Reader<'_>, path: &str, kind: WriteKind, described: Described) -> Option<EventBody> {
    let change = r.change(path, kind, described);
    r.written(vec![change])
}

/// Whether the file was changed: the call did not fail, and the change is not merely proposed.
fn took_effect(r: &Reader<'_>) -> bool {
    failure(r.call).is_none() && !is_true(output(r.call), &["staged"])
}

/// The diff as the harness gives it.
fn from_result(r: &mut Reader<'_>) -> Option<Described> {
    let result = output(r.call);
    let before = original(r);
    let patch = result.get("structuredPatch").and_then(Value::as_array).filter(|p| !p.is_empty());
    let text = [("returnDisplay", "fileDiff"), ("metadata", "diff"), ("details", "diff"), ("filediff", "diff")]
        .iter()
        .find_map(|(outer, inner)| result.get(outer)?.get(inner)?.as_str())
        .or_else(|| string(result, &["diff", "patch"]));
    let hunks = match (patch, text) {
        (Some(patch), _) => diff::structured(patch),
        (None, Some(text)) => diff::unified(text),
        (None, None) => return None,
    };
    (!hunks.is_empty()).then(|| diff::describe(&hunks, before, &mut r.scrub))
}

/// The whole text before the change, where the harness gives it.
fn original<'a>(r: &Reader<'a>) -> Option<&'a str> {
    let result = output(r.call);
    let shown = result.get("returnDisplay").unwrap_or(&Value::Null);
    string(result, &["originalFile", "original_file"])
        .or_else(|| string(shown, &["originalContent"]).filter(|o| !o.is_empty()))
}

/// Whether a whole write made a new file: by the result's field, by its words, else taken to be new.
fn written_kind(r: &Reader<'_>) -> WriteKind {
    let result = output(r.call);
    let shown = result.get("returnDisplay").unwrap_or(&Value::Null);
    let existed = result.get("metadata").and_then(|m| m.get("exists")).and_then(Value::as_bool);
    let new = shown.get("isNewFile").and_then(Value::as_bool).or(existed.map(|e| !e));
    let by_type = string(result, &["type"]).and_then(|t| match t {
        "create" => Some(true),
        "update" => Some(false),
        _ => None,
    });
    let said = text_of(result);
    let by_words = ["updated", "overwrote", "overwritten"].iter().any(|w| text::clip(&said, 200).contains(w));
    match by_type.or(new) {
        Some(true) => WriteKind::Create,
        Some(false) => WriteKind::Update,
        None if original(r).is_some() || by_words => WriteKind::Update,
        None => WriteKind::Create,
    }
}
