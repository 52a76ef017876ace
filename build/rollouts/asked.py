"""A model as the planner of a rollout: it sees request and tools, the plan and what ran."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from build.rollouts.desk import Slip
from build.rollouts.planning import ANSWER
from models.prompting import read_prompt
from models.reading import read_answer
from trajectory import canonical
from trajectory.calls import Call, write_calls
from trajectory.descriptions import describe
from trajectory.graph import is_valid
from trajectory.plan import RESPONSE, ROOT, Node, Plan, write_plan

# Takes a system text and a user text, gives the model's answer.
Ask = Callable[[str, str], str]


class Asked:
    """A planner that asks a model each round; an answer without a plan carries on.

    answers: all that the model said, in order.
    """

    def __init__(self, ask: Ask, query: str, tools: Sequence[Mapping[str, Any]]) -> None:
        self._ask = ask
        self._prompt = read_prompt("planner", ("query", "tools"))
        self._task = self._prompt.filled({"query": query, "tools": list(tools)})
        self._query = query
        self._plan = _written_anew(query, Plan((Node(RESPONSE),)))
        self._rounds: Sequence[Sequence[Call]] = ()
        self.answers: list[str] = []

    @property
    def slips(self) -> tuple[Slip, ...] | None:
        """Nothing: a model keeps no log of what it does wrong."""
        return None

    def first(self) -> Plan:
        """Ask for a plan; where none can be read, the answer is all there is."""
        return self._answered(self._task) or self._plan

    def look(self, history: Sequence[Sequence[Call]]) -> None:
        """Take in what has run so far, round by round."""
        self._rounds = history

    def next(self) -> Plan | None:
        """Ask how the plan goes on; None where no plan can be read from the answer."""
        told = [write_calls(calls) for calls in self._rounds]
        shown = canonical.dumps(write_plan(self._as_shown()))
        return self._answered(
            f"{self._task}\n\nPlan:\n{shown}\n\nResults, round by round:\n{canonical.dumps(told)}"
        )

    def _as_shown(self) -> Plan:
        ran = {call.node for calls in self._rounds for call in calls}
        done = {n.id: n.change(status=True) for n in self._plan if n.id in ran}
        return self._plan.change(done)

    def _answered(self, prompt: str) -> Plan | None:
        self.answers.append(self._ask(self._prompt.system, prompt))
        plan = read_answer(self.answers[-1]).plan
        if plan is None or not is_valid(plan) or plan.response is None:
            return None
        self._plan = _written_anew(self._query, plan)
        return self._plan


def _written_anew(query: str, plan: Plan) -> Plan:
    """Return a plan with nothing but nodes as they are read, each described by its call."""
    nodes = [_node(node) for node in plan if node.id not in {ROOT, RESPONSE}]
    response = plan.response
    waits = () if response is None else response.dep
    return Plan(
        (
            Node(ROOT, desc=query, status=True),
            *nodes,
            Node(RESPONSE, desc=ANSWER, dep=waits),
        )
    )


def _node(node: Node) -> Node:
    desc = describe() if node.is_call else node.desc
    return Node(node.id, node.name, node.para, desc, node.dep or (ROOT,), node.status)
