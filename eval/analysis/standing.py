"""Figure 3: which errors are in the data, and which stand in the plans that agents give.

An agent's updated plan is labelled as any trajectory is (`diagnosis.labeller`), from what had run
at the snapshot: what each call is for is found out, and held against the gold plan.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from diagnosis.examination import Examination
from diagnosis.labeller import labelled
from environment import opening, worlds
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.faults import Fault, read_faults
from environment.retracing import retraced
from environment.simulation import Simulation, read_setting
from eval.analysis.pictures import draw_stacks
from eval.analysis.sheets import Cell, Part, Sheet
from eval.analysis.studied import Studied
from eval.analysis.writer import Drawing
from eval.results import Row
from models.reading import read_answer
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan
from trajectory.tools import read_tools

KINDS: Final = tuple(kind.value for kind in ErrorType)
_NOTE: Final = (
    "Errors by type, in percent of all errors of a line. In the data: those of the instances. In "
    "the plans: those that stand in the first updated plans of an agent, found by the labeller "
    "without knowing what was wrong before (first answers of up to {most} instances of a run, "
    "drawn by a hash of their ids; plans that cannot be read, and instances whose tools cannot be "
    "run, are left out). A plan that makes a failed call again more than once has calls too many "
    "by our borders, so the line of oracle says what to read the others against. Category: our "
    "reading."
)
_MADE_NOTE: Final = (
    "Of the plans above: without any error; with an error of a type that the instance had; with "
    "one of a type that it did not have. Percent of the plans."
)


# The types of the errors that stand in an agent's plans, by instance.
Standing = Mapping[str, Sequence[str]]
Labelled = tuple[Studied, Standing]


def label_plans(studied: Sequence[Studied], most: int) -> list[Labelled]:
    """Label the first plans of each run, of at most so many of its instances."""
    return [(one, _standing(one, most)) for one in studied]


def _standing(one: Studied, most: int) -> Standing:
    found = {}
    for row in _drawn(one, most):
        plan = read_answer(row.raw_output).plan
        instance = one.table.selection.shelf[row.id]
        if plan is not None and _runs(instance):
            found[row.id] = types_of(instance, plan)
    return found


def sheets(found: Sequence[Labelled], most: int) -> Iterator[Sheet]:
    """Yield the distribution of types, and what answers leave and make."""
    lines = _lines(found)
    heads = ["line", "errors", *KINDS]
    rows = [[name, sum(counts.values()), *_shares(counts)] for name, counts in lines.items()]
    title = "Errors in the data and in agents' plans (Figure 3)"
    yield Sheet("error-types", title, _NOTE.format(most=most), heads, rows)
    heads = ["config", "agent", "plans", "without error", "type left", "type made"]
    left = [_left(one, plans) for one, plans in found if plans]
    yield Sheet("errors-left", "What answers leave and make", _MADE_NOTE, heads, left)


def _shares(counts: Mapping[str, int]) -> list[Cell]:
    whole = sum(counts.values())
    return [Part(counts.get(kind, 0) / whole) if whole else None for kind in KINDS]


def _lines(found: Sequence[Labelled]) -> dict[str, Counter[str]]:
    """Return the counts of types by line: first the data of each config, then each run."""
    lines: dict[str, Counter[str]] = {}
    for one, _ in found:
        kinds = Counter(error["type"] for errors in one.errors.values() for error in errors)
        lines.setdefault(f"{one.config}: data", kinds)
    for one, plans in found:
        counts = Counter(kind for kinds in plans.values() for kind in kinds)
        lines[f"{one.config}: {one.label}"] = counts
    return lines


def _left(one: Studied, plans: Standing) -> list[Cell]:
    had = {id: {error["type"] for error in one.errors[id]} for id in plans}
    clean = [id for id, kinds in plans.items() if not kinds]
    left = [id for id, kinds in plans.items() if set(kinds) & had[id]]
    made = [id for id, kinds in plans.items() if set(kinds) - had[id]]
    shares = (Part(len(some) / len(plans)) for some in (clean, left, made))
    return [one.config, one.label, len(plans), *shares]


def _drawn(one: Studied, most: int) -> list[Row]:
    first = [row for row in one.rows if row.sample == 0]
    chosen = sorted(first, key=lambda row: canonical.text_digest(row.id))[:most]
    return sorted(chosen, key=lambda row: row.id)


def _runs(instance: Instance) -> bool:
    """Say whether the tools of an instance run, and its gold plan is known."""
    place = instance.environment
    return isinstance(place, dict) and "worlds" in place and instance.gold_plan is not None


def types_of(instance: Instance, plan: Plan) -> list[str]:
    """Return the types of the errors of a plan, where the instance's snapshot had run."""
    return [label.type.value for label in labelled(_examination(instance, plan)).labels]


def _examination(instance: Instance, plan: Plan) -> Examination:
    catalogue, faults = read_tools(instance.tools), read_faults(instance.faults)
    setting = read_setting(instance.environment)
    known = worlds.tools(setting.worlds)
    make = partial(Simulation, setting, catalogue)
    gold, start = read_plan(instance.gold_plan), opening.start(instance)
    shown = start.snapshot
    return Examination(
        query=instance.query,
        catalogue=catalogue,
        tools={tool.name: known[tool.name] for tool in catalogue},
        gold=gold,
        gold_run=_run(make, gold, ()),
        goal=instance.goal,
        purposes={},
        start=replace(start, snapshot=Snapshot(plan, shown.tool_results, shown.history)),
        environment=retraced(make(faults), start.ledger),
        faults=faults,
        run=partial(_run, make),
    )


def _run(
    make: Callable[[tuple[Fault, ...]], Simulation], plan: Plan, faults: tuple[Fault, ...]
) -> Execution:
    return execute(start_of(Snapshot(plan, (), ())), carry_on, make(faults))


def drawings(found: Sequence[Labelled]) -> Iterator[Drawing]:
    """Yield the distribution as stacked bars."""
    lines = _lines(found)
    yield Drawing("error-types", lambda path: draw_stacks(lines, KINDS, path))
