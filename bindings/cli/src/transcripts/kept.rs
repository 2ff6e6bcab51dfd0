//! Where harnesses keep what they record, and which of it is of one project.

use super::Source;
use super::lines::Objects;
use crate::install::harness::claude_folder;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Folders in folders are looked into as deep as harnesses nest them.
const DEPTH: usize = 5;

impl Source {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Source::ClaudeCode => "claude-code",
            Source::Codex => "codex",
            Source::Gemini => "gemini",
            Source::OpenCode => "opencode",
            Source::Copilot => "copilot",
            Source::OpenHands => "openhands",
            Source::SweAgent => "swe-agent",
        }
    }

    /// How the names of its recordings end.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Source::ClaudeCode | Source::Codex | Source::Copilot => &[".jsonl"],
            Source::Gemini => &[".jsonl", ".json"],
            Source::OpenCode | Source::OpenHands | Source::SweAgent => &[".json"],
        }
    }

    /// What the harness keeps of the project at `root`, oldest first by name; nothing where it keeps none, or where its
    /// recordings have to be named. Recordings of which it cannot be told without reading them are among them.
    pub fn kept(self, home: &Path, root: &Path) -> Vec<PathBuf> {
        let codex = || {
            std::env::var_os("CODEX_HOME").filter(|v| !v.is_empty()).map_or_else(|| home.join(".codex"), PathBuf::from)
        };
        match self {
            // The folder is named after the project, with a dash for every other character.
            Source::ClaudeCode => {
                let name = root
                    .to_string_lossy()
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                    .collect::<String>();
                self.within(&claude_folder(home).join("projects").join(name), 1)
            }
            Source::Codex => {
                let all = self.within(&codex().join("sessions"), DEPTH);
                all.into_iter()
                    .filter(|p| begun_in(p, "/payload/cwd").is_none_or(|cwd| Path::new(&cwd).starts_with(root)))
                    .collect()
            }
            Source::Gemini => {
                let all = self.within(&home.join(".gemini/tmp"), 3);
                all.into_iter().filter(|p| is_gemini_chat_of(p, root)).collect()
            }
            Source::Copilot => {
                let all = self.within(&home.join(".copilot/session-state"), 2);
                all.into_iter()
                    .filter(|p| begun_in(p, "/data/context/cwd").is_none_or(|cwd| Path::new(&cwd).starts_with(root)))
                    .collect()
            }
            Source::OpenCode | Source::OpenHands | Source::SweAgent => Vec::new(),
        }
    }

    /// The recordings below `folder`, by name; links are not followed.
    pub fn within(self, folder: &Path, depth: usize) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth > 1 {
                found.extend(self.within(&path, depth - 1));
            } else if kind.is_file() && self.endings().iter().any(|e| path.to_string_lossy().ends_with(e)) {
                found.push(path);
            }
        }
        found.sort();
        found
    }
}

/// Gemini CLI notes a project's root beside its chats, and a digest of it in each.
fn is_gemini_chat_of(chat: &Path, root: &Path) -> bool {
    let folder = chat.ancestors().nth(2).unwrap_or(chat);
    let noted = fs::read_to_string(folder.join(".project_root")).ok().map(|text| PathBuf::from(text.trim()));
    let digest = || engram_core::text::digest::<32>(root.as_os_str().as_encoded_bytes());
    noted.is_some_and(|n| n == root) || begun_in(chat, "/projectHash").is_some_and(|hash| hash == digest())
}

/// A text of a recording's first record.
fn begun_in(path: &Path, pointer: &str) -> Option<String> {
    let first = Objects::new(File::open(path).ok()?).next_object().ok()??;
    first.pointer(pointer)?.as_str().map(str::to_owned)
}
