//! engram as a plugin folder of Claude Code, for marketplaces and for `claude --plugin-dir`.

use super::{Programs, hooks};
use engram_core::{Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the plugin into `folder`: manifest, hooks, MCP server and the two programs; gives the files written.
///
/// # Errors
/// `Io` if the folder holds something else, or cannot be written.
pub fn write_plugin(folder: &Path, programs: &Programs) -> Result<Vec<PathBuf>> {
    let manifest = folder.join(".claude-plugin/plugin.json");
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty && !fs::read_to_string(&manifest).is_ok_and(|t| t.contains("\"name\": \"engram\"")) {
        let detail = format!("\"{}\" is not empty and no plugin of engram's; name another folder", folder.display());
        return Err(Error::new(ErrorKind::Io, detail));
    }
    let root = Path::new("${CLAUDE_PLUGIN_ROOT}/bin");
    let hooks: Value = serde_json::from_str(&hooks::plan(&hooks::CLAUDE_CODE, "", &root.join("engram-hook"))?.new_text)
        .map_err(|e| Error::new(ErrorKind::Corrupt, "the hooks have no JSON form").with_source(e))?;
    let about = json!({
        "name": "engram", "version": env!("CARGO_PKG_VERSION"),
        "description": "Memory for coding agents: recalls what earlier sessions learned and decided.",
    });
    let server = json!({"mcpServers": {"engram": {"command": root.join("engram"), "args": ["mcp"]}}});
    let texts = [(manifest, about), (folder.join("hooks/hooks.json"), hooks), (folder.join(".mcp.json"), server)];
    let mut written = Vec::new();
    for (path, value) in texts {
        let text = format!("{value:#}\n");
        put(&path, |path| fs::write(path, text))?;
        written.push(path);
    }
    for (from, name) in [(&programs.engram, "engram"), (&programs.hook, "engram-hook")] {
        let path = folder.join("bin").join(name);
        put(&path, |path| {
            // A program that runs cannot be overwritten, but replaced.
            let _ = fs::remove_file(path);
            fs::copy(from, path).map(drop)
        })?;
        written.push(path);
    }
    Ok(written)
}

fn put(path: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write(path));
    made.map_err(|e| Error::new(ErrorKind::Io, format!("cannot write \"{}\"", path.display())).with_source(e))
}
