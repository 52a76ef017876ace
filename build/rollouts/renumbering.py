"""New numbers for the nodes of a rollout, so that ids and their order tell nothing of its slips.

A planner numbers what it adds late behind all the rest. So its rollout up to a snapshot is played
again with its nodes numbered as those of augmented instances are: by layer, tool and arguments of
the plan that is shown. Where a tool's answer names a node, it names the new number.
"""

from typing import Any

from build.renumbering import names_of, renamed
from build.rollouts.loop import Shot, replayed
from environment.executor import Environment
from trajectory import canonical
from trajectory.plan import Plan


def as_on_disk(plan: Plan) -> Plan:
    """Return a plan whose arguments are as they are read again: 25 for 25.0."""
    return Plan(tuple(node.change(para=_read_again(node.para)) for node in plan), plan.problems)


def _read_again(para: Any) -> Any:
    return canonical.loads(canonical.dumps(para))


def renumbered(shot: Shot, environment: Environment) -> Shot:
    """Return a snapshot as it is when its nodes have new numbers from the start.

    environment: as it was before the rollout began. A shot with ids that are no numbers, as
    models write them, comes back as it is.
    """
    nodes = {
        node.id: None for plan in shot.plans if plan is not None for node in plan if node.is_call
    }
    if not all(map(str.isdecimal, nodes)):
        return shot
    names = names_of(shot.snapshot.plan, nodes)
    plans = tuple(None if plan is None else as_on_disk(renamed(plan, names)) for plan in shot.plans)
    slips = shot.slips and tuple(slip._replace(node=names[slip.node]) for slip in shot.slips)
    return Shot(replayed(plans, environment), slips, plans)
