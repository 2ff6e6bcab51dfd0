//! Handles as the caller holds them: numbers in a table, never addresses.

use engram_core::{Engram, Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An open memory. Any thread may use it. Closed with `engram_close`.
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Debug)]
#[repr(C)]
pub struct engram_t {
    _opaque: [u8; 0],
}

#[derive(Default)]
struct Table {
    last: usize,
    open: HashMap<usize, (u32, Arc<Engram>)>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

fn table() -> MutexGuard<'static, Option<Table>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn put(engram: Engram) -> *mut engram_t {
    let mut table = table();
    let table = table.get_or_insert_default();
    table.last += 1;
    table.open.insert(table.last, (std::process::id(), Arc::new(engram)));
    std::ptr::without_provenance_mut(table.last)
}

/// The memory behind a handle.
///
/// # Errors
/// `InvalidArgument` for null, `Closed` for a handle that is closed or foreign, or was opened before a fork.
pub(crate) fn get(handle: *const engram_t) -> Result<Arc<Engram>> {
    if handle.is_null() {
        return Err(Error::new(ErrorKind::InvalidArgument, "the handle is null"));
    }
    let table = table();
    let found = table.as_ref().and_then(|t| t.open.get(&(handle as usize)));
    let (process, engram) =
        found.ok_or_else(|| Error::new(ErrorKind::Closed, "the handle is closed, or is none of ours"))?;
    if *process != std::process::id() {
        return Err(Error::new(ErrorKind::Closed, "the handle was opened before a fork; open another in this process"));
    }
    Ok(Arc::clone(engram))
}

/// Takes a handle out of the table; its memory closes when the calls that use it have ended.
pub(crate) fn take(handle: *const engram_t) -> Option<Arc<Engram>> {
    table().as_mut().and_then(|t| t.open.remove(&(handle as usize))).map(|(_, engram)| engram)
}
