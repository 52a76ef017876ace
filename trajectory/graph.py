"""The topology of a plan: DAG rules, layers, ancestors. Never hangs, whatever the plan."""

import graphlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from trajectory.plan import RESPONSE, ROOT, Plan, Problem, Shape

# Reading problems that break a DAG rule by themselves.
_BROKEN = frozenset(
    (
        "broken_json",
        "too_deep",
        "no_tasks",
        "tasks_not_list",
        "task_not_object",
        "id_missing",
        "dep_not_list",
    )
)


@dataclass(frozen=True)
class Topology:
    """Who waits for whom in one plan.

    deps: id → the nodes it waits for, each once, sorted. Root is left out unless it carries a
        call; then whoever waits for nothing waits for root. None: never ready, because dep is
        no list or the id is not unique.
    calls: ids of the nodes that call a tool, the response left out.
    order: ids in topological order, ties by id; nodes that can never be reached (cycle,
        dangling, ambiguous, or behind one of these) are left out and stand in `stuck`.
    """

    deps: Mapping[str, tuple[str, ...] | None]
    calls: frozenset[str]
    order: tuple[str, ...]
    stuck: tuple[str, ...]
    _ancestors: dict[str, frozenset[str]] = field(default_factory=dict, compare=False)

    @cached_property
    def consumers(self) -> dict[str, list[str]]:
        """Who waits for a node, by its id; ids that are only named are here too."""
        consumers: dict[str, list[str]] = {}
        for node, deps in self.deps.items():
            for dep in deps or ():
                consumers.setdefault(dep, []).append(node)
        return consumers

    def ancestors(self, node: str) -> frozenset[str]:
        """Return all nodes that `node` waits for, directly or not; root only if it is a call."""
        known = self._ancestors.get(node)
        if known is None:
            known = self._ancestors[node] = _reachable(self.deps, self.deps.get(node) or ())
        return known

    def depths(self) -> dict[str, int]:
        """Return for each node of `order` how many rounds have run once it is settled.

        A call adds one to the deepest of its deps; a node without a tool adds nothing.
        """
        depth: dict[str, int] = {}
        for node in self.order:
            deepest = max((depth[dep] for dep in self.deps[node] or ()), default=0)
            depth[node] = deepest + (node in self.calls)
        return depth

    def reduced(self, node: str) -> tuple[str, ...]:
        """Return the deps of a node without those that are ancestors of another dep.

        A dep on a cycle or behind one stays: there, who comes first cannot be told.
        """
        deps = self.deps[node] or ()
        behind = _reachable(self.deps, [each for dep in deps for each in self.deps.get(dep) or ()])
        return tuple(dep for dep in deps if dep not in behind or dep in self._circular)

    @cached_property
    def _circular(self) -> frozenset[str]:
        """Nodes on a cycle or behind one."""
        if not self.stuck:
            return frozenset()
        known = {n: tuple(d for d in dep or () if d in self.deps) for n, dep in self.deps.items()}
        return frozenset(known.keys() - set(_order(known)))


def topology(plan: Plan) -> Topology:
    """Return the topology of a plan; the order in which nodes are listed does not matter."""
    return _topology(plan.shape)


# About 7 KB each with all ancestors asked for.
@lru_cache(maxsize=4096)
def _topology(rows: Shape) -> Topology:
    times = Counter(node for node, _, _ in rows)
    calls = frozenset(node for node, is_call, _ in rows if is_call and node != RESPONSE)
    deps = {
        node: tuple(sorted(set(dep))) if dep is not None and node and times[node] == 1 else None
        for node, _, dep in rows
    }
    deps = _from_root(deps) if ROOT in calls else _without_root(deps)
    order = _order(deps)
    reached = set(order)
    stuck = tuple(node for node in sorted(deps) if node not in reached)
    return Topology(deps, calls, order, stuck)


_Deps = dict[str, tuple[str, ...] | None]


def _from_root(deps: _Deps) -> _Deps:
    """Let [] mean ["root"] for a root that carries a call, unless that waits for another node."""
    if deps[ROOT]:
        return deps
    return {node: (ROOT,) if dep == () and node != ROOT else dep for node, dep in deps.items()}


def _without_root(deps: _Deps) -> _Deps:
    """Let ["root"] mean [] for a root without a call: it exists even where none is listed."""
    kept = {
        node: None if dep is None else tuple(item for item in dep if item != ROOT)
        for node, dep in deps.items()
    }
    return {**kept, ROOT: ()}


def _order(deps: Mapping[str, tuple[str, ...] | None]) -> tuple[str, ...]:
    """Kahn's algorithm by layers: what can never be reached is left out."""
    waiting = {node: len(dep) for node, dep in deps.items() if dep is not None}
    consumers: dict[str, list[str]] = {}
    for node in waiting:
        for dep in deps[node] or ():
            consumers.setdefault(dep, []).append(node)
    layer = sorted(node for node, count in waiting.items() if count == 0)
    order: list[str] = []
    while layer:
        order.extend(layer)
        following = []
        for done in layer:
            for consumer in consumers.get(done, ()):
                waiting[consumer] -= 1
                if waiting[consumer] == 0:
                    following.append(consumer)
        layer = sorted(following)
    return tuple(order)


def _reachable(deps: Mapping[str, tuple[str, ...] | None], starts: Iterable[str]) -> frozenset[str]:
    """Return the nodes to start from and all that they wait for."""
    found: set[str] = set()
    stack = list(starts)
    while stack:
        item = stack.pop()
        if item not in found:
            found.add(item)
            stack.extend(deps.get(item) or ())
    return frozenset(found)


def layers(plan: Plan) -> list[list[str]]:
    """Return the ids of the tool calls layer by layer: those of one layer can run together.

    The response and nodes that can never be reached are left out; ids are sorted.
    """
    found = topology(plan)
    depth = found.depths()
    table: list[list[str]] = [[] for _ in range(max(depth.values(), default=0))]
    for node in found.order:
        if node in found.calls:
            table[depth[node] - 1].append(node)
    return [sorted(layer) for layer in table if layer]


def ancestors(plan: Plan) -> dict[str, frozenset[str]]:
    """Return for each node all nodes it waits for, directly or not.

    As long as the plan is deep the sets are large: for one node of a huge plan, ask `topology`.
    """
    found = topology(plan)
    return {node.id: found.ancestors(node.id) for node in plan.nodes}


def dag_problems(plan: Plan) -> list[Problem]:
    """Return each broken DAG rule of a plan; empty means valid.

    Rules (metrics.md, invalid-DAG rate): an object with a non-empty list of tasks; every task
    an object with a non-empty unique id; dep a list; every dep names a task (root always
    exists); no cycle, a self-loop being one.
    """
    problems = [problem for problem in plan.problems if problem.kind in _BROKEN]
    if not problems and _is_plainly_sound(plan):
        return []
    if not plan.nodes and not problems:
        problems.append(Problem("no_tasks", None, "the list of tasks is empty"))
    problems.extend(_repeated(plan))
    problems.extend(_dangling(plan))
    problems.extend(_cycles(plan))
    return problems


def response_problems(plan: Plan) -> list[Problem]:
    """Return why a plan can never answer: it has no response, or one that is never ready.

    No rule of a DAG is broken by it, so it is reported apart (metrics.md).
    """
    if plan.response is None:
        return [Problem("no_response", None, "no task has the id 'response'")]
    if RESPONSE in topology(plan).stuck:
        detail = "the response waits for what can never be done"
        return [Problem("response_unreachable", RESPONSE, detail)]
    return []


def is_valid(plan: Plan) -> bool:
    """Say whether a plan keeps every DAG rule."""
    return not dag_problems(plan)


def _is_plainly_sound(plan: Plan) -> bool:
    """Say whether every node can be reached, and root waits for nothing: then no rule is broken."""
    root = plan.by_id.get(ROOT)
    root_waits = root is not None and bool(root.dep)
    single = len(plan.by_id) == len(plan.nodes)
    return bool(plan.nodes) and single and not root_waits and not topology(plan).stuck


def _repeated(plan: Plan) -> list[Problem]:
    times = Counter(node.id for node in plan.nodes if node.id)
    return [
        Problem("duplicate_id", node, f"{count} tasks have the id {node!r}")
        for node, count in sorted(times.items())
        if count > 1
    ]


def _dangling(plan: Plan) -> list[Problem]:
    known = plan.by_id
    return [
        Problem("dangling_dep", node.id, f"dep {dep!r} names no task")
        for node in plan.nodes
        for dep in dict.fromkeys(node.dep)
        if dep not in known and dep != ROOT
    ]


def _cycles(plan: Plan) -> list[Problem]:
    """Return a problem for every self-loop, and one for a longer cycle if there is any."""
    problems = [
        Problem("self_loop", node.id, "the node depends on itself")
        for node in plan.nodes
        if node.id in node.dep
    ]
    graph: dict[str, set[str]] = {}
    for node in plan.nodes:
        graph.setdefault(node.id, set()).update(dep for dep in node.dep if dep != node.id)
    sorter: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter()
    for name in sorted(graph):
        sorter.add(name, *sorted(graph[name]))
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        cycle = error.args[1]
        problems.append(Problem("cycle", min(cycle), f"cycle {' → '.join(_shortened(cycle))}"))
    return problems


def _shortened(cycle: list[str]) -> list[str]:
    return cycle if len(cycle) <= 8 else [*cycle[:6], "…", cycle[-1]]
