"""From a conversation to a gold plan: its nodes, what each waits for, and how that is known.

Calls of one turn are independent. An edge is there where an argument comes from an earlier
result (`tracing`). A call with a value of unknown origin, and a call that came later although it
could have come at once, depends on what the assistant's words beside it name, else on the turn
before; a call of which the request says everything hangs on the root.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from build.button.content import content_of
from build.button.conversation import Conversation, Turn
from build.button.tracing import Traced, Tracer
from build.gold import Edge, Gold
from build.seeds.novelty import graph_key, split_of
from trajectory.calls import Call
from trajectory.descriptions import describe
from trajectory.graph import layers
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.tools import Catalogue, read_tools

# How sure an edge is that the assistant's words name, and one that only the order of turns shows
# (shared among the calls of the turn before).
_NAMED: Final = 0.6
_ORDER: Final = 0.5


def gold_of(conversation: Conversation, origin: Mapping[str, Any]) -> Gold:
    """Return the gold plan of a conversation; its calls are grouped into the plan's layers."""
    catalogue = read_tools(conversation.tools)
    calls, traces, edges = _traced(conversation, catalogue)
    plan = _plan(conversation.query, calls, traces, edges)
    by_node = {call.node: call for call in calls}
    rounds = tuple(tuple(by_node[node] for node in layer) for layer in layers(plan))
    return Gold(
        id=f"BUTTON-{conversation.line:06d}",
        query=conversation.query,
        tools=conversation.tools,
        plan=plan,
        calls=rounds,
        rounds_gt=len(rounds) + 1,
        calls_gt=len(calls),
        split=split_of(graph_key(plan), ()),
        origin={**origin, "line": conversation.line, "turns": _turns(conversation)},
        edges=tuple(edges),
    )


def _turns(conversation: Conversation) -> list[int]:
    """Return how many calls each turn has; their nodes are numbered through."""
    return [len(turn.calls) for turn in conversation.turns]


def _traced(
    conversation: Conversation, catalogue: Catalogue
) -> tuple[list[Call], list[Traced], list[Edge]]:
    tracer = Tracer(conversation.query)
    parallel = conversation.parallel
    if parallel is None:
        parallel = any(len(turn.calls) > 1 for turn in conversation.turns)
    calls: list[Call] = []
    traces: list[Traced] = []
    edges: list[Edge] = []
    turn_of: dict[str, int] = {}
    for number, turn in enumerate(conversation.turns):
        place = _Place(turn, number, parallel, calls, turn_of, tracer)
        made = [replace(call, node=str(len(calls) + i)) for i, call in enumerate(turn.calls, 1)]
        for call in made:
            traced = place.traced(call, _schema(catalogue, call.name))
            traces.append(traced)
            edges.extend(_edges(str(call.node), traced, place))
        for call in made:
            tracer.learn(str(call.node), number, call)
            turn_of[str(call.node)] = number
        calls.extend(made)
    return calls, traces, edges


def _schema(catalogue: Catalogue, name: str) -> Mapping[str, Any]:
    tools = catalogue.named(name)
    return tools[0].schema if tools else {}


@dataclass(frozen=True)
class _Place:
    """Where calls are traced: their turn and its number, the earlier calls and their turns.

    parallel: calls that need nothing from each other could have been made at once.
    """

    turn: Turn
    number: int
    parallel: bool
    earlier: Sequence[Call]
    turn_of: Mapping[str, int]
    tracer: Tracer

    def before(self) -> list[str]:
        """Return the calls of the turn before."""
        return [node for node, number in self.turn_of.items() if number == self.number - 1]

    def traced(self, call: Call, schema: Mapping[str, Any]) -> Traced:
        """Trace a call; where it could have been made earlier, look for what it waited for."""
        traced = self.tracer.trace(call, schema)
        if self.parallel and self.number and not self.has_waited(traced):
            again = self.tracer.trace(call, schema, self.before())
            traced = again if self.has_waited(again) else traced
        return traced

    def has_waited(self, traced: Traced) -> bool:
        """Say whether a call uses a result of the turn before."""
        return any(dep in traced.sure for dep in self.before())

    def named(self) -> list[str]:
        """Return the earlier calls whose tool or result the words beside the calls name."""
        words = content_of(self.turn.prose).words
        now = {call.name for call in self.turn.calls}
        by_tool = {
            call.node
            for call in self.earlier
            if call.name not in now and _tells_tool(call.name) in words
        }
        by_result = {
            source.node
            for source in self.tracer.sources.held_by(self.turn.prose)
            if source.role != "given back" and not self.tracer.said.says(source.value)
        }
        return [node for node in self.turn_of if node in by_tool | by_result]


def _tells_tool(name: str) -> str:
    """Return the words that name a tool in prose; one word alone may mean anything."""
    words = content_of(name).words
    return words if words.count(" ") > 2 else f" {name} tool "


def _edges(node: str, traced: Traced, place: _Place) -> Iterator[Edge]:
    for dep, sure in traced.sure.items():
        yield Edge(dep, node, "value", sure)
    # Without a result that it uses, only a value of the request says why it came when it did.
    late = not traced.sure and (place.parallel or not traced.asked)
    if place.has_waited(traced) or not (traced.unknown or late):
        return
    named = [dep for dep in place.named() if dep not in traced.sure]
    for dep in named:
        yield Edge(dep, node, "prose", _NAMED)
    before = [] if named else place.before()
    for dep in before:
        yield Edge(dep, node, "turn_order", round(_ORDER / len(before), 3))


def _plan(
    query: str, calls: Sequence[Call], traces: Sequence[Traced], edges: Sequence[Edge]
) -> Plan:
    nodes = [Node(ROOT, desc=query, status=True)]
    for call, traced in zip(calls, traces, strict=True):
        dep = sorted({edge.dep for edge in edges if edge.node == call.node}, key=int)
        desc = describe()
        nodes.append(Node(str(call.node), call.name, traced.para, desc, tuple(dep) or (ROOT,)))
    needed = {edge.dep for edge in edges}
    sinks = tuple(str(call.node) for call in calls if call.node not in needed)
    nodes.append(Node(RESPONSE, desc="Answer the user.", dep=sinks))
    return Plan(tuple(nodes))
