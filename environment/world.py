"""How a world and its tools are declared: one function with one declaration each.

A world is a set of tables made from a seed and the tools that read and write them. A tool is
a plain Python function over a `View`; its declaration says what a model sees (name,
description, JSON Schema), what the composer needs (semantic types, phrasings, literal values)
and what the proof needs (which tables it reads and writes, how its effect is undone, which
parameters count for a goal). `environment/worlds/README.md` is the guide.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from environment.state import Tables, View
from trajectory import canonical
from trajectory.tools import Tool

Pool = Callable[[View, random.Random], Any]


class ToolError(Exception):
    """The tool's own refusal; its text is the exact wording of the error result."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a tool.

    schema: its JSON Schema, with a description.
    means: the semantic type of its value (`environment/meanings.py`).
    optional: whether a call may leave it out.
    counts: whether its value counts for a goal; one that doesn't must touch neither state
        nor result.
    pool: draws a value that a user could say, from the world's data; None: the meaning's own.
    says: words for values, by canonical JSON ("true": "with breakfast"); under "", a template:
        of a record with its fields as {slots}, of anything else with {value}; None: the
        meaning's own.
    items, fields: what an array holds, what an object holds.
    """

    schema: Mapping[str, Any]
    means: str
    optional: bool = False
    counts: bool = True
    pool: Pool | None = None
    says: Mapping[str, str] | None = None
    items: "Parameter | None" = None
    fields: Mapping[str, "Parameter"] = field(default_factory=dict)


@dataclass(frozen=True)
class Output:
    """One value inside a result that later calls can use.

    path: dotted path with [i]; "" is the whole result.
    means: its semantic type; "list:city" for a list of them.
    phrases: noun phrases a user would say for it, with the tool's parameters as {slots} and
        [brackets] around what is said only when the parameters inside are given.
    """

    path: str
    means: str
    phrases: tuple[str, ...]


@dataclass(frozen=True)
class Undo:
    """How an effect is taken back: the tool, and for each of its parameters a path.

    Paths start with "arguments." or "result." of the call that is undone.
    """

    tool: str
    arguments: Mapping[str, str]


class Body(Protocol):
    """A tool's function: (view, **arguments) → a JSON object; raises ToolError."""

    def __call__(self, view: View, /, **arguments: Any) -> dict[str, Any]:
        """Run the tool."""


@dataclass(frozen=True)
class WorldTool:
    """A declared tool: what it shows to a model, and what it is.

    outputs: the values in its result that later calls can use.
    wishes: at least three sentences by which a user asks for this call, slots and brackets as
        in `Output.phrases`.
    reads, writes: tables of its world; the description says in words what they are.
    undo: how the effect is taken back; None with `writes`: it can't be.
    """

    name: str
    world: str
    description: str
    parameters: Mapping[str, Parameter]
    outputs: tuple[Output, ...]
    wishes: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    undo: Undo | None
    body: Body

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments; unknown names are refused."""
        return {
            "type": "object",
            "properties": {name: dict(p.schema) for name, p in self.parameters.items()},
            "required": [name for name, p in self.parameters.items() if not p.optional],
            "additionalProperties": False,
        }

    @cached_property
    def told(self) -> str:
        """The description, and what the result holds: without it no reference could be planned."""
        paths = [output.path for output in self.outputs if output.path]
        return f"{self.description} Returns {shape_of(paths)}." if paths else self.description

    @cached_property
    def declared(self) -> Tool:
        """The tool as a model sees it."""
        return Tool(self.name, self.told, self.schema)

    @property
    def has_effect(self) -> bool:
        """Whether a call can change the state."""
        return bool(self.writes)

    def counted(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the given arguments that count for a goal."""
        return {
            name: value
            for name, value in arguments.items()
            if name in self.parameters and self.parameters[name].counts
        }

    def to_catalogue(self) -> dict[str, Any]:
        """Return the entry of this tool in an instance's tool list."""
        return {"name": self.name, "description": self.told, "parameters": self.schema}


def shape_of(paths: Iterable[str]) -> str:
    """Return paths into a result as one shape: "{hotels: [{hotel_id, stars}, …], count}"."""
    tree: dict[str, Any] = {}
    for path in paths:
        place = tree
        for step in path.replace("[", ".[").split("."):
            place = place.setdefault("[]" if step.startswith("[") else step, {})
    return _shape(tree)


def _shape(tree: dict[str, Any]) -> str:
    if "[]" in tree:
        return f"[{_shape(tree['[]'])}, …]" if tree["[]"] else "[…]"
    parts = [f"{name}: {_shape(inner)}" if inner else name for name, inner in tree.items()]
    return f"{{{', '.join(parts)}}}"


MakeTables = Callable[[int], Tables]


@dataclass
class World:
    """A domain: tables from a seed, and tools over them.

    tables: builds every table from a seed; the same seed gives the same rows.
    test_only: whether tasks with this world occur in the test split only.
    """

    name: str
    summary: str
    tables: MakeTables
    version: int = 1
    test_only: bool = False
    tools: dict[str, WorldTool] = field(default_factory=dict)

    def tool(
        self,
        description: str,
        *,
        parameters: Mapping[str, Parameter],
        outputs: Sequence[Output] = (),
        wishes: Sequence[str],
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
        undo: Undo | None = None,
    ) -> Callable[[Callable[..., dict[str, Any]]], Callable[..., dict[str, Any]]]:
        """Declare the decorated function as a tool of this world; its name is the tool's."""

        def declare(body: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
            name = body.__name__
            if name in self.tools:
                raise ValueError(f"world {self.name} declares {name} twice")
            self.tools[name] = WorldTool(
                name,
                self.name,
                description,
                dict(parameters),
                tuple(outputs),
                tuple(wishes),
                tuple(reads),
                tuple(writes),
                undo,
                body,
            )
            return body

        return declare


def text(description: str, means: str, **more: Any) -> Parameter:
    """Declare a string parameter; `more`: schema keywords, optional, counts, pool."""
    return _parameter("string", description, means, more)


def integer(description: str, means: str, **more: Any) -> Parameter:
    """Declare an integer parameter; `more` as for `text`."""
    return _parameter("integer", description, means, more)


def number(description: str, means: str, **more: Any) -> Parameter:
    """Declare a number parameter; `more` as for `text`."""
    return _parameter("number", description, means, more)


def boolean(description: str, means: str, **more: Any) -> Parameter:
    """Declare a boolean parameter; `more` as for `text`."""
    return _parameter("boolean", description, means, more)


def date(description: str, means: str = "date", **more: Any) -> Parameter:
    """Declare a day, written YYYY-MM-DD."""
    return _parameter("string", description, means, {"format": "date", **more})


def choice(description: str, means: str, options: Sequence[str], **more: Any) -> Parameter:
    """Declare a string out of a fixed list."""
    return _parameter("string", description, means, {"enum": list(options), **more})


def array(description: str, items: Parameter, **more: Any) -> Parameter:
    """Declare a list of `items`; its semantic type is "list:" and that of an item."""
    shape = {"items": dict(items.schema), **more}
    return replace(_parameter("array", description, f"list:{items.means}", shape), items=items)


def record(description: str, means: str, fields: Mapping[str, Parameter], **more: Any) -> Parameter:
    """Declare an object with these fields; unknown names are refused."""
    shape = {
        "properties": {name: dict(part.schema) for name, part in fields.items()},
        "required": [name for name, part in fields.items() if not part.optional],
        "additionalProperties": False,
    }
    return replace(_parameter("object", description, means, {**shape, **more}), fields=dict(fields))


_OURS = ("optional", "counts", "pool", "says")


def _parameter(kind: str, description: str, means: str, more: dict[str, Any]) -> Parameter:
    ours = {key: more.pop(key) for key in _OURS if key in more}
    return Parameter({"type": kind, "description": description, **more}, means, **ours)


def content_id(prefix: str, *content: Any) -> str:
    """Return an id that derives from the content of a thing, so that undo and redo agree."""
    text_of_it = canonical.dumps(list(content))
    return f"{prefix}-{hashlib.sha256(text_of_it.encode()).hexdigest()[:8]}"


def generator(seed: int, *purpose: str) -> random.Random:
    """Return a random generator of its own for one purpose: stable on every machine."""
    name = f"{seed}/{'/'.join(purpose)}"
    return random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]))


def draw_from(table: str, column: str) -> Pool:
    """Return a pool that draws a column of a random row of a table."""

    def pool(view: View, rng: random.Random) -> Any:
        return rng.choice(view.values(table))[column]

    return pool
