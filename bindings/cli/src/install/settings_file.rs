//! One settings file on disk: read, copied, replaced at once.

use engram_core::time::Clock;
use engram_core::{Error, ErrorKind, Result};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A settings file and its text.
#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    /// `None` if there is no file yet.
    text: Option<String>,
}

impl SettingsFile {
    /// Reads the file at `path`. A link is followed, so that a file kept elsewhere is changed there.
    pub(super) fn open(path: &Path) -> Result<SettingsFile> {
        let path = path.canonicalize().unwrap_or_else(|_| end_of_links(path));
        match fs::read_to_string(&path) {
            Ok(text) => Ok(SettingsFile { path, text: Some(text) }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(SettingsFile { path, text: None }),
            Err(e) => Err(trouble("read", &path, e)),
        }
    }

    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Puts `new_text` in the file's place, after copying the old one; returns the copy's path.
    ///
    /// At any moment the file is the old or the new one: the text goes into a file beside it, to the disk, and is renamed.
    pub(super) fn replace(&self, new_text: &str) -> Result<Option<PathBuf>> {
        self.writable()?;
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|e| trouble("create", folder, e))?;
        let backup = self.text.as_ref().map(|_| self.back_up()).transpose()?;
        let mode = fs::metadata(&self.path).map_or(0o600, |m| m.permissions().mode() & 0o7777);
        let temporary = beside(&self.path, &format!("engram-new-{}", std::process::id()));
        let written = write_new(&temporary, new_text, mode).and_then(|()| fs::rename(&temporary, &self.path));
        if let Err(e) = written {
            let _ = fs::remove_file(&temporary);
            return Err(trouble("write", &self.path, e));
        }
        // The rename is on the disk only when the folder is; a file system that cannot do that is no reason to fail.
        let _ = File::open(folder).and_then(|f| f.sync_all());
        Ok(backup)
    }

    /// Renaming would replace a file that its owner made read-only.
    fn writable(&self) -> Result<()> {
        match fs::metadata(&self.path) {
            Ok(meta) if meta.permissions().mode() & 0o222 == 0 => {
                let detail =
                    format!("\"{0}\" is read-only; run `chmod u+w \"{0}\"` and try again", self.path.display());
                Err(Error::new(ErrorKind::Io, detail))
            }
            _ => Ok(()),
        }
    }

    /// Puts back what was there before engram came, and takes the copies of it away.
    pub(super) fn restore(&self, text: &str) -> Result<()> {
        // The copy of the state with engram in it goes too.
        self.replace(text)?;
        self.remove_backups();
        Ok(())
    }

    /// Removes the file, which was not there before engram came.
    pub(super) fn remove(&self) -> Result<()> {
        self.writable()?;
        fs::remove_file(&self.path).map_err(|e| trouble("remove", &self.path, e))?;
        self.remove_backups();
        Ok(())
    }

    /// The texts of the copies that were made of the file, newest first.
    pub(super) fn backups(&self) -> Vec<String> {
        self.backup_paths().iter().rev().filter_map(|p| fs::read_to_string(p).ok()).collect()
    }

    fn backup_paths(&self) -> Vec<PathBuf> {
        let prefix = beside(&self.path, "engram-backup-");
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        let is_copy = |p: &PathBuf| p.to_string_lossy().starts_with(&*prefix.to_string_lossy());
        let mut found: Vec<PathBuf> = entries.filter(is_copy).collect();
        found.sort();
        found
    }

    fn remove_backups(&self) {
        for copy in self.backup_paths() {
            // One that stays costs a little disk and nothing else.
            let _ = fs::remove_file(copy);
        }
    }

    fn back_up(&self) -> Result<PathBuf> {
        let time: String = Clock::System.now().to_string().chars().filter(char::is_ascii_alphanumeric).collect();
        // Two changes in one millisecond have a copy each.
        let named = |n: u32| {
            beside(&self.path, &format!("engram-backup-{time}{}", if n == 0 { String::new() } else { format!("-{n}") }))
        };
        let backup = (0..).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(0));
        fs::copy(&self.path, &backup).map_err(|e| trouble("copy to", &backup, e))?;
        Ok(backup)
    }
}

/// Where a link leads although nothing is there yet.
fn end_of_links(path: &Path) -> PathBuf {
    const MOST: usize = 16;
    let mut at = path.to_owned();
    for _ in 0..MOST {
        let Ok(target) = fs::read_link(&at) else { break };
        at = at.parent().unwrap_or(Path::new("/")).join(target);
    }
    at
}

fn write_new(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(Permissions::from_mode(mode))?;
    file.sync_all()
}

/// `FILE.suffix` in the folder of `FILE`.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

fn trouble(doing: &str, path: &Path, source: io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot {doing} \"{}\"", path.display())).with_source(source)
}
