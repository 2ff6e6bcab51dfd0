"""Hooks of the Claude Agent SDK that give an agent a memory.

    hooks = EngramHooks(memory)
    options = ClaudeAgentOptions(hooks=hooks.matchers(), ...)
    ...
    await hooks.end()
"""

import asyncio
import logging
from typing import Any

import engram
from claude_agent_sdk import HookMatcher

log = logging.getLogger("engram")

# Seconds. A hook that reaches the SDK's own limit would block the prompt, so engram is given up well before it.
PATIENCE, LIMIT = 2, 10
TOLD = ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure")
SEEN = (*TOLD, "Stop", "SubagentStop", "PreCompact")


class EngramHooks:
    """Tells `memory` what the agent does, and the agent what the memory knows. Never stops the agent."""

    def __init__(self, memory: engram.Engram, source: str = "startup") -> None:
        self.memory, self.source = memory, source
        self.sessions: set[str] = set()

    def matchers(self) -> dict[Any, list[HookMatcher]]:
        return {event: [HookMatcher(hooks=[self.hook], timeout=LIMIT)] for event in SEEN}

    async def hook(self, input: Any, tool_use_id: Any, context: Any) -> Any:
        event, session = input["hook_event_name"], input["session_id"]
        told = []
        if event == "UserPromptSubmit" and session not in self.sessions:
            # The Python SDK has no event for the start of a session: the first prompt is it.
            self.sessions.add(session)
            told.append(await self.ask({**input, "hook_event_name": "SessionStart", "source": self.source}))
        told.append(await self.ask(input))
        said = "\n\n".join(filter(None, told))
        if not said or event not in TOLD:
            return {}
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": said}}

    async def ask(self, payload: Any) -> str:
        """What engram wants told; nothing when it fails or takes too long, which is for the log."""
        event = payload["hook_event_name"]
        try:
            reply = await asyncio.wait_for(asyncio.to_thread(self.memory.hook, "claude-code", payload), PATIENCE)
        except Exception as error:
            log.warning("%s: %r", event, error)
            return ""
        for trouble in reply["trouble"]:
            log.warning("%s: %s", event, trouble)
        return str(reply["context"])

    async def end(self) -> None:
        """The agent is done: lets engram learn from it, ten seconds at most; the rest is done at the next start."""
        for session in self.sessions:
            await self.ask({"hook_event_name": "SessionEnd", "session_id": session})
        try:
            await asyncio.wait_for(asyncio.to_thread(self.memory.flush, 10), 12)
        except Exception as error:
            log.warning("flush: %r", error)
