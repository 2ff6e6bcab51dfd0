use super::*;
use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

fn text(value: *const c_char) -> String {
    // SAFETY: the tests pass pointers that this library returned.
    unsafe { CStr::from_ptr(value) }.to_str().unwrap().to_owned()
}

fn c(value: &str) -> CString {
    CString::new(value).unwrap()
}

fn opened(tmp: &tempfile::TempDir) -> *mut engram_t {
    let project = tmp.path().join("p");
    std::fs::create_dir_all(&project).unwrap();
    let options = serde_json::json!({"project": project, "home": tmp.path().join("h"), "background": "caller"});
    let mut handle = null_mut();
    // SAFETY: all pointers are valid.
    assert_eq!(unsafe { engram_open(c(&options.to_string()).as_ptr(), null(), &mut handle, null_mut()) }, ENGRAM_OK);
    handle
}

fn call(handle: *const engram_t, verb: &str, arguments: &str) -> (u32, String) {
    let (mut out, mut err) = (null_mut(), null_mut());
    // SAFETY: all pointers are valid.
    let code = unsafe { engram_call(handle, c(verb).as_ptr(), c(arguments).as_ptr(), &mut out, &mut err) };
    let answer = if code == ENGRAM_OK { text(out) } else { text(engram_error_message(err)) };
    assert_eq!(engram_error_code(err), code);
    engram_string_free(out);
    engram_string_free(out);
    engram_error_free(err);
    assert_eq!(engram_error_code(err), 0, "a freed error is none");
    (code, answer)
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(text(engram_version()), env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_verb_goes_in_and_its_answer_comes_out() {
    let tmp = tempfile::tempdir().unwrap();
    let handle = opened(&tmp);
    let (code, answer) = call(handle, "remember", r#"{"text": "Use tabs instead of spaces"}"#);
    assert!(code == ENGRAM_OK && answer.contains("\"isNew\":true"), "{answer}");
    let (_, found) = call(handle, "retrieve", r#"{"question": "tabs or spaces?"}"#);
    assert!(found.contains("Use tabs instead of spaces"), "{found}");
    engram_close(handle);
}

#[test]
fn misuse_is_an_error() {
    let tmp = tempfile::tempdir().unwrap();
    let handle = opened(&tmp);
    assert_eq!(call(handle, "dream", "{}").0, 1);
    assert_eq!(call(handle, "remember", "not json").0, 1);
    assert_eq!(call(null(), "status", "{}").0, 1);
    let foreign = std::ptr::without_provenance_mut(0xdead_beef);
    assert_eq!(call(foreign, "status", "{}").0, 8);
    // SAFETY: null is allowed for every pointer.
    unsafe {
        assert_eq!(engram_open(null(), null(), null_mut(), null_mut()), 1);
        assert_eq!(engram_call(handle, null(), null(), null_mut(), null_mut()), 1);
        assert_eq!(engram_call(handle, c"status".as_ptr(), c"\xff".as_ptr(), null_mut(), null_mut()), 1);
    }
    engram_close(handle);
    engram_close(handle);
    assert_eq!(call(handle, "status", "{}").0, 8, "a closed handle is closed");
    engram_close(null_mut());
    engram_string_free(null_mut());
    engram_string_free(foreign.cast());
    engram_error_free(null_mut());
    assert!(engram_error_message(null()).is_null());
}

#[test]
fn the_statuses_are_the_kinds() {
    let constants = [
        ENGRAM_ERR_INVALID_ARGUMENT,
        ENGRAM_ERR_CONFIG,
        ENGRAM_ERR_IO,
        ENGRAM_ERR_STORAGE,
        ENGRAM_ERR_CORRUPT,
        ENGRAM_ERR_MODEL,
        ENGRAM_ERR_MODEL_REPLY,
        ENGRAM_ERR_CLOSED,
        ENGRAM_ERR_BUSY,
        ENGRAM_ERR_FORKED,
    ];
    let kinds: Vec<u32> = engram_core::ErrorKind::ALL.iter().map(|k| k.code()).collect();
    assert_eq!(kinds.iter().filter(|k| **k != ENGRAM_ERR_PANIC).copied().collect::<Vec<_>>(), constants);
}

#[test]
fn every_verb_has_its_function_and_the_reverse() {
    let header = include_str!("../../include/engram.h");
    let functions: Vec<String> = header
        .split("engram_status_t engram_")
        .skip(1)
        .filter_map(|rest| rest.split_once("(const engram_t *handle,").map(|(name, after)| (name, after.trim_start())))
        .filter(|(name, after)| !name.contains('(') && after.starts_with("const char *arguments_json"))
        .map(|(name, _)| name.to_owned())
        .collect();
    let verbs: Vec<String> = engram_core::wire::VERBS.iter().map(|v| snake(v)).collect();
    assert_eq!(functions, verbs);
}

fn snake(verb: &str) -> String {
    verb.chars().fold(String::new(), |mut name, c| {
        if c.is_uppercase() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
        name
    })
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_says_what_and_where_and_closes_its_handle_alone() {
    let (tmp, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (handle, other) = (opened(&tmp), opened(&other));
    let (code, words) = call(handle, "panicForTests", "{}");
    assert!(code == ENGRAM_ERR_PANIC && words.contains("wire/mod.rs") && words.contains("asked to panic"), "{words}");
    assert_eq!(call(handle, "status", "{}").0, ENGRAM_ERR_CLOSED);
    assert_eq!(call(other, "status", "{}").0, ENGRAM_OK);
    engram_close(other);
}
