//! JSON settings while they are being changed: comments, order and white space stay.

use super::Plan;
use engram_core::{Error, ErrorKind, Result};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

const BOM: char = '\u{feff}';

/// JSON with comments and trailing commas, and nothing looser.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A file of settings: one object.
pub(super) struct Draft {
    root: CstRootNode,
    /// The settings.
    pub(super) object: CstObject,
    bom: bool,
    before: String,
    /// What changed, for people.
    pub(super) summary: Vec<String>,
    /// Events that are new.
    pub(super) added: Vec<&'static str>,
}

impl Draft {
    /// Reads settings; an empty text is an empty object.
    pub(super) fn read(text: &str) -> Result<Draft> {
        let bom = text.starts_with(BOM);
        let json = text.trim_start_matches(BOM);
        let json = if json.trim().is_empty() { "{}\n" } else { json };
        let root = CstRootNode::parse(json, &OPTIONS).map_err(|e| {
            let line = e.line_display();
            bad(format!("it is not valid JSON (line {line}: {}); mend it and try again", e.kind()))
        })?;
        let object = root.object_value().ok_or_else(|| bad("it holds no JSON object".to_owned()))?;
        Ok(Draft { root, object, bom, before: text.to_owned(), summary: Vec::new(), added: Vec::new() })
    }

    /// The object below a key, made if it is not there.
    pub(super) fn object_at(&self, key: &str) -> Result<CstObject> {
        self.object.ensure_multiline();
        self.object.object_value_or_create(key).ok_or_else(|| bad(format!("\"{key}\" in it is no object")))
    }

    pub(super) fn finish(self) -> Plan {
        let text = self.root.to_string();
        let changed = !self.summary.is_empty();
        let new_text = match (changed, self.bom) {
            (false, _) => self.before,
            (true, true) => format!("{BOM}{text}"),
            (true, false) => text,
        };
        Plan { changed, new_text, gone: false, added_events: self.added, summary: self.summary }
    }
}

pub(super) fn bad(detail: String) -> Error {
    Error::new(ErrorKind::Config, detail)
}

/// A value as the parser writes it.
pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(b) => CstInputValue::Bool(*b),
        Value::Number(n) => CstInputValue::Number(n.to_string()),
        Value::String(s) => CstInputValue::String(s.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => CstInputValue::Object(map.iter().map(|(k, v)| (k.clone(), input(v))).collect()),
    }
}
