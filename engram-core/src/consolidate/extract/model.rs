//! The language model's extraction: the events of a stretch as a prompt, its answer as memories. The answer is checked
//! whole before anything is made of it (I11).

use super::candidate::{Candidate, worth};
use crate::capture;
use crate::capture::event::EventBody;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::episode::Outcome;
use crate::graph::node::{NodeType, base};
use crate::log::Record;
use crate::models::Completion;
use crate::text;
use serde::Deserialize;
use serde_json::json;

const INSTRUCTIONS: &str = include_str!("episode.md");
/// Most of a log that is asked about at once, in bytes; the oldest of more is left out.
const LONGEST_LOG: usize = 96 * 1024;
/// Longest line of it.
const LONGEST_LINE: usize = 2_000;
/// Most memories of one kind in one answer.
const MOST: usize = 40;
/// Longest text of a memory, in bytes.
const LONGEST: usize = 2_000;
const MAX_TOKENS: u32 = 4_000;

/// What the model found.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Extraction {
    pub(super) worth_remembering: bool,
    pub(super) goal: String,
    pub(super) approach: String,
    pub(super) outcome: Outcome,
    discoveries: Vec<Found>,
    decisions: Vec<Decided>,
    errors: Vec<Wrong>,
}

#[derive(Debug, Deserialize)]
struct Found {
    text: String,
    confidence: f64,
    #[serde(default)]
    files: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Decided {
    text: String,
    explicit: bool,
    #[serde(default)]
    rationale: String,
    #[serde(default)]
    rejected: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wrong {
    signature: String,
    #[serde(default)]
    root_cause: String,
    #[serde(default)]
    resolution: String,
    #[serde(default)]
    files: Vec<String>,
}

/// The request for a stretch.
pub(super) fn request(records: &[Record]) -> Completion {
    let mut lines: Vec<String> = records.iter().filter(|r| !is_ours(r)).filter_map(line).collect();
    let mut room = LONGEST_LOG;
    let kept = lines.iter().rev().take_while(|l| take(&mut room, l.len() + 1)).count();
    let recent = lines.split_off(lines.len() - kept);
    Completion {
        system: INSTRUCTIONS.to_owned(),
        prompt: format!("<log>\n{}\n</log>", recent.join("\n")),
        max_tokens: MAX_TOKENS,
        schema: Some(schema()),
    }
}

fn is_ours(record: &Record) -> bool {
    matches!(record.event.body, EventBody::Injected { .. })
}

fn line(record: &Record) -> Option<String> {
    let text = serde_json::to_string(&record.event).ok()?;
    // Redacted when it was stored; once more on its way out (I22). No text of the log ends the frame.
    let text = capture::redact(&text).replace("</log>", "< /log>");
    Some(text::clip_marked(&text, LONGEST_LINE))
}

fn take(room: &mut usize, size: usize) -> bool {
    room.checked_sub(size).map(|left| *room = left).is_some()
}

fn schema() -> serde_json::Value {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    let list = |properties: serde_json::Value, required: &[&str]| {
        json!({"type": "array", "maxItems": MOST, "items":
            {"type": "object", "properties": properties, "required": required, "additionalProperties": false}})
    };
    let confidence = json!({"type": "number", "minimum": 0, "maximum": 1});
    json!({
        "type": "object",
        "properties": {
            "worthRemembering": {"type": "boolean"},
            "goal": text,
            "approach": text,
            "outcome": {"type": "string", "enum": ["success", "partial", "failure"]},
            "discoveries": list(json!({"text": text, "confidence": confidence, "files": texts}), &["text", "confidence"]),
            "decisions": list(
                json!({"text": text, "explicit": {"type": "boolean"}, "rationale": text, "rejected": texts, "files": texts}),
                &["text", "explicit"],
            ),
            "errors": list(
                json!({"signature": text, "rootCause": text, "resolution": text, "files": texts}),
                &["signature"],
            ),
        },
        "required": ["worthRemembering", "goal", "approach", "outcome", "discoveries", "decisions", "errors"],
        "additionalProperties": false,
    })
}

/// Reads an answer.
///
/// # Errors
/// `ModelReply` naming what is not as asked.
pub(super) fn read(model: &str, reply: &str) -> Result<Extraction> {
    let wrong = |what: &str| Error::new(ErrorKind::ModelReply, format!("language model \"{model}\" {what}"));
    let mut found: Extraction = serde_json::from_str(unfenced(reply))
        .map_err(|e| wrong("did not answer with an episode of the schema").with_source(e))?;
    let lengths = [found.discoveries.len(), found.decisions.len(), found.errors.len()];
    if lengths.iter().any(|n| *n > MOST) {
        return Err(wrong(&format!("answered with more than {MOST} memories of one kind")));
    }
    if found.discoveries.iter().any(|d| !(0.0..=1.0).contains(&d.confidence)) {
        return Err(wrong("gave a confidence that is not from 0 to 1"));
    }
    found.goal = clean(&found.goal);
    found.approach = clean(&found.approach);
    if found.worth_remembering && found.goal.is_empty() {
        return Err(wrong("gave an episode without a goal"));
    }
    Ok(found)
}

/// JSON that a model put into a code block.
fn unfenced(reply: &str) -> &str {
    let inner = reply.trim().strip_prefix("```").and_then(|r| r.strip_suffix("```"));
    inner.map_or(reply, |r| r.strip_prefix("json").unwrap_or(r)).trim()
}

fn clean(text: &str) -> String {
    capture::safe_text(text.trim(), LONGEST)
}

fn paths(files: &[String]) -> Vec<String> {
    files.iter().filter(|f| !f.trim().is_empty()).map(|f| capture::safe_path(f.trim())).collect()
}

impl Extraction {
    /// The memories, as candidates. A model reads them out of text: they are inferred, whatever they say (D10).
    pub(super) fn candidates(&self, turn: usize) -> Vec<Candidate> {
        let decisions = self.decisions.iter().filter_map(|d| decided(d, turn));
        let discoveries = self.discoveries.iter().filter_map(|d| discovered(d, turn));
        decisions.chain(discoveries).chain(self.errors.iter().filter_map(|e| went_wrong(e, turn))).collect()
    }
}

fn decided(found: &Decided, turn: usize) -> Option<Candidate> {
    let said = clean(&found.text);
    let why = clean(&found.rationale);
    let told = match why.is_empty() || said.contains(&why) {
        true => said.clone(),
        false => format!("{} (because {why})", said.trim_end_matches('.')),
    };
    let mut made = Candidate::decision(&told, &said, worth::AGENT, turn).named(&said).files(paths(&found.files));
    made.node.base = if found.explicit { base::EXPLICIT } else { base::IMPLICIT };
    let claim = made.node.claim.get_or_insert_with(Default::default);
    claim.rationale = why;
    claim.rejected.extend(found.rejected.iter().map(|r| clean(r)).filter(|r| !r.is_empty()));
    claim.rejected.dedup();
    (!said.is_empty()).then_some(made)
}

fn discovered(found: &Found, turn: usize) -> Option<Candidate> {
    let text = clean(&found.text);
    let made = Candidate::new(NodeType::Finding, &text, worth::FINDING, turn).files(paths(&found.files));
    (!text.is_empty()).then_some(made)
}

fn went_wrong(found: &Wrong, turn: usize) -> Option<Candidate> {
    let signature = clean(&found.signature);
    let parts = [signature.clone(), clean(&found.root_cause), clean(&found.resolution)];
    let told: Vec<&str> = parts.iter().filter(|p| !p.is_empty()).map(|p| p.trim_end_matches('.')).collect();
    let mut made = Candidate::new(NodeType::Error, &format!("{}.", told.join(". ")), worth::CHAIN, turn)
        .named(&signature)
        .files(paths(&found.files));
    let [_, cause, resolution] = parts;
    (made.cause, made.resolution) = (cause, resolution);
    (!signature.is_empty()).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"worthRemembering": true, "goal": "Fix the total", "approach": "cents", "outcome": "success",
        "discoveries": [{"text": "Floats drift in sums", "confidence": 0.9}],
        "decisions": [{"text": "Keep money in integer cents", "explicit": true, "rationale": "floats drift", "files": ["cart.py"]}],
        "errors": [{"signature": "test_total fails", "rootCause": "float sums"}]}"#;

    #[test]
    fn an_answer_of_the_schema_becomes_memories() {
        for reply in [GOOD.to_owned(), format!("```json\n{GOOD}\n```")] {
            let all = read("m", &reply).unwrap().candidates(0);
            let told: Vec<&str> = all.iter().map(|c| c.node.description.as_str()).collect();
            let expected = [
                "Keep money in integer cents (because floats drift)",
                "Floats drift in sums",
                "test_total fails. float sums.",
            ];
            assert_eq!(told, expected);
            assert_eq!(all[0].node.files, ["cart.py"]);
        }
    }

    #[test]
    fn anything_else_is_a_model_reply_error_that_names_the_model() {
        let outside = GOOD.replace("0.9", "7");
        let goalless = GOOD.replace("Fix the total", " ");
        let many = GOOD.replace(
            r#"[{"text": "Floats drift in sums", "confidence": 0.9}]"#,
            &format!("[{}]", vec![r#"{"text": "x", "confidence": 1}"#; MOST + 1].join(",")),
        );
        let odd = GOOD.replace("success", "splendid");
        for reply in ["", "I cannot do that", "{}", "[]", "null", &outside, &goalless, &many, &odd, &GOOD[..90]] {
            let error = read("m", reply).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ModelReply, "{reply}");
            assert!(error.to_string().contains("\"m\""), "{error}");
        }
    }
}
