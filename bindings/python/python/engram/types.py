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
class Config(TypedDict, total=False):
    """Settings by name; what is left out has its default."""

    # language model that consolidates; offline uses rules only: one of offline, anthropic, openai, command; default "offline".
    llmProvider: Literal["offline", "anthropic", "openai", "command"]
    # address of the language model's API; empty = the provider's own: a text; default "".
    llmBaseUrl: str
    # program that answers prompts when llmProvider is command: a text; default "".
    llmCommand: str
    # what turns text into vectors; anthropic means Voyage: one of builtin, anthropic, voyage, openai, ollama; default "builtin".
    embeddingProvider: Literal["builtin", "anthropic", "voyage", "openai", "ollama"]
    # model of the embedding provider: a text; default "engram-static-128".
    embeddingModel: str
    # address of the embedding API; empty = the provider's own: a text; default "".
    embeddingBaseUrl: str
    # model of pass 1, the window summaries: a text; default "claude-sonnet-4-6".
    consolidationModel: str
    # model of pass 2, the episode: a text; default "claude-opus-4-6".
    episodeExtractionModel: str
    # model that judges changes against decisions: a text; default "claude-haiku-4-5".
    contradictionModel: str
    # share of activation that one hop passes on: a number from 0 to 1; default 0.6.
    decayFactor: float
    # notes activated less than this are not recalled: a number from 0 to 1; default 0.1.
    activationThreshold: float
    # events in one summary window: a whole number from 2 to 100; default 10.
    windowSize: int
    # events that neighbouring windows share: a whole number from 0 to 50; default 3.
    windowOverlap: int
    # fewer events than this, all of them talk, get the light pass: a whole number from 1 to 1000; default 3.
    minEventsForFullConsolidation: int
    # weaker decisions are not checked against: a number from 0 to 1; default 0.3.
    contradictionStrengthThreshold: float
    # failed model checks in a row that switch the check off for a session: a whole number from 1 to 100; default 3.
    maxContradictionFailures: int
    # what happens when a change contradicts a decision: one of advise, confirm, ask, off; default "advise".
    contradictionMode: Literal["advise", "confirm", "ask", "off"]
    # longest wait for one model answer, in milliseconds: a whole number from 100 to 600000; default 30000.
    probeTimeoutMs: int
    # what an acknowledged event survives: a killed process, or power loss too: one of process, power; default "power".
    durability: Literal["process", "power"]
    # model tokens a day; 0 = none: a whole number of at least 0; default 200000.
    tokenBudgetPerDay: int
    # tokens of one injection: sessionStart, prompt, annotation, warning: an object of sessionStart, prompt, annotation and warning in tokens.
    injectionBudget: InjectionBudget
    # globs of paths that are never captured: a list of texts; default [].
    ignore: list[str]
    # false stops capture; recall goes on: true or false; default true.
    capture: bool


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
    """What engram has to say after something happened; ``context`` is what to hand to the agent, often empty.

    ``advice`` are remarks about how the session goes, for example an error that keeps coming back.
    """

    event: dict[str, Any]
    advice: list[str]


class Remembered(TypedDict):
    """What became of a memory. ``id`` is None while another process consolidates and will apply it."""

    id: Optional[str]
    isNew: bool
    superseded: int


class _Named(TypedDict):
    id: str
    name: str


class _Also(TypedDict, total=False):
    shortened: list[_Named]
    pending: bool


class Forgotten(_Also):
    """What was forgotten; ``shortened`` are notes that lost the sentences in which it stood, ``pending`` is there while
    another process consolidates and will do it."""

    forgotten: list[_Named]
    dryRun: bool


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


class SessionReport(TypedDict):
    """How a session goes: ``progress`` is that of the agent's own plan, ``None`` where it keeps none."""

    session: str
    events: int
    toolCalls: int
    turns: int
    progress: Optional[float]
    velocity: dict[str, Any]
    searchToAct: dict[str, Any]
    repetitions: list[dict[str, Any]]


class _Status(TypedDict, total=False):
    session: SessionReport


class Status(_Status):
    """What is remembered and what is pending; ``session`` is there where one was asked about."""

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
