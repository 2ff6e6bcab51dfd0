"""The forms of what goes in and comes out, as docs/wire.md has them. Keys that are absent have no value."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict

Verdict_ = Literal["NO_CONTRADICTION", "INDIRECT_CONTRADICTION", "DIRECT_CONTRADICTION"]


class InjectionBudget(TypedDict, total=False):
    """Tokens of one injection each."""

    sessionStart: int
    prompt: int
    annotation: int
    warning: int


# engram:config begin
# engram:config end


class _RecallItem(TypedDict):
    id: str
    name: str
    type: Literal["concept", "episode", "decision", "finding", "error"]
    trust: Literal["user", "observed", "inferred", "quarantined"]
    tier: Literal["high", "medium", "low"]
    activation: float
    strength: float
    text: str
    framing: str
    files: list[str]
    episode: str
    session: str
    learned: str
    via: list[str]


class RecallItem(_RecallItem, total=False):
    """A note that was recalled."""

    project: str


class Recall(TypedDict):
    """What came to mind; ``text`` is the block that an agent is handed."""

    items: list[RecallItem]
    text: str
    tokens: int
    dropped: int
    elapsedMicros: int


class Verdict(TypedDict):
    """What a change is, held against the decisions that bind its file."""

    verdict: Verdict_
    severity: Literal["low", "medium", "high"]
    decisions: list[str]
    explanation: str
    recommendation: str
    checkedBy: Literal["offline", "model"]
    elapsedMicros: int


class _Reply(TypedDict):
    recall: Recall
    warnings: list[Verdict]
    context: str
    trouble: list[str]


class Reply(_Reply, total=False):
    """What engram has to say after something happened; ``context`` is what to hand to the agent, often empty."""

    event: dict[str, Any]


class Remembered(TypedDict):
    """What became of a memory. ``id`` is None while another process consolidates and will apply it."""

    id: Optional[str]
    isNew: bool
    superseded: int


class Consolidated(TypedDict):
    """What a consolidation made, and what is still pending, with the reason."""

    episodes: list[dict[str, Any]]
    created: int
    merged: int
    superseded: int
    edges: int
    events: int
    damagedLines: int
    pending: list[dict[str, Any]]


class Counts(TypedDict):
    """How many nodes there are."""

    total: int
    byType: dict[str, int]
    byTrust: dict[str, int]


class Status(TypedDict):
    """What is remembered and what is pending."""

    project: str
    data: str
    home: str
    sessions: int
    pending: int
    pendingRanges: list[dict[str, Any]]
    nodes: Counts
    edges: int
    episodes: int
    dbBytes: int
    embedder: str
    llm: str
    tokensToday: int
    lastConsolidation: Optional[str]
    warnings: list[str]


class Events(TypedDict):
    """The log of a session."""

    events: list[dict[str, Any]]
    damagedLines: int


class Graph(TypedDict):
    """Every node, and every edge as ``[from, type, to, strength]``."""

    nodes: list[dict[str, Any]]
    edges: list[list[Any]]


class Answered(TypedDict):
    """A model that answered."""

    name: str
    elapsedMicros: int


class _Probed(TypedDict):
    embedder: Answered


class Probed(_Probed, total=False):
    """The models that answered."""

    languageModel: Answered


class ForgottenItem(TypedDict):
    """A memory that was forgotten."""

    id: str
    name: str


class Forgotten(TypedDict, total=False):
    """What was forgotten, or would be with ``dry_run``."""

    forgotten: list[ForgottenItem]
    dryRun: bool
    pending: bool
