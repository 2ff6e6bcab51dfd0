//! One function a verb. All have the same four parameters; docs/wire.md has the forms.
//!
//! They are written out, not made by a macro, since cbindgen reads the source as it is.

use crate::boundary::{boundary, engram_error_t, engram_status_t};
use crate::handle::{self, engram_t};
use crate::text::{borrowed, handed_over};
use engram_core::{Result, wire};
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Calls a verb by its name on the wire ("onToolCall", "retrieve", ...) with arguments as one JSON object, null for
/// none. The JSON answer goes to `out_json` and is freed with `engram_string_free`; `out_json` and `err` may be null.
/// Returns 0, or the number of an error's kind with the error in `err`, freed with `engram_error_free`. `out_json` is
/// written to on success alone, `err` on failure alone.
///
/// # Safety
/// `verb` and `arguments_json` are null or NUL-terminated; `out_json` and `err` are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_call(
    handle: *const engram_t,
    verb: *const c_char,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { boundary(err, || answer(handle, borrowed(verb, "verb")?, arguments_json, out_json)) }
}

/// # Safety
/// As [`engram_call`].
unsafe fn call(
    handle: *const engram_t,
    verb: &str,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { boundary(err, || answer(handle, verb, arguments_json, out_json)) }
}

/// # Safety
/// As [`engram_call`].
unsafe fn answer(
    handle: *const engram_t,
    verb: &str,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
) -> Result<()> {
    let open = handle::get(handle)?;
    // SAFETY: the caller vouches for the text.
    let arguments = if arguments_json.is_null() { "" } else { unsafe { borrowed(arguments_json, "arguments_json") }? };
    let called = catch_unwind(AssertUnwindSafe(|| wire::call(&open.engram, verb, arguments)));
    let answer = called.unwrap_or_else(|panic| {
        // What the handle holds may be half done.
        drop(handle::take(handle));
        resume_unwind(panic)
    })?;
    if !out_json.is_null() {
        // SAFETY: not null, and the caller vouches for it.
        unsafe { *out_json = handed_over(answer) };
    }
    Ok(())
}

/// A session begins or goes on: logged, pending work queued, and what the session should know is recalled. Arguments:
/// `{"session","harness","cwd","source"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_session_start(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onSessionStart", arguments_json, out_json, err) }
}

/// The user said something: logged, and answered with what it brings to mind. Arguments: `{"session","text"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_user_prompt(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onUserPrompt", arguments_json, out_json, err) }
}

/// A tool call finished: one event, durable when this returns; the first read of a file is answered with what is known
/// of it, a write with the contradictions it makes. Arguments:
/// `{"session","harness","cwd","tool","input","output"?,"error"?,"exitCode"?}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_tool_call(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onToolCall", arguments_json, out_json, err) }
}

/// A decision is saved on purpose: logged, and remembered when the turn is consolidated. Arguments: `{"session","content"}`, with
/// `rationale`, `files` and `rejected` where there are any.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_decision(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onDecision", arguments_json, out_json, err) }
}

/// The agent finished responding: logged, and consolidation is asked for. Arguments: `{"session","text"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_stop(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onStop", arguments_json, out_json, err) }
}

/// The harness compacts its context: notes may be told again. Arguments: `{"session","trigger"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_compaction(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onCompaction", arguments_json, out_json, err) }
}

/// The session ended. Arguments: `{"session","reason"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_on_session_end(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "onSessionEnd", arguments_json, out_json, err) }
}

/// Recalls what a question brings to mind. Arguments: `{"question","limit"?,"scope"?: "project" | "all"}`.
/// May be slow: the question may go to an embedder.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_retrieve(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "retrieve", arguments_json, out_json, err) }
}

/// The notes that a question brings to mind, most active first, without a budget. Arguments: `{"question","limit"?}`.
/// May be slow: the question may go to an embedder.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_search(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "search", arguments_json, out_json, err) }
}

/// Checks a change against the decisions that bind its file. Arguments: `{"path","diff"}`.
/// May be slow: a model may be asked.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_check_contradiction(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "checkContradiction", arguments_json, out_json, err) }
}

/// Consolidates what is pending, in this thread. Arguments: `{"session"?,"waitMs"?}`.
/// May be slow: models are asked, and the database is written.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_consolidate(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "consolidate", arguments_json, out_json, err) }
}

/// Waits until the background work asked for so far is done; the answer `{"done"}` says whether it is. Arguments:
/// `{"timeoutMs"?}`.
/// May be slow: it waits, at most as long as it is told, 10 seconds if it is not.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_flush(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "flush", arguments_json, out_json, err) }
}

/// Remembers what the user says, with the user's trust. Arguments: `{"text","type"?,"files"?,"rationale"?}`.
/// May be slow: an embedder may be asked, and the database is written.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_remember(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "remember", arguments_json, out_json, err) }
}

/// Forgets a memory, or everything that holds a text, for good; an unknown id and a text that nothing holds are invalid
/// arguments. Arguments: `{"id"}` or `{"text"}`, `"dryRun"?`.
/// May be slow: every episode is read, and the database is rewritten.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_forget(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "forget", arguments_json, out_json, err) }
}

/// Imports notes, one JSON object a line. Arguments: `{"notes","dryRun"?}`.
/// May be slow: an embedder may be asked for each note.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_import_notes(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "importNotes", arguments_json, out_json, err) }
}

/// Makes a log of what another source recorded of a session. Arguments: `{"session","root","observed":[...]}`.
/// May be slow: the whole log is written.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_import_session(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "importSession", arguments_json, out_json, err) }
}

/// What is remembered and what is pending. No arguments.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_status(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "status", arguments_json, out_json, err) }
}

/// The events of a session's log, in order. Arguments: `{"session"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_events(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "events", arguments_json, out_json, err) }
}

/// A node by its id, whatever its state; `null` if there is none. Arguments: `{"id"}`.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_node(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "node", arguments_json, out_json, err) }
}

/// Every node and edge. No arguments.
/// May be slow: everything is read.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_graph(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "graph", arguments_json, out_json, err) }
}

/// Asks the language model and the embedder for one small thing each, as consolidation will. No arguments.
/// May be slow: it waits for both, at most `probeTimeoutMs` each.
///
/// # Safety
/// As `engram_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_probe(
    handle: *const engram_t,
    arguments_json: *const c_char,
    out_json: *mut *mut c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for all.
    unsafe { call(handle, "probe", arguments_json, out_json, err) }
}
