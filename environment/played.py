"""Tools that a model plays, as in the paper: each call is put to it, and its answer is the result.

Nothing runs and no state changes, so that no score on this is ranked. A call that names no tool, or
whose references can't be followed, is answered as everywhere; what the model says is not a result
unless it is one JSON value.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from environment.executor import Request
from trajectory import canonical
from trajectory.calls import Call, write_calls
from trajectory.tools import Catalogue

# Takes the fields of the simulator's prompt, gives what the model says.
Ask = Callable[[Mapping[str, Any]], str]

_ATTEMPTS: Final = 2
UNREADABLE: Final = {"error": "the simulated tool gave no readable result"}


class Played:
    """An environment whose tools a model plays; past: what ran before, which the model is told."""

    def __init__(
        self, tools: Sequence[Any], catalogue: Catalogue, past: Sequence[Sequence[Call]], ask: Ask
    ) -> None:
        self._tools = list(tools)
        self._catalogue = catalogue
        self._past = [call for calls in past for call in write_calls(calls)]
        self._ask = ask

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """Return what the model answers for each call of a round; they don't see one another."""
        results = [self._result(request) for request in requests]
        self._past += [
            {"name": one.tool, "arguments": one.arguments, "results": result}
            for one, result in zip(requests, results, strict=True)
        ]
        return results

    def digest(self) -> str | None:
        """Return None: there is no state."""
        return None

    def _result(self, request: Request) -> Any:
        if request.problem is not None:
            return {"error": request.problem}
        told = {"name": request.tool, "arguments": request.arguments}
        known = request.tool in self._catalogue.names
        tools = [one for one in self._tools if not known or one.get("name") == request.tool]
        fields = {"tools": tools, "history": self._past, "call": told}
        for _ in range(_ATTEMPTS):
            read, result = _read(self._ask(fields))
            if read:
                return result
        return dict(UNREADABLE)


def _read(text: str) -> tuple[bool, Any]:
    """Return whether a text is one JSON value, bare or fenced, and that value."""
    bare = text.strip()
    if bare.startswith("```"):
        bare = bare.split("\n", 1)[-1].removesuffix("```").strip()
    try:
        return True, canonical.loads(bare)
    except ValueError:
        return False, None
