-- The complete schema, version 1. One file holds graph, words, vectors and audit (specification, "Knowledge Graph").
-- Text ids are for people and other programs; `key` is what joins and walks use (0001-keys-beside-ids.md).

CREATE TABLE nodes (
    key                INTEGER PRIMARY KEY,
    -- Narrow columns first: a walk reads these and stops before the text.
    status             TEXT NOT NULL CHECK (status IN ('active', 'superseded')),
    trust              TEXT NOT NULL CHECK (trust IN ('user', 'observed', 'inferred', 'quarantined')),
    type               TEXT NOT NULL CHECK (type IN ('concept', 'episode', 'decision', 'finding', 'error')),
    strength           REAL NOT NULL CHECK (strength BETWEEN 0 AND 1),
    base_strength      REAL NOT NULL,
    episode_count      INTEGER NOT NULL,
    success_count      INTEGER NOT NULL,
    causal_importance  REAL NOT NULL,
    last_ordinal       INTEGER NOT NULL,
    valid_to           TEXT,
    retired_at         TEXT,
    id                 TEXT NOT NULL UNIQUE,
    name               TEXT NOT NULL,
    kind               TEXT,
    description        TEXT NOT NULL,
    claim              TEXT,
    subject            TEXT,
    value_digest       TEXT,
    origin             TEXT NOT NULL CHECK (origin IN ('user', 'agent', 'tool', 'import', 'git')),
    superseded_by      TEXT REFERENCES nodes (id),
    supersede_reason   TEXT,
    supersede_episode  TEXT,
    affected_files     TEXT NOT NULL DEFAULT '[]',
    source_episodes    TEXT NOT NULL DEFAULT '[]',
    tags               TEXT NOT NULL DEFAULT '{}',
    session_id         TEXT NOT NULL DEFAULT '',
    valid_from         TEXT NOT NULL,
    recorded_at        TEXT NOT NULL,
    created_at         TEXT NOT NULL,
    updated_at         TEXT NOT NULL
) STRICT;
CREATE INDEX nodes_type ON nodes (type);
CREATE INDEX nodes_strength ON nodes (strength);
CREATE INDEX nodes_affected_files ON nodes (affected_files) WHERE affected_files <> '[]';
CREATE INDEX nodes_name ON nodes (name COLLATE NOCASE);
-- What a session start and a write ask for, in the order in which they want it.
CREATE INDEX nodes_kind ON nodes (kind, strength DESC, id) WHERE kind IS NOT NULL;
CREATE INDEX nodes_of_no_file ON nodes (type, strength DESC, id) WHERE affected_files = '[]';
CREATE INDEX nodes_latest ON nodes (type, valid_from DESC, key DESC);
CREATE INDEX nodes_subject ON nodes (subject) WHERE subject IS NOT NULL;

CREATE TABLE edges (
    id              TEXT PRIMARY KEY,
    from_node       TEXT NOT NULL REFERENCES nodes (id),
    to_node         TEXT NOT NULL REFERENCES nodes (id),
    type            TEXT NOT NULL CHECK (type IN ('requires', 'interacts_with', 'discovered_during', 'caused_by', 'resolved_by',
                                                  'similar_to', 'contradicts', 'version_of', 'supersedes')),
    strength        REAL NOT NULL CHECK (strength BETWEEN 0 AND 1),
    source_episodes TEXT NOT NULL DEFAULT '[]',
    from_key        INTEGER NOT NULL,
    to_key          INTEGER NOT NULL,
    created_at      TEXT NOT NULL,
    updated_at      TEXT NOT NULL,
    UNIQUE (from_node, to_node, type)
) STRICT;
CREATE INDEX edges_from_node ON edges (from_node);
CREATE INDEX edges_to_node ON edges (to_node);
CREATE INDEX edges_walk_out ON edges (from_key, strength DESC, to_key, type);
CREATE INDEX edges_walk_in ON edges (to_key, strength DESC, from_key, type);

CREATE TABLE episodes (
    id           TEXT PRIMARY KEY,
    session_id   TEXT NOT NULL,
    goal         TEXT NOT NULL,
    approach     TEXT NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome IN ('success', 'partial', 'failure')),
    episode_data TEXT NOT NULL,
    created_at   TEXT NOT NULL
) STRICT;
CREATE INDEX episodes_session ON episodes (session_id);

-- What of which log has been applied: exactly once, by this key (D2).
CREATE TABLE applied_ranges (
    session_id  TEXT NOT NULL,
    from_offset INTEGER NOT NULL,
    to_offset   INTEGER NOT NULL,
    episode_id  TEXT,
    applied_at  TEXT NOT NULL,
    PRIMARY KEY (session_id, from_offset)
) STRICT, WITHOUT ROWID;

-- The order of the project's sessions; recency counts these (D7).
CREATE TABLE sessions (
    ordinal    INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    started_at TEXT NOT NULL
) STRICT;

CREATE TABLE node_files (
    path     TEXT NOT NULL,
    node_key INTEGER NOT NULL,
    basename TEXT NOT NULL,
    PRIMARY KEY (path, node_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_files_basename ON node_files (basename, path);
CREATE INDEX node_files_node ON node_files (node_key);

CREATE VIRTUAL TABLE nodes_fts USING fts5 (
    name, description, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

-- The vectors of the graph; `node_embeddings` itself is made by code, since its dimension is the embedder's (D18).
CREATE TABLE embedding_spaces (
    model      TEXT PRIMARY KEY,
    dimensions INTEGER NOT NULL,
    active     INTEGER NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE TABLE embedding_cache (
    model      TEXT NOT NULL,
    text_hash  TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    vector     BLOB NOT NULL,
    PRIMARY KEY (model, text_hash)
) STRICT, WITHOUT ROWID;

-- Forgotten and rejected values; digests, never the text (D12, D24).
CREATE TABLE tombstones (
    id           INTEGER PRIMARY KEY,
    scope        TEXT NOT NULL,
    subject      TEXT NOT NULL DEFAULT '',
    attribute    TEXT NOT NULL DEFAULT '',
    value_digest TEXT NOT NULL,
    reason       TEXT NOT NULL DEFAULT '',
    created_at   TEXT NOT NULL
) STRICT;
CREATE INDEX tombstones_value ON tombstones (value_digest);

-- One row for every change of memory (D13).
CREATE TABLE audit (
    seq     INTEGER PRIMARY KEY,
    ts      TEXT NOT NULL,
    actor   TEXT NOT NULL,
    action  TEXT NOT NULL,
    target  TEXT NOT NULL,
    before  TEXT,
    after   TEXT,
    reason  TEXT NOT NULL DEFAULT '',
    episode TEXT
) STRICT;
CREATE INDEX audit_target ON audit (target);

-- What waits for a person (D10, D22).
CREATE TABLE review_queue (
    id         INTEGER PRIMARY KEY,
    node_id    TEXT NOT NULL,
    against    TEXT,
    reason     TEXT NOT NULL,
    created_at TEXT NOT NULL,
    decided_at TEXT,
    decision   TEXT
) STRICT;

-- Model tokens by day (D23).
CREATE TABLE token_use (
    day    TEXT NOT NULL,
    model  TEXT NOT NULL,
    input  INTEGER NOT NULL,
    output INTEGER NOT NULL,
    PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
