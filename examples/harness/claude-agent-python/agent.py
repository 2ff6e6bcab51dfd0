"""An agent of the Claude Agent SDK with a memory: agent.py PROJECT PROMPT"""

import asyncio
import sys

import engram
from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query
from engram_hooks import EngramHooks


async def work(memory: engram.Engram, project: str, prompt: str) -> None:
    hooks = EngramHooks(memory)
    options = ClaudeAgentOptions(
        cwd=project,
        allowed_tools=["Read", "Edit", "Write", "Bash"],
        permission_mode="acceptEdits",
        hooks=hooks.matchers(),
    )
    async for message in query(prompt=prompt, options=options):
        if isinstance(message, ResultMessage):
            print(message.result)
    await hooks.end()


if __name__ == "__main__":
    with engram.Engram(sys.argv[1]) as opened:
        asyncio.run(work(opened, *sys.argv[1:3]))
