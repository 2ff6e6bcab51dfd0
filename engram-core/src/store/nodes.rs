//! Nodes: reading them live, writing them.

use super::{Graph, storage};
use crate::error::Result;
use crate::graph::node::{MemoryKind, Node, NodeId, NodeType, Origin, Status, StrengthFactors, Trust};
use crate::graph::withheld::value_digest;
use crate::time::Timestamp;
use rusqlite::{OptionalExtension, Params, Row, params};
use std::collections::BTreeMap;

/// The integer that stands for a node inside one database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeKey(pub(super) i64);

/// A node and its key.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredNode {
    /// Its key.
    pub key: NodeKey,
    /// The node. `strength` is the stored value; `factors` hold what the present strength follows from.
    pub node: Node,
}

/// How many nodes there are, by type and by trust.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// All nodes.
    pub total: u64,
    /// By type.
    pub by_type: BTreeMap<String, u64>,
    /// By trust.
    pub by_trust: BTreeMap<String, u64>,
}

const COLUMNS: &str = "n.key, n.id, n.name, n.type, n.kind, n.description, n.strength, n.base_strength, n.episode_count,
    n.success_count, n.causal_importance, n.last_ordinal, n.status, n.superseded_by, n.trust, n.origin, n.claim, n.affected_files,
    n.source_episodes, n.session_id, n.valid_from, n.valid_to, n.recorded_at, n.retired_at, n.updated_at";

/// A node that may be told: the same predicate on every path that recalls.
pub(super) const LIVE: &str =
    "n.status = 'active' AND n.trust <> 'quarantined' AND n.valid_to IS NULL AND n.retired_at IS NULL";

impl Graph<'_> {
    fn read_node(&self, r: &Row<'_>) -> rusqlite::Result<StoredNode> {
        let word = |i: usize| r.get::<_, String>(i);
        let time = |i: usize| word(i).map(|t| t.parse::<Timestamp>().unwrap_or_default());
        let later = |i: usize| r.get::<_, Option<String>>(i).map(|t| t.and_then(|t| t.parse().ok()));
        let list = |i: usize| word(i).map(|t| serde_json::from_str(&t).unwrap_or_default());
        let idle = (self.now_ordinal - r.get::<_, i64>(11)?).max(0);
        let factors = StrengthFactors {
            base: r.get(7)?,
            episodes: r.get(8)?,
            successes: r.get(9)?,
            causal: r.get(10)?,
            idle_sessions: u32::try_from(idle).unwrap_or(u32::MAX),
        };
        let node = Node {
            id: NodeId::new(word(1)?),
            name: word(2)?,
            node_type: NodeType::from_word(&word(3)?).unwrap_or(NodeType::Finding),
            kind: r.get::<_, Option<String>>(4)?.and_then(|k| MemoryKind::from_word(&k)),
            description: word(5)?,
            strength: r.get(6)?,
            factors,
            status: Status::from_word(&word(12)?).unwrap_or(Status::Superseded),
            superseded_by: r.get::<_, Option<String>>(13)?.map(NodeId::new),
            // An unknown word is treated as the most careful value.
            trust: Trust::from_word(&word(14)?).unwrap_or(Trust::Quarantined),
            origin: Origin::from_word(&word(15)?).unwrap_or(Origin::Import),
            claim: r.get::<_, Option<String>>(16)?.and_then(|c| serde_json::from_str(&c).ok()),
            affected_files: list(17)?,
            source_episodes: list(18)?,
            session: word(19)?,
            valid_from: time(20)?,
            valid_to: later(21)?,
            recorded_at: time(22)?,
            retired_at: later(23)?,
            updated_at: time(24)?,
        };
        Ok(StoredNode { key: NodeKey(r.get(0)?), node })
    }

    fn select(&self, rest: &str, values: impl Params) -> Result<Vec<StoredNode>> {
        let sql = format!("SELECT {COLUMNS} FROM nodes n {rest}");
        let mut statement = self.conn.prepare_cached(&sql).map_err(storage("read nodes"))?;
        let rows = statement.query_map(values, |r| self.read_node(r)).map_err(storage("read nodes"))?;
        rows.collect::<std::result::Result<_, _>>().map_err(storage("read nodes"))
    }

    /// Live nodes by a join and a condition of this room, strongest first, then newest.
    pub(super) fn nodes_where(&self, condition: &str, values: impl Params, limit: usize) -> Result<Vec<StoredNode>> {
        self.select(
            &format!("{condition} AND {LIVE} ORDER BY n.strength DESC, n.recorded_at DESC, n.id LIMIT {limit}"),
            values,
        )
    }

    /// The nodes of these keys that are live, in the order of the keys.
    pub fn live_nodes(&self, keys: &[NodeKey]) -> Result<Vec<StoredNode>> {
        let sql = format!("SELECT {COLUMNS} FROM nodes n WHERE n.key = ?1 AND {LIVE}");
        let mut statement = self.conn.prepare_cached(&sql).map_err(storage("read nodes"))?;
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(
                statement.query_row([key.0], |r| self.read_node(r)).optional().map_err(storage("read a node"))?,
            );
        }
        Ok(found)
    }

    /// A node by its id, whatever its state.
    pub fn node(&self, id: &str) -> Result<Option<StoredNode>> {
        Ok(self.select("WHERE n.id = ?1", [id])?.pop())
    }

    /// Live nodes with this name, letter case aside.
    pub fn nodes_named(&self, name: &str, limit: usize) -> Result<Vec<StoredNode>> {
        self.nodes_where("WHERE n.name = ?1 COLLATE NOCASE", [name], limit)
    }

    /// Nodes of a type with this name, letter case aside, whatever their state: what a new node may be the same as.
    pub fn same_name(&self, node_type: NodeType, name: &str) -> Result<Vec<StoredNode>> {
        self.select(
            "WHERE n.name = ?1 COLLATE NOCASE AND n.type = ?2 ORDER BY n.id LIMIT 8",
            [name, node_type.as_str()],
        )
    }

    /// Nodes of a type whose claim has this subject, whatever their state.
    pub fn same_subject(&self, node_type: NodeType, subject: &str) -> Result<Vec<StoredNode>> {
        self.select("WHERE n.subject = ?1 AND n.type = ?2 ORDER BY n.id LIMIT 8", [subject, node_type.as_str()])
    }

    /// Live nodes of a kind, strongest first.
    pub fn nodes_of_kind(&self, kind: MemoryKind, limit: usize) -> Result<Vec<StoredNode>> {
        self.nodes_where("WHERE n.kind = ?1", [kind.as_str()], limit)
    }

    /// Live nodes that are about no file in particular, of a type, strongest first.
    pub fn nodes_without_files(&self, node_type: NodeType, limit: usize) -> Result<Vec<StoredNode>> {
        self.nodes_where("WHERE n.type = ?1 AND n.affected_files = '[]'", [node_type.as_str()], limit)
    }

    /// The live episode nodes, latest first.
    pub fn latest_episodes(&self, limit: usize) -> Result<Vec<StoredNode>> {
        self.select(
            &format!("WHERE n.type = 'episode' AND {LIVE} ORDER BY n.valid_from DESC, n.key DESC LIMIT {limit}"),
            [],
        )
    }

    /// Every node in the order of its id; for export and comparison.
    pub fn all_nodes(&self) -> Result<Vec<StoredNode>> {
        self.select("ORDER BY n.id", [])
    }

    /// Inserts a node.
    pub fn insert_node(&self, node: &Node, last_ordinal: i64) -> Result<NodeKey> {
        self.conn
            .prepare_cached(
                "INSERT INTO nodes (id, name, type, kind, description, strength, base_strength, episode_count, success_count,
                     causal_importance, last_ordinal, status, superseded_by, trust, origin, claim, subject, value_digest, affected_files,
                     source_episodes, session_id, valid_from, valid_to, recorded_at, retired_at, created_at, updated_at)
                 VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27)",
            )
            .and_then(|mut s| {
                s.insert(params![
                    node.id.as_str(),
                    node.name,
                    node.node_type.as_str(),
                    node.kind.map(MemoryKind::as_str),
                    node.description,
                    node.strength,
                    node.factors.base,
                    node.factors.episodes,
                    node.factors.successes,
                    node.factors.causal,
                    last_ordinal,
                    node.status.as_str(),
                    node.superseded_by.as_ref().map(NodeId::as_str),
                    node.trust.as_str(),
                    node.origin.as_str(),
                    claim_json(node)?,
                    subject(node),
                    value_digest(&node.description),
                    json(&node.affected_files)?,
                    json(&node.source_episodes)?,
                    node.session,
                    node.valid_from.to_string(),
                    node.valid_to.map(|t| t.to_string()),
                    node.recorded_at.to_string(),
                    node.retired_at.map(|t| t.to_string()),
                    node.recorded_at.to_string(),
                    node.updated_at.to_string(),
                ])
            })
            .map(NodeKey)
            .map_err(storage("store a node"))
    }

    /// Writes what a merge or a supersession changed: text, factors, trust, state, files, episodes, clocks.
    pub fn update_node(&self, stored: &StoredNode, last_ordinal: i64) -> Result<()> {
        let node = &stored.node;
        self.conn
            .prepare_cached(
                "UPDATE nodes SET description=?2, strength=?3, base_strength=?4, episode_count=?5, success_count=?6, causal_importance=?7,
                     last_ordinal=max(last_ordinal, ?8), status=?9, superseded_by=?10, trust=?11, claim=?12, subject=?13, value_digest=?14,
                     affected_files=?15, source_episodes=?16, session_id=?17, valid_to=?18, retired_at=?19, updated_at=?20, kind=?21
                 WHERE key = ?1",
            )
            .and_then(|mut s| {
                s.execute(params![
                    stored.key.0,
                    node.description,
                    node.strength,
                    node.factors.base,
                    node.factors.episodes,
                    node.factors.successes,
                    node.factors.causal,
                    last_ordinal,
                    node.status.as_str(),
                    node.superseded_by.as_ref().map(NodeId::as_str),
                    node.trust.as_str(),
                    claim_json(node)?,
                    subject(node),
                    value_digest(&node.description),
                    json(&node.affected_files)?,
                    json(&node.source_episodes)?,
                    node.session,
                    node.valid_to.map(|t| t.to_string()),
                    node.retired_at.map(|t| t.to_string()),
                    node.updated_at.to_string(),
                    node.kind.map(MemoryKind::as_str),
                ])
            })
            .map(drop)
            .map_err(storage("update a node"))
    }

    /// Notes why and from which episode a node was superseded.
    pub fn note_supersession(&self, node: NodeKey, reason: &str, episode: &str) -> Result<()> {
        self.conn
            .execute(
                "UPDATE nodes SET supersede_reason = ?2, supersede_episode = ?3 WHERE key = ?1",
                params![node.0, reason, episode],
            )
            .map(drop)
            .map_err(storage("note a supersession"))
    }

    /// Counts of nodes.
    pub fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        let mut statement = self
            .conn
            .prepare("SELECT type, trust, count(*) FROM nodes GROUP BY 1, 2")
            .map_err(storage("count nodes"))?;
        let rows =
            statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?))).map_err(storage("count nodes"))?;
        for row in rows {
            let (node_type, trust, n): (String, String, u64) = row.map_err(storage("count nodes"))?;
            counts.total += n;
            *counts.by_type.entry(node_type).or_default() += n;
            *counts.by_trust.entry(trust).or_default() += n;
        }
        Ok(counts)
    }
}

fn json(list: &[String]) -> rusqlite::Result<String> {
    serde_json::to_string(list).map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

fn claim_json(node: &Node) -> rusqlite::Result<Option<String>> {
    let text = node.claim.as_ref().map(serde_json::to_string).transpose();
    text.map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
}

fn subject(node: &Node) -> Option<&str> {
    match &node.claim {
        Some(claim) if !claim.subject.is_empty() => Some(&claim.subject),
        _ => None,
    }
}
