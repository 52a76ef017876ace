"""From a sketch with values to a gold plan that ran: the last step of composing a task."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from build.gold import Edge, Gold
from build.seeds.sketch import DeadEndError, Sketch, Source, Step
from build.seeds.values import Filled, result_of, write
from diagnosis.shortest import GoldCall, Key, key_of, leaves, shorter_way
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.goal import make_goal
from environment.simulation import Setting, Simulation, base_tables
from environment.state import State
from environment.world import WorldTool
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
    depends on an order that the plan leaves open, or can be had sooner or with fewer calls.
    """
    asked = _asked(draft)
    _require_independent(draft)
    _require_shortest(draft, asked)
    ids = {one.step: str(number) for number, one in enumerate(draft.filled, start=1)}
    plan = _plan(draft, ids)
    run, state = _run(draft, plan, reverse=False)
    again, other_state = _run(draft, plan, reverse=True)
    if not _agree(run, again) or state != other_state:
        raise DeadEndError
    _require_ground_truth(draft, run, ids)
    nodes = {ids[one.step] for one in asked}
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


def _plan(draft: Draft, ids: Mapping[Step, str]) -> Plan:
    nodes = [Node(ROOT, desc=draft.query, status=True)]
    for one in draft.filled:
        para = {
            name: _argument(one, name, source, ids) for name, source in one.step.sources.items()
        }
        dep = tuple(sorted({ids[before] for before in one.step.awaited()}, key=int))
        name = one.step.tool.name
        nodes.append(Node(ids[one.step], name, para, describe(), dep or (ROOT,)))
    awaited = {before for one in draft.filled for before in one.step.awaited()}
    sinks = tuple(ids[one.step] for one in draft.filled if one.step not in awaited)
    nodes.append(Node(RESPONSE, desc="Answer the user.", dep=sinks))
    return Plan(tuple(nodes))


def _argument(one: Filled, name: str, source: Source, ids: Mapping[Step, str]) -> Any:
    if source.items:
        return [_argument(one, name, item, ids) for item in source.items]
    if source.step is None or source.output is None:
        return one.literals[name]
    return reference(ids[source.step], source.output.path)


def _run(draft: Draft, plan: Plan, *, reverse: bool) -> tuple[Execution, str]:
    catalogue = Catalogue(tuple(tool.declared for tool in draft.tools))
    simulation = Simulation(draft.setting, catalogue, reverse=reverse)
    run = execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)
    return run, simulation.state.digest()


def _agree(one: Execution, other: Execution) -> bool:
    def results(run: Execution) -> list[tuple[str, str]]:
        return [(entry.node, canonical.dumps(entry.result)) for entry in run.ledger]

    return one.completed and results(one) == results(other)


def _require_ground_truth(draft: Draft, run: Execution, ids: Mapping[Step, str]) -> None:
    """Every call gives in the run what it gave when its values were drawn."""
    results = {entry.node: entry.result for entry in run.ledger}
    for one in draft.filled:
        if not canonical.same(results.get(ids[one.step]), one.result):
            raise DeadEndError


def _require_independent(draft: Draft) -> None:
    """A call gives the same whether the effects that it does not wait for are there or not."""
    above = draft.sketch.above()
    for one in draft.filled:
        others = [
            other
            for other in draft.filled
            if other.step is not one.step and one.step not in above[other.step]
        ]
        unawaited = (other for other in others if other.step not in above[one.step])
        if any(_touches(other.step, one.step) for other in unawaited):
            state = State(base_tables(draft.setting))
            for other in others:
                if other.step.tool.has_effect:
                    write(other.step, state, other.arguments)
            if not canonical.same(result_of(one.step, state, one.arguments), one.result):
                raise DeadEndError


def _touches(writer: Step, other: Step) -> bool:
    """Say whether a step writes a table that another one reads or writes."""
    tool = other.tool
    return writer.tool.world == tool.world and bool(
        set(writer.tool.writes) & {*tool.reads, *tool.writes}
    )


def _require_shortest(draft: Draft, asked: list[Filled]) -> None:
    places = {one.step: place for place, one in enumerate(draft.filled)}
    gold = [
        GoldCall(
            one.step.tool,
            one.needs,
            one.result,
            any(one is other for other in asked),
            tuple(places[writer] for writer in one.step.after),
        )
        for one in draft.filled
    ]
    said = [value for one in draft.filled for value in one.said]
    if shorter_way(draft.tools, said, gold, State(base_tables(draft.setting))):
        raise DeadEndError


def _asked(draft: Draft) -> list[Filled]:
    """Return the goal's calls: what the user asks for, every effect, and every decision.

    A decision is a call whose used values all stand in other results as well ("the best of
    these three"): without it they could only be guessed, so it counts as asked for.
    """
    above = draft.sketch.above()
    held = {one.step: leaves(one.result) for one in draft.filled}
    return [
        one
        for one in draft.filled
        if one.step.tool.has_effect
        or one.step in draft.sketch.goals
        or _is_decision(one, draft, above, held)
    ]


def _is_decision(
    one: Filled,
    draft: Draft,
    above: Mapping[Step, set[Step]],
    held: Mapping[Step, set[Key]],
) -> bool:
    used = {key for other in draft.filled for key in _taken(other.step, one)}
    elsewhere = (
        keys
        for step, keys in held.items()
        if step is not one.step and one.step not in above[step] and used & keys
    )
    return used <= set().union(*elsewhere)


def _taken(taker: Step, giver: Filled) -> Iterator[Key]:
    """Yield the values that a step takes from a call."""
    for source in taker.sources.values():
        for part in (source, *source.items):
            if part.step is giver.step and part.output is not None:
                yield key_of(follow(giver.result, part.output.path))


def _edges(draft: Draft, ids: Mapping[Step, str]) -> Iterator[Edge]:
    for one in draft.filled:
        for kind, steps in (("value", one.step.feeders()), ("effect", one.step.after)):
            for before in sorted({ids[step] for step in steps}, key=int):
                yield Edge(before, ids[one.step], kind, 1.0)
