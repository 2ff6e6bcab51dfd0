//! Writing: one record is one `write` on an O_APPEND descriptor, framed by a newline on both sides (D5).

use crate::capture::event::{Event, SessionId};
use crate::config::Durability;
use crate::error::{Error, ErrorKind, Result};
use crate::project::own_file;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest line that is written, in bytes (I7). Capture keeps events far below it.
pub const MAX_LINE: usize = 256 * 1024;

/// An append-only file of JSON lines, open for appending.
#[derive(Debug)]
pub struct EventFile {
    file: File,
    path: PathBuf,
    durability: Durability,
    /// A file that was just made needs its directory synced once as well.
    new: bool,
}

impl EventFile {
    /// Opens or makes the log of a session below `events`.
    ///
    /// # Errors
    /// `Io` if the folder is missing, the file cannot be opened, or it is a link, a pipe or a file with a second name.
    pub fn of_session(events: &Path, session: &SessionId, durability: Durability) -> Result<EventFile> {
        EventFile::open(&events.join(format!("{}.jsonl", session.file_stem())), durability)
    }

    /// Opens or makes an append-only file with mode 0600.
    pub fn open(path: &Path, durability: Durability) -> Result<EventFile> {
        let mut options = OpenOptions::new();
        options.append(true).read(true);
        let (file, new) = match own_file::open(&mut options, path) {
            Ok(file) => (file, false),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                (own_file::open(options.create(true), path).map_err(|e| Error::io("create", path, e))?, true)
            }
            Err(e) => return Err(Error::io("open", path, e)),
        };
        Ok(EventFile { file, path: path.to_owned(), durability, new })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file lost its name: what is appended to it now is seen by nobody.
    pub fn is_gone(&self) -> bool {
        #[cfg(unix)]
        return std::os::unix::fs::MetadataExt::nlink(&match self.file.metadata() {
            Ok(about) => about,
            Err(_) => return true,
        }) == 0;
        #[cfg(not(unix))]
        return !self.path.exists();
    }

    /// Its length in bytes.
    pub fn len(&self) -> Result<u64> {
        Ok(self.file.metadata().map_err(|e| Error::io("look at", &self.path, e))?.len())
    }

    /// Whether it holds nothing yet.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Appends one event in one `write`; [`EventFile::sync`] makes it durable. Gives the record's length in bytes.
    ///
    /// # Errors
    /// `Io` if the disk refuses or takes only a part (the rest of such a record is harmless: the next one begins with a
    /// newline); `InvalidArgument` if the line is over [`MAX_LINE`].
    pub fn append(&mut self, event: &Event) -> Result<u64> {
        self.append_line(event)
    }

    /// Appends one value as one line.
    pub fn append_line(&mut self, value: &impl serde::Serialize) -> Result<u64> {
        let mut line = Vec::with_capacity(512);
        frame(value, &mut line)?;
        if line.len() > MAX_LINE {
            return Err(Error::invalid(format!("a record of {} bytes is over the limit of {MAX_LINE}", line.len())));
        }
        let written = self.file.write(&line).map_err(|e| Error::io("append to", &self.path, e))?;
        if written < line.len() {
            let detail = format!(
                "cannot append to \"{}\": only {written} of {} bytes were taken; is the disk full?",
                self.path.display(),
                line.len()
            );
            return Err(Error::new(ErrorKind::Io, detail));
        }
        Ok(line.len() as u64)
    }

    /// Makes what was appended survive what the durability level names.
    ///
    /// # Errors
    /// `Io` if the disk refuses. The descriptor must not be used again then: a failed fsync is never retried on it.
    pub fn sync(&mut self) -> Result<()> {
        if self.durability == Durability::Process {
            return Ok(());
        }
        self.file.sync_data().map_err(|e| Error::io("sync", &self.path, e))?;
        if self.new {
            sync_directory(&self.path)?;
            self.new = false;
        }
        Ok(())
    }

    /// Takes the lock of this file, waiting at most `wait`. Dropping the guard, or dying, gives it back.
    ///
    /// # Errors
    /// `Busy` if another process holds it longer.
    pub fn lock(&self, wait: Duration) -> Result<Lock> {
        let own = self.file.try_clone().map_err(|e| Error::io("lock", &self.path, e))?;
        Lock::take(own, &self.path, wait)
    }
}

/// Adds a record to `bytes` in its frame: newline, JSON, newline.
pub fn frame(value: &impl serde::Serialize, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.push(b'\n');
    serde_json::to_writer(&mut *bytes, value)
        .map_err(|e| Error::new(ErrorKind::InvalidArgument, "a record has no JSON form").with_source(e))?;
    bytes.push(b'\n');
    Ok(())
}

/// A lock of the operating system on a file; it dies with its holder.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    fn take(file: File, path: &Path, wait: Duration) -> Result<Lock> {
        let step = Duration::from_millis(1);
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { file }),
                Err(std::fs::TryLockError::Error(e)) => return Err(Error::io("lock", path, e)),
                Err(std::fs::TryLockError::WouldBlock) if waited >= wait => {
                    return Err(Error::new(
                        ErrorKind::Busy,
                        format!("\"{}\" is locked by another process", path.display()),
                    ));
                }
                Err(std::fs::TryLockError::WouldBlock) => {
                    std::thread::sleep(step);
                    waited += step;
                }
            }
        }
    }

    /// Takes the lock of the file at `path`, making it where needed.
    pub fn at(path: &Path, wait: Duration) -> Result<Lock> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        Lock::take(own_file::open(&mut options, path).map_err(|e| Error::io("open", path, e))?, path, wait)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A failure leaves the lock to the descriptor's end.
        let _ = self.file.unlock();
    }
}

/// Syncs the directory that holds `path`, so that a new name in it survives a power cut.
fn sync_directory(path: &Path) -> Result<()> {
    let Some(dir) = path.parent() else { return Ok(()) };
    File::open(dir).and_then(|d| d.sync_all()).map_err(|e| Error::io("sync", dir, e))
}

/// Puts `bytes` in the place of a file: temporary file, fsync, rename, fsync of the directory. Readers see the old or the
/// new content, also after a power cut.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = Temporary::with(path, bytes)?;
    std::fs::rename(&temporary.path, path).map_err(|e| Error::io("rename into place", path, e))?;
    sync_directory(path)
}

/// Makes a file with `bytes` durably, unless there is one: whoever came first stays. Says whether it was made.
pub fn create_file(path: &Path, bytes: &[u8]) -> Result<bool> {
    let temporary = Temporary::with(path, bytes)?;
    match rename_to_new(&temporary.path, path) {
        Ok(()) => sync_directory(path).map(|()| true),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(Error::io("create", path, e)),
    }
}

/// A complete file on its way to its name; whatever is left under the temporary name goes with it.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn with(target: &Path, bytes: &[u8]) -> Result<Temporary> {
        // A name of this process and call: two writers never share one.
        static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let call = CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = target.with_extension(format!("tmp-{}-{call}", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = own_file::open(&mut options, &path).map_err(|e| Error::io("create", &path, e))?;
        // From here on it is ours to remove.
        let temporary = Temporary { path };
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        written.map_err(|e| Error::io("write", &temporary.path, e)).map(|()| temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename there is nothing of that name.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Removes from a folder the temporary files of writers that died in the middle.
///
/// # Errors
/// `Io` if the folder cannot be listed.
pub fn sweep(dir: &Path) -> Result<()> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Error::io("list", dir, e)),
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_left_over(path)) {
        // Another one may have swept it.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Whether it is a temporary file whose writer is gone.
fn is_left_over(path: &Path) -> bool {
    let name = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let writer = name.strip_prefix("tmp-").and_then(|rest| rest.split('-').next()?.parse::<i32>().ok());
    writer.is_some_and(is_gone)
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_none_or(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_gone(_process: i32) -> bool {
    false
}

/// Renames where nothing has the new name yet. Not a link and an unlink where it can be helped: a process that dies in
/// between would leave a log with two names, which [`own_file::open`] refuses.
fn rename_to_new(from: &Path, to: &Path) -> std::io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Not every file system can.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return Ok(done?),
        }
    }
    std::fs::hard_link(from, to).and_then(|()| std::fs::remove_file(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_was_not_synced_is_synced_by_the_next_call() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("events");
        std::fs::create_dir(&dir).unwrap();
        let mut file = EventFile::open(&dir.join("s.jsonl"), Durability::Power).unwrap();
        file.append_line(&1).unwrap();
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(file.sync().is_err() && file.sync().is_err(), "the second call takes it for done");
        assert!(file.is_gone());
    }

    #[test]
    fn a_replacement_that_fails_leaves_nothing_behind() {
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("taken");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("inside"), "").unwrap();
        assert!(replace_file(&path, b"x").is_err());
        assert!(!create_file(&path, b"x").unwrap());
        assert_eq!(std::fs::read_dir(tmp.path()).unwrap().count(), 1);
    }
}
