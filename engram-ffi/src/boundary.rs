//! The one panic boundary, and errors as the caller holds them.

use crate::table::{Found, Table};
use engram_core::Result;
use engram_core::wire::{self, Failure};
use std::ffi::{CString, c_char};

/// 0, or the number of an error's kind.
#[allow(non_camel_case_types, reason = "the C name")]
pub type engram_status_t = u32;

/// The call succeeded.
pub const ENGRAM_OK: engram_status_t = 0;
/// The caller passed something that breaks a stated rule.
pub const ENGRAM_ERR_INVALID_ARGUMENT: engram_status_t = 1;
/// A setting is unknown, of the wrong type or out of its range.
pub const ENGRAM_ERR_CONFIG: engram_status_t = 2;
/// The file system refused.
pub const ENGRAM_ERR_IO: engram_status_t = 3;
/// The database refused.
pub const ENGRAM_ERR_STORAGE: engram_status_t = 4;
/// Stored data could not be understood.
pub const ENGRAM_ERR_CORRUPT: engram_status_t = 5;
/// A language model or embedder could not be reached or refused.
pub const ENGRAM_ERR_MODEL: engram_status_t = 6;
/// A language model or embedder answered, but not in the agreed form.
pub const ENGRAM_ERR_MODEL_REPLY: engram_status_t = 7;
/// The handle is closed, or is none of engram's.
pub const ENGRAM_ERR_CLOSED: engram_status_t = 8;
/// Somebody else holds what this call needs; trying again later can help.
pub const ENGRAM_ERR_BUSY: engram_status_t = 9;
/// This process was forked while its parent had a handle open: it can neither use that one nor open another.
pub const ENGRAM_ERR_FORKED: engram_status_t = 10;
/// engram panicked, which is a bug in it; the handle of the call is closed.
pub const ENGRAM_ERR_PANIC: engram_status_t = 255;

/// An error: a code and a sentence. Freed with `engram_error_free`.
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Debug)]
pub struct engram_error_t {
    _opaque: (),
}

struct Held {
    code: u32,
    message: CString,
}

/// Errors that callers own.
static HELD: Table<Box<Held>> = Table::new();

/// Runs `body` so that neither an error nor a panic crosses the boundary; gives the status.
///
/// # Safety
/// `err` is null or may be written to.
pub(crate) unsafe fn boundary(err: *mut *mut engram_error_t, body: impl FnOnce() -> Result<()>) -> engram_status_t {
    let Failure { code, message } = match wire::guarded(body) {
        Ok(()) => return ENGRAM_OK,
        Err(failure) => failure,
    };
    if !err.is_null() {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        let number = HELD.put(Box::new(Held { code, message }));
        // SAFETY: not null, and the caller vouches for it.
        unsafe { *err = std::ptr::without_provenance_mut(number) };
    }
    code
}

/// `boundary` for what returns a value of its own: `otherwise` after a panic.
pub(crate) fn guarded<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    wire::guarded(|| Ok(body())).unwrap_or(otherwise)
}

fn look<V>(error: *const engram_error_t, otherwise: V, look: impl FnOnce(&Held) -> V) -> V {
    match HELD.get(error as usize, |held| look(held)) {
        Found::Alive(seen) => seen,
        Found::Dead | Found::Forked => otherwise,
    }
}

/// The number of an error's kind, one of `ENGRAM_ERR_*`; 0 for null or a freed error.
#[unsafe(no_mangle)]
pub extern "C" fn engram_error_code(error: *const engram_error_t) -> engram_status_t {
    guarded(0, || look(error, 0, |held| held.code))
}

/// An error's sentence, valid until the error is freed; null for null or a freed error. The caller must not free it.
#[unsafe(no_mangle)]
pub extern "C" fn engram_error_message(error: *const engram_error_t) -> *const c_char {
    // The box keeps its place when the table grows.
    guarded(std::ptr::null(), || look(error, std::ptr::null(), |held| held.message.as_ptr()))
}

/// Frees an error. Null, a second free and a foreign pointer do nothing.
#[unsafe(no_mangle)]
pub extern "C" fn engram_error_free(error: *mut engram_error_t) {
    guarded((), || drop(HELD.take(error as usize)));
}
