"""Instances written by hand, over the tools of the simulated worlds.

They stand in for the edition until it is built: thirty tasks, each once on level 1 and once on
level 2. `writing` has the words, the modules beside it the tasks, `making` the way from there to
a proven instance.
"""

from collections import Counter
from collections.abc import Iterator

from build.handwritten import home, journeys, leisure, money, office
from build.handwritten.making import EDITION, make_instance
from build.handwritten.writing import Task
from trajectory.instance import Instance

__all__ = ["EDITION", "TASKS", "instances"]

TASKS: tuple[Task, ...] = (
    *journeys.TASKS,
    *home.TASKS,
    *money.TASKS,
    *office.TASKS,
    *leisure.TASKS,
)


def instances() -> Iterator[Instance]:
    """Make and prove the instances; raises InputError on the first that can't be proven."""
    made: Counter[int] = Counter()
    for task in TASKS:
        for problem in task.problems:
            made[problem.level] += 1
            id = f"L{problem.level}-hand-{made[problem.level]:06}"
            yield make_instance(id, task, problem)
