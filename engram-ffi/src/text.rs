//! Text across the boundary.

use engram_core::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::ffi::{CStr, CString, c_char};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Addresses of the strings that callers own.
static OWNED: Mutex<Option<HashSet<usize>>> = Mutex::new(None);

fn owned() -> MutexGuard<'static, Option<HashSet<usize>>> {
    OWNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text behind a pointer that the caller passed.
///
/// # Safety
/// `text` is null or points to a NUL-terminated string that stays unchanged during the call.
pub(crate) unsafe fn borrowed<'a>(text: *const c_char, name: &str) -> Result<&'a str> {
    if text.is_null() {
        return Err(Error::new(ErrorKind::InvalidArgument, format!("{name} is null")));
    }
    // SAFETY: not null, and the caller vouches for the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|e| Error::new(ErrorKind::InvalidArgument, format!("{name} is not UTF-8")).with_source(e))
}

/// Hands a text over to the caller, who frees it with `engram_string_free`. A NUL inside, which JSON never has, ends it.
pub(crate) fn handed_over(text: String) -> *mut c_char {
    let until_nul = text.split('\0').next().unwrap_or_default().to_owned();
    let raw = CString::new(until_nul).unwrap_or_default().into_raw();
    owned().get_or_insert_default().insert(raw as usize);
    raw
}

/// Frees a string that this library returned. Null, a second free and a foreign pointer do nothing.
#[unsafe(no_mangle)]
#[allow(clippy::not_unsafe_ptr_arg_deref, reason = "the pointer is used only after it was found in our own table")]
pub extern "C" fn engram_string_free(text: *mut c_char) {
    let was_ours = owned().as_mut().is_some_and(|set| set.remove(&(text as usize)));
    if was_ours {
        // SAFETY: the address was in the table, so it came from CString::into_raw and was not freed since.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// The version of the library, as text that the caller must not free.
#[unsafe(no_mangle)]
pub extern "C" fn engram_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
