"""Hooks of the OpenAI Agents SDK that give an agent a memory.

    hooks = EngramHooks(memory, session="...")
    result = await Runner.run(agent, prompt, hooks=hooks, run_config=RunConfig(call_model_input_filter=hooks.tell))
    ...
    await hooks.end()
"""

import asyncio
import json
import logging
from typing import Any

import engram
from agents import RunHooks
from agents.run import CallModelData, ModelInputData

log = logging.getLogger("engram")

# Seconds that the agent waits for engram, which needs milliseconds.
PATIENCE = 2


class EngramHooks(RunHooks[Any]):
    """Tells `memory` what the agent does, and through `tell` the agent what the memory knows. Never stops the agent."""

    def __init__(self, memory: engram.Engram, session: str, source: str = "startup") -> None:
        self.memory, self.session, self.source = memory, session, source
        self.background: list[str] = []
        self.results: dict[str, str] = {}
        self.started = self.handed_over = False

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        if self.handed_over:
            self.handed_over = False
            return
        if not self.started:
            self.started = True
            self.background.append(await self.ask("on_session_start", source=self.source))
        self.background.append(await self.ask("on_user_prompt", text=prompt_in(context.turn_input)))

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        # The next agent starts on the same prompt.
        self.handed_over = True

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        call = getattr(context, "tool_call_id", None)
        given, output = arguments_of(context), str(result)
        told = await self.ask("on_tool_call", tool=tool.name, input=given, output=output, tool_use_id=call)
        if call and told:
            self.results[call] = told

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        await self.ask("on_stop", text=str(output))

    def tell(self, data: CallModelData[Any]) -> ModelInputData:
        """The SDK's hooks cannot speak to the model, this filter of its input can; what was told once is told each time."""
        given = data.model_data
        instructions = "\n\n".join(text for text in [given.instructions, *self.background] if text)
        return ModelInputData(input=[self.with_result(item) for item in given.input], instructions=instructions or None)

    def with_result(self, item: Any) -> Any:
        told = self.results.get(item.get("call_id", "")) if item.get("type") == "function_call_output" else None
        return {**item, "output": f"{item['output']}\n\n{told}"} if told and isinstance(item["output"], str) else item

    async def ask(self, verb: str, **arguments: Any) -> str:
        """What engram wants told; nothing when it fails or takes too long, which is for the log."""
        verb_of_memory = getattr(self.memory, verb)
        try:
            reply = await asyncio.wait_for(asyncio.to_thread(verb_of_memory, session=self.session, **arguments), PATIENCE)
        except Exception as error:
            log.warning("%s: %r", verb, error)
            return ""
        for trouble in reply["trouble"]:
            log.warning("%s: %s", verb, trouble)
        return str(reply["context"])

    async def end(self) -> None:
        """The agent is done: lets engram learn from it, ten seconds at most; the rest is done at the next start."""
        await self.ask("on_session_end")
        try:
            await asyncio.wait_for(asyncio.to_thread(self.memory.flush, 10), 12)
        except Exception as error:
            log.warning("flush: %r", error)


def arguments_of(context: Any) -> Any:
    """The arguments of a tool call; the SDK's own tools (shell, computer) have none here."""
    try:
        return json.loads(getattr(context, "tool_arguments", "{}"))
    except ValueError:
        return {}


def prompt_in(items: list[Any]) -> str:
    """The user's last words in a run's input."""
    said = next((item["content"] for item in reversed(items) if item.get("role") == "user"), "")
    return said if isinstance(said, str) else "\n".join(part.get("text", "") for part in said)
