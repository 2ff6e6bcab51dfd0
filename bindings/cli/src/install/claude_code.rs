//! Claude Code's `settings.json`.

use super::Plan;
use engram_core::{Error, ErrorKind, Result};
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// One hook that engram needs.
struct Hook {
    event: &'static str,
    /// Whether Claude Code matches it against tool names.
    of_tools: bool,
    /// Seconds.
    timeout: u64,
}

const fn hook(event: &'static str, of_tools: bool, timeout: u64) -> Hook {
    Hook { event, of_tools, timeout }
}

const HOOKS: &[Hook] = &[
    hook("SessionStart", false, 10),
    hook("UserPromptSubmit", false, 5),
    hook("PostToolUse", true, 5),
    hook("PostToolUseFailure", true, 5),
    hook("Stop", false, 5),
    hook("SubagentStop", false, 5),
    hook("PreCompact", false, 5),
    hook("SessionEnd", false, 1),
];

const HARNESS: &str = "claude-code";

/// The user's settings file: `CLAUDE_CONFIG_DIR/settings.json`, or `~/.claude/settings.json`. `None` without a home folder.
pub fn user_settings() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
    let folder = named("CLAUDE_CONFIG_DIR").or_else(|| named("HOME").map(|h| h.join(".claude")));
    folder.map(|f| f.join("settings.json"))
}

/// The settings file of one project that is not shared with others.
pub fn local_settings(project: &Path) -> PathBuf {
    project.join(".claude").join("settings.local.json")
}

/// What becomes of a settings file of that text when engram's hooks are put in; `hook_path` is where `engram-hook` is.
///
/// Pure. An empty text is an empty file. A hook of engram's that is there already is kept where it stands, with what the
/// user changed about it; only the program's path and arguments are brought up to date, and repeats taken out.
///
/// # Errors
/// `Config` if the text is no JSON object, or `hooks` has a form that Claude Code does not know.
pub fn plan(existing_text: &str, hook_path: &Path) -> Result<Plan> {
    let mut draft = Draft::read(existing_text)?;
    let command = hook_path.to_string_lossy();
    for hook in HOOKS {
        draft.put(hook, &command)?;
    }
    Ok(draft.finish(existing_text))
}

/// What becomes of a settings file of that text when engram's hooks are taken out. Pure.
///
/// # Errors
/// As [`plan`].
pub fn plan_removal(existing_text: &str) -> Result<Plan> {
    let mut draft = Draft::read(existing_text)?;
    draft.take_out()?;
    Ok(draft.finish(existing_text))
}

/// Settings while they are being changed.
struct Draft {
    settings: Map<String, Value>,
    before: Map<String, Value>,
    added: Vec<&'static str>,
    summary: Vec<String>,
}

impl Draft {
    fn read(text: &str) -> Result<Draft> {
        let json = text.trim_start_matches('\u{feff}');
        let parsed = if json.trim().is_empty() { Ok(json!({})) } else { serde_json::from_str(json) };
        match parsed {
            Ok(Value::Object(settings)) => {
                Ok(Draft { before: settings.clone(), settings, added: Vec::new(), summary: Vec::new() })
            }
            Ok(_) => Err(bad("it holds no JSON object".to_owned())),
            Err(e) => {
                Err(bad(format!("it is not valid JSON (line {}); mend it and try again", e.line())).with_source(e))
            }
        }
    }

    /// The groups of one event, made if they are not there.
    fn groups(&mut self, event: &str) -> Result<&mut Vec<Value>> {
        let hooks = self.settings.entry("hooks").or_insert_with(|| json!({}));
        let hooks = hooks.as_object_mut().ok_or_else(|| bad("\"hooks\" in it is no object".to_owned()))?;
        let groups = hooks.entry(event).or_insert_with(|| json!([]));
        groups.as_array_mut().ok_or_else(|| bad(format!("\"hooks.{event}\" in it is no list")))
    }

    fn put(&mut self, hook: &Hook, command: &str) -> Result<()> {
        let groups = self.groups(hook.event)?;
        let mut known = handlers(groups).filter(|h| is_ours(h));
        let Some(first) = known.next() else {
            drop(known);
            groups.push(group(hook, command));
            self.added.push(hook.event);
            self.summary.push(format!("+ {}: {command} {HARNESS} (at most {} s)", hook.event, hook.timeout));
            return Ok(());
        };
        let moved = bring_up_to_date(first, command);
        drop(known);
        let repeats = keep_first_of_ours(groups);
        if let Some(old) = moved {
            self.summary.push(format!("~ {}: {old} becomes {command} {HARNESS}", hook.event));
        }
        if repeats > 0 {
            self.summary.push(format!("- {}: {repeats} repeated", hook.event));
        }
        Ok(())
    }

    fn take_out(&mut self) -> Result<()> {
        let Some(hooks) = self.settings.get_mut("hooks") else { return Ok(()) };
        let hooks = hooks.as_object_mut().ok_or_else(|| bad("\"hooks\" in it is no object".to_owned()))?;
        let mut emptied = Vec::new();
        for (event, groups) in hooks.iter_mut() {
            let Some(groups) = groups.as_array_mut() else { continue };
            let removed = retain_handlers(groups, |h| !is_ours(h));
            if removed > 0 {
                self.summary.push(format!("- {event}: {removed} taken out"));
                emptied.extend(groups.is_empty().then(|| event.clone()));
            }
        }
        hooks.retain(|event, _| !emptied.contains(event));
        if hooks.is_empty() && !emptied.is_empty() {
            self.settings.shift_remove("hooks");
        }
        Ok(())
    }

    fn finish(self, existing_text: &str) -> Plan {
        let changed = self.settings != self.before;
        let new_text = if changed { written_like(existing_text, self.settings) } else { existing_text.to_owned() };
        Plan { changed, new_text, added_events: self.added, summary: self.summary }
    }
}

fn bad(detail: String) -> Error {
    Error::new(ErrorKind::Config, detail)
}

fn group(hook: &Hook, command: &str) -> Value {
    let handler = json!({"type": "command", "command": command, "args": [HARNESS], "timeout": hook.timeout});
    if hook.of_tools { json!({"matcher": "*", "hooks": [handler]}) } else { json!({"hooks": [handler]}) }
}

fn handlers(groups: &mut [Value]) -> impl Iterator<Item = &mut Value> {
    groups.iter_mut().filter_map(|g| g.get_mut("hooks")?.as_array_mut()).flatten()
}

/// Whether a handler calls engram: the program `engram-hook`, or `engram hook`, wherever it lies.
fn is_ours(handler: &Value) -> bool {
    let command = handler["command"].as_str().unwrap_or_default();
    let args = handler["args"].as_array().map_or(&[][..], Vec::as_slice);
    // Without `args` Claude Code hands the command to a shell.
    let (program, first) = match args.first() {
        Some(first) => (command, first.as_str().unwrap_or_default()),
        None => command.rsplit_once(' ').map_or((command, ""), |(rest, _)| match rest.rsplit_once(' ') {
            Some((program, "hook")) => (program, "hook"),
            _ => (rest, ""),
        }),
    };
    let name = program.trim_matches(['"', '\'']).rsplit(['/', '\\']).next().unwrap_or_default();
    match name.strip_suffix(".exe").unwrap_or(name) {
        "engram-hook" => true,
        "engram" => first == "hook",
        _ => false,
    }
}

/// Sets program and arguments; returns the old program if they differed.
fn bring_up_to_date(handler: &mut Value, command: &str) -> Option<String> {
    let handler = handler.as_object_mut()?;
    let args = json!([HARNESS]);
    if handler.get("command").is_some_and(|c| c == command) && handler.get("args") == Some(&args) {
        return None;
    }
    handler.insert("args".to_owned(), args);
    let old = handler.insert("command".to_owned(), json!(command));
    Some(old.and_then(|o| o.as_str().map(str::to_owned)).unwrap_or_default())
}

fn keep_first_of_ours(groups: &mut Vec<Value>) -> usize {
    let mut seen = false;
    retain_handlers(groups, |h| !is_ours(h) || !std::mem::replace(&mut seen, true))
}

/// Drops handlers, and groups that thereby became empty; returns how many handlers.
fn retain_handlers(groups: &mut Vec<Value>, mut keep: impl FnMut(&Value) -> bool) -> usize {
    let mut removed = 0;
    groups.retain_mut(|group| {
        let Some(list) = group.get_mut("hooks").and_then(Value::as_array_mut) else { return true };
        let before = list.len();
        list.retain(|h| keep(h));
        removed += before - list.len();
        !list.is_empty() || before == 0
    });
    removed
}

/// `settings` as JSON in the manner of `text`: its indentation, line ends, last line end and byte order mark.
fn written_like(text: &str, settings: Map<String, Value>) -> String {
    let mut bytes = Vec::new();
    let indent = indentation(text);
    let mut out = Serializer::with_formatter(&mut bytes, PrettyFormatter::with_indent(indent.as_bytes()));
    // Writing values of JSON into memory cannot fail.
    let _ = Value::Object(settings).serialize(&mut out);
    let mut json = String::from_utf8(bytes).unwrap_or_default();
    if text.trim().is_empty() || text.ends_with('\n') {
        json.push('\n');
    }
    if text.contains("\r\n") {
        json = json.replace('\n', "\r\n");
    }
    if text.starts_with('\u{feff}') { format!("\u{feff}{json}") } else { json }
}

/// The white space before the first indented line; two spaces where there is none.
fn indentation(text: &str) -> &str {
    let blank = |line: &&str| line.starts_with([' ', '\t']) && !line.trim().is_empty();
    text.lines().find(blank).map_or("  ", |line| &line[..line.len() - line.trim_start().len()])
}
