//! The calls.

use crate::boundary::{boundary, engram_error_t};
use crate::handle::{self, engram_t};
use crate::text::{borrowed, handed_over};
use engram_core::{Error, ErrorKind, wire};
use std::ffi::c_char;

/// Opens the memory of a project. `options_json` is `{"project": "...", "home"?: "...", "config"?: {...}}`; the handle goes
/// to `out`, and is closed with `engram_close`. Returns 0, or the number of an error's kind with the error in `err`
/// (which may be null).
///
/// # Safety
/// `options_json` is null or NUL-terminated; `out` and `err` are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_open(
    options_json: *const c_char,
    out: *mut *mut engram_t,
    err: *mut *mut engram_error_t,
) -> u32 {
    let body = || {
        if out.is_null() {
            return Err(Error::new(ErrorKind::InvalidArgument, "out is null"));
        }
        // SAFETY: the caller vouches for options_json.
        let engram = wire::open(unsafe { borrowed(options_json, "options_json") }?)?;
        // SAFETY: not null, and the caller vouches for it.
        unsafe { *out = handle::put(engram) };
        Ok(())
    };
    // SAFETY: the caller vouches for err.
    unsafe { boundary(err, body) }
}

/// Calls a verb by its name on the wire ("onToolCall", "retrieve", ...; docs/wire.md) with JSON arguments. The JSON answer
/// goes to `out_json` and is freed with `engram_string_free`; `out_json` may be null if it is not wanted.
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
) -> u32 {
    let body = || {
        let engram = handle::get(handle)?;
        // SAFETY: the caller vouches for both texts.
        let (verb, arguments) = unsafe { (borrowed(verb, "verb")?, borrowed(arguments_json, "arguments_json")?) };
        let answer = wire::call(&engram, verb, arguments)?;
        if !out_json.is_null() {
            // SAFETY: not null, and the caller vouches for it.
            unsafe { *out_json = handed_over(answer) };
        }
        Ok(())
    };
    // SAFETY: the caller vouches for err.
    unsafe { boundary(err, body) }
}

/// Closes a handle: waits for its background work, at most five seconds. Null, a second close and a foreign handle do
/// nothing.
#[unsafe(no_mangle)]
pub extern "C" fn engram_close(handle: *mut engram_t) {
    // SAFETY: a null error pointer is never written to.
    unsafe {
        boundary(std::ptr::null_mut(), || {
            drop(handle::take(handle));
            Ok(())
        })
    };
}
