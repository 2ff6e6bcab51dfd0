"""Memory for AI coding agents, in-process.

Open the memory of a project, tell it what the agent does, and hand on what it says::

    import engram

    with engram.Engram("path/of/the/project") as memory:
        reply = memory.on_session_start(session="monday", source="startup")
        print(reply["context"])          # what to hand to the agent
"""

from __future__ import annotations

import atexit
import json
import weakref
from collections.abc import Sequence
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Literal, Optional, Union, cast

from . import errors, types
from ._engram import VERSION as __version__
from ._engram import Handle as _Handle
from .errors import (
    BusyError,
    ClosedError,
    ConfigError,
    CorruptError,
    EngramError,
    ForkedError,
    InvalidArgumentError,
    IoError,
    ModelError,
    ModelReplyError,
    PanicError,
    StorageError,
)
from .models import Completed, Completion, Embedder, LanguageModel, completing, embedding

__all__ = [
    "BusyError",
    "ClosedError",
    "Completed",
    "Completion",
    "ConfigError",
    "CorruptError",
    "Embedder",
    "Engram",
    "EngramError",
    "ForkedError",
    "InvalidArgumentError",
    "IoError",
    "LanguageModel",
    "ModelError",
    "ModelReplyError",
    "PanicError",
    "StorageError",
    "__version__",
    "errors",
    "types",
]

Harness = Literal["claude-code", "codex", "gemini", "opencode", "copilot", "cursor", "gsd", "generic"]

# Handles that are open: what they still do ends before the interpreter does.
_open: weakref.WeakSet[Engram] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for memory in list(_open):
        memory.close()


_encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


def _encoded(arguments: Any) -> str:
    try:
        return _encode(arguments)
    except (TypeError, ValueError, RecursionError) as e:
        raise InvalidArgumentError(f"the arguments have no JSON form: {e}") from e


class Engram:
    """The memory of one project, open. Any thread may use it.

    Every method releases the GIL while engram works. The ``on_*`` methods, ``status``, ``events`` and ``node`` take
    microseconds to a millisecond; ``on_*`` return when the event is durable. ``retrieve``, ``search`` and
    ``check_contradiction`` take milliseconds; ``consolidate``, ``flush``, ``remember``, ``forget``, the imports and
    ``probe`` may wait for the disk or for a model.

    Arguments:
        project: a directory of the project.
        home: where engram keeps its data; ``ENGRAM_HOME`` or ``~/.engram`` if not given.
        config: settings by name (see ``types.Config``); the home's ``config.json`` and the environment if not given.
        background: ``"worker"`` has a thread of this handle consolidate after each turn; ``"caller"`` leaves it to
            ``consolidate``.
        language_model: the program's own model, which consolidates; rules alone if not given.
        embedder: the program's own embedder; the table inside engram if not given.

    Raises:
        InvalidArgumentError: the directory belongs to no project, or a model has no name.
        ConfigError: a setting is unknown or has a bad value, or no home can be found.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(
        self,
        project: Union[str, PathLike[str]],
        *,
        home: Union[str, PathLike[str], None] = None,
        config: Optional[types.Config] = None,
        background: Literal["worker", "caller"] = "worker",
        language_model: Optional[LanguageModel] = None,
        embedder: Optional[Embedder] = None,
    ) -> None:
        options: dict[str, Any] = {"project": fspath(project), "background": background}
        if home is not None:
            options["home"] = fspath(home)
        if config is not None:
            options["config"] = config
        if language_model is not None:
            options["languageModel"] = {"name": language_model.name}
        if embedder is not None:
            options["embedder"] = {"model": embedder.model, "dimensions": embedder.dimensions}
        complete = None if language_model is None else completing(language_model)
        embed = None if embedder is None else embedding(embedder)
        code, opened = _Handle.open(_encoded(options), complete, embed)
        if code:
            raise errors.BY_CODE[code](opened)
        self._handle = cast(_Handle, opened)
        _open.add(self)

    def call(self, verb: str, arguments: Any = None) -> Any:
        """Calls a verb by its name on the wire (``"onToolCall"``) with arguments as on the wire; gives its answer.

        The methods below are this with names and types. Use it for what a newer engram has and this package does not
        name, or to pass on JSON that you have already.
        """
        code, answer = self._handle.call(verb, {} if arguments is None else arguments, _encoded)
        if code:
            raise errors.BY_CODE[code](answer)
        return _decode(answer)

    def hook(self, harness: Harness, payload: Any) -> dict[str, Any]:
        """Handles what a harness's own hook received, with the rules of the ``engram`` program, inside this process.

        ``harness`` is ``claude-code``, ``codex``, ``gemini`` or ``generic``. The result has ``answer`` (what the harness
        takes as the hook's answer; None where there is nothing to say), ``context`` and ``trouble``.
        """
        code, answer = self._handle.hook(harness, _encoded(payload))
        if code:
            raise errors.BY_CODE[code](answer)
        return _decode(answer)

    def _given(self, verb: str, **arguments: Any) -> Any:
        return self.call(verb, {key: value for key, value in arguments.items() if value is not None})

    def close(self) -> None:
        """Closes the memory: new calls are refused, those under way end by themselves, and the last of them closes.

        A second close does nothing. Further calls raise ``ClosedError``.
        """
        _open.discard(self)
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether calls will be refused: closed, or opened before a fork."""
        return self._handle.closed

    def __enter__(self) -> Engram:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<engram.Engram {'closed' if self.closed else 'open'}>"

    def on_session_start(
        self,
        *,
        session: str,
        source: str = "startup",
        harness: Harness = "generic",
        cwd: Optional[str] = None,
        ts: Optional[str] = None,
    ) -> types.Reply:
        """A session begins or goes on: logged, and what it should know is recalled in ``context``.

        ``source`` is ``startup``, ``resume``, ``clear``, ``compact`` or ``fork``; ``ts`` an RFC 3339 time, now if absent.
        """
        return self._given("onSessionStart", session=session, source=source, harness=harness, cwd=cwd, ts=ts)

    def on_user_prompt(self, *, session: str, text: str, ts: Optional[str] = None) -> types.Reply:
        """The user said something: logged, and answered with what it brings to mind."""
        return self._given("onUserPrompt", session=session, text=text, ts=ts)

    def on_tool_call(
        self,
        *,
        session: str,
        tool: str,
        input: Any,
        output: Any = None,
        error: Optional[str] = None,
        exit_code: Optional[int] = None,
        harness: Harness = "generic",
        cwd: Optional[str] = None,
        tool_use_id: Optional[str] = None,
        agent: Optional[str] = None,
        ts: Optional[str] = None,
    ) -> types.Reply:
        """A tool call finished: one event, durable when this returns.

        ``input`` and ``output`` are the harness's own objects. The first read of a file is answered with what is known of
        it, a write with the contradictions it makes. A failed call has ``error`` and perhaps no ``output``.
        """
        return self._given(
            "onToolCall",
            session=session,
            harness=harness,
            cwd=cwd,
            tool=tool,
            input=input,
            output=output,
            error=error,
            exitCode=exit_code,
            toolUseId=tool_use_id,
            agent=agent,
            ts=ts,
        )

    def on_decision(
        self,
        *,
        session: str,
        content: str,
        rationale: Optional[str] = None,
        files: Optional[Sequence[str]] = None,
        rejected: Optional[Sequence[str]] = None,
        ts: Optional[str] = None,
    ) -> types.Reply:
        """A decision is saved on purpose: logged, and remembered as an explicit one when the turn is consolidated.

        ``files`` are those that it is about, the whole project if there are none; ``rejected`` is what it is against.
        """
        lists = {"files": files and list(files), "rejected": rejected and list(rejected)}
        return self._given("onDecision", session=session, content=content, rationale=rationale, ts=ts, **lists)

    def on_stop(
        self, *, session: str, text: str, agent: Optional[str] = None, ts: Optional[str] = None
    ) -> types.Reply:
        """The agent finished responding with the message ``text``: logged, and consolidation is asked for."""
        return self._given("onStop", session=session, text=text, agent=agent, ts=ts)

    def on_compaction(self, *, session: str, trigger: str = "auto", ts: Optional[str] = None) -> types.Reply:
        """The harness compacts its context: notes may be told again."""
        return self._given("onCompaction", session=session, trigger=trigger, ts=ts)

    def on_session_end(self, *, session: str, reason: str = "", ts: Optional[str] = None) -> types.Reply:
        """The session ended."""
        return self._given("onSessionEnd", session=session, reason=reason, ts=ts)

    def retrieve(
        self,
        question: str,
        *,
        limit: Optional[int] = None,
        scope: Optional[Literal["project", "all"]] = None,
        budget: Optional[int] = None,
    ) -> types.Recall:
        """Recalls what a question brings to mind: at most ``limit`` notes (10) within ``budget`` tokens."""
        return self._given("retrieve", question=question, limit=limit, scope=scope, budget=budget)

    def search(self, question: str, *, limit: Optional[int] = None) -> list[types.RecallItem]:
        """The notes that a question brings to mind, most active first, without a budget."""
        return self._given("search", question=question, limit=limit)["items"]

    def check_contradiction(self, path: str, diff: str) -> types.Verdict:
        """Checks a change (a unified diff of one file) against the decisions that bind its file."""
        return self._given("checkContradiction", path=path, diff=diff)

    def consolidate(
        self, *, session: Optional[str] = None, wait: Optional[float] = None
    ) -> types.Consolidated:
        """Consolidates what is pending, in this thread; ``wait`` seconds (60) for another consolidator.

        Raises:
            BusyError: another one works longer than that.
        """
        return self._given("consolidate", session=session, waitMs=None if wait is None else int(wait * 1000))

    def flush(self, timeout: float = 10.0) -> bool:
        """Waits until the background work asked for so far is done, ``timeout`` seconds at most; says whether it is."""
        return self._given("flush", timeoutMs=int(timeout * 1000))["done"]

    def remember(
        self,
        text: str,
        *,
        type: Literal["decision", "finding", "preference"] = "decision",
        files: Sequence[str] = (),
        rationale: str = "",
    ) -> types.Remembered:
        """Remembers what the user says, with the user's trust; durable when this returns."""
        return self._given("remember", text=text, type=type, files=list(files), rationale=rationale)

    def forget(
        self, *, id: Optional[str] = None, text: Optional[str] = None, dry_run: bool = False
    ) -> types.Forgotten:
        """Forgets the note of this ``id``, or everything that holds this ``text``, for good; with ``dry_run`` only says
        what that is. ``InvalidArgument`` if there is no such note, or no note holds the text."""
        return self._given("forget", id=id, text=text, dryRun=dry_run)

    def import_notes(self, notes: str, *, dry_run: bool = False) -> Any:
        """Imports notes, one JSON object a line; with ``dry_run`` gives ``{"notes": how many}`` and stores nothing."""
        return self._given("importNotes", notes=notes, dryRun=dry_run)

    def import_session(self, session: str, root: str, observed: Sequence[Any]) -> int:
        """Makes a log of what another source recorded of a session, unless it has one; gives how many events."""
        return self._given("importSession", session=session, root=root, observed=list(observed))["events"]

    def status(self, session: Optional[str] = None) -> types.Status:
        """What is remembered and what is pending; with a session, also how that goes."""
        return self._given("status", session=session)

    def events(self, session: str) -> types.Events:
        """The events of a session's log, in order."""
        return self._given("events", session=session)

    def node(self, id: str) -> Optional[dict[str, Any]]:
        """A node by its id, whatever its state; None if there is none."""
        return self._given("node", id=id)

    def graph(self) -> types.Graph:
        """Every node and edge."""
        return self._given("graph")

    def probe(self) -> types.Probed:
        """Asks the language model and the embedder for one small thing each, as consolidation will.

        Raises:
            ModelError: one of them failed or took too long.
            ModelReplyError: one of them answered in another form.
        """
        return self._given("probe")
