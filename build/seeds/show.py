"""A task as a person wants to read it: request, tools, plan in layers, calls and results."""

import textwrap
from collections.abc import Iterator
from typing import Any

from build.gold import Gold
from trajectory import canonical
from trajectory.calls import Call
from trajectory.files import shortened
from trajectory.plan import RESPONSE
from trajectory.references import is_reference, read_reference

_WIDTH = 100


def show(gold: Gold) -> str:
    """Return a task as text of at most about 100 columns."""
    return "\n".join(_lines(gold))


def _lines(gold: Gold) -> Iterator[str]:
    shape = f"{gold.calls_gt} calls, {gold.rounds_gt - 1} layers"
    yield f"── {gold.id} · {gold.split} · {shape} {'─' * 40}"
    yield from textwrap.wrap(gold.query, _WIDTH)
    names = ", ".join(tool["name"] for tool in gold.tools)
    yield from textwrap.wrap(f"tools: {names}", _WIDTH, subsequent_indent="  ")
    for number, calls in enumerate(gold.calls, start=1):
        yield f"round {number}"
        for call in calls:
            yield from _call_lines(gold, call)
    response = gold.plan.by_id[RESPONSE]
    yield f"round {gold.rounds_gt}\n  response  ← {', '.join(response.dep)}"


def _call_lines(gold: Gold, call: Call) -> Iterator[str]:
    node = gold.plan.by_id[call.node or ""]
    after = [dep for dep in node.dep if dep != "root"]
    arrow = f"  ← {', '.join(after)}" if after else ""
    para = node.para if isinstance(node.para, dict) else {}
    arguments = ", ".join(f"{name}={_value(value)}" for name, value in para.items())
    yield f"  {node.id}  {call.name}({arguments}){arrow}"
    yield f"     = {shortened(call.results, _WIDTH - 8)}"


def _value(value: Any) -> str:
    if is_reference(value):
        found = read_reference(value, "")
        return f"‹{found.node}.{found.path}›" if found.path else f"‹{found.node}›"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return canonical.dumps(value)
