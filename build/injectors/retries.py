"""Retries: what no error is, but part of a trajectory: a call failed, and was tried again."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from build.injectors.outages import alone, fault_at
from build.injectors.scene import Scene
from diagnosis.affected import affected
from diagnosis.edits import apply_edits
from diagnosis.labels import labels
from environment.executor import Execution
from environment.faults import Fault, Kind
from trajectory.plan import Node

_KINDS: Final[Sequence[Kind]] = ("timeout", "timeout", "null", "empty_text", "empty_list")


def with_retries(scene: Scene, rng: random.Random, most: int = 2) -> Scene | None:
    """Return the trajectory with one of its calls answered by a fault and rightly tried again.

    most: failed attempts. Each has a node that waits for it and tries again; who waited for
    the call, or referred to it, does so for the last of these. It still reaches the goal,
    without an error. None where no call of the trajectory fits.
    """
    nodes = alone(scene)
    for node in rng.sample(nodes, len(nodes)):
        kind = rng.choice(_KINDS)
        for length in rng.sample(range(1, most + 1), most):
            found = _retried(scene, node, fault_at(scene, node, length, kind))
            if found is not None:
                return found
    return None


def _retried(scene: Scene, node: Node, fault: Fault) -> Scene | None:
    new, attempts = replace(scene, faults=(*scene.faults, fault)), [node.id]
    for _ in range(fault.length):
        edit = {"op": "retry", "node": attempts[-1], "new": new.free_id()}
        attempts.append(new.free_id())
        purposes = {**new.purposes, attempts[-1]: scene.purpose(node.id)}
        new = replace(new, plan=apply_edits(new.plan, [edit]), purposes=purposes)
    failed = {*_failed(scene.run), *attempts[:-1]}
    return new if _failed(new.run) == failed and _is_right(new) else None


def _failed(run: Execution) -> set[str]:
    return {entry.node for entry in run.ledger if entry.outcome != "ok"}


def _is_right(scene: Scene) -> bool:
    """Say whether every call gives in the end what it gives in the gold run, without an error."""
    run = scene.run
    found = affected(scene.stage.gold_run, run, scene.purposes, ())
    reached = run.completed and not found.now and not found.later
    return reached and not labels(scene.case(run.ledger))
