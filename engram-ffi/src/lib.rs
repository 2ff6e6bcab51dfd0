//! The C ABI of engram: an opaque handle, JSON text in and out, a status as return value, an owned error by out-pointer.
//!
//! Handles, errors and strings that cross the boundary are looked up in tables of what is alive, so that a null pointer, a
//! second free, a use after free or a foreign pointer is an error and never undefined behaviour. Every export goes through
//! one panic boundary. The forms are those of docs/wire.md.

mod boundary;
mod callbacks;
mod handle;
mod open;
mod table;
mod text;
mod verbs;

pub use boundary::*;
pub use callbacks::{engram_callback_fn, engram_callbacks_t, engram_reply_fail, engram_reply_set, engram_reply_t};
pub use handle::engram_t;
pub use open::{engram_close, engram_open};
pub use text::{engram_string_free, engram_version};
pub use verbs::*;

#[cfg(test)]
mod tests;
