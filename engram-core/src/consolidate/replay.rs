//! What the files hold and the database lacks, applied in the order in which it was learned: after a crash, after
//! `remember` while another process consolidated, and for a whole project when its database is made anew.

use super::apply::{Applied, Identity, Source};
use super::{ConsolidateReport, Consolidator, notes};
use crate::capture::event::SessionId;
use crate::error::Result;
use crate::graph::change::{GraphChange, NewNode};
use crate::graph::episode::LogRange;
use crate::graph::withheld::Withheld;
use crate::log::{Covered, UserEntry, UserLog};
use crate::store::Store;
use crate::time::Timestamp;

/// The name under which entries of `user.jsonl` are applied.
pub(super) const USER_LOG: &str = "user.jsonl";

/// Something learned that may not be applied yet.
enum Learned {
    Session(SessionId, Box<Covered>),
    Said(LogRange, UserEntry),
}

impl Learned {
    /// When it was learned, and what orders what was learned in the same moment.
    fn order(&self) -> (Timestamp, &str, u64) {
        match self {
            Learned::Session(session, covered) => (covered.consolidated_at, session.as_str(), covered.range.from),
            Learned::Said(range, entry) => (entry.time(), USER_LOG, range.from),
        }
    }
}

impl Consolidator {
    /// Applies what these sessions' episode files and the user's log hold beyond the database. An episode file that cannot
    /// be read is reported and keeps nothing else from being applied. Nothing that is withheld is applied, or left in the
    /// files.
    pub(super) fn replay(
        &self,
        store: &mut Store,
        sessions: &[SessionId],
        withheld: &Withheld,
        report: &mut ConsolidateReport,
    ) -> Result<()> {
        let said = self.said(store)?.into_iter();
        let mut learned: Vec<Learned> = said.map(|(range, entry)| Learned::Said(range, entry)).collect();
        for session in sessions {
            // One that cannot be read is reported when its session is consolidated.
            if let Ok(file) = self.strip_file(session, withheld) {
                learned.extend(file.covered.into_iter().map(|c| Learned::Session(session.clone(), Box::new(c))));
            }
        }
        learned.sort_by(|a, b| a.order().cmp(&b.order()));
        for one in &learned {
            report.add(&match one {
                Learned::Session(session, covered) => self.apply_covered(store, session, covered)?,
                Learned::Said(range, entry) => self.apply_said(store, *range, entry)?,
            });
        }
        Ok(())
    }

    /// What the user said, where the database lacks any of it.
    pub(super) fn said(&self, store: &mut Store) -> Result<Vec<(LogRange, UserEntry)>> {
        let path = self.data.user_log();
        let length = std::fs::metadata(&path).map_or(0, |m| m.len());
        if length == 0 || store.read(|g| g.applied_to(USER_LOG))? >= Some(length) {
            return Ok(Vec::new());
        }
        let entries = UserLog::read(&path)?;
        Ok(entries.into_iter().map(|(from, to, entry)| (LogRange { from, to }, entry)).collect())
    }

    /// Applies one covered stretch, unless it is applied.
    pub(super) fn apply_covered(&self, store: &mut Store, session: &SessionId, covered: &Covered) -> Result<Applied> {
        let nothing = GraphChange::default();
        let episode = covered.episode.as_ref();
        let notes = episode.is_some_and(|e| e.extractor == notes::EXTRACTOR);
        self.apply(
            store,
            &Source {
                session: session.as_str(),
                range: covered.range,
                episode,
                change: episode.map_or(&nothing, |e| &e.change),
                identity: if notes { Identity::ByKey } else { Identity::Resolved },
                actor: if notes { "import" } else { "consolidate" },
                now: episode.map_or(covered.consolidated_at, |e| e.ended_at),
                applied_at: self.clock.now(),
                project: self.data.name(),
            },
        )
    }

    /// Applies one thing that the user said, unless it is applied.
    pub(super) fn apply_said(&self, store: &mut Store, range: LogRange, entry: &UserEntry) -> Result<Applied> {
        let UserEntry::Remember { ts, node } = entry else { return self.apply_forget(store, range, entry) };
        let change = GraphChange { nodes: vec![NewNode::clone(node)], edges: Vec::new() };
        self.apply(
            store,
            &Source {
                session: USER_LOG,
                range,
                episode: None,
                change: &change,
                identity: Identity::Resolved,
                actor: "user",
                now: *ts,
                applied_at: self.clock.now(),
                project: self.data.name(),
            },
        )
    }
}
