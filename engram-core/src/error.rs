//! The one error type of the library.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// What the operations of this crate return.
pub type Result<T> = std::result::Result<T, Error>;

type Source = Arc<dyn std::error::Error + Send + Sync>;

/// An error: a kind that programs act on, a sentence for people, and the cause where there is one.
#[derive(Clone)]
pub struct Error {
    repr: Box<Repr>,
}

#[derive(Clone)]
struct Repr {
    kind: ErrorKind,
    detail: Cow<'static, str>,
    source: Option<Source>,
}

/// The kinds of [`Error`]; each has a fixed number that every binding uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller passed something that breaks a stated rule.
    InvalidArgument,
    /// A setting is unknown, of the wrong type or out of its range.
    Config,
    /// The file system refused.
    Io,
    /// The database refused.
    Storage,
    /// Stored data could not be understood.
    Corrupt,
    /// A language model or embedder could not be reached or refused.
    Model,
    /// A language model answered, but not in the agreed form.
    ModelReply,
    /// The handle was closed.
    Closed,
    /// Somebody else holds what this operation needs; trying again later can help.
    Busy,
    /// This process was forked while its parent had a handle open: it can neither use that one nor open another.
    Forked,
}

impl ErrorKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: &[ErrorKind] = &[
        ErrorKind::InvalidArgument,
        ErrorKind::Config,
        ErrorKind::Io,
        ErrorKind::Storage,
        ErrorKind::Corrupt,
        ErrorKind::Model,
        ErrorKind::ModelReply,
        ErrorKind::Closed,
        ErrorKind::Busy,
        ErrorKind::Forked,
    ];

    /// The name of this kind in every language: `InvalidArgument` here, `ENGRAM_ERR_INVALID_ARGUMENT` in C.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::InvalidArgument => "InvalidArgument",
            ErrorKind::Config => "Config",
            ErrorKind::Io => "Io",
            ErrorKind::Storage => "Storage",
            ErrorKind::Corrupt => "Corrupt",
            ErrorKind::Model => "Model",
            ErrorKind::ModelReply => "ModelReply",
            ErrorKind::Closed => "Closed",
            ErrorKind::Busy => "Busy",
            ErrorKind::Forked => "Forked",
        }
    }

    /// The number of this kind in the C ABI; numbers are never reused.
    pub const fn code(self) -> u32 {
        match self {
            ErrorKind::InvalidArgument => 1,
            ErrorKind::Config => 2,
            ErrorKind::Io => 3,
            ErrorKind::Storage => 4,
            ErrorKind::Corrupt => 5,
            ErrorKind::Model => 6,
            ErrorKind::ModelReply => 7,
            ErrorKind::Closed => 8,
            ErrorKind::Busy => 9,
            ErrorKind::Forked => 10,
        }
    }
}

impl Error {
    /// Makes an error of `kind` that says `detail`.
    pub fn new(kind: ErrorKind, detail: impl Into<Cow<'static, str>>) -> Error {
        Error { repr: Box::new(Repr { kind, detail: detail.into(), source: None }) }
    }

    /// The same error with the cause attached.
    #[must_use]
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Error {
        self.repr.source = Some(Arc::new(source));
        self
    }

    /// An [`ErrorKind::InvalidArgument`] error.
    pub(crate) fn invalid(detail: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::InvalidArgument, detail)
    }

    /// An [`ErrorKind::Io`] error that names what was being done and to which path.
    pub(crate) fn io(doing: &str, path: &std::path::Path, source: std::io::Error) -> Error {
        Error::new(ErrorKind::Io, format!("cannot {doing} \"{}\"", path.display())).with_source(source)
    }

    /// The kind, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.repr.kind
    }

    /// Whether the same call can succeed later without a change by the caller.
    pub fn is_temporary(&self) -> bool {
        matches!(self.repr.kind, ErrorKind::Busy | ErrorKind::Model)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.repr.detail)?;
        match &self.repr.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({self})", self.repr.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.repr.source.as_ref().map(|s| &**s as &(dyn std::error::Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_never_zero() {
        let codes: std::collections::BTreeSet<u32> = ErrorKind::ALL.iter().map(|k| k.code()).collect();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
        assert!(!codes.contains(&0));
    }

    #[test]
    fn an_error_is_one_word_wide_and_prints_its_cause() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        let e = Error::io("open", std::path::Path::new("x/y"), std::io::Error::other("no disk"));
        assert_eq!(e.to_string(), "cannot open \"x/y\": no disk");
    }
}
