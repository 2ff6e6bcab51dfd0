//! The vectors of the graph, in sqlite-vec's vec0 table (D18).

use super::{Graph, storage};
use crate::error::{Error, ErrorKind, Result};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

/// Makes sqlite-vec known to this connection, and to no other of the host's process.
#[allow(unsafe_code, reason = "the one place that hands C code a connection; style.md section 7")]
pub(super) fn register(conn: &Connection) -> Result<()> {
    type Entry = unsafe extern "C" fn(
        *mut rusqlite::ffi::sqlite3,
        *mut *mut std::ffi::c_char,
        *const rusqlite::ffi::sqlite3_api_routines,
    ) -> std::ffi::c_int;
    // SAFETY: sqlite3_vec_init is SQLite's extension entry point, which the crate declares without its arguments; it is
    // compiled with SQLITE_CORE, so it takes its routines from the linked SQLite and ignores the third argument. The
    // handle is open for the duration of the call.
    let code = unsafe {
        let entry = std::mem::transmute::<*const (), Entry>(sqlite_vec::sqlite3_vec_init as *const ());
        entry(conn.handle(), std::ptr::null_mut(), std::ptr::null())
    };
    if code == rusqlite::ffi::SQLITE_OK {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Storage, format!("sqlite-vec refused to start (code {code})")))
}

fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// NaN, infinities and the zero vector have no direction: vec0 would store them and answer NULL.
fn has_direction(vector: &[f32]) -> bool {
    vector.iter().all(|v| v.is_finite()) && vector.iter().any(|v| *v != 0.0)
}

impl Graph<'_> {
    /// Makes `model` the one whose vectors are kept. Vectors of another model or dimension are dropped, to be embedded
    /// again. Says whether that happened.
    pub fn use_embedder(&self, model: &str, dimensions: usize, now: Timestamp) -> Result<bool> {
        let active: Option<(String, usize)> = self
            .conn
            .query_row("SELECT model, dimensions FROM embedding_spaces WHERE active", [], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })
            .optional()
            .map_err(storage("read the embedding model"))?;
        if active.as_ref().is_some_and(|(m, d)| m == model && *d == dimensions) {
            return Ok(false);
        }
        let create = format!(
            "DROP TABLE IF EXISTS node_embeddings;
             CREATE VIRTUAL TABLE node_embeddings USING vec0 (
                 node_id TEXT PRIMARY KEY, embedding FLOAT[{dimensions}] distance_metric=cosine, chunk_size=128);
             UPDATE embedding_spaces SET active = 0;"
        );
        self.conn.execute_batch(&create).map_err(storage("make the vector table"))?;
        self.conn
            .execute(
                "INSERT INTO embedding_spaces (model, dimensions, active, created_at) VALUES (?1, ?2, 1, ?3)
                 ON CONFLICT (model) DO UPDATE SET active = 1, dimensions = excluded.dimensions",
                params![model, dimensions, now.to_string()],
            )
            .map_err(storage("note the embedding model"))?;
        Ok(active.is_some())
    }

    /// Stores a node's vector. One without a direction is not stored.
    pub fn put_vector(&self, node: &str, vector: &[f32]) -> Result<()> {
        if !has_direction(vector) {
            return Ok(());
        }
        let blob = bytes(vector);
        let changed = self
            .conn
            .prepare_cached("UPDATE node_embeddings SET embedding = ?2 WHERE node_id = ?1")
            .and_then(|mut s| s.execute(params![node, blob]))
            .map_err(storage("store a vector"))?;
        if changed == 0 {
            // vec0 knows no upsert.
            self.conn
                .prepare_cached("INSERT INTO node_embeddings (node_id, embedding) VALUES (?1, ?2)")
                .and_then(|mut s| s.execute(params![node, blob]))
                .map_err(storage("store a vector"))?;
        }
        Ok(())
    }

    /// A node's vector.
    pub fn vector(&self, node: &str) -> Result<Option<Vec<f32>>> {
        self.conn
            .prepare_cached("SELECT embedding FROM node_embeddings WHERE node_id = ?1")
            .and_then(|mut s| s.query_row([node], |r| r.get::<_, Vec<u8>>(0)).optional())
            .map(|found| found.map(|b| floats(&b)))
            .map_err(storage("read a vector"))
    }

    /// The ids of the `k` nodes nearest to `vector`, nearest first. Exact: costs one pass over all vectors.
    pub fn nearest(&self, vector: &[f32], k: usize) -> Result<Vec<String>> {
        if !has_direction(vector) {
            return Ok(Vec::new());
        }
        let mut statement = self
            .conn
            .prepare_cached("SELECT node_id FROM node_embeddings WHERE embedding MATCH ?1 AND k = ?2 ORDER BY distance")
            .map_err(storage("search the vectors"))?;
        let rows =
            statement.query_map(params![bytes(vector), k], |r| r.get(0)).map_err(storage("search the vectors"))?;
        rows.collect::<std::result::Result<_, _>>().map_err(storage("search the vectors"))
    }
}
