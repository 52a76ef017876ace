"""The proof of an instance: what it claims is tried out (semantics.md, "The proof").

Only the instance is read, so that what lies on disk can be proven as well as what was just
made. Points 1 to 4, 6 and 7 are tried here; the affected sets of point 5 come from the two
executions when an instance is made. Runs of an environment that a model or a record plays
prove nothing, so instances of the release are left alone.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from diagnosis.edits import Edit, EditError, apply_edits
from diagnosis.shortest import GoldCall, Key, Value, key_of, shorter_way, typed
from environment import opening, worlds
from environment.executor import (
    Execution,
    Planner,
    Snapshot,
    Start,
    carry_on,
    execute,
    start_of,
)
from environment.faults import read_faults
from environment.goal import reached
from environment.ledger import Entry
from environment.meanings import say_date
from environment.simulation import Simulation, base_tables, read_setting
from environment.state import State
from environment.world import Parameter, WorldTool
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.error_types import ErrorType
from trajectory.graph import is_valid
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT, Node, Plan, read_plan
from trajectory.references import follow, is_reference, references
from trajectory.tools import read_tools

T = TypeVar("T")

# Of so many derived reruns every subset is tried.
_MOST_SPARED: Final = 6


class Run(NamedTuple):
    """How an execution went: whether it completed and reached the goal, rounds and calls in all."""

    reached: bool
    rounds: int
    calls: int


def problems(instance: Instance) -> Iterator[str]:
    """Yield what does not hold of an instance, each in a few words; nothing: it is proven."""
    yield from _of_gold(instance)
    yield from _of_repairs(instance)
    yield from _of_descriptions(instance)
    yield from _of_evidence(instance)
    yield from _of_faults(instance)
    yield from _of_level(instance)


def carried(instance: Instance, plan: Plan | None) -> Run:
    """Return how an instance goes when `plan` is the one answer; None: carried on as it is."""
    start = opening.start(instance)
    environment = opening.environment(instance, start)
    run = execute(start, carry_on if plan is None else once(plan), environment)
    goal = reached(instance.goal, run.plan, run.ledger, environment.digest() or "")
    return Run(run.completed and goal, run.total_rounds, len(run.ledger))


def once(plan: Plan) -> Planner:
    """Return a planner that answers with a plan and then carries on."""
    answers = iter((plan,))
    return lambda _: next(answers, None)


# --- point 1: the gold plan ------------------------------------------------------------------


def _of_gold(instance: Instance) -> Iterator[str]:
    plan = read_plan(instance.gold_plan)
    run, state = run_gold(instance, plan)
    if not (run.completed and reached(instance.goal, run.plan, run.ledger, state)):
        yield "the gold plan does not reach the goal"
        return
    if (run.total_rounds, run.calls_after) != (instance.rounds_gt, instance.calls_gt):
        yield f"the gold plan takes {run.total_rounds} rounds and {run.calls_after} calls"
    again, other = run_gold(instance, plan, reverse=True)
    if state != other or [e.result for e in run.ledger] != [e.result for e in again.ledger]:
        yield "the result of the gold plan depends on the order inside a round"
    shorter = _shorter(instance, plan, run)
    if shorter:
        yield f"the goal can be had sooner: {shorter}"


def run_gold(instance: Instance, plan: Plan, *, reverse: bool = False) -> tuple[Execution, str]:
    """Run a plan in the instance's environment as it begins, without its faults."""
    setting, catalogue = read_setting(instance.environment), read_tools(instance.tools)
    simulation = Simulation(setting, catalogue, reverse=reverse)
    run = execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)
    return run, simulation.state.digest()


def _shorter(instance: Instance, plan: Plan, run: Execution) -> str | None:
    setting = read_setting(instance.environment)
    tools = worlds.tools(setting.worlds)
    listed = [tools[tool.name] for tool in read_tools(instance.tools)]
    calls = [node for node in plan if node.is_call]
    said = [value for node in calls for value in _said(tools[node.name or ""], node.para)]
    gold = [_gold_call(tools, node, run.ledger.last(node.id)) for node in calls]
    return shorter_way(listed, said, gold, State(base_tables(setting)))


def _said(tool: WorldTool, para: Any) -> Iterator[Value]:
    """Yield the typed values that the request says: those a gold call does not refer to."""
    for name, value in para.items():
        yield from _typed(tool.parameters[name], value)


def _typed(parameter: Parameter, value: Any) -> Iterator[Value]:
    if not any(references(value)):
        yield typed(parameter.means, value)
    if parameter.items is not None and isinstance(value, list):
        for item in value:
            yield from _typed(parameter.items, item)
    for name, part in parameter.fields.items():
        if name in value:
            yield from _typed(part, value[name])


def _gold_call(tools: Mapping[str, WorldTool], node: Node, entry: Entry | None) -> GoldCall:
    if entry is None:
        raise ValueError(f"gold node '{node.id}' did not run")
    tool = tools[entry.tool]
    needs = tuple(_needs(node.para, entry.arguments))
    return GoldCall(tool, needs, entry.result, asked=True)


def _needs(para: Any, arguments: Any) -> Iterator[Key]:
    """Yield the keys of what a call needs; of what is put together from references each part."""
    if isinstance(para, dict) and not is_reference(para):
        for name, value in para.items():
            yield from _needs(value, arguments[name])
    elif isinstance(para, list) and any(references(para)):
        for value, argument in zip(para, arguments, strict=True):
            yield from _needs(value, argument)
    else:
        yield key_of(arguments)


# --- points 2 to 4: what is right and what is not --------------------------------------------


def _of_repairs(instance: Instance) -> Iterator[str]:
    trial = _Trial(instance)
    if trial.is_right(()):
        yield "carried on as it is, it is right"
    if not instance.repairs:
        yield "there is no repair"
    for number, repair in enumerate(instance.repairs, start=1):
        for problem in _of_repair(instance, trial, repair):
            yield f"repair {number}: {problem}"
    if trial.better:
        yield f"{trial.better} is better than the optimum"


def _of_repair(instance: Instance, trial: "_Trial", repair: Sequence[Edit]) -> Iterator[str]:
    if not trial.is_right(repair):
        yield "it is not right"
        return
    for subset in _subsets(repair):
        if len(subset) < len(repair) and trial.is_right(subset):
            yield f"{len(subset)} of its {len(repair)} edits are enough"
    trial.spare_reruns(repair)
    trial.loosen(repair)
    # With every proper subset tried, an error needs mending where some edit mends it alone.
    mended = {tuple(edit["errors"]) for edit in repair}
    for error in range(len(instance.errors)):
        if (error,) not in mended:
            yield f"no edit is for error {error} alone"


def _subsets(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield the subsets that hold anything, the smallest first."""
    sizes = range(1, len(things) + 1)
    return itertools.chain.from_iterable(itertools.combinations(things, size) for size in sizes)


class _Trial:
    """Tries edits of an instance; `better`: a way to the goal that beats the stated optimum."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.snapshot = read_plan(instance.plan)
        self.optimum = (instance.rounds_opt, instance.calls_opt)
        self.better = ""

    def is_right(self, edits: Sequence[Edit]) -> bool:
        """Say whether the goal is reached at the optimum; edits that fit no plan are not right."""
        try:
            plan = apply_edits(self.snapshot, edits) if edits else None
        except EditError:
            return False
        if plan is not None and not is_valid(plan):
            return False
        run = carried(self.instance, plan)
        self._note(run, f"{len(edits)} edits")
        return run.reached and (run.rounds, run.calls) == self.optimum

    def spare_reruns(self, edits: Sequence[Edit]) -> None:
        """Try a repair with some of its derived reruns left out: none may beat the optimum."""
        plan = apply_edits(self.snapshot, edits)
        edited = {edit["node"] for edit in edits}
        ran = {entry.node for entry in opening.start(self.instance).ledger}
        derived = sorted(n.id for n in plan if n.id in ran - edited and not n.status)
        for spared in _subsets(derived[:_MOST_SPARED]):
            done = {id: plan.by_id[id].change(status=True) for id in spared}
            run = carried(self.instance, plan.change(done))
            self._note(run, f"the repair without rerunning {', '.join(spared)}")

    def loosen(self, edits: Sequence[Edit]) -> None:
        """Try a repair with each added call beside its consumers: that may not be sooner."""
        for place, edit in enumerate(edits):
            if edit.get("consumers", [RESPONSE]) != [RESPONSE]:
                loose = [*edits[:place], {**edit, "consumers": [RESPONSE]}, *edits[place + 1 :]]
                self.is_right(loose)

    def _note(self, run: Run, how: str) -> None:
        if run.reached and (run.rounds, run.calls) < self.optimum:
            self.better = f"{run.rounds} rounds and {run.calls} calls by {how}"


# --- point 6: no text gives an error away ----------------------------------------------------


def _of_descriptions(instance: Instance) -> Iterator[str]:
    start = opening.start(instance)
    for node in start.snapshot.plan:
        if node.desc != _described(instance, start, node):
            yield f"the desc of node '{node.id}' is not that of its call"


def _described(instance: Instance, start: Start, node: Node) -> str:
    if node.id == ROOT:
        return instance.query
    if node.id == RESPONSE:
        return "Answer the user."
    last = start.ledger.last(node.id)
    if node.status and last is not None:
        return describe(last.tool, node.para, last.result)
    return describe(node.name or "", node.para)


# --- point 7: evidence -----------------------------------------------------------------------


def _of_evidence(instance: Instance) -> Iterator[str]:
    for number, error in enumerate(instance.errors):
        if not error["evidence"]:
            yield f"error {number} has no evidence"
        for pointer in error["evidence"]:
            if not _shows(instance, pointer):
                yield f"error {number}: {canonical.dumps(pointer)} points to nothing"
        if error["type"] == ErrorType.PARAMETER_INVALID:
            for value in error["observed"].values():
                if _is_said(value, instance.query):
                    yield f"error {number}: the request says {value!r} as well"


def _is_said(value: Any, query: str) -> bool:
    """Say whether a request holds a value in its own words; only plain values are looked for."""
    if not isinstance(value, str | int | float):
        return False
    words = {str(value), say_date(str(value))}
    return any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", query) for text in words)


def _shows(instance: Instance, pointer: Mapping[str, Any]) -> bool:
    if pointer["in"] == "query":
        return bool(pointer["text"]) and pointer["text"] in instance.query
    try:
        follow(_pointed_at(instance, pointer), pointer["path"])
    except LookupError:
        return False
    return True


def _pointed_at(instance: Instance, pointer: Mapping[str, Any]) -> Any:
    """Return the node, tool or last result that a pointer names; raises LookupError."""
    if pointer["in"] == "plan":
        return _named(instance.plan["tasks"], "id", pointer["node"])
    if pointer["in"] == "tools":
        return _named(instance.tools, "name", pointer["tool"])
    rounds = [*instance.history, instance.tool_results]
    calls = [call for calls in rounds for call in calls]
    return _named(reversed(calls), "node", pointer["node"])["results"]


def _named(things: Iterable[Any], key: str, name: str) -> Any:
    for thing in things:
        if thing[key] == name:
            return thing
    raise LookupError(name)


# --- faults, levels --------------------------------------------------------------------------


def _of_faults(instance: Instance) -> Iterator[str]:
    """A fault answers exactly one node in each round that it has answered so far."""
    rounds = [*instance.history, instance.tool_results]
    for fault in read_faults(instance.faults):
        answered = [
            hits
            for calls in rounds
            if (hits := [c for c in calls if c["name"] == fault.tool and _is(c, fault.result())])
        ]
        if not answered:
            yield f"the fault of {fault.tool} has not shown"
        if any(len(hits) > 1 for hits in answered):
            yield f"the fault of {fault.tool} answered several nodes in one round"


def _is(call: Mapping[str, Any], result: Any) -> bool:
    return canonical.same(call["results"], result)


def _of_level(instance: Instance) -> Iterator[str]:
    """Level 1: one error, seen before its consequences enter a later call; level 2: the rest."""
    ran = {
        call["node"]: number
        for number, calls in enumerate([*instance.history, instance.tool_results], start=1)
        for call in calls
    }
    now = max(ran.values(), default=0)
    unnoticed = [_went_on(error, ran, now) for error in instance.errors]
    level = 1 if len(instance.errors) == 1 and not any(unnoticed) else 2
    if level != instance.level:
        yield f"it is of level {level}"
    if level == 1 and ran.get(instance.errors[0]["root_cause"], now) < now:
        yield "the error lies in an earlier round and went on into no later call"
    for number, error in enumerate(instance.errors):
        if not (error["affected_now"] or error["affected_later"] or error["delayed"]):
            yield f"error {number} affects nothing"
        if not ran.keys() >= {*error["affected_now"]}:
            yield f"error {number} is said to have affected what has not run"


def _went_on(error: Mapping[str, Any], ran: Mapping[str, int], now: int) -> bool:
    """Say whether an error has entered a call of a round after its own."""
    first = ran.get(error["root_cause"], now)
    return any(ran.get(node, now) > first for node in error["affected_now"])
