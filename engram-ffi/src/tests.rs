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
