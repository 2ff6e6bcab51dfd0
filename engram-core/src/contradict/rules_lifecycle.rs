//! Rules about the life of published things: deprecation and removal.

use super::diff::{Line, Side, is_definition};
use super::finding::{Case, Finding};
use super::verdict::VerdictKind::{DirectContradiction as Direct, IndirectContradiction as Indirect};
use crate::text;

const MARKS: &[&str] =
    &["warnings.warn(", "~*deprecat*", "@Deprecated", "#[deprecated", "~*legacy*", "warn_deprecated*"];
const FAILING: &[&str] = &["raise ", "throw ", "panic!(", "panic(", "abort(", "bail!(", "return Err(", "fatalError("];

/// Something that only warned is removed, or made to fail, outside a major release.
pub(crate) fn deprecated(case: &Case<'_>) -> Option<Finding> {
    let stems = &case.reading.stems;
    let about = stems.iter().any(|s| s.starts_with("deprec"))
        && stems.iter().any(|s| s.starts_with("remov") || s.starts_with("delet"));
    if !about || is_major(case) {
        return None;
    }
    let line = case.code(Side::Removed).find(|l| case.any(MARKS, l))?;
    if case.code(Side::Added).any(|l| case.any(MARKS, l)) {
        return None;
    }
    let gone = case
        .code(Side::Removed)
        .find(|l| l.file == line.file && l.hunk == line.hunk && is_definition(l.raw) && !comes_back(case, l));
    if let Some(definition) = gone {
        return Some(case.finding(Direct, true, definition, "removes a deprecated thing".to_owned()));
    }
    let fails = case.code(Side::Added).find(|l| case.any(FAILING, l))?;
    Some(case.finding(Indirect, true, fails, "makes a deprecated use fail".to_owned()))
}

/// Whether the change says that it belongs to a major release: a heading or version `N.0.0`.
fn is_major(case: &Case<'_>) -> bool {
    let version = |w: &str| {
        let digits = w.trim_matches(|c: char| !c.is_ascii_digit());
        let mut parts = digits.split('.');
        let major = parts.next().is_some_and(|m| m.parse::<u32>().is_ok_and(|m| m > 0));
        major && parts.next() == Some("0") && parts.next().is_none_or(|p| p == "0")
    };
    case.diff.after().any(|l| l.raw.split_whitespace().take(40).any(version))
}

const EXPORTED: &[&str] = &[
    "pub fn",
    "pub struct",
    "pub enum",
    "pub trait",
    "pub const",
    "pub type",
    "export function",
    "export class",
    "export const",
    "export interface",
    "export type",
    "public ",
];

/// A published definition is removed although the decision keeps the interface stable.
pub(crate) fn published(case: &Case<'_>) -> Option<Finding> {
    if !case
        .reading
        .required_concepts
        .iter()
        .chain(&case.reading.forbidden_concepts)
        .any(|c| c.name == "the published interface")
    {
        return None;
    }
    let exported = |l: &&Line<'_>| EXPORTED.iter().any(|e| l.raw.trim_start().starts_with(e)) && !comes_back(case, l);
    let line = case.code(Side::Removed).find(exported).filter(|_| !is_major(case))?;
    Some(case.finding(Direct, true, line, "removes a published definition".to_owned()))
}

/// Whether the name that a removed line defines stands on an added one.
fn comes_back(case: &Case<'_>, line: &Line<'_>) -> bool {
    let name = defined_name(line.raw);
    !name.is_empty() && case.code(Side::Added).any(|l| l.text.contains(name))
}

/// The word before the first bracket or sign of a definition: its name.
fn defined_name(raw: &str) -> &str {
    let head = raw.split(['(', '{', '<', ':', '=', ';']).next().unwrap_or(raw).trim_end();
    text::clip(head.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""), 200)
}
