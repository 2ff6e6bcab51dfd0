//! The files that mattered, and what was learned of them.

use super::agent_words;
use super::candidate::{Candidate, worth};
use super::files;
use super::sentence::{length, normal};
use super::turns::{Turn, counted};
use super::wording;
use crate::capture::event::WriteKind;
use crate::graph::change::NewEdge;
use crate::graph::edge::EdgeType;
use crate::graph::node::NodeType;

/// Concepts of one episode.
const MOST: usize = 6;
const LONGEST: usize = 400;

/// A concept for each file that was written twice, named by a kept memory, or mended an error, as far as something was
/// said of it that no kept memory says already.
pub(super) fn read(turns: &[Turn<'_>], kept: &[Candidate]) -> Vec<Candidate> {
    let written = counted(turns.iter().flat_map(|t| t.changes().map(|c| c.path.as_str())));
    let facts: Vec<(usize, String)> =
        turns.iter().enumerate().flat_map(|(at, t)| agent_words::facts(t).into_iter().map(move |f| (at, f))).collect();
    let written_in = |path: &str, at: usize| turns.get(at).is_some_and(|t| t.changes().any(|c| c.path == path));
    let weight = |path: &str, count: usize| {
        let named = kept.iter().filter(|c| c.node.files.iter().any(|f| f == path)).count();
        let mended = kept.iter().any(|c| c.mended_in.iter().any(|f| f == path));
        let created = turns.iter().any(|t| t.changes().any(|c| c.path == path && c.kind == WriteKind::Create));
        count + usize::from(created) + 2 * named + 4 * usize::from(mended)
    };
    let mut ranked: Vec<(usize, &str)> = written
        .iter()
        .map(|(p, n)| (weight(p, *n), *p))
        .filter(|(w, p)| *w >= 2 && files::is_inside(p) && (*w >= 4 || !files::is_test(p)))
        .collect();
    ranked.sort_by_key(|(w, _)| std::cmp::Reverse(*w));
    // A fact is told of one file, the one that mattered most.
    let mut told = vec![false; facts.len()];
    let mut made = Vec::new();
    for (_, path) in ranked {
        let of = |i: &usize| !told[*i] && written_in(path, facts[*i].0) && files::names(&facts[*i].1, path);
        let own: Vec<usize> = (0..facts.len()).filter(of).collect();
        own.iter().for_each(|i| told[*i] = true);
        made.extend(concept(path, &own.iter().map(|i| facts[*i].clone()).collect::<Vec<_>>(), kept));
        if made.len() == MOST {
            break;
        }
    }
    made
}

/// `own`: what was said of the file in turns that changed it.
fn concept(path: &str, own: &[(usize, String)], kept: &[Candidate]) -> Option<Candidate> {
    let said = |fact: &str| kept.iter().any(|c| c.node.description.contains(without(fact, path).trim_end_matches('.')));
    let telling = |fact: &str| length(&normal(&without(fact, path))) >= 5;
    let new: Vec<&(usize, String)> = own.iter().filter(|(_, f)| telling(f) && !said(f)).collect();
    let mending = kept.iter().find(|c| c.mended_in.first().is_some_and(|f| f == path));
    let at = own.last().map(|(at, _)| *at).or(mending.map(|c| c.turn))?;
    let mut words: Vec<String> = new.iter().rev().take(3).map(|(_, f)| wording::ended(&without(f, path))).collect();
    words.reverse();
    if let Some(m) = mending {
        words.insert(
            0,
            format!("\"{}\" was mended here: {}", m.node.name, wording::ended(&wording::shorten(&m.resolution, 150))),
        );
    }
    if words.is_empty() {
        return None;
    }
    let text = wording::shorten(&format!("`{path}`: {}", words.join(" ")), LONGEST);
    let mut made = Candidate::new(NodeType::Concept, &text, worth::CONCEPT, at).files(vec![path.to_owned()]);
    path.clone_into(&mut made.node.name);
    Some(made)
}

/// A fact without the label at its head that names the file.
fn without(fact: &str, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let bare = fact.trim_start_matches('`');
    let head =
        [path, name].into_iter().find_map(|p| bare.strip_prefix(p)).filter(|r| !r.starts_with(char::is_alphanumeric));
    let rest = match (head, fact.split_once(": ")) {
        (Some(rest), _) => rest.trim_start_matches('`').trim_start_matches([':', ' ', '\u{2014}', '\u{2013}']),
        (None, Some((label, rest))) if files::names(label, path) && label.len() < 120 => rest,
        _ => fact,
    };
    let rest = rest.strip_prefix("- ").unwrap_or(rest).trim();
    // "(new) - " and the like.
    let rest = rest
        .strip_prefix('(')
        .and_then(|r| r.split_once(')'))
        .filter(|(aside, _)| aside.len() < 12)
        .map_or(rest, |(_, r)| r);
    wording::capital(rest.trim_start_matches([' ', '\u{2014}', '\u{2013}', '-']))
}

/// Edges between concepts: files that changed in the same turn, and a test with what it tests.
pub(super) fn edges(turns: &[Turn<'_>], concepts: &[(String, String)]) -> Vec<NewEdge> {
    let mut out = Vec::new();
    for (i, (a, file_a)) in concepts.iter().enumerate() {
        for (b, file_b) in &concepts[i + 1..] {
            let both = |t: &&Turn<'_>| [file_a, file_b].iter().all(|f| t.changes().any(|c| c.path == **f));
            let together = turns.iter().filter(both).count();
            if together > 0 {
                let strength = (0.4 + 0.15 * together as f64).min(0.9);
                out.push(NewEdge::new(a, EdgeType::InteractsWith, b).with_strength(strength));
            }
            if let Some((test, tested)) = test_pair((a, file_a), (b, file_b)) {
                out.push(NewEdge::new(test, EdgeType::Requires, tested).with_strength(0.8));
            }
        }
    }
    out
}

fn test_pair<'a>(a: (&'a str, &str), b: (&'a str, &str)) -> Option<(&'a str, &'a str)> {
    let stem = |p: &str| {
        let name = p.rsplit('/').next().unwrap_or(p);
        let stem = name.split_once('.').map_or(name, |(s, _)| s);
        stem.trim_end_matches("_test").trim_start_matches("test_").to_owned()
    };
    if stem(a.1) != stem(b.1) {
        return None;
    }
    match (files::is_test(a.1), files::is_test(b.1)) {
        (true, false) => Some((a.0, b.0)),
        (false, true) => Some((b.0, a.0)),
        _ => None,
    }
}
