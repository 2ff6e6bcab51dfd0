"""The examples' agents, run by the real SDKs against a scripted model on loopback.

What an agent was told is read from the requests that its model got. `tests/languages/harness.sh` sets everything up.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest
from scripted_model import ScriptedModel

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "harness"
SESSIONS = ROOT / "examples" / "sessions"
# Where harness.sh installed the packages of Node, and Claude Code.
NODE = pathlib.Path(os.environ["ENGRAM_HARNESS_NODE"])
CLAUDE = os.environ["ENGRAM_HARNESS_CLAUDE"]
WATCHDOG = 120
DECISION = "integer cents"
HARNESSES = ["claude-agent-node", "claude-agent-python", "openai-agents"]
FIX = "The invoice test fails, please find out why and fix it"
DISCOUNT = "Add a discount in percent to the invoice total"


def script(name: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = json.loads((SESSIONS / f"{name}.script.json").read_text())
    return steps


@dataclass
class Ran:
    """An agent that ended: what it printed, and the requests its model got as texts."""

    code: int
    said: str
    log: str
    requests: list[str]


class Place:
    """A project under git, a home, and the agents at work there."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root, self.project, self.home = root, root / "project", root / "home"
        shutil.copytree(SESSIONS / "project", self.project)
        self.home.mkdir()
        (self.project / ".gitignore").write_text("__pycache__/\n")
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments: str) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        return subprocess.run(
            ["git", *who, *arguments], cwd=self.project, check=True, capture_output=True, text=True
        ).stdout

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "state")

    def environment(self, url: str) -> dict[str, str]:
        """Nothing of this process's but what is named: no key, no other model, no telemetry."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "ENGRAM_HOME": str(self.home / "engram"),
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "sk-ant-scripted",
            "CLAUDE_CODE_EXECUTABLE": CLAUDE,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "OPENAI_BASE_URL": f"{url}/v1",
            "OPENAI_API_KEY": "sk-scripted",
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, command: list[str], steps: list[dict[str, Any]], prompt: str) -> Ran:
        with ScriptedModel(steps) as model:
            ended = subprocess.run(
                [*command, str(self.project), prompt],
                cwd=self.root,
                env=self.environment(model.url),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=WATCHDOG,
            )
            requests = [json.dumps(request) for request in model.requests]
        return Ran(ended.returncode, ended.stdout, ended.stderr, requests)


def agent(harness: str) -> list[str]:
    """The example as a user starts it."""
    if harness == "claude-agent-node":
        return ["node", str(NODE / "agent.mjs")]
    return [sys.executable, str(EXAMPLES / harness / "agent.py")]


def broken(harness: str, how: str) -> list[str]:
    """The example's agent over a memory that fails."""
    if harness == "claude-agent-node":
        return ["node", str(NODE / "broken.mjs"), how]
    return [sys.executable, str(ROOT / "tests/harness/broken.py"), str(EXAMPLES / harness), how]


@pytest.fixture
def place(tmp_path: pathlib.Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize("harness", HARNESSES)
def test_the_second_session_is_told_and_warned(harness: str, place: Place) -> None:
    first = place.run(agent(harness), script("1-fix"), FIX)
    assert first.code == 0, first
    assert "integer cents" in first.said, first
    assert len(first.requests) == 5, [r[-300:] for r in first.requests]
    assert not any("engram memory" in r or "engram warning:" in r for r in first.requests), "nothing is known yet"
    assert place.git("status", "--porcelain") == " M invoice.py\n", "the agent's edit and nothing of engram's"
    place.commit()

    second = place.run(agent(harness), script("2-discount"), DISCOUNT)
    assert second.code == 0, second
    assert "engram memory" in second.requests[0], "known before the first action"
    assert DECISION in second.requests[0], second.requests[0][-3000:]
    # Request 0 is answered with a read, 1 with the edit that contradicts: 2 has to carry the warning.
    warned = [r.count("engram warning:") for r in second.requests]
    assert warned == [0, 0, 1, 1, 1], "one warning, with the edit that contradicts, none for the edit that obeys"
    assert place.git("status", "--porcelain") == " M invoice.py\n"
    assert "engram" not in second.log, second.log


@pytest.mark.parametrize("harness", HARNESSES)
def test_what_the_agent_did_is_in_the_log(harness: str, place: Place) -> None:
    place.run(agent(harness), script("1-fix"), FIX)
    (log,) = (place.home / "engram").rglob("events/*.jsonl")
    events = [json.loads(line) for line in log.read_text().splitlines() if line]
    seen = [(e["type"], e.get("exitCode")) for e in events if e["type"] != "injected"]
    assert seen == [
        ("session_start", None),
        ("prompt", None),
        ("file_read", None),
        ("test_run", 1),
        ("file_write", None),
        ("test_run", 0),
        ("turn_complete", None),
        ("session_end", None),
    ], log.read_text()
    assert events[0]["source"] == "startup"
    assert events[1]["text"] == FIX


@pytest.mark.parametrize("how", ["closed", "throws", "slow"])
@pytest.mark.parametrize("harness", HARNESSES)
def test_a_memory_that_fails_stops_no_agent(harness: str, how: str, place: Place) -> None:
    ran = place.run(broken(harness, how), script("1-fix"), FIX)
    assert ran.code == 0, ran
    assert "integer cents" in ran.said, "the agent said its last words"
    assert len(ran.requests) == 5, [r[-300:] for r in ran.requests]
    assert "def cents" in (place.project / "invoice.py").read_text(), "the agent did its work"
    # A synchronous call cannot be given up: in Node the agent waits for it, and goes on.
    slow = "it took long" if harness == "claude-agent-node" else "TimeoutError"
    assert {"closed": "closed", "throws": "out of order", "slow": slow}[how] in ran.log, ran.log
    assert not any("too late" in r for r in ran.requests)
