//! `engram mcp` among the MCP servers of a harness.

use super::Plan;
use super::jsonc::{Draft, bad, input};
use engram_core::Result;
use jsonc_parser::cst::CstObjectProp;
use serde_json::{Value, json};
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, TableLike};

const NAME: &str = "engram";

/// How a harness writes an MCP server in JSON.
#[derive(Debug)]
pub(crate) struct JsonForm {
    /// The key of the servers.
    key: &'static str,
    server: fn(&str) -> Value,
}

/// Claude Code, Gemini CLI, Cursor.
pub(super) static SERVERS: JsonForm =
    JsonForm { key: "mcpServers", server: |program| json!({"command": program, "args": ["mcp"]}) };

/// OpenCode.
pub(super) static OPENCODE: JsonForm =
    JsonForm { key: "mcp", server: |program| json!({"type": "local", "command": [program, "mcp"]}) };

pub(super) fn plan_json(form: &JsonForm, text: &str, program: &Path) -> Result<Plan> {
    let mut draft = Draft::read(text)?;
    let wanted = (form.server)(&program.to_string_lossy());
    let servers = draft.object_at(form.key)?;
    servers.ensure_multiline();
    match servers.get(NAME) {
        None => {
            servers.append(NAME, input(&wanted));
            draft.summary.push(format!("+ MCP server: {} mcp", program.display()));
        }
        Some(known) => {
            let present = known.value().and_then(|v| v.to_serde_value()).unwrap_or_default();
            if present["command"] != wanted["command"] || present["args"] != wanted["args"] {
                bring_up_to_date(&known, &present, &wanted);
                draft.summary.push(format!("~ MCP server: {} mcp", program.display()));
            }
        }
    }
    Ok(draft.finish())
}

/// Sets the command alone: what the user wrote beside it stays.
fn bring_up_to_date(entry: &CstObjectProp, present: &Value, wanted: &Value) {
    let Some(server) = entry.object_value() else { return entry.set_value(input(wanted)) };
    for key in ["command", "args"] {
        match (wanted.get(key), server.get(key)) {
            (Some(new), Some(known)) if present[key] != *new => known.set_value(input(new)),
            (Some(new), None) => drop(server.append(key, input(new))),
            _ => {}
        }
    }
}

pub(super) fn plan_json_removal(form: &JsonForm, text: &str) -> Result<Plan> {
    let mut draft = Draft::read(text)?;
    let Some(at) = draft.object.get(form.key) else { return Ok(draft.finish()) };
    let servers = at.object_value().ok_or_else(|| bad(format!("\"{}\" in it is no object", form.key)))?;
    if let Some(known) = servers.get(NAME) {
        known.remove();
        draft.summary.push("- MCP server taken out".to_owned());
        if servers.properties().is_empty() {
            at.remove();
        }
    }
    Ok(draft.finish())
}

fn toml(text: &str) -> Result<DocumentMut> {
    text.parse().map_err(|e: toml_edit::TomlError| {
        let line = e.span().map_or(1, |s| text[..s.start.min(text.len())].matches('\n').count() + 1);
        bad(format!("it is not valid TOML (line {line}: {}); mend it and try again", e.message()))
    })
}

fn toml_plan(text: &str, document: &DocumentMut, summary: Vec<String>) -> Plan {
    let changed = !summary.is_empty();
    let new_text = if changed { document.to_string() } else { text.to_owned() };
    Plan { changed, new_text, summary, ..Plan::default() }
}

pub(super) fn plan_toml(text: &str, program: &Path) -> Result<Plan> {
    let mut document = toml(text)?;
    let servers = document.entry("mcp_servers").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or_else(|| bad("\"mcp_servers\" in it is no table".to_owned()))?;
    let path = program.to_string_lossy().into_owned();
    let mut summary = Vec::new();
    let is_new = servers.get(NAME).is_none();
    let server = servers.entry(NAME).or_insert_with(|| Item::Table(Table::new()));
    let server =
        server.as_table_like_mut().ok_or_else(|| bad("\"mcp_servers.engram\" in it is no table".to_owned()))?;
    let args = toml_edit::Array::from_iter(["mcp"]);
    let has_args = server
        .get("args")
        .and_then(Item::as_array)
        .is_some_and(|a| a.len() == 1 && a.iter().all(|w| w.as_str() == Some("mcp")));
    let has_command = server.get("command").and_then(Item::as_str) == Some(&path);
    let mut changed = set(server, "command", has_command, path.clone().into());
    changed |= set(server, "args", has_args, args.into());
    if changed {
        summary.push(format!("{} MCP server: {path} mcp", if is_new { "+" } else { "~" }));
    }
    Ok(toml_plan(text, &document, summary))
}

/// Sets a value where it differs; what stands around it, a comment for example, stays.
fn set(table: &mut dyn TableLike, key: &str, is_right: bool, mut new: toml_edit::Value) -> bool {
    if is_right {
        return false;
    }
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(known) => {
            *new.decor_mut() = known.decor().clone();
            *known = new;
        }
        None => drop(table.insert(key, Item::Value(new))),
    }
    true
}

pub(super) fn plan_toml_removal(text: &str) -> Result<Plan> {
    let mut document = toml(text)?;
    let mut summary = Vec::new();
    if let Some(servers) = document.get_mut("mcp_servers").and_then(Item::as_table_like_mut)
        && servers.remove(NAME).is_some()
    {
        summary.push("- MCP server taken out".to_owned());
    }
    Ok(toml_plan(text, &document, summary))
}
