"""A sketch: which calls a task has and what flows between them, values still open.

Drawn backwards, from what is asked for to what is needed: a goal call and a chain below it that
is as deep as the task is to be, then producers for further values until the sketch has the
wanted number of calls, then further goals. Sequences, fan-out and fan-in, diamonds and chains
that meet come out of the same three moves: a new producer, a producer for each item of a list,
an output of a call that is there already. Where an effect is to be seen, the first goal is a
call that reads what another one has written.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from build.seeds.meeting import Market, Pair, Producer, Slot, required
from environment.literals import can_draw
from environment.meanings import fits
from environment.world import Output, WorldTool

_MOST_ITEMS = 4
_MOST_GOALS = 3
_LEAST_CALLS, _MOST_CALLS = 3, 16
_REUSE = 0.2
_OPTIONAL = 0.3
_BY_ITEM = 0.8
# Attempts at one sketch: a chain may end where no new tool leads on.
_ATTEMPTS = 10


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


@dataclass(eq=False)
class Step:
    """One call of a task.

    after: the steps whose effect its result has to show, though it takes no value from them.
    """

    tool: WorldTool
    sources: dict[str, Source] = field(default_factory=dict)
    after: "list[Step]" = field(default_factory=list)

    def feeders(self) -> Iterator["Step"]:
        """Yield the steps whose outputs this one takes, once for each use."""
        for source in self.sources.values():
            yield from _steps(source)

    def awaited(self) -> Iterator["Step"]:
        """Yield the steps that have to run before this one, once for each reason."""
        yield from self.feeders()
        yield from self.after


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

    def ordered(self) -> list[list[Step]]:
        """Return the steps layer by layer, each after all that it waits for."""
        depth: dict[Step, int] = {}

        def depth_of(step: Step) -> int:
            if step not in depth:
                depth[step] = 1 + max(map(depth_of, step.awaited()), default=-1)
            return depth[step]

        layers: list[list[Step]] = [[] for _ in range(1 + max(map(depth_of, self.steps)))]
        for step in self.steps:
            layers[depth[step]].append(step)
        return layers

    def above(self) -> dict[Step, set[Step]]:
        """Return for each step, in an order in which they can run, all that has to run before."""
        above: dict[Step, set[Step]] = {}
        for layer in self.ordered():
            for step in layer:
                waited = list(step.awaited())
                above[step] = set(waited).union(*(above[one] for one in waited))
        return above


@dataclass(frozen=True)
class Size:
    """How large a sketch is to be.

    calls: as many, or up to two more; fewer where the worlds have no more to give. layers.
    goals: as many or more.
    """

    calls: int
    layers: int
    goals: int


def draw_sketch(rng: random.Random, market: Market, size: Size, pair: Pair | None = None) -> Sketch:
    """Draw a sketch of a size over the tools of a market.

    pair: a tool that writes, and one whose result is to show the effect; the user asks for both.
    Raises DeadEndError where no sketch of that size was found in some attempts.
    """
    for _ in range(_ATTEMPTS):
        with suppress(DeadEndError):
            return _Drawing(rng, market, size).sketch(pair)
    raise DeadEndError


@dataclass
class _Open:
    """A required value that is not decided yet.

    depth: of its step. item: the step is one of several behind a list; its own values are
    literal where they can be, since a list of nested wishes is unreadable.
    """

    step: Step
    slot: Slot
    depth: int
    item: bool


class _Drawing:
    """A sketch on its way; `depth`: the most steps that lie between a step and an end."""

    def __init__(self, rng: random.Random, market: Market, size: Size) -> None:
        self.rng = rng
        self.market = market
        self.size = size
        self.deepest = size.layers - 1
        self.depth: dict[Step, int] = {}
        self.goals: list[Step] = []
        self.open: list[_Open] = []

    def sketch(self, pair: Pair | None) -> Sketch:
        """Draw it."""
        self._chain(self._pair(*pair) if pair else self._first())
        while len(self.goals) < self.size.goals:
            self._further()
        self._grow()
        while len(self.depth) < self.size.calls and len(self.goals) < _MOST_GOALS:
            self._further()
            self._grow()
        if not min(_LEAST_CALLS, self.size.calls) <= len(self.depth) <= _MOST_CALLS:
            raise DeadEndError
        for goal in self.goals:
            for writer in goal.after:
                _share(writer, goal)
        return Sketch(list(self.depth), self.goals)

    # --- goals ---------------------------------------------------------------------------------

    def _first(self) -> Step:
        """Add the goal from which the deepest chain hangs; returns where the chain begins."""
        fitting = self.market.chains[self.deepest]
        chances = [
            (tool, weight)
            for tool, weight in zip(self.market.tools, self.market.weights, strict=True)
            if tool.name in fitting
        ]
        if not chances:
            raise DeadEndError
        tools, weights = zip(*chances, strict=True)
        return self._goal(self.rng.choices(tools, weights)[0], 0)

    def _pair(self, writer: WorldTool, reader: WorldTool) -> Step:
        """Add a call that is to show the effect of another one; returns the other one."""
        before = self._goal(writer, 1)
        after = Step(reader, {name: Source() for name in required(reader)}, [before])
        self.depth[after] = 0
        self.goals.append(after)
        return before

    def _further(self) -> None:
        """Add a goal, at times one from whose result others may hang."""
        depth = self.rng.randrange(self.deepest)
        tool = self.rng.choices(self.market.tools, self.market.weights)[0]
        self._goal(tool, depth if self.market.low[tool.name] + depth <= self.deepest else 0)

    def _goal(self, tool: WorldTool, depth: int) -> Step:
        step = self._add(tool, depth)
        self.goals.append(step)
        return step

    # --- values --------------------------------------------------------------------------------

    def _add(self, tool: WorldTool, depth: int, *, item: bool = False) -> Step:
        if depth + self.market.low[tool.name] > self.deepest:
            raise DeadEndError
        step = Step(tool)
        self.depth[step] = depth
        for slot in self.market.slots[tool.name]:
            self.open.append(_Open(step, slot, depth, item))
        for name, parameter in tool.parameters.items():
            if parameter.optional and self.rng.random() < _OPTIONAL and can_draw(parameter):
                step.sources[name] = Source()
        return step

    def _chain(self, step: Step) -> None:
        """Hang a chain of producers below a step, down to the deepest layer.

        No tool comes twice in it: what goes round in circles is no wish.
        """
        passed = {step.tool.name}
        for depth in range(self.depth[step], self.deepest):
            links = {
                place: found
                for place, one in enumerate(self.open)
                if one.step is step and (found := self._links(one.slot, depth, passed))
            }
            if not links:
                raise DeadEndError
            place = self.rng.choice(list(links))
            one, producer = self.open.pop(place), self._choose(links[place])
            passed.add(producer.tool.name)
            if any(producer is known for known in one.slot.whole):
                below_it = self._add(producer.tool, depth + 1)
                step.sources[one.slot.name] = Source(below_it, producer.output)
                step = below_it
            else:
                step.sources[one.slot.name] = self._items(one, producer)

    def _links(self, slot: Slot, depth: int, passed: set[str]) -> list[Producer]:
        found = self.market.links(slot, self.deepest - depth)
        return [one for one in found if one.tool.name not in passed]

    def _grow(self) -> None:
        """Decide every open value."""
        while self.open:
            one = self._next()
            wanting = len(self.depth) < self.size.calls and self._may_grow(one)
            if wanting or not one.slot.literal:
                one.step.sources[one.slot.name] = self._refer(one)
            else:
                one.step.sources[one.slot.name] = Source()

    def _may_grow(self, one: _Open) -> bool:
        slot = one.slot
        return slot.grows and not one.item and one.depth + slot.low <= self.deepest

    def _next(self) -> _Open:
        """Take an open value: what can't be literal first, then what can grow, deep before wide."""
        must = [place for place, one in enumerate(self.open) if not one.slot.literal]
        if must:
            return self.open.pop(self.rng.choice(must))
        may = [place for place, one in enumerate(self.open) if self._may_grow(one)]
        if not may:
            return self.open.pop()
        weights = [3.0 ** self.open[place].depth for place in may]
        return self.open.pop(self.rng.choices(may, weights)[0])

    def _refer(self, one: _Open) -> Source:
        """Let a value come from results."""
        if len(self.depth) >= self.size.calls + 2:
            raise DeadEndError
        whole = self._fitting(one.slot.whole, one.depth)
        by_item = self._fitting(one.slot.by_item, one.depth)
        if by_item and (not whole or self.rng.random() < _BY_ITEM):
            return self._items(one, self._choose(by_item))
        there = self._there(one, whole)
        if there and self.rng.random() < _REUSE:
            return self.rng.choice(there)
        producer = self._choose(whole)
        return Source(self._add(producer.tool, one.depth + 1), producer.output)

    def _fitting(self, producers: tuple[Producer, ...], depth: int) -> list[Producer]:
        """Return the producers whose calls can be completed above the deepest layer."""
        low = self.market.low
        return [one for one in producers if depth + 1 + low[one.tool.name] <= self.deepest]

    def _choose(self, producers: list[Producer]) -> Producer:
        """Choose a tool, then one of its outputs."""
        if not producers:
            raise DeadEndError
        name = self.rng.choice(sorted({one.tool.name for one in producers}))
        return self.rng.choice([one for one in producers if one.tool.name == name])

    def _there(self, one: _Open, producers: list[Producer]) -> list[Source]:
        """Return the fitting outputs of steps that lie deeper; their effects stay unseen."""
        seen = {writer for goal in self.goals for writer in goal.after}
        return [
            Source(step, producer.output)
            for step, depth in self.depth.items()
            if depth > one.depth and step not in seen
            for producer in producers
            if producer.tool is step.tool
        ]

    def _items(self, one: _Open, producer: Producer) -> Source:
        """Fan-out: the same tool once for each item of a list."""
        schema = one.slot.parameter.schema
        least = max(2, schema.get("minItems", 2))
        most = max(least, min(schema.get("maxItems", _MOST_ITEMS), _MOST_ITEMS))
        return Source(
            items=[
                Source(self._add(producer.tool, one.depth + 1, item=True), producer.output)
                for _ in range(self.rng.randint(least, most))
            ]
        )


def _share(writer: Step, reader: Step) -> None:
    """Let a reader speak of what its writer was given by results: the same value, said once more.

    What the writer was told by the user the reader is told as well, once there are values.
    """
    for name in reader.sources:
        wanted = reader.tool.parameters[name].means
        for given, source in writer.sources.items():
            if fits(writer.tool.parameters[given].means, wanted) and any(_steps(source)):
                reader.sources[name] = source
