//! Opening and closing.

use crate::boundary::{boundary, engram_error_t, engram_status_t};
use crate::callbacks::{engram_callbacks_t, hosts};
use crate::handle::{self, Open, engram_t};
use crate::text::borrowed;
use engram_core::{Error, ErrorKind, wire};
use std::ffi::c_char;

/// Opens the memory of a project. `options_json` is `{"project", "home"?, "config"?: {...}, "background"?: "worker" |
/// "caller", "languageModel"?: {"name"}, "embedder"?: {"model", "dimensions"}}`; `callbacks` has the functions of the last
/// two and may be null. The handle goes to `out`, and is closed with `engram_close`. Returns 0, or the number of an error's
/// kind with the error in `err`, which may be null. `out` is written to on success alone, `err` on failure alone. May be
/// slow: files are read.
///
/// # Safety
/// `options_json` is null or NUL-terminated; `callbacks` is null or points to such a struct; `out` and `err` are null or may
/// be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_open(
    options_json: *const c_char,
    callbacks: *const engram_callbacks_t,
    out: *mut *mut engram_t,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    let body = || {
        // SAFETY: the caller vouches for it. First, so that `release` is called whatever fails.
        let (hosts, user_data) = unsafe { hosts(callbacks) };
        if out.is_null() {
            return Err(Error::new(ErrorKind::InvalidArgument, "out is null"));
        }
        // SAFETY: the caller vouches for options_json.
        let engram = wire::open(unsafe { borrowed(options_json, "options_json") }?, hosts)?;
        // SAFETY: not null, and the caller vouches for it.
        unsafe { *out = handle::put(Open { engram, _user_data: user_data }) };
        Ok(())
    };
    // SAFETY: the caller vouches for err.
    unsafe { boundary(err, body) }
}

/// Closes a handle: later calls with it say `ENGRAM_ERR_CLOSED`. May be slow: waits for its background work, at most two
/// seconds; what is left is done at the next start. A call of another thread that is under way goes on, and the memory is
/// closed when it ends, by that thread. Null, a second close and a foreign handle do nothing.
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
