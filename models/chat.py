"""Native tool-calling messages: a snapshot as a conversation, and a reply as the plan it means.

The conversation has the request, then for each round the calls as an assistant makes them and the
results as tools give them. A reply's calls are the next layer: what ran stays in the plan, what was
still pending goes, each call is a new node that depends on all that ran last, and the response
waits for them. A reply without calls is the response: it waits for all that ran. So later layers
are planned when their time comes, and rounds count as everywhere (our own definition).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from models.replies import Reply
from trajectory import canonical
from trajectory.plan import RESPONSE, ROOT

Seen = Mapping[str, Any]

_ARGUMENTS: Final = {"type": "object", "properties": {}}


def messages(seen: Seen, system: str, query: str) -> list[dict[str, Any]]:
    """Return the conversation of a snapshot."""
    shown: list[dict[str, Any]] = [
        {"role": "system", "content": system},
        {"role": "user", "content": query},
    ]
    number = 0
    for calls in _rounds(seen):
        ids = [f"call_{number + place}" for place in range(1, len(calls) + 1)]
        number += len(calls)
        made = [_made(id, call) for id, call in zip(ids, calls, strict=True)]
        shown.append({"role": "assistant", "content": None, "tool_calls": made})
        for id, call in zip(ids, calls, strict=True):
            result = canonical.dumps(call["results"])
            shown.append({"role": "tool", "tool_call_id": id, "content": result})
    return shown


def _rounds(seen: Seen) -> list[Sequence[Mapping[str, Any]]]:
    return [calls for calls in (*seen["history"], seen["tool_results"]) if calls]


def _made(id: str, call: Mapping[str, Any]) -> dict[str, Any]:
    told = {"name": call["name"] or "unnamed", "arguments": canonical.dumps(call["arguments"])}
    return {"id": id, "type": "function", "function": told}


def tools(seen: Seen) -> list[dict[str, Any]]:
    """Return the tool list in OpenAI's form."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool.get("description", ""),
                "parameters": _parameters(tool),
            },
        }
        for tool in seen["tools"]
    ]


def _parameters(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a JSON Schema object; a flat map of parameters, as the release has, becomes one."""
    given = tool.get("parameters") or _ARGUMENTS
    if given.get("type") == "object" and isinstance(given.get("properties"), dict):
        return dict(given)
    return {"type": "object", "properties": given, "required": tool.get("required") or []}


def answer(seen: Seen, reply: Reply) -> str:
    """Return a reply as the text of an answer: its words as the thought, its calls as the plan."""
    thought = reply.text.replace("</thought>", "").strip()
    if not reply.tool_calls and not thought:
        return ""
    plan = {"tasks": list(_tasks(seen, reply))}
    return f"<thought>{thought}</thought>\n<plan>{canonical.dumps(plan)}</plan>"


def _tasks(seen: Seen, reply: Reply) -> Iterator[Mapping[str, Any]]:
    ran = {call["node"] for calls in _rounds(seen) for call in calls}
    known = {str(task.get("id")) for task in seen["plan"]["tasks"]}
    kept = [task for task in seen["plan"]["tasks"] if task.get("id") in ran]
    yield {"id": ROOT, "name": None, "para": {}, "desc": seen["query"], "dep": [], "status": True}
    for task in kept:
        dep = [id for id in task.get("dep") or [] if id in ran or id == ROOT]
        yield {**task, "dep": dep or [ROOT], "status": True}
    last = [call["node"] for call in _rounds(seen)[-1]] if _rounds(seen) else [ROOT]
    added = list(_added(reply, known | ran, last))
    yield from added
    waits = [task["id"] for task in added] or sorted(ran) or [ROOT]
    yield {"id": RESPONSE, "name": None, "para": {}, "desc": "", "dep": waits, "status": False}


def _added(reply: Reply, taken: set[str], last: list[str]) -> Iterator[Mapping[str, Any]]:
    number = 0
    for call in reply.tool_calls:
        number += 1
        while f"call_{number}" in taken:
            number += 1
        yield {
            "id": f"call_{number}",
            "name": call["name"],
            "para": _arguments(call["arguments"]),
            "desc": "",
            "dep": last,
            "status": False,
        }


def _arguments(text: str) -> Any:
    """Return a call's arguments; what is no JSON stays the text that it is."""
    try:
        return canonical.loads(text or "{}")
    except ValueError:
        return text
