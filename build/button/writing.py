"""From a gold plan to a conversation in BUTTON's format.

The assistant's words say nothing of what depends on what: that is for a reader to find.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from build.gold import Gold
from trajectory import canonical
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


def write_button(gold: Gold, *, parallel: bool = True) -> dict[str, list[Message]]:
    """Return a task as a conversation; without `parallel` each turn holds one call."""
    rounds = gold.calls if parallel else [(call,) for calls in gold.calls for call in calls]
    system = _SYSTEM.format(
        tools=canonical.dumps(gold.tools),
        parallel=_PARALLEL if parallel else _SINGLE,
    )
    messages = [_message("system", system), _message("user", gold.query)]
    for calls in rounds:
        messages.extend(_turn(calls))
    final = f"The task is done. <final>{_final(gold)}</final>"
    return {"messages": [*messages, _message("assistant", final)]}


def _turn(calls: Sequence[Call]) -> Iterator[Message]:
    asked = [{"name": call.name, "arguments": call.arguments} for call in calls]
    names = " and ".join(sorted({call.name for call in calls}))
    block = f"<call>{canonical.dumps(asked)}</call>"
    yield _message("assistant", f"To get on with the task I call {names}. {block}")
    given = [{**entry, "results": call.results} for entry, call in zip(asked, calls, strict=True)]
    yield _message("tool", canonical.dumps(given))


def _final(gold: Gold) -> str:
    """Return the results that the response waits for."""
    response = gold.plan.response
    ends = response.dep if response else ()
    made = {call.node: call for calls in gold.calls for call in calls}
    return " ".join(
        f"{describe(call.name, call.arguments, call.results)}."
        for call in (made[node] for node in ends if node in made)
    )


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
