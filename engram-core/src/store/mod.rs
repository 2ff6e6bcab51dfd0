//! All SQL. One database file a project: graph, words, vectors, audit.
//!
//! Rooms above see [`Store`] (a file) and [`Graph`] (one transaction on it), and data types; no SQL and no rusqlite type
//! leaves this room, so that another implementation could stand here. Habits of D26: every write is `BEGIN IMMEDIATE`, a
//! recall is one read transaction, nothing slow happens inside a transaction.

mod audit;
mod edges;
mod episodes;
mod files;
mod forget;
mod fulltext;
mod migrate;
mod nodes;
mod vectors;

pub use audit::AuditRow;
pub use edges::{EdgeWrite, Neighbour};
pub use forget::Rewrite;
pub use fulltext::TextHit;
pub use nodes::{Counts, NodeKey, StoredNode};

use crate::error::{Error, ErrorKind, Result};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Whether a connection may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Looks up only; never creates, migrates or locks anyone out. Hooks use this.
    Read,
    /// Creates and migrates the file where needed.
    Write,
}

/// An open database.
#[derive(Debug)]
pub struct Store {
    conn: Connection,
    path: PathBuf,
    /// Device and inode of the file.
    identity: Option<(u64, u64)>,
}

/// What can be asked of the graph inside one transaction.
#[derive(Debug)]
pub struct Graph<'c> {
    conn: &'c Connection,
    /// The ordinal of the project's latest session, read once a transaction: recency counts from it.
    now_ordinal: i64,
}

/// Turns a database error into ours.
fn storage(doing: &'static str) -> impl FnOnce(rusqlite::Error) -> Error {
    move |e| {
        let busy = matches!(
            e.sqlite_error_code(),
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
        );
        let damaged = matches!(
            e.sqlite_error_code(),
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt)
        );
        let kind = match (busy, damaged) {
            (true, _) => ErrorKind::Busy,
            (_, true) => ErrorKind::Corrupt,
            _ => ErrorKind::Storage,
        };
        Error::new(kind, format!("cannot {doing}")).with_source(e)
    }
}

impl Store {
    /// Opens the database at `path`. `Read` gives `None` when there is no database yet, since nothing was learned then.
    ///
    /// # Errors
    /// `Storage` if the file cannot be opened or is no database; `Corrupt` if its schema is newer than this library.
    pub fn open(path: &Path, access: Access) -> Result<Option<Store>> {
        if access == Access::Read && !path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX
            | match access {
                Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
                Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            };
        let conn = Connection::open_with_flags(path, flags).map_err(storage("open the graph"))?;
        let identity = std::fs::metadata(path).ok().map(|m| identity(&m));
        let mut store = Store { conn, path: path.to_owned(), identity };
        let holds_something = match access {
            Access::Read => store.prepare_to_read()?,
            Access::Write => store.prepare_to_write().map(|()| true)?,
        };
        Ok(holds_something.then_some(store))
    }

    /// Opens the database for writing, creating it where needed.
    pub fn open_write(path: &Path) -> Result<Store> {
        Store::open(path, Access::Write)?.ok_or_else(|| Error::new(ErrorKind::Storage, "the graph was not created"))
    }

    fn prepare_to_read(&mut self) -> Result<bool> {
        self.conn.busy_timeout(Duration::from_millis(50)).map_err(storage("set the busy time-out"))?;
        rusqlite::vtab::array::load_module(&self.conn).map_err(storage("load the array module"))?;
        migrate::check(&self.conn, &self.path)
    }

    fn prepare_to_write(&mut self) -> Result<()> {
        self.conn.busy_timeout(Duration::from_secs(10)).map_err(storage("set the busy time-out"))?;
        // FULL: a consolidation that was acknowledged survives a power cut (D5).
        self.conn
            .execute_batch("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;")
            .map_err(storage("configure the graph"))?;
        rusqlite::vtab::array::load_module(&self.conn).map_err(storage("load the array module"))?;
        vectors::register(&self.conn)?;
        restrict(&self.path)?;
        migrate::run(&mut self.conn, &self.path)
    }

    /// Runs `body` in one read transaction: one snapshot, whatever others write meanwhile.
    pub fn read<T>(&mut self, body: impl FnOnce(&Graph<'_>) -> Result<T>) -> Result<T> {
        self.within(TransactionBehavior::Deferred, body)
    }

    /// Runs `body` in one write transaction; an error rolls back all of it.
    pub fn write<T>(&mut self, body: impl FnOnce(&Graph<'_>) -> Result<T>) -> Result<T> {
        self.within(TransactionBehavior::Immediate, body)
    }

    fn within<T>(&mut self, behavior: TransactionBehavior, body: impl FnOnce(&Graph<'_>) -> Result<T>) -> Result<T> {
        let tx = self.conn.transaction_with_behavior(behavior).map_err(storage("begin a transaction"))?;
        let now_ordinal = episodes::latest_ordinal(&tx)?;
        let value = body(&Graph { conn: &tx, now_ordinal })?;
        tx.commit().map_err(storage("commit"))?;
        Ok(value)
    }

    /// A number that changes when another connection has changed the database.
    pub fn version(&self) -> Result<i64> {
        self.conn.query_row("PRAGMA data_version", [], |r| r.get(0)).map_err(storage("read the data version"))
    }

    /// Whether SQLite finds the file undamaged. Reads all of it.
    pub fn is_sound(&self) -> bool {
        let verdict = self.conn.query_row("PRAGMA quick_check(1)", [], |r| r.get::<_, String>(0));
        verdict.is_ok_and(|v| v == "ok")
    }

    /// Whether the path still is the file that was opened: a damaged one may have been set aside since.
    pub fn is_current(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|m| Some(identity(&m)) == self.identity)
    }

    /// Size of the database file in bytes.
    pub fn bytes(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |m| m.len())
    }
}

#[cfg(unix)]
fn identity(file: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// Renames a damaged database and its companions out of the way; gives the new name.
pub(crate) fn set_aside(path: &Path, now: crate::time::Timestamp) -> Result<PathBuf> {
    let aside = |ending: &str| PathBuf::from(format!("{}.corrupt-{}{ending}", path.display(), now.as_millis()));
    for ending in ["-wal", "-shm", ""] {
        let from = PathBuf::from(format!("{}{ending}", path.display()));
        match std::fs::rename(&from, aside(ending)) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io("set aside", &from, e)),
            _ => {}
        }
    }
    Ok(aside(""))
}

/// The database and its companions are for the user alone (T-5). SQLite gives the companions the main file's mode.
fn restrict(path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_err(|e| Error::io("look at", path, e))?.permissions();
        if mode.mode() & 0o777 != 0o600 {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
                .map_err(|e| Error::io("restrict", path, e))?;
        }
    }
    Ok(())
}

impl Graph<'_> {
    /// The ordinal of the project's latest session; 0 before the first.
    pub fn latest_session(&self) -> i64 {
        self.now_ordinal
    }
}

#[cfg(test)]
mod tests;
