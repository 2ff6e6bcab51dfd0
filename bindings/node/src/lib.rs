//! The addon under the npm package `engram`: a handle that takes and gives JSON text. `index.js` gives people objects,
//! promises and errors.
//!
//! Everything that may wait runs on threads of the handle's and comes back as a message to the one JavaScript function
//! that was given to `open`; so do the questions to the host's models. A message never waits for JavaScript.

// The macros of napi make items without documentation.
#![allow(missing_docs, missing_debug_implementations, reason = "made by #[napi]; index.d.ts has the documentation")]

mod pool;

use engram_core::models::HostCall;
use engram_core::wire::{self, Failure};
use engram_core::{Engram, Error, ErrorKind};
use napi::Env;
use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use pool::Pool;
use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an environment that ends waits for calls under way.
const LAST_CALLS: Duration = Duration::from_secs(2);

/// A message: what it is, the call that it belongs to, a status, a text.
type Message = FnArgs<(u32, u32, u32, String)>;
type Listener = ThreadsafeFunction<Message, (), Message, napi::Status, false, true>;

/// The call `id` has ended with a status and an answer.
const DONE: u32 = 0;
/// The language model is asked; `answer` is waited for.
const COMPLETE: u32 = 1;
/// The embedder is asked; `answer` is waited for.
const EMBED: u32 = 2;

type Waiting = HashMap<u32, Sender<Result<String, String>>>;

/// Questions to the host that wait for their answers; `None` once the handle is closed.
struct Questions {
    last: u32,
    waiting: Option<Waiting>,
}

struct Shared {
    listener: Listener,
    engram: Mutex<Option<Arc<Engram>>>,
    questions: Mutex<Questions>,
    pool: Pool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A status and a text as an exception of Node's; `index.js` takes it apart again.
fn exception(Failure { code, message }: Failure) -> napi::Error {
    napi::Error::from_reason(format!("{code}:{message}"))
}

impl Shared {
    fn say(&self, what: u32, id: u32, status: u32, text: String) -> bool {
        let message = FnArgs::from((what, id, status, text));
        self.listener.call(message, ThreadsafeFunctionCallMode::NonBlocking) == napi::Status::Ok
    }

    /// Asks JavaScript and waits for its `answer`.
    fn ask(&self, what: u32, request: &str) -> Result<String, String> {
        let (answer, wait) = channel();
        let id = {
            let mut questions = lock(&self.questions);
            let last = questions.last.wrapping_add(1);
            questions.last = last;
            let waiting = questions.waiting.as_mut().ok_or_else(|| "the handle is closed".to_owned())?;
            waiting.insert(last, answer);
            last
        };
        if !self.say(what, id, 0, request.to_owned()) {
            return Err("the JavaScript environment is ending".to_owned());
        }
        let answer = self.pool.waiting(|| wait.recv());
        answer.unwrap_or_else(|_| Err("the handle was closed before the answer came".to_owned()))
    }

    fn call(&self, verb: &str, arguments: &str) -> Result<String, Failure> {
        self.with(|engram| wire::call(engram, verb, arguments))
    }

    /// Runs `body` on the handle; a panic closes it.
    fn with(&self, body: impl FnOnce(&Engram) -> engram_core::Result<String>) -> Result<String, Failure> {
        let engram = lock(&self.engram).clone();
        let closed = || Error::new(ErrorKind::Closed, "the handle is closed");
        let answer = wire::guarded(|| body(&*engram.ok_or_else(closed)?));
        if answer.as_ref().is_err_and(|failure| failure.code == wire::PANIC) {
            drop(lock(&self.engram).take());
        }
        answer
    }

    /// Lets nothing new begin, and whoever waits for JavaScript go on.
    fn close(&self) -> Option<Arc<Engram>> {
        let engram = lock(&self.engram).take();
        drop(lock(&self.questions).waiting.take());
        engram
    }
}

/// An open memory. It belongs to the JavaScript environment that opened it.
#[napi]
pub struct Handle {
    shared: Arc<Shared>,
}

#[napi]
impl Handle {
    /// Opens a handle. `listener(what, id, status, text)` gets what takes time.
    #[napi(factory, catch_unwind)]
    pub fn open(
        env: Env,
        options: String,
        listener: Function<'_, Message, ()>,
        completes: bool,
        embeds: bool,
    ) -> napi::Result<Handle> {
        let listener = listener.build_threadsafe_function().weak::<true>().build()?;
        let shared = Arc::new(Shared {
            listener,
            engram: Mutex::new(None),
            questions: Mutex::new(Questions { last: 0, waiting: Some(HashMap::new()) }),
            pool: Pool::default(),
        });
        // A handle that is dropped without `close` must be free to go: its models do not keep it.
        let host = |wanted: bool, what: u32| {
            let shared = Arc::downgrade(&shared);
            wanted.then(|| -> HostCall {
                Arc::new(move |request| match shared.upgrade() {
                    Some(shared) => shared.ask(what, request),
                    None => Err("the handle is closed".to_owned()),
                })
            })
        };
        let hosts = wire::Hosts { language_model: host(completes, COMPLETE), embedder: host(embeds, EMBED) };
        let engram = wire::guarded(|| wire::open(&options, hosts)).map_err(exception)?;
        *lock(&shared.engram) = Some(Arc::new(engram));
        let ending = Arc::downgrade(&shared);
        env.add_env_cleanup_hook((), move |()| {
            if let Some(shared) = ending.upgrade() {
                drop(shared.close());
                shared.pool.end(LAST_CALLS);
            }
        })?;
        Ok(Handle { shared })
    }

    /// Calls a verb in this thread.
    #[napi(catch_unwind)]
    pub fn call(&self, verb: String, arguments: String) -> napi::Result<String> {
        self.shared.call(&verb, &arguments).map_err(exception)
    }

    /// Handles a payload of a harness in this thread; its JSON answer is that of `engram_cli::serve::hook`.
    #[napi(catch_unwind)]
    pub fn hook(&self, harness: String, payload: String) -> napi::Result<String> {
        self.shared.with(|engram| engram_cli::serve::hook(engram, &harness, &payload)).map_err(exception)
    }

    /// Calls a verb on another thread; the listener is told `DONE` with `id`.
    #[napi(catch_unwind)]
    pub fn start(&self, id: u32, verb: String, arguments: String) {
        let shared = Arc::clone(&self.shared);
        self.shared.pool.run(Box::new(move || {
            let (status, text) = match shared.call(&verb, &arguments) {
                Ok(answer) => (0, answer),
                Err(Failure { code, message }) => (code, message),
            };
            shared.say(DONE, id, status, text);
        }));
    }

    /// Closes on another thread; the listener is told `DONE` with `id`. Calls under way go on, and the last of them closes.
    #[napi(catch_unwind)]
    pub fn close(&self, id: u32) {
        let engram = self.shared.close();
        let shared = Arc::clone(&self.shared);
        self.shared.pool.run(Box::new(move || {
            drop(engram);
            shared.say(DONE, id, 0, String::new());
        }));
    }

    /// What the host's model answered to question `id`: JSON, or the words of its failure.
    #[napi(catch_unwind)]
    pub fn answer(&self, id: u32, failed: bool, text: String) {
        let waiting = lock(&self.shared.questions).waiting.as_mut().and_then(|w| w.remove(&id));
        if let Some(waiting) = waiting {
            // Nobody listens if the time limit has passed.
            let _ = waiting.send(if failed { Err(text) } else { Ok(text) });
        }
    }

    /// Whether calls will be refused.
    #[napi(getter, catch_unwind)]
    pub fn closed(&self) -> bool {
        lock(&self.shared.engram).is_none()
    }
}

/// The version of the library.
#[napi(catch_unwind)]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The verbs, by their names on the wire.
#[napi(catch_unwind)]
pub fn verbs() -> Vec<String> {
    wire::VERBS.iter().map(|v| (*v).to_owned()).collect()
}

/// The kinds of errors: name and number.
#[napi(catch_unwind)]
pub fn kinds() -> HashMap<String, u32> {
    let kinds = ErrorKind::ALL.iter().map(|k| (k.name().to_owned(), k.code()));
    kinds.chain([("Panic".to_owned(), wire::PANIC)]).collect()
}
