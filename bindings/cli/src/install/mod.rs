//! Writing engram into the settings of a harness, and taking it out again.
//!
//! Everything of the user's stays, in its order. A second run changes nothing. Before the first change the file is copied.

pub mod claude_code;
mod settings_file;

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

/// What is to become of one settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whether anything differs.
    pub changed: bool,
    /// The whole new text.
    pub new_text: String,
    /// The events for which a hook is new.
    pub added_events: Vec<&'static str>,
    /// One line per change, for people: `+ EVENT: what`, `~ EVENT: what`, `- EVENT: what`.
    pub summary: Vec<String>,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The settings file.
    pub settings: PathBuf,
    /// What was, or with [`Mode::DryRun`] would be, changed.
    pub plan: Plan,
    /// The copy of the file as it was before; `None` if nothing was written or there was no file.
    pub backup: Option<PathBuf>,
}

/// Puts engram's hooks into Claude Code's `settings` file; `hook` is the absolute path of `engram-hook`.
///
/// # Errors
/// `Config` if the file is no valid JSON or `hooks` in it has another form, naming file and line; `Io` if it cannot be
/// read or written; `InvalidArgument` if `hook` is not absolute. The file is unchanged then.
pub fn install(settings: &Path, hook: &Path, mode: Mode) -> Result<Installed> {
    if !hook.is_absolute() {
        let detail = format!("\"{}\" is no absolute path; a hook runs in any folder", hook.display());
        return Err(Error::new(ErrorKind::InvalidArgument, detail));
    }
    change(settings, mode, |text| claude_code::plan(text, hook))
}

/// Takes engram's hooks out of Claude Code's `settings` file again; a file without them is left alone.
///
/// # Errors
/// As [`install`].
pub fn uninstall(settings: &Path, mode: Mode) -> Result<Installed> {
    change(settings, mode, claude_code::plan_removal)
}

fn change(settings: &Path, mode: Mode, plan: impl FnOnce(&str) -> Result<Plan>) -> Result<Installed> {
    let file = SettingsFile::open(settings)?;
    let plan = plan(file.text()).map_err(|e| named(settings, &e))?;
    let write = plan.changed && mode == Mode::Write;
    let backup = if write { file.replace(&plan.new_text)? } else { None };
    Ok(Installed { settings: settings.to_owned(), plan, backup })
}

fn named(settings: &Path, error: &Error) -> Error {
    Error::new(error.kind(), format!("\"{}\" was left as it is: {error}", settings.display()))
}

#[cfg(test)]
mod tests;
