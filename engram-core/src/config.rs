//! Settings: one table is the truth for names, types, defaults, ranges and help.

use crate::error::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// How much an acknowledged event survives (D5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// Crash and kill -9 of any process: the write alone.
    Process,
    /// Power loss too: the write, then fdatasync; the directory too when the file is new.
    #[default]
    Power,
}

/// What engram does when a change contradicts a decision (D20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContradictionMode {
    /// Says so beside the tool's result; never blocks.
    #[default]
    Advise,
    /// Denies a direct contradiction once; the same change again passes.
    Confirm,
    /// Lets the harness ask the user.
    Ask,
    /// Checks nothing.
    Off,
}

/// Token budgets of one injection each (D9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct InjectionBudget {
    /// At the start of a session.
    pub session_start: usize,
    /// With a prompt.
    pub prompt: usize,
    /// At the first read of a file.
    pub annotation: usize,
    /// One warning.
    pub warning: usize,
}

impl Default for InjectionBudget {
    fn default() -> Self {
        InjectionBudget { session_start: 1000, prompt: 800, annotation: 200, warning: 200 }
    }
}

/// Every setting of `config.json`, validated. [`SETTINGS`] describes each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
#[allow(missing_docs, reason = "SETTINGS holds the one description of each")]
pub struct Config {
    pub llm_provider: String,
    pub llm_base_url: String,
    pub llm_command: String,
    pub embedding_provider: String,
    pub embedding_model: String,
    pub embedding_base_url: String,
    pub consolidation_model: String,
    pub episode_extraction_model: String,
    pub contradiction_model: String,
    pub decay_factor: f64,
    pub activation_threshold: f64,
    pub window_size: usize,
    pub window_overlap: usize,
    pub min_events_for_full_consolidation: usize,
    pub contradiction_strength_threshold: f64,
    pub max_contradiction_failures: u32,
    pub contradiction_mode: ContradictionMode,
    pub probe_timeout_ms: u64,
    pub durability: Durability,
    pub token_budget_per_day: u64,
    pub injection_budget: InjectionBudget,
    pub ignore: Vec<String>,
    pub capture: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            llm_provider: "offline".into(),
            llm_base_url: String::new(),
            llm_command: String::new(),
            embedding_provider: "builtin".into(),
            embedding_model: "engram-static-128".into(),
            embedding_base_url: String::new(),
            consolidation_model: "claude-sonnet-4-6".into(),
            episode_extraction_model: "claude-opus-4-6".into(),
            contradiction_model: "claude-haiku-4-5".into(),
            decay_factor: 0.6,
            activation_threshold: 0.1,
            window_size: 10,
            window_overlap: 3,
            min_events_for_full_consolidation: 3,
            contradiction_strength_threshold: 0.3,
            max_contradiction_failures: 3,
            contradiction_mode: ContradictionMode::Advise,
            probe_timeout_ms: 30_000,
            durability: Durability::Power,
            token_budget_per_day: 200_000,
            injection_budget: InjectionBudget::default(),
            ignore: Vec::new(),
            capture: true,
        }
    }
}

/// What a setting may hold.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Allowed {
    /// Any text.
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A number from the first to the second, both included.
    Number(f64, f64),
    /// A whole number from the first to the second, both included.
    Whole(u64, u64),
    /// `true` or `false`.
    Flag,
    /// A list of texts.
    List,
    /// An object of the four budgets, in tokens.
    Budgets,
}

/// One row of [`SETTINGS`].
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The key in `config.json`; the environment variable is `ENGRAM_` and this in upper snake case.
    pub name: &'static str,
    /// What it may hold.
    pub allowed: Allowed,
    /// One line of help.
    pub help: &'static str,
}

const fn setting(name: &'static str, allowed: Allowed, help: &'static str) -> Setting {
    Setting { name, allowed, help }
}

/// Every setting there is. The defaults are those of [`Config::default`].
pub const SETTINGS: &[Setting] = &[
    setting(
        "llmProvider",
        Allowed::OneOf(&["offline", "anthropic", "openai", "command"]),
        "language model that consolidates; offline uses rules only",
    ),
    setting("llmBaseUrl", Allowed::Text, "address of the language model's API; empty = the provider's own"),
    setting("llmCommand", Allowed::Text, "program that answers prompts when llmProvider is command"),
    setting(
        "embeddingProvider",
        Allowed::OneOf(&["builtin", "anthropic", "voyage", "openai", "ollama"]),
        "what turns text into vectors; anthropic means Voyage",
    ),
    setting("embeddingModel", Allowed::Text, "model of the embedding provider"),
    setting("embeddingBaseUrl", Allowed::Text, "address of the embedding API; empty = the provider's own"),
    setting("consolidationModel", Allowed::Text, "model of pass 1, the window summaries"),
    setting("episodeExtractionModel", Allowed::Text, "model of pass 2, the episode"),
    setting("contradictionModel", Allowed::Text, "model that judges changes against decisions"),
    setting("decayFactor", Allowed::Number(0.0, 1.0), "share of activation that one hop passes on"),
    setting("activationThreshold", Allowed::Number(0.0, 1.0), "notes activated less than this are not recalled"),
    setting("windowSize", Allowed::Whole(2, 100), "events in one summary window"),
    setting("windowOverlap", Allowed::Whole(0, 50), "events that neighbouring windows share"),
    setting(
        "minEventsForFullConsolidation",
        Allowed::Whole(1, 1000),
        "fewer events than this, all of them talk, get the light pass",
    ),
    setting("contradictionStrengthThreshold", Allowed::Number(0.0, 1.0), "weaker decisions are not checked against"),
    setting(
        "maxContradictionFailures",
        Allowed::Whole(1, 100),
        "failed model checks in a row that switch the check off for a session",
    ),
    setting(
        "contradictionMode",
        Allowed::OneOf(&["advise", "confirm", "ask", "off"]),
        "what happens when a change contradicts a decision",
    ),
    setting("probeTimeoutMs", Allowed::Whole(100, 600_000), "longest wait for one model answer, in milliseconds"),
    setting(
        "durability",
        Allowed::OneOf(&["process", "power"]),
        "what an acknowledged event survives: a killed process, or power loss too",
    ),
    setting("tokenBudgetPerDay", Allowed::Whole(0, u64::MAX), "model tokens a day; 0 = none"),
    setting("injectionBudget", Allowed::Budgets, "tokens of one injection: sessionStart, prompt, annotation, warning"),
    setting("ignore", Allowed::List, "globs of paths that are never captured"),
    setting("capture", Allowed::Flag, "false stops capture; recall goes on"),
];

impl Config {
    /// Reads `{home}/config.json` and lays `ENGRAM_*` variables over it.
    ///
    /// A missing or unreadable file, an unknown key and a bad value each give the default and one warning; they are
    /// never fatal, since a hook must go on (a command may choose to refuse).
    pub fn load(home: &Path) -> (Config, Vec<Error>) {
        let mut warnings = Vec::new();
        let path = home.join("config.json");
        let mut raw = match std::fs::read(&path) {
            Ok(bytes) => parse_object(&bytes, &path).unwrap_or_else(|e| {
                warnings.push(e);
                Map::new()
            }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Map::new(),
            Err(e) => {
                warnings.push(Error::io("read", &path, e));
                Map::new()
            }
        };
        for s in SETTINGS {
            if let Some(text) = std::env::var(env_name(s.name)).ok().filter(|t| !t.is_empty()) {
                raw.insert(s.name.to_owned(), env_value(s.allowed, &text));
            }
        }
        let (config, more) = Config::from_object(raw);
        warnings.extend(more);
        (config, warnings)
    }

    /// Builds a config from the keys of one JSON object; each bad or unknown key keeps its default and gives an error.
    pub fn from_object(raw: Map<String, Value>) -> (Config, Vec<Error>) {
        let mut good = Map::new();
        let mut errors = Vec::new();
        for (name, value) in raw {
            match SETTINGS.iter().find(|s| s.name == name) {
                None => errors.push(Error::new(ErrorKind::Config, format!("unknown setting \"{name}\""))),
                Some(s) => match s.allowed.check(&value) {
                    Ok(()) => {
                        good.insert(name, value);
                    }
                    Err(rule) => {
                        errors.push(Error::new(ErrorKind::Config, format!("setting \"{name}\" {rule}, not {value}")))
                    }
                },
            }
        }
        let config = serde_json::from_value::<Config>(Value::Object(good)).unwrap_or_else(|e| {
            errors.push(Error::new(ErrorKind::Config, "settings could not be read").with_source(e));
            Config::default()
        });
        (config.coherent(&mut errors), errors)
    }

    fn coherent(mut self, errors: &mut Vec<Error>) -> Config {
        if self.window_overlap >= self.window_size {
            let detail =
                format!("windowOverlap {} must be smaller than windowSize {}", self.window_overlap, self.window_size);
            errors.push(Error::new(ErrorKind::Config, detail));
            let defaults = Config::default();
            (self.window_size, self.window_overlap) = (defaults.window_size, defaults.window_overlap);
        }
        self
    }
}

fn parse_object(bytes: &[u8], path: &Path) -> Result<Map<String, Value>> {
    serde_json::from_slice(bytes).map_err(|e| {
        Error::new(ErrorKind::Config, format!("\"{}\" is not a JSON object; defaults are used", path.display()))
            .with_source(e)
    })
}

fn env_value(allowed: Allowed, text: &str) -> Value {
    match allowed {
        Allowed::Text | Allowed::OneOf(_) => Value::String(text.to_owned()),
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    }
}

/// Where engram keeps its data: `ENGRAM_HOME`, or `.engram` in the user's home.
///
/// # Errors
/// `Config` if neither variable is set.
pub fn default_home() -> Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("ENGRAM_HOME").or_else(|| set("HOME").map(|home| home.join(".engram"))).ok_or_else(|| {
        Error::new(ErrorKind::Config, "neither ENGRAM_HOME nor HOME is set; set ENGRAM_HOME to a folder of yours")
    })
}

/// The environment variable that overrides a setting: `llmProvider` gives `ENGRAM_LLM_PROVIDER`.
pub fn env_name(setting: &str) -> String {
    setting.chars().fold(String::from("ENGRAM_"), |mut name, c| {
        if c.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(c.to_ascii_uppercase());
        name
    })
}

impl Allowed {
    /// `Err` says the rule that `value` breaks.
    fn check(self, value: &Value) -> std::result::Result<(), String> {
        let ok = match self {
            Allowed::Text => value.is_string(),
            Allowed::OneOf(words) => value.as_str().is_some_and(|v| words.contains(&v)),
            Allowed::Number(low, high) => value.as_f64().is_some_and(|v| (low..=high).contains(&v)),
            Allowed::Whole(low, high) => value.as_u64().is_some_and(|v| (low..=high).contains(&v)),
            Allowed::Flag => value.is_boolean(),
            Allowed::List => value.as_array().is_some_and(|a| a.iter().all(Value::is_string)),
            Allowed::Budgets => serde_json::from_value::<InjectionBudget>(value.clone()).is_ok(),
        };
        if ok { Ok(()) } else { Err(self.rule()) }
    }

    /// The rule in words, for errors and tables.
    pub fn rule(self) -> String {
        match self {
            Allowed::Text => "must be a text".into(),
            Allowed::OneOf(words) => format!("must be one of {}", words.join(", ")),
            Allowed::Number(low, high) => format!("must be a number from {low} to {high}"),
            Allowed::Whole(low, u64::MAX) => format!("must be a whole number of at least {low}"),
            Allowed::Whole(low, high) => format!("must be a whole number from {low} to {high}"),
            Allowed::Flag => "must be true or false".into(),
            Allowed::List => "must be a list of texts".into(),
            Allowed::Budgets => "must be an object of sessionStart, prompt, annotation and warning in tokens".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_exactly_the_fields_of_config() {
        let Value::Object(fields) = serde_json::to_value(Config::default()).unwrap() else { panic!("not an object") };
        let table: Vec<&str> = SETTINGS.iter().map(|s| s.name).collect();
        let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let mut sorted = table.clone();
        names.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(names, sorted);
        for s in SETTINGS {
            assert_eq!(s.allowed.check(&fields[s.name]), Ok(()), "default of {}", s.name);
        }
    }

    #[test]
    fn a_bad_value_keeps_the_default_and_says_the_rule() {
        let raw = serde_json::json!({"decayFactor": 7, "windowSize": 12, "colour": 1});
        let (config, errors) = Config::from_object(raw.as_object().unwrap().clone());
        assert_eq!((config.decay_factor, config.window_size), (0.6, 12));
        let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(text, ["setting \"decayFactor\" must be a number from 0 to 1, not 7", "unknown setting \"colour\""]);
    }

    #[test]
    fn environment_names_are_upper_snake_case() {
        assert_eq!(env_name("llmProvider"), "ENGRAM_LLM_PROVIDER");
        assert_eq!(env_name("tokenBudgetPerDay"), "ENGRAM_TOKEN_BUDGET_PER_DAY");
    }
}
