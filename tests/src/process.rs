//! Which processes of a place are alive.

use std::path::Path;
use std::time::{Duration, Instant};

/// The processes whose command line names `folder`: detached ones carry engram's home in theirs.
pub fn alive(folder: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    let ids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
    ids.filter(|id| *id != std::process::id() && names(*id, folder)).collect()
}

fn names(id: u32, folder: &Path) -> bool {
    let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let needle = folder.as_os_str().as_encoded_bytes();
    line.windows(needle.len()).any(|part| part == needle)
}

/// Whether processes can be looked at here.
pub fn can_look() -> bool {
    Path::new("/proc/self/cmdline").exists()
}

/// Waits until none of `folder` is alive; says whether that came within `limit`.
pub fn all_gone(folder: &Path, limit: Duration) -> bool {
    let until = Instant::now() + limit;
    while !alive(folder).is_empty() {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}
