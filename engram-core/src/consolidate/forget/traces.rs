//! The traces of what was forgotten, in every file of the data folder but the event logs.

use super::strip::{Effect, Texts, strip};
use crate::capture::event::SessionId;
use crate::consolidate::Consolidator;
use crate::contradict::pending;
use crate::error::{Error, Result};
use crate::graph::change::NewNode;
use crate::graph::withheld::{MARK, Withheld};
use crate::log::{self, EpisodeFile, MemoryLog, UserEntry, UserLog};
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Beginnings of the names of old copies of the database, beside it: it is derived, and so are they.
const COPIES: &[&str] = &["engram.db.corrupt-", "engram.db.v"];

impl Consolidator {
    /// Removes the traces of everything that was ever forgotten. A file that cannot be cleaned keeps no other from it.
    ///
    /// # Errors
    /// The first one, of the file that it names.
    pub(super) fn remove_traces(&self) -> Result<()> {
        let said = UserLog::read(&self.data.user_log())?;
        let withheld: Withheld = said.iter().flat_map(|(_, _, entry)| entry.phrases()).collect();
        let ids: Vec<&str> = said.iter().flat_map(|(_, _, entry)| forgotten_ids(entry)).collect();
        let mut done = log::sweep(&self.data.episodes()).and(log::sweep(&self.data.state()));
        for session in log::sessions(&self.data)? {
            done = done.and(self.strip_file(&session, &withheld).map(drop));
        }
        let hidden = |line: &str| traces_in(line, &withheld, &ids);
        done.and(UserLog::rewrite(&self.data.user_log(), &|at, line| reworded(at, line, &said, &withheld)))
            .and(MemoryLog::at(self.data.memory_log()).mask(&hidden))
            .and(self.clean_state(&withheld, &ids))
            .and(self.remove_copies())
    }

    /// Takes what is withheld out of a session's episode file; gives what is left of it.
    pub(in super::super) fn strip_file(&self, session: &SessionId, withheld: &Withheld) -> Result<EpisodeFile> {
        let mut file = EpisodeFile::read(&self.data.episodes(), session)?;
        let mut changed = false;
        for episode in file.covered.iter_mut().filter_map(|c| c.episode.as_mut()) {
            changed |= strip(episode, withheld);
        }
        if changed {
            file.write(&self.data.episodes(), session)?;
        }
        Ok(file)
    }

    /// What is folded of a session is folded anew from its log; a warning that waits and quotes is not given.
    fn clean_state(&self, withheld: &Withheld, ids: &[&str]) -> Result<()> {
        let told = |w: &pending::PendingWarning| {
            withheld.hides(&w.text) || w.decisions.iter().any(|d| ids.contains(&d.as_str()))
        };
        for path in files_of(&self.data.state())? {
            if path.to_string_lossy().ends_with(".warnings.jsonl") {
                pending::drop_where(&path, &told)?;
            } else if std::fs::read(&path).is_ok_and(|bytes| quotes(&bytes, withheld)) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    fn remove_copies(&self) -> Result<()> {
        let is_copy = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            COPIES.iter().any(|beginning| name.starts_with(beginning))
        };
        files_of(self.data.path())?.iter().filter(|path| is_copy(path)).try_for_each(|path| remove(path))
    }
}

fn forgotten_ids(entry: &UserEntry) -> impl Iterator<Item = &str> {
    let ids = match entry {
        UserEntry::Forget { nodes, .. } => nodes.as_slice(),
        UserEntry::Remember { .. } => &[],
    };
    ids.iter().map(String::as_str)
}

/// What a line of `memory.log` must not show: what is withheld, and the name of what is gone.
fn traces_in(line: &str, withheld: &Withheld, ids: &[&str]) -> Vec<Range<usize>> {
    let mut found = withheld.places(line);
    let mut words = line.split(' ');
    if words.any(|word| ids.contains(&word))
        && let (Some(from), Some(to)) = (line.find('"'), line.rfind('"'))
        && from < to
    {
        found.push(from + 1..to);
    }
    found
}

/// What the line at a place of the user's log becomes. What the user says after having it forgotten is meant.
fn reworded(at: u64, line: &str, said: &[(u64, u64, UserEntry)], all: &Withheld) -> Option<String> {
    let Some((_, _, entry)) = said.iter().find(|(from, ..)| *from == at) else {
        return all.hides(line).then(String::new);
    };
    let UserEntry::Remember { ts, node } = entry else { return None };
    let later = said.iter().filter(|(from, ..)| *from > at).flat_map(|(_, _, entry)| entry.phrases());
    let mut node = node.clone();
    match Texts::of_proposal(&mut node).strip(&later.collect()) {
        Effect::None => None,
        Effect::Gone => Some(String::new()),
        Effect::Shorter => {
            let json = |node| serde_json::to_string(&UserEntry::Remember { ts: *ts, node }).unwrap_or_default();
            let bare = |text: &str| text.replace(MARK, "").trim().to_owned();
            let (name, description) = (bare(&node.name), bare(&node.description));
            let bare = NewNode { name, description, ..NewNode::clone(&node) };
            // The line keeps its place, so what is left must fit.
            let fitting = [json(node), json(Box::new(bare))].into_iter().find(|json| json.len() <= line.len());
            fitting.or(Some(String::new()))
        }
    }
}

/// Whether any text of a JSON file is withheld; one that cannot be read is taken for it.
fn quotes(bytes: &[u8], withheld: &Withheld) -> bool {
    fn any(value: &Value, withheld: &Withheld) -> bool {
        match value {
            Value::String(text) => withheld.hides(text),
            Value::Array(list) => list.iter().any(|v| any(v, withheld)),
            Value::Object(map) => map.values().any(|v| any(v, withheld)),
            _ => false,
        }
    }
    serde_json::from_slice(bytes).map_or(true, |value| any(&value, withheld))
}

fn files_of(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(dir).map_err(|e| Error::io("list", dir, e))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect())
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", path, e)),
        _ => Ok(()),
    }
}
