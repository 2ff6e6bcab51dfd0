//! Reading one hook payload: the first complete JSON object, without waiting for the end of the pipe (I6, I7).

mod repair;
mod scanner;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use scanner::{Scanner, State};
use serde_json::Value;
use std::fmt;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

/// How much, and how long, a hook reads.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest payload, in bytes; what goes beyond is read and thrown away.
    pub bytes: usize,
    /// Longest wait for the first byte.
    pub first_byte: Duration,
    /// Longest pause once bytes have come.
    pub stall: Duration,
    /// Longest time in all, so that a slow drip ends too.
    pub total: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 64 << 20,
            first_byte: Duration::from_secs(3),
            stall: Duration::from_secs(1),
            total: Duration::from_secs(4),
        }
    }
}

/// One payload.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The object.
    pub value: Value,
    /// Whether bytes that are no UTF-8, or halves of surrogate pairs, were replaced by U+FFFD.
    pub bytes_replaced: bool,
}

/// Why there is no payload. Each prints as one line.
#[derive(Debug)]
#[non_exhaustive]
pub enum InputError {
    /// The pipe ended before anything came.
    Empty,
    /// Nothing came in time.
    Silent,
    /// The object began and did not end: the pipe closed, or the rest did not come in time.
    Unfinished,
    /// The object is longer than the limit, in bytes.
    TooLong(usize),
    /// Something else than an object came.
    NotAnObject,
    /// The object is no valid JSON, or nested deeper than 128.
    Invalid(serde_json::Error),
    /// The descriptor could not be read.
    Io(std::io::Error),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Empty => f.write_str("nothing came on stdin"),
            InputError::Silent => f.write_str("nothing came on stdin in time"),
            InputError::Unfinished => f.write_str("the JSON object on stdin did not end in time"),
            InputError::TooLong(limit) => write!(f, "the JSON object on stdin is longer than {limit} bytes"),
            InputError::NotAnObject => f.write_str("stdin holds no JSON object"),
            InputError::Invalid(e) => write!(f, "the JSON object on stdin is not valid: {e}"),
            InputError::Io(e) => write!(f, "stdin cannot be read: {e}"),
        }
    }
}

impl std::error::Error for InputError {}

/// Reads the first complete JSON object from `fd` and returns as soon as its last brace has come.
///
/// Leading white space and a byte order mark are skipped, what follows the object is not read on purpose. One pass over
/// the bytes; memory is the payload's length.
///
/// # Errors
/// Each [`InputError`] as described there; never later than `limits.total`.
pub fn read_object(fd: impl AsFd, limits: &Limits) -> Result<Input, InputError> {
    let mut source = Source { fd: fd.as_fd(), limits: *limits, started: Instant::now(), any: false };
    let mut scanner = Scanner::default();
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let n = source.read(&mut chunk)?;
        if n == 0 {
            return Err(if scanner.begun() { InputError::Unfinished } else { InputError::Empty });
        }
        bytes.extend_from_slice(&chunk[..n]);
        match scanner.advance(&bytes) {
            State::Complete(range) if range.len() <= limits.bytes => return repair::parse(&bytes[range]),
            State::NotAnObject => return Err(InputError::NotAnObject),
            State::Complete(_) => return Err(InputError::TooLong(limits.bytes)),
            State::Open if bytes.len() > limits.bytes => return Err(source.discard(&mut chunk)),
            State::Open => {}
        }
    }
}

/// A descriptor with deadlines.
struct Source<'fd> {
    fd: BorrowedFd<'fd>,
    limits: Limits,
    started: Instant,
    any: bool,
}

impl Source<'_> {
    /// Reads some bytes; 0 is the end.
    fn read(&mut self, chunk: &mut [u8]) -> Result<usize, InputError> {
        loop {
            self.wait()?;
            match rustix::io::read(self.fd, &mut *chunk) {
                Ok(n) => {
                    self.any |= n > 0;
                    return Ok(n);
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(e) => return Err(InputError::Io(e.into())),
            }
        }
    }

    /// Waits until there is something to read, or the end.
    fn wait(&self) -> Result<(), InputError> {
        let pause = if self.any { self.limits.stall } else { self.limits.first_byte };
        let until = (Instant::now() + pause).min(self.started + self.limits.total);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(if self.any { InputError::Unfinished } else { InputError::Silent });
            }
            let timeout = Timespec::try_from(left).ok();
            match poll(&mut [PollFd::new(&self.fd, PollFlags::IN)], timeout.as_ref()) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(e) => return Err(InputError::Io(e.into())),
            }
        }
    }

    /// Reads on to the end, so that the harness's write does not fail, and says why.
    fn discard(&mut self, chunk: &mut [u8]) -> InputError {
        while self.read(chunk).is_ok_and(|n| n > 0) {}
        InputError::TooLong(self.limits.bytes)
    }
}

#[cfg(test)]
mod tests;
