//! Reading a session's log with eyes of our own: lines, not the library's reader.

use serde_json::Value;
use std::path::Path;

/// The lines of a log.
#[derive(Debug, Default)]
pub struct EventLog {
    /// Those that are JSON objects, in order.
    pub events: Vec<Value>,
    /// Those that are not, blank ones aside.
    pub broken: Vec<String>,
}

impl EventLog {
    /// Reads a log; one that does not exist is empty.
    pub fn read(path: &Path) -> EventLog {
        let bytes = std::fs::read(path).unwrap_or_default();
        let mut log = EventLog::default();
        for line in bytes.split(|b| *b == b'\n').filter(|l| !l.iter().all(u8::is_ascii_whitespace)) {
            match serde_json::from_slice(line) {
                Ok(event @ Value::Object(_)) => log.events.push(event),
                _ => log.broken.push(String::from_utf8_lossy(line).into_owned()),
            }
        }
        log
    }

    /// How many events came from the tool call of that id.
    pub fn count(&self, tool_use_id: &str) -> usize {
        self.events.iter().filter(|e| e["toolUseId"] == tool_use_id).count()
    }

    /// The events of one type, in order.
    pub fn of_type(&self, event_type: &str) -> Vec<&Value> {
        self.events.iter().filter(|e| e["type"] == event_type).collect()
    }

    /// The types of all events, in order.
    pub fn types(&self) -> Vec<&str> {
        self.events.iter().filter_map(|e| e["type"].as_str()).collect()
    }
}
