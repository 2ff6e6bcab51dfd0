//! Requests in, answers out, in the words of either era.

use super::{Found, Memory};
use serde_json::{Value, json};

pub(super) const PARSE: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const NO_METHOD: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
/// Of the stateless era alone: a client that gets it knows that this server is of that era.
const UNSUPPORTED_VERSION: i64 = -32022;

/// The stateless version.
const MODERN: &str = "2026-07-28";
/// Versions with `initialize`, newest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// Milliseconds for which the list of tools may be kept: it never changes while the program runs.
const LIST_TTL: u64 = 3_600_000;

const TOOL: &str = "query_knowledge";

/// One connection.
pub(super) struct Server<'a> {
    memory: &'a Memory,
    /// Whether the client began with `initialize`: its requests carry no version then.
    initialized: bool,
}

/// An answer's body: the result, or code, message and data of an error.
type Answer = Result<Value, (i64, String, Option<Value>)>;

impl Server<'_> {
    pub(super) fn new(memory: &Memory) -> Server<'_> {
        Server { memory, initialized: false }
    }

    /// The answer to one line; `None` for what wants none.
    pub(super) fn line(&mut self, text: &str) -> Option<Value> {
        match serde_json::from_str(text) {
            Err(e) => Some(error(&Value::Null, PARSE, &format!("this is no JSON: {e}"), None)),
            Ok(Value::Array(batch)) if !batch.is_empty() => {
                let answers: Vec<Value> = batch.iter().filter_map(|message| self.message(message)).collect();
                (!answers.is_empty()).then_some(Value::Array(answers))
            }
            Ok(message) => self.message(&message),
        }
    }

    fn message(&mut self, message: &Value) -> Option<Value> {
        let id = message.get("id").cloned().unwrap_or_default();
        let is_id = id.is_string() || id.is_number();
        let Some(method) = message["method"].as_str() else {
            // An answer to a request that this server never makes is nobody's.
            let is_answer = message.get("result").is_some() || message.get("error").is_some();
            return (!is_answer).then(|| error(&id, INVALID_REQUEST, "this is no request: it has no method", None));
        };
        if !is_id {
            // A notification: nothing to do, nothing to say.
            return None;
        }
        let params = message.get("params").unwrap_or(&Value::Null);
        Some(match self.answer(method, params) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, words, data)) => error(&id, code, &words, data),
        })
    }

    fn answer(&mut self, method: &str, params: &Value) -> Answer {
        if method == "initialize" {
            return Ok(self.initialize(params));
        }
        let named = params["_meta"][VERSION_KEY].as_str();
        if let Some(other) = named.filter(|v| *v != MODERN) {
            let supported: Vec<&str> = [MODERN].into_iter().chain(LEGACY).collect();
            let data = json!({"requested": other, "supported": supported});
            return Err((UNSUPPORTED_VERSION, format!("version {other} is not served"), Some(data)));
        }
        let modern = named.is_some() || !self.initialized;
        let complete = |mut result: Value| {
            if modern {
                result["resultType"] = "complete".into();
            }
            result
        };
        let listed = |mut result: Value| {
            if modern {
                result["ttlMs"] = LIST_TTL.into();
                result["cacheScope"] = "public".into();
            }
            complete(result)
        };
        match method {
            "server/discover" => Ok(listed(discovered())),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(listed(json!({"tools": [tool()]}))),
            "tools/call" => self.call(params).map(complete),
            other => Err((NO_METHOD, format!("there is no method {other}"), None)),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.initialized = true;
        let wanted = params["protocolVersion"].as_str().and_then(|v| LEGACY.into_iter().find(|known| *known == v));
        json!({
            "protocolVersion": wanted.unwrap_or(LEGACY[0]),
            "capabilities": {"tools": {}},
            "serverInfo": server_info(),
            "instructions": INSTRUCTIONS,
        })
    }

    fn call(&self, params: &Value) -> Answer {
        if params["name"] != TOOL {
            let name = params["name"].as_str().unwrap_or_default();
            return Err((INVALID_PARAMS, format!("there is no tool \"{name}\"; there is {TOOL}"), None));
        }
        let arguments = &params["arguments"];
        let question = arguments["question"].as_str().map(str::trim).unwrap_or_default();
        if question.is_empty() {
            return Ok(failed("\"question\" is empty: say what you want to know, in words or names"));
        }
        let all = match arguments["scope"].as_str() {
            None | Some("current_project" | "project") => false,
            Some("all") => true,
            Some(other) => return Ok(failed(&format!("scope \"{other}\" is not current_project or all"))),
        };
        Ok(match self.memory.query(question, all) {
            Ok(Found { text, recall }) => {
                json!({"content": [{"type": "text", "text": text}], "structuredContent": recall, "isError": false})
            }
            Err(e) => failed(&format!("engram cannot be asked here: {e}")),
        })
    }
}

/// A failure of the tool itself, which the model is to read.
fn failed(why: &str) -> Value {
    json!({"content": [{"type": "text", "text": why}], "isError": true})
}

pub(super) fn error(id: &Value, code: i64, message: &str, data: Option<Value>) -> Value {
    let mut error = json!({"code": code, "message": message});
    if let Some(data) = data {
        error["data"] = data;
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

const INSTRUCTIONS: &str = "What earlier sessions learned and decided in this project. Ask before changing what may have been \
     decided, and when an error looks familiar.";

fn server_info() -> Value {
    json!({"name": "engram", "title": "engram", "version": env!("CARGO_PKG_VERSION")})
}

fn discovered() -> Value {
    let supported: Vec<&str> = [MODERN].into_iter().chain(LEGACY).collect();
    json!({
        "supportedVersions": supported,
        "capabilities": {"tools": {}},
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
        "_meta": {"io.modelcontextprotocol/serverInfo": server_info()},
    })
}

fn tool() -> Value {
    json!({
        "name": TOOL,
        "title": "Ask the project's memory",
        "description": "Search the project's memory: decisions and their reasons, errors seen before and how they were mended, \
            what files are for, the user's preferences, work left open. Use it before you change something that may have been \
            decided, or when an error looks familiar.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "question": {"type": "string", "description": "What you want to know: words, names, file paths, an error's text."},
                "scope": {"type": "string", "enum": ["current_project", "all"], "default": "current_project",
                    "description": "This project, or all projects of the user."},
            },
            "required": ["question"],
        },
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    })
}
