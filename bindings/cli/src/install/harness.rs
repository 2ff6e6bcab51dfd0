//! The harnesses that engram can install itself into: one row each.

use super::{Edit, OWN_MARK, Target, hooks, mcp};
use engram_core::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Where an installation looks and writes.
#[derive(Clone, Debug)]
pub struct Place {
    /// The user's home folder.
    pub home: PathBuf,
    /// The project's root; `None` outside a project.
    pub project: Option<PathBuf>,
    /// For this project only.
    pub local: bool,
    /// Also as an MCP server.
    pub mcp: bool,
    /// The npm package `engram`, for harnesses that run it in-process; `None` where the program is not part of one.
    pub package: Option<PathBuf>,
}

/// One harness.
#[derive(Debug)]
pub struct Harness {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Whether its hooks are known from documentation alone.
    pub experimental: bool,
    /// What the user has to do or know after an installation.
    pub note: Option<&'static str>,
    /// The program by which it is found on the `PATH`.
    program: &'static str,
    /// The folder of its settings.
    folder: fn(&Path) -> PathBuf,
    targets: fn(&Place) -> Result<Vec<Target>>,
}

/// Every harness that has settings to install into.
pub const HARNESSES: &[Harness] = &[
    Harness {
        name: "claude-code",
        title: "Claude Code",
        experimental: false,
        note: None,
        program: "claude",
        folder: claude_folder,
        targets: claude_code,
    },
    Harness {
        name: "codex",
        title: "Codex CLI",
        experimental: false,
        note: Some("Codex runs new hooks only once you trust them: start codex, open /hooks and trust engram's"),
        program: "codex",
        folder: |home| variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex")),
        targets: codex,
    },
    Harness {
        name: "gemini",
        title: "Gemini CLI",
        experimental: false,
        note: None,
        program: "gemini",
        folder: |home| home.join(".gemini"),
        targets: gemini,
    },
    Harness {
        name: "opencode",
        title: "OpenCode",
        experimental: false,
        note: None,
        program: "opencode",
        folder: |home| variable("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")).join("opencode"),
        targets: opencode,
    },
    Harness {
        name: "gsd",
        title: "GSD and Pi",
        experimental: true,
        note: None,
        program: "pi",
        folder: |home| home.join(".pi/agent"),
        targets: gsd,
    },
    Harness {
        name: "cursor",
        title: "Cursor",
        experimental: true,
        note: None,
        program: "cursor",
        folder: |home| home.join(".cursor"),
        targets: cursor,
    },
    Harness {
        name: "copilot",
        title: "Copilot CLI",
        experimental: true,
        note: Some("Copilot CLI has its hooks in the project: the file can be committed"),
        program: "copilot",
        folder: |home| home.join(".copilot"),
        targets: copilot,
    },
];

/// The harness of that name.
pub fn by_name(name: &str) -> Option<&'static Harness> {
    HARNESSES.iter().find(|h| h.name == name)
}

impl Harness {
    /// Whether the harness is on this machine: its program on the `PATH`, or the folder of its settings.
    pub fn is_present(&self, place: &Place) -> bool {
        let on_path = || {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path).any(|dir| dir.join(self.program).is_file())
        };
        (self.folder)(&place.home).is_dir() || on_path()
    }

    /// The files to write.
    ///
    /// # Errors
    /// `InvalidArgument` if it needs a project and there is none; `Config` if it needs the npm package and that is not here.
    pub fn targets(&self, place: &Place) -> Result<Vec<Target>> {
        (self.targets)(place)
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from)
}

/// The folder of Claude Code's settings and sessions.
pub fn claude_folder(home: &Path) -> PathBuf {
    variable("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"))
}

fn project(place: &Place) -> Result<&Path> {
    let detail = "this needs a project, and the working directory is in none; change to it, or name it with --project";
    place.project.as_deref().ok_or_else(|| Error::new(ErrorKind::InvalidArgument, detail))
}

fn of_hooks(file: PathBuf, dialect: &'static hooks::Dialect) -> Target {
    Target { file, edits: vec![Edit::Hooks(dialect)] }
}

fn of_mcp(place: &Place, file: PathBuf, edit: Edit) -> Option<Target> {
    place.mcp.then(|| Target { file, edits: vec![edit] })
}

fn claude_code(place: &Place) -> Result<Vec<Target>> {
    let (settings, servers) = if place.local {
        (project(place)?.join(".claude/settings.local.json"), project(place)?.join(".mcp.json"))
    } else {
        let named = variable("CLAUDE_CONFIG_DIR");
        let servers = named.as_deref().unwrap_or(&place.home).join(".claude.json");
        (claude_folder(&place.home).join("settings.json"), servers)
    };
    let mcp = of_mcp(place, servers, Edit::McpJson(&mcp::SERVERS));
    Ok([of_hooks(settings, &hooks::CLAUDE_CODE)].into_iter().chain(mcp).collect())
}

fn codex(place: &Place) -> Result<Vec<Target>> {
    let user = || variable("CODEX_HOME").unwrap_or_else(|| place.home.join(".codex"));
    let folder = if place.local { project(place)?.join(".codex") } else { user() };
    let mcp = of_mcp(place, folder.join("config.toml"), Edit::McpToml);
    Ok([of_hooks(folder.join("hooks.json"), &hooks::CODEX)].into_iter().chain(mcp).collect())
}

fn gemini(place: &Place) -> Result<Vec<Target>> {
    let folder = if place.local { project(place)?.join(".gemini") } else { place.home.join(".gemini") };
    // Hooks and servers stand in one file.
    let mut settings = of_hooks(folder.join("settings.json"), &hooks::GEMINI);
    settings.edits.extend(place.mcp.then_some(Edit::McpJson(&mcp::SERVERS)));
    Ok(vec![settings])
}

fn cursor(place: &Place) -> Result<Vec<Target>> {
    let folder = if place.local { project(place)?.join(".cursor") } else { place.home.join(".cursor") };
    let mcp = of_mcp(place, folder.join("mcp.json"), Edit::McpJson(&mcp::SERVERS));
    Ok([of_hooks(folder.join("hooks.json"), &hooks::CURSOR)].into_iter().chain(mcp).collect())
}

fn copilot(place: &Place) -> Result<Vec<Target>> {
    Ok(vec![of_hooks(project(place)?.join(".github/hooks/engram.json"), &hooks::COPILOT)])
}

/// A file of engram's own that takes an adapter of the npm package in.
fn adapter(place: &Place, file: PathBuf, name: &str, line: &str) -> Result<Target> {
    let missing = || {
        let detail = format!(
            "{name} runs engram in its own process, from the npm package, and this program is not part of one; run `npx engram install --harness {name}`"
        );
        Error::new(ErrorKind::Config, detail)
    };
    let module = place.package.as_deref().map(|p| p.join(format!("adapters/{name}.js"))).filter(|m| m.is_file());
    let module = serde_json::to_string(&module.ok_or_else(missing)?).unwrap_or_default();
    let text =
        format!("// Memory for the agent, {OWN_MARK}; `engram uninstall` takes it out again.\n{line} {module};\n");
    Ok(Target { file, edits: vec![Edit::Own(text)] })
}

fn opencode(place: &Place) -> Result<Vec<Target>> {
    let user = || variable("XDG_CONFIG_HOME").unwrap_or_else(|| place.home.join(".config")).join("opencode");
    let (plugins, settings) = if place.local {
        (project(place)?.join(".opencode/plugin"), project(place)?.join("opencode.json"))
    } else {
        (user().join("plugin"), user().join("opencode.json"))
    };
    let mcp = of_mcp(place, settings, Edit::McpJson(&mcp::OPENCODE));
    let plugin = adapter(place, plugins.join("engram.js"), "opencode", "export { EngramPlugin } from")?;
    Ok([plugin].into_iter().chain(mcp).collect())
}

fn gsd(place: &Place) -> Result<Vec<Target>> {
    let folder = if place.local { project(place)?.join(".pi") } else { place.home.join(".pi/agent") };
    Ok(vec![adapter(place, folder.join("extensions/engram.ts"), "gsd", "export { default } from")?])
}
