"""The labeller held against instances: it is shown the trajectory, but not what went wrong in it.

Of an instance only the task, the plan and what has run are kept. The ids of the gold plan are
drawn anew, so that they tell nothing of the plan's.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from diagnosis.examination import Examination
from diagnosis.labeller import labelled, renamed
from diagnosis.trial import Branching
from environment import opening, worlds
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.faults import Fault, read_faults
from environment.replay import RECORDED, replay_of
from environment.retracing import retraced
from environment.simulation import Simulation, read_setting
from environment.world import WorldTool, generator
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Plan, read_plan
from trajectory.tools import Catalogue, read_tools

_SEED: Final = 0

# Type and root cause of an error.
Error = tuple[str, str]


class Comparison(NamedTuple):
    """What an instance tells, and what the labeller finds: how often each type at each node."""

    id: str
    told: Counter[Error]
    found: Counter[Error]


class Row(NamedTuple):
    """How one type is found.

    told, found, both: how often an instance tells of it, the labeller finds it, both do. right:
    how often both do at the same root cause. Shares are None where there is nothing to share.
    """

    type: str
    told: int
    found: int
    both: int
    right: int

    @property
    def precision(self) -> float | None:
        """The share of what was found that is told."""
        return share(self.both, self.found)

    @property
    def recall(self) -> float | None:
        """The share of what is told that was found."""
        return share(self.both, self.told)

    @property
    def root_cause(self) -> float | None:
        """The share of what was found and is told that has the right root cause."""
        return share(self.right, self.both)


def share(part: int, whole: int) -> float | None:
    """Return a share; None of nothing."""
    return part / whole if whole else None


def is_labelled(instance: Instance) -> bool:
    """Say whether the labels of an instance come from what was put into it, and it can be run."""
    known = isinstance(instance.environment, dict) and instance.gold_plan is not None
    runs = known and not {"worlds", RECORDED}.isdisjoint(instance.environment)
    return runs and instance.source == "augmented"


def compared(instance: Instance) -> Comparison:
    """Label the trajectory of an instance, and put the labels beside its own."""
    seen = labelled(unlabelled(instance))
    told = Counter((one["type"], one["root_cause"]) for one in instance.errors)
    found = Counter((label.type.value, label.root_cause) for label in seen.labels)
    return Comparison(instance.id, told, found)


def unlabelled(instance: Instance) -> Examination:
    """Return the examination of an instance without anything that its labels were put into."""
    catalogue, faults = read_tools(instance.tools), read_faults(instance.faults)
    tools, environment = _environment(instance, catalogue)
    run = partial(_run, environment)
    gold, start = _with_new_ids(instance), opening.start(instance)
    return Examination(
        query=instance.query,
        catalogue=catalogue,
        tools=tools,
        gold=gold,
        gold_run=run(gold, ()),
        goal=instance.goal,
        purposes={},
        start=start,
        environment=retraced(environment(faults), start.ledger),
        faults=faults,
        run=run,
    )


_Make = Callable[[tuple[Fault, ...]], Branching]


def _environment(instance: Instance, catalogue: Catalogue) -> tuple[Mapping[str, WorldTool], _Make]:
    """Return what the listed tools are, and what makes their environment as it begins."""
    if RECORDED in instance.environment:
        return {}, partial(replay_of, instance.environment, catalogue)
    setting = read_setting(instance.environment)
    known = worlds.tools(setting.worlds)
    tools = {tool.name: known[tool.name] for tool in catalogue}
    return tools, partial(Simulation, setting, catalogue)


def _run(environment: _Make, plan: Plan, faults: tuple[Fault, ...]) -> Execution:
    return execute(start_of(Snapshot(plan, (), ())), carry_on, environment(faults))


def _with_new_ids(instance: Instance) -> Plan:
    """Return the gold plan with ids drawn anew, many of them those of other calls of the plan."""
    gold = read_plan(instance.gold_plan)
    calls = [node.id for node in gold if node.is_call]
    numbers = range(1, len(calls) + len(instance.plan["tasks"]))
    drawn = generator(_SEED, "gold ids", instance.id).sample(numbers, len(calls))
    names = dict(zip(calls, map(str, drawn), strict=True))
    return renamed(gold, {ROOT: ROOT, RESPONSE: RESPONSE, **names})


def table(comparisons: Iterable[Comparison]) -> list[Row]:
    """Return how each type is found, sorted by type."""
    told, found, both, right = (Counter[str]() for _ in range(4))
    for one in comparisons:
        types = [_types(one.told), _types(one.found)]
        told, found = told + types[0], found + types[1]
        both += types[0] & types[1]
        right += _types(one.told & one.found)
    names = sorted({*told, *found})
    return [Row(name, told[name], found[name], both[name], right[name]) for name in names]


def _types(errors: Mapping[Error, int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (kind, _), count in errors.items():
        counts[kind] += count
    return counts


def mean(values: Iterable[Any]) -> float | None:
    """Return the mean of the values that there are; None where there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
