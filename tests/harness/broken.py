"""The agent of an example over a memory that fails: broken.py EXAMPLE closed|throws|slow PROJECT PROMPT"""

import asyncio
import importlib
import sys
import time
from typing import Any

import engram


class Broken:
    """Every verb raises, or answers after the adapter's patience."""

    def __init__(self, throws: bool) -> None:
        self.throws = throws

    def __getattr__(self, verb: str) -> Any:
        def answer(*_: Any, **__: Any) -> Any:
            if self.throws:
                raise RuntimeError("out of order")
            time.sleep(0.5)
            return {"context": "engram memory: too late", "trouble": []}

        return answer


def memory(how: str, project: str) -> Any:
    if how != "closed":
        return Broken(how == "throws")
    opened = engram.Engram(project)
    opened.close()
    return opened


example, how, project, prompt = sys.argv[1:]
sys.path.insert(0, example)
setattr(importlib.import_module("engram_hooks"), "PATIENCE", 0.1)
asyncio.run(importlib.import_module("agent").work(memory(how, project), project, prompt))
