"""The shared vectors (tests/vectors/README.md)."""

from __future__ import annotations

import json
import pathlib
import shutil
import time
from typing import Any

import pytest
from conftest import REPOSITORY, Place

import engram
from engram import _engram


def read() -> list[tuple[str, dict[str, Any]]]:
    files = sorted((REPOSITORY / "tests" / "vectors").glob("*.json"))
    return [(f"{f.stem}: {case['name']}", case) for f in files for case in json.loads(f.read_text())["cases"]]


CASES = read()


def test_there_are_cases() -> None:
    assert len(CASES) >= 80


class Model:
    """A language model or an embedder that follows a script."""

    def __init__(self, script: dict[str, Any], about: dict[str, Any]) -> None:
        assert len(script) == 1 and set(script) <= {"reply", "replies", "throws", "hangs", "calls"}, script
        self.script = script
        self.turn = 0
        self.runner: Any = None
        self.__dict__.update(about)

    def complete(self, request: Any) -> Any:
        return self._play()

    def embed(self, texts: list[str]) -> Any:
        return self._play()

    def _play(self) -> Any:
        script = self.script
        if "throws" in script:
            raise RuntimeError(script["throws"])
        if "hangs" in script:
            time.sleep(1)
            return "late"
        if "calls" in script:
            self.runner.step(script["calls"])
            return {"text": "ready"}
        replies = script.get("replies", [script.get("reply")])
        self.turn += 1
        return replies[min(self.turn, len(replies)) - 1]


class Runner:
    def __init__(self, case: dict[str, Any], place: Place) -> None:
        assert set(case) <= {"name", "files", "open", "hosts", "openFails", "kinds", "steps"}, set(case)
        self.case = case
        self.place = place
        for path, text in case.get("files", {}).items():
            self.put(place.root / path, text)

    def open(self) -> engram.Engram:
        options = {"background": "caller", "project": self.place.project, "home": self.place.home}
        options |= self.filled(self.case.get("open", {}))
        for name, key in (("languageModel", "language_model"), ("embedder", "embedder")):
            about, script = options.pop(name, None), self.case.get("hosts", {}).get(name)
            if script is not None:
                options[key] = Model(script, about)
                options[key].runner = self
        try:
            return engram.Engram(**options)
        except TypeError as e:
            # Python refuses an unknown option itself.
            raise engram.InvalidArgumentError(str(e)) from e

    def filled(self, value: Any) -> Any:
        if isinstance(value, str):
            value = value.replace("${PROJECT}", str(self.place.project)).replace("${HOME}", str(self.place.home))
            return value.replace("${DATA}", self.memory.status()["data"]) if "${DATA}" in value else value
        if isinstance(value, list):
            return [self.filled(v) for v in value]
        if isinstance(value, dict):
            return {k: self.filled(v) for k, v in value.items()}
        return value

    @staticmethod
    def put(path: pathlib.Path, text: Any) -> None:
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if text is None else path.write_text(text)

    def located(self, path: str) -> pathlib.Path:
        if path.startswith("data/"):
            return pathlib.Path(self.memory.status()["data"]) / path[5:]
        return self.place.root / path

    def run(self) -> None:
        if "kinds" in self.case:
            assert self.case["kinds"] == {e.kind: e.code for e in engram.errors.BY_CODE.values()}
            assert self.case["kinds"] == dict(_engram.kinds())
            return
        if "openFails" in self.case:
            self.fails(self.case["openFails"], self.open)
            return
        self.memory = self.open()
        with self.memory:
            for number, step in enumerate(self.case["steps"]):
                self.step(step, number)

    def step(self, step: dict[str, Any], number: int = 0) -> None:
        assert set(step) <= {"call", "with", "gives", "fails", "write", "text", "folder", "close"}, step
        if "close" in step:
            self.memory.close()
        elif "write" in step or "folder" in step:
            self.put(self.located(step.get("write") or step["folder"]), step.get("text"))
        else:
            arguments = self.filled(step.get("with"))
            call = lambda: self.memory.call(step["call"], arguments)  # noqa: E731
            if "fails" in step:
                self.fails(step["fails"], call)
                return
            answer = call()
            if "gives" in step:
                matches(self.filled(step["gives"]), answer, f"step {number}")

    @staticmethod
    def fails(fail: dict[str, Any], call: Any) -> None:
        with pytest.raises(engram.EngramError) as caught:
            call()
        assert caught.value.kind == fail["kind"], caught.value
        assert type(caught.value) is engram.errors.BY_CODE[caught.value.code]
        assert fail.get("says", "") in str(caught.value)


TYPES = {"string": str, "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)}


def fits(pattern: Any, value: Any) -> bool:
    try:
        matches(pattern, value, "")
    except AssertionError:
        return False
    return True


def matches(pattern: Any, value: Any, at: str) -> None:
    if isinstance(pattern, dict) and any(key.startswith("$") for key in pattern):
        special(pattern, value, at)
    elif isinstance(pattern, dict):
        assert isinstance(value, dict), f"{at}: {value!r}"
        for key, inner in pattern.items():
            if inner == {"$absent": True}:
                assert key not in value, f"{at}.{key}: {value[key]!r}"
                continue
            assert key in value, f"{at}.{key} is not there"
            matches(inner, value[key], f"{at}.{key}")
    elif isinstance(pattern, list):
        assert isinstance(value, list) and len(value) == len(pattern), f"{at}: {value!r}"
        for number, (inner, one) in enumerate(zip(pattern, value)):
            matches(inner, one, f"{at}[{number}]")
    else:
        assert value == pattern and isinstance(value, bool) == isinstance(pattern, bool), f"{at}: {value!r}"


def special(pattern: dict[str, Any], value: Any, at: str) -> None:
    ((key, rule),) = pattern.items()
    if key == "$contains":
        found = any(fits(rule, one) for one in value) if isinstance(value, list) else rule in value
        assert found, f"{at}: {value!r} lacks {rule!r}"
    elif key == "$length":
        assert len(value) == rule, f"{at}: {value!r}"
    elif key == "$type":
        assert isinstance(value, TYPES[rule]) and (rule == "boolean") == isinstance(value, bool), f"{at}: {value!r}"
    else:
        assert key == "$any", f"{key} is no pattern"


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_case(case: dict[str, Any], place: Place) -> None:
    Runner(case, place).run()
