"""The exceptions: one class for each kind of error, the same kinds as in every other language."""

from __future__ import annotations

from typing import ClassVar


class EngramError(Exception):
    """What every error of engram is.

    ``kind`` is the kind's name and ``code`` its number, the same in every language.
    """

    kind: ClassVar[str] = ""
    code: ClassVar[int] = 0


class InvalidArgumentError(EngramError):
    """The caller passed something that breaks a stated rule."""

    kind = "InvalidArgument"
    code = 1


class ConfigError(EngramError):
    """A setting is unknown, of the wrong type or out of its range."""

    kind = "Config"
    code = 2


class IoError(EngramError):
    """The file system refused."""

    kind = "Io"
    code = 3


class StorageError(EngramError):
    """The database refused."""

    kind = "Storage"
    code = 4


class CorruptError(EngramError):
    """Stored data could not be understood."""

    kind = "Corrupt"
    code = 5


class ModelError(EngramError):
    """A language model or embedder could not be reached, refused, failed or took too long."""

    kind = "Model"
    code = 6


class ModelReplyError(EngramError):
    """A language model or embedder answered, but not in the agreed form."""

    kind = "ModelReply"
    code = 7


class ClosedError(EngramError):
    """The handle is closed."""

    kind = "Closed"
    code = 8


class BusyError(EngramError):
    """Somebody else holds what this call needs; trying again later can help."""

    kind = "Busy"
    code = 9


class ForkedError(EngramError):
    """This process was forked while its parent had a memory open: it can neither use that one nor open another."""

    kind = "Forked"
    code = 10


class PanicError(EngramError):
    """engram panicked, which is a bug in it; the handle of the call is closed."""

    kind = "Panic"
    code = 255


BY_CODE: dict[int, type[EngramError]] = {kind.code: kind for kind in EngramError.__subclasses__()}
