//! Handles as the caller holds them.

use crate::callbacks::UserData;
use crate::table::{Found, Table};
use engram_core::{Engram, Error, ErrorKind, Result};
use std::sync::Arc;

/// An open memory. Any thread may use it. Closed with `engram_close`.
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Debug)]
pub struct engram_t {
    _opaque: (),
}

/// What a handle stands for. The order is that of dropping: user data goes when the memory is closed.
pub(crate) struct Open {
    pub(crate) engram: Engram,
    pub(crate) _user_data: Option<Arc<UserData>>,
}

static OPEN: Table<Arc<Open>> = Table::new();

pub(crate) fn put(open: Open) -> *mut engram_t {
    std::ptr::without_provenance_mut(OPEN.put(Arc::new(open)))
}

/// The memory behind a handle.
///
/// # Errors
/// `InvalidArgument` for null, `Closed` for a handle that is closed or foreign, `Forked` for one of the parent process.
pub(crate) fn get(handle: *const engram_t) -> Result<Arc<Open>> {
    if handle.is_null() {
        return Err(Error::new(ErrorKind::InvalidArgument, "the handle is null"));
    }
    match OPEN.get(handle as usize, |open| Arc::clone(open)) {
        Found::Alive(open) => Ok(open),
        Found::Dead => Err(Error::new(ErrorKind::Closed, "the handle is closed, or is none of engram's")),
        Found::Forked => Err(Error::new(
            ErrorKind::Forked,
            "the handle was opened by the parent of this process; fork before opening, or start it anew",
        )),
    }
}

/// Takes a handle out of the table; its memory closes when the calls that use it have ended.
pub(crate) fn take(handle: *const engram_t) -> Option<Arc<Open>> {
    OPEN.take(handle as usize)
}
