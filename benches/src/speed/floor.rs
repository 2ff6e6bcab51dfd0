//! What the machine can do at best: a line written, a line made durable, a look-up, a bare walk.

use crate::records::Outcome;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::rc::Rc;

/// Appends lines of one size to a file.
#[derive(Debug)]
pub(super) struct Lines {
    file: File,
    line: Vec<u8>,
}

impl Lines {
    pub(super) fn new(path: &Path, size: usize) -> Outcome<Lines> {
        let mut line = vec![b'x'; size.max(1)];
        line[size.max(1) - 1] = b'\n';
        Ok(Lines { file: OpenOptions::new().append(true).create(true).open(path)?, line })
    }

    pub(super) fn write(&mut self) -> Outcome<()> {
        Ok(self.file.write_all(&self.line)?)
    }

    pub(super) fn write_durably(&mut self) -> Outcome<()> {
        self.write()?;
        Ok(self.file.sync_data()?)
    }
}

/// The database of a corpus, without engram around it.
#[derive(Debug)]
pub(super) struct Bare(Connection);

const STEP: &str = "SELECT f.value, e.to_key, e.strength FROM rarray(?1) f CROSS JOIN edges e ON e.from_key = f.value
    UNION ALL SELECT f.value, e.from_key, e.strength FROM rarray(?1) f CROSS JOIN edges e ON e.to_key = f.value";
const OF_FILE: &str =
    "SELECT n.id, n.name, n.description, n.strength FROM nodes n JOIN node_files f ON f.node_key = n.key
    WHERE f.path = ?1";

impl Bare {
    pub(super) fn open(path: &Path) -> Outcome<Bare> {
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        rusqlite::vtab::array::load_module(&conn)?;
        Ok(Bare(conn))
    }

    /// The key of a node.
    pub(super) fn key(&self, id: &str) -> Outcome<i64> {
        Ok(self.0.prepare_cached("SELECT key FROM nodes WHERE id = ?1")?.query_row([id], |r| r.get(0))?)
    }

    /// Reads the notes of a file.
    pub(super) fn notes_of(&self, path: &str) -> Outcome<usize> {
        let mut statement = self.0.prepare_cached(OF_FILE)?;
        let mut rows = statement.query([path])?;
        let mut bytes = 0;
        while let Some(row) = rows.next()? {
            bytes += row.get_ref(2)?.as_str()?.len();
        }
        Ok(bytes)
    }

    /// Spreads from `entries` by the plain rule (0.6 a hop, down to 0.1, the best way counts), one query a hop; says how
    /// many nodes it reached.
    pub(super) fn spread(&self, entries: &[(i64, f64)]) -> Outcome<usize> {
        let mut reached: BTreeMap<i64, f64> = entries.iter().copied().collect();
        let mut frontier: Vec<i64> = reached.keys().copied().collect();
        let mut statement = self.0.prepare_cached(STEP)?;
        while !frontier.is_empty() {
            let keys = Rc::new(frontier.iter().map(|k| Value::Integer(*k)).collect::<Vec<_>>());
            let mut rows = statement.query(params![keys])?;
            let mut next = Vec::new();
            while let Some(row) = rows.next()? {
                let (from, to, strength): (i64, i64, f64) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let level = reached.get(&from).copied().unwrap_or_default() * 0.6 * strength;
                if level >= 0.1 && reached.get(&to).is_none_or(|known| level > *known) {
                    reached.insert(to, level);
                    next.push(to);
                }
            }
            next.sort_unstable();
            next.dedup();
            frontier = next;
        }
        Ok(reached.len())
    }
}
