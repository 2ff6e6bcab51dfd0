//! The threads of a handle: as many as there is work for, up to a limit, and none when there is none. libuv's pool is not
//! used: a few consolidations that wait for JavaScript would block what JavaScript needs to answer them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Threads at once that work. More calls than this wait for their turn.
const MOST: usize = 32;
/// Threads at once, with those that wait for JavaScript.
const MOST_WITH_WAITING: usize = 256;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    running: usize,
    /// Calls that wait for JavaScript, which may need a thread for a call of its own before it can answer.
    waiting: usize,
    ended: bool,
}

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    idle: Condvar,
}

/// See the module.
#[derive(Clone, Default)]
pub(crate) struct Pool(Arc<Inner>);

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn full(state: &State) -> bool {
        state.running >= (MOST + state.waiting).min(MOST_WITH_WAITING)
    }

    fn work(&self) {
        loop {
            let mut state = self.state();
            let Some(job) = state.queue.pop_front() else {
                state.running -= 1;
                self.idle.notify_all();
                return;
            };
            drop(state);
            job();
        }
    }
}

impl Pool {
    /// Runs `job` on a thread; in this one if there can be none.
    pub(crate) fn run(&self, job: Job) {
        let mut state = self.0.state();
        if state.ended {
            return;
        }
        state.queue.push_back(job);
        self.grow(state);
    }

    /// Waits for JavaScript; meanwhile there may be a thread more.
    pub(crate) fn waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        let mut state = self.0.state();
        state.waiting += 1;
        if state.queue.is_empty() {
            drop(state);
        } else {
            self.grow(state);
        }
        let answer = wait();
        self.0.state().waiting -= 1;
        answer
    }

    fn grow(&self, mut state: MutexGuard<'_, State>) {
        if Inner::full(&state) {
            return;
        }
        state.running += 1;
        drop(state);
        let inner = Arc::clone(&self.0);
        if std::thread::Builder::new().name("engram-call".into()).spawn(move || inner.work()).is_err() {
            self.0.work();
        }
    }

    /// Drops what has not begun and waits for the rest, at most `limit`.
    pub(crate) fn end(&self, limit: Duration) {
        let deadline = Instant::now() + limit;
        let mut state = self.0.state();
        state.ended = true;
        let dropped = std::mem::take(&mut state.queue);
        while state.running > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.0.idle.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
        drop(dropped);
    }
}
