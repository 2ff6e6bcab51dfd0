//! A session's log together with what its recent events add up to, kept current across processes.
//!
//! Hooks are one process a call: what [`Recent`] holds is kept in `state/{session}.json` with the log offset it covers, so
//! that a hook reads a kilobyte instead of the session. It is derived: what state lacks is caught up from the log, and a
//! missing or torn one is folded anew.

use super::reader::{Record, read_from, record_at};
use super::writer::EventFile;
use crate::capture::Recent;
use crate::capture::event::{Event, EventBody, SessionId};
use crate::config::Durability;
use crate::error::Result;
use crate::project::DataDir;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Longest wait of a hook for another hook of the same session (I6).
const LOCK_WAIT: Duration = Duration::from_millis(50);

/// Appends after which a handle that stays open saves the state; what others have to catch up with at most.
const SAVE_EVERY: usize = 64;

/// What stands in the state file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Folded {
    /// Log offset up to which events are folded in.
    offset: u64,
    /// Where the user's last words stand.
    #[serde(default)]
    prompt_at: Option<u64>,
    recent: Recent,
}

impl Folded {
    fn apply(&mut self, record: &Record) {
        if matches!(record.event.body, EventBody::Prompt { .. }) {
            self.prompt_at = Some(record.at);
        }
        self.recent.apply(&record.event);
    }
}

/// The log of one session, open for appending.
#[derive(Debug)]
pub struct SessionLog {
    file: EventFile,
    state_path: PathBuf,
    /// `None` until the first append reads it, under the lock.
    folded: Option<Folded>,
    /// Appends that the state file does not hold yet.
    unsaved: usize,
}

impl SessionLog {
    /// Opens a session's log. The data folder must exist.
    pub fn open(data: &DataDir, session: &SessionId, durability: Durability) -> Result<SessionLog> {
        let file = EventFile::of_session(&data.events(), session, durability)?;
        let state_path = data.state().join(format!("{}.json", session.file_stem()));
        Ok(SessionLog { file, state_path, folded: None, unsaved: 0 })
    }

    /// Appends the event that `make` builds from the state of the session, tagged with what it completes, durably.
    ///
    /// Other processes of the same session may append at the same time: state, tags and order are made under the file's
    /// lock. Where the lock is not to be had in 50 ms the event is written without tags and flagged `unlocked`.
    pub fn append(&mut self, make: impl FnOnce(&Recent) -> Event) -> Result<Event> {
        let event = self.write(make)?;
        self.file.sync()?;
        Ok(event)
    }

    /// [`SessionLog::append`] without waiting for the disk: for records whose loss costs nothing but themselves.
    pub fn note(&mut self, make: impl FnOnce(&Recent) -> Event) -> Result<Event> {
        self.write(make)
    }

    fn write(&mut self, make: impl FnOnce(&Recent) -> Event) -> Result<Event> {
        let Ok(_lock) = self.file.lock(LOCK_WAIT) else {
            let mut event = make(&Recent::default());
            event.flag("unlocked");
            self.file.append(&event)?;
            return Ok(event);
        };
        let mut folded = self.caught_up()?;
        let mut event = make(&folded.recent);
        folded.recent.stamp(&mut event);
        let written = self.file.append(&event)?;
        // A writer that did not get the lock may have appended in between: then the next catch-up reads both in order.
        if self.file.len()? == folded.offset + written {
            // The frame begins with a newline.
            let record = Record { at: folded.offset + 1, event };
            folded.offset += written;
            folded.apply(&record);
            event = record.event;
        }
        self.folded = Some(folded);
        self.unsaved += 1;
        if self.unsaved >= SAVE_EVERY {
            self.save();
        }
        Ok(event)
    }

    /// Whether the log was deleted since it was opened.
    pub fn is_gone(&self) -> bool {
        self.file.is_gone()
    }

    /// What the session's events add up to, as of the last append or look.
    pub fn recent(&self) -> Recent {
        self.folded.as_ref().map(|f| f.recent.clone()).unwrap_or_default()
    }

    /// What the session's events add up to now. Call it outside an append for a look without writing.
    pub fn look(&mut self) -> Result<&Recent> {
        let folded = match self.file.lock(LOCK_WAIT) {
            Ok(_lock) => self.caught_up()?,
            Err(_) => self.folded.take().unwrap_or_default(),
        };
        Ok(&self.folded.insert(folded).recent)
    }

    /// The events from the user's last words on.
    pub fn since_prompt(&mut self) -> Result<Vec<Record>> {
        self.look()?;
        let from = self.folded.as_ref().and_then(|f| f.prompt_at).unwrap_or(0);
        Ok(read_from(self.file.path(), from)?.records)
    }

    /// The state with everything folded in that any process appended.
    fn caught_up(&mut self) -> Result<Folded> {
        let mut folded = self.folded.take().or_else(|| self.stored()).unwrap_or_default();
        let length = self.file.len()?;
        if length < folded.offset {
            folded = Folded::default();
        }
        if length > folded.offset {
            read_from(self.file.path(), folded.offset)?.records.iter().for_each(|record| folded.apply(record));
            // A torn tail counts as folded: the next record begins with a newline of its own.
            folded.offset = length;
        }
        Ok(folded)
    }

    fn stored(&self) -> Option<Folded> {
        let mut folded: Folded = serde_json::from_slice(&std::fs::read(&self.state_path).ok()?).ok()?;
        let said = folded.prompt_at.and_then(|at| record_at(self.file.path(), at));
        if let Some(Event { body: EventBody::Prompt { text }, .. }) = said {
            folded.recent.recall_prompt(&text);
        }
        Some(folded)
    }

    /// Writes the state file in place. A torn one does not parse and is folded anew, so no rename is needed; a failure
    /// costs the next process a longer catch-up and nothing else.
    fn save(&mut self) {
        self.unsaved = 0;
        let Some(bytes) = self.folded.as_ref().and_then(|f| serde_json::to_vec(f).ok()) else { return };
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        }
        if let Ok(mut file) = options.open(&self.state_path) {
            let _ = file.write_all(&bytes);
        }
    }
}

impl Drop for SessionLog {
    /// A hook saves here, once; a handle that lives longer saved now and then before.
    fn drop(&mut self) {
        if self.unsaved > 0
            && let Ok(_lock) = self.file.lock(LOCK_WAIT)
        {
            self.save();
        }
    }
}
