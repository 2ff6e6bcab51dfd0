"""A coding agent of the OpenAI Agents SDK with a memory: agent.py PROJECT PROMPT"""

import asyncio
import pathlib
import subprocess
import sys
import uuid

import engram
from agents import Agent, RunConfig, Runner, Tool, function_tool
from engram_hooks import EngramHooks


def tools(project: str) -> list[Tool]:
    root = pathlib.Path(project)

    @function_tool
    def read_file(path: str) -> str:
        """The text of a file of the project."""
        return (root / path).read_text()

    @function_tool
    def edit_file(path: str, old_string: str, new_string: str) -> str:
        """Replaces a text in a file of the project."""
        text = (root / path).read_text()
        if old_string not in text:
            return "Error: the old text is not in the file"
        (root / path).write_text(text.replace(old_string, new_string, 1))
        return "ok"

    @function_tool
    def run_command(command: str) -> str:
        """Runs a shell command in the project."""
        ran = subprocess.run(command, shell=True, cwd=root, capture_output=True, text=True, timeout=60)
        return f"Exit code: {ran.returncode}\n{ran.stdout}{ran.stderr}"

    return [read_file, edit_file, run_command]


async def work(memory: engram.Engram, project: str, prompt: str) -> None:
    coder = Agent(name="coder", instructions="You work on a project.", tools=tools(project))
    hooks = EngramHooks(memory, session=str(uuid.uuid4()))
    config = RunConfig(call_model_input_filter=hooks.tell)
    result = await Runner.run(coder, prompt, hooks=hooks, run_config=config)
    print(result.final_output)
    await hooks.end()


if __name__ == "__main__":
    with engram.Engram(sys.argv[1]) as opened:
        asyncio.run(work(opened, *sys.argv[1:3]))
