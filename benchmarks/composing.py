"""Time of composing, executing and proving tasks, against bare calls and checks in the same run.

    python benchmarks/composing.py [TASKS] [PROCESSES]

Prints seconds for the tasks (2,000 on 2 processes unless told otherwise), the processor time in
all processes, and its ratio to the calibration: every call of every gold plan once more as a bare
function call, and one bare jsonschema check of its arguments, in one process.
"""

import os
import sys
import time
from contextlib import closing
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
    start, used = time.perf_counter(), _processor_time()
    golds = _composed(count, processes)
    seconds, used = time.perf_counter() - start, _processor_time() - used
    calls = sum(gold.calls_gt for gold in golds)
    calibration = _calibrate(golds)
    print(f"{count} tasks, {calls} calls: {seconds:.1f} s with {processes} processes")
    print(f"processor time {used:.1f} s, {1000 * used / count:.1f} ms a task")
    print(f"calibration, {calls} bare calls and checks: {calibration:.2f} s")
    print(f"ratio of processor times {used / calibration:.1f}")


def _composed(count: int, processes: int) -> list[Gold]:
    """Return tasks once the processes that composed them have ended."""
    with closing(iter(Stream(7, processes))) as stream:
        return [one.gold for one in islice(stream, count)]


def _processor_time() -> float:
    """Return the seconds that this process and those it has waited for have computed."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _calibrate(golds: list[Gold]) -> float:
    for gold in golds:
        base_tables(read_setting(gold.origin))
    start = time.process_time()
    for gold in golds:
        setting = read_setting(gold.origin)
        known = tools(setting.worlds)
        state = State(base_tables(setting))
        for call in (call for calls in gold.calls for call in calls):
            tool = known[call.name]
            jsonschema.Draft202012Validator(tool.schema).validate(call.arguments)
            tool.body(View(state, tool.world), **call.arguments)
    return time.process_time() - start


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    main(*(numbers + [2000, 2][len(numbers) :]))
