//! How often a language model has failed on a stretch: memory may be late, but it comes (D6).

use crate::capture::event::SessionId;
use crate::error::Result;
use crate::log;
use crate::project::{DataDir, own_file};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Failed starts after which a stretch is consolidated by rules.
const MOST: u32 = 3;

/// Failures in a row on the stretch of a session that begins at `from`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Count {
    from: u64,
    failures: u32,
}

/// The count of one stretch.
pub(super) struct Failures {
    path: PathBuf,
    count: Count,
}

impl Failures {
    /// Those on the stretch of `session` that begins at `from`.
    pub(super) fn of(data: &DataDir, session: &SessionId, from: u64) -> Failures {
        let path = data.state().join(format!("{}.failures.json", session.file_stem()));
        let stored = own_file::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Count>(&bytes).ok());
        let count = stored.filter(|c| c.from == from).unwrap_or(Count { from, failures: 0 });
        Failures { path, count }
    }

    /// Whether the model has had its chances.
    pub(super) fn are_enough(&self) -> bool {
        self.count.failures >= MOST
    }

    /// Counts one more.
    pub(super) fn add(&mut self) -> Result<()> {
        self.count.failures += 1;
        let bytes = serde_json::to_vec(&self.count).unwrap_or_default();
        log::replace_file(&self.path, &bytes)
    }

    /// Forgets them: the stretch is done.
    pub(super) fn clear(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
