"""Planning without error: from a wish to a plan, and from what ran to the next plan.

A planner knows the wish, the tools and what a model is shown. Each thing that the wish asks for
is a step; what is asked for twice is one step. A draft is the plan on its way: its nodes, and for
which step each of them was made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from trajectory import canonical
from trajectory.calls import Call, call_outcome
from trajectory.descriptions import describe
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import KEY, is_reference, reference, references

ANSWER: Final = "Answer the user."
# A call is tried so often at most.
MOST_TRIES: Final = 4

Wish = Mapping[str, Any]


class Step(NamedTuple):
    """One call that a wish needs.

    arguments: with references to other steps by their numbers. after: the steps that it waits
    for, sorted.
    """

    tool: str
    arguments: Mapping[str, Any]
    after: tuple[str, ...]


def steps_of(wish: Wish) -> dict[str, Step]:
    """Return number → step, each behind all that it waits for."""
    found: dict[str, str] = {}
    steps: dict[str, Step] = {}
    goals = [_number(goal, found, steps) for goal in wish["goals"]]
    for before, after in wish["order"]:
        step = steps[goals[after]]
        waits = tuple(sorted({*step.after, goals[before]}, key=int))
        steps[goals[after]] = step._replace(after=waits)
    return {number: steps[number] for number in _in_order(steps)}


def _number(call: Mapping[str, Any], found: dict[str, str], steps: dict[str, Step]) -> str:
    """Return the number of the step for a call of the wish, new where it is asked for first."""
    arguments = {
        name: _planned(value, found, steps) for name, value in sorted(call["arguments"].items())
    }
    text = canonical.dumps([call["tool"], arguments])
    if text not in found:
        found[text] = str(len(found) + 1)
        takes = {one.node for one in references(arguments) if one.node is not None}
        steps[found[text]] = Step(call["tool"], arguments, tuple(sorted(takes, key=int)))
    return found[text]


def _planned(value: Any, found: dict[str, str], steps: dict[str, Step]) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"of", "path"}:
            return reference(_number(value["of"], found, steps), value["path"])
        return {name: _planned(part, found, steps) for name, part in value.items()}
    return [_planned(part, found, steps) for part in value] if isinstance(value, list) else value


def _in_order(steps: Mapping[str, Step]) -> list[str]:
    """Return the numbers layer by layer, in a layer by tool and number."""
    depths: dict[str, int] = {}

    def depth(number: str) -> int:
        if number not in depths:
            depths[number] = 1 + max(map(depth, steps[number].after), default=0)
        return depths[number]

    return sorted(steps, key=lambda number: (depth(number), steps[number].tool, int(number)))


@dataclass
class Draft:
    """A plan on its way.

    query: the request. steps: what the wish needs. nodes: by id, without root and response.
    made_for: node → step; a node without an entry was made for none. waits: for what the
    response waits. attempts: how often each node has run. failed: nodes whose last attempt
    gave an error or nothing → that result. again: node that is to run again → its attempts.
    """

    query: str
    steps: Mapping[str, Step]
    nodes: dict[str, Node] = field(default_factory=dict)
    made_for: dict[str, str] = field(default_factory=dict)
    waits: tuple[str, ...] = ()
    attempts: dict[str, int] = field(default_factory=dict)
    failed: dict[str, Any] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)

    # --- what stands in it ---------------------------------------------------------------------

    def plan(self) -> Plan:
        """Return the plan as it is sent."""
        nodes = [Node(ROOT, desc=self.query, status=True)]
        nodes += [self._sent(node) for node in self.nodes.values()]
        nodes.append(Node(RESPONSE, desc=ANSWER, dep=self.waits))
        return Plan(tuple(nodes))

    def _sent(self, node: Node) -> Node:
        done = node.id in self.attempts and node.id not in self.again
        return node.change(status=done, dep=node.dep or (ROOT,))

    def newest(self, step: str) -> str | None:
        """Return the newest node for a step."""
        found = [node for node in self.nodes if self.made_for.get(node) == step]
        return found[-1] if found else None

    def deps(self, node: str) -> tuple[str, ...]:
        """Return what a node waits for."""
        return self.waits if node == RESPONSE else self.nodes[node].dep

    def above(self, node: str) -> set[str]:
        """Return all that a node waits for, directly or not."""
        found: set[str] = set()
        stack = list(self.deps(node))
        while stack:
            dep = stack.pop()
            if dep not in found and dep in self.nodes:
                found.add(dep)
                stack += self.nodes[dep].dep
        return found

    def below(self, node: str) -> list[str]:
        """Return the calls that wait for a node, directly or not."""
        return [other for other in self.nodes if node in self.above(other)]

    def takers(self, node: str) -> list[str]:
        """Return who waits for a node directly, the response last."""
        return [other for other in (*self.nodes, RESPONSE) if node in self.deps(other)]

    def depth(self, node: str) -> int:
        """Return in which layer a node stands, from 1."""
        return 1 + max((self.depth(dep) for dep in self.deps(node)), default=0)

    def pending(self, node: str) -> bool:
        """Say whether a call is still to run."""
        return node not in self.attempts or node in self.again

    def free_id(self) -> str:
        """Return the next number that no node has."""
        return str(1 + max((int(node) for node in self.nodes if node.isdecimal()), default=0))

    # --- right calls ---------------------------------------------------------------------------

    def right_para(self, step: str) -> dict[str, Any]:
        """Return the arguments of a step, references to the newest node of each other one."""
        found: dict[str, Any] = self._to_nodes(dict(self.steps[step].arguments))
        return found

    def _to_nodes(self, value: Any) -> Any:
        if is_reference(value):
            return {**value, KEY: self.newest(value[KEY]) or value[KEY]}
        if isinstance(value, dict):
            return {name: self._to_nodes(part) for name, part in value.items()}
        return [self._to_nodes(part) for part in value] if isinstance(value, list) else value

    def right_deps(self, step: str) -> tuple[str, ...]:
        """Return the newest node of each step that a step waits for."""
        found = (self.newest(before) for before in self.steps[step].after)
        return tuple(node for node in found if node is not None)

    # --- changes -------------------------------------------------------------------------------

    def add(
        self, id: str, name: str, para: Any, dep: Sequence[str], made_for: str | None = None
    ) -> str:
        """Add a call; returns its id."""
        self.nodes[id] = Node(id, name, para, describe(), tuple(dep))
        if made_for is not None:
            self.made_for[id] = made_for
        return id

    def set_call(self, node: str, *, name: str | None = None, para: Any = None) -> None:
        """Change tool or arguments of a call; one that has run is to run again."""
        known = self.nodes[node]
        name = known.name or "" if name is None else name
        para = known.para if para is None else para
        self.nodes[node] = known.change(name=name, para=para, desc=describe())
        self.rerun(node)

    def set_deps(self, node: str, dep: Sequence[str]) -> None:
        """Change what a node waits for."""
        if node == RESPONSE:
            self.waits = tuple(dict.fromkeys(dep))
        else:
            self.nodes[node] = self.nodes[node].change(dep=tuple(dict.fromkeys(dep)))

    def remove(self, node: str) -> None:
        """Take a call out: who waited for it waits for what it waited for."""
        for taker in self.takers(node):
            self._replace_dep(taker, node, self.nodes[node].dep)
        del self.nodes[node]
        self.made_for.pop(node, None)
        self.again.pop(node, None)

    def move(self, taker: str, old: str, new: str, *, refer: bool = True) -> None:
        """Let who waits for one node wait for another, and take its values from there."""
        self._replace_dep(taker, old, (new,))
        if refer and taker != RESPONSE:
            para = _referring(self.nodes[taker].para, old, new)
            if not canonical.same(para, self.nodes[taker].para):
                self.set_call(taker, para=para)

    def _replace_dep(self, taker: str, old: str, new: Sequence[str]) -> None:
        kept = [one for dep in self.deps(taker) for one in (new if dep == old else (dep,))]
        self.set_deps(taker, kept)

    def rerun(self, node: str) -> None:
        """Let a call that has run, and all that hangs on it, run again."""
        for one in (node, *self.below(node)):
            if one in self.attempts:
                self.again[one] = self.attempts[one]

    # --- what happened -------------------------------------------------------------------------

    def read(self, history: Sequence[Sequence[Call]]) -> None:
        """Take in what has run: all rounds so far."""
        self.attempts, self.failed = {}, {}
        for call in (call for calls in history for call in calls):
            node = call.node or ""
            self.attempts[node] = self.attempts.get(node, 0) + 1
            self.failed.pop(node, None)
            if call_outcome(call.results) != "ok":
                self.failed[node] = call.results
        self.again = {n: had for n, had in self.again.items() if self.attempts.get(n) == had}

    def troubles(self) -> Iterator[str]:
        """Yield the failed calls at the bottom of the trouble: newest ones, nothing above failed.

        What is to run again is left out.
        """
        newest = {self.newest(step) for step in self.made_for.values()}
        open_ = [node for node in self.nodes if node in self.failed and node in newest]
        for node in open_:
            if node not in self.again and not self.above(node) & {*open_, *self.again}:
                yield node


def _referring(value: Any, old: str, new: str) -> Any:
    if is_reference(value):
        return {**value, KEY: new} if value[KEY] == old else value
    if isinstance(value, dict):
        return {name: _referring(part, old, new) for name, part in value.items()}
    return [_referring(part, old, new) for part in value] if isinstance(value, list) else value


def is_outage(result: Any) -> bool:
    """Say whether a tool did not answer, or answered with nothing."""
    told = result.get("error") if isinstance(result, dict) else ""
    return call_outcome(result) == "empty" or str(told).startswith("timeout: ")


def planned(query: str, wish: Wish) -> Draft:
    """Return the draft of a plan that grants a wish, without error."""
    draft = Draft(query, steps_of(wish))
    for step, wanted in draft.steps.items():
        draft.add(step_id := draft.free_id(), wanted.tool, {}, (), step)
        draft.set_deps(step_id, draft.right_deps(step))
        draft.set_call(step_id, para=draft.right_para(step))
    taken = {dep for node in draft.nodes.values() for dep in node.dep}
    draft.waits = tuple(node for node in draft.nodes if node not in taken)
    return draft


def retried(draft: Draft, node: str, id: str | None = None) -> str:
    """Try a call again as a new node behind the failed one; all who waited for that move on."""
    known = draft.nodes[node]
    takers = draft.takers(node)
    new = draft.add(
        id or draft.free_id(), known.name or "", known.para, (node,), draft.made_for.get(node)
    )
    for taker in takers:
        draft.move(taker, node, new)
    return new


def mend_call(draft: Draft, node: str) -> None:
    """Give a call the tool, the arguments and the deps that its step has."""
    step = draft.made_for[node]
    own = [dep for dep in draft.nodes[node].dep if draft.made_for.get(dep) == step]
    draft.set_deps(node, (*own, *draft.right_deps(step)))
    draft.set_call(node, name=draft.steps[step].tool, para=draft.right_para(step))
