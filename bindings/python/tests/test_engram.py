"""What is Python's own: names, exceptions, callbacks, threads, fork, the interpreter's exit."""

from __future__ import annotations

import asyncio
import inspect
import multiprocessing
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from conftest import REPOSITORY, Place

import engram
from engram import _engram

EDIT = {"file_path": "cart.py", "old_string": "a", "new_string": "b"}


def snake(verb: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", verb).lower()


def test_every_verb_has_a_documented_method_and_the_reverse() -> None:
    methods = {
        name: member
        for name, member in inspect.getmembers(engram.Engram, inspect.isfunction)
        if not name.startswith("_") and name not in {"call", "close", "hook"}
    }
    assert set(methods) == {snake(verb) for verb in _engram.verbs()}
    assert all(inspect.getdoc(member) for member in methods.values())


def test_the_version_is_one() -> None:
    text = (REPOSITORY / "Cargo.toml").read_text()
    assert f'version = "{engram.__version__}"' in text


def test_a_context_manager_closes_and_a_second_close_does_nothing(place: Place) -> None:
    with place.open() as memory:
        assert not memory.closed and "open" in repr(memory)
    assert memory.closed and "closed" in repr(memory)
    memory.close()
    with pytest.raises(engram.ClosedError):
        memory.status()


def test_what_has_no_json_form_is_an_invalid_argument(place: Place) -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with place.open() as memory:
        for bad in ({1, 2}, float("nan"), object(), cycle, deep, b"bytes", "\ud800"):
            with pytest.raises(engram.InvalidArgumentError):
                memory.on_tool_call(session="s", tool="t", input=bad)
        assert memory.status()["sessions"] == 0


def test_a_panic_is_an_exception_and_closes_the_handle(place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    # A verb of debug builds.
    with place.open() as memory, place.open() as other:
        with pytest.raises(engram.PanicError, match="wire/mod.rs.*asked to panic"):
            memory.call("panicForTests")
        with pytest.raises(engram.ClosedError):
            memory.status()
        other.status()
    assert capfd.readouterr() == ("", "")


class Model:
    name = "mine"

    def __init__(self, complete: Any) -> None:
        self.complete = complete


def test_a_coroutine_function_is_a_model_too(place: Place) -> None:
    async def complete(request: engram.Completion) -> str:
        await asyncio.sleep(0)
        return f"{len(request['prompt'])}"

    with place.open(language_model=Model(complete)) as memory:
        assert memory.probe()["languageModel"]["name"] == "mine"


@pytest.mark.parametrize("reply", [None, 5, object(), {"text": {1}}, {"text": None}, [], b"x", {}])
def test_rubbish_is_a_failure_of_the_model(place: Place, reply: object) -> None:
    with place.open(language_model=Model(lambda _: reply)) as memory:
        with pytest.raises((engram.ModelError, engram.ModelReplyError)):
            memory.probe()
        assert memory.status()["llm"] == "mine"


def test_any_exception_is_a_failure_of_the_model(place: Place) -> None:
    def complete(_: Any) -> str:
        raise SystemExit("leaving")

    with place.open(language_model=Model(complete)) as memory:
        with pytest.raises(engram.ModelError, match="leaving"):
            memory.probe()


def test_a_model_may_use_the_handle(place: Place) -> None:
    class Curious:
        name = "curious"

        def complete(self, request: engram.Completion) -> str:
            self.memory.on_user_prompt(session="inside", text="hello")
            return str(self.memory.status()["sessions"])

    model = Curious()
    with place.open(language_model=model) as memory:
        model.memory = memory
        memory.probe()
        assert memory.status()["sessions"] == 1


def test_the_worker_learns_and_flush_waits_for_it(place: Place) -> None:
    with place.open(background="worker") as memory:
        memory.on_tool_call(session="s", tool="edit", input=EDIT, output="ok")
        memory.on_stop(session="s", text="We decided to use tabs instead of spaces because diffs stay small.")
        assert memory.flush(30)
        assert memory.status()["pending"] == 0
        assert "tabs" in memory.retrieve("tabs or spaces?")["text"]


def test_other_threads_run_while_a_call_waits(place: Place) -> None:
    release = threading.Event()

    def complete(_: Any) -> str:
        assert release.wait(30)
        return "ready"

    with place.open(language_model=Model(complete)) as memory:
        probing = threading.Thread(target=memory.probe)
        probing.start()
        memory.on_user_prompt(session="s", text="meanwhile")
        release.set()
        probing.join(30)
        assert not probing.is_alive()


def mixed(memory: engram.Engram, session: str, calls: int) -> int:
    logged = 0
    for i in range(calls):
        kind = i % 200
        if kind == 0:
            memory.retrieve("what about tabs?", limit=3)
        elif kind == 1:
            memory.status()
        elif kind == 2:
            memory.check_contradiction("cart.py", "+x = 1\n")
        elif kind == 3:
            memory.node("n_none")
        elif kind % 20 == 5:
            memory.on_user_prompt(session=session, text=f"prompt {i}")
            logged += 1
        else:
            memory.on_tool_call(session=session, tool="bash", input={"command": f"echo {i}"}, output="ok")
            logged += 1
    return logged


def sound(data: str) -> bool:
    with sqlite3.connect(f"file:{data}/engram.db?mode=ro", uri=True) as db:
        return db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_eight_threads_call_one_handle_twenty_thousand_times_each(place: Place) -> None:
    failed: list[BaseException] = []
    logged: dict[str, int] = {}

    def work(session: str) -> None:
        try:
            logged[session] = mixed(memory, session, 20_000)
        except BaseException as e:
            failed.append(e)

    with place.open(config={"durability": "process"}) as memory:
        memory.remember("Use tabs instead of spaces")
        threads = [threading.Thread(target=work, args=(f"s{i}",)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(600)
            assert not thread.is_alive(), "a deadlock"
        assert not failed
        data = memory.status()["data"]
    assert sound(data)
    for session, count in logged.items():
        lines = pathlib.Path(data, "events", f"{session}.jsonl").read_text().splitlines()
        assert sum(1 for line in lines if line) == count


def test_a_forked_child_is_refused_and_the_parent_goes_on(place: Place) -> None:
    stop = threading.Event()

    def load(session: str) -> None:
        while not stop.is_set():
            memory.on_user_prompt(session=session, text="busy")
            memory.retrieve("tabs?")

    with place.open(config={"durability": "process"}, background="worker") as memory:
        memory.remember("Use tabs instead of spaces")
        threads = [threading.Thread(target=load, args=(f"s{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        try:
            codes = [forked(memory) for _ in range(200)]
        finally:
            stop.set()
            for thread in threads:
                thread.join(60)
        assert codes == [0] * 200
        memory.on_user_prompt(session="after", text="still here")
        data = memory.status()["data"]
    assert sound(data)


def forked(memory: engram.Engram) -> int:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            memory.status()
        except engram.ForkedError:
            memory.close()
            code = 0
        finally:
            os._exit(code)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return -1


def child_of(memory: engram.Engram, place: Place, answers: Any) -> None:
    for use in (memory.status, place.open):
        try:
            use()
            answers.put("allowed")
        except engram.ForkedError:
            answers.put("refused")


def grandchild(place: Place, answers: Any) -> None:
    with place.open() as own:
        answers.put(own.status()["nodes"]["total"])


def test_multiprocessing_with_fork_is_refused_while_a_memory_is_open(place: Place) -> None:
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    with place.open() as memory:
        memory.remember("Use tabs instead of spaces")
        process = context.Process(target=child_of, args=(memory, place, answers))
        process.start()
        assert [answers.get(timeout=60) for _ in range(2)] == ["refused", "refused"]
        process.join(60)
        assert process.exitcode == 0
        memory.remember("Use spaces instead of tabs")


def test_multiprocessing_with_spawn_opens_its_own(place: Place) -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    with place.open() as memory:
        memory.remember("Use tabs instead of spaces")
        process = context.Process(target=grandchild, args=(place, answers))
        process.start()
        assert answers.get(timeout=60) == 1
        process.join(60)
        assert process.exitcode == 0


EXITS = {
    "never closed": "",
    "in a global with pending work": "m.on_stop(session='s', text='We decided to use tabs instead of spaces.')",
    "a daemon thread calling": (
        "import threading\n"
        "def go():\n"
        "    while True: m.on_user_prompt(session='t', text='x')\n"
        "threading.Thread(target=go, daemon=True).start()"
    ),
    "a model that hangs": (
        "import time\n"
        "class M:\n"
        "    name = 'm'\n"
        "    def complete(self, r): time.sleep(3600)\n"
        "n = engram.Engram(p, home=h, language_model=M())\n"
        "n.on_user_prompt(session='u', text='x')\n"
        "n.on_stop(session='u', text='We decided to use tabs.')\n"
        "time.sleep(0.3)"
    ),
}


@pytest.mark.parametrize("body", EXITS.values(), ids=EXITS.keys())
def test_the_interpreter_ends(place: Place, body: str) -> None:
    text = f"import engram\np, h = {str(place.project)!r}, {str(place.home)!r}\nm = engram.Engram(p, home=h)\n"
    text += f"m.on_user_prompt(session='s', text='x')\n{body}\n"
    ended = subprocess.run([sys.executable, "-c", text], timeout=60, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")


def test_the_story_is_told_with_the_same_words() -> None:
    story = REPOSITORY / "examples" / "python" / "story.py"
    told = subprocess.run([sys.executable, str(story)], timeout=60, capture_output=True, text=True)
    assert told.stderr == ""
    assert told.stdout == (REPOSITORY / "examples" / "story.txt").read_text()


def test_the_settings_are_those_of_the_library(place: Place) -> None:
    names = set(engram.types.Config.__annotations__)
    for name in names:
        with pytest.raises(engram.ConfigError, match=f'setting "{name}" must'):
            place.open(config={name: None})
    with pytest.raises(engram.ConfigError, match="unknown setting"):
        place.open(config={"colour": "red"})


def test_the_wheel_brings_the_command(tmp_path: pathlib.Path) -> None:
    command = pathlib.Path(sys.executable).with_name("engram")
    said = subprocess.run([command, "--version"], capture_output=True, text=True)
    assert (said.returncode, said.stdout.strip()) == (0, f"engram {engram.__version__}")
    environment = {**os.environ, "HOME": str(tmp_path), "ENGRAM_HOME": str(tmp_path / ".engram")}
    dry = [command, "install", "--harness", "claude-code", "--dry-run"]
    said = subprocess.run(dry, capture_output=True, text=True, env=environment, cwd=tmp_path)
    hook = pathlib.Path(engram.__file__).parent / "bin" / "engram-hook"
    assert said.returncode == 0 and str(hook) in said.stdout and os.access(hook, os.X_OK), said


def test_a_payload_of_a_harness_is_answered_in_its_form(place: Place) -> None:
    with place.open() as memory:
        memory.remember("Money is kept in integer cents instead of floats")
        start = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/", "source": "startup"}
        answer = memory.hook("codex", start)["answer"]
        assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
        assert memory.hook("codex", {**start, "hook_event_name": "Stop"})["answer"] is None
        with pytest.raises(engram.InvalidArgumentError):
            memory.hook("nobody", start)


def test_a_model_that_wakes_while_the_interpreter_ends_harms_nothing(place: Place) -> None:
    # The call is overdue and given up; its thread wakes at about the moment at which the interpreter ends.
    program = (
        "import engram, sys, time\n"
        "class Model:\n"
        "    name = 'slow'\n"
        "    def complete(self, r):\n"
        "        end = time.monotonic() + float(sys.argv[3])\n"
        "        while time.monotonic() < end: time.sleep(0.0001)\n"
        "        return 'x'\n"
        "m = engram.Engram(sys.argv[1], home=sys.argv[2], language_model=Model(), config={'probeTimeoutMs': 100})\n"
        "try: m.probe()\n"
        "except engram.ModelError: pass\n"
    )
    for tenths in range(2, 12):
        arguments = [str(place.project), str(place.home), str(0.095 + tenths / 400)]
        ended = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, ""), ended
