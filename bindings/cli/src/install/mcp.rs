//! `engram mcp` among the MCP servers of a harness.

use super::Plan;
use super::jsonc::{Draft, bad, input};
use engram_core::Result;
use serde_json::{Value, json};
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, value};

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
                known.set_value(input(&wanted));
                draft.summary.push(format!("~ MCP server: {} mcp", program.display()));
            }
        }
    }
    Ok(draft.finish())
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
    let present = servers.get(NAME).and_then(|s| s.get("command")).and_then(Item::as_str);
    let mut summary = Vec::new();
    if present != Some(path.as_str()) {
        summary.push(format!("{} MCP server: {path} mcp", if present.is_none() { "+" } else { "~" }));
        let mut server = Table::new();
        server.insert("command", value(path));
        server.insert("args", value(toml_edit::Array::from_iter(["mcp"])));
        servers.insert(NAME, Item::Table(server));
    }
    Ok(toml_plan(text, &document, summary))
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
