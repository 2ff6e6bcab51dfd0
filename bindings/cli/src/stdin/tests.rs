use super::*;
use serde_json::json;
use std::io::{PipeReader, PipeWriter, Write, pipe};
use std::thread;

const QUICK: Limits = Limits {
    bytes: 1 << 20,
    first_byte: Duration::from_millis(300),
    stall: Duration::from_millis(100),
    total: Duration::from_millis(800),
};

fn piped(bytes: &[u8]) -> (PipeReader, PipeWriter) {
    let (reader, mut writer) = pipe().unwrap();
    writer.write_all(bytes).unwrap();
    (reader, writer)
}

#[test]
fn a_complete_object_is_read_while_the_pipe_stays_open() {
    let (reader, _open) = piped(b" \n{\"a\":{\"b\":\"}\"}} trailing");
    let input = read_object(&reader, &Limits::default()).unwrap();
    assert_eq!(input, Input { value: json!({"a": {"b": "}"}}), bytes_replaced: false });
}

#[test]
fn half_an_object_gives_up_after_a_stall_and_at_once_at_the_end() {
    let (reader, open) = piped(b"{\"a\":");
    let result = read_object(&reader, &QUICK);
    assert!(matches!(result, Err(InputError::Unfinished)));
    let (reader, mut writer) = piped(b"{\"a\":");
    drop(open);
    writer.flush().unwrap();
    drop(writer);
    let result = read_object(&reader, &Limits::default());
    assert!(matches!(result, Err(InputError::Unfinished)));
}

#[test]
fn nothing_is_told_apart_from_silence() {
    let (reader, open) = piped(b"");
    let result = read_object(&reader, &QUICK);
    assert!(matches!(result, Err(InputError::Silent)));
    drop(open);
    assert!(matches!(read_object(&reader, &QUICK), Err(InputError::Empty)));
}

#[test]
fn a_slow_drip_ends_with_the_total() {
    let (reader, mut writer) = piped(b"{\"a\":\"");
    let drip = thread::spawn(move || {
        while writer.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(20))
        }
    });
    let result = read_object(&reader, &QUICK);
    assert!(matches!(result, Err(InputError::Unfinished)));
    drop(reader);
    drip.join().unwrap();
}

#[test]
fn junk_is_refused_without_waiting() {
    for junk in [&b"[1,2]"[..], b"\"text\"", b"hello", b"\xff\xfe{\0", b"}{"] {
        let (reader, _open) = piped(junk);
        let result = read_object(&reader, &Limits::default());
        assert!(matches!(result, Err(InputError::NotAnObject)), "{junk:?} {result:?}");
    }
}

#[test]
fn what_is_too_long_is_drained_so_that_the_writer_does_not_fail() {
    let (reader, mut writer) = piped(b"{\"a\":\"");
    let wrote = thread::spawn(move || writer.write_all(&vec![b'x'; 3 << 20]).is_ok());
    let result = read_object(&reader, &QUICK);
    assert!(matches!(result, Err(InputError::TooLong(_))), "{result:?}");
    assert!(wrote.join().unwrap());
}

#[test]
fn many_megabytes_in_pieces_are_read_in_one_pass() {
    let (reader, mut writer) = pipe().unwrap();
    let text = format!("{{\"a\":\"{}\"}}", "x".repeat(16 << 20));
    let sender = thread::spawn(move || writer.write_all(text.as_bytes()).map(|()| writer));
    let input = read_object(&reader, &Limits::default()).unwrap();
    assert_eq!(input.value["a"].as_str().map(str::len), Some(16 << 20));
    sender.join().unwrap().unwrap();
}

/// A real payload, damaged in every way that a seed of its own decides: cut, flipped, doubled, filled with junk.
fn damaged(sample: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut bytes = sample.to_vec();
    for _ in 0..=next(3) {
        let at = next(bytes.len());
        match next(6) {
            0 => bytes.truncate(at + 1),
            1 => bytes[at] ^= 1 << next(8),
            2 => bytes.insert(at, [0, 0xff, 0x80, b'"', b'{', b'\\'][next(6)]),
            3 => bytes.extend_from_within(at..),
            4 => drop(bytes.splice(at..at, br"\ud800".iter().copied())),
            _ => drop(bytes.splice(at..at, "[".repeat(next(2000)).into_bytes())),
        }
    }
    bytes
}

#[test]
fn damaged_bytes_give_an_object_or_a_reason_at_once() {
    let sample = json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/p", "tool_name": "Edit",
        "tool_input": {"file_path": "/p/a.rs", "old_string": "a\n\"b\"", "new_string": "\u{fc}\\"}, "tool_response": {"a": [1, 2.5, null]}})
    .to_string();
    let (mut good, mut bad) = (0, 0);
    for seed in 1..=600 {
        let bytes = damaged(sample.as_bytes(), seed);
        let (reader, writer) = piped(&bytes);
        drop(writer);
        let result = read_object(&reader, &Limits::default());
        match result {
            Ok(input) => good += usize::from(input.value.is_object()),
            Err(reason) => bad += usize::from(!reason.to_string().contains('\n')),
        }
    }
    assert_eq!(good + bad, 600);
    assert!(good > 50 && bad > 50, "{good} read, {bad} refused");
}
