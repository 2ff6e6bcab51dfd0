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
        event = input["hook_event_name"]
        told = "\n\n".join([text for text in [await self.ask(*call) for call in self.calls(event, input)] if text])
        if not told or event not in TOLD:
            return {}
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": told}}

    def calls(self, event: str, input: Any) -> list[tuple[str, dict[str, Any]]]:
        """The verbs of engram that an event of the SDK is."""
        of = {"session": input["session_id"]}
        call = {"harness": "claude-code", "cwd": input["cwd"]}
        if event == "UserPromptSubmit":
            prompt = ("on_user_prompt", {**of, "text": input["prompt"]})
            if of["session"] in self.sessions:
                return [prompt]
            # The Python SDK has no event for the start of a session: the first prompt is it.
            self.sessions.add(of["session"])
            return [("on_session_start", {**of, **call, "source": self.source}), prompt]
        if event in ("Stop", "SubagentStop"):
            text = input.get("last_assistant_message") or ""
            return [("on_stop", {**of, "text": text, "agent": input.get("agent_id")})]
        if event == "PreCompact":
            return [("on_compaction", {**of, "trigger": input["trigger"]})]
        call |= {"tool": input["tool_name"], "input": input["tool_input"], "tool_use_id": input["tool_use_id"]}
        call |= {"output": input.get("tool_response"), "error": input.get("error"), "agent": input.get("agent_id")}
        return [("on_tool_call", of | call)]

    async def ask(self, verb: str, arguments: dict[str, Any]) -> str:
        """What engram wants told; nothing when it fails or takes too long, which is for the log."""
        try:
            reply = await asyncio.wait_for(asyncio.to_thread(getattr(self.memory, verb), **arguments), PATIENCE)
        except Exception as error:
            log.warning("%s: %r", verb, error)
            return ""
        for trouble in reply["trouble"]:
            log.warning("%s: %s", verb, trouble)
        return str(reply["context"])

    async def end(self) -> None:
        """The agent is done: lets engram learn from it, ten seconds at most; the rest is done at the next start."""
        for session in self.sessions:
            await self.ask("on_session_end", {"session": session})
        try:
            await asyncio.wait_for(asyncio.to_thread(self.memory.flush, 10), 12)
        except Exception as error:
            log.warning("flush: %r", error)
