"""Composing: the n-th candidate task of a seed, and the stream of tasks that are new.

Every candidate has a generator of its own, named by seed and number, so that the tasks do not
depend on how many processes make them.
"""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from build.gold import Gold
from build.seeds.meeting import neighbours
from build.seeds.novelty import Requests, graph_key, split_of
from build.seeds.sketch import DeadEndError, Size, Sketch, Step, draw_sketch
from build.seeds.task import Draft, gold_of
from build.seeds.values import fill
from build.seeds.wording import word
from environment import worlds
from environment.simulation import setting
from environment.world import WorldTool, generator

# Weights of the number of calls, 3 to 16, near the published ones (mode 4 to 6).
_CALLS: Final = dict(zip(range(3, 17), (7, 17, 21, 20, 13, 9, 6, 4, 3, 2, 2, 1, 1, 1), strict=True))
_LAYERS: Final = {2: 20, 3: 35, 4: 25, 5: 12, 6: 5, 7: 3}
_GOALS: Final = {1: 58, 2: 32, 3: 10}
_DISTRACTORS = (4, 9)
_SECOND_WORLD, _ARITHMETIC = 0.6, 0.15
_TRIES = 3000
# Tries after which another size is drawn.
_PATIENCE = 150
_BATCH = 16


@dataclass(frozen=True)
class Candidate:
    """A proven task, its labelled graph, how its calls are mentioned, and how many tries it took.

    tau: Kendall's tau between the order of first mention and the order of the plan, over pairs
    of calls in different layers; None where there is no such pair.
    """

    gold: Gold
    key: str
    tau: float | None
    tries: int


def candidate(seed: int, number: int) -> Candidate:
    """Return the candidate of this number: the first draw of its size that is proven."""
    rng = generator(seed, "task", str(number))
    size = _size(rng)
    for tries in range(1, _TRIES + 1):
        if tries % _PATIENCE == 0:
            size = _size(rng)
        try:
            return _draw(rng, seed, number, size, tries)
        except DeadEndError:
            continue
    raise RuntimeError(f"no task in {_TRIES} tries: seed {seed}, number {number}")


def _size(rng: random.Random) -> tuple[int, int]:
    """Draw the numbers of calls and of layers."""
    calls = rng.choices(list(_CALLS), list(_CALLS.values()))[0]
    fitting = {layers: weight for layers, weight in _LAYERS.items() if layers <= calls}
    return calls, rng.choices(list(fitting), list(fitting.values()))[0]


def _draw(
    rng: random.Random, seed: int, number: int, size: tuple[int, int], tries: int
) -> Candidate:
    names = _worlds(rng)
    calls, layers = size
    goals = min(rng.choices(list(_GOALS), list(_GOALS.values()))[0], 1 + calls - layers)
    sketch = draw_sketch(rng, names, Size(calls, layers, goals))
    place = setting(names, seed)
    filled = fill(sketch, place, rng)
    message = word(sketch, filled, rng)
    draft = Draft(sketch, filled, message.text, _listed(sketch, names, rng), place)
    gold = gold_of(draft, f"T{seed}-{number:06d}", "")
    key = graph_key(gold.plan)
    tau = _tau(sketch, message.mentions)
    return Candidate(gold.with_split(split_of(key, names)), key, tau, tries)


def _worlds(rng: random.Random) -> tuple[str, ...]:
    """Draw a world, often one that it meets, at times arithmetic."""
    names = {rng.choice(worlds.world_names())}
    near = [name for name in neighbours(min(names)) if name != "arithmetic"]
    if near and rng.random() < _SECOND_WORLD:
        names.add(rng.choice(near))
    if rng.random() < _ARITHMETIC:
        names.add("arithmetic")
    return tuple(sorted(names))


def _listed(sketch: Sketch, names: tuple[str, ...], rng: random.Random) -> tuple[WorldTool, ...]:
    """Return the needed tools and distractors of the same worlds, in no telling order.

    Beside each tool with an effect, needed or not, stands the one that takes it back.
    """
    known = worlds.tools(names)
    listed = {step.tool.name for step in sketch.steps}
    others = sorted(known.keys() - listed)
    listed.update(rng.sample(others, min(len(others), rng.randint(*_DISTRACTORS))))
    undos = [known[name].undo for name in sorted(listed)]
    listed.update(undo.tool for undo in undos if undo is not None)
    order = sorted(listed)
    rng.shuffle(order)
    return tuple(known[name] for name in order)


def _tau(sketch: Sketch, mentions: Sequence[Step]) -> float | None:
    """Compare the order of mention with the layers of the plan."""
    layer = {id(step): depth for depth, steps in enumerate(sketch.ordered()) for step in steps}
    ranks = [layer[id(step)] for step in mentions]
    signs = [
        (later > earlier) - (later < earlier)
        for index, earlier in enumerate(ranks)
        for later in ranks[index + 1 :]
    ]
    decided = [sign for sign in signs if sign]
    return sum(decided) / len(decided) if decided else None


class Stream:
    """New tasks without end: candidates in the order of their numbers, near-duplicates left out.

    dropped: how many near-duplicates were left out so far.
    """

    def __init__(self, seed: int, processes: int = 1) -> None:
        self.dropped = 0
        self._candidates = _candidates(seed, processes)
        self._requests = Requests()

    def __iter__(self) -> Iterator[Candidate]:
        for found in self._candidates:
            if self._requests.is_near(found.key, found.gold.query):
                self.dropped += 1
                continue
            self._requests.take(found.key, found.gold.query)
            yield found


def _candidates(seed: int, processes: int) -> Iterator[Candidate]:
    """Yield candidates without end, in the order of their numbers."""
    if processes <= 1:
        number = 0
        while True:
            yield candidate(seed, number)
            number += 1
    with ProcessPoolExecutor(processes) as pool:
        start = 0
        while True:
            numbers = range(start, start + _BATCH * processes * 4)
            yield from pool.map(partial(candidate, seed), numbers, chunksize=_BATCH)
            start = numbers.stop
