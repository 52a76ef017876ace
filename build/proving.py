"""Proving an instance that lies on disk: it is examined anew, and held against what it says.

Only the instance is read. Its trajectory is run again from its start; its labels, the reach of
its errors, their evidence, the repairs and the optimum are worked out again; every difference
is a flaw (semantics.md, "The proof"). Instances whose results are only recorded prove nothing
here: there is nothing that could be run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, get_args

from build.dataset import CANARY, EDITION
from build.gold_proof import gold_flaws, unsaid
from build.points import ANSWER, Flaw, control_flaws, flaws
from build.reasons import reason
from diagnosis.courses import from_scratch
from diagnosis.examination import Examination
from diagnosis.mending import IrreversibleError, UnblamedError
from environment import opening, worlds
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.faults import Fault, Kind, read_faults
from environment.retracing import retraced
from environment.simulation import Setting, Simulation, read_setting
from pararecover import SOURCES
from trajectory import canonical
from trajectory.calls import write_calls
from trajectory.files import InputError, one_line, shortened
from trajectory.graph import dag_problems
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Plan, read_plan
from trajectory.references import references
from trajectory.tools import Catalogue, read_tools

# What of an error belongs to which point of the proof; the rest is of its label.
_POINT_OF: Final = {"affected_now": 5, "affected_later": 5, "delayed": 5, "evidence": 7}
# What reading and running raise where a field does not hold what it should.
_ODD: Final = (ArithmeticError, AttributeError, InputError, LookupError, RuntimeError, TypeError)
_SHOWN: Final = 200
_TEXTS: Final = ("id", "source", "agent", "edition", "query_id", "query", "error_reason")
_LISTS: Final = ("tools", "tool_results", "history", "errors", "repairs", "faults")


def is_runnable(instance: Instance) -> bool:
    """Say whether the tools of an instance really run, so that it can be proven by execution."""
    return isinstance(instance.environment, dict) and "worlds" in instance.environment


def problems(instance: Instance) -> Iterator[Flaw]:
    """Yield what does not hold of an instance; nothing: all of it is proven.

    Each step rests on those before it and is taken only where they hold. Whatever an instance
    holds instead of what it should, nothing is raised: it is a flaw of point 0.
    """
    for step in (_of_claims, _of_tools, _of_gold, _of_history, _of_truth):
        found = list(_tried(step, instance))
        yield from found
        if found:
            return


def _tried(step: Callable[[Instance], Iterator[Flaw]], instance: Instance) -> Iterator[Flaw]:
    try:
        yield from step(instance)
    except (UnblamedError, IrreversibleError) as error:
        yield Flaw(3, f"{type(error).__name__}: {error}")
    except (*_ODD, ValueError) as error:
        said = shortened(one_line(f"{type(error).__name__}: {error}"), _SHOWN)
        yield Flaw(0, f"it cannot be read or run: {said}")


# --- what it says of itself ------------------------------------------------------------------


def _of_claims(instance: Instance) -> Iterator[Flaw]:
    if not is_runnable(instance):
        yield Flaw(0, f"nothing of it can be run, and its proof is {instance.proof}")
        return
    if instance.proof != "full":
        yield Flaw(0, f"it can be run, but its proof is {instance.proof}")
    if instance.level not in (1, 2):
        yield Flaw(0, f"there is no level {instance.level}")
    if instance.source not in SOURCES or bool(instance.agent) != (instance.source == "rollout"):
        yield Flaw(0, "a rollout has an agent, what is augmented has none")
    for name in _TEXTS:
        if not isinstance(getattr(instance, name), str):
            yield Flaw(0, f"'{name}' is no text")
    for name in _LISTS:
        if not isinstance(getattr(instance, name), list):
            yield Flaw(0, f"'{name}' is no list")
    yield from _of_marks(instance)
    yield from _of_schedule(instance)


def _of_marks(instance: Instance) -> Iterator[Flaw]:
    if (instance.edition, instance.canary) != (EDITION, CANARY):
        yield Flaw(0, "edition or canary are not those of our data")
    if not _is_curation(instance):
        yield Flaw(0, "what a reviewer decided is no decision about a rollout")


def _is_curation(instance: Instance) -> bool:
    """Say whether what stands of a reviewer's decision is none, or one that keeps a rollout."""
    said = instance.curation
    if said is None or instance.source != "rollout":
        return said is None
    return (
        isinstance(said, dict)
        and said.keys() == {"decision", "reviewer", "reason"}
        and said["decision"] in ("accept", "relabel")
        and all(isinstance(text, str) for text in said.values())
    )


def _of_schedule(instance: Instance) -> Iterator[Flaw]:
    """The environment and its faults are written as they are read."""
    setting, faults = read_setting(instance.environment), read_faults(instance.faults)
    if not canonical.same(setting.to_row(), instance.environment):
        yield Flaw(0, "its environment says more than can be run")
    if not canonical.same([fault.to_row() for fault in faults], instance.faults):
        yield Flaw(0, "a fault says more than can be scheduled")
    for fault in faults:
        if fault.kind not in get_args(Kind) or fault.first < 1 or not 1 <= fault.length <= 3:
            yield Flaw(0, f"there is no such fault of {fault.tool}")


def _of_tools(instance: Instance) -> Iterator[Flaw]:
    """Each tool is listed once, as it is."""
    known = worlds.tools(read_setting(instance.environment).worlds)
    names = [entry["name"] for entry in instance.tools]
    for entry in instance.tools:
        if names.count(entry["name"]) > 1:
            yield Flaw(0, f"tool {entry['name']} is listed twice")
        if not canonical.same(entry, known[entry["name"]].to_catalogue()):
            yield Flaw(0, f"tool {entry['name']} is listed otherwise than it is")


# --- the gold plan ---------------------------------------------------------------------------


def _of_gold(instance: Instance) -> Iterator[Flaw]:
    setting, catalogue = read_setting(instance.environment), read_tools(instance.tools)
    gold, counts = read_plan(instance.gold_plan), (instance.rounds_gt, instance.calls_gt)
    yield from _of_gold_text(instance, gold)
    yield from gold_flaws(gold, catalogue, setting, instance.goal, counts)
    yield from unsaid(instance.query, gold, worlds.tools(setting.worlds))


def _of_gold_text(instance: Instance, gold: Plan) -> Iterator[Flaw]:
    """The gold plan is written as one that nobody has run; purposes are of the two plans."""
    purposes = _purposes(gold)
    for node, purpose in purposes.items():
        if node not in read_plan(instance.plan).by_id or purpose not in gold.by_id:
            yield Flaw(0, f"the purpose of node {node} is of no plan")
    fresh, texts = from_scratch(gold), {ROOT: instance.query, RESPONSE: ANSWER}
    fresh = fresh.change({id: fresh.by_id[id].change(desc=text) for id, text in texts.items()})
    more = {"purposes": dict(purposes)} if purposes else {}
    yield from _of_plan(instance.gold_plan, {**_written(fresh), **more}, "the gold plan")


def _purposes(gold: Plan) -> Mapping[str, str]:
    found: Mapping[str, str] = gold.extra.get("purposes", {})
    return found


def _of_plan(told: Mapping[str, Any], made: Mapping[str, Any], name: str) -> Iterator[Flaw]:
    """Compare two plans; what differs in a desc only is a text that gives something away."""
    yield from _of_form(read_plan(told), name)
    for was, is_ in zip(told["tasks"], made["tasks"], strict=True):
        keys = sorted(was.keys() | is_.keys())
        differing = [key for key in keys if not _same_at(was, is_, key)]
        if differing:
            point = 6 if differing == ["desc"] else 0
            where = f"{name}, node {is_['id']}"
            yield Flaw(point, f"{where}: {', '.join(differing)} differ when it is run")
    if not all(_same_at(told, made, key) for key in (told.keys() | made.keys()) - {"tasks"}):
        yield Flaw(0, f"{name} says more than its nodes")


def _of_form(plan: Plan, name: str) -> Iterator[Flaw]:
    """A plan keeps the rules of plans, and is written as ours are."""
    for problem in dag_problems(plan):
        yield Flaw(0, f"{name} breaks a rule of plans: {problem.detail}")
    if not {ROOT, RESPONSE} <= plan.by_id.keys():
        yield Flaw(0, f"{name} lacks its root or its response")
    for node in plan:
        if len({*node.dep}) < len(node.dep):
            yield Flaw(0, f"{name}, node {node.id}: waits twice for the same")
        if node.para and not node.is_call:
            yield Flaw(0, f"{name}, node {node.id}: has arguments but no tool")


def _written(plan: Plan) -> dict[str, Any]:
    """Return a plan as it is written where it holds nothing odd; positional arguments are kept."""
    keys = ("id", "name", "para", "desc", "dep", "status")
    return {"tasks": [{key: getattr(node, key) for key in keys} for node in plan]}


def _same_at(told: Mapping[str, Any], made: Mapping[str, Any], key: str) -> bool:
    return key in told and key in made and canonical.same(told[key], made[key])


# --- the trajectory --------------------------------------------------------------------------


def _run(
    setting: Setting, catalogue: Catalogue, plan: Plan, faults: tuple[Fault, ...]
) -> Execution:
    simulation = Simulation(setting, catalogue, faults)
    return execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)


def _of_history(instance: Instance) -> Iterator[Flaw]:
    """The trajectory is what comes of its plan; a rollout may have changed its plan on the way."""
    came = _of_rollout if instance.source == "rollout" else _of_course
    yield from came(instance)


def _of_rollout(instance: Instance) -> Iterator[Flaw]:
    """Make the calls again that ran; nodes of earlier rounds are shown as done, and no others."""
    start = opening.start(instance)
    opening.environment(instance, start)
    yield from _of_plan(instance.plan, _written(start.snapshot.plan), "the plan")
    for node in start.snapshot.plan:
        last = start.ledger.last(node.id)
        if node.is_call and node.status != (last is not None and last.round < start.rounds):
            yield Flaw(0, f"the plan, node {node.id}: status differs from what has run")
    for entry in start.ledger:
        if any(references(entry.arguments)) and entry.outcome != "failed":
            yield Flaw(0, f"node {entry.node} has a result although it can't have run")


def _of_course(instance: Instance) -> Iterator[Flaw]:
    """Run the plan from its start, as often as rounds are told of: it must look the same."""
    snapshot = _snapshot(instance, _rounds(instance))
    if snapshot is None:
        yield Flaw(0, "the trajectory ends before it is cut")
        return
    told = [*instance.history, instance.tool_results]
    made = [write_calls(calls) for calls in (*snapshot.history, snapshot.tool_results)]
    for number, (was, is_) in enumerate(zip(told, made, strict=True), start=1):
        if not canonical.same(was, is_):
            yield Flaw(0, f"round {number} gives other results than it says")
    yield from _of_plan(instance.plan, _written(snapshot.plan), "the plan")


def _rounds(instance: Instance) -> int:
    return len(instance.history) + bool(instance.tool_results)


def _snapshot(instance: Instance, rounds: int) -> Snapshot | None:
    """Return how the plan stands after so many rounds of calls; None where it has run less."""
    shown: list[Snapshot] = []
    setting, catalogue = read_setting(instance.environment), read_tools(instance.tools)
    simulation = Simulation(setting, catalogue, read_faults(instance.faults))
    start = start_of(Snapshot(from_scratch(read_plan(instance.plan)), (), ()))
    execute(start, shown.append, simulation)
    return shown[rounds] if rounds < len(shown) else None


# --- the truth -------------------------------------------------------------------------------


def examination_of(instance: Instance) -> Examination:
    """Return the examination of an instance that can be run.

    Raises InputError where the installed worlds are not those of the data.
    """
    setting, catalogue = read_setting(instance.environment), read_tools(instance.tools)
    start, known = opening.start(instance), worlds.tools(setting.worlds)
    faults, gold = read_faults(instance.faults), read_plan(instance.gold_plan)
    run = partial(_run, setting, catalogue)
    return Examination(
        query=instance.query,
        catalogue=catalogue,
        tools={tool.name: known[tool.name] for tool in catalogue},
        gold=gold,
        gold_run=run(gold, ()),
        goal=instance.goal,
        purposes=_purposes(gold),
        start=start,
        environment=retraced(Simulation(setting, catalogue, faults), start.ledger),
        faults=faults,
        run=run,
    )


def _of_truth(instance: Instance) -> Iterator[Flaw]:
    seen = examination_of(instance)
    if not instance.errors:
        yield from control_flaws(instance, seen)
        return
    yield from _of_errors(instance, seen)
    yield from _of_repairs(instance, seen)
    yield from flaws(instance, seen)


def _of_errors(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    if len(instance.errors) != len(seen.errors):
        yield Flaw(0, f"{len(seen.errors)} errors are found, {len(instance.errors)} are told")
        return
    for number, (told, found) in enumerate(zip(instance.errors, seen.errors, strict=True)):
        for key in sorted(told.keys() | found.keys()):
            if not _same_at(told, found, key):
                yield Flaw(_POINT_OF.get(key, 0), f"error {number}: '{key}' is found otherwise")
    types = sorted({one["type"] for one in seen.errors})
    if list(instance.error_types) != types:
        yield Flaw(0, f"the types found are {', '.join(types)}")
    if instance.error_reason != reason(seen.errors):
        yield Flaw(0, "the reason is told otherwise than the errors are found")


def _of_repairs(instance: Instance, seen: Examination) -> Iterator[Flaw]:
    told, found = (_texts(one.repairs) for one in (instance, seen))
    if told != found:
        yield Flaw(3, "other repairs are found than it lists")


def _texts(repairs: Sequence[Any]) -> list[str]:
    return sorted(canonical.dumps(repair) for repair in repairs)
