"""Proving an instance that lies on disk: it is examined anew, and held against what it says.

Only the instance is read. Its trajectory is run again from its start; its labels, the reach of
its errors, their evidence, the repairs and the optimum are worked out again; every difference
is a flaw (semantics.md, "The proof"). Instances whose results are only recorded prove nothing
here: there is nothing that could be run.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from build.gold_proof import gold_flaws
from build.points import Flaw, flaws
from build.reasons import reason
from diagnosis.courses import from_scratch
from diagnosis.examination import Examination
from diagnosis.mending import IrreversibleError, UnblamedError
from environment import opening, worlds
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.faults import Fault, read_faults
from environment.simulation import Setting, Simulation, read_setting
from trajectory import canonical
from trajectory.calls import write_calls
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan, write_plan
from trajectory.tools import Catalogue, read_tools

# What of an error belongs to which point of the proof; the rest is of its label.
_POINT_OF: Final = {"affected_now": 5, "affected_later": 5, "delayed": 5, "evidence": 7}


def problems(instance: Instance) -> Iterator[Flaw]:
    """Yield what does not hold of an instance; nothing: all of it is proven.

    Raises InputError where the installed worlds are not those of the data.
    """
    if instance.proof != "full":
        yield Flaw(0, f"its proof is {instance.proof}: nothing of it can be run")
        return
    setting, catalogue = read_setting(instance.environment), read_tools(instance.tools)
    gold, counts = read_plan(instance.gold_plan), (instance.rounds_gt, instance.calls_gt)
    found = list(gold_flaws(gold, catalogue, setting, instance.goal, counts))
    yield from found
    if found:
        return
    again = list(_of_history(instance, setting, catalogue))
    yield from again
    if not again:
        yield from _of_truth(instance, _examined(instance, setting, catalogue))


def _run(
    setting: Setting, catalogue: Catalogue, plan: Plan, faults: tuple[Fault, ...]
) -> Execution:
    simulation = Simulation(setting, catalogue, faults)
    return execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)


# --- the trajectory --------------------------------------------------------------------------


def _of_history(instance: Instance, setting: Setting, catalogue: Catalogue) -> Iterator[Flaw]:
    """Run the plan from its start, as often as rounds are told of: it must look the same."""
    rounds = len(instance.history) + bool(instance.tool_results)
    shown: list[Snapshot] = []
    simulation = Simulation(setting, catalogue, read_faults(instance.faults))
    start = start_of(Snapshot(from_scratch(read_plan(instance.plan)), (), ()))
    execute(start, shown.append, simulation)
    if len(shown) <= rounds:
        yield Flaw(0, "the trajectory ends before it is cut")
        return
    snapshot = shown[rounds]
    history = [write_calls(calls) for calls in snapshot.history]
    told = [*instance.history, instance.tool_results]
    for number, (was, is_) in enumerate(
        zip(told, [*history, write_calls(snapshot.tool_results)], strict=True), start=1
    ):
        if not canonical.same(was, is_):
            yield Flaw(0, f"round {number} gives other results than it says")
    yield from _of_plan(instance.plan, write_plan(snapshot.plan))


def _of_plan(told: Mapping[str, Any], made: Mapping[str, Any]) -> Iterator[Flaw]:
    """Compare two plans; what differs in a desc only is a text that gives something away."""
    for was, is_ in zip(told["tasks"], made["tasks"], strict=True):
        differing = [key for key in is_ if not canonical.same(was.get(key), is_[key])]
        if differing:
            point = 6 if differing == ["desc"] else 0
            yield Flaw(point, f"node {is_['id']}: {', '.join(differing)} differ when it is run")


# --- the truth -------------------------------------------------------------------------------


def _examined(instance: Instance, setting: Setting, catalogue: Catalogue) -> Examination:
    start = opening.start(instance)
    known = worlds.tools(setting.worlds)
    plan = read_plan(instance.gold_plan)
    run = partial(_run, setting, catalogue)
    return Examination(
        query=instance.query,
        catalogue=catalogue,
        tools={tool.name: known[tool.name] for tool in catalogue},
        gold=plan,
        gold_run=run(plan, ()),
        goal=instance.goal,
        purposes=plan.extra.get("purposes", {}),
        start=start,
        environment=_environment(instance, setting, catalogue),
        faults=read_faults(instance.faults),
        run=run,
    )


def _environment(instance: Instance, setting: Setting, catalogue: Catalogue) -> Simulation:
    simulation = Simulation(setting, catalogue, read_faults(instance.faults))
    return simulation.replay(opening.start(instance).ledger)


def _of_truth(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    if not instance.errors:
        yield from _of_control(instance, seen)
        return
    try:
        yield from _of_errors(instance, seen)
        yield from _of_repairs(instance, seen)
        yield from flaws(instance, seen)
    except (UnblamedError, IrreversibleError) as error:
        yield Flaw(3, f"{type(error).__name__}: {error}")


def _of_control(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    """A clean trajectory holds no error, and carried on as it is it is right."""
    for label in seen.labels:
        yield Flaw(0, f"it holds an error: {label.type} at {label.root_cause}")
    carried = seen.trial.answered(None)
    if not carried.reached or carried.cost != (instance.rounds_opt, instance.calls_opt):
        yield Flaw(2, "carried on as it is, it is not right")
    if instance.repairs or instance.error_types:
        yield Flaw(0, "it tells of errors that it does not list")


def _of_errors(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    if len(instance.errors) != len(seen.errors):
        yield Flaw(0, f"{len(seen.errors)} errors are found, {len(instance.errors)} are told")
        return
    for number, (told, found) in enumerate(zip(instance.errors, seen.errors, strict=True)):
        for key in found:
            if not canonical.same(told.get(key), found[key]):
                yield Flaw(_POINT_OF.get(key, 0), f"error {number}: '{key}' is found otherwise")
    types = sorted({one["type"] for one in seen.errors})
    if list(instance.error_types) != types:
        yield Flaw(0, f"the types found are {', '.join(types)}")
    if instance.error_reason != reason(seen.errors):
        yield Flaw(0, "the reason is told otherwise than the errors are found")


def _of_repairs(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    told = sorted(canonical.dumps(repair) for repair in instance.repairs)
    if told != sorted(canonical.dumps(repair) for repair in seen.repairs):
        yield Flaw(3, "other repairs are found than it lists")
