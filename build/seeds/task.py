"""From a sketch with values to a gold plan that ran: the last step of composing a task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from build.gold import Edge, Gold
from build.seeds.sketch import DeadEndError, Sketch, Source, Step
from build.seeds.values import Filled
from diagnosis.shortest import GoldCall, Key, Value, key_of, leaves, shorter_way, typed
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.goal import make_goal
from environment.simulation import Setting, Simulation, base_tables
from environment.state import State
from environment.world import Parameter, WorldTool
from trajectory import canonical
from trajectory.descriptions import describe
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import follow, reference
from trajectory.tools import Catalogue


@dataclass(frozen=True)
class Draft:
    """A sketch, its values in an order in which they run, the request, the listed tools."""

    sketch: Sketch
    filled: Sequence[Filled]
    query: str
    tools: Sequence[WorldTool]
    setting: Setting


def gold_of(draft: Draft, task: str, split: str) -> Gold:
    """Return the gold plan of a draft, executed and proven by point 1 of the proof.

    Raises DeadEndError where it does not hold: the goal is not determined by the request alone,
    depends on the order inside a round, or can be had sooner or with fewer calls.
    """
    asked = _asked(draft)
    _require_shortest(draft, asked)
    ids = {id(one.step): str(number) for number, one in enumerate(draft.filled, start=1)}
    plan = _plan(draft, ids)
    run, state = _run(draft, plan, reverse=False)
    again, other_state = _run(draft, plan, reverse=True)
    if not _agree(run, again) or state != other_state:
        raise DeadEndError
    _require_ground_truth(draft, run, ids)
    nodes = {ids[id(one.step)] for one in asked}
    entries = [entry for entry in run.ledger if entry.node in nodes]
    goal = make_goal(entries, {tool.name: tool for tool in draft.tools}, state)
    return Gold(
        id=task,
        query=draft.query,
        tools=[tool.to_catalogue() for tool in draft.tools],
        plan=plan,
        calls=tuple(
            tuple(entry.to_call() for entry in round_.entries)
            for round_ in run.rounds
            if round_.entries
        ),
        rounds_gt=run.r_exec,
        calls_gt=run.calls_after,
        split=split,
        origin=draft.setting.to_row(),
        edges=tuple(_edges(draft, ids)),
        goal=goal,
    )


def _plan(draft: Draft, ids: dict[int, str]) -> Plan:
    nodes = [Node(ROOT, desc=draft.query, status=True)]
    for one in draft.filled:
        para = {
            name: _argument(one, name, source, ids) for name, source in one.step.sources.items()
        }
        dep = tuple(sorted({ids[id(feeder)] for feeder in one.step.feeders()}, key=int))
        node = ids[id(one.step)]
        name = one.step.tool.name
        nodes.append(Node(node, name, para, describe(name, para), dep or (ROOT,)))
    fed = {id(feeder) for one in draft.filled for feeder in one.step.feeders()}
    sinks = tuple(ids[id(one.step)] for one in draft.filled if id(one.step) not in fed)
    nodes.append(Node(RESPONSE, desc="Answer the user.", dep=sinks))
    return Plan(tuple(nodes))


def _argument(one: Filled, name: str, source: Source, ids: dict[int, str]) -> Any:
    if source.items:
        return [_argument(one, name, item, ids) for item in source.items]
    if source.step is None or source.output is None:
        return one.literals[name]
    return reference(ids[id(source.step)], source.output.path)


def _run(draft: Draft, plan: Plan, *, reverse: bool) -> tuple[Execution, str]:
    catalogue = Catalogue(tuple(tool.declared for tool in draft.tools))
    simulation = Simulation(draft.setting, catalogue, reverse=reverse)
    run = execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)
    return run, simulation.state.digest()


def _agree(one: Execution, other: Execution) -> bool:
    def results(run: Execution) -> list[tuple[str, str]]:
        return [(entry.node, canonical.dumps(entry.result)) for entry in run.ledger]

    return one.completed and results(one) == results(other)


def _require_ground_truth(draft: Draft, run: Execution, ids: dict[int, str]) -> None:
    """Every call gives in the run what it gave when its values were drawn."""
    results = {entry.node: entry.result for entry in run.ledger}
    for one in draft.filled:
        if not canonical.same(results.get(ids[id(one.step)]), one.result):
            raise DeadEndError


def _require_shortest(draft: Draft, asked: list[Filled]) -> None:
    said = list(_said(draft.filled))
    keys = {value.key for value in said}
    gold = [
        GoldCall(one.step.tool, tuple(_needs(one)), one.result, any(one is a for a in asked))
        for one in draft.filled
    ]
    # A value that the request happens to say as well would make the call behind it needless.
    if any(key in keys for one in draft.filled for key in _referred(one)):
        raise DeadEndError
    if shorter_way(draft.tools, said, gold, State(base_tables(draft.setting))):
        raise DeadEndError


def _said(filled: Sequence[Filled]) -> Iterator[Value]:
    for one in filled:
        for name, value in one.literals.items():
            yield from _typed_parts(one.step.tool.parameters[name], value)


def _typed_parts(parameter: Parameter, value: Any) -> Iterator[Value]:
    """Yield a literal and everything inside it that the request says."""
    yield typed(parameter.means, value)
    if parameter.items is not None:
        for item in value:
            yield from _typed_parts(parameter.items, item)
    for name, part in parameter.fields.items():
        if name in value:
            yield from _typed_parts(part, value[name])


def _needs(one: Filled) -> Iterator[Key]:
    for name, source in one.step.sources.items():
        if source.items:
            yield from map(key_of, one.arguments[name])
        else:
            yield key_of(one.arguments[name])


def _referred(one: Filled) -> Iterator[Key]:
    for name, source in one.step.sources.items():
        if source.items:
            yield from map(key_of, one.arguments[name])
        elif source.step is not None:
            yield key_of(one.arguments[name])


def _asked(draft: Draft) -> list[Filled]:
    """Return the goal's calls: what the user asks for, every effect, and every decision.

    A decision is a call whose used values all stand in other results as well ("the best of
    these three"): without it they could only be guessed, so it counts as asked for.
    """
    return [
        one
        for one in draft.filled
        if one.step.tool.has_effect
        or any(one.step is goal for goal in draft.sketch.goals)
        or _is_decision(one, draft)
    ]


def _is_decision(one: Filled, draft: Draft) -> bool:
    above = [other for other in draft.filled if one.step in draft.sketch.behind(other.step)]
    elsewhere = {
        key
        for other in draft.filled
        if not any(other is known for known in above)
        for key in leaves(other.result)
    }
    used = {key for other in draft.filled for key in _taken(other.step, one)}
    return used <= elsewhere


def _taken(taker: Step, giver: Filled) -> Iterator[Key]:
    """Yield the values that a step takes from a call."""
    for source in taker.sources.values():
        for part in (source, *source.items):
            if part.step is giver.step and part.output is not None:
                yield key_of(follow(giver.result, part.output.path))


def _edges(draft: Draft, ids: dict[int, str]) -> Iterator[Edge]:
    for one in draft.filled:
        for feeder in sorted({ids[id(feeder)] for feeder in one.step.feeders()}, key=int):
            yield Edge(feeder, ids[id(one.step)], "value", 1.0)
