//! Payloads that no harness should send, made from those that they do (I7, I8).

use crate::random::Random;
use serde_json::{Map, Value, json};

/// One bad payload.
#[derive(Clone, Debug)]
pub struct Malformed {
    /// What is wrong with it.
    pub what: String,
    /// The bytes on stdin.
    pub bytes: Vec<u8>,
}

impl Malformed {
    fn new(what: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Malformed {
        Malformed { what: what.into(), bytes: bytes.into() }
    }
}

/// Names that must never become a place on disk.
pub const HOSTILE: &[&str] = &[
    "../../escaped",
    "../../../../../../../../tmp/engram-escaped",
    "/tmp/engram-escaped",
    "..",
    ".",
    "a/b",
    "a\\b",
    "line\nbreak",
    "nul\0byte",
    "-rf",
    "~",
    "$(touch engram-escaped)",
    "CON",
    ".hidden",
    "\u{202e}sj.a",
    "",
];

/// Everything that is made from one valid payload.
pub fn of_payload(payload: &Value, random: &mut Random) -> Vec<Malformed> {
    let mut cases = wrong_types(payload);
    cases.extend(missing_fields(payload));
    cases.extend(doubled_fields(payload));
    cases.extend(hostile_names(payload));
    cases.extend(broken_bytes(payload, random));
    cases
}

/// What is bad without any payload behind it.
pub fn of_nothing() -> Vec<Malformed> {
    let texts: &[&str] = &[
        "",
        " ",
        "\n\n",
        "null",
        "true",
        "0",
        "-1e999",
        "\"text\"",
        "[]",
        "[{}]",
        "{}",
        "{",
        "}",
        "{]",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":1,}",
        "not json at all",
        "hook_event_name=Stop",
        "<xml/>",
        "{\"hook_event_name\":\"Stop\"",
        "\u{feff}{}",
        "{}{}{}",
        "{\"a\":\"\\q\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"unended",
        "// comment\n{}",
        "NaN",
        "{\"a\":NaN}",
        "{\"a\":1e99999}",
    ];
    let mut cases: Vec<Malformed> = texts.iter().map(|t| Malformed::new(format!("text {t:?}"), *t)).collect();
    cases.push(Malformed::new("only NUL", vec![0; 100]));
    cases.push(Malformed::new("only 0xff", vec![0xff; 100]));
    cases.push(Malformed::new("UTF-16", "{}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()));
    cases.push(Malformed::new("gzip", vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
    for depth in [100, 1_000, 10_000, 100_000] {
        let array = format!("{{\"hook_event_name\":\"Stop\",\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        cases.push(Malformed::new(format!("arrays nested {depth} deep"), array));
        let object =
            format!("{{\"hook_event_name\":\"Stop\",\"x\":{}1{}}}", "{\"a\":".repeat(depth), "}".repeat(depth));
        cases.push(Malformed::new(format!("objects nested {depth} deep"), object));
        cases.push(Malformed::new(format!("{depth} open braces"), "{\"a\":".repeat(depth)));
    }
    cases
}

/// Valid payloads of sizes that hurt: outputs of 1 to 32 MiB, and a diff of one line of 2 MB.
pub fn huge(call: &Value, edit: &Value) -> Vec<Malformed> {
    let mut cases = Vec::new();
    for mib in [1, 8, 32] {
        let mut payload = call.clone();
        let text = "0123456789abcde\n".repeat(mib << 16);
        let key = if payload.get("output").is_some() { "output" } else { "tool_response" };
        payload[key] = json!({"stdout": text, "stderr": "", "file": {"content": text}});
        cases.push(Malformed::new(format!("an output of twice {mib} MiB"), payload.to_string()));
    }
    let mut payload = edit.clone();
    let line = "x=1;".repeat(500_000);
    payload["tool_input"]["new_string"] = json!(line);
    payload["tool_response"]["newString"] = json!(line);
    payload["tool_response"]["structuredPatch"][0]["lines"] = json!(["-fn main() {}", format!("+{line}")]);
    cases.push(Malformed::new("a diff of one line of 2 MB", payload.to_string()));
    cases
}

/// The pointers of all fields, of nested ones too.
fn fields(value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(object) = value.as_object() else { return };
    for (key, inner) in object {
        let here = format!("{at}/{key}");
        fields(inner, &here, found);
        found.push(here);
    }
}

fn all_fields(payload: &Value) -> Vec<String> {
    let mut found = Vec::new();
    fields(payload, "", &mut found);
    found
}

fn wrong_types(payload: &Value) -> Vec<Malformed> {
    let wrong = [
        Value::Null,
        json!(true),
        json!(-1.5e300),
        json!([1, "two", null]),
        json!({"a": {"b": []}}),
        json!("text"),
        json!(""),
    ];
    let mut cases = Vec::new();
    for field in all_fields(payload) {
        for value in &wrong {
            let mut changed = payload.clone();
            if let Some(place) = changed.pointer_mut(&field) {
                *place = value.clone();
            }
            cases.push(Malformed::new(format!("{field} is {value}"), changed.to_string()));
        }
    }
    cases
}

fn missing_fields(payload: &Value) -> Vec<Malformed> {
    let all = payload.as_object().cloned().unwrap_or_default();
    all.keys().map(|key| Malformed::new(format!("no {key}"), without(&all, key).to_string())).collect()
}

fn without(fields: &Map<String, Value>, key: &str) -> Value {
    Value::Object(fields.iter().filter(|(k, _)| *k != key).map(|(k, v)| (k.clone(), v.clone())).collect())
}

fn doubled_fields(payload: &Value) -> Vec<Malformed> {
    let text = payload.to_string();
    let all = payload.as_object().cloned().unwrap_or_default();
    let doubled = all
        .keys()
        .map(|key| Malformed::new(format!("{key} twice"), text.replacen('{', &format!("{{\"{key}\":17,"), 1)));
    doubled.collect()
}

fn hostile_names(payload: &Value) -> Vec<Malformed> {
    let keys = [
        "session_id",
        "session",
        "cwd",
        "transcript_path",
        "tool_name",
        "tool",
        "tool_use_id",
        "hook_event_name",
        "event",
        "agent_id",
    ];
    let long = "x/".repeat(5_000);
    let mut cases = Vec::new();
    for name in HOSTILE.iter().copied().chain([long.as_str()]) {
        for key in keys.iter().filter(|k| payload.get(**k).is_some()) {
            let mut changed = payload.clone();
            changed[*key] = json!(name);
            cases.push(Malformed::new(format!("{key} is {name:.40?}"), changed.to_string()));
        }
        for path in ["/tool_input/file_path", "/tool_input/absolute_path", "/input/path", "/tool_input/command"] {
            let mut changed = payload.clone();
            if let Some(place) = changed.pointer_mut(path) {
                *place = json!(name);
                cases.push(Malformed::new(format!("{path} is {name:.40?}"), changed.to_string()));
            }
        }
    }
    cases
}

fn broken_bytes(payload: &Value, random: &mut Random) -> Vec<Malformed> {
    let whole = payload.to_string().into_bytes();
    let mut cases = Vec::new();
    for _ in 0..8 {
        let at = random.below(whole.len());
        cases.push(Malformed::new(format!("cut after {at} bytes"), &whole[..at]));
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << random.below(8);
        cases.push(Malformed::new(format!("a bit of byte {at} flipped"), flipped));
        for (what, junk) in [
            ("broken UTF-8", &b"\xff\xfe\xc3"[..]),
            ("NUL", b"\0\0"),
            ("half a pair", b"\\ud83d"),
            ("a control character", b"\x1b[31m"),
        ] {
            let mut spoiled = whole.clone();
            spoiled.splice(at..at, junk.iter().copied());
            cases.push(Malformed::new(format!("{what} at {at}"), spoiled));
        }
    }
    cases.push(Malformed::new("followed by junk", [whole.as_slice(), b" trailing {\"junk"].concat()));
    cases.push(Malformed::new("after a byte order mark", [b"\xef\xbb\xbf", whole.as_slice()].concat()));
    cases
}
