//! The append-only event log: one file a session, one line an event, never rewritten.
//!
//! The log and the episode files beside it are the truth; everything in `state/` and the database follows from them.

mod episode_file;
mod memory_log;
mod pending;
mod reader;
mod session_log;
mod user_log;
mod writer;

pub use episode_file::{Covered, EpisodeFile};
pub use memory_log::MemoryLog;
pub use pending::{PendingRange, first_time, length, pending, session_path, sessions};
pub use reader::{Damage, Reading, Record, read_from};
pub use session_log::SessionLog;
pub use user_log::{Standing, UserEntry, UserLog};
pub use writer::{EventFile, Lock, MAX_LINE, create_file, frame, replace_file, sweep};
