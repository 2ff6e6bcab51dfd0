//! Handles as the caller holds them.

use crate::table::{Found, Table};
use engram_core::{Engram, Error, ErrorKind, Result};
use std::sync::Arc;

/// An open memory. Any thread may use it. Closed with `engram_close`.
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Debug)]
pub struct engram_t {
    _opaque: (),
}

static OPEN: Table<Arc<Engram>> = Table::new();

pub(crate) fn put(engram: Engram) -> *mut engram_t {
    std::ptr::without_provenance_mut(OPEN.put(Arc::new(engram)))
}

/// The memory behind a handle.
///
/// # Errors
/// `InvalidArgument` for null, `Closed` for a handle that is closed or foreign, `Forked` for one of the parent process.
pub(crate) fn get(handle: *const engram_t) -> Result<Arc<Engram>> {
    if handle.is_null() {
        return Err(Error::new(ErrorKind::InvalidArgument, "the handle is null"));
    }
    match OPEN.get(handle as usize, |engram| Arc::clone(engram)) {
        Found::Alive(engram) => Ok(engram),
        Found::Dead => Err(Error::new(ErrorKind::Closed, "the handle is closed, or is none of engram's")),
        Found::Forked => {
            Err(Error::new(ErrorKind::Forked, "the handle was opened before a fork; open another one in this process"))
        }
    }
}

/// Takes a handle out of the table; its memory closes when the calls that use it have ended.
pub(crate) fn take(handle: *const engram_t) -> Option<Arc<Engram>> {
    OPEN.take(handle as usize)
}
