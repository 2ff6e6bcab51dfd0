//! The JSON door: every verb of a handle by its name, JSON text in and out. The bindings stand on it, so that each
//! language has the same verbs with the same forms (docs/wire.md).

use crate::capture::event::SessionId;
use crate::config::Config;
use crate::consolidate::ConsolidateOptions;
use crate::contradict::Change;
use crate::engram::{Background, Engram, Options};
use crate::error::{Error, ErrorKind, Result};
use crate::recall::Ask;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The verbs of [`call`], by their names on the wire.
pub const VERBS: &[&str] = &[
    "onSessionStart",
    "onUserPrompt",
    "onToolCall",
    "onStop",
    "onCompaction",
    "onSessionEnd",
    "retrieve",
    "checkContradiction",
    "consolidate",
    "flush",
    "remember",
    "importNotes",
    "status",
    "events",
    "node",
];

/// How a handle is opened, as JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct OpenForm {
    home: Option<PathBuf>,
    project: PathBuf,
    config: Option<Map<String, Value>>,
    background: BackgroundForm,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BackgroundForm {
    #[default]
    Worker,
    Caller,
}

/// Opens a handle as `{"project", "home"?, "config"?: {...}, "background"?: "worker" | "caller"}` says.
///
/// # Errors
/// `InvalidArgument` if the text is no such object, `Config` naming the first bad setting, and those of [`Engram::open`].
pub fn open(options: &str) -> Result<Engram> {
    let form: OpenForm = argument(options)?;
    let config = match form.config {
        None => None,
        Some(raw) => {
            let (config, mut errors) = Config::from_object(raw);
            if !errors.is_empty() {
                return Err(errors.swap_remove(0));
            }
            Some(config)
        }
    };
    let background = match form.background {
        BackgroundForm::Worker => Background::Worker,
        BackgroundForm::Caller => Background::Caller,
    };
    Engram::open(Options { home: form.home, project: form.project, config, background, ..Options::default() })
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AskForm {
    question: String,
    scope: ScopeForm,
    limit: Option<usize>,
    budget: Option<usize>,
    coverage: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ScopeForm {
    #[default]
    #[serde(alias = "project")]
    CurrentProject,
    All,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ChangeForm {
    path: String,
    diff: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct RunForm {
    session: Option<SessionId>,
    wait_ms: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LimitForm {
    timeout_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct NotesForm {
    notes: String,
}

#[derive(Debug, Deserialize)]
struct SessionForm {
    session: SessionId,
}

#[derive(Debug, Deserialize)]
struct NodeForm {
    id: String,
}

/// Calls a verb of `engram` with its arguments as one JSON object (empty text = no arguments); gives its JSON answer.
///
/// # Errors
/// `InvalidArgument` if there is no such verb or the arguments have another form, and those of the verb.
pub fn call(engram: &Engram, verb: &str, arguments: &str) -> Result<String> {
    match verb {
        "onSessionStart" => answer(&engram.on_session_start(&argument(arguments)?)?),
        "onUserPrompt" => answer(&engram.on_user_prompt(&argument(arguments)?)?),
        "onToolCall" => answer(&engram.on_tool_call(&argument(arguments)?)?),
        "onStop" => answer(&engram.on_stop(&argument(arguments)?)?),
        "onCompaction" => answer(&engram.on_compaction(&argument(arguments)?)?),
        "onSessionEnd" => answer(&engram.on_session_end(&argument(arguments)?)?),
        "retrieve" => retrieve(engram, &argument(arguments)?),
        "checkContradiction" => {
            let form: ChangeForm = argument(arguments)?;
            answer(&engram.check_contradiction(&Change { path: &form.path, diff: &form.diff })?)
        }
        "consolidate" => consolidate(engram, argument(arguments)?),
        "flush" => {
            let form: LimitForm = argument(arguments)?;
            answer(&json!({"done": engram.flush(millis(form.timeout_ms, 10_000))}))
        }
        "remember" => answer(&engram.remember(&argument(arguments)?)?),
        "importNotes" => answer(&engram.import_notes(argument::<NotesForm>(arguments)?.notes.as_bytes())?),
        "status" => answer(&engram.status()?),
        "events" => events(engram, &argument(arguments)?),
        "node" => answer(&engram.node(&argument::<NodeForm>(arguments)?.id)?),
        other => Err(Error::invalid(format!("there is no verb \"{other}\"; the verbs are {}", VERBS.join(", ")))),
    }
}

fn retrieve(engram: &Engram, form: &AskForm) -> Result<String> {
    if form.question.trim().is_empty() {
        return Err(Error::invalid("the question is empty"));
    }
    let mut ask = Ask::question(form.question.clone(), form.limit.unwrap_or(10));
    ask.budget = form.budget.unwrap_or(ask.budget);
    ask.coverage = form.coverage.unwrap_or(ask.coverage);
    answer(&match form.scope {
        ScopeForm::CurrentProject => engram.retrieve(&ask)?,
        ScopeForm::All => engram.retrieve_everywhere(&ask)?,
    })
}

fn consolidate(engram: &Engram, form: RunForm) -> Result<String> {
    let options = ConsolidateOptions { session: form.session, wait: millis(form.wait_ms, 60_000) };
    answer(&engram.consolidate(&options, &mut |_, _| {})?)
}

fn events(engram: &Engram, form: &SessionForm) -> Result<String> {
    let reading = engram.events(&form.session)?;
    let events: Vec<_> = reading.records.into_iter().map(|r| r.event).collect();
    answer(&json!({"events": events, "damagedLines": reading.damage.lines}))
}

fn millis(given: Option<u64>, default: u64) -> Duration {
    Duration::from_millis(given.unwrap_or(default))
}

fn argument<T: DeserializeOwned>(text: &str) -> Result<T> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    serde_json::from_str(text)
        .map_err(|e| Error::invalid("the arguments are not the JSON object that is asked for").with_source(e))
}

fn answer(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|e| Error::new(ErrorKind::Corrupt, "an answer has no JSON form").with_source(e))
}
