//! Edges, and the walk over them.

use super::nodes::NodeKey;
use super::{Graph, storage};
use crate::error::Result;
use crate::graph::edge::EdgeType;
use crate::text;
use crate::time::Timestamp;
use rusqlite::params;
use rusqlite::types::Value;
use std::rc::Rc;

/// One step of a walk: from a node of the frontier to a live neighbour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// The node of the frontier.
    pub from: NodeKey,
    /// Its neighbour.
    pub to: NodeKey,
    /// The edge's type.
    pub edge_type: EdgeType,
    /// The edge's strength.
    pub strength: f64,
}

// CROSS JOIN keeps the frontier outermost, so that LIMIT cuts the weakest nodes' weakest edges.
const STEP_OUT: &str = "SELECT e.from_key, e.to_key, e.type, e.strength
    FROM rarray(?1) f CROSS JOIN edges e ON e.from_key = f.value AND e.strength >= ?2
    JOIN nodes n ON n.key = e.to_key
    WHERE n.status = 'active' AND n.trust <> 'quarantined' AND n.valid_to IS NULL AND n.retired_at IS NULL LIMIT ?3";
const STEP_IN: &str = "SELECT e.to_key, e.from_key, e.type, e.strength
    FROM rarray(?1) f CROSS JOIN edges e ON e.to_key = f.value AND e.strength >= ?2
    JOIN nodes n ON n.key = e.from_key
    WHERE n.status = 'active' AND n.trust <> 'quarantined' AND n.valid_to IS NULL AND n.retired_at IS NULL LIMIT ?3";

impl Graph<'_> {
    /// The live neighbours of `frontier` over edges of at least `min_strength`, in both directions, in the frontier's
    /// order; at most `limit` for each direction. One query a direction, whatever the frontier's size.
    pub fn neighbours(&self, frontier: &[NodeKey], min_strength: f64, limit: usize) -> Result<Vec<Neighbour>> {
        let keys: Rc<Vec<Value>> = Rc::new(frontier.iter().map(|k| Value::Integer(k.0)).collect());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut found = Vec::new();
        for sql in [STEP_OUT, STEP_IN] {
            let mut statement = self.conn.prepare_cached(sql).map_err(storage("walk the graph"))?;
            let rows = statement
                .query_map(params![keys, min_strength, limit], |r| {
                    // Borrowed: a walk reads thousands of these.
                    let edge_type = r.get_ref(2)?.as_str().ok().and_then(EdgeType::from_word);
                    let edge_type = edge_type.unwrap_or(EdgeType::SimilarTo);
                    Ok(Neighbour { from: NodeKey(r.get(0)?), to: NodeKey(r.get(1)?), edge_type, strength: r.get(3)? })
                })
                .map_err(storage("walk the graph"))?;
            for row in rows {
                found.push(row.map_err(storage("walk the graph"))?);
            }
        }
        Ok(found)
    }

    /// Adds an edge, or strengthens the one that is there (the larger strength stays) and notes the episode.
    /// Says whether the edge is new.
    pub fn upsert_edge(&self, edge: &EdgeWrite<'_>) -> Result<bool> {
        let EdgeWrite { from, to, edge_type, strength, episode, now } = *edge;
        let id = format!("e_{}", text::digest::<8>(format!("{}|{edge_type}|{}", from.1, to.1).as_bytes()));
        let sources = serde_json::json!([episode]).to_string();
        let existed = self
            .conn
            .prepare_cached("SELECT 1 FROM edges WHERE id = ?1")
            .and_then(|mut s| s.exists([&id]))
            .map_err(storage("look up an edge"))?;
        self.conn
            .prepare_cached(
                "INSERT INTO edges (id, from_node, to_node, type, strength, source_episodes, from_key, to_key, created_at, updated_at)
                 VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?9)
                 ON CONFLICT (from_node, to_node, type) DO UPDATE SET
                     strength = max(strength, excluded.strength),
                     source_episodes = CASE WHEN instr(source_episodes, ?10) THEN source_episodes
                                            ELSE json_insert(source_episodes, '$[#]', ?10) END,
                     updated_at = excluded.updated_at",
            )
            .and_then(|mut s| {
                let strength = strength.clamp(0.0, 1.0);
                s.execute(params![id, from.1, to.1, edge_type.as_str(), strength, sources, from.0.0, to.0.0, now.to_string(), episode])
            })
            .map_err(storage("write an edge"))?;
        Ok(!existed)
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> Result<u64> {
        self.conn.query_row("SELECT count(*) FROM edges", [], |r| r.get(0)).map_err(storage("count edges"))
    }

    /// Every edge as ids, type and strength, in a stable order; for export and comparison.
    pub fn all_edges(&self) -> Result<Vec<(String, String, String, f64)>> {
        let mut statement = self
            .conn
            .prepare("SELECT from_node, type, to_node, strength FROM edges ORDER BY from_node, type, to_node")
            .map_err(storage("list edges"))?;
        let rows = statement
            .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)))
            .map_err(storage("list edges"))?;
        rows.collect::<std::result::Result<_, _>>().map_err(storage("list edges"))
    }
}

/// What [`Graph::upsert_edge`] writes.
#[derive(Clone, Copy, Debug)]
pub struct EdgeWrite<'a> {
    /// Key and id of the start.
    pub from: (NodeKey, &'a str),
    /// Key and id of the end.
    pub to: (NodeKey, &'a str),
    /// Type.
    pub edge_type: EdgeType,
    /// 0 to 1.
    pub strength: f64,
    /// The episode that proposes it.
    pub episode: &'a str,
    /// When.
    pub now: Timestamp,
}
