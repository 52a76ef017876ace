"""The simulated environment: worlds whose tools really run, round by round.

Deterministic: worlds, version, seed and calls decide results and state. A call is judged in
this order: unknown tool; references; arguments against the schema; scheduled fault; then the
tool runs. Calls of a round see the state as of its start; their writes apply at its end in
the order of the canonical calls, where a call that can no longer be carried out gets the
tool's own error.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, Self

from environment import worlds
from environment.executor import Request
from environment.faults import Fault
from environment.ledger import Ledger
from environment.retracing import retraced
from environment.state import Key, Row, State, View
from environment.world import ToolError
from trajectory import canonical
from trajectory.arguments import check_call
from trajectory.files import InputError
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


@cache
def _base_state(setting: Setting) -> State:
    """Return the state in which the worlds of a setting begin: one for all simulations of it."""
    return State(base_tables(setting))


class Simulation:
    """Tools of some worlds over one state; runs the calls of a trajectory round by round.

    state: as it stands; shared with other simulations, so only to be read.
    """

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
        self._tried: dict[str, int] = {}
        self._refusals: dict[tuple[str, str], str | None] = {}
        self.state = _base_state(setting)

    def fork(self) -> Self:
        """Return an independent copy that stands where this one does."""
        copy = object.__new__(type(self))
        copy._tools, copy._catalogue, copy._faults = self._tools, self._catalogue, self._faults
        copy._reverse, copy._refusals = self._reverse, self._refusals
        copy._tried = dict(self._tried)
        copy.state = self.state
        return copy

    def replay(self, ledger: Ledger) -> Self:
        """Run the calls of a ledger, so that the environment stands where it ended.

        Raises InputError where a result differs from the recorded one: then data and code do
        not belong together.
        """
        return retraced(self, ledger)

    @property
    def tried(self) -> Mapping[str, int]:
        """Tool → in how many rounds so far a call of it was tried (semantics.md, "Faults")."""
        return self._tried

    def digest(self) -> str:
        """Return the digest of the state as it stands."""
        return self.state.digest()

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """Run the calls of one round; results stand in the order of the requests."""
        results: list[Any] = [None] * len(requests)
        running: list[tuple[int, _Given]] = []
        tried: dict[str, Fault | None] = {}
        for index, request in enumerate(requests):
            given = _given(request.arguments)
            refusal = self._refusal(request, given)
            if refusal is not None:
                results[index] = {"error": refusal}
                continue
            if request.tool not in tried:
                tried[request.tool] = self._fault(request.tool)
            fault = tried[request.tool]
            if fault is not None:
                results[index] = fault.result()
            else:
                running.append((index, given))
        for tool in tried:
            self._tried[tool] = self._tried.get(tool, 0) + 1
        self._run_tools(requests, running, results)
        return results

    def _refusal(self, request: Request, given: "_Given") -> str | None:
        """Say why a call does not reach its tool, or None."""
        if not self._catalogue.named(request.tool):
            close = self._catalogue.close(request.tool)
            hint = f"; did you mean {' or '.join(repr(name) for name in close)}?" if close else ""
            return f"unknown tool: there is no tool called '{request.tool}'{hint}"
        if request.problem is not None:
            return request.problem
        key = request.tool, given
        if key not in self._refusals:
            problems = check_call(self._catalogue, request.tool, request.arguments)
            refusal = "; ".join(problem.detail for problem in problems) or None
            if not given:
                return refusal
            self._refusals[key] = refusal
        return self._refusals[key]

    def _fault(self, tool: str) -> Fault | None:
        tried = self._tried.get(tool, 0) + 1
        return next((fault for fault in self._faults if fault.hits(tool, tried)), None)

    def _run_tools(
        self,
        requests: Sequence[Request],
        running: Sequence[tuple[int, "_Given"]],
        results: list[Any],
    ) -> None:
        """Run the calls that reach their tools: fills in their results."""
        start, writing = self.state, []
        for index, given in running:
            tool = self._tools[requests[index].tool]
            if tool.has_effect:
                writing.append((index, given))
            else:
                results[index] = _attempt(tool.world, tool.name, start, given).result
        if len(writing) > 1:
            writing.sort(key=lambda one: _call_order(requests[one[0]]), reverse=self._reverse)
        for index, given in writing:
            tool = self._tools[requests[index].tool]
            # What fails at the start of the round fails; what succeeds may still conflict.
            done = _attempt(tool.world, tool.name, start, given)
            if not done.failed:
                done = _attempt(tool.world, tool.name, self.state, given)
                self.state = done.state
            results[index] = done.result


def _call_order(request: Request) -> tuple[str, str, str]:
    return request.tool, canonical.dumps(request.arguments), request.node


class _Given(str):
    """The arguments of a call as the key under which what came of it is remembered.

    Whole floats stand as integers in it, as they will once they were written and read again; the
    Python text keeps apart the order of keys, which may show in a result.
    """

    __slots__ = ("arguments",)
    arguments: Any


def _given(arguments: Any) -> _Given:
    try:
        arguments = canonical.normal(arguments)
        given = _Given(repr(arguments))
    except RecursionError:
        # Every check refuses what is nested so deeply.
        given = _Given()
    given.arguments = arguments
    return given


class _Done(NamedTuple):
    """What came of a call: its result, whether it failed, the state after it."""

    result: Any
    failed: bool
    state: State


# Executions of one task make the same calls in the same states again and again. A state is
# told by its identity: none is written to once a simulation stands in it.
@lru_cache(maxsize=8192)
def _attempt(world: str, name: str, state: State, given: _Given) -> _Done:
    """Run a tool; what it writes stands in a state of its own.

    Some values keep to every schema and still can't be computed with: the day after the last
    year, the square of the largest number, half of a surrogate pair.
    """
    tool = worlds.world(world).tools[name]
    after = state.fork() if tool.has_effect else state
    arguments = _as_declared(given.arguments, tool.schema)
    try:
        result = tool.body(View(after, world), **arguments)
    except ToolError as error:
        return _Done({"error": str(error)}, True, state)
    except (ArithmeticError, ValueError):
        return _Done({"error": _OUT_OF_RANGE}, True, state)
    if not _is_finite(result):
        return _Done({"error": _OUT_OF_RANGE}, True, state)
    return _Done(result, False, after)


def _as_declared(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value with whole floats as integers wherever an integer is declared.

    JSON knows no difference between 2 and 2.0, and a schema takes both; Python's range does.
    """
    if isinstance(value, float) and schema.get("type") == "integer":
        return int(value)
    if isinstance(value, list) and "items" in schema:
        return [_as_declared(item, schema["items"]) for item in value]
    if isinstance(value, dict) and "properties" in schema:
        parts = schema["properties"]
        return {name: _as_declared(part, parts.get(name, {})) for name, part in value.items()}
    return value


_OUT_OF_RANGE: Final = "these values are out of range"


def _is_finite(value: Any) -> bool:
    """Say whether every number in a JSON value is one that JSON has."""
    if isinstance(value, float):
        return math.isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, parts))
