"""A model on loopback that plays a script: Anthropic Messages and OpenAI Responses (streamed or not), Gemini's generateContent.

A script is a list of steps as in examples/sessions: the words of the model, and at most one tool call, or several at once as
`calls`. Step k is played to a conversation that holds k results of tools, so that a request which the client repeats is
answered the same way. Conversations that begin with certain words, as those of sub-agents do, may have scripts of their own.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Optional

# The call that a step asks for, in the tools of each client.
CLAUDE_TOOLS = {
    "read": lambda path: ("Read", {"file_path": path}),
    "bash": lambda command: ("Bash", {"command": command, "description": "Run it"}),
    "edit": lambda e: ("Edit", {"file_path": e["file"], "old_string": e["old"], "new_string": e["new"]}),
}
OPENCODE_TOOLS = {
    "read": lambda path: ("read", {"filePath": path}),
    "bash": lambda command: ("bash", {"command": command, "description": "Run it"}),
    "edit": lambda e: ("edit", {"filePath": e["file"], "oldString": e["old"], "newString": e["new"]}),
}
OPENAI_TOOLS = {
    "read": lambda path: ("read_file", {"path": path}),
    "bash": lambda command: ("run_command", {"command": command}),
    "edit": lambda e: ("edit_file", {"path": e["file"], "old_string": e["old"], "new_string": e["new"]}),
}


# Codex edits by patches, which are no function calls.
CODEX_TOOLS = {
    "read": lambda path: ("exec_command", {"cmd": f"cat {path}"}),
    "bash": lambda command: ("exec_command", {"cmd": command}),
    "edit": lambda e: ("apply_patch", patch(e)),
}
GEMINI_TOOLS = {
    "read": lambda path: ("read_file", {"file_path": path}),
    "bash": lambda command: ("run_shell_command", {"command": command}),
    "edit": lambda e: (
        "replace",
        {"file_path": e["file"], "instruction": "edit", "old_string": e["old"], "new_string": e["new"]},
    ),
}


def patch(edit: dict[str, str]) -> str:
    """An edit in the format of `apply_patch`; what it replaces must be whole lines."""
    lines = [f"-{line}" for line in edit["old"].splitlines()] + [f"+{line}" for line in edit["new"].splitlines()]
    return "\n".join(["*** Begin Patch", f"*** Update File: {edit['file']}", "@@", *lines, "*** End Patch", ""])


def calls_of(step: dict[str, Any], tools: dict[str, Any]) -> list[Any]:
    one = call_of(step, tools)
    found: list[Any] = step.get("calls", [one] if one else [])
    return [call_of(call, tools) if isinstance(call, dict) else call for call in found]


def call_of(step: dict[str, Any], tools: dict[str, Any]) -> Any:
    return next((tools[key](step[key]) for key in tools if key in step), None)


def anthropic_results(body: dict[str, Any]) -> int:
    contents = [m["content"] for m in body["messages"] if isinstance(m["content"], list)]
    return sum(block.get("type") == "tool_result" for content in contents for block in content)


def anthropic_blocks(body: dict[str, Any], step: dict[str, Any], number: int) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": step["say"]}] if "say" in step else []
    is_opencode = any(tool.get("name") == "edit" for tool in body.get("tools", []))
    for at, (name, input) in enumerate(calls_of(step, OPENCODE_TOOLS if is_opencode else CLAUDE_TOOLS)):
        # The ids of different conversations differ, as a real model's do.
        unique = f"{abs(hash(json.dumps(body['messages'][0]))) % 10**8:08}{number + at:04}"
        blocks.append({"type": "tool_use", "id": f"toolu_{unique}", "name": name, "input": input})
    return blocks


def anthropic_message(body: dict[str, Any], step: dict[str, Any], number: int) -> dict[str, Any]:
    blocks = anthropic_blocks(body, step, number)
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": blocks,
        "stop_reason": "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }


def anthropic_events(message: dict[str, Any]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    ]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            text = json.dumps(block["input"])
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": text}
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": end, "usage": message["usage"]}, {"type": "message_stop"}]


def openai_results(body: dict[str, Any]) -> int:
    kinds = ("function_call_output", "custom_tool_call_output")
    return sum(item.get("type") in kinds for item in body["input"])


def is_codex(body: dict[str, Any]) -> bool:
    return any(tool.get("name") == "exec_command" for tool in body.get("tools", []))


def openai_response(body: dict[str, Any], step: dict[str, Any], number: int) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if "say" in step:
        text = {"type": "output_text", "text": step["say"], "annotations": []}
        message = {"type": "message", "id": f"msg_{number:04}", "role": "assistant", "status": "completed"}
        output.append({**message, "content": [text]})
    for at, (name, input) in enumerate(calls_of(step, CODEX_TOOLS if is_codex(body) else OPENAI_TOOLS), number):
        known = {"call_id": f"call_{at:04}", "name": name, "status": "completed"}
        if isinstance(input, str):
            output.append({**known, "type": "custom_tool_call", "id": f"ctc_{at:04}", "input": input})
        else:
            output.append({**known, "type": "function_call", "id": f"fc_{at:04}", "arguments": json.dumps(input)})
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": f"resp_{number:04}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": body.get("model", "scripted"),
        "output": output,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {**usage, **details},
    }


def openai_events(response: dict[str, Any]) -> list[dict[str, Any]]:
    begun = {"id": response["id"], "object": "response", "status": "in_progress", "output": []}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(response["output"]):
        for what in ("added", "done"):
            events.append({"type": f"response.output_item.{what}", "output_index": index, "item": item})
    return [*events, {"type": "response.completed", "response": response}]


def gemini_results(body: dict[str, Any]) -> int:
    return sum("functionResponse" in part for content in body["contents"] for part in content.get("parts", []))


def gemini_response(step: dict[str, Any]) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": step["say"]}] if "say" in step else []
    parts += [{"functionCall": {"name": name, "args": input}} for name, input in calls_of(step, GEMINI_TOOLS)]
    content = {"role": "model", "parts": parts}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}


class ScriptedModel:
    """Serves one script until its `with` is left; `requests` holds what the agent told the model, in order."""

    def __init__(
        self, script: list[dict[str, Any]], others: Optional[dict[str, list[dict[str, Any]]]] = None
    ) -> None:
        self.script = script
        self.others = others or {}
        self.requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "ScriptedModel":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: dict[str, Any]) -> tuple[str, Any]:
        """What one request is answered with: ("json", object) or ("stream", events)."""
        if "count_tokens" in path:
            return "json", {"input_tokens": 10}
        if "enerateContent" in path:
            response = gemini_response(self._step(body, gemini_results(body))[0])
            return ("stream" if "stream" in path else "json"), [response] if "stream" in path else response
        openai = path.endswith("/responses")
        step, number = self._step(body, openai_results(body) if openai else anthropic_results(body))
        if openai:
            response = openai_response(body, step, number)
            return ("stream", openai_events(response)) if body.get("stream") else ("json", response)
        message = anthropic_message(body, step, number)
        return ("stream", anthropic_events(message)) if body.get("stream") else ("json", message)

    def _step(self, body: dict[str, Any], results: int) -> tuple[dict[str, Any], int]:
        # Clients also ask for titles and the like, without tools: that is no part of the story. Gemini CLI wants an object.
        if not body.get("tools"):
            return {"say": "{}" if "contents" in body else "ok"}, 0
        with self._lock:
            self.requests.append(body)
        begins = json.dumps((body.get("messages") or body.get("contents") or body.get("input") or [None])[0])
        script = next((steps for words, steps in self.others.items() if words in begins), self.script)
        return (script[results] if results < len(script) else {"say": "The script is over."}), results

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self.reply("application/json", b"")

            def do_GET(self) -> None:
                self.reply("application/json", b'{"data": []}')

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                if "countTokens" in self.path:
                    return self.reply("application/json", b'{"totalTokens": 10}')
                known = ("/messages", "/responses", "/count_tokens", "enerateContent")
                if not self.path.split("?")[0].endswith(known):
                    return self.reply("application/json", b"{}")
                form, said = model.answer(self.path.split("?")[0], body)
                if form == "json":
                    return self.reply("application/json", json.dumps(said).encode())
                named = [(f"event: {e['type']}\n" if "type" in e else "", json.dumps(e)) for e in said]
                events = [f"{name}data: {data}\n\n" for name, data in named]
                self.reply("text/event-stream", "".join(events).encode())

            def reply(self, form: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", form)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler
