"""Walks through the worlds: what the tests of all worlds watch.

From a fresh state, every tool of a world is called again and again with literals and with values
that earlier successful calls of the walk gave. `python -m tests.environment.walks 8` prints one
digest a world over its tables and eight walks, which is the same on every Python.
"""

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema

from environment import literals
from environment.meanings import fits
from environment.state import Key, Row, State, View
from environment.world import Parameter, ToolError, World, WorldTool, generator
from environment.worlds import world, world_names
from trajectory import canonical
from trajectory.references import follow

SEED = 7
WALKS = 24
PASSES = 3


class SpyingView(View):
    """A view that notes which tables were read and written."""

    __slots__ = ("read", "written")

    def __init__(self, state: State, name: str) -> None:
        super().__init__(state, name)
        self.read: set[str] = set()
        self.written: set[str] = set()

    def get(self, table: str, key: str) -> Row | None:
        self.read.add(table)
        return super().get(table, key)

    def rows(self, table: str) -> Iterator[tuple[str, Row]]:
        self.read.add(table)
        return super().rows(table)

    def values(self, table: str) -> list[Row]:
        self.read.add(table)
        return super().values(table)

    def put(self, table: str, key: str, row: Row) -> None:
        self.written.add(table)
        super().put(table, key, row)

    def remove(self, table: str, key: str) -> None:
        self.written.add(table)
        super().remove(table, key)


@dataclass
class Seen:
    """One call of a walk: what went in, what came out, the state before and after."""

    tool: WorldTool
    arguments: dict[str, Any]
    before: State
    after: State
    read: set[str]
    written: set[str]
    result: Any = None
    refusal: str | None = None
    crash: str | None = None

    @property
    def succeeded(self) -> bool:
        return self.refusal is None and self.crash is None


@dataclass(frozen=True)
class Walked:
    """All calls in one world, and the text of its tables before and after them."""

    calls: list[Seen]
    tables_before: str
    tables_after: str

    def of(self, tool: WorldTool) -> list[Seen]:
        return [seen for seen in self.calls if seen.tool is tool]

    def successes(self, tool: WorldTool) -> list[Seen]:
        return [seen for seen in self.of(tool) if seen.succeeded]


def base_of(one: World, seed: int = SEED) -> dict[Key, dict[str, Row]]:
    tables = one.tables(seed)
    return {(one.name, name): dict(sorted(rows.items())) for name, rows in tables.items()}


def call(tool: WorldTool, arguments: dict[str, Any], state: State) -> Seen:
    """Run a tool on a copy of the state."""
    after = state.fork()
    view = SpyingView(after, tool.world)
    seen = Seen(tool, arguments, state, after, view.read, view.written)
    said = canonical.dumps(arguments)
    try:
        seen.result = tool.body(view, **arguments)
    except ToolError as error:
        seen.refusal = str(error)
    except Exception as error:  # noqa: BLE001
        seen.crash = f"{type(error).__name__}: {error}"
    if canonical.dumps(arguments) != said:
        seen.crash = "the arguments were changed"
    return seen


Known = dict[str, list[Any]]


def learned(known: Known, means: str) -> list[Any]:
    """Return what earlier calls gave that fits a meaning, lists of it as well."""
    found = [value for given, values in known.items() if fits(given, means) for value in values]
    if means.startswith("list:"):
        singles = learned(known, means[5:])
        found += [singles[-2:]] if singles else []
    return found


def value_for(parameter: Parameter, known: Known, view: View, rng: random.Random) -> Any:
    """Return an earlier output in half of the cases, else a literal; LookupError if neither."""
    earlier = learned(known, parameter.means)
    if earlier and (rng.random() < 0.5 or not literals.can_draw(parameter)):
        return rng.choice(earlier)
    if parameter.fields and parameter.pool is None:
        return values_for(parameter.fields, known, view, rng)
    if parameter.items is not None and parameter.items.fields and parameter.pool is None:
        count = parameter.schema.get("minItems", 1)
        return [value_for(parameter.items, known, view, rng) for _ in range(max(count, 2))]
    return literals.draw(parameter, view, rng, SEED)


def values_for(
    parameters: Mapping[str, Parameter], known: Known, view: View, rng: random.Random
) -> dict[str, Any]:
    given = {}
    for name, parameter in parameters.items():
        if not parameter.optional or rng.random() < 0.4:
            try:
                given[name] = value_for(parameter, known, view, rng)
            except LookupError:
                if not parameter.optional:
                    raise
    return given


def learn(known: Known, seen: Seen) -> None:
    for output in seen.tool.outputs:
        try:
            value = follow(seen.result, output.path)
        except LookupError:
            continue
        known.setdefault(output.means, []).append(value)


@cache
def compiled(name: str, of: str) -> Any:
    return jsonschema.Draft202012Validator(world(of).tools[name].schema)


def keeps_schema(tool: WorldTool, arguments: dict[str, Any]) -> bool:
    return bool(compiled(tool.name, tool.world).is_valid(arguments))


def walk(one: World, state: State, rng: random.Random) -> Iterator[Seen]:
    known: Known = {}
    order = list(one.tools.values())
    for _ in range(PASSES):
        rng.shuffle(order)
        for tool in order:
            try:
                arguments = values_for(tool.parameters, known, View(state, one.name), rng)
            except LookupError:
                continue
            if not keeps_schema(tool, arguments):
                continue
            seen = call(tool, arguments, state)
            yield seen
            if seen.succeeded:
                learn(known, seen)
                state = seen.after


@cache
def walked(name: str) -> Walked:
    """Return all walks of a world; made once."""
    base = base_of(world(name))
    before = canonical.dumps(list(base.values()))
    calls = walks(name, base)
    return Walked(calls, before, canonical.dumps(list(base.values())))


def walks(name: str, base: dict[Key, dict[str, Row]], count: int = WALKS) -> list[Seen]:
    """Walk through a world again and again, each time from its base."""
    rngs = [generator(SEED, "walk", name, str(number)) for number in range(count)]
    return [seen for rng in rngs for seen in walk(world(name), State(base), rng)]


def digest(name: str, count: int) -> str:
    """Return a digest of the tables of a world and of every call of some walks."""
    base = base_of(world(name))
    calls = [
        [seen.tool.name, seen.arguments, seen.result, seen.refusal, seen.crash, seen.after.digest()]
        for seen in walks(name, base, count)
    ]
    return canonical.digest([list(base.values()), calls])


if __name__ == "__main__":
    print(canonical.dumps({name: digest(name, int(sys.argv[1])) for name in world_names()}))
