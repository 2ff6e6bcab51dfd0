//! Reading: whatever stands between two newlines either is a record or is skipped and counted (I4). A reader never
//! changes a log.

use crate::capture::event::{Event, EventBody};
use crate::error::{Error, Result};
use crate::time::Timestamp;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// An event and where its line stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Byte offset of the line: the event's address.
    pub at: u64,
    /// The event.
    pub event: Event,
}

/// What a log held that was not an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Lines that are no event: torn records, foreign bytes.
    pub lines: u64,
    /// Bytes after the last newline: a record that is still being written, or was torn.
    pub torn_tail: u64,
}

/// The outcome of reading a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The events in file order.
    pub records: Vec<Record>,
    /// Offset after the last complete line: where the next reading goes on.
    pub end: u64,
    /// What was skipped.
    pub damage: Damage,
}

/// Reads the events of the log at `path` from byte `from` on. A log that does not exist is empty.
///
/// Cost: linear in the bytes read. Events of unknown kinds are kept; lines without a known form are counted as damage.
pub fn read_from(path: &Path, from: u64) -> Result<Reading> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Reading { end: from, ..Reading::default() }),
        Err(e) => return Err(Error::io("read", path, e)),
    };
    file.seek(SeekFrom::Start(from)).map_err(|e| Error::io("read", path, e))?;
    read_lines(BufReader::new(file), from).map_err(|e| Error::io("read", path, e))
}

fn read_lines(mut input: impl BufRead, from: u64) -> std::io::Result<Reading> {
    let mut reading = Reading { end: from, ..Reading::default() };
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = input.read_until(b'\n', &mut line)? as u64;
        if line.last() != Some(&b'\n') {
            reading.damage.torn_tail = length;
            settle(&mut reading.records);
            attach_learned(&mut reading.records);
            return Ok(reading);
        }
        match parse(&line[..line.len() - 1]) {
            Line::Blank => {}
            Line::Event(event) => reading.records.push(Record { at: reading.end, event: *event }),
            Line::Damage => reading.damage.lines += 1,
        }
        reading.end += length;
    }
}

/// Gives calls the exit codes that were told later.
fn settle(records: &mut [Record]) {
    for at in 0..records.len() {
        let EventBody::Outcome { exit_code } = records[at].event.body else { continue };
        let id = records[at].event.tool_use_id.clone();
        let of_call = |r: &&mut Record| r.event.tool_use_id == id;
        if let Some(call) = records[..at].iter_mut().rev().find(of_call).filter(|_| id.is_some()) {
            call.event.body.report(exit_code);
        }
    }
}

/// Gives the research and the failed builds of a turn what the agent said at its end, which is what was learned of them:
/// the turn's completion refers to them by its number, and no line is rewritten.
fn attach_learned(records: &mut [Record]) {
    // What each agent said last of the turns behind; read from the end.
    let mut said: BTreeMap<Option<String>, (u32, String)> = BTreeMap::new();
    for event in records.iter_mut().rev().map(|r| &mut r.event) {
        let failed = event.body.failed();
        match &mut event.body {
            EventBody::TurnComplete { assistant, .. } if !assistant.is_empty() => {
                said.insert(event.agent.clone(), (event.turn, assistant.clone()));
            }
            EventBody::Research { learned, .. } => give(learned, &said, event.turn, &event.agent),
            EventBody::Build { learned, .. } if failed => give(learned, &said, event.turn, &event.agent),
            _ => {}
        }
    }
}

fn give(
    learned: &mut Option<String>,
    said: &BTreeMap<Option<String>, (u32, String)>,
    turn: u32,
    agent: &Option<String>,
) {
    if let Some((_, text)) = said.get(agent).filter(|(of, _)| *of == turn) {
        learned.get_or_insert_with(|| text.clone());
    }
}

/// Where the last complete line of a log ends: the `end` of reading it whole, from the tail alone. 0 for none.
pub(super) fn end(path: &Path) -> Result<u64> {
    match File::open(path).and_then(|file| last_newline(&file)) {
        Ok(end) => Ok(end),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(e) => Err(Error::io("read", path, e)),
    }
}

fn last_newline(mut file: &File) -> std::io::Result<u64> {
    let mut to = file.seek(SeekFrom::End(0))?;
    let mut block = [0; 4096];
    while to > 0 {
        let from = to.saturating_sub(block.len() as u64);
        let part = &mut block[..usize::try_from(to - from).unwrap_or_default()];
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|b| *b == b'\n') {
            return Ok(from + at as u64 + 1);
        }
        to = from;
    }
    Ok(0)
}

/// The time of the first event of a log, without reading the rest.
pub(super) fn first_record(path: &Path) -> Option<Timestamp> {
    let lines = BufReader::new(File::open(path).ok()?).split(b'\n').map_while(std::result::Result::ok);
    lines.take(64).find_map(|line| match parse(&line) {
        Line::Event(event) => Some(event.ts),
        _ => None,
    })
}

/// The event of the line at `at`, where there is one.
pub(super) fn record_at(path: &Path, at: u64) -> Option<Event> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(at)).ok()?;
    let mut line = Vec::new();
    BufReader::new(file.take(super::MAX_LINE as u64)).read_until(b'\n', &mut line).ok()?;
    match parse(&line) {
        Line::Event(event) => Some(*event),
        _ => None,
    }
}

enum Line {
    Blank,
    Event(Box<Event>),
    Damage,
}

fn parse(line: &[u8]) -> Line {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Line::Blank;
    }
    match serde_json::from_slice::<Event>(line) {
        Ok(event) => Line::Event(Box::new(event)),
        Err(_) => later_version(line).map_or(Line::Damage, |e| Line::Event(Box::new(e))),
    }
}

/// A line of a known frame whose body this version does not understand.
fn later_version(line: &[u8]) -> Option<Event> {
    let value: serde_json::Value = serde_json::from_slice(line).ok()?;
    let ts = value.get("ts")?.as_str()?.parse().ok()?;
    value.get("type")?.as_str()?;
    Some(Event::new(ts, EventBody::Unknown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;
    use proptest::prelude::*;

    fn line(text: &str) -> Vec<u8> {
        let event = Event::new(Timestamp::from_millis(0), EventBody::Prompt { text: text.into() });
        format!("\n{}\n", serde_json::to_string(&event).unwrap()).into_bytes()
    }

    fn texts(reading: &Reading) -> Vec<&str> {
        reading
            .records
            .iter()
            .map(|r| if let EventBody::Prompt { text } = &r.event.body { text.as_str() } else { "?" })
            .collect()
    }

    fn read(bytes: &[u8]) -> Reading {
        read_lines(bytes, 0).unwrap()
    }

    #[test]
    fn fragments_anywhere_hide_nothing() {
        for junk in [&b"{\"v\":1,\"type\":\"file_wr"[..], b"\0\0\0\0", b"\xff\xfe\xe2\x82", b"{}", b"[1,2", b"not json"]
        {
            let bytes = [line("a"), junk.to_vec(), line("b"), junk.to_vec()].concat();
            let reading = read(&bytes);
            assert_eq!(texts(&reading), ["a", "b"], "after {junk:?}");
            assert_eq!((reading.damage.lines, reading.damage.torn_tail), (1, junk.len() as u64));
            assert_eq!(reading.end as usize, bytes.len() - junk.len());
        }
    }

    #[test]
    fn reading_goes_on_where_it_ended() {
        let bytes = [line("a"), line("b")].concat();
        let first = read(&bytes[..line("a").len()]);
        let second = read_lines(&bytes[first.end as usize..], first.end).unwrap();
        assert_eq!(texts(&second), ["b"]);
        assert_eq!(second.records[0].at, first.end + 1);
    }

    #[test]
    fn an_exit_code_that_was_told_later_is_the_calls() {
        let line = |id: &str, body| {
            let mut event = Event::new(Timestamp::from_millis(0), body);
            event.tool_use_id = Some(id.to_owned());
            format!("\n{}\n", serde_json::to_string(&event).unwrap())
        };
        let command = || EventBody::Command {
            command: "sh".into(),
            exit_code: Some(0),
            exit_code_source: Some(crate::capture::event::ExitCodeSource::Inferred),
            error: None,
        };
        let log = [line("a", command()), line("b", command()), line("a", EventBody::Outcome { exit_code: 7 })];
        let codes: Vec<Option<i32>> =
            read(log.concat().as_bytes()).records.iter().map(|r| r.event.body.exit_code()).collect();
        assert_eq!(codes, [Some(7), Some(0), None]);
    }

    #[test]
    fn what_was_learned_is_what_the_agent_said_at_the_end_of_the_turn() {
        let event = |turn, agent: Option<&str>, body| {
            let mut event = Event::new(Timestamp::from_millis(0), body);
            (event.turn, event.agent) = (turn, agent.map(str::to_owned));
            format!("\n{}\n", serde_json::to_string(&event).unwrap())
        };
        let research = || EventBody::Research { query: "q".into(), results_count: None, learned: None };
        let build = |code| EventBody::Build {
            command: "make".into(),
            exit_code: Some(code),
            exit_code_source: None,
            error_summary: None,
            error_signatures: Vec::new(),
            learned: None,
        };
        let stop = |text: &str| EventBody::TurnComplete {
            user: String::new(),
            assistant: text.into(),
            tool_calls: 1,
            text: text.into(),
        };
        let log = [
            event(1, None, research()),
            event(1, Some("a1"), build(2)),
            event(1, None, build(0)),
            event(1, Some("a1"), stop("The linker needs libz.")),
            event(1, None, stop("The protocol has two eras.")),
            event(2, None, research()),
            event(2, None, stop("")),
            event(3, None, build(1)),
        ];
        let learned: Vec<Option<String>> = read(log.concat().as_bytes())
            .records
            .into_iter()
            .filter_map(|r| match r.event.body {
                EventBody::Research { learned, .. } | EventBody::Build { learned, .. } => Some(learned),
                _ => None,
            })
            .collect();
        let said = |text: &str| Some(text.to_owned());
        let expected = [said("The protocol has two eras."), said("The linker needs libz."), None, None, None];
        assert_eq!(learned, expected);
    }

    #[test]
    fn the_end_is_found_from_the_tail() {
        let tmp = tempfile::tempdir().unwrap();
        let path = tmp.path().join("log");
        assert_eq!(end(&path).unwrap(), 0);
        for tail in [0, 1, 4095, 4096, 4097, 20_000] {
            for head in [Vec::new(), line("a"), [line("a"), line(&"b".repeat(9_000))].concat()] {
                std::fs::write(&path, [head.clone(), vec![b'x'; tail]].concat()).unwrap();
                assert_eq!(end(&path).unwrap(), read_from(&path, 0).unwrap().end, "{} + {tail}", head.len());
                assert_eq!(end(&path).unwrap(), head.len() as u64);
            }
        }
    }

    #[test]
    fn kinds_of_later_versions_are_kept_as_unknown() {
        let reading = read(b"\n{\"v\":2,\"ts\":\"2026-01-01T00:00:00.000Z\",\"type\":\"dream\",\"turn\":1}\n");
        assert_eq!(reading.records[0].event.body, EventBody::Unknown);
        assert_eq!(reading.damage.lines, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn any_bytes_between_two_records_leave_both_readable(junk in proptest::collection::vec(any::<u8>(), 0..200)) {
            let reading = read(&[line("first"), junk, line("second")].concat());
            let texts = texts(&reading);
            prop_assert_eq!(texts.first().copied(), Some("first"));
            prop_assert_eq!(texts.last().copied(), Some("second"));
        }
    }
}
