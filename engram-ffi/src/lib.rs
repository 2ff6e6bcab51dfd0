//! The C ABI of engram: an opaque handle, JSON text in and out, a status as return value, an owned error by out-pointer.
//!
//! Handles, errors and strings that cross the boundary are looked up in tables of what is alive, so that a null pointer, a
//! second free, a use after free or a foreign pointer is an error and never undefined behaviour. Every export goes through
//! one panic boundary. The forms are those of docs/wire.md.

mod boundary;
mod calls;
mod handle;
mod text;

pub use boundary::{
    ENGRAM_ERR_PANIC, ENGRAM_OK, engram_error_code, engram_error_free, engram_error_message, engram_error_t,
};
pub use calls::{engram_call, engram_close, engram_open};
pub use handle::engram_t;
pub use text::{engram_string_free, engram_version};

#[cfg(test)]
mod tests;
