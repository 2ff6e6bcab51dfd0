//! The one panic boundary, and errors as the caller holds them.

use engram_core::{Error, Result};
use std::collections::HashMap;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The call succeeded.
pub const ENGRAM_OK: u32 = 0;
/// engram panicked; the handle of the call is closed.
pub const ENGRAM_ERR_PANIC: u32 = 255;

/// An error: a code and a sentence. Freed with `engram_error_free`.
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Debug)]
#[repr(C)]
pub struct engram_error_t {
    _opaque: [u8; 0],
}

struct Held {
    code: u32,
    message: CString,
}

/// Errors that callers own, by what their pointers hold: a number, never an address.
static HELD: Mutex<Option<(usize, HashMap<usize, Held>)>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<(usize, HashMap<usize, Held>)>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hold(code: u32, message: &str) -> *mut engram_error_t {
    let mut held = held();
    let (last, errors) = held.get_or_insert_default();
    *last += 1;
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    errors.insert(*last, Held { code, message });
    std::ptr::without_provenance_mut(*last)
}

/// Runs `body` so that neither an error nor a panic crosses the boundary; gives the status.
///
/// # Safety
/// `err` is null or may be written to.
pub(crate) unsafe fn boundary(err: *mut *mut engram_error_t, body: impl FnOnce() -> Result<()>) -> u32 {
    let (code, message) = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return ENGRAM_OK,
        Ok(Err(e)) => (code_of(&e), e.to_string()),
        Err(_) => (ENGRAM_ERR_PANIC, "internal error: engram panicked".to_owned()),
    };
    if !err.is_null() {
        // SAFETY: not null, and the caller vouches for it.
        unsafe { *err = hold(code, &message) };
    }
    code
}

fn code_of(error: &Error) -> u32 {
    error.kind().code()
}

/// The number of an error's kind (docs/wire.md); 0 for null or a freed error.
#[unsafe(no_mangle)]
pub extern "C" fn engram_error_code(error: *const engram_error_t) -> u32 {
    held().as_ref().and_then(|(_, errors)| errors.get(&(error as usize))).map_or(0, |e| e.code)
}

/// An error's sentence, valid until the error is freed; null for null or a freed error.
#[unsafe(no_mangle)]
pub extern "C" fn engram_error_message(error: *const engram_error_t) -> *const c_char {
    held()
        .as_ref()
        .and_then(|(_, errors)| errors.get(&(error as usize)))
        .map_or(std::ptr::null(), |e| e.message.as_ptr())
}

/// Frees an error. Null, a second free and a foreign pointer do nothing.
#[unsafe(no_mangle)]
pub extern "C" fn engram_error_free(error: *mut engram_error_t) {
    if let Some((_, errors)) = held().as_mut() {
        errors.remove(&(error as usize));
    }
}
