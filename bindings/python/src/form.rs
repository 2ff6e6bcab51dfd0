//! Python values as JSON text: what people pass nearly always, without Python's own encoder, which needs several times as
//! long for a tool's output.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::ser::Error;
use serde::{Serialize, Serializer};

/// How deep values may lie in one another.
const DEPTH: u32 = 100;

/// The JSON form of a value made of Python's own types and no others; `None` for anything else, also for text with lone
/// surrogates, numbers that JSON or 64 bits do not hold, and values that hold themselves.
pub(crate) fn of_plain(value: &Bound<'_, PyAny>) -> Option<String> {
    serde_json::to_string(&Plain { value, depth: 0 }).ok()
}

struct Plain<'a, 'py> {
    value: &'a Bound<'py, PyAny>,
    depth: u32,
}

impl Serialize for Plain<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        let depth = self.depth + 1;
        if depth > DEPTH {
            return Err(S::Error::custom("too deep"));
        }
        if let Ok(text) = value.cast_exact::<PyString>() {
            return to.serialize_str(&text.to_cow().map_err(S::Error::custom)?);
        }
        if let Ok(dict) = value.cast_exact::<PyDict>() {
            let pairs: Vec<_> = dict.iter().collect();
            return to.collect_map(pairs.iter().map(|(key, value)| (Key(key), Plain { value, depth })));
        }
        if let Ok(list) = value.cast_exact::<PyList>() {
            let items: Vec<_> = list.iter().collect();
            return to.collect_seq(items.iter().map(|value| Plain { value, depth }));
        }
        if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            let items: Vec<_> = tuple.iter().collect();
            return to.collect_seq(items.iter().map(|value| Plain { value, depth }));
        }
        if value.is_none() {
            return to.serialize_unit();
        }
        if let Ok(truth) = value.cast_exact::<PyBool>() {
            return to.serialize_bool(truth.is_true());
        }
        if let Ok(number) = value.cast_exact::<PyInt>() {
            return to.serialize_i64(number.extract().map_err(S::Error::custom)?);
        }
        match value.cast_exact::<PyFloat>() {
            Ok(number) if number.value().is_finite() => to.serialize_f64(number.value()),
            _ => Err(S::Error::custom("not plain")),
        }
    }
}

/// The name of a field. Python's encoder also takes numbers for names.
struct Key<'a, 'py>(&'a Bound<'py, PyAny>);

impl Serialize for Key<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let name = self.0.cast_exact::<PyString>().map_err(S::Error::custom)?;
        to.serialize_str(&name.to_cow().map_err(S::Error::custom)?)
    }
}
