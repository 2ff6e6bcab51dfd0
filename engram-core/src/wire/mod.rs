//! The JSON door: every verb of a handle by its name, JSON text in and out. The bindings stand on it, so that each
//! language has the same verbs with the same forms (docs/wire.md).

use crate::capture::call::Observation;
use crate::capture::event::SessionId;
use crate::config::Config;
use crate::consolidate::ConsolidateOptions;
use crate::contradict::Change;
use crate::engram::{Background, Engram, Options};
use crate::error::{Error, ErrorKind, Result};
use crate::models::{Embedder, HostCall, HostEmbedder, HostLanguageModel, LanguageModel};
use crate::recall::Ask;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

mod guard;
pub use guard::{Failure, PANIC, guarded};

/// The verbs of [`call`], by their names on the wire.
pub const VERBS: &[&str] = &[
    "onSessionStart",
    "onUserPrompt",
    "onToolCall",
    "onDecision",
    "onStop",
    "onCompaction",
    "onSessionEnd",
    "retrieve",
    "search",
    "checkContradiction",
    "consolidate",
    "flush",
    "remember",
    "forget",
    "importNotes",
    "importSession",
    "status",
    "events",
    "node",
    "graph",
    "probe",
];

/// The host's own models, as functions from JSON to JSON.
#[derive(Clone, Default)]
pub struct Hosts {
    /// Completes prompts ([`HostLanguageModel`]).
    pub language_model: Option<HostCall>,
    /// Makes vectors ([`HostEmbedder`]).
    pub embedder: Option<HostCall>,
}

impl std::fmt::Debug for Hosts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hosts")
            .field("language_model", &self.language_model.is_some())
            .field("embedder", &self.embedder.is_some())
            .finish()
    }
}

/// How a handle is opened, as JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct OpenForm {
    home: Option<PathBuf>,
    project: PathBuf,
    config: Option<Map<String, Value>>,
    background: BackgroundForm,
    language_model: Option<LanguageModelForm>,
    embedder: Option<EmbedderForm>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageModelForm {
    name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EmbedderForm {
    model: String,
    dimensions: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum BackgroundForm {
    #[default]
    Worker,
    Caller,
}

/// Opens a handle as `{"project", "home"?, "config"?: {...}, "background"?: "worker" | "caller",
/// "languageModel"?: {"name"}, "embedder"?: {"model", "dimensions"}}` says. The two models are named here and answer
/// through `hosts`.
///
/// # Errors
/// `InvalidArgument` if the text is no such object or a model has a name and no function, or the reverse; `Config` naming
/// the first bad setting; and those of [`Engram::open`].
pub fn open(options: &str, hosts: Hosts) -> Result<Engram> {
    let form: OpenForm = argument(options)?;
    let config = form.config.map(config).transpose()?;
    let background = match form.background {
        BackgroundForm::Worker => Background::Worker,
        BackgroundForm::Caller => Background::Caller,
    };
    let language_model = match pair("languageModel", form.language_model, hosts.language_model)? {
        None => None,
        Some((form, call)) => Some(Arc::new(HostLanguageModel::new(form.name, call)?) as Arc<dyn LanguageModel>),
    };
    let embedder = match pair("embedder", form.embedder, hosts.embedder)? {
        None => None,
        Some((form, call)) => {
            Some(Arc::new(HostEmbedder::new(form.model, form.dimensions, call)?) as Arc<dyn Embedder>)
        }
    };
    let (home, project) = (form.home, form.project);
    Engram::open(Options { home, project, config, background, language_model, embedder, ..Options::default() })
}

/// Settings that a program gives: unlike those of a file, a bad one is refused.
fn config(raw: Map<String, Value>) -> Result<Config> {
    let (config, errors) = Config::from_object(raw);
    errors.into_iter().next().map_or(Ok(config), Err)
}

fn pair<T>(name: &str, form: Option<T>, call: Option<HostCall>) -> Result<Option<(T, HostCall)>> {
    match (form, call) {
        (None, None) => Ok(None),
        (Some(form), Some(call)) => Ok(Some((form, call))),
        (Some(_), None) => Err(Error::invalid(format!("{name} is described, but no function for it was passed"))),
        (None, Some(_)) => Err(Error::invalid(format!("a function was passed for {name}, which is not described"))),
    }
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
#[serde(rename_all = "camelCase")]
struct NotesForm {
    notes: String,
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Deserialize)]
struct SessionLogForm {
    session: SessionId,
    #[serde(default)]
    root: String,
    observed: Vec<Observation>,
}

#[derive(Debug, Deserialize)]
struct SessionForm {
    session: SessionId,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StatusForm {
    session: Option<SessionId>,
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
    engram.own_process()?;
    match verb {
        "onSessionStart" => answer(&engram.on_session_start(&argument(arguments)?)?),
        "onUserPrompt" => answer(&engram.on_user_prompt(&argument(arguments)?)?),
        "onToolCall" => answer(&engram.on_tool_call(&argument(arguments)?)?),
        "onDecision" => answer(&engram.on_decision(&argument(arguments)?)?),
        "onStop" => answer(&engram.on_stop(&argument(arguments)?)?),
        "onCompaction" => answer(&engram.on_compaction(&argument(arguments)?)?),
        "onSessionEnd" => answer(&engram.on_session_end(&argument(arguments)?)?),
        "retrieve" => retrieve(engram, &argument(arguments)?),
        "search" => search(engram, &argument(arguments)?),
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
        "forget" => answer(&engram.forget(&argument(arguments)?)?),
        "importNotes" => import_notes(engram, &argument(arguments)?),
        "importSession" => {
            let form: SessionLogForm = argument(arguments)?;
            answer(&json!({"events": engram.import_session(&form.session, &form.root, &form.observed)?}))
        }
        "status" => status(engram, argument(arguments)?),
        "events" => events(engram, &argument(arguments)?),
        "node" => answer(&engram.node(&argument::<NodeForm>(arguments)?.id)?),
        "graph" => answer(&engram.graph()?),
        "probe" => answer(&engram.probe()?),
        // What a bug would do, for the tests of the bindings' boundaries; no release has it.
        #[cfg(debug_assertions)]
        #[allow(clippy::panic, reason = "its purpose")]
        "panicForTests" => panic!("asked to panic"),
        other => Err(Error::invalid(format!("there is no verb \"{other}\"; the verbs are {}", VERBS.join(", ")))),
    }
}

fn status(engram: &Engram, form: StatusForm) -> Result<String> {
    let mut report = form_of(&engram.status()?)?;
    if let Some(session) = form.session {
        report["session"] = form_of(&engram.session_report(&session)?)?;
    }
    answer(&report)
}

impl AskForm {
    fn ask(&self) -> Result<Ask> {
        if self.question.trim().is_empty() {
            return Err(Error::invalid("the question is empty"));
        }
        let mut ask = Ask::question(self.question.clone(), self.limit.unwrap_or(10));
        ask.budget = self.budget.unwrap_or(ask.budget);
        ask.coverage = self.coverage.unwrap_or(ask.coverage);
        Ok(ask)
    }
}

fn search(engram: &Engram, form: &AskForm) -> Result<String> {
    answer(&json!({"items": engram.search(&form.ask()?)?}))
}

fn import_notes(engram: &Engram, form: &NotesForm) -> Result<String> {
    match form.dry_run {
        true => answer(&json!({"notes": engram.check_notes(form.notes.as_bytes())?})),
        false => answer(&engram.import_notes(form.notes.as_bytes())?),
    }
}

fn retrieve(engram: &Engram, form: &AskForm) -> Result<String> {
    let ask = form.ask()?;
    answer(&match form.scope {
        ScopeForm::CurrentProject => engram.retrieve(&ask)?,
        ScopeForm::All => engram.retrieve_everywhere(&ask)?,
    })
}

fn consolidate(engram: &Engram, form: RunForm) -> Result<String> {
    let options = ConsolidateOptions { session: form.session, except: None, wait: millis(form.wait_ms, 60_000) };
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

fn form_of(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|e| Error::new(ErrorKind::Corrupt, "an answer has no JSON form").with_source(e))
}

fn answer(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|e| Error::new(ErrorKind::Corrupt, "an answer has no JSON form").with_source(e))
}
