//! Recall from a synthetic memory, against the bare statements that it cannot do without.

use super::append::{line_size, read_of};
use super::floor::{Bare, Lines};
use super::row::Row;
use super::synthetic::{self, Dice};
use crate::corpus::Corpus;
use crate::records::Outcome;
use crate::timing::Samples;
use engram_core::Ask;

/// Prompts asked and files read.
const OCCASIONS: usize = 200;
/// Those before them.
const WARM_UP: usize = 20;

/// Rows for a memory of `nodes` notes.
pub(super) fn rows(nodes: usize) -> Outcome<Vec<Row>> {
    let notes = synthetic::notes(nodes);
    let corpus = Corpus::of_notes(&notes)?;
    let bare = Bare::open(&corpus.engram.data().database())?;
    let config = corpus.engram.config();
    let fitting = fitting(&notes)?.into_iter().map(|text| Ask::prompt(text, config)).collect::<Vec<_>>();
    let mut dice = Dice::new(11);
    let random = |_| Ask { coverage: 0.0, ..Ask::prompt(dice.words(8), config) };
    let loose = (0..WARM_UP + OCCASIONS).map(random).collect::<Vec<_>>();
    Ok(vec![
        retrieve(&corpus, &bare, &fitting, format!("retrieve, fitting prompt, {nodes} nodes"))?,
        retrieve(&corpus, &bare, &loose, format!("retrieve, random words, {nodes} nodes"))?,
        first_read(&corpus, &bare, nodes)?,
    ])
}

/// Prompts that speak of a note: six of its words, and two of no matter.
fn fitting(notes: &[u8]) -> Outcome<Vec<String>> {
    let mut dice = Dice::new(13);
    let lines: Vec<&[u8]> = notes.split(|b| *b == b'\n').filter(|line| !line.is_empty()).collect();
    (0..WARM_UP + OCCASIONS)
        .map(|_| {
            let note: serde_json::Value = serde_json::from_slice(lines[dice.below(lines.len())])?;
            let words = note["text"].as_str().unwrap_or_default().split(' ').take(6).collect::<Vec<_>>();
            Ok(format!("{} {}", words.join(" "), dice.words(2)))
        })
        .collect()
}

/// Asks each. The floor walks from the same entries.
fn retrieve(corpus: &Corpus, bare: &Bare, asks: &[Ask], name: String) -> Outcome<Row> {
    let (mut asked, mut least) = (Samples::default(), Samples::default());
    for (round, ask) in asks.iter().enumerate() {
        let entries = entries(corpus, bare, ask)?;
        let (mut one, mut floor) = (Samples::default(), Samples::default());
        one.time(|| corpus.engram.retrieve(ask))?;
        floor.time(|| bare.spread(&entries))?;
        if round >= WARM_UP {
            asked.add(one);
            least.add(floor);
        }
    }
    Ok(Row::new(name, &asked, "bare walk from the same entries", &least))
}

/// The notes at which a recall enters the graph: those that no hop led to.
fn entries(corpus: &Corpus, bare: &Bare, ask: &Ask) -> Outcome<Vec<(i64, f64)>> {
    let items = corpus.engram.search(&Ask { limit: 50, ..ask.clone() })?;
    let entered = items.iter().filter(|i| i.via.iter().all(|via| !via.ends_with("hops)")));
    entered.take(ask.limit).map(|i| Ok((bare.key(&i.id)?, i.activation))).collect()
}

/// The first read of a file that has notes.
fn first_read(corpus: &Corpus, bare: &Bare, nodes: usize) -> Outcome<Row> {
    let (mut reads, mut least) = (Samples::default(), Samples::default());
    let mut lines: Option<Lines> = None;
    for round in 0..WARM_UP + OCCASIONS.min(synthetic::files(nodes)) {
        let path = synthetic::file(round);
        let call = read_of(corpus, "reads", &path);
        let mut one = Samples::default();
        let reply = one.time(|| corpus.engram.on_tool_call(&call))?;
        if round < synthetic::files(nodes) && reply.context.is_empty() {
            return Err(format!("the read of {path} recalled nothing: {:?}", reply.trouble).into());
        }
        if round < WARM_UP {
            continue;
        }
        let lines = match &mut lines {
            Some(lines) => lines,
            None => lines.insert(Lines::new(&corpus.home().join("floor"), line_size(corpus, "reads")?)?),
        };
        least.time(|| lines.write().and_then(|()| bare.notes_of(&path)))?;
        reads.add(one);
    }
    Ok(Row::new(format!("first read of a known file, {nodes} nodes"), &reads, "write + look-up by file", &least))
}
