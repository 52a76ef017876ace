"""Time of executions, against the bare function calls that they make.

    python benchmarks/executing.py [TASKS]

Executes gold plans from scratch in forks of one simulation each (60 tasks unless told
otherwise), then one changed plan after another from the snapshot after their first round, as
the search for repairs does. Prints executions per second, and the time of an execution as a
multiple of the time of a gold plan's calls as bare functions. Seconds are those of the
processor, the least of three turns, so that other load on the machine says little.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from build.gold import Gold
from build.seeds.compose import Stream
from environment.executor import Snapshot, Start, carry_on, execute, start_of
from environment.goal import reached
from environment.simulation import Simulation, base_tables, read_setting
from environment.state import State, View
from environment.worlds import tools
from trajectory.plan import Plan
from trajectory.tools import read_tools

_TURNS = 3
_REPEATED = 5


@dataclass
class Task:
    """A task, and where its executions begin: from scratch, and behind its first round."""

    gold: Gold
    scratch: Start
    fresh: Simulation
    behind: Start
    later: Simulation


def main(count: int) -> None:
    """Compose, execute, calibrate, print."""
    tasks = [_task(one.gold) for one in islice(Stream(7), count)]
    changed = [(task, plan) for task in tasks for plan in _changes(task.behind.snapshot.plan)]
    bare = _least([partial(_bare, task.gold) for task in tasks])
    scratch = _least([partial(_execute, task) for task in tasks])
    trial = _least([partial(_try, task, plan) for task, plan in changed])
    calls = sum(task.gold.calls_gt for task in tasks) / len(tasks)
    print(f"{count} gold plans of {calls:.1f} calls: {1e3 * bare:.3f} ms as bare functions")
    print(f"from scratch: {1 / scratch:.0f} executions a second, ratio {scratch / bare:.2f}")
    print(f"from a snapshot: {1 / trial:.0f} trials a second, ratio {trial / bare:.2f}")


def _task(gold: Gold) -> Task:
    simulation = Simulation(read_setting(gold.origin), read_tools(gold.tools))
    seen: list[tuple[Snapshot, Simulation]] = []
    scratch, running = start_of(Snapshot(gold.plan, (), ())), simulation.fork()

    def note(snapshot: Snapshot) -> None:
        seen.append((snapshot, running.fork()))

    execute(scratch, note, running)
    snapshot, later = seen[1]
    return Task(gold, scratch, simulation, start_of(snapshot), later)


def _changes(plan: Plan) -> Iterator[Plan]:
    """Yield the plan with each call that has not run shown another argument, or free of deps."""
    for node in plan:
        if node.is_call and isinstance(node.para, dict):
            yield plan.change({node.id: node.change(dep=())})
            for name in node.para:
                yield plan.change({node.id: node.change(para={**node.para, name: "another"})})


def _execute(task: Task) -> None:
    execute(task.scratch, carry_on, task.fresh.fork())


def _try(task: Task, plan: Plan) -> None:
    answers = iter((plan,))
    simulation = task.later.fork()
    run = execute(task.behind, lambda _: next(answers, None), simulation)
    if run.completed and task.gold.goal is not None:
        reached(task.gold.goal, run.plan, run.ledger, simulation.digest())


def _bare(gold: Gold) -> None:
    setting = read_setting(gold.origin)
    known, state = tools(setting.worlds), State(base_tables(setting))
    for call in (call for calls in gold.calls for call in calls):
        tool = known[call.name]
        tool.body(View(state, tool.world), **call.arguments)


def _least(works: Sequence[Callable[[], None]]) -> float:
    """Return the mean seconds of a work in the fastest of the turns."""
    turns = []
    for _ in range(_TURNS):
        start = time.process_time()
        for _ in range(_REPEATED):
            for work in works:
                work()
        turns.append(time.process_time() - start)
    return min(turns) / _REPEATED / len(works)


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["60"])[0]))
