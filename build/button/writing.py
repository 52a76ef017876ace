"""From a gold plan to a conversation in BUTTON's format."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from build.gold import Gold
from trajectory.calls import Call
from trajectory.descriptions import describe

Message = dict[str, str]

_SYSTEM: Final = """\
You solve the user's task with the functions listed here:
<tool>
{tools}
</tool>
First say what you see and what you will do next. Then either call functions, as a list of names \
and arguments inside <call></call>, or, once the task is done, answer inside <final></final>. \
{parallel}"""
_PARALLEL: Final = "Functions that need nothing from each other may be called in parallel."
_SINGLE: Final = "Call one function at a time, and wait for its results before the next."


def write_button(
    gold: Gold, *, parallel: bool = True, named: bool = False
) -> dict[str, list[Message]]:
    """Return a task as a conversation.

    Without `parallel` each turn holds one call. With `named` the assistant's words name the
    tools whose results its calls use; without, they say nothing of what depends on what.
    """
    rounds = gold.calls if parallel else [(call,) for calls in gold.calls for call in calls]
    system = _SYSTEM.format(
        tools=_json(gold.tools),
        parallel=_PARALLEL if parallel else _SINGLE,
    )
    messages = [_message("system", system), _message("user", gold.query)]
    for calls in rounds:
        messages.extend(_turn(calls, _used(gold, calls) if named else ""))
    final = f"The task is done. <final>{_final(gold)}</final>"
    return {"messages": [*messages, _message("assistant", final)]}


def _used(gold: Gold, calls: Sequence[Call]) -> str:
    """Say which tools gave what the calls use."""
    tools = {call.node: call.name for made in gold.calls for call in made}
    here = {call.node for call in calls}
    used = sorted({tools[edge.dep] for edge in gold.edges if edge.node in here})
    return f"I know enough from what {' and '.join(used)} returned. " if used else ""


def _turn(calls: Sequence[Call], used: str) -> Iterator[Message]:
    asked = [{"name": call.name, "arguments": call.arguments} for call in calls]
    names = " and ".join(sorted({call.name for call in calls}))
    block = f"<call>{_json(asked)}</call>"
    yield _message("assistant", f"{used}To get on with the task I call {names}. {block}")
    given = [{**entry, "results": call.results} for entry, call in zip(asked, calls, strict=True)]
    yield _message("tool", _json(given))


def _final(gold: Gold) -> str:
    """Return the results that the response waits for."""
    response = gold.plan.response
    ends = response.dep if response else ()
    made = {call.node: call for calls in gold.calls for call in calls}
    return " ".join(
        f"{describe(call.results)}." for call in (made[node] for node in ends if node in made)
    )


def _json(value: Any) -> str:
    """Return JSON with keys in their order, as a person would write it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
