"""Tool_select_Error: a listed tool, but not the right one, with its own arguments."""

import random
import re
from typing import Any, Final

from build.injectors.balance import balanced
from build.injectors.consequences import can_be_undone, has_effect
from build.injectors.fitting import (
    Given,
    fit,
    from_arguments,
    from_result,
    is_planned,
    parameters,
    takes_one_of,
)
from build.injectors.outages import keeps_faults
from build.injectors.scene import Injection, Injector, Place, Scene
from build.injectors.slots import resolved, slots
from trajectory.arguments import find_faults
from trajectory.error_types import ErrorType
from trajectory.plan import Node

# Of each variety, so many tools are offered for a call: those that are most like the right one.
_NEAREST: Final = 2


def _places(scene: Scene) -> list[Place]:
    places = []
    for node in scene.calls:
        offered: dict[str, list[str]] = {}
        for tool in _mistakable(scene, node):
            offered.setdefault(_how(scene, node.name or "", tool), []).append(tool)
        places += [
            Place(node.id, tool, how)
            for how, tools in sorted(offered.items())
            for tool in tools[:_NEAREST]
        ]
    return balanced(scene, places)


def _mistakable(scene: Scene, node: Node) -> list[str]:
    """Return the other tools that can do with a value of the right call, the most alike first."""
    right, given = node.name or "", [*from_arguments(scene, node), *_earlier(scene, node)]
    others = (
        name
        for name in scene.stage.catalogue.names
        if name != right and takes_one_of(scene.stage, name, given)
    )
    return sorted(others, key=lambda name: (-_likeness(scene, right, name), name))


def _likeness(scene: Scene, right: str, wrong: str) -> float:
    """Say how easily a tool is taken for another: by its name, what it takes and what it gives."""
    words, takes, gives = ((of(scene, right), of(scene, wrong)) for of in (_words, _taken, _given))
    return sum(len(a & b) / max(1, len(a | b)) for a, b in (words, takes, gives))


def _words(scene: Scene, tool: str) -> set[str]:
    return {*re.split(r"[_.\W]+", tool.lower())}


def _taken(scene: Scene, tool: str) -> set[str]:
    return {parameter.means for parameter in parameters(scene.stage, tool).values()}


def _given(scene: Scene, tool: str) -> set[str]:
    known = scene.stage.world_tools.get(tool)
    return {output.means for output in known.outputs} if known is not None else set()


def _how(scene: Scene, right: str, wrong: str) -> str:
    """Name the kind of mistake that takes one tool for another."""
    if wrong in {node.name for node in scene.stage.gold.plan}:
        return "used_elsewhere"
    if has_effect(scene.stage, right):
        return "other_effect" if has_effect(scene.stage, wrong) else "find_for_create"
    if has_effect(scene.stage, wrong):
        return "create_for_find"
    known = scene.stage.world_tools
    if right in known and known[right].world != known[wrong].world:
        return "other_place"
    return "sibling"


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    node, tool = scene.plan.by_id[place.node], place.part
    arguments = _arguments(scene, node, tool, rng)
    if arguments is None or is_planned(scene, tool, arguments):
        return None
    edit = {"op": "set_tool", "node": node.id, "tool": tool, "arguments": arguments}
    injection = Injection(ErrorType.TOOL_SELECT, node.id, place.how, (edit,))
    return injection if _is_harmless(scene, injection, tool) else None


def _arguments(scene: Scene, node: Node, tool: str, rng: random.Random) -> Any:
    """Return arguments for the wrong tool, or None.

    Where results are only recorded, a call that the tool takes would show nothing: the right
    arguments stay, where its schema refuses them.
    """
    if not scene.stage.world_tools:
        given = resolved(scene, node.para)
        return node.para if find_faults(scene.stage.catalogue.named(tool)[0], given) else None
    own, misfits = from_arguments(scene, node), _freely_said(scene, node)
    return fit(scene, tool, (own, _earlier(scene, node)), rng, misfits=misfits)


def _is_harmless(scene: Scene, injection: Injection, tool: str) -> bool:
    """Say whether the wrong call changes nothing that can't be undone, and no fault meets it."""
    after = scene.after(injection)
    if not keeps_faults(scene, after):
        return False
    if not has_effect(scene.stage, tool) or can_be_undone(scene.stage, tool):
        return True
    last = after.run.ledger.last(injection.root_cause)
    return last is not None and last.outcome != "ok"


def _freely_said(scene: Scene, node: Node) -> list[Given]:
    """Return the arguments that are of no fixed list: such a value is taken for another."""
    fixed = {slot.name for slot in slots(scene, node) if "enum" in slot.schema}
    return [given for given in from_arguments(scene, node) if given.name not in fixed]


def _earlier(scene: Scene, node: Node) -> list[Given]:
    """Return what the calls that a node waits for give."""
    above = scene.found.ancestors(node.id)
    return [
        given for other in scene.calls if other.id in above for given in from_result(scene, other)
    ]


INJECTOR = Injector(ErrorType.TOOL_SELECT, _places, _put)
