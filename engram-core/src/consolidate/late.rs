//! Contradictions that show only later: against a decision that another session made meanwhile, or that a hook could not
//! look up. They wait for the session's next hook.

use crate::capture::event::{Event, EventBody, SessionId};
use crate::config::{Config, ContradictionMode};
use crate::contradict::pending::{self, PendingWarning};
use crate::contradict::{self, Change, VerdictKind};
use crate::error::Result;
use crate::log::Record;
use crate::project::DataDir;
use crate::store::Store;
use std::collections::BTreeSet;

/// Checks the writes of a stretch that was just consolidated, and queues what the session was not warned about.
///
/// A session that has ended, or was imported, has nobody left to warn. Decisions of the session itself are its own to
/// change: they were learned from it this moment.
pub(super) fn warn(
    store: &mut Store,
    data: &DataDir,
    config: &Config,
    session: &SessionId,
    records: &[Record],
) -> Result<()> {
    let ended = records
        .iter()
        .any(|r| matches!(r.event.body, EventBody::SessionEnd { .. }) || r.event.flags.iter().any(|f| f == "imported"));
    if ended || config.contradiction_mode == ContradictionMode::Off {
        return Ok(());
    }
    let told: BTreeSet<&str> = records.iter().flat_map(|r| told_ids(&r.event)).collect();
    let waiting = data.warnings_of(&session.file_stem());
    for write in records.iter().flat_map(|r| r.event.writes()) {
        let change = Change { path: &write.path, diff: &write.diff };
        let decisions = store.read(|graph| {
            let mut found = contradict::decisions_for(graph, &change, config.contradiction_strength_threshold)?;
            found.retain(|d| graph.node(&d.id).is_ok_and(|n| n.is_none_or(|n| n.node.session != session.as_str())));
            Ok(found)
        })?;
        let verdict = contradict::check(&change, &decisions);
        let fingerprint = contradict::fingerprint(&change, &verdict, &decisions);
        if verdict.verdict == VerdictKind::NoContradiction || told.contains(fingerprint.as_str()) {
            continue;
        }
        let text = contradict::render_warning(&verdict, &decisions);
        pending::append(&waiting, &PendingWarning { text, decisions: verdict.decisions, fingerprint })?;
    }
    Ok(())
}

fn told_ids(event: &Event) -> impl Iterator<Item = &str> {
    let ids = match &event.body {
        EventBody::Injected { ids, .. } => ids.as_slice(),
        _ => &[],
    };
    ids.iter().map(String::as_str)
}
