//! The hooks of a harness in its JSON file: lists of handlers below the names of events.

use super::jsonc::{Draft, bad, input};
use super::{Plan, shell_line};
use engram_core::Result;
use jsonc_parser::cst::{CstArray, CstNode, CstObject};
use serde_json::{Value, json};
use std::path::Path;

/// One hook that engram needs.
#[derive(Debug)]
pub(crate) struct Hook {
    event: &'static str,
    /// Whether the harness matches it against tool names.
    of_tools: bool,
    /// In the harness's unit.
    timeout: u64,
}

const fn hook(event: &'static str, of_tools: bool, timeout: u64) -> Hook {
    Hook { event, of_tools, timeout }
}

/// How a harness writes its hooks.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// Whether handlers stand in groups, `{"matcher"?, "hooks": [handler]}`, or in the event's list itself.
    grouped: bool,
    /// The unit of the time-outs.
    unit: &'static str,
    /// Properties of the file beside `hooks`, where it is new.
    version: Option<u64>,
    hooks: &'static [Hook],
    handler: fn(&Path, &Hook) -> Value,
}

/// Claude Code: no shell, seconds.
pub(super) static CLAUDE_CODE: Dialect = Dialect {
    grouped: true,
    unit: "s",
    version: None,
    hooks: &[
        hook("SessionStart", false, 10),
        hook("UserPromptSubmit", false, 5),
        hook("PostToolUse", true, 5),
        hook("PostToolUseFailure", true, 5),
        hook("Stop", false, 5),
        hook("SubagentStop", false, 5),
        hook("PreCompact", false, 5),
        hook("SessionEnd", false, 1),
    ],
    handler: |hook, of| json!({"type": "command", "command": hook.to_string_lossy(), "args": ["claude-code"], "timeout": of.timeout}),
};

/// Codex CLI: a shell line, seconds; the end of a session gets three at most. Patches are seen before the tool runs.
pub(super) static CODEX: Dialect = Dialect {
    grouped: true,
    unit: "s",
    version: None,
    hooks: &[
        hook("SessionStart", false, 10),
        hook("UserPromptSubmit", false, 5),
        hook("PreToolUse", true, 5),
        hook("PostToolUse", true, 5),
        hook("PreCompact", false, 5),
        hook("SubagentStop", false, 5),
        hook("Stop", false, 5),
        hook("SessionEnd", false, 3),
    ],
    handler: |hook, of| json!({"type": "command", "command": shell_line(hook, "codex"), "timeout": of.timeout}),
};

/// Gemini CLI: a shell line, milliseconds.
pub(super) static GEMINI: Dialect = Dialect {
    grouped: true,
    unit: "ms",
    version: None,
    hooks: &[
        hook("SessionStart", false, 10_000),
        hook("BeforeAgent", false, 5_000),
        hook("AfterTool", true, 5_000),
        hook("AfterAgent", false, 5_000),
        hook("SessionEnd", false, 2_000),
    ],
    handler: |hook, of| json!({"name": "engram", "type": "command", "command": shell_line(hook, "gemini"), "timeout": of.timeout}),
};

/// Cursor: a shell line, no time-outs.
pub(super) static CURSOR: Dialect = Dialect {
    grouped: false,
    unit: "",
    version: Some(1),
    hooks: &[
        hook("sessionStart", false, 0),
        hook("beforeSubmitPrompt", false, 0),
        hook("postToolUse", false, 0),
        hook("postToolUseFailure", false, 0),
        hook("stop", false, 0),
        hook("sessionEnd", false, 0),
    ],
    handler: |hook, _| json!({"command": shell_line(hook, "cursor")}),
};

/// Copilot CLI: a shell line with the event's name, which its payload does not carry; seconds.
pub(super) static COPILOT: Dialect = Dialect {
    grouped: false,
    unit: "s",
    version: Some(1),
    hooks: &[
        hook("sessionStart", false, 10),
        hook("userPromptSubmitted", false, 5),
        hook("postToolUse", false, 5),
        hook("agentStop", false, 5),
        hook("sessionEnd", false, 5),
    ],
    handler: |hook, of| {
        let line = shell_line(hook, &format!("copilot {}", of.event));
        json!({"type": "command", "bash": line, "timeoutSec": of.timeout})
    },
};

/// What becomes of a file of that text when engram's hooks are put in; `program` is where `engram-hook` is.
///
/// A hook of engram's that is there already is kept where it stands, with what the user changed about it; only the
/// program's path and arguments are brought up to date, and repeats taken out.
pub(super) fn plan(dialect: &Dialect, text: &str, program: &Path) -> Result<Plan> {
    let mut draft = Draft::read(text)?;
    if let Some(version) = dialect.version
        && draft.object.get("version").is_none()
    {
        draft.object.ensure_multiline();
        draft.object.insert(0, "version", input(&json!(version)));
    }
    let hooks = draft.object_at("hooks")?;
    hooks.ensure_multiline();
    for hook in dialect.hooks {
        let list = hooks.array_value_or_create(hook.event);
        let list = list.ok_or_else(|| bad(format!("\"hooks.{}\" in it is no list", hook.event)))?;
        put(&mut draft, dialect, &list, hook, program);
    }
    Ok(draft.finish())
}

fn put(draft: &mut Draft, dialect: &Dialect, list: &CstArray, hook: &Hook, program: &Path) {
    let wanted = (dialect.handler)(program, hook);
    let mut known = handlers(dialect, list).into_iter().filter(|h| is_ours(&h.node)).peekable();
    let Some(first) = known.next() else {
        let entry = match (dialect.grouped, hook.of_tools) {
            (false, _) => wanted.clone(),
            (true, true) => json!({"matcher": "*", "hooks": [wanted]}),
            (true, false) => json!({"hooks": [wanted]}),
        };
        list.ensure_multiline();
        list.append(input(&entry));
        draft.added.push(hook.event);
        let limit =
            if hook.timeout == 0 { String::new() } else { format!(" (at most {} {})", hook.timeout, dialect.unit) };
        draft.summary.push(format!("+ {}: {}{limit}", hook.event, shown(&wanted)));
        return;
    };
    if let Some(object) = first.node.as_object()
        && let Some(old) = bring_up_to_date(&object, &wanted)
    {
        draft.summary.push(format!("~ {}: {old} becomes {}", hook.event, shown(&wanted)));
    }
    let repeats = known.map(Handler::remove).count();
    if repeats > 0 {
        draft.summary.push(format!("- {}: {repeats} repeated", hook.event));
    }
}

/// What becomes of a file of that text when engram's hooks are taken out.
pub(super) fn plan_removal(dialect: &Dialect, text: &str) -> Result<Plan> {
    let mut draft = Draft::read(text)?;
    let Some(at) = draft.object.get("hooks") else { return Ok(draft.finish()) };
    let hooks = at.object_value().ok_or_else(|| bad("\"hooks\" in it is no object".to_owned()))?;
    for event in hooks.properties() {
        let Some(list) = event.array_value() else { continue };
        let ours = handlers(dialect, &list).into_iter().filter(|h| is_ours(&h.node));
        let removed = ours.map(Handler::remove).count();
        if removed == 0 {
            continue;
        }
        draft.summary.push(format!("- {}: {removed} taken out", event.decoded_name().unwrap_or_default()));
        if list.elements().is_empty() {
            event.remove();
        }
    }
    if hooks.properties().is_empty() && !draft.summary.is_empty() {
        at.remove();
    }
    Ok(draft.finish())
}

/// A handler, and the group that it stands in.
struct Handler {
    node: CstNode,
    group: Option<(CstNode, CstArray)>,
}

impl Handler {
    /// Takes the handler out, and its group if that thereby becomes empty.
    fn remove(self) {
        self.node.remove();
        if let Some((group, list)) = self.group
            && list.elements().is_empty()
        {
            group.remove();
        }
    }
}

fn handlers(dialect: &Dialect, list: &CstArray) -> Vec<Handler> {
    if !dialect.grouped {
        return list.elements().into_iter().map(|node| Handler { node, group: None }).collect();
    }
    let of_group = |group: CstNode| {
        let inner = group.as_object().and_then(|o| o.array_value("hooks"));
        let inner = inner.into_iter().flat_map(move |list| {
            let group = group.clone();
            list.elements().into_iter().map(move |node| (node, group.clone(), list.clone())).collect::<Vec<_>>()
        });
        inner.map(|(node, group, list)| Handler { node, group: Some((group, list)) })
    };
    list.elements().into_iter().flat_map(of_group).collect()
}

/// The keys under which a handler has its command line.
const COMMAND_KEYS: [&str; 2] = ["command", "bash"];

fn shown(handler: &Value) -> String {
    let line = COMMAND_KEYS.iter().find_map(|k| handler[*k].as_str()).unwrap_or_default();
    match handler["args"].as_array().and_then(|a| a.first()).and_then(Value::as_str) {
        Some(argument) => format!("{line} {argument}"),
        None => line.to_owned(),
    }
}

/// Whether a handler calls engram: the program `engram-hook`, or `engram hook`, wherever it lies.
fn is_ours(node: &CstNode) -> bool {
    let Some(handler) = node.to_serde_value() else { return false };
    let command = COMMAND_KEYS.iter().find_map(|k| handler[*k].as_str()).unwrap_or_default();
    let words = shell_words(command);
    let args = handler["args"].as_array().map_or(&[][..], Vec::as_slice);
    // Without `args` the command is a shell line; with them it is the program alone.
    let (program, first) = match args.first() {
        Some(first) => (command, first.as_str().unwrap_or_default()),
        None => (words.first().map_or("", String::as_str), words.get(1).map_or("", String::as_str)),
    };
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    match name.strip_suffix(".exe").unwrap_or(name) {
        "engram-hook" => true,
        "engram" => first == "hook",
        _ => false,
    }
}

/// The first words of a shell line, without their quotes.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (' ', None) if words.last().is_some_and(|w| !w.is_empty()) => words.push(String::new()),
            (' ', None) => {}
            _ => {
                if let Some(word) = words.last_mut() {
                    word.push(c);
                }
            }
        }
    }
    words
}

/// Sets program and arguments; returns the old command line if they differed.
fn bring_up_to_date(handler: &CstObject, wanted: &Value) -> Option<String> {
    let present = handler.to_serde_value()?;
    let old = shown(&present);
    let mut changed = false;
    for key in COMMAND_KEYS.iter().chain(&["args"]) {
        match (wanted.get(*key), present.get(*key)) {
            (Some(new), Some(old)) if new == old => {}
            (Some(new), Some(_)) => handler.get(key).into_iter().for_each(|p| p.set_value(input(new))),
            (Some(new), None) => drop(handler.append(key, input(new))),
            (None, Some(_)) => handler.get(key).into_iter().for_each(|p| p.remove()),
            (None, None) => continue,
        }
        changed |= wanted.get(*key) != present.get(*key);
    }
    changed.then_some(old)
}
