"""Outages: a tool that doesn't answer, or answers with nothing, placed by the rule for faults."""

import random
from collections.abc import Sequence
from dataclasses import replace

from build.injectors.scene import Injection, Injector, Place, Scene
from environment.faults import Fault, Kind
from environment.ledger import Entry
from trajectory.arguments import check_call
from trajectory.error_types import ErrorType
from trajectory.plan import Node
from trajectory.references import references

_LENGTHS = (1, 2, 3)

Tries = dict[int, list[str]]


def outages(type: ErrorType, kinds: Sequence[Kind]) -> Injector:
    """Return the injector of faults of these kinds, after which the agent just went on."""
    return Injector(type, _places, lambda scene, place, rng: _put(scene, place, rng, type, kinds))


def alone(scene: Scene) -> list[Node]:
    """Return the calls that a fault can answer: right ones, each the only one of its round.

    Right ones have succeeded; a tool with a fault gets no further one.
    """
    faulty = {fault.tool for fault in scene.faults}
    return [
        node
        for node in scene.calls
        if node.name not in faulty
        and (last := scene.run.ledger.last(node.id)) is not None
        and last.outcome == "ok"
        and tries(scene, last.tool).get(last.round) == [node.id]
    ]


def tries(scene: Scene, tool: str) -> Tries:
    """Return the try-rounds of a tool: round → the nodes tried in it, in order."""
    found: Tries = {}
    for entry in scene.run.ledger:
        if entry.tool == tool and _reaches(scene, entry):
            found.setdefault(entry.round, []).append(entry.node)
    return found


def answered(scene: Scene, fault: Fault) -> list[list[str]]:
    """Return the nodes that a fault answers, round by round."""
    rounds = [*tries(scene, fault.tool).values()]
    return rounds[fault.first - 1 : fault.first - 1 + fault.length]


def keeps_faults(scene: Scene, new: Scene) -> bool:
    """Say whether the faults of a trajectory still answer the same after an error is put in.

    Else a call would fail that nobody tries again, or one be tried again that has not failed.
    """
    return all(answered(scene, fault) == answered(new, fault) for fault in scene.faults)


def _reaches(scene: Scene, entry: Entry) -> bool:
    """Say whether a call passed name, references and schema."""
    # Arguments that still hold a reference are those of a call that never ran.
    unresolved = any(references(entry.arguments))
    return not (unresolved or check_call(scene.stage.catalogue, entry.tool, entry.arguments))


def fault_at(scene: Scene, node: Node, length: int, kind: Kind) -> Fault:
    """Return the fault that answers a node, and its tool in the try-rounds that follow."""
    tool = node.name or ""
    first = [*tries(scene, tool).values()].index([node.id])
    return Fault(tool, first + 1, length, kind)


def _places(scene: Scene) -> list[Place]:
    return [Place(node.id) for node in alone(scene)]


def _put(
    scene: Scene, place: Place, rng: random.Random, type: ErrorType, kinds: Sequence[Kind]
) -> Injection | None:
    node, kind = scene.plan.by_id[place.node], rng.choice(kinds)
    for length in rng.sample(_LENGTHS, len(_LENGTHS)):
        fault = fault_at(scene, node, length, kind)
        injection = Injection(type, node.id, f"{kind}_{length}", fault=fault)
        new = scene.after(injection)
        rounds = answered(new, fault)
        if all(len(nodes) == 1 for nodes in rounds) and keeps_faults(scene, new):
            how = f"{injection.how}_sibling" if len(rounds) > 1 else injection.how
            return replace(injection, how=how)
    return None
