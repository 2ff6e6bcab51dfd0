"""A program's own language model and embedder, as engram calls them.

engram calls them on daemon threads, perhaps on several at once, and waits at most the setting ``probeTimeoutMs`` (30 seconds
unless set). One that raises, takes longer or answers in another form is a failure of the
model: the work stays pending, and after three failed runs is done by rules alone.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any, Optional, Protocol, TypedDict, Union

from ._engram import Reply


class _Completion(TypedDict):
    system: str
    prompt: str
    maxTokens: int


class Completion(_Completion, total=False):
    """What a language model is asked."""

    schema: dict[str, Any]


class _Text(TypedDict):
    text: str


class Completed(_Text, total=False):
    """What it answered. Tokens are estimated where they are not given."""

    inputTokens: int
    outputTokens: int


class LanguageModel(Protocol):
    """A language model: a name, which episodes carry, and a function."""

    @property
    def name(self) -> str:
        """The name that episodes and the audit carry."""
        ...

    def complete(self, request: Completion) -> Any:
        """Answers ``request`` with the text, or a ``Completed``; may be a coroutine function. With a ``schema`` in the
        request the text has to be JSON of that schema."""
        ...


class Embedder(Protocol):
    """An embedder: a name and a length, which stored vectors carry, and a function."""

    @property
    def model(self) -> str:
        """The name that stored vectors carry; another name means another space."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        ...

    def embed(self, texts: list[str]) -> Any:
        """One vector a text, in order, ``None`` for a text that has none; may be a coroutine function."""
        ...


Vectors = Sequence[Optional[Sequence[float]]]
Answer = Union[str, Completed]


def _waited(answer: Any) -> Any:
    # The calling thread is one of engram's and has no event loop.
    if not inspect.isawaitable(answer):
        return answer

    async def wait() -> Any:
        return await answer

    return asyncio.run(wait())


Started = Callable[[str, Reply], None]


def _on_a_thread(call: Callable[[str], str]) -> Started:
    """``call`` on a thread of its own, which the end of the interpreter can end; its answer goes to the reply."""

    def start(request: str, reply: Reply) -> None:
        def run() -> None:
            try:
                answer = call(request)
            except BaseException as e:
                reply.fail(f"{type(e).__name__}: {e}")
            else:
                reply.answer(answer)

        threading.Thread(target=run, name="engram-model", daemon=True).start()

    return start


def completing(model: LanguageModel) -> Started:
    """The model as a function that takes JSON and answers in JSON later."""

    def call(request: str) -> str:
        answer = _waited(model.complete(json.loads(request)))
        return json.dumps({"text": answer} if isinstance(answer, str) else answer)

    return _on_a_thread(call)


def embedding(model: Embedder) -> Started:
    """The embedder as a function that takes JSON and answers in JSON later."""

    def call(request: str) -> str:
        answer = _waited(model.embed(json.loads(request)["texts"]))
        if isinstance(answer, dict):
            return json.dumps(answer)
        vectors = [None if v is None else [float(x) for x in v] for v in answer]
        return json.dumps({"vectors": vectors}, allow_nan=False)

    return _on_a_thread(call)
