"""Time of making proven instances, against bare executions of the gold plans of their tasks.

    python benchmarks/building.py [TASKS]

Composes tasks (64 unless told otherwise; not timed), fills slots of the edition with their
instances in this process, each proven in full, then those of twice as many tasks. Prints
milliseconds an instance, as a multiple of a gold plan's execution too, how the time grows, and
the peak memory. Seconds are those of the processor, so that other load says little.
"""

import resource
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from build.edition import ASKED, SEED, filled
from build.gold import Gold
from build.quotas import Slot, read_quotas, slots
from build.seeds.compose import Stream
from build.stages import stage_of

_REPEATED = 20


def main(count: int) -> None:
    """Compose, fill, calibrate, print."""
    golds = [one.gold for one in islice(Stream(SEED), 2 * count)]
    wanted = slots(read_quotas(), SEED)
    bare = _executed(golds)
    half, made_half = _timed(golds[:count], wanted)
    whole, made = _timed(golds, wanted)
    each = whole / made
    print(f"a gold plan is executed in {1e3 * bare:.2f} ms")
    ratio, more = each / bare, made / made_half
    print(f"{made} instances of {2 * count} tasks: {1e3 * each:.1f} ms each, ratio {ratio:.0f}")
    print(f"twice the tasks: {whole / half:.2f} times the time, {more:.2f} times the instances")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory: {peak:.0f} MB")


def _timed(golds: Sequence[Gold], wanted: Sequence[Slot]) -> tuple[float, int]:
    """Return the seconds that these tasks take, and how many instances they give."""
    start, made = time.process_time(), 0
    for place, gold in enumerate(golds):
        numbers = range(place * ASKED, (place + 1) * ASKED)
        asked = [(number + 1, wanted[number % len(wanted)]) for number in numbers]
        made += len(filled(SEED, frozenset(), gold, asked).instances)
    return time.process_time() - start, made


def _executed(golds: Sequence[Gold]) -> float:
    """Return the mean seconds of executing a gold plan from its start."""
    stages = [stage_of(gold) for gold in golds]
    start = time.process_time()
    for _ in range(_REPEATED):
        for stage in stages:
            stage.run(stage.gold.plan)
    return (time.process_time() - start) / _REPEATED / len(golds)


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["64"])[0]))
