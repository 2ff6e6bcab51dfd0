"""engram in a Python agent: a test fails and is mended, a decision is made; the next session is told, and warned when it
goes against the decision."""

import pathlib
import tempfile
from typing import Any

import engram


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder, "shop")
        project.mkdir()
        with engram.Engram(project, home=pathlib.Path(folder, "home")) as memory:
            monday(memory)
            tuesday(memory)


def monday(memory: engram.Engram) -> None:
    print("== monday: a test fails, the agent mends it")
    memory.on_session_start(session="monday", ts="2026-11-30T09:00:00Z")
    text = "The order total is off by a cent. Find out why and fix it."
    memory.on_user_prompt(session="monday", text=text, ts="2026-11-30T09:00:05Z")
    failing = (
        "FAILED test_cart.py::test_total - AssertionError: 0.30000000000000004 != 0.3\n1 failed, 2 passed in 0.04s"
    )
    test = {"command": "pytest -q"}
    fix = {"file_path": "cart.py", "old_string": "total = 0.0", "new_string": "total_cents = 0"}
    for tool, input, output, exit_code, ts in [
        ("bash", test, failing, 1, "2026-11-30T09:00:30Z"),
        ("edit", fix, "ok", 0, "2026-11-30T09:01:00Z"),
        ("bash", test, "3 passed in 0.03s", 0, "2026-11-30T09:01:30Z"),
    ]:
        reply = memory.on_tool_call(
            session="monday", tool=tool, input=input, output=output, exit_code=exit_code, ts=ts
        )
        print("captured", seen(reply["event"]))
    text = (
        "Fixed: adding floats drifted. "
        "We decided to keep money in integer cents instead of floats because floats drift."
    )
    memory.on_stop(session="monday", text=text, ts="2026-11-30T09:02:00Z")
    memory.flush(timeout=10)


def tuesday(memory: engram.Engram) -> None:
    print("\n== tuesday: the next session is told")
    print(memory.on_session_start(session="tuesday", ts="2026-12-01T09:00:00Z")["context"])

    print("\n== tuesday: an edit goes against the decision")
    slip = {"file_path": "cart.py", "old_string": "total_cents = 0", "new_string": "total = float(0)"}
    reply = memory.on_tool_call(
        session="tuesday", tool="edit", input=slip, output="ok", exit_code=0, ts="2026-12-01T09:01:00Z"
    )
    print(reply["context"])


def seen(event: dict[str, Any]) -> str:
    if event["type"] == "file_write":
        return f"file_write {event['path']}"
    return f"{event['type']} passed={event['passed']} failed={event['failed']}"


if __name__ == "__main__":
    main()
