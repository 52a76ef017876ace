"""The simulated environment: worlds whose tools really run, round by round.

Deterministic: worlds, version, seed and calls decide results and state. A call is judged in
this order: unknown tool; references; arguments against the schema; scheduled fault; then the
tool runs. Calls of a round see the state as of its start; their writes apply at its end in
the order of the canonical calls, where a call that can no longer be carried out gets the
tool's own error.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from environment import worlds
from environment.executor import Request
from environment.faults import Fault
from environment.ledger import Ledger
from environment.state import Key, Row, State, View
from environment.world import ToolError, WorldTool
from trajectory import canonical
from trajectory.arguments import check_call
from trajectory.files import InputError
from trajectory.references import references
from trajectory.tools import Catalogue


@dataclass(frozen=True)
class Setting:
    """Which environment an instance plays in: its worlds, their versions, the seed."""

    worlds: tuple[str, ...]
    versions: tuple[int, ...]
    seed: int

    def to_row(self) -> dict[str, Any]:
        """Return the setting as an instance holds it."""
        return {
            "worlds": list(self.worlds),
            "versions": list(self.versions),
            "seed": self.seed,
        }


def setting(names: Iterable[str], seed: int) -> Setting:
    """Return the setting of these worlds at their present version."""
    chosen = tuple(sorted(names))
    return Setting(chosen, tuple(worlds.world(name).version for name in chosen), seed)


def read_setting(row: Mapping[str, Any]) -> Setting:
    """Read the setting of an instance.

    Raises InputError where a world is unknown or of another version than the installed one.
    """
    found = Setting(tuple(row["worlds"]), tuple(row["versions"]), row["seed"])
    for name, version in zip(found.worlds, found.versions, strict=True):
        if name not in worlds.world_names():
            raise InputError(f"unknown world {name!r}", do="install the version that made the data")
        present = worlds.world(name).version
        if present != version:
            raise InputError(
                f"world {name!r} has another version than the data",
                got=f"version {present}",
                wanted=f"version {version}",
                do="install the version of ParaRecover that made the data",
            )
    return found


@cache
def base_tables(setting: Setting) -> dict[Key, dict[str, Row]]:
    """Return the tables of a setting, rows in the order of their keys; shared, never changed."""
    return {
        (name, table): rows
        for name in setting.worlds
        for table, rows in _world_tables(name, setting.seed).items()
    }


@cache
def _world_tables(name: str, seed: int) -> dict[str, dict[str, Row]]:
    """Return the tables of one world; the settings that share it share them."""
    tables = worlds.world(name).tables(seed)
    return {table: dict(sorted(rows.items())) for table, rows in tables.items()}


class Simulation:
    """Tools of some worlds over one state; runs the calls of a trajectory round by round."""

    def __init__(
        self,
        setting: Setting,
        catalogue: Catalogue,
        faults: Iterable[Fault] = (),
        *,
        reverse: bool = False,
    ) -> None:
        """Make the environment as its worlds begin.

        reverse: apply the writes of a round in the reversed order of the canonical calls; gold
        rounds are proven order-free by it.
        """
        self._tools = worlds.tools(setting.worlds)
        self._catalogue = catalogue
        self._faults = tuple(faults)
        self._reverse = reverse
        self._tried: Counter[str] = Counter()
        self.state = State(base_tables(setting))

    def fork(self) -> "Simulation":
        """Return an independent copy that stands where this one does."""
        copy = object.__new__(Simulation)
        copy._tools, copy._catalogue, copy._faults = self._tools, self._catalogue, self._faults
        copy._reverse = self._reverse
        copy._tried = Counter(self._tried)
        copy.state = self.state.fork()
        return copy

    def replay(self, ledger: Ledger) -> "Simulation":
        """Run the calls of a ledger, so that the environment stands where it ended.

        Raises InputError where a result differs from the recorded one: then data and code do
        not belong together.
        """
        rounds: dict[int, list[Any]] = {}
        for entry in ledger:
            rounds.setdefault(entry.round, []).append(entry)
        for number in sorted(rounds):
            entries = rounds[number]
            # Arguments that still hold a reference are those of a call that never ran.
            entries = [entry for entry in entries if not any(references(entry.arguments))]
            requests = [Request(entry.node, entry.tool, entry.arguments) for entry in entries]
            for entry, result in zip(entries, self.run(requests), strict=True):
                _require_same(entry.node, entry.result, result)
        return self

    def digest(self) -> str:
        """Return the digest of the state as it stands."""
        return self.state.digest()

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """Run the calls of one round; results stand in the order of the requests."""
        results: dict[int, Any] = {}
        running: list[int] = []
        tried = set()
        for index, request in enumerate(requests):
            refusal = self._refusal(request)
            if refusal is not None:
                results[index] = {"error": refusal}
                continue
            tried.add(request.tool)
            fault = self._fault(request.tool)
            if fault is not None:
                results[index] = fault.result()
            else:
                running.append(index)
        self._tried.update(tried)
        running.sort(key=lambda index: _call_order(requests[index]), reverse=self._reverse)
        results.update(zip(running, self._run_tools([requests[i] for i in running]), strict=True))
        return [results[index] for index in range(len(requests))]

    def _refusal(self, request: Request) -> str | None:
        """Say why a call does not reach its tool, or None."""
        if request.tool not in self._catalogue.names:
            close = self._catalogue.close(request.tool)
            hint = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else ""
            return f"unknown tool: there is no tool called '{request.tool}'{hint}"
        if request.problem is not None:
            return request.problem
        problems = check_call(self._catalogue, request.tool, request.arguments)
        return "; ".join(problem.detail for problem in problems) or None

    def _fault(self, tool: str) -> Fault | None:
        tried = self._tried[tool] + 1
        return next((fault for fault in self._faults if fault.hits(tool, tried)), None)

    def _run_tools(self, requests: Sequence[Request]) -> list[Any]:
        """Run calls that reach their tools, in canonical order."""
        start, results = self.state, []
        after = start.fork() if any(self._tools[r.tool].has_effect for r in requests) else start
        for request in requests:
            tool = self._tools[request.tool]
            if not tool.has_effect:
                results.append(_call(tool, start, request.arguments))
                continue
            # What fails at the start of the round fails; what succeeds may still conflict.
            result, failed = _attempt(tool, start.fork(), request.arguments)
            if not failed:
                trial = after.fork()
                result, failed = _attempt(tool, trial, request.arguments)
                after = after if failed else trial
            results.append(result)
        self.state = after
        return results


def _call_order(request: Request) -> tuple[str, str, str]:
    return request.tool, canonical.dumps(request.arguments), request.node


def _attempt(tool: WorldTool, state: State, arguments: Mapping[str, Any]) -> tuple[Any, bool]:
    """Run a tool; returns its result and whether it refused.

    Some values keep to every schema and still can't be computed with: the day after the last
    year, the square of the largest number, half of a surrogate pair.
    """
    try:
        result = tool.body(View(state, tool.world), **arguments)
    except ToolError as error:
        return {"error": str(error)}, True
    except (ArithmeticError, ValueError):
        return {"error": _OUT_OF_RANGE}, True
    return (result, False) if _is_finite(result) else ({"error": _OUT_OF_RANGE}, True)


_OUT_OF_RANGE: Final = "these values are out of range"


def _is_finite(value: Any) -> bool:
    """Say whether every number in a JSON value is one that JSON has."""
    if isinstance(value, float):
        return math.isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, parts))


def _call(tool: WorldTool, state: State, arguments: Mapping[str, Any]) -> Any:
    return _attempt(tool, state, arguments)[0]


def _require_same(node: str, recorded: Any, result: Any) -> None:
    if not canonical.same(recorded, result):
        raise InputError(
            f"node {node!r} gives another result than the data say",
            got=canonical.dumps(result),
            wanted=canonical.dumps(recorded),
            do="use the version of ParaRecover that made the data",
        )
