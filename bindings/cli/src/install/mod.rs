//! Writing engram into the settings of a harness, and taking it out again.
//!
//! Everything of the user's stays, in its order and form. A second run changes nothing. Before the first change the file is
//! copied; when engram is taken out and nothing else changed meanwhile, the copy comes back, byte for byte.

pub mod harness;
mod hooks;
mod jsonc;
mod mcp;
mod plugin;
mod settings_file;

pub use plugin::write_plugin;

use engram_core::{Error, ErrorKind, Result};
use settings_file::SettingsFile;
use std::path::{Path, PathBuf};

/// Whether to change the file or only to say what would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Change it.
    Write,
    /// Change nothing.
    DryRun,
}

/// The programs that settings name, by absolute paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// `engram`.
    pub engram: PathBuf,
    /// `engram-hook`.
    pub hook: PathBuf,
}

/// What is to become of one settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Whether anything differs.
    pub changed: bool,
    /// The whole new text.
    pub new_text: String,
    /// The file is engram's alone and goes.
    pub gone: bool,
    /// The events for which a hook is new.
    pub added_events: Vec<&'static str>,
    /// One line per change, for people: `+ EVENT: what`, `~ EVENT: what`, `- EVENT: what`.
    pub summary: Vec<String>,
}

/// What engram writes into one file.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// Hooks in a JSON file of the harness's.
    Hooks(&'static hooks::Dialect),
    /// Its MCP server in a JSON file, below a key.
    McpJson(&'static mcp::JsonForm),
    /// Its MCP server in a TOML file of Codex's form.
    McpToml,
    /// A file of engram's own, which holds just this text.
    Own(String),
}

/// One file of one harness, and what engram writes into it.
#[derive(Clone, Debug)]
pub struct Target {
    /// The file.
    pub file: PathBuf,
    /// In the order in which they are made.
    pub(crate) edits: Vec<Edit>,
}

/// What was done to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The settings file.
    pub settings: PathBuf,
    /// What was, or with [`Mode::DryRun`] would be, changed.
    pub plan: Plan,
    /// The copy of the file as it was before; `None` if nothing was written or there was no file.
    pub backup: Option<PathBuf>,
}

impl Edit {
    /// What becomes of a file of that text when engram is put in. Pure. An empty text is an empty file.
    fn with(&self, text: &str, programs: &Programs) -> Result<Plan> {
        match self {
            Edit::Hooks(dialect) => hooks::plan(dialect, text, &programs.hook),
            Edit::McpJson(form) => mcp::plan_json(form, text, &programs.engram),
            Edit::McpToml => mcp::plan_toml(text, &programs.engram),
            Edit::Own(own) => own_file(text, own),
        }
    }

    /// What becomes of a file of that text when engram is taken out. Pure.
    fn without(&self, text: &str) -> Result<Plan> {
        match self {
            Edit::Hooks(dialect) => hooks::plan_removal(dialect, text),
            Edit::McpJson(form) => mcp::plan_json_removal(form, text),
            Edit::McpToml => mcp::plan_toml_removal(text),
            Edit::Own(_) if !is_own(text) => Ok(Plan { new_text: text.to_owned(), ..Plan::default() }),
            Edit::Own(_) => {
                Ok(Plan { changed: true, gone: true, summary: vec!["- the file".to_owned()], ..Plan::default() })
            }
        }
    }
}

/// One plan of several, each of which goes on where the one before ended.
fn in_turn<'a>(
    text: &str,
    edits: impl IntoIterator<Item = &'a Edit>,
    step: impl Fn(&Edit, &str) -> Result<Plan>,
) -> Result<Plan> {
    let mut all = Plan { new_text: text.to_owned(), ..Plan::default() };
    for edit in edits {
        let plan = step(edit, &all.new_text)?;
        all.changed |= plan.changed;
        all.gone |= plan.gone;
        all.new_text = plan.new_text;
        all.added_events.extend(plan.added_events);
        all.summary.extend(plan.summary);
    }
    Ok(all)
}

fn with<'a>(text: &str, edits: impl IntoIterator<Item = &'a Edit>, programs: &Programs) -> Result<Plan> {
    in_turn(text, edits, |edit, text| edit.with(text, programs))
}

impl Target {
    fn without(&self, text: &str) -> Result<Plan> {
        in_turn(text, &self.edits, Edit::without)
    }

    /// Puts engram into the file.
    ///
    /// # Errors
    /// `Config` if the file is of a form that the harness does not know, naming file and line; `Io` if it cannot be read or
    /// written; `InvalidArgument` if a program's path is not absolute. The file is unchanged then.
    pub fn install(&self, programs: &Programs, mode: Mode) -> Result<Installed> {
        if !programs.hook.is_absolute() {
            let detail = format!("\"{}\" is no absolute path; a hook runs in any folder", programs.hook.display());
            return Err(Error::new(ErrorKind::InvalidArgument, detail));
        }
        let file = SettingsFile::open(&self.file)?;
        let plan = with(file.text(), &self.edits, programs).map_err(|e| self.named(&e))?;
        self.written(&file, plan, mode)
    }

    fn written(&self, file: &SettingsFile, plan: Plan, mode: Mode) -> Result<Installed> {
        let write = plan.changed && mode == Mode::Write;
        let backup = if write { file.replace(&plan.new_text)? } else { None };
        Ok(Installed { settings: self.file.clone(), plan, backup })
    }

    /// Brings what of engram is in the file up to date; `None` if nothing is.
    ///
    /// # Errors
    /// As [`Target::install`].
    pub fn refresh(&self, programs: &Programs, mode: Mode) -> Result<Option<Installed>> {
        let file = SettingsFile::open(&self.file)?;
        let mut present = Vec::new();
        for edit in &self.edits {
            if edit.without(file.text()).map_err(|e| self.named(&e))?.changed {
                present.push(edit);
            }
        }
        if present.is_empty() {
            return Ok(None);
        }
        let plan = with(file.text(), present, programs).map_err(|e| self.named(&e))?;
        self.written(&file, plan, mode).map(Some)
    }

    /// Takes engram out of the file; one without it is left alone.
    ///
    /// # Errors
    /// As [`Target::install`].
    pub fn uninstall(&self, programs: &Programs, mode: Mode) -> Result<Installed> {
        let file = SettingsFile::open(&self.file)?;
        let mut plan = self.without(file.text()).map_err(|e| self.named(&e))?;
        if !plan.changed {
            return Ok(Installed { settings: self.file.clone(), plan, backup: None });
        }
        let original = self.original(&file, programs);
        match &original {
            Some(Some(text)) => plan.new_text.clone_from(text),
            Some(None) => plan.gone = true,
            None => {}
        }
        let mut backup = None;
        if mode == Mode::Write {
            backup = match (&original, plan.gone) {
                (_, true) => file.remove().map(|()| None)?,
                (Some(_), false) => file.restore(&plan.new_text).map(|()| None)?,
                (None, false) => file.replace(&plan.new_text)?,
            };
        }
        Ok(Installed { settings: self.file.clone(), plan, backup })
    }

    /// The file as it was before engram came, if nothing else changed since: its text, or that there was none.
    fn original(&self, file: &SettingsFile, programs: &Programs) -> Option<Option<String>> {
        // Any of the edits may have been made, the others not.
        let chosen =
            |which: usize| self.edits.iter().enumerate().filter(move |(i, _)| which & (1 << i) != 0).map(|(_, e)| e);
        let made = |text: &str| {
            let same = |which| with(text, chosen(which), programs).is_ok_and(|p| p.new_text == file.text());
            (1..1 << self.edits.len()).any(same)
        };
        // A copy from before a second installation, or a repair, has engram in it.
        let is_without = |text: &str| self.without(text).is_ok_and(|p| !p.changed);
        let copies = file.backups();
        match copies.into_iter().filter(|text| is_without(text)).find(|text| made(text)) {
            Some(text) => Some(Some(text)),
            // A file that was there has left a copy without engram.
            None => (!file.backups().iter().any(|text| is_without(text)) && made("")).then_some(None),
        }
    }

    fn named(&self, error: &Error) -> Error {
        Error::new(error.kind(), format!("\"{}\" was left as it is: {error}", self.file.display()))
    }
}

/// The words by which a file of engram's own is known.
const OWN_MARK: &str = "written by `engram install`";

fn is_own(text: &str) -> bool {
    text.contains(OWN_MARK)
}

fn own_file(text: &str, own: &str) -> Result<Plan> {
    if !text.trim().is_empty() && !is_own(text) {
        return Err(Error::new(ErrorKind::Config, "it is not engram's; move it away and try again"));
    }
    let changed = text != own;
    let summary = if changed { vec!["+ the file".to_owned()] } else { Vec::new() };
    Ok(Plan { changed, new_text: own.to_owned(), summary, ..Plan::default() })
}

/// A program with an argument as one word list for a POSIX shell.
fn shell_line(program: &Path, argument: &str) -> String {
    let path = program.to_string_lossy();
    let plain = path.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+@:".contains(c));
    if plain { format!("{path} {argument}") } else { format!("'{}' {argument}", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests;
