"""Point 1 of the proof: the gold plan reaches the goal, and no shorter way does.

It is told from a gold plan, the tools, the setting and the goal alone, so that it can be tried on
what lies on disk as well as on what was just made; all instances of a task share it. A plan
that starts from the request must find its literal values there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from build.points import Flaw
from diagnosis.evidence import stands_in, words_of
from diagnosis.shortest import GoldCall, Key, Value, key_of, leaves, shorter_way, typed
from environment import worlds
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.goal import make_goal, reached
from environment.ledger import Entry
from environment.simulation import Setting, Simulation, base_tables
from environment.state import State
from environment.world import Parameter, WorldTool
from trajectory import canonical
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Node, Plan
from trajectory.references import follow, is_reference, references
from trajectory.tools import Catalogue


def gold_flaws(
    plan: Plan,
    catalogue: Catalogue,
    setting: Setting,
    goal: Mapping[str, Any],
    counts: tuple[int | None, int | None],
) -> Iterator[Flaw]:
    """Yield what does not hold of a gold plan; counts: the rounds and calls it is said to take."""
    run, state = _run(plan, catalogue, setting, reverse=False)
    if not (run.completed and reached(goal, run.plan, run.ledger, state)):
        yield Flaw(1, "the gold plan does not reach the goal")
        return
    tools = worlds.tools(setting.worlds)
    yield from _of_goal(goal, plan, run, tools)
    yield from _of_edges(plan, tools)
    if (run.total_rounds, run.calls_after) != counts:
        yield Flaw(1, f"the gold plan takes {run.total_rounds} rounds and {run.calls_after} calls")
    again, other = _run(plan, catalogue, setting, reverse=True)
    if state != other or _results(run) != _results(again):
        yield Flaw(1, "the result of the gold plan depends on the order inside a round")
    shorter = _shorter(plan, catalogue, setting, goal, run)
    if shorter:
        yield Flaw(1, f"the goal can be had sooner: {shorter}")


def unsaid(query: str, plan: Plan, tools: Mapping[str, WorldTool]) -> Iterator[Flaw]:
    """Yield the literal arguments of a gold plan that its request doesn't say."""
    for node in plan:
        if node.is_call and isinstance(node.para, dict):
            parameters = tools[node.name or ""].parameters
            for name, value in node.para.items():
                if not _is_said(query, value, parameters.get(name)):
                    yield Flaw(1, f"the request does not say '{name}' of gold node {node.id}")


def _is_said(query: str, value: Any, parameter: Parameter | None) -> bool:
    """Say whether a request says a value, or each of its parts that is no reference."""
    if is_reference(value) or any(stands_in(word, query) for word in words_of(value, parameter)):
        return True
    if isinstance(value, list):
        items = None if parameter is None else parameter.items
        return bool(value) and all(_is_said(query, item, items) for item in value)
    if isinstance(value, dict):
        fields = {} if parameter is None else parameter.fields
        return bool(value) and all(_is_said(query, value[key], fields.get(key)) for key in value)
    return False


# --- the goal --------------------------------------------------------------------------------


def _of_goal(
    goal: Mapping[str, Any], plan: Plan, run: Execution, tools: Mapping[str, WorldTool]
) -> Iterator[Flaw]:
    """A goal is made of gold calls; every effect and every decision is among them."""
    open_ = Counter(canonical.dumps(call) for call in goal["calls"])
    asked = []
    for entry in run.ledger:
        told = canonical.dumps(make_goal([entry], tools, "")["calls"][0])
        if open_[told]:
            open_[told] -= 1
            asked.append(entry)
        elif tools[entry.tool].has_effect or _is_decision(entry, plan, run):
            yield Flaw(1, f"the goal lacks the call of gold node {entry.node}")
    if not canonical.same(goal, make_goal(asked, tools, goal["state"])):
        yield Flaw(1, "the goal is not made of calls of the gold plan")


def _is_decision(entry: Entry, plan: Plan, run: Execution) -> bool:
    """Say whether all that others take from a call could be guessed from other results.

    So it is too where nobody takes anything from it: then it is what the user asks for.
    """
    taken = {
        key_of(follow(entry.result, one.path))
        for node in plan
        for one in references(node.para)
        if one.node == entry.node
    }
    above = topology(plan).ancestors
    others = (one for one in run.ledger if one is not entry and entry.node not in above(one.node))
    return taken <= set().union(*(leaves(one.result) for one in others))


# --- edges -----------------------------------------------------------------------------------


def _of_edges(plan: Plan, tools: Mapping[str, WorldTool]) -> Iterator[Flaw]:
    """A call waits for what it takes from or what is to take effect; the response for the rest."""
    calls = [node for node in plan if node.is_call]
    for node in calls:
        taken = {one.node for one in references(node.para)}
        for dep in node.dep:
            producer = plan.by_id.get(dep)
            if producer is None or dep in taken or not producer.is_call:
                continue
            if not _touches(tools[producer.name or ""], tools[node.name or ""]):
                yield Flaw(1, f"nothing stands behind the edge from gold node {dep} to {node.id}")
    awaited = {dep for node in calls for dep in node.dep}
    if {*plan.by_id[RESPONSE].dep} != {node.id for node in calls} - awaited:
        yield Flaw(1, "the gold response does not wait for exactly what nobody else waits for")


def _touches(writer: WorldTool, other: WorldTool) -> bool:
    """Say whether a tool writes a table that another one reads or writes."""
    tables = {*other.reads, *other.writes}
    return writer.world == other.world and not tables.isdisjoint(writer.writes)


# --- shorter ways ----------------------------------------------------------------------------


def _run(
    plan: Plan, catalogue: Catalogue, setting: Setting, *, reverse: bool
) -> tuple[Execution, str]:
    """Run a plan in its environment as that begins, without faults."""
    simulation = Simulation(setting, catalogue, reverse=reverse)
    run = execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)
    return run, simulation.digest()


def _results(run: Execution) -> list[tuple[str, str]]:
    return [(entry.node, canonical.dumps(entry.result)) for entry in run.ledger]


def _shorter(
    plan: Plan, catalogue: Catalogue, setting: Setting, goal: Mapping[str, Any], run: Execution
) -> str | None:
    tools = worlds.tools(setting.worlds)
    listed = [tools[tool.name] for tool in catalogue]
    calls = [node for node in plan if node.is_call]
    said = [value for node in calls for value in _said(tools[node.name or ""], node.para)]
    gold = [_gold_call(tools, calls, node, goal, run.ledger.last(node.id)) for node in calls]
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


def _gold_call(
    tools: Mapping[str, WorldTool],
    calls: Sequence[Node],
    node: Node,
    goal: Mapping[str, Any],
    entry: Entry | None,
) -> GoldCall:
    if entry is None:
        raise ValueError(f"gold node '{node.id}' did not run")
    tool = tools[entry.tool]
    asked = any(_is_goal_call(tool, entry, call) for call in goal["calls"])
    referred = {one.node for one in references(node.para)}
    places = {one.id: place for place, one in enumerate(calls)}
    after = tuple(places[dep] for dep in node.dep if dep in places and dep not in referred)
    return GoldCall(tool, tuple(_needs(node.para, entry.arguments)), entry.result, asked, after)


def _is_goal_call(tool: WorldTool, entry: Entry, call: Mapping[str, Any]) -> bool:
    return call["tool"] == tool.name and canonical.same(
        [tool.counted(entry.arguments), entry.result], [call["arguments"], call["result"]]
    )


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
