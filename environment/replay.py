"""The replay environment: for tasks that come from elsewhere, where there is nothing to run.

A recorded call gets its recorded result, by tool and canonical arguments (25 ≡ 25.0). Any other
is judged as everywhere (unknown tool; references; arguments against the schema) and then gets a
stand-in. Figures measured here are never ranked.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from environment.executor import Request
from environment.ledger import Ledger
from environment.standins import stand_in
from trajectory import canonical, literals
from trajectory.arguments import check_call, find_faults
from trajectory.calls import Call, call_outcome
from trajectory.checks import Fault
from trajectory.free_references import FreeReference, free_references
from trajectory.plan import read_para
from trajectory.references import references
from trajectory.tools import Catalogue, Tool

# Tool and canonical arguments; None where the arguments have no canonical text.
_Key = tuple[str, str] | None


class Replay:
    """Recorded results, and stand-ins for the rest.

    It changes in one thing only: words for the result of a node ("output_of_task1") are read
    as a reference once that node has run, so that the schema does not judge them as a value.
    """

    def __init__(self, catalogue: Catalogue, ledger: Ledger, calls: Iterable[Call] = ()) -> None:
        """Take what is recorded.

        ledger: what ran, with the arguments as the plan has them. calls: what ran, with the
        arguments as they were recorded; they count where the plan's say nothing. A call that
        was recorded more than once replays its last success, else its last result.
        """
        self._catalogue = catalogue
        as_recorded = [(call.name, read_para(call.arguments)[0], call.results) for call in calls]
        as_written = [(entry.tool, entry.arguments, entry.result) for entry in ledger]
        self._recorded = {**_by_call(as_recorded), **_by_call(as_written)}
        self._ran = {entry.node for entry in ledger}

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """Return the results of the calls of one round, in the order of the requests."""
        results = [self._result(request) for request in requests]
        self._ran.update(request.node for request in requests)
        return results

    def digest(self) -> None:
        """Recorded results have no state."""
        return

    def _result(self, request: Request) -> Any:
        key = _key(request.tool, request.arguments)
        if key in self._recorded:
            return self._recorded[key]
        tools = self._catalogue.named(request.tool)
        if not tools:
            return _error(check_call(self._catalogue, request.tool, request.arguments)[0].detail)
        free = free_references(request.arguments, self._ran)
        if request.problem is not None and not _all_free(request.arguments, free):
            return _error(request.problem)
        judged = [(_faults(tool, request.arguments, free), tool) for tool in tools]
        faults, tool = min(judged, key=lambda pair: len(pair[0]))
        if faults:
            return _error("; ".join(fault.text for fault in faults))
        return stand_in(tool, request.arguments)


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
