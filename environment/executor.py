"""The executor of rounds: carries answers on, round by round, exactly as semantics.md says.

A planner sees a `Snapshot` and answers with a plan or with None ("carry on"); the executor
decides what is ready, runs it as one round in an `Environment`, and shows the next snapshot.
It always ends: completed, stalled (three idle rounds in a row) or capped (40 rounds in all).
The order in which an answer lists its nodes never matters.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, Literal, NamedTuple, Protocol

from environment.ledger import Entry, Ledger
from trajectory import canonical
from trajectory.calls import Call
from trajectory.descriptions import describe
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Node, Plan, write_plan
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

    drawn: the plan, or what draws it: most snapshots are never looked at.
    tool_results: the calls of the last round.
    history: the calls of the rounds before it.
    """

    drawn: Plan | Callable[[], Plan]
    tool_results: tuple[Call, ...]
    history: tuple[tuple[Call, ...], ...]

    @cached_property
    def plan(self) -> Plan:
        """The plan: nodes of the last round have status false, and no result in their desc.

        Nodes of earlier rounds have status true and their result in desc.
        """
        return self.drawn if isinstance(self.drawn, Plan) else self.drawn()

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

    @cached_property
    def carried(self) -> Plan:
        """The plan carried on as it is: nothing that ran runs again."""
        plan = self.snapshot.plan
        if not (self.ledger or plan.strays or plan.extra):
            return plan
        nodes = (
            node.change(status=True) if node.id in self.ledger and not node.status else node
            for node in plan
        )
        return Plan(tuple(nodes), plan.problems)

    @cached_property
    def told(self) -> Mapping[str, "_Told"]:
        """What the desc of each node that has run says of its last call and result.

        Nodes of earlier rounds are shown with it already; those of the last round aren't yet.
        """
        told: dict[str, _Told] = {}
        if not self.ledger:
            return told
        plan = self.snapshot.plan
        times = Counter(node.id for node in plan)
        for node in plan:
            last = self.ledger.last(node.id)
            if last is not None and times[node.id] == 1:
                told[node.id] = _Told(last.result)
                if node.status or not node.is_call:
                    told[node.id].text = node.desc
        return told


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


class _Mark(NamedTuple):
    """An answer's wish to run a node again.

    retry: the same call may be tried again. shown_true: the node was shown true, so that false
    on it is a slip where it does not run.
    """

    retry: bool
    shown_true: bool


class _Run:
    """The moving parts of one execution."""

    def __init__(self, start: Start, environment: Environment) -> None:
        self.start = start
        self.environment = environment
        self.shown = start.snapshot
        self.ledger = Ledger(start.ledger)
        self.rounds: list[Round] = []
        self.completed = False
        self.slips: Counter[str] = Counter()
        self.marks: dict[str, _Mark] = {}
        self.told = start.told
        self.plan = start.carried
        self.found = topology(self.plan)
        # Settled node → round of its last attempt; of a node without a tool, that of its deps.
        self.settled: dict[str, int] = {}
        # Node that is not settled → how many of its deps aren't; the due are those with none.
        self.waiting: dict[str, int] = {}
        self.due: list[str] = []

    def step(self, planner: Planner) -> None:
        """Take an answer, run one round, show the next snapshot."""
        answer = planner(self.shown)
        if answer is not None and not _equal(answer, self.shown.plan):
            self._follow(answer)
            self._line_up()
        elif not self.rounds:
            self._line_up()
        number = self.start.rounds + len(self.rounds) + 1
        ready = self._decide()
        self.completed = RESPONSE in ready
        running = [RESPONSE] if self.completed else sorted(ready)
        entries = self._run_round(running, number)
        self.rounds.append(Round(number, answer, entries, self.completed))
        self._show(entries)
        for entry in entries:
            self._settle(entry.node, number)

    def _follow(self, plan: Plan) -> None:
        """Take an answer's plan, and read its statuses against the ledger."""
        shown_true = {node.id for node in self.shown.plan if node.status}
        self.plan = plan
        self.found = topology(plan)
        self.marks = {}
        for node in plan:
            if node.id == RESPONSE:
                self.slips["response_marked"] += node.status
            elif node.id not in self.ledger:
                self.slips["true_without_entry"] += node.status and node.is_call
            elif not node.status:
                self._mark(node.id, node.id in shown_true)

    def _mark(self, node: str, shown_true: bool) -> None:
        """Take false on a node that has run; one that can never be ready can't run again."""
        last = self.ledger.last(node)
        failed = last is not None and last.outcome != "ok"
        if self.found.deps[node] is not None:
            self.marks[node] = _Mark(shown_true and failed, shown_true)
        else:
            self.slips["false_without_change"] += shown_true

    def _line_up(self) -> None:
        """Find what is settled in the plan that is followed now, and what waits for how many."""
        standing = {node: None for node in self.plan.by_id if self._stands(node)}
        self.settled = {}
        self.waiting = {
            node: len(deps)
            for node, deps in self.found.deps.items()
            if deps is not None and node not in standing
        }
        self.due = [node for node, count in self.waiting.items() if not count]
        for node in standing:
            self._settle(node, self._last_round(node))

    def _decide(self) -> set[str]:
        """Return the ready nodes at the start of a round.

        A node is looked at once all its deps are settled, and what is settled stays so: in
        which order that happens does not matter.
        """
        deps = self.found.deps
        ready: set[str] = set()
        while self.due:
            node = self.due.pop()
            newest = max((self.settled[dep] for dep in deps[node] or ()), default=0)
            if self._runs(node, newest):
                ready.add(node)
            else:
                self._settle(node, self._last_round(node) or newest)
        return ready

    def _settle(self, node: str, round_: int) -> None:
        """Take a node as settled; due is who waited for it alone."""
        self.settled[node] = round_
        for consumer in self.found.consumers.get(node, ()):
            if consumer in self.waiting:
                self.waiting[consumer] -= 1
                if not self.waiting[consumer]:
                    self.due.append(consumer)

    def _stands(self, node: str) -> bool:
        """Say whether a node has run and nobody wishes it to run again."""
        return node in self.ledger and node not in self.marks and node not in ("", RESPONSE)

    def _last_round(self, node: str) -> int:
        last = self.ledger.last(node)
        return 0 if last is None else last.round

    def _runs(self, id: str, newest: int) -> bool:
        """Say whether a node whose deps are settled is to run: for the first time, or by a mark.

        A marked node runs again by rule a (changed), b (retry) or c (stale: `newest`, the round
        of its deps' last attempt, is not before its own). Else it is read as true.
        """
        node = self.plan.by_id.get(id)
        if id == RESPONSE or node is None or not node.is_call:
            return id == RESPONSE
        last = self.ledger.last(id)
        if last is None:
            return True
        mark = self.marks[id]
        if mark.retry or last.round <= newest or self._changed(node, last):
            return True
        # That a node of the last round is false is how it was shown, and so no slip.
        self.slips["false_without_change"] += mark.shown_true
        del self.marks[id]
        return False

    def _changed(self, node: Node, last: Entry) -> bool:
        request = self._request(node)
        return request.tool != last.tool or not canonical.same(request.arguments, last.arguments)

    def _request(self, node: Node) -> Request:
        name = node.name or ""
        try:
            arguments = resolve(node.para, lambda reference: self._referred(node.id, reference))
        except UnresolvedError as problem:
            return Request(node.id, name, node.para, str(problem))
        return Request(node.id, name, arguments)

    def _referred(self, node: str, reference: Reference) -> Any:
        """Return what a reference stands for; raises UnresolvedError."""
        place = f"reference in parameter '{reference.where}'"
        if reference.node is None:
            raise UnresolvedError(f'{place}: wanted {{"$ref": node id, "path": path}}')
        place = f"{place} to node '{reference.node}'"
        if reference.node not in self.found.ancestors(node):
            raise UnresolvedError(f"{place}: node '{node}' does not depend on it")
        entry = self.ledger.last(reference.node)
        if entry is None:
            raise UnresolvedError(f"{place}: it has not run")
        try:
            return follow(entry.result, reference.path)
        except LookupError as error:
            raise UnresolvedError(f"{place}: its result has {error}") from None

    def _run_round(self, running: Sequence[str], number: int) -> tuple[Entry, ...]:
        nodes = [self.plan.by_id[node] for node in running if self.plan.by_id[node].is_call]
        requests = [self._request(node) for node in nodes]
        if not requests:
            return ()
        results = self.environment.run(requests)
        told = dict(self.told)
        for node, result in zip(nodes, results, strict=True):
            self.marks.pop(node.id, None)
            told[node.id] = _Told(result)
        self.told = told
        return tuple(
            self.ledger.record(request.node, request.tool, request.arguments, number, result)
            for request, result in zip(requests, results, strict=True)
        )

    def _show(self, entries: tuple[Entry, ...]) -> None:
        """Make the snapshot that the planner sees next."""
        history = self.shown.history
        if self.shown.tool_results:
            history = (*history, self.shown.tool_results)
        calls = tuple(entry.to_call() for entry in entries)
        drawn = partial(_draw, self.plan, frozenset(self.settled), self.told)
        self.shown = Snapshot(drawn, calls, history)

    def execution(self, ending: Ending) -> Execution:
        return Execution(
            self.start.rounds,
            tuple(self.rounds),
            ending,
            self.plan,
            self.ledger,
            {kind: count for kind, count in sorted(self.slips.items()) if count},
        )


class _Told:
    """What the desc of a node says of its last result; put into words when asked."""

    def __init__(self, result: Any) -> None:
        self._result = result

    @cached_property
    def text(self) -> str:
        """The desc."""
        return describe(self._result)


def _draw(plan: Plan, settled: Collection[str], told: Mapping[str, _Told]) -> Plan:
    """Return a plan as it is shown when these nodes are settled."""
    return Plan(tuple(_as_shown(node, node.id in settled, told) for node in plan), plan.problems)


def _as_shown(node: Node, settled: bool, told: Mapping[str, _Told]) -> Node:
    changes: dict[str, Any] = {}
    if node.status != settled:
        changes["status"] = settled
    desc = told[node.id].text if settled and node.id in told else node.desc
    if node.desc != desc:
        changes["desc"] = desc
    return node.change(**changes) if changes else node


def _equal(answer: Plan, shown: Plan) -> bool:
    """Say whether an answer is the snapshot again, whatever the order of its nodes."""
    if answer is shown:
        return True
    if len(answer.nodes) != len(shown.nodes):
        return False
    if not (_is_plain(answer) and _is_plain(shown)):
        return _texts(answer) == _texts(shown)
    # Most answers differ in a node or two, and share the others.
    known = shown.by_id
    return all(node.id in known and _alike(node, known[node.id]) for node in answer)


def _is_plain(plan: Plan) -> bool:
    """Say whether no id comes twice, and all that is written are nodes as they are read."""
    single = len(plan.by_id) == len(plan.nodes) and not plan.strays
    return single and not any(node.raw or node.extra for node in plan)


def _alike(one: Node, other: Node) -> bool:
    """Say whether two plain nodes of one id are written alike."""
    return one is other or (
        one.status == other.status
        and one.dep == other.dep
        and one.name == other.name
        and one.desc == other.desc
        and canonical.same(one.para, other.para)
    )


def _texts(plan: Plan) -> list[str]:
    return sorted(canonical.dumps(task) for task in write_plan(plan)["tasks"])
