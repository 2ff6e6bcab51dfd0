//! The schema's versions. Each step is one transaction; `PRAGMA user_version` says which were taken.

use super::storage;
use crate::error::{Error, ErrorKind, Result};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// Step `i` leads from version `i` to version `i + 1`.
const STEPS: &[&str] = &[include_str!("schema.sql")];

fn current() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

fn version(conn: &Connection) -> Result<i64> {
    conn.query_row("PRAGMA user_version", [], |r| r.get(0)).map_err(storage("read the schema version of the graph"))
}

fn refuse_newer(found: i64, path: &Path) -> Result<()> {
    if found <= current() {
        return Ok(());
    }
    let detail = format!(
        "cannot open graph \"{}\": schema {found} is newer than this library ({}); update engram",
        path.display(),
        current()
    );
    Err(Error::new(ErrorKind::Storage, detail))
}

/// A reader accepts exactly the current schema: an older one waits for the next writer, a newer one for an update. Gives
/// `false` for a database that is being made just now and holds nothing yet.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<bool> {
    let found = version(conn)?;
    refuse_newer(found, path)?;
    if found == current() || found == 0 {
        return Ok(found != 0);
    }
    let detail =
        format!("graph \"{}\" has schema {found}, not {}; run `engram consolidate` once", path.display(), current());
    Err(Error::new(ErrorKind::Busy, detail))
}

/// Brings the schema up to date. An existing database is copied beside itself before its first step.
pub(super) fn run(conn: &mut Connection, path: &Path) -> Result<()> {
    let found = version(conn)?;
    refuse_newer(found, path)?;
    if found == current() {
        return Ok(());
    }
    if found == 0 {
        // Set once, at creation: the mode stays in the file.
        conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(storage("switch the graph to WAL"))?;
    } else {
        back_up(conn, path, found)?;
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(storage("begin a migration"))?;
    // Another process may have migrated while this one waited for the lock.
    let found = version(&tx)?;
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        tx.execute_batch(step).map_err(storage("migrate the graph"))?;
    }
    tx.pragma_update(None, "user_version", current()).map_err(storage("note the schema version"))?;
    tx.commit().map_err(storage("commit a migration"))
}

fn back_up(conn: &Connection, path: &Path, version: i64) -> Result<()> {
    let copy = path.with_extension(format!("db.v{version}"));
    if copy.exists() {
        return Ok(());
    }
    conn.execute("VACUUM INTO ?1", [copy.to_string_lossy()])
        .map(drop)
        .map_err(storage("back up the graph before a migration"))
}
