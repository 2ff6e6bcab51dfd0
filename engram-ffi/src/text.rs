//! Text across the boundary.

use crate::boundary::guarded;
use crate::table::Table;
use engram_core::{Error, ErrorKind, Result};
use std::ffi::{CStr, CString, c_char};

/// The strings that callers own, by their addresses.
static OWNED: Table<CString> = Table::new();

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
    let text = CString::new(text).unwrap_or_else(|e| {
        let until_nul = e.nul_position();
        CString::new(&e.into_vec()[..until_nul]).unwrap_or_default()
    });
    let address = text.as_ptr();
    OWNED.put_at(address as usize, text);
    address.cast_mut()
}

/// Frees a text that this library returned through `out_json`. Null and a foreign pointer do nothing, and so does
/// a second free, unless the allocator has given the same address to another text of engram's meanwhile.
#[unsafe(no_mangle)]
pub extern "C" fn engram_string_free(text: *mut c_char) {
    guarded((), || drop(OWNED.take(text as usize)));
}

/// The version of the library, as text that the caller must not free.
#[unsafe(no_mangle)]
pub extern "C" fn engram_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
