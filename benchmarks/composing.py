"""Time of composing, executing and proving tasks, against bare calls and checks in the same run.

    python benchmarks/composing.py [TASKS] [PROCESSES]

Prints seconds for the tasks (2,000 on 2 processes unless told otherwise), and the ratio to the
calibration: every call of every gold plan once more as a bare function call, and one bare
jsonschema check of its arguments, in one process.
"""

import sys
import time
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import jsonschema

from build.gold import Gold
from build.seeds.compose import Stream
from environment.simulation import base_tables, read_setting
from environment.state import State, View
from environment.worlds import tools


def main(count: int, processes: int) -> None:
    """Compose, calibrate, print."""
    start = time.perf_counter()
    golds = [one.gold for one in islice(Stream(7, processes), count)]
    composing = time.perf_counter() - start
    calls = sum(gold.calls_gt for gold in golds)
    calibration = _calibrate(golds)
    print(f"{count} tasks, {calls} calls: {composing:.1f} s with {processes} processes")
    print(f"calibration, {calls} bare calls and checks: {calibration:.2f} s")
    print(f"ratio {composing / calibration:.1f}")


def _calibrate(golds: list[Gold]) -> float:
    for gold in golds:
        base_tables(read_setting(gold.origin))
    start = time.perf_counter()
    for gold in golds:
        setting = read_setting(gold.origin)
        known = tools(setting.worlds)
        state = State(base_tables(setting))
        for call in (call for calls in gold.calls for call in calls):
            tool = known[call.name]
            jsonschema.Draft202012Validator(tool.schema).validate(call.arguments)
            tool.body(View(state, tool.world), **call.arguments)
    return time.perf_counter() - start


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*(numbers + [2000, 2][len(numbers) :]))
