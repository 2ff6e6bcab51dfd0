//! `memory.log`: one greppable line for every change of memory and every recall (D13).

use crate::error::{Error, Result};
use crate::text;
use crate::time::Timestamp;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Beyond this size the file is set aside once, as `memory.log.1`.
const ROTATE_AT: u64 = 4 * 1024 * 1024;

/// The log's file; opened for each batch of lines, since a hook writes at most one.
#[derive(Clone, Debug)]
pub struct MemoryLog {
    path: PathBuf,
}

impl MemoryLog {
    /// The log at `path`.
    pub fn at(path: PathBuf) -> MemoryLog {
        MemoryLog { path }
    }

    /// Appends lines `TIME VERB REST`, each stripped of line breaks, in one write.
    pub fn write(&self, now: Timestamp, lines: &[String]) -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let block = lines.iter().fold(String::new(), |mut block, line| {
            let line = text::neutralise(line).replace('\n', " ");
            block.push_str(&format!("{now} {line}\n"));
            block
        });
        append(&self.path, block.as_bytes()).map_err(|e| Error::io("append to", &self.path, e))
    }
}

fn append(path: &Path, block: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true).mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    let mut file = options.open(path)?;
    file.write_all(block)?;
    let written = file.metadata()?;
    // Another process may have rotated meanwhile: its fresh file must not push the old one out.
    if written.len() > ROTATE_AT && std::fs::metadata(path)?.ino() == written.ino() {
        std::fs::rename(path, path.with_extension("log.1"))?;
    }
    Ok(())
}
