//! Writing: one record is one `write` on an O_APPEND descriptor, framed by a newline on both sides (D5).

use crate::capture::event::{Event, SessionId};
use crate::config::Durability;
use crate::error::{Error, ErrorKind, Result};
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
    /// `Io` if the folder is missing, the file cannot be opened, or it is a symbolic link.
    pub fn of_session(events: &Path, session: &SessionId, durability: Durability) -> Result<EventFile> {
        EventFile::open(&events.join(format!("{}.jsonl", session.file_stem())), durability)
    }

    /// Opens or makes an append-only file with mode 0600.
    pub fn open(path: &Path, durability: Durability) -> Result<EventFile> {
        let mut options = OpenOptions::new();
        options.append(true).read(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
        let (file, new) = match options.open(path) {
            Ok(file) => (file, false),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                (options.create(true).open(path).map_err(|e| Error::io("create", path, e))?, true)
            }
            Err(e) => return Err(Error::io("open", path, e)),
        };
        let about = file.metadata().map_err(|e| Error::io("look at", path, e))?;
        if !is_ours_alone(&about) {
            let detail = format!("\"{}\" is no regular file of its own name alone; remove it", path.display());
            return Err(Error::new(ErrorKind::Io, detail));
        }
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

/// A regular file with one name: a link in the data folder could lead anywhere (T-5).
fn is_ours_alone(about: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    let one_name = std::os::unix::fs::MetadataExt::nlink(about) <= 1;
    #[cfg(not(unix))]
    let one_name = true;
    about.is_file() && one_name
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
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Lock::take(options.open(path).map_err(|e| Error::io("open", path, e))?, path, wait)
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
    // A name of this process and call: two writers never share one.
    static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let call = CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let temporary = path.with_extension(format!("tmp-{}-{call}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&temporary).map_err(|e| Error::io("create", &temporary, e))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|e| Error::io("write", &temporary, e))?;
    std::fs::rename(&temporary, path).map_err(|e| Error::io("rename into place", path, e))?;
    sync_directory(path)
}

/// Makes a file with `bytes` durably, unless there is one: whoever came first stays. Says whether it was made.
pub fn create_file(path: &Path, bytes: &[u8]) -> Result<bool> {
    let temporary = path.with_extension(format!("new-{}", std::process::id()));
    replace_file(&temporary, bytes)?;
    let linked = std::fs::hard_link(&temporary, path);
    let _ = std::fs::remove_file(&temporary);
    match linked {
        Ok(()) => sync_directory(path).map(|()| true),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(e) => Err(Error::io("create", path, e)),
    }
}
