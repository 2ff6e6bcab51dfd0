//! Why a command failed, and the exit code of that (contract).

use engram_core::{Error, ErrorKind};
use std::fmt;
use std::process::ExitCode;

/// The end of a command that did not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command line asks for something that cannot be: exit code 2.
    Usage(Error),
    /// What was asked for did not succeed: exit code 1.
    Failed(Error),
}

impl Failure {
    /// Wrong usage that says `detail`.
    pub(super) fn usage(detail: impl Into<String>) -> Failure {
        Failure::Usage(Error::new(ErrorKind::InvalidArgument, detail.into()))
    }

    /// A failure that says `detail`.
    pub(super) fn failed(detail: impl Into<String>) -> Failure {
        Failure::Failed(Error::new(ErrorKind::Io, detail.into()))
    }

    /// The error of an operation whose arguments are those of the command line: an invalid one is wrong usage.
    pub(super) fn of_arguments(error: Error) -> Failure {
        if error.kind() == ErrorKind::InvalidArgument { Failure::Usage(error) } else { Failure::Failed(error) }
    }

    /// The exit code.
    pub(super) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Usage(_) => 2,
            Failure::Failed(_) => 1,
        })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Failed(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Usage(error) | Failure::Failed(error)) = self;
        error.fmt(f)
    }
}
