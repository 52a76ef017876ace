"""What an injector looks at, and what it says it did: the one shape of all fourteen.

An injector finds the places where its type can be put into a trajectory, and puts it there: as
edits of the plan, or as a fault of the environment. What follows from these is never written
by hand: the executor makes it, and the labels, the reach and the repairs of the error are
worked out from it without the injector (semantics.md, "The proof").
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from build.gold import Gold
from diagnosis.edits import Edit, apply_edits
from diagnosis.labels import Case
from diagnosis.trial import Branching
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from environment.faults import Fault
from environment.ledger import Ledger
from environment.world import Parameter, WorldTool
from trajectory.error_types import ErrorType
from trajectory.graph import Topology, topology
from trajectory.plan import Node, Plan
from trajectory.tools import Catalogue, Tool

MakeEnvironment = Callable[[tuple[Fault, ...]], Branching]


@dataclass(frozen=True)
class Stage:
    """A task that trajectories are made of.

    gold: the task. catalogue: its tools. world_tools: what they are where they really run, by
    name; empty where results are only recorded. environment: makes it, as it begins, with
    these faults scheduled.
    """

    gold: Gold
    catalogue: Catalogue
    world_tools: Mapping[str, WorldTool]
    environment: MakeEnvironment

    def run(self, plan: Plan, faults: tuple[Fault, ...] = ()) -> Execution:
        """Carry a plan on from its start to its end."""
        start = start_of(Snapshot(plan, (), ()))
        return execute(start, carry_on, self.environment(faults))

    @cached_property
    def gold_run(self) -> Execution:
        """The run of the gold plan."""
        return self.run(self.gold.plan)

    @cached_property
    def results(self) -> Mapping[str, Any]:
        """Node of the gold plan → its result."""
        return {entry.node: entry.result for entry in self.gold_run.ledger}

    @cached_property
    def arguments(self) -> Mapping[str, Any]:
        """Node of the gold plan → its arguments, references resolved."""
        return {entry.node: entry.arguments for entry in self.gold_run.ledger}

    def parameter(self, tool: str, name: str) -> Parameter | None:
        """Return what a parameter means; None where only its schema is known."""
        known = self.world_tools.get(tool)
        return None if known is None else known.parameters.get(name)


class Place(NamedTuple):
    """Where an error can be put: a node of the plan, and what else the injector must know.

    part: a parameter, a dep, another node or tool. how: the variety, where the place decides it.
    """

    node: str
    part: str = ""
    how: str = ""


@dataclass(frozen=True)
class Injection:
    """What an injector did.

    root_cause: by the rules of semantics.md; compared with what the labels say. edits: of the
    scene's plan, in the language of `diagnosis.edits`. fault: of the environment. purposes: of
    nodes it added for the same as a node of the gold plan → that node. how: which variety it
    is, for the build's figures; it reaches no instance.
    """

    type: ErrorType
    root_cause: str
    how: str
    edits: tuple[Edit, ...] = ()
    fault: Fault | None = None
    purposes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """A trajectory on its way: the whole plan as an agent made it, run from scratch.

    plan: the gold plan with its retries and with the errors put in so far; all statuses are
    false but root's. purposes: node of the plan → node of the gold plan; a node without an
    entry has the purpose of its own id. faults: scheduled so far. touched: nodes that have an
    error already, or whose edges have; a further error keeps away from them.
    """

    stage: Stage
    plan: Plan
    purposes: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    touched: frozenset[str] = frozenset()

    @cached_property
    def run(self) -> Execution:
        """The plan carried on from its start to its end."""
        return self.stage.run(self.plan, self.faults)

    def case(self, ledger: Ledger) -> Case:
        """Return what labels are read from, where so much has run."""
        gold, results = self.stage.gold.plan, self.stage.results
        return Case(gold, self.plan, self.purposes, self.stage.catalogue, ledger, results)

    @cached_property
    def found(self) -> Topology:
        """The topology of the plan."""
        return topology(self.plan)

    @cached_property
    def wanted(self) -> Topology:
        """The topology of the gold plan."""
        return topology(self.stage.gold.plan)

    def purpose(self, node: str) -> str:
        """Return what a node is for: a node of the gold plan, or itself where it is needless."""
        return self.purposes.get(node, node)

    def newest(self, purpose: str) -> str | None:
        """Return the newest node of the plan for a node of the gold plan."""
        return next(
            (node for node in reversed(self.found.order) if self._is_for(node, purpose)), None
        )

    def _is_for(self, node: str, purpose: str) -> bool:
        return node in self.found.calls and self.purpose(node) == purpose

    @cached_property
    def calls(self) -> tuple[Node, ...]:
        """The calls where an error can lie: the newest of each purpose, untouched, sorted by id."""
        gold = sorted(node.id for node in self.stage.gold.plan if node.is_call)
        newest = sorted(node for node in map(self.newest, gold) if node is not None)
        return tuple(self.plan.by_id[node] for node in newest if node not in self.touched)

    def tool(self, node: Node) -> Tool:
        """Return the listed tool of a node; raises IndexError where its name is in no list."""
        return self.stage.catalogue.named(node.name or "")[0]

    def arguments(self, node: str) -> Any:
        """Return the arguments that a node's purpose has in the gold run, references resolved."""
        return self.stage.arguments[self.purpose(node)]

    def result(self, node: str) -> Any:
        """Return the result that a node's purpose has in the gold run."""
        return self.stage.results[self.purpose(node)]

    def free_id(self) -> str:
        """Return an id that no node of the plan or of the gold plan has."""
        taken = self.plan.by_id.keys() | self.stage.gold.plan.by_id.keys()
        numbers = [int(id) for id in taken if id.isdecimal()]
        return str(max(numbers, default=0) + 1)

    def after(self, injection: Injection) -> "Scene":
        """Return the trajectory with this error in it; raises EditError where edits don't fit."""
        plan = apply_edits(self.plan, injection.edits)
        changed = {node.id for node in plan if self.plan.by_id.get(node.id) != node}
        gone = self.plan.by_id.keys() - plan.by_id.keys()
        return replace(
            self,
            plan=plan,
            purposes={**self.purposes, **injection.purposes},
            faults=self.faults if injection.fault is None else (*self.faults, injection.fault),
            touched=self.touched | changed | gone | {injection.root_cause},
        )


class Injector(NamedTuple):
    """One way a trajectory goes wrong.

    places: where it can be put, in a stable order. put: puts it at one of these places, drawing
    what is to be drawn; None where nothing fitting could be drawn.
    """

    type: ErrorType
    places: Callable[[Scene], list[Place]]
    put: Callable[[Scene, Place, random.Random], Injection | None]
