"""The executor of rounds: carries answers on, round by round, exactly as semantics.md says.

A planner sees a `Snapshot` and answers with a plan or with None ("carry on"); the executor
decides what is ready, runs it as one round in an `Environment`, and shows the next snapshot.
It always ends: completed, stalled (three idle rounds in a row) or capped (40 rounds in all).
The order in which an answer lists its nodes never matters.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, Protocol

from environment.ledger import Entry, Ledger
from trajectory import canonical
from trajectory.calls import Call
from trajectory.descriptions import describe
from trajectory.graph import Topology, topology
from trajectory.plan import RESPONSE, ROOT, Node, Plan, write_plan
from trajectory.references import Reference, UnresolvedError, follow, resolve

MAX_ROUNDS: Final = 40
MAX_IDLE: Final = 3

Ending = Literal["completed", "stalled", "capped"]


@dataclass(frozen=True)
class Request:
    """A call that is to run: `problem` says why a reference in it could not be resolved."""

    node: str
    tool: str
    arguments: Any
    problem: str | None = None


class Environment(Protocol):
    """Where calls run."""

    def run(self, requests: Sequence[Request]) -> list[Any]:
        """Run the calls of one round and return their results, in the order of the requests.

        Never raises for what a plan can hold; a failure is a result.
        """
        ...

    def digest(self) -> str | None:
        """Return the digest of the state as it stands; None where there is no state."""
        ...


@dataclass(frozen=True)
class Snapshot:
    """What a planner is shown: the plan as it was sent into the last round, and what ran.

    plan: nodes of the last round have status false and their results stand in tool_results;
        nodes of earlier rounds have status true and their result in desc.
    tool_results: the calls of the last round.
    history: the calls of the rounds before it.
    """

    plan: Plan
    tool_results: tuple[Call, ...]
    history: tuple[tuple[Call, ...], ...]

    @property
    def rounds(self) -> int:
        """Rounds run so far."""
        return len(self.history) + bool(self.tool_results)


Planner = Callable[[Snapshot], Plan | None]


@dataclass(frozen=True)
class Start:
    """Where an execution begins: a snapshot, its ledger and the rounds already run (r_pre)."""

    snapshot: Snapshot
    ledger: Ledger
    rounds: int


def start_of(snapshot: Snapshot) -> Start:
    """Make the start of an execution from a snapshot whose calls name their nodes."""
    rounds = list(snapshot.history)
    if snapshot.tool_results:
        rounds.append(snapshot.tool_results)
    ledger = Ledger()
    for number, calls in enumerate(rounds, start=1):
        for call in calls:
            ledger.record(call.node or "", call.name, call.arguments, number, call.results)
    return Start(snapshot, ledger, len(rounds))


@dataclass(frozen=True)
class Round:
    """One round after the answer.

    number: counted over the whole trajectory. answer: the plan given before it, None where the
    planner carried on. entries: what ran, sorted by node. response: whether it was the
    response's round. A round without entries that isn't the response's is idle.
    """

    number: int
    answer: Plan | None
    entries: tuple[Entry, ...]
    response: bool

    @property
    def idle(self) -> bool:
        """Whether nothing was ready."""
        return not self.entries and not self.response


@dataclass(frozen=True)
class Execution:
    """How an execution went.

    r_pre: rounds before the answer. rounds: those after it. plan: as it stood at the end.
    ledger: everything that ran, the instance's history included. slips: kind → count, of
    statuses an answer got wrong (true_without_entry, false_without_change, response_marked).
    """

    r_pre: int
    rounds: tuple[Round, ...]
    ending: Ending
    plan: Plan
    ledger: Ledger
    slips: Mapping[str, int]

    @property
    def completed(self) -> bool:
        """Whether the executor completed the response (the paper's "passed")."""
        return self.ending == "completed"

    @property
    def r_exec(self) -> int:
        """Rounds after the answer, the response's and idle ones included."""
        return len(self.rounds)

    @property
    def total_rounds(self) -> int:
        """Rounds in all."""
        return self.r_pre + self.r_exec

    @property
    def calls_after(self) -> int:
        """Calls made after the answer."""
        return sum(len(round_.entries) for round_ in self.rounds)

    @cached_property
    def response_ancestors(self) -> frozenset[str]:
        """Nodes that the response waits for in the final plan."""
        found = topology(self.plan)
        return found.ancestors(RESPONSE) if RESPONSE in found.deps else frozenset()


def carry_on(_: Snapshot) -> None:
    """Answer nothing: the planner of an execution that is carried on as it is."""
    return


def execute(
    start: Start, planner: Planner, environment: Environment, *, max_rounds: int = MAX_ROUNDS
) -> Execution:
    """Run rounds until the response is completed, nothing moves any more, or the cap is met.

    The environment stands where the start's ledger left it. Raises what the planner raises.
    """
    run = _Run(start, environment)
    idle = 0
    while True:
        run.step(planner)
        last = run.rounds[-1]
        idle = idle + 1 if last.idle else 0
        if run.completed:
            return run.execution("completed")
        if idle == MAX_IDLE:
            return run.execution("stalled")
        if last.number >= max_rounds:
            return run.execution("capped")


@dataclass
class _Mark:
    """An answer's wish to run a node again; `retry`: the same call may be tried again."""

    retry: bool


@dataclass
class _Run:
    """The moving parts of one execution."""

    start: Start
    environment: Environment
    rounds: list[Round] = field(default_factory=list)
    completed: bool = False
    slips: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.shown = self.start.snapshot
        self.ledger = Ledger(self.start.ledger)
        self.marks: dict[str, _Mark] = {}
        self.plan = _unmarked(self.shown.plan, self.ledger)

    def step(self, planner: Planner) -> None:
        """Take an answer, run one round, show the next snapshot."""
        answer = planner(self.shown)
        if answer is not None and not _equal(answer, self.shown.plan):
            self._take(answer)
        number = self.start.rounds + len(self.rounds) + 1
        settled, ready = self._decide()
        response = RESPONSE in ready
        running = [RESPONSE] if response else sorted(ready)
        entries = self._run_round(running, number)
        self.completed = response
        self.rounds.append(Round(number, answer, entries, response))
        self._show(settled, entries)

    def _take(self, answer: Plan) -> None:
        """Read the statuses of an answer against the ledger."""
        self.marks = {}
        for node in answer.by_id.values():
            if node.id == RESPONSE:
                self.slips["response_marked"] += node.status
            elif node.id not in self.ledger:
                self.slips["true_without_entry"] += node.status and node.is_call
            elif not node.status:
                self.marks[node.id] = _Mark(self._may_retry(node.id))
        self.plan = answer

    def _may_retry(self, node: str) -> bool:
        before, last = self.shown.plan.by_id.get(node), self.ledger.last(node)
        shown_true = before is not None and before.status
        return shown_true and last is not None and last.outcome != "ok"

    def _decide(self) -> tuple[set[str], set[str]]:
        """Return the settled and the ready nodes at the start of a round."""
        nodes, found = self.plan.by_id, topology(self.plan)
        settled = {node for node in nodes if node in self.ledger and node not in self.marks}
        settled -= {node for node in nodes if found.deps[node] is None}
        settled.discard(RESPONSE)
        if not (ROOT in nodes and nodes[ROOT].is_call):
            settled.add(ROOT)
        ready: set[str] = set()
        moved = True
        while moved:
            before = len(settled)
            for node in (*found.order, *found.stuck):
                if node in nodes and node not in settled and node not in ready:
                    self._place(nodes[node], found, settled, ready)
            # One pass is enough for a DAG; behind an executed cycle it may take more.
            moved = bool(found.stuck) and len(settled) > before
        return settled, ready

    def _place(self, node: Node, found: Topology, settled: set[str], ready: set[str]) -> None:
        """Put a node whose deps are all settled where it belongs; leave any other alone."""
        deps = found.deps[node.id]
        if deps is None or not settled.issuperset(deps):
            return
        if node.id == RESPONSE:
            ready.add(node.id)
        elif not node.is_call:
            settled.add(node.id)
        elif self._again(node, found):
            ready.add(node.id)
        else:
            self.slips["false_without_change"] += self._is_slip(node.id)
            del self.marks[node.id]
            settled.add(node.id)

    def _is_slip(self, node: str) -> bool:
        """A node of the last round left false is no slip: that is how it was shown."""
        before = self.shown.plan.by_id.get(node)
        return before is None or before.status

    def _again(self, node: Node, found: Topology) -> bool:
        """Say whether a node whose deps are settled is to run: for the first time, or by a mark.

        A marked node runs again by rule a (changed), b (retry) or c (stale).
        """
        last = self.ledger.last(node.id)
        if last is None:
            return True
        request = self._request(node, found)
        changed = (request.tool, canonical.dumps(request.arguments)) != (
            last.tool,
            canonical.dumps(last.arguments),
        )
        return changed or self.marks[node.id].retry or self._stale(node.id, last, found)

    def _stale(self, node: str, last: Entry, found: Topology) -> bool:
        return any(last.round <= self._when(dep, found) for dep in found.deps[node] or ())

    def _when(self, node: str, found: Topology) -> int:
        """Return the round of a node's last attempt; without a tool, that of its last dep."""
        last = self.ledger.last(node)
        if last is not None:
            return last.round
        return max((self._when(dep, found) for dep in found.deps.get(node) or ()), default=0)

    def _request(self, node: Node, found: Topology) -> Request:
        name = node.name or ""

        def lookup(reference: Reference) -> Any:
            return self._referred(node.id, reference, found)

        try:
            return Request(node.id, name, resolve(node.para, lookup))
        except UnresolvedError as problem:
            return Request(node.id, name, node.para, str(problem))

    def _referred(self, node: str, reference: Reference, found: Topology) -> Any:
        """Return what a reference stands for; raises UnresolvedError."""
        place = f"reference in parameter '{reference.where}'"
        if reference.node is None:
            raise UnresolvedError(f'{place}: wanted {{"$ref": node id, "path": path}}')
        place = f"{place} to node '{reference.node}'"
        if reference.node not in found.ancestors(node):
            raise UnresolvedError(f"{place}: node '{node}' does not depend on it")
        entry = self.ledger.last(reference.node)
        if entry is None:
            raise UnresolvedError(f"{place}: it has not run")
        try:
            return follow(entry.result, reference.path)
        except LookupError as error:
            raise UnresolvedError(f"{place}: its result has {error}") from None

    def _run_round(self, running: Sequence[str], number: int) -> tuple[Entry, ...]:
        nodes, found = self.plan.by_id, topology(self.plan)
        requests = [self._request(nodes[node], found) for node in running if nodes[node].is_call]
        if not requests:
            return ()
        results = self.environment.run(requests)
        for request in requests:
            self.marks.pop(request.node, None)
        return tuple(
            self.ledger.record(request.node, request.tool, request.arguments, number, result)
            for request, result in zip(requests, results, strict=True)
        )

    def _show(self, settled: set[str], entries: tuple[Entry, ...]) -> None:
        """Make the snapshot that the planner sees next."""
        shown = {node.id: self._as_shown(node, node.id in settled) for node in self.plan}
        plan = Plan(tuple(shown[node.id] for node in self.plan), self.plan.problems)
        history = self.shown.history
        if self.shown.tool_results:
            history = (*history, self.shown.tool_results)
        self.shown = Snapshot(plan, tuple(entry.to_call() for entry in entries), history)

    def _as_shown(self, node: Node, settled: bool) -> Node:
        changes: dict[str, Any] = {}
        if node.status != settled:
            changes["status"] = settled
        last = self.ledger.last(node.id)
        if settled and last is not None and last.round > self.start.rounds:
            changes["desc"] = describe(last.tool, node.para, last.result)
        return node.change(**changes) if changes else node

    def execution(self, ending: Ending) -> Execution:
        return Execution(
            self.start.rounds,
            tuple(self.rounds),
            ending,
            self.plan,
            self.ledger,
            {kind: count for kind, count in sorted(self.slips.items()) if count},
        )


def _unmarked(plan: Plan, ledger: Ledger) -> Plan:
    """Carry a snapshot on as it is: nothing that ran runs again."""
    return Plan(
        tuple(
            node.change(status=True) if node.id in ledger and not node.status else node
            for node in plan
        ),
        plan.problems,
    )


def _equal(answer: Plan, shown: Plan) -> bool:
    """Say whether an answer is the snapshot again, whatever the order of its nodes."""
    return len(answer.nodes) == len(shown.nodes) and _texts(answer) == _texts(shown)


def _texts(plan: Plan) -> list[str]:
    return sorted(canonical.dumps(task) for task in write_plan(plan)["tasks"])
