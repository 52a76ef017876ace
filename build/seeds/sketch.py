"""A sketch: which calls a task has and what flows between them, values still open.

Drawn backwards, from what is asked for to what is needed: goal calls first, then producers for
values that are to come from results, until the sketch has the wanted number of calls. Sequences,
fan-out and fan-in, diamonds and chains that meet come out of the same three moves: a new
producer, a producer for each item of a list, an output of a call that is there already.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from build.seeds.meeting import Producer, can_grow, goal_tools, producers
from environment.literals import can_draw
from environment.world import Output, Parameter, WorldTool

_MOST_ITEMS = 4
_REUSE = 0.2
_OPTIONAL = 0.3


class DeadEndError(Exception):
    """A sketch or its values cannot be completed; another one is drawn."""


@dataclass
class Source:
    """Where an argument comes from: an output of a step, the items of a list, or the user.

    All three empty: a literal, still to be drawn.
    """

    step: "Step | None" = None
    output: Output | None = None
    items: "list[Source]" = field(default_factory=list)


@dataclass
class Step:
    """One call of a task."""

    tool: WorldTool
    sources: dict[str, Source] = field(default_factory=dict)

    def feeders(self) -> Iterator["Step"]:
        """Yield the steps whose outputs this one takes, once for each use."""
        for source in self.sources.values():
            yield from _steps(source)


def _steps(source: Source) -> Iterator[Step]:
    if source.step is not None:
        yield source.step
    for item in source.items:
        yield from _steps(item)


@dataclass
class Sketch:
    """The steps of a task; `goals` are those whose results the user asks for."""

    steps: list[Step]
    goals: list[Step]

    def behind(self, step: Step) -> list[Step]:
        """Return the step and all that it needs."""
        found, stack = [step], [step]
        while stack:
            for feeder in stack.pop().feeders():
                if not any(feeder is known for known in found):
                    found.append(feeder)
                    stack.append(feeder)
        return found

    def ordered(self) -> list[list[Step]]:
        """Return the steps layer by layer, each after all that it needs."""
        depth: dict[int, int] = {}

        def depth_of(step: Step) -> int:
            if id(step) not in depth:
                depth[id(step)] = 1 + max((depth_of(f) for f in step.feeders()), default=-1)
            return depth[id(step)]

        layers: list[list[Step]] = [[] for _ in range(1 + max(map(depth_of, self.steps)))]
        for step in self.steps:
            layers[depth[id(step)]].append(step)
        return layers


@dataclass
class _Open:
    """A parameter of a step whose value is not decided yet.

    depth: how far from the goal. item: the step is one of several behind a list; its own values
    are literal where they can be, since a list of nested wishes is unreadable.
    """

    step: Step
    name: str
    depth: int = 0
    item: bool = False

    @property
    def parameter(self) -> Parameter:
        return self.step.tool.parameters[self.name]


@dataclass(frozen=True)
class Size:
    """How large a sketch is to be: calls (or up to two more), layers, goals."""

    calls: int
    layers: int
    goals: int


def draw_sketch(rng: random.Random, names: tuple[str, ...], size: Size) -> Sketch:
    """Draw a sketch of a size over the tools of these worlds.

    Raises DeadEndError where the drawn tools cannot be completed, or not in that size.
    """
    drawing = _Drawing(rng, names, size)
    for _ in range(size.goals):
        drawing.add_goal()
    drawing.grow()
    return drawing.sketch


class _Drawing:
    def __init__(self, rng: random.Random, names: tuple[str, ...], size: Size) -> None:
        self.rng = rng
        self.names = names
        self.size = size
        self.sketch = Sketch([], [])
        self.open: list[_Open] = []

    def add_goal(self) -> None:
        """Add a call that the user asks for."""
        step = self._add(self.rng.choices(*goal_tools(self.names))[0])
        self.sketch.goals.append(step)

    def _add(self, tool: WorldTool, depth: int = 0, *, item: bool = False) -> Step:
        step = Step(tool)
        self.sketch.steps.append(step)
        for name, parameter in tool.parameters.items():
            if not parameter.optional:
                self.open.append(_Open(step, name, depth, item))
            elif can_draw(parameter) and self.rng.random() < _OPTIONAL:
                step.sources[name] = Source()
        return step

    def grow(self) -> None:
        """Decide every open parameter."""
        while self.open:
            place = self._next()
            wanting = len(self.sketch.steps) < self.size.calls and self._may_grow(place)
            if wanting or not can_draw(place.parameter):
                self._refer(place)
            else:
                place.step.sources[place.name] = Source()
        if len(self.sketch.steps) < self.size.calls:
            raise DeadEndError
        if len(self.sketch.ordered()) != self.size.layers:
            raise DeadEndError

    def _may_grow(self, place: _Open) -> bool:
        deepest = self.size.layers - 1
        return not place.item and place.depth < deepest and can_grow(place.parameter, self.names)

    def _next(self) -> _Open:
        """Take an open place: what can't be literal first, then what can grow, deep before wide."""
        must = [i for i, place in enumerate(self.open) if not can_draw(place.parameter)]
        may = [i for i, place in enumerate(self.open) if self._may_grow(place)]
        if must or not may:
            return self.open.pop(self.rng.choice(must or range(len(self.open))))
        weights = [3.0 ** self.open[i].depth for i in may]
        return self.open.pop(self.rng.choices(may, weights)[0])

    def _refer(self, place: _Open) -> None:
        """Let a value come from results."""
        if place.depth >= self.size.layers - 1 or len(self.sketch.steps) >= self.size.calls + 2:
            raise DeadEndError
        parameter = place.parameter
        whole = producers(parameter.means, self.names)
        item = parameter.items
        if item is not None and (not whole or self.rng.random() < 0.8):
            by_item = producers(item.means, self.names)
            if by_item:
                place.step.sources[place.name] = self._items(place, by_item)
                return
        if not whole:
            raise DeadEndError
        place.step.sources[place.name] = self._produced(place, whole)

    def _produced(self, place: _Open, fitting: tuple[Producer, ...]) -> Source:
        there = self._reusable(place, fitting)
        if there and self.rng.random() < _REUSE:
            return self.rng.choice(there)
        producer = self._choose(fitting, place)
        return Source(self._add(producer.tool, place.depth + 1), producer.output)

    def _choose(self, fitting: tuple[Producer, ...], place: _Open) -> Producer:
        """Choose a producer; never the tool itself, and an effect only for what it creates."""
        others = [one for one in fitting if _may_feed(one, place.step.tool)]
        if not others:
            raise DeadEndError
        tools = sorted({one.tool.name for one in others})
        name = self.rng.choice(tools)
        return self.rng.choice([one for one in others if one.tool.name == name])

    def _reusable(self, place: _Open, fitting: tuple[Producer, ...]) -> list[Source]:
        """Outputs of steps that are there already and don't need the place's step."""
        return [
            Source(step, one.output)
            for step in self.sketch.steps
            if not any(known is place.step for known in self.sketch.behind(step))
            for one in fitting
            if one.tool is step.tool
        ]

    def _items(self, place: _Open, fitting: tuple[Producer, ...]) -> Source:
        """Fan-out: the same tool once for each item of a list."""
        schema = place.parameter.schema
        least = max(2, schema.get("minItems", 2))
        most = max(least, min(schema.get("maxItems", _MOST_ITEMS), _MOST_ITEMS))
        producer = self._choose(fitting, place)
        count = self.rng.randint(least, most)
        depth = place.depth + 1
        return Source(
            items=[
                Source(self._add(producer.tool, depth, item=True), producer.output)
                for _ in range(count)
            ]
        )


def _may_feed(producer: Producer, taker: WorldTool) -> bool:
    """Say whether a person would want this: nobody does a thing only to take it back."""
    giver = producer.tool
    if giver is taker:
        return False
    if not giver.has_effect:
        return True
    return producer.output.means.endswith("_id") and (
        giver.undo is None or giver.undo.tool != taker.name
    )
