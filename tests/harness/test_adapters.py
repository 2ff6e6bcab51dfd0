"""What the adapters for Python do in cases that the scripted sessions do not reach, over a real memory."""

import asyncio
import importlib.util
import pathlib
from types import SimpleNamespace
from typing import Any

import engram
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "harness"


def adapter(example: str) -> Any:
    spec = importlib.util.spec_from_file_location(example, EXAMPLES / example / "engram_hooks.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def memory(tmp_path: pathlib.Path) -> Any:
    (tmp_path / "project").mkdir()
    with engram.Engram(tmp_path / "project", home=tmp_path / "home", background="caller") as opened:
        yield opened


def seen(memory: engram.Engram) -> list[str]:
    return [event["type"] for event in memory.events("s")["events"]]


def claude_event(name: str, **fields: Any) -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": "s", "cwd": "/", **fields}


def test_claude_a_session_starts_with_its_first_prompt_only(memory: engram.Engram) -> None:
    hooks = adapter("claude-agent-python").EngramHooks(memory, source="resume")

    async def session() -> None:
        for prompt in ("one", "two"):
            assert await hooks.hook(claude_event("UserPromptSubmit", prompt=prompt), None, None) == {}
        assert await hooks.hook(claude_event("PreCompact", trigger="auto"), None, None) == {}
        stopped = claude_event("SubagentStop", agent_id="a1", last_assistant_message="Looked around.")
        assert await hooks.hook(stopped, None, None) == {}
        await hooks.end()

    asyncio.run(session())
    assert seen(memory) == ["session_start", "prompt", "prompt", "compact", "turn_complete", "session_end"]
    events = memory.events("s")["events"]
    assert (events[0]["source"], events[4]["agent"]) == ("resume", "a1")


def test_claude_what_is_told_names_its_event(memory: engram.Engram) -> None:
    memory.remember("Commit messages are one line", type="preference")
    hooks = adapter("claude-agent-python").EngramHooks(memory)
    answer = asyncio.run(hooks.hook(claude_event("UserPromptSubmit", prompt="go on"), None, None))
    said = answer["hookSpecificOutput"]
    assert said["hookEventName"] == "UserPromptSubmit"
    assert "Commit messages are one line" in said["additionalContext"]


def started(prompt: Any) -> Any:
    return SimpleNamespace(turn_input=[{"role": "user", "content": prompt}])


def test_openai_a_handoff_is_no_new_prompt(memory: engram.Engram) -> None:
    hooks = adapter("openai-agents").EngramHooks(memory, "s")

    async def session() -> None:
        await hooks.on_agent_start(started("one"), None)
        await hooks.on_handoff(None, None, None)
        await hooks.on_agent_start(started("one"), None)
        await hooks.on_agent_end(None, None, "done")
        await hooks.on_agent_start(started([{"type": "input_text", "text": "two"}]), None)
        await hooks.end()

    asyncio.run(session())
    assert seen(memory) == ["session_start", "prompt", "turn_complete", "prompt", "session_end"]
    assert [e["text"] for e in memory.events("s")["events"] if e["type"] == "prompt"] == ["one", "two"]


def test_openai_what_is_told_stays_where_it_was_told(memory: engram.Engram) -> None:
    memory.remember("Money is kept in integer cents instead of floats", files=["cart.py"])
    memory.remember("Commit messages are one line", type="preference")
    hooks = adapter("openai-agents").EngramHooks(memory, "s")
    given = '{"path": "cart.py", "old_string": "total_cents = 0", "new_string": "total = float(0)"}'
    call = SimpleNamespace(tool_call_id="c1", tool_arguments=given)
    asyncio.run(hooks.on_agent_start(started("one"), None))
    asyncio.run(hooks.on_tool_end(call, None, SimpleNamespace(name="edit_file"), "ok"))
    items = [{"type": "function_call_output", "call_id": id, "output": "ok"} for id in ("c0", "c1")]
    data = SimpleNamespace(model_data=SimpleNamespace(input=items, instructions="Work."))
    for _ in range(2):
        told = hooks.tell(data)
        assert told.instructions.startswith("Work.\n\n") and "one line" in told.instructions
        assert told.input[0] == items[0]
        assert told.input[1]["output"].startswith("ok\n\nengram warning:")
    assert items[1]["output"] == "ok", "the SDK's own history is left alone"


def test_openai_a_tool_without_arguments_or_id_is_seen(memory: engram.Engram) -> None:
    hooks = adapter("openai-agents").EngramHooks(memory, "s")
    asyncio.run(hooks.on_tool_end(SimpleNamespace(), None, SimpleNamespace(name="computer"), b"picture"))
    odd = SimpleNamespace(tool_call_id="c1", tool_arguments="{")
    asyncio.run(hooks.on_tool_end(odd, None, SimpleNamespace(name="lookup"), None))
    assert seen(memory) == ["tool", "tool"]
