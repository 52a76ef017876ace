"""Conversations in BUTTON's format, of our own writing."""

import json
from typing import Any

SINGLE = "You should call one function at a time."
PARALLEL = "You may call functions in parallel."


def tool(name: str, /, **parameters: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": parameters, "required": []}
    return {"name": name, "description": f"Does {name}.", "parameters": schema}


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def said(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


def turn(*made: tuple[dict[str, Any], Any], prose: str = "I go on.") -> list[dict[str, Any]]:
    """Return the assistant's message and the tool's for calls with their results."""
    asked = json.dumps([asked for asked, _ in made])
    given = json.dumps([{**asked, "results": results} for asked, results in made])
    return [said("assistant", f"{prose} <call>{asked}</call>"), said("tool", given)]


def conversation(
    request: str,
    *turns: list[dict[str, Any]],
    parallel: bool = True,
    tools: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a whole conversation; its tools are those that it calls unless given."""
    if tools is None:
        names = {name for messages in turns for name in called(messages)}
        tools = [tool(name) for name in sorted(names)]
    rule = PARALLEL if parallel else SINGLE
    system = f"Use the functions.\n<tool>\n{json.dumps(tools)}\n</tool>\n{rule}"
    return {
        "messages": [
            said("system", system),
            said("user", request),
            *(message for messages in turns for message in messages),
            said("assistant", "Done. <final>That is all.</final>"),
        ]
    }


def called(messages: list[dict[str, Any]]) -> list[str]:
    results = json.loads(messages[1]["content"])
    return [entry["name"] for entry in results]
