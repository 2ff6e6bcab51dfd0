"""What a typed program writes; it only has to pass the type checker."""

from __future__ import annotations

import engram


class Model:
    name = "m"

    def complete(self, request: engram.Completion) -> str:
        return request["prompt"]


class Embedder:
    model = "e"
    dimensions = 2

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, 2.0] for _ in texts]


def main() -> str:
    config: engram.types.Config = {"durability": "process", "probeTimeoutMs": 1000}
    try:
        with engram.Engram(".", config=config, language_model=Model(), embedder=Embedder()) as memory:
            reply = memory.on_tool_call(session="s", tool="edit", input={}, exit_code=0)
            verdicts: list[engram.types.Verdict] = reply["warnings"]
            new: bool = memory.remember("x", type="finding")["isNew"]
            return f"{len(verdicts)} {new} {memory.retrieve('x')['text']} {memory.flush(1.5)}"
    except engram.BusyError as e:
        return e.kind
