//! The shared vectors (`tests/vectors/README.md`): reading, running and matching them. What runs them is a [`Subject`]: the
//! Rust library, or the C library behind a program.

use crate::repository;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// A kind of error by its name, and its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind's name.
    pub kind: String,
    /// The sentence.
    pub message: String,
}

/// One language's engram.
pub trait Subject {
    /// Opens a handle with options as on the wire and scripts for the host's models.
    ///
    /// # Errors
    /// What engram said.
    fn open(&mut self, options: &Value, hosts: &Map<String, Value>) -> Result<(), Failure>;

    /// Calls a verb of the open handle.
    ///
    /// # Errors
    /// What engram said.
    fn call(&mut self, verb: &str, arguments: Option<&Value>) -> Result<Value, Failure>;

    /// Closes the handle.
    fn close(&mut self);

    /// The kinds of errors that the language has.
    fn kinds(&self) -> Value;
}

/// A case with the file that it stands in.
#[derive(Debug)]
pub struct Case {
    /// `file: name`.
    pub name: String,
    /// The case as written.
    pub body: Map<String, Value>,
}

/// Every case of every file.
pub fn cases() -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(repository().join("tests/vectors"))
        .expect("tests/vectors is there")
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|x| x == "json"))
        .collect();
    files.sort();
    files.iter().flat_map(|file| cases_of(file)).collect()
}

fn cases_of(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap();
    let body: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let stem = file.file_stem().unwrap().to_string_lossy();
    let cases = body["cases"].as_array().unwrap_or_else(|| panic!("{}: no cases", file.display()));
    cases
        .iter()
        .map(|case| Case {
            name: format!("{stem}: {}", case["name"].as_str().expect("a case has a name")),
            body: case.as_object().unwrap().clone(),
        })
        .collect()
}

const CASE_KEYS: &[&str] = &["name", "files", "open", "hosts", "openFails", "kinds", "steps"];

/// Runs a case.
///
/// # Errors
/// What did not happen as written.
pub fn run(case: &Case, subject: &mut dyn Subject) -> Result<(), String> {
    only(&case.body, CASE_KEYS)?;
    if let Some(kinds) = case.body.get("kinds") {
        return if *kinds == subject.kinds() { Ok(()) } else { Err(format!("the kinds are {}", subject.kinds())) };
    }
    let place = Place::new(&case.body)?;
    let none = Map::new();
    let hosts = case.body.get("hosts").and_then(Value::as_object).unwrap_or(&none);
    let opened = subject.open(&place.options(&case.body), hosts);
    if let Some(fail) = case.body.get("openFails") {
        return expect_failure(fail, opened.map(|()| Value::Null));
    }
    opened.map_err(|f| format!("opening failed: {f:?}"))?;
    let steps = case.body["steps"].as_array().ok_or("no steps")?;
    let done = steps.iter().enumerate().try_for_each(|(i, step)| {
        take(step.as_object().ok_or("a step is no object")?, &place, subject).map_err(|e| format!("step {i}: {e}"))
    });
    subject.close();
    done
}

/// The folder of a case.
struct Place(tempfile::TempDir);

impl Place {
    fn new(case: &Map<String, Value>) -> Result<Place, String> {
        let place = Place(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.path("home")).unwrap();
        std::fs::create_dir(place.path("project")).unwrap();
        for (path, text) in case.get("files").and_then(Value::as_object).into_iter().flatten() {
            put(&place.path(path), text.as_str());
        }
        Ok(place)
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(inside)
    }

    fn options(&self, case: &Map<String, Value>) -> Value {
        let mut options = json!({"project": self.path("project"), "home": self.path("home"), "background": "caller"});
        for (key, value) in case.get("open").and_then(Value::as_object).into_iter().flatten() {
            options[key] = self.filled(value, "");
        }
        options
    }

    /// The value with the names of folders in it replaced.
    fn filled(&self, value: &Value, data: &str) -> Value {
        match value {
            Value::String(text) => json!(
                text.replace("${PROJECT}", &self.path("project").to_string_lossy())
                    .replace("${HOME}", &self.path("home").to_string_lossy())
                    .replace("${DATA}", data)
            ),
            Value::Array(list) => list.iter().map(|v| self.filled(v, data)).collect(),
            Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), self.filled(v, data))).collect(),
            other => other.clone(),
        }
    }
}

/// Puts a file (or, without text, a folder) in the place of whatever is there.
fn put(path: &Path, text: Option<&str>) {
    let _ = std::fs::remove_dir_all(path);
    let _ = std::fs::remove_file(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    match text {
        Some(text) => std::fs::write(path, text).unwrap(),
        None => std::fs::create_dir(path).unwrap(),
    }
}

fn only(map: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    match map.keys().find(|k| !known.contains(&k.as_str())) {
        None => Ok(()),
        Some(key) => Err(format!("\"{key}\" means nothing here")),
    }
}

fn take(step: &Map<String, Value>, place: &Place, subject: &mut dyn Subject) -> Result<(), String> {
    only(step, &["call", "with", "gives", "fails", "write", "text", "folder", "close"])?;
    if step.contains_key("close") {
        subject.close();
        return Ok(());
    }
    if let Some(path) = step.get("write").or(step.get("folder")).and_then(Value::as_str) {
        put(&located(path, place, subject)?, step.get("text").and_then(Value::as_str));
        return Ok(());
    }
    let verb = step.get("call").and_then(Value::as_str).ok_or("a step of no kind")?;
    let data = if step.get("with").is_some_and(|w| w.to_string().contains("${DATA}")) {
        data(subject)?
    } else {
        String::new()
    };
    let arguments = step.get("with").map(|with| place.filled(with, &data));
    let answer = subject.call(verb, arguments.as_ref());
    check(&place.filled(&Value::Object(step.clone()), &data), answer).map_err(|e| format!("{verb} {e}"))
}

/// Whether a call ended as its step says.
///
/// # Errors
/// How it ended otherwise.
pub fn check(step: &Value, answer: Result<Value, Failure>) -> Result<(), String> {
    if let Some(fail) = step.get("fails") {
        return expect_failure(fail, answer);
    }
    let answer = answer.map_err(|f| format!("failed: {f:?}"))?;
    step.get("gives").map_or(Ok(()), |pattern| matches(pattern, Some(&answer)))
}

fn data(subject: &mut dyn Subject) -> Result<String, String> {
    let status = subject.call("status", None).map_err(|f| format!("status failed: {f:?}"))?;
    Ok(status["data"].as_str().unwrap_or_default().to_owned())
}

fn located(path: &str, place: &Place, subject: &mut dyn Subject) -> Result<PathBuf, String> {
    match path.strip_prefix("data/") {
        Some(inside) => Ok(Path::new(&data(subject)?).join(inside)),
        None => Ok(place.path(path)),
    }
}

fn expect_failure(fail: &Value, answer: Result<Value, Failure>) -> Result<(), String> {
    let failure = match answer {
        Ok(answer) => return Err(format!("it succeeded: {answer}")),
        Err(failure) => failure,
    };
    let says = fail["says"].as_str().unwrap_or_default();
    if fail["kind"] != failure.kind || !failure.message.contains(says) {
        return Err(format!("{failure:?} is not {fail}"));
    }
    Ok(())
}

/// Whether a value is as a pattern says; otherwise where it is not.
fn matches(pattern: &Value, value: Option<&Value>) -> Result<(), String> {
    let wrong = || Err(format!("gave {}, not {pattern}", value.map_or("nothing".to_owned(), Value::to_string)));
    let Some(value) = value else {
        return if pattern.get("$absent").is_some() { Ok(()) } else { wrong() };
    };
    let fits = match pattern {
        Value::Object(map) => match map.iter().next() {
            Some((key, rule)) if key.starts_with('$') => special(key, rule, value)?,
            _ => {
                for (key, inner) in map {
                    matches(inner, value.get(key)).map_err(|e| format!(".{key} {e}"))?;
                }
                value.is_object()
            }
        },
        Value::Array(list) => {
            let Some(values) = value.as_array().filter(|v| v.len() == list.len()) else { return wrong() };
            for (i, (inner, value)) in list.iter().zip(values).enumerate() {
                matches(inner, Some(value)).map_err(|e| format!("[{i}] {e}"))?;
            }
            true
        }
        Value::Number(number) => value.as_f64() == number.as_f64(),
        other => other == value,
    };
    if fits { Ok(()) } else { wrong() }
}

fn special(key: &str, rule: &Value, value: &Value) -> Result<bool, String> {
    Ok(match key {
        "$any" => true,
        "$absent" => false,
        "$contains" => match value {
            Value::String(text) => text.contains(rule.as_str().ok_or("$contains in a text is a text")?),
            Value::Array(list) => list.iter().any(|v| matches(rule, Some(v)).is_ok()),
            _ => false,
        },
        "$length" => value.as_array().is_some_and(|v| rule.as_u64() == Some(v.len() as u64)),
        "$type" => rule == type_name(value),
        other => return Err(format!("\"{other}\" is no pattern")),
    })
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
