//! The host's own models, as C functions.

use crate::boundary::{boundary, engram_error_t, engram_status_t};
use crate::table::{Found, Table};
use crate::text::borrowed;
use engram_core::models::HostCall;
use engram_core::wire::Hosts;
use engram_core::{Error, ErrorKind, Result};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// Where a callback puts its reply. Valid until the callback returns.
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Debug)]
pub struct engram_reply_t {
    _opaque: (),
}

/// A model of the host's: reads `request_json`, calls `engram_reply_set` with JSON (or `engram_reply_fail` with a sentence)
/// and returns 0, or anything else for a failure. engram calls it from threads of its own, perhaps from several at once,
/// and waits at most `probeTimeoutMs`; it must return in the end, and must neither throw nor `longjmp` out.
#[allow(non_camel_case_types, reason = "the C name")]
pub type engram_callback_fn = Option<
    unsafe extern "C" fn(user_data: *mut c_void, request_json: *const c_char, reply: *mut engram_reply_t) -> u32,
>;

/// The host's models. Each one that is set is described in the options of `engram_open` (`languageModel`, `embedder`).
#[allow(non_camel_case_types, reason = "the C name")]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct engram_callbacks_t {
    /// Completes prompts: `{"system","prompt","maxTokens","schema"?}` in, `{"text"}` out. May be null.
    pub language_model: engram_callback_fn,
    /// Makes vectors: `{"texts":[...]}` in, `{"vectors":[[...]|null, ...]}` out. May be null.
    pub embedder: engram_callback_fn,
    /// Handed to both functions as it is.
    pub user_data: *mut c_void,
    /// Called once when nothing will use `user_data` any more: when the handle is closed and the last function has
    /// returned, by the thread that was the last to need it; or within `engram_open` if that fails. May be null.
    pub release: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}

/// What a callback has said so far.
type Said = Option<std::result::Result<String, String>>;

static REPLIES: Table<Said> = Table::new();

/// The host's `user_data`; `release` is called when the last who holds this lets go.
#[derive(Debug)]
pub(crate) struct UserData {
    pointer: *mut c_void,
    release: Option<unsafe extern "C" fn(*mut c_void)>,
}

// SAFETY: engram never follows the pointer; the header asks the host for functions that any thread may call with it.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the host vouches for the function; this is its one call.
            unsafe { release(self.pointer) }
        }
    }
}

/// The host's models behind `callbacks`, and the user data that a handle holds as long as it is open.
///
/// # Safety
/// `callbacks` is null or points to such a struct, whose functions are callable as the header says.
pub(crate) unsafe fn hosts(callbacks: *const engram_callbacks_t) -> (Hosts, Option<Arc<UserData>>) {
    // SAFETY: the caller vouches for it.
    let Some(given) = (unsafe { callbacks.as_ref() }) else { return (Hosts::default(), None) };
    let data = Arc::new(UserData { pointer: given.user_data, release: given.release });
    let call = |function: engram_callback_fn| {
        let data = Arc::clone(&data);
        function.map(|f| -> HostCall { Arc::new(move |request| asked(f, &data, request)) })
    };
    let hosts = Hosts { language_model: call(given.language_model), embedder: call(given.embedder) };
    (hosts, Some(data))
}

fn asked(
    function: unsafe extern "C" fn(*mut c_void, *const c_char, *mut engram_reply_t) -> u32,
    data: &UserData,
    request: &str,
) -> std::result::Result<String, String> {
    let request = CString::new(request).map_err(|_| "the request holds a NUL".to_owned())?;
    let number = REPLIES.put(None);
    // SAFETY: the host vouches for the function; the text lives until it returns.
    let status = unsafe { function(data.pointer, request.as_ptr(), std::ptr::without_provenance_mut(number)) };
    match (status, REPLIES.take(number).flatten()) {
        (_, Some(Err(why))) => Err(why),
        (0, Some(reply)) => reply,
        (0, None) => Err("the callback set no reply".to_owned()),
        (other, _) => Err(format!("the callback returned {other}")),
    }
}

fn say(reply: *mut engram_reply_t, said: std::result::Result<String, String>) -> Result<()> {
    match REPLIES.get(reply as usize, |slot| *slot = Some(said)) {
        Found::Alive(()) => Ok(()),
        Found::Dead | Found::Forked => {
            Err(Error::new(ErrorKind::InvalidArgument, "the reply is none that a callback waits for"))
        }
    }
}

/// Answers a callback with JSON, which is copied. A later answer replaces an earlier one.
///
/// # Safety
/// `json` is null or NUL-terminated; `err` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_reply_set(
    reply: *mut engram_reply_t,
    json: *const c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for both.
    unsafe { boundary(err, || say(reply, Ok(borrowed(json, "json")?.to_owned()))) }
}

/// Answers a callback with a failure, in a sentence, which is copied.
///
/// # Safety
/// `message` is null or NUL-terminated; `err` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn engram_reply_fail(
    reply: *mut engram_reply_t,
    message: *const c_char,
    err: *mut *mut engram_error_t,
) -> engram_status_t {
    // SAFETY: the caller vouches for both.
    unsafe { boundary(err, || say(reply, Err(borrowed(message, "message")?.to_owned()))) }
}
