//! The panic boundary of the bindings: whatever goes wrong behind it is a number and a sentence.

use crate::error::{Error, Result};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of a panic, beside those of [`ErrorKind`](crate::ErrorKind).
pub const PANIC: u32 = 255;

/// What a binding tells its language: the number of an error's kind, or [`PANIC`], and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number ([`ErrorKind::code`](crate::ErrorKind::code)).
    pub code: u32,
    /// The sentence.
    pub message: String,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { code: error.kind().code(), message: error.to_string() }
    }
}

thread_local! {
    /// What the last panic of this thread said, and where.
    static PANICKED: Cell<String> = const { Cell::new(String::new()) };
}

/// Rust's own hook writes to stderr, which is the host's. The words go into the error instead.
fn keep_panics_off_stderr() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.load(Ordering::Relaxed) && !DONE.swap(true, Ordering::Relaxed) {
        set_hook(Box::new(|panic| {
            // A panic while the thread ends has nowhere to be kept.
            let _ = PANICKED.try_with(|words| words.set(panic.to_string().replace('\n', " ")));
        }));
    }
}

/// Runs `body` so that no panic gets out; after one, what `body` used is to be given up, as it may be half done. For
/// libraries that another language loads: the first call takes the panic hook of this copy of Rust's library.
///
/// # Errors
/// The body's own, and [`PANIC`] with its words.
pub fn guarded<T>(body: impl FnOnce() -> Result<T>) -> std::result::Result<T, Failure> {
    keep_panics_off_stderr();
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result.map_err(Failure::from),
        Err(_) => {
            let message = format!("internal error: engram {}; the handle is closed", PANICKED.take());
            Err(Failure { code: PANIC, message })
        }
    }
}
