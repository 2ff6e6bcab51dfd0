//! Files that engram opens where somebody else may have put something: never through a link, never waiting for one.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, Read, Result};
use std::path::Path;

/// Opens a file of the data folder, made with mode 0600 where `options` create it. A link in the data folder could lead
/// anywhere (T-5), and a pipe would hold a hook. `options` must not truncate: what is opened is looked at afterwards.
///
/// # Errors
/// That of the system, or one that says so if it is no regular file, or one with a second name.
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> Result<File> {
    let file = guarded(options).open(path)?;
    if is_ours_alone(&file.metadata()?) {
        return Ok(file);
    }
    Err(Error::other("it is no regular file of its own name alone; remove it"))
}

/// The bytes of a file of the data folder.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(OpenOptions::new().read(true), path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file that may be anybody's, of at most `most` bytes; `None` if it is anything else.
pub(super) fn foreign_text(path: &Path, most: u64) -> Option<String> {
    let file = guarded(OpenOptions::new().read(true)).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    // Not its length as the system tells it: the file may grow meanwhile.
    let read = file.take(most + 1).read_to_string(&mut text).ok()?;
    (read as u64 <= most).then_some(text)
}

fn guarded(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    options
}

fn is_ours_alone(about: &Metadata) -> bool {
    #[cfg(unix)]
    let one_name = std::os::unix::fs::MetadataExt::nlink(about) <= 1;
    #[cfg(not(unix))]
    let one_name = true;
    about.is_file() && one_name
}
