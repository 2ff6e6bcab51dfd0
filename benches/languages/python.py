"""How long `on_tool_call` takes from Python; the other programs of this folder do the same (README.md)."""

import json
import os
import sys
import time

import engram

CALLS = 2_000
OUTPUT = "compiled another module without a warning\n" * 46


def main() -> None:
    home, project, rounds = sys.argv[1:]
    config = {"durability": os.environ.get("ENGRAM_DURABILITY", "process")}
    with engram.Engram(project, home=home, config=config, background="caller") as memory:
        for round in range(int(rounds)):
            begun = time.perf_counter_ns()
            for i in range(CALLS):
                command = {"command": f"make part-{i}"}
                memory.on_tool_call(session=f"round-{round}", tool="bash", input=command, output=OUTPUT, exit_code=0)
            nanos = (time.perf_counter_ns() - begun) // CALLS
            print(json.dumps({"language": "python", "verb": "onToolCall", "nanos": nanos}), flush=True)


main()
