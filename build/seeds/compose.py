"""Composing: the n-th candidate task of a seed, and the stream of tasks that are new.

Every candidate has a generator of its own, named by seed and number, so that the tasks do not
depend on how many processes make them.
"""

import random
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count, islice, repeat
from typing import Final, NamedTuple

from build.gold import Gold
from build.keeping import Kept
from build.seeds.effects import pairs_of
from build.seeds.meeting import Pair, market, neighbours
from build.seeds.novelty import Requests, graph_key, split_of
from build.seeds.sketch import DeadEndError, Size, Sketch, Step, draw_sketch
from build.seeds.task import Draft, gold_of
from build.seeds.values import fill
from build.seeds.wording import word
from environment import worlds
from environment.simulation import Setting, setting
from environment.world import WorldTool, generator

# Weights of the number of calls, 3 to 16, near the published ones (mode 4 to 6).
CALLS: Final = dict(zip(range(3, 17), (9, 21, 23, 17, 11, 7, 5, 4, 3, 2, 2, 1, 1, 1), strict=True))
_LAYERS: Final = {2: 20, 3: 35, 4: 25, 5: 12, 6: 5, 7: 3}
_GOALS: Final = {1: 58, 2: 32, 3: 10}
_DISTRACTORS = (4, 9)
_SECOND_WORLD, _ARITHMETIC = 0.6, 0.15
# How often a call is to show the effect of another one, without any value between them.
_EFFECT = 0.12
_TRIES = 3000
# Tries after which another size is drawn, and other worlds.
_SIZE_TRIES, _WORLD_TRIES = 48, 4
# Candidates that a process makes at a time, and such batches ahead for each process.
_BATCH, _AHEAD = 8, 3


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
    """Return the candidate of this number: the first draw that is proven."""
    rng = generator(seed, "task", str(number))
    frames = _frames(rng, seed, effect=rng.random() < _EFFECT)
    for tries, frame in enumerate(islice(frames, _TRIES), start=1):
        with suppress(DeadEndError):
            return _draw(rng, frame, f"T{seed}-{number:06d}", tries)
    raise RuntimeError(f"no task in {_TRIES} tries: seed {seed}, number {number}")


class _Frame(NamedTuple):
    """What some tries have in common: worlds, size, pairs of which one is to show an effect."""

    setting: Setting
    size: Size
    pairs: list[Pair]


def _frames(rng: random.Random, seed: int, *, effect: bool) -> Iterator[_Frame]:
    """Yield what each try is made in: a size for many of them, worlds for a few."""
    while True:
        size = _size(rng)
        for _ in range(_SIZE_TRIES // _WORLD_TRIES):
            yield from repeat(_frame(rng, seed, size, effect=effect), _WORLD_TRIES)


def _size(rng: random.Random) -> Size:
    calls = rng.choices(list(CALLS), list(CALLS.values()))[0]
    fitting = {layers: weight for layers, weight in _LAYERS.items() if layers <= calls}
    layers = rng.choices(list(fitting), list(fitting.values()))[0]
    goals = min(rng.choices(list(_GOALS), list(_GOALS.values()))[0], 1 + calls - layers)
    return Size(calls, layers, goals)


def _frame(rng: random.Random, seed: int, size: Size, *, effect: bool) -> _Frame:
    """Draw worlds that can give as many layers."""
    while True:
        names = _worlds(rng)
        chains = market(names).chains[size.layers - (2 if effect else 1)]
        pairs = [
            pair
            for name in names
            for pair in (pairs_of(name, seed) if effect else ())
            if pair.writer.name in chains
        ]
        if pairs if effect else chains:
            return _Frame(setting(names, seed), size, pairs)


def _draw(rng: random.Random, frame: _Frame, task: str, tries: int) -> Candidate:
    names = frame.setting.worlds
    pair = rng.choice(frame.pairs) if frame.pairs else None
    sketch = draw_sketch(rng, market(names), frame.size, pair)
    filled = fill(sketch, frame.setting, rng)
    message = word(sketch, filled, rng)
    draft = Draft(sketch, filled, message.text, _listed(sketch, names, rng), frame.setting)
    gold = gold_of(draft, task, "")
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
    layer = {step: depth for depth, steps in enumerate(sketch.ordered()) for step in steps}
    ranks = [layer[step] for step in mentions]
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

    def __init__(self, seed: int, processes: int = 1, kept: Kept | None = None) -> None:
        self.dropped = 0
        self._candidates = _candidates(seed, processes, kept or Kept())
        self._requests = Requests()

    def __iter__(self) -> Generator[Candidate, None, None]:
        for found in self._candidates:
            if self._requests.is_near(found.key, found.gold.query):
                self.dropped += 1
                continue
            self._requests.take(found.key, found.gold.query)
            yield found


def _candidates(seed: int, processes: int, kept: Kept) -> Iterator[Candidate]:
    """Yield candidates without end, in the order of their numbers."""
    if processes <= 1:
        yield from map(partial(candidate, seed), count())
        return
    pool = ProcessPoolExecutor(processes)
    try:
        starts = count(0, _BATCH)

        def batch() -> Callable[[], list[Candidate]]:
            start = next(starts)
            name = f"candidates-{start:06}"
            if kept.has(name):
                return partial(kept.of, name, list)
            made = pool.submit(_batch, seed, start)
            return partial(kept.of, name, made.result)

        ahead = deque(batch() for _ in range(_AHEAD * processes))
        while True:
            yield from ahead.popleft()()
            ahead.append(batch())
    finally:
        pool.shutdown(cancel_futures=True)


def _batch(seed: int, start: int) -> list[Candidate]:
    return [candidate(seed, number) for number in range(start, start + _BATCH)]
