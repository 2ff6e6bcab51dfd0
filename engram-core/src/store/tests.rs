use super::*;
use crate::graph::edge::EdgeType;
use crate::graph::node::{Node, NodeId, NodeType, Origin, Status, StrengthFactors, Trust};
use crate::time::Timestamp;

pub(crate) fn node(id: &str, name: &str, files: &[&str]) -> Node {
    let now = Timestamp::from_millis(1_000);
    Node {
        id: NodeId::new(id),
        name: name.into(),
        node_type: NodeType::Decision,
        kind: None,
        description: format!("About {name}"),
        strength: 0.85,
        factors: StrengthFactors { base: 0.85, episodes: 1, successes: 1, causal: 1.0, idle_sessions: 0 },
        status: Status::Active,
        superseded_by: None,
        trust: Trust::Inferred,
        origin: Origin::Agent,
        claim: None,
        affected_files: files.iter().map(ToString::to_string).collect(),
        source_episodes: vec!["ep_1".into()],
        session: "s".into(),
        valid_from: now,
        valid_to: None,
        recorded_at: now,
        retired_at: None,
        updated_at: now,
    }
}

fn put(graph: &Graph<'_>, node: &Node) -> NodeKey {
    let key = graph.insert_node(node, 1).unwrap();
    graph.link_files(key, &node.affected_files).unwrap();
    graph.index_text(key, &node.name, &node.description, &node.affected_files).unwrap();
    key
}

fn store() -> (tempfile::TempDir, Store) {
    let tmp = tempfile::tempdir().unwrap();
    let store = Store::open_write(&tmp.path().join("engram.db")).unwrap();
    (tmp, store)
}

fn link(graph: &Graph<'_>, from: (NodeKey, &str), to: (NodeKey, &str), strength: f64) {
    let now = Timestamp::from_millis(0);
    graph.upsert_edge(&EdgeWrite { from, to, edge_type: EdgeType::Requires, strength, episode: "ep_1", now }).unwrap();
}

#[test]
fn the_schema_has_the_tables_and_columns_of_the_specification() {
    let (_tmp, mut store) = store();
    let columns = |table: &str| -> Vec<String> {
        let mut s = store.conn.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
        s.query_map([table], |r| r.get(0)).unwrap().map(|c| c.unwrap()).collect()
    };
    let wanted: [(&str, &[&str]); 3] = [
        (
            "nodes",
            &[
                "id",
                "name",
                "type",
                "description",
                "strength",
                "status",
                "superseded_by",
                "affected_files",
                "source_episodes",
                "created_at",
                "updated_at",
            ],
        ),
        ("edges", &["id", "from_node", "to_node", "type", "strength", "source_episodes", "created_at", "updated_at"]),
        ("episodes", &["id", "session_id", "goal", "approach", "outcome", "episode_data", "created_at"]),
    ];
    for (table, names) in wanted {
        let have = columns(table);
        for name in names {
            assert!(have.iter().any(|c| c == name), "{table}.{name}");
        }
    }
    store.write(|g| g.use_embedder("m", 3, Timestamp::default())).unwrap();
    let vectors: i64 = store
        .conn
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'node_embeddings'", [], |r| r.get(0))
        .unwrap();
    assert_eq!(vectors, 1);
}

#[test]
fn the_bundled_sqlite_is_new_enough_and_the_file_is_private_and_in_wal() {
    let (tmp, store) = store();
    let version: String = store.conn.query_row("SELECT sqlite_version()", [], |r| r.get(0)).unwrap();
    let parts: Vec<u32> = version.split('.').map(|p| p.parse().unwrap()).collect();
    assert!(parts >= vec![3, 51, 3], "{version}");
    let mode: String = store.conn.query_row("PRAGMA journal_mode", [], |r| r.get(0)).unwrap();
    assert_eq!(mode, "wal");
    use std::os::unix::fs::PermissionsExt;
    let bits = std::fs::metadata(tmp.path().join("engram.db")).unwrap().permissions().mode();
    assert_eq!(bits & 0o777, 0o600);
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let (tmp, store) = store();
    store.conn.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    let path = tmp.path().join("engram.db");
    let before = std::fs::read(&path).unwrap();
    for access in [Access::Read, Access::Write] {
        let e = Store::open(&path, access).unwrap_err();
        assert!(e.to_string().contains("schema 99 is newer"), "{e}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn readers_without_a_database_find_nothing_and_make_nothing() {
    let tmp = tempfile::tempdir().unwrap();
    let path = tmp.path().join("engram.db");
    assert!(Store::open(&path, Access::Read).unwrap().is_none());
    assert!(!path.exists());
    // A writer that has only just made the file.
    std::fs::write(&path, b"").unwrap();
    assert!(Store::open(&path, Access::Read).unwrap().is_none());
}

#[test]
fn a_node_comes_back_as_it_was_stored() {
    let (_tmp, mut store) = store();
    let stored = store
        .write(|g| {
            put(g, &node("n1", "tabs", &["src/a.rs"]));
            g.node("n1")
        })
        .unwrap()
        .unwrap();
    assert_eq!(stored.node, node("n1", "tabs", &["src/a.rs"]));
}

#[test]
fn files_are_found_exactly_by_ending_and_by_folder() {
    let (_tmp, mut store) = store();
    store
        .write(|g| {
            put(g, &node("n1", "a", &["src/auth/session.rs"]));
            put(g, &node("n2", "b", &["src/auth/x_y.rs", "src/authority.rs"]));
            put(g, &node("n3", "c", &["src/**/*.rs"]));
            put(g, &node("n4", "d", &["src/auth"]));
            let ids = |found: Vec<StoredNode>| found.into_iter().map(|n| n.node.id.to_string()).collect::<Vec<_>>();
            assert_eq!(ids(g.nodes_of_file("src/auth/session.rs", 9)?), ["n1"]);
            assert_eq!(ids(g.nodes_of_path_ending("session.rs", 9)?), ["n1"]);
            assert_eq!(ids(g.nodes_of_path_ending("auth/session.rs", 9)?), ["n1"]);
            assert!(g.nodes_of_path_ending("ession.rs", 9)?.is_empty());
            assert_eq!(ids(g.nodes_below("src/auth", 9)?), ["n1", "n2"]);
            let mut binding = ids(g.nodes_binding("src/auth/session.rs", NodeType::Decision, 9)?);
            binding.sort();
            assert_eq!(binding, ["n1", "n3", "n4"]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_does_not_hold_is_never_found_live() {
    let (_tmp, mut store) = store();
    type Hide = fn(&mut Node);
    let hidden: [(&str, Hide); 4] = [
        ("superseded", |n| n.status = Status::Superseded),
        ("quarantined", |n| n.trust = Trust::Quarantined),
        ("expired", |n| n.valid_to = Some(Timestamp::from_millis(5))),
        ("retired", |n| n.retired_at = Some(Timestamp::from_millis(5))),
    ];
    store
        .write(|g| {
            let live = put(g, &node("live", "tabs", &["f"]));
            for (id, hide) in hidden {
                let mut n = node(id, "tabs", &["f"]);
                hide(&mut n);
                let key = put(g, &n);
                link(g, (live, "live"), (key, id), 1.0);
                link(g, (key, id), (live, "live"), 1.0);
                assert!(g.live_nodes(&[key])?.is_empty(), "{id}");
            }
            assert_eq!(g.nodes_of_file("f", 9)?.len(), 1);
            assert_eq!(g.nodes_named("TABS", 9)?.len(), 1);
            assert!(g.neighbours(&[live], 0.0, 99)?.is_empty());
            Ok(())
        })
        .unwrap();
}

#[test]
fn neighbours_are_walked_in_both_directions_strongest_first() {
    let (_tmp, mut store) = store();
    store
        .write(|g| {
            let [a, b, c] = ["a", "b", "c"].map(|id| put(g, &node(id, id, &[])));
            link(g, (a, "a"), (b, "b"), 0.4);
            link(g, (c, "c"), (a, "a"), 0.9);
            let found: Vec<(NodeKey, f64)> = g.neighbours(&[a], 0.0, 9)?.iter().map(|n| (n.to, n.strength)).collect();
            assert_eq!(found, [(b, 0.4), (c, 0.9)]);
            assert_eq!(g.neighbours(&[a], 0.5, 9)?.len(), 1);
            link(g, (a, "a"), (b, "b"), 0.7);
            link(g, (a, "a"), (b, "b"), 0.2);
            assert_eq!(g.neighbours(&[b], 0.0, 9)?[0].strength, 0.7, "the larger strength stays");
            assert_eq!(g.edge_count()?, 2);
            Ok(())
        })
        .unwrap();
}

#[test]
fn words_are_found_by_stem_and_by_the_parts_of_identifiers() {
    let (_tmp, mut store) = store();
    store
        .write(|g| {
            let key = put(g, &node("n", "loadUserConfig", &[]));
            put(g, &node("m", "something else", &[]));
            for word in ["loaduserconfig", "users", "config"] {
                let hits = g.search_text(&[word.to_owned()], 9)?;
                assert_eq!(hits.iter().map(|h| h.key).collect::<Vec<_>>(), [key], "{word}");
            }
            for syntax in ["NEAR(", "a* OR", "\"", "-x", "name:x", "^"] {
                g.search_text(&[syntax.to_owned()], 9)?;
            }
            assert_eq!(g.nodes_with_word("about", 3)?.map(|n| n.len()), Some(2));
            assert_eq!(g.nodes_with_word("about", 2)?, None);
            assert_eq!(g.nodes_with_word("absent", 2)?, Some(Vec::new()));
            Ok(())
        })
        .unwrap();
}

#[test]
fn vectors_without_direction_are_not_stored_and_a_new_model_drops_the_old_ones() {
    let (_tmp, mut store) = store();
    let now = Timestamp::default();
    store
        .write(|g| {
            g.use_embedder("one", 2, now)?;
            g.put_vector("a", &[1.0, 0.0])?;
            g.put_vector("b", &[0.0, 1.0])?;
            g.put_vector("zero", &[0.0, 0.0])?;
            g.put_vector("nan", &[f32::NAN, 1.0])?;
            assert_eq!(g.nearest(&[0.9, 0.1], 9)?, ["a", "b"]);
            g.put_vector("a", &[0.0, -1.0])?;
            assert_eq!(g.vector("a")?, Some(vec![0.0, -1.0]));
            assert!(!g.use_embedder("one", 2, now)?);
            assert!(g.use_embedder("two", 3, now)?);
            assert!(g.nearest(&[1.0, 0.0, 0.0], 9)?.is_empty());
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_error_rolls_everything_back() {
    let (_tmp, mut store) = store();
    let failed: Result<()> = store.write(|g| {
        put(g, &node("n1", "x", &[]));
        Err(Error::invalid("stop"))
    });
    assert!(failed.is_err());
    assert_eq!(store.read(|g| g.counts()).unwrap().total, 0);
}

#[test]
fn two_writers_wait_for_each_other_and_lose_nothing() {
    let (tmp, store) = store();
    drop(store);
    let path = tmp.path().join("engram.db");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut store = Store::open_write(path).unwrap();
                for i in 0..25 {
                    store.write(|g| Ok(put(g, &node(&format!("n{writer}-{i}"), "x", &["f"])))).unwrap();
                }
            });
        }
    });
    let mut store = Store::open(&path, Access::Read).unwrap().unwrap();
    assert_eq!(store.read(|g| g.counts()).unwrap().total, 100);
}

#[test]
fn hot_queries_use_an_index() {
    let (_tmp, store) = store();
    let plan = |sql: &str| -> String {
        let mut s = store.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let rows = s.query_map([], |r| r.get::<_, String>(3)).unwrap();
        rows.map(|r| r.unwrap()).collect::<Vec<_>>().join("\n")
    };
    for sql in [
        "SELECT n.id FROM nodes n JOIN node_files f ON f.node_key = n.key WHERE f.path = 'x' AND n.status = 'active'",
        "SELECT n.id FROM nodes n WHERE n.name = 'x' COLLATE NOCASE",
        "SELECT e.to_key FROM rarray(1) f CROSS JOIN edges e ON e.from_key = f.value AND e.strength >= 0.1 JOIN nodes n ON n.key = e.to_key",
        "SELECT n.id FROM nodes n JOIN node_files f ON f.node_key = n.key WHERE f.path >= 'a/' AND f.path < 'a0'",
    ] {
        let plan = plan(sql);
        assert!(!plan.contains("SCAN n") && !plan.contains("SCAN e") && !plan.contains("SCAN nodes"), "{sql}\n{plan}");
    }
}

#[test]
fn of_a_node_that_was_deleted_no_byte_is_left_in_the_file() {
    let (tmp, mut store) = store();
    let vector = [0.123_456_7_f32, -0.765_432_1, 0.333_222_1];
    let stored = |id: &str, name: &str| StoredNode { key: NodeKey(0), node: node(id, name, &["src/quokka.rs"]) };
    let (gone, stays) = (stored("gone", "wombat alarm"), stored("stays", "lint"));
    store
        .write(|graph| {
            graph.use_embedder("m", 3, Timestamp::default())?;
            for one in [&gone, &stays] {
                put(graph, &one.node);
                graph.put_vector(one.node.id.as_str(), if one == &gone { &vector } else { &[1.0, 2.0, 3.0] })?;
            }
            Ok(())
        })
        .unwrap();
    let bytes = || {
        let parts = ["engram.db", "engram.db-wal"].map(|name| std::fs::read(tmp.path().join(name)).unwrap_or_default());
        parts.concat()
    };
    let whole: Vec<u8> = vector.iter().flat_map(|v| v.to_le_bytes()).collect();
    let holds = |what: &[u8]| bytes().windows(what.len()).any(|w| w == what);
    assert!(holds(b"wombat") && holds(&whole));
    store.write(|graph| graph.delete_node(&graph.node("gone")?.unwrap())).unwrap();
    store.purge().unwrap();
    assert!(!holds(b"wombat") && !holds(b"gone") && !holds(&whole));
    let (found, left) =
        store.read(|graph| Ok((graph.nearest(&[1.0, 2.0, 3.0], 5)?, graph.all_nodes()?.len()))).unwrap();
    assert_eq!((found, left), (vec!["stays".to_owned()], 1));
}
