//! `memory.log`: one greppable line for every change of memory and every recall (D13).

use super::user_log::{bytes_of, overwrite};
use crate::error::{Error, Result};
use crate::project::own_file;
use crate::text;
use crate::time::Timestamp;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::Range;
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

    /// Puts dots in the place of what `hidden` names of each line, in this file and in the one set aside. In place: others
    /// append meanwhile.
    ///
    /// # Errors
    /// `Io` if one of the files cannot be read or written.
    pub fn mask(&self, hidden: &dyn Fn(&str) -> Vec<Range<usize>>) -> Result<()> {
        [self.path.clone(), self.path.with_extension("log.1")].iter().try_for_each(|path| mask(path, hidden))
    }
}

fn mask(path: &Path, hidden: &dyn Fn(&str) -> Vec<Range<usize>>) -> Result<()> {
    let mut at = 0;
    let mut places = Vec::new();
    for line in bytes_of(path)?.split_inclusive(|b| *b == b'\n') {
        // A line that is no text was torn: what is recognised in it would not be where it seems.
        let text = std::str::from_utf8(line).unwrap_or_default().trim_end_matches('\n');
        places.extend(hidden(text).into_iter().map(|p| (at + p.start as u64, vec![b'.'; p.len()])));
        at += line.len() as u64;
    }
    overwrite(path, &places)
}

fn append(path: &Path, block: &[u8]) -> std::io::Result<()> {
    let mut file = own_file::open(OpenOptions::new().append(true).create(true), path)?;
    file.write_all(block)?;
    // Whoever does not get the lock leaves the turning to the one that has it.
    if file.metadata()?.len() > ROTATE_AT && file.try_lock().is_ok() && is_still_at(path, &file)? {
        std::fs::rename(path, path.with_extension("log.1"))?;
    }
    Ok(())
}

/// Whether the file has its name still. Another process may have set it aside meanwhile: its fresh file must not push the
/// old one out.
fn is_still_at(path: &Path, file: &File) -> std::io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let opened = file.metadata()?;
        let named = std::fs::symlink_metadata(path);
        Ok(named.is_ok_and(|named| (named.dev(), named.ino()) == (opened.dev(), opened.ino())))
    }
    #[cfg(not(unix))]
    Ok(std::fs::metadata(path).is_ok_and(|named| file.metadata().is_ok_and(|m| m.len() == named.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_file_that_has_the_name_is_set_aside() {
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("memory.log");
        std::fs::write(&path, "old").unwrap();
        let old = File::open(&path).unwrap();
        assert!(is_still_at(&path, &old).unwrap());
        std::fs::rename(&path, tmp.path().join("memory.log.1")).unwrap();
        assert!(!is_still_at(&path, &old).unwrap(), "nothing there is no error: the line is written");
        std::fs::write(&path, "new").unwrap();
        assert!(!is_still_at(&path, &old).unwrap());
    }

    #[test]
    fn a_full_log_is_set_aside_and_begun_anew() {
        let tmp = tempfile::tempdir().unwrap();
        let log = MemoryLog::at(tmp.path().join("memory.log"));
        std::fs::write(tmp.path().join("memory.log"), vec![b'x'; ROTATE_AT as usize]).unwrap();
        for _ in 0..2 {
            log.write(Timestamp::default(), &["a line".to_owned()]).unwrap();
        }
        let length = |name: &str| std::fs::metadata(tmp.path().join(name)).unwrap().len();
        assert!(length("memory.log.1") > ROTATE_AT && length("memory.log") < 100);
    }
}
