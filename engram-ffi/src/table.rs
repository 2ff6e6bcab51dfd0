//! What crosses the boundary, as numbers in a table: a null, freed, foreign or forked pointer is found out, never followed.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many numbers were handed out; one count for all tables, so that a pointer of one kind is foreign to the others.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Where they begin: at random, in the upper half, where no small number and no address of the process is; 0 before the
/// first. No lock, which a fork could leave held for ever.
static BASE: AtomicUsize = AtomicUsize::new(0);

fn number(count: usize) -> usize {
    count
        + match BASE.load(Ordering::Acquire) {
            0 => begun(),
            base => base,
        }
}

fn begun() -> usize {
    let random = usize::try_from(RandomState::new().hash_one(std::process::id())).unwrap_or_default();
    let mine = usize::MAX / 2 + 1 + (random >> 2);
    BASE.compare_exchange(0, mine, Ordering::AcqRel, Ordering::Acquire).map_or_else(|other| other, |_| mine)
}

/// A table of what is alive in this process. A forked child begins with an empty one: the parent's may have been locked
/// by a thread that did not come along.
pub(crate) struct Table<T> {
    here: AtomicPtr<OfProcess<T>>,
}

struct OfProcess<T> {
    process: u32,
    /// Smaller numbers were handed out before the fork; 0 without one.
    first: usize,
    live: Mutex<HashMap<usize, T>>,
}

/// What a number means.
pub(crate) enum Found<V> {
    Alive(V),
    /// Freed, or none of ours.
    Dead,
    /// Handed out before a fork, by the parent.
    Forked,
}

impl<T: 'static> Table<T> {
    pub(crate) const fn new() -> Table<T> {
        Table { here: AtomicPtr::new(std::ptr::null_mut()) }
    }

    fn here(&self) -> &'static OfProcess<T> {
        let process = std::process::id();
        loop {
            let known = self.here.load(Ordering::Acquire);
            // SAFETY: the pointer is null or came from Box::into_raw below and is never freed.
            if let Some(table) = unsafe { known.as_ref() }.filter(|t| t.process == process) {
                return table;
            }
            // Numbers of other tables are no sign of a fork: only a table that took the place of another one has a past.
            let first = if known.is_null() { 0 } else { number(COUNT.load(Ordering::Relaxed)) };
            let new = Box::into_raw(Box::new(OfProcess { process, first, live: Mutex::default() }));
            if self.here.compare_exchange(known, new, Ordering::AcqRel, Ordering::Acquire).is_err() {
                // SAFETY: nobody else has seen it.
                drop(unsafe { Box::from_raw(new) });
            }
        }
    }

    fn live(&self) -> MutexGuard<'static, HashMap<usize, T>> {
        self.here().live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a value in; gives its number, never 0.
    pub(crate) fn put(&self, value: T) -> usize {
        let mut live = self.live();
        let number = number(COUNT.fetch_add(1, Ordering::Relaxed));
        live.insert(number, value);
        number
    }

    /// Puts a value in under an address of its own.
    pub(crate) fn put_at(&self, address: usize, value: T) {
        self.live().insert(address, value);
    }

    /// What `look` sees in the value of a number.
    pub(crate) fn get<V>(&self, number: usize, look: impl FnOnce(&mut T) -> V) -> Found<V> {
        match self.live().get_mut(&number) {
            Some(value) => Found::Alive(look(value)),
            None if self.of_a_parent(number) => Found::Forked,
            None => Found::Dead,
        }
    }

    fn of_a_parent(&self, number: usize) -> bool {
        let base = BASE.load(Ordering::Acquire);
        base != 0 && (base..self.here().first).contains(&number)
    }

    /// Takes a value out.
    pub(crate) fn take(&self, number: usize) -> Option<T> {
        self.live().remove(&number)
    }
}
