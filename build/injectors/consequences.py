"""What comes of an error that is to be put in: effects, rounds, and without the other errors."""

from build.injectors.scene import Scene, Stage
from diagnosis.edits import apply_edits
from environment.executor import Execution, Snapshot, carry_on, execute, start_of
from trajectory.graph import topology
from trajectory.plan import RESPONSE, Plan


def has_effect(stage: Stage, tool: str) -> bool:
    """Say whether a listed tool changes the state; of a tool known by its schema it isn't known."""
    known = stage.world_tools.get(tool)
    return known is not None and known.has_effect


def can_be_undone(stage: Stage, tool: str) -> bool:
    """Say whether a listed tool takes the effect of this one back."""
    known = stage.world_tools.get(tool)
    return known is not None and known.undo is not None and known.undo.tool in stage.catalogue.names


def rounds(plan: Plan) -> int:
    """Return in how many rounds a plan runs from scratch, the response's included."""
    return topology(plan).depths()[RESPONSE] + 1


def mended(scene: Scene) -> Scene:
    """Return the trajectory without its errors: the gold plan with the retries of this one."""
    plan = scene.stage.gold.plan
    newest: dict[str, str] = {}
    for node in scene.found.order:
        purpose = scene.purpose(node)
        if node != purpose:
            edit = {"op": "retry", "node": newest.get(purpose, purpose), "new": node}
            plan = apply_edits(plan, [edit])
            newest[purpose] = node
    return Scene(scene.stage, plan, scene.purposes, scene.faults)


def run_of(scene: Scene) -> tuple[Execution, str | None]:
    """Carry a trajectory on from its start; returns the run and the digest of the state."""
    environment = scene.stage.environment(scene.faults)
    run = execute(start_of(Snapshot(scene.plan, (), ())), carry_on, environment)
    return run, environment.digest()
