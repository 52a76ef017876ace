"""The replay environment: for tasks that come from elsewhere, where there is nothing to run.

A recorded call gets its recorded result, by tool and canonical arguments (25 ≡ 25.0). Any other
is judged as everywhere (unknown tool; references; arguments against the schema; scheduled fault)
and then gets a stand-in. Figures measured here are never ranked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self

from environment import faults as scheduled
from environment.executor import Request
from environment.ledger import Ledger
from environment.standins import stand_in
from trajectory import canonical, literals
from trajectory.arguments import check_call, find_faults
from trajectory.calls import Call, call_outcome, read_calls
from trajectory.checks import Fault
from trajectory.free_references import FreeReference, free_references
from trajectory.plan import read_para
from trajectory.references import references
from trajectory.tools import Catalogue, Tool

# Tool and canonical arguments; None where the arguments have no canonical text.
_Key = tuple[str, str] | None


# Under this key the environment of an instance holds its recorded calls.
RECORDED: Final = "recorded"


class Replay:
    """Recorded results, and stand-ins for the rest.

    It changes in two things: faults come and go, and where words are read, those for the result
    of a node ("output_of_task1") are a reference once that node has run, so that the schema does
    not judge them as a value.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        ledger: Ledger,
        calls: Iterable[Call] = (),
        faults: Iterable[scheduled.Fault] = (),
        *,
        reads_words: bool = True,
    ) -> None:
        """Take what is recorded.

        ledger: what ran, with the arguments as the plan has them. calls: what ran, with the
        arguments as they were recorded; they count where the plan's say nothing. A call that
        was recorded more than once replays its last success, else its last result.
        """
        self._catalogue = catalogue
        as_recorded = [(call.name, read_para(call.arguments)[0], call.results) for call in calls]
        as_written = [(entry.tool, entry.arguments, entry.result) for entry in ledger]
        self._recorded = {**_by_call(as_recorded), **_by_call(as_written)}
        self._faults = tuple(faults)
        self._reads_words = reads_words
        self._ran = {entry.node for entry in ledger}
        self._tried: dict[str, int] = {}

    def fork(self) -> Self:
        """Return an independent copy that stands where this one does."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._ran, copy._tried = set(self._ran), dict(self._tried)
        return copy

    @property
    def tried(self) -> Mapping[str, int]:
        """Tool → in how many rounds so far a call of it was tried (semantics.md, "Faults")."""
        return self._tried

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """Return the results of the calls of one round, in the order of the requests."""
        refusals = [self._refusal(request) for request in requests]
        open_ = [one.tool for one, no in zip(requests, refusals, strict=True) if no is None]
        faults = {tool: self._fault(tool) for tool in open_}
        results = [
            _error(no) if no is not None else self._answer(request, faults[request.tool])
            for request, no in zip(requests, refusals, strict=True)
        ]
        for tool in faults:
            self._tried[tool] = self._tried.get(tool, 0) + 1
        self._ran.update(request.node for request in requests)
        return results

    def digest(self) -> None:
        """Recorded results have no state."""
        return

    def _fault(self, tool: str) -> scheduled.Fault | None:
        tried = self._tried.get(tool, 0) + 1
        return next((fault for fault in self._faults if fault.hits(tool, tried)), None)

    def _refusal(self, request: Request) -> str | None:
        """Say why a call would not reach its tool, or None; what is recorded did."""
        if _key(request.tool, request.arguments) in self._recorded:
            return None
        if not self._catalogue.named(request.tool):
            return check_call(self._catalogue, request.tool, request.arguments)[0].detail
        free = self._free(request)
        if request.problem is not None and not _all_free(request.arguments, free):
            return request.problem
        faults, _ = self._judged(request)
        return "; ".join(fault.text for fault in faults) or None

    def _judged(self, request: Request) -> tuple[list[Fault], Tool]:
        """Return the tool of that name which fits best, and what it finds wrong."""
        free, tools = self._free(request), self._catalogue.named(request.tool)
        judged = [(_faults(tool, request.arguments, free), tool) for tool in tools]
        return min(judged, key=lambda pair: len(pair[0]))

    def _free(self, request: Request) -> Sequence[FreeReference]:
        return free_references(request.arguments, self._ran) if self._reads_words else ()

    def _answer(self, request: Request, fault: scheduled.Fault | None) -> Any:
        if fault is not None:
            return fault.result()
        key = _key(request.tool, request.arguments)
        if key in self._recorded:
            return self._recorded[key]
        return stand_in(self._judged(request)[1], request.arguments)


def replay_of(
    environment: Mapping[str, Any], catalogue: Catalogue, faults: Iterable[scheduled.Fault]
) -> Replay:
    """Return the environment of an instance that holds its recorded calls, as it begins."""
    calls = read_calls(environment[RECORDED])
    return Replay(catalogue, Ledger(), calls, faults, reads_words=False)


def recorded_value(results: Any) -> Any:
    """Return a recorded result; the object or list that a text writes, so that paths lead in."""
    if isinstance(results, str):
        try:
            value = literals.parse(results)
        except ValueError:
            return results
        return value if isinstance(value, dict | list) else results
    return results


def _by_call(records: Iterable[tuple[str, Any, Any]]) -> dict[_Key, Any]:
    results: dict[_Key, Any] = {}
    for name, arguments, given in records:
        key, failed = _key(name, arguments), call_outcome(given) != "ok"
        if not (failed and key in results and call_outcome(results[key]) == "ok"):
            results[key] = recorded_value(given)
    results.pop(None, None)
    return results


def _key(tool: str, arguments: Any) -> _Key:
    try:
        return tool, canonical.dumps(arguments)
    except (ValueError, TypeError):
        return None


def _error(problem: str) -> dict[str, str]:
    return {"error": problem}


def _all_free(arguments: Any, free: Sequence[FreeReference]) -> bool:
    """Say whether every `$ref` inside arguments is one of the free-text references."""
    written = {found.where for found in references(arguments)}
    return bool(written) and written.issubset(found.where for found in free)


def _faults(tool: Tool, arguments: Any, free: Sequence[FreeReference]) -> list[Fault]:
    """Return what the schema finds, but for values that an earlier result will give."""
    open_values = {found.parameter for found in free}
    return [
        fault
        for fault in find_faults(tool, arguments)
        if fault.kind not in _OF_VALUES or not open_values.intersection(fault.path[:1])
    ]


_OF_VALUES = frozenset(("wrong_type", "bad_value"))
