"""Scenes of the real Claude Code, Codex, Gemini CLI and OpenCode with engram installed as users do, against a scripted model.

What the model was told is read from its requests, what engram saw from its log. `tests/languages/harness.sh` sets all up.
"""

import json
import os
import pathlib
import subprocess
from typing import Any

import pytest
from scripted_model import ScriptedModel
from test_harness import CLAUDE, DISCOUNT, FIX, WATCHDOG, Place, script

ENGRAM = os.environ["ENGRAM_PROGRAM"]
CODEX = os.environ.get("ENGRAM_HARNESS_CODEX", "")
GEMINI = os.environ.get("ENGRAM_HARNESS_GEMINI", "")
OPENCODE = os.environ.get("ENGRAM_HARNESS_OPENCODE", "")
NODE_COMMAND = pathlib.Path(os.environ["ENGRAM_HARNESS_NODE"], "node_modules", "engram", "cli.js")
NONE: dict[str, Any] = {"say": "-"}


class Scene(Place):
    """A project with engram in the user's settings."""

    def engram(self, *arguments: str, program: str = ENGRAM) -> str:
        ended = subprocess.run(
            [program, *arguments], cwd=self.project, env=self.environment(""), capture_output=True, text=True
        )
        assert ended.returncode == 0, ended
        return ended.stdout

    def claude(self, model: ScriptedModel, prompt: str, *options: str) -> dict[str, Any]:
        command = [CLAUDE, "-p", prompt, "--output-format", "json", "--permission-mode", "acceptEdits"]
        allowed = ["--allowedTools", "Bash,Read,Edit,Write,Agent,Task"]
        ended = subprocess.run(
            [*command, *allowed, *options],
            cwd=self.project,
            env=self.environment(model.url),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WATCHDOG,
        )
        assert ended.returncode == 0, ended
        report: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
        return report

    def events(self, session: str = "") -> list[dict[str, Any]]:
        wanted = ["--session", session] if session else []
        found: list[dict[str, Any]] = json.loads(self.engram("events", "--json", *wanted))
        return [event for event in found if event["type"] != "injected"]


@pytest.fixture
def scene(tmp_path: pathlib.Path) -> Scene:
    made = Scene(tmp_path)
    made.engram("install", "--harness", "claude-code")
    return made


def requests(model: ScriptedModel) -> list[str]:
    return [json.dumps(request) for request in model.requests]


def edit(project: pathlib.Path, old: str, new: str) -> tuple[str, dict[str, Any]]:
    return "Edit", {"file_path": str(project / "invoice.py"), "old_string": old, "new_string": new}


def test_a_failing_command_a_refused_edit_and_calls_at_once(scene: Scene) -> None:
    invoice = str(scene.project / "invoice.py")
    steps = [
        {"bash": "echo broken; exit 3"},
        {"calls": [edit(scene.project, "no such text", "x")]},
        {
            "calls": [
                ("Read", {"file_path": invoice}),
                ("Read", {"file_path": str(scene.project / "test_invoice.py")}),
                ("Bash", {"command": "ls", "description": "list"}),
                ("Bash", {"command": "exit 4", "description": "fail"}),
            ]
        },
        *[NONE] * 3,
        {"say": "Looked around."},
    ]
    with ScriptedModel(steps) as model:
        scene.claude(model, "Look around")
    events = scene.events()
    codes = sorted(e["exitCode"] for e in events if e["type"] == "command" and e.get("exitCode"))
    assert codes == [3, 4], events
    assert not [e for e in events if e["type"] == "file_write"], "an edit that was refused changed nothing"
    reads = sorted(e["path"] for e in events if e["type"] == "file_read")
    assert reads == ["invoice.py", "test_invoice.py"], events
    ids = [e["toolUseId"] for e in events if "toolUseId" in e]
    assert len(ids) == len(set(ids)) and len(ids) >= 5, "every call that ran is there, once"
    assert events[-2]["text"] == "Looked around." or events[-1]["text"] == "Looked around."


def test_a_subagent_is_of_the_session_and_known_by_its_id(scene: Scene) -> None:
    invoice = str(scene.project / "invoice.py")
    task = {"description": "look", "prompt": "SIDE TASK: read the module", "subagent_type": "general-purpose"}
    steps = [{"calls": [("Agent", {**task, "run_in_background": False})]}, {"say": "The helper has read it."}]
    side = [{"calls": [("Read", {"file_path": invoice})]}, {"say": "It sums prices."}]
    with ScriptedModel(steps, {"SIDE TASK": side}) as model:
        scene.claude(model, "Have a helper read the module")
    events = scene.events()
    assert len({e["session"] for e in events}) == 1, events
    (read,) = [e for e in events if e["type"] == "file_read"]
    assert read["agent"], read
    stops = {e.get("agent"): e["text"] for e in events if e["type"] == "turn_complete"}
    assert stops[read["agent"]] == "It sums prices." and stops[None] == "The helper has read it.", stops


def test_what_was_told_is_told_again_only_when_the_context_was_compacted(scene: Scene) -> None:
    scene.engram("remember", "Money is kept in integer cents instead of floats", "--type", "preference")
    with ScriptedModel([{"say": "Hello."}]) as model:
        first = scene.claude(model, "Say hello")
    told = "Money is kept in integer cents"
    assert requests(model)[0].count(told) == 1
    with ScriptedModel([{"say": "Hello again."}]) as model:
        scene.claude(model, "Say hello again", "--resume", first["session_id"])
    assert requests(model)[-1].count(told) == 1, "a session that goes on has it already"
    with ScriptedModel([{"say": "<summary>We said hello.</summary>"}]) as model:
        scene.claude(model, "/compact", "--resume", first["session_id"])
    with ScriptedModel([{"say": "And again."}]) as model:
        scene.claude(model, "Say hello once more", "--resume", first["session_id"])
    types = [(e["type"], e.get("source")) for e in scene.events()]
    assert ("session_start", "resume") in types and any(kind == "compact" for kind, _ in types), types
    assert told in requests(model)[-1], "what the summary has lost is told again"


def test_uninstalled_it_is_gone(scene: Scene) -> None:
    settings = scene.home / ".claude" / "settings.json"
    assert "engram-hook" in settings.read_text()
    scene.engram("uninstall")
    with ScriptedModel([{"say": "Hello."}]) as model:
        scene.claude(model, "Say hello")
    assert not settings.exists() or "engram" not in settings.read_text()
    assert scene.events() == []


def run(scene: Scene, command: list[str], environment: dict[str, str]) -> None:
    ended = subprocess.run(
        command,
        cwd=scene.project,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WATCHDOG,
    )
    assert ended.returncode == 0, ended


def codex(scene: Scene, model: ScriptedModel, prompt: str, *, resume: bool = False) -> None:
    settings = {
        "model": "scripted",
        "model_provider": "scripted",
        "model_providers.scripted": f'{{name="scripted", base_url="{model.url}/v1", wire_api="responses"}}',
    }
    chosen = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
    free = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
    how = ["exec", "resume", "--last"] if resume else ["exec"]
    run(scene, [CODEX, *how, *chosen, *free, prompt], scene.environment("") | {"CODEX_HOME": str(scene.home / ".codex")})


def gemini(scene: Scene, model: ScriptedModel, prompt: str, *, resume: bool = False) -> None:
    path = scene.home / ".gemini" / "settings.json"
    settings = json.loads(path.read_text())
    settings["security"] = {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
    settings |= {"telemetry": {"enabled": False}, "privacy": {"usageStatisticsEnabled": False}}
    settings["general"] = {"disableAutoUpdate": True}
    path.write_text(json.dumps(settings, indent=2))
    how = ["--resume", "latest"] if resume else []
    keys = {"GEMINI_API_KEY": "scripted", "GOOGLE_GEMINI_BASE_URL": model.url}
    run(scene, ["node", GEMINI, "--yolo", *how, "-p", prompt], scene.environment("") | keys)


CLIENTS = [
    pytest.param("codex", codex, marks=pytest.mark.skipif(not CODEX, reason="Codex cannot be installed")),
    pytest.param("gemini", gemini, marks=pytest.mark.skipif(not GEMINI, reason="Gemini CLI cannot be installed")),
]


def plugged(tmp_path: pathlib.Path, harness: str) -> Scene:
    scene = Scene(tmp_path)
    # What the client makes of its own at its first start is no part of the scene.
    (scene.home / f".{harness}").mkdir()
    scene.engram("install", "--harness", harness)
    return scene


@pytest.mark.parametrize(("harness", "client"), CLIENTS)
def test_codex_and_gemini_fail_refuse_and_call_at_once(tmp_path: pathlib.Path, harness: str, client: Any) -> None:
    scene = plugged(tmp_path, harness)
    steps = [
        {"bash": "echo broken; exit 3"},
        {"edit": {"file": "invoice.py", "old": "no such text", "new": "x"}},
        {"calls": [{"read": "invoice.py"}, {"read": "test_invoice.py"}, {"bash": "echo fine"}]},
        *[NONE] * 2,
        {"say": "Looked around."},
    ]
    with ScriptedModel(steps) as model:
        client(scene, model, "Look around")
    events = scene.events()
    codes = [e.get("exitCode") for e in events if e["type"] == "command" and "broken" in e["command"]]
    assert codes == [3], events
    assert not [e for e in events if e["type"] == "file_write"], "an edit that was refused changed nothing"
    assert sorted(e["path"] for e in events if e["type"] == "file_read") == ["invoice.py", "test_invoice.py"], events
    assert [e["text"] for e in events if e["type"] == "turn_complete"] == ["Looked around."]


@pytest.mark.parametrize(("harness", "client"), CLIENTS)
def test_codex_and_gemini_go_on_in_the_same_session(tmp_path: pathlib.Path, harness: str, client: Any) -> None:
    scene = plugged(tmp_path, harness)
    with ScriptedModel([{"say": "Hello."}]) as model:
        client(scene, model, "Say hello")
    scene.engram("remember", "Money is kept in integer cents instead of floats", "--type", "preference")
    with ScriptedModel([{"say": "Hello again."}]) as model:
        client(scene, model, "Say hello again", resume=True)
    events = scene.events()
    assert len({e["session"] for e in events}) == 1, events
    starts = [e["source"] for e in events if e["type"] == "session_start"]
    assert starts == ["startup", "resume"], starts
    assert requests(model)[-1].count("Money is kept in integer cents") == 1, "told when the session goes on"


def opencode(scene: Scene, model: ScriptedModel, prompt: str) -> None:
    provider = {
        "npm": "@ai-sdk/anthropic",
        "options": {"baseURL": f"{model.url}/v1", "apiKey": "scripted"},
        "models": {"m": {"tool_call": True, "limit": {"context": 100_000, "output": 4_000}}},
    }
    config = {"autoupdate": False, "share": "disabled", "permission": "allow", "model": "scripted/m"}
    config |= {"small_model": "scripted/m", "provider": {"scripted": provider}}
    quiet = ["MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS"]
    environment = scene.environment("") | {f"OPENCODE_DISABLE_{what}": "1" for what in quiet}
    environment |= {"OPENCODE_CONFIG_CONTENT": json.dumps(config)}
    run(scene, [OPENCODE, "run", prompt], environment)


@pytest.mark.skipif(not OPENCODE, reason="OpenCode cannot be installed")
def test_opencode_remembers_and_is_warned_in_its_own_process(tmp_path: pathlib.Path) -> None:
    scene = Scene(tmp_path)
    scene.engram("install", "--harness", "opencode", program=str(NODE_COMMAND))
    plugin = scene.home / ".config" / "opencode" / "plugin" / "engram.js"
    assert "EngramPlugin" in plugin.read_text()
    with ScriptedModel(script("1-fix")) as model:
        opencode(scene, model, FIX)
    types = [e["type"] for e in scene.events()]
    assert types[:2] == ["session_start", "prompt"] and types[-1] == "turn_complete", types
    assert [e["exitCode"] for e in scene.events() if e["type"] == "test_run"] == [1, 0]
    scene.engram("consolidate")
    scene.commit()
    with ScriptedModel(script("2-discount")) as model:
        opencode(scene, model, DISCOUNT)
    told = requests(model)
    assert "engram memory:" in told[0] and "integer cents" in told[0], "known before the first action"
    warned = [i for i, request in enumerate(told) if "engram warning:" in request]
    assert warned and warned[0] == 2 and told[-1].count("engram warning:") == 1, warned
    scene.engram("uninstall", program=str(NODE_COMMAND))
    assert not plugin.exists()
