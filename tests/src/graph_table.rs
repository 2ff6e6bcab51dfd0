//! The graph as rows, read from the database without the library, for comparing two of them.

use rusqlite::{Connection, OpenFlags, Row};
use std::path::Path;
use std::time::Duration;

/// What two graphs of the same log must have in common: everything that no clock decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphTable {
    /// Nodes by id: id, type, name, description, status, strength, episodes.
    pub nodes: Vec<String>,
    /// Edges: from, type, to, strength.
    pub edges: Vec<String>,
    /// Episodes: session and goal.
    pub episodes: Vec<String>,
    /// Stretches of logs that were applied.
    pub ranges: Vec<String>,
}

const NODES: &str =
    "SELECT id, type, name, description, status, round(strength, 6), episode_count FROM nodes ORDER BY id";
const EDGES: &str = "SELECT from_node, type, to_node, round(strength, 6) FROM edges ORDER BY from_node, type, to_node";
const EPISODES: &str = "SELECT id, session_id, goal, outcome FROM episodes ORDER BY id";
const RANGES: &str =
    "SELECT session_id, from_offset, to_offset, episode_id FROM applied_ranges ORDER BY session_id, from_offset";

impl GraphTable {
    /// Reads the graph in a data folder; a missing database is an empty graph.
    ///
    /// # Panics
    /// If the database is damaged.
    pub fn read(data: &Path) -> GraphTable {
        let path = data.join("engram.db");
        if !path.exists() {
            return GraphTable::default();
        }
        let db = open(&path);
        let check: String = db.query_row("PRAGMA integrity_check", [], |r| r.get(0)).expect("a check");
        assert_eq!(check, "ok", "{}", path.display());
        GraphTable {
            nodes: rows(&db, NODES),
            edges: rows(&db, EDGES),
            episodes: rows(&db, EPISODES),
            ranges: rows(&db, RANGES),
        }
    }

    /// How many nodes there are of each type, in words.
    pub fn by_type(data: &Path) -> String {
        rows(&open(&data.join("engram.db")), "SELECT type, count(*) FROM nodes GROUP BY type ORDER BY type")
            .join(", ")
            .replace(" | ", " ")
    }

    /// Whether anything was learned.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The first line that differs from `other`, for a message.
    pub fn difference(&self, other: &GraphTable) -> Option<String> {
        let pairs = [
            (&self.nodes, &other.nodes),
            (&self.edges, &other.edges),
            (&self.episodes, &other.episodes),
            (&self.ranges, &other.ranges),
        ];
        pairs.iter().find_map(|(ours, theirs)| {
            let extra = ours.iter().find(|row| !theirs.contains(row)).map(|row| format!("only here: {row}"));
            let missing = theirs.iter().find(|row| !ours.contains(row)).map(|row| format!("missing here: {row}"));
            let order = || (ours != theirs).then(|| "the same rows, some of them more than once".to_owned());
            extra.or(missing).or_else(order)
        })
    }
}

fn open(path: &Path) -> Connection {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the database opens");
    db.busy_timeout(Duration::from_secs(10)).expect("a timeout");
    db
}

fn rows(db: &Connection, query: &str) -> Vec<String> {
    let mut statement = db.prepare(query).expect("the schema is known");
    let columns = statement.column_count();
    let found = statement.query_map([], |row| Ok(text(row, columns))).expect("rows");
    found.map(|row| row.expect("a row")).collect()
}

fn text(row: &Row<'_>, columns: usize) -> String {
    let cell = |i| row.get::<_, rusqlite::types::Value>(i).map(|v| plain(&v)).unwrap_or_default();
    (0..columns).map(cell).collect::<Vec<_>>().join(" | ")
}

fn plain(value: &rusqlite::types::Value) -> String {
    use rusqlite::types::Value;
    match value {
        Value::Null => "-".to_owned(),
        Value::Integer(n) => n.to_string(),
        Value::Real(n) => format!("{n:.6}"),
        Value::Text(t) => t.clone(),
        Value::Blob(b) => format!("{} bytes", b.len()),
    }
}
