"""Toolcall_Redundancy: a call too many, where it costs a round or leaves a wrong effect.

Either a call stands in the way, between what it waits for and what then waits for it, on the
longest way through the plan; or it has an effect that nobody asked for, which a listed tool
takes back.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from build.injectors.balance import balanced
from build.injectors.consequences import can_be_undone, has_effect, mended, rounds, run_of
from build.injectors.fitting import (
    Given,
    drawn,
    fit,
    from_arguments,
    from_result,
    is_planned,
    parameters,
    takes_one_of,
)
from build.injectors.outages import keeps_faults
from build.injectors.scene import Injection, Injector, Place, Scene
from diagnosis.edits import Edit, EditError, apply_edits
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, ROOT, Node, Plan
from trajectory.references import Reference, reference, references, resolve


class _Call(NamedTuple):
    """A needless call; takers: nodes that take from it what they took from the node in `dep`."""

    tool: str
    arguments: Any
    dep: Sequence[str]
    consumers: Sequence[str]
    takes: bool = False


# Each way returns the needless call for a place, or None.
_Way = Callable[[Scene, Place, random.Random], _Call | None]


def _again(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Make a call once more before going on."""
    node = scene.plan.by_id[place.part]
    return _Call(node.name or "", node.para, [node.id], [place.node])


def _again_taken(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Make a call once more and go on with the second result."""
    node = scene.plan.by_id[place.part]
    return _Call(node.name or "", node.para, [node.id], [place.node], takes=True)


def _for_all(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Make a call once more before anything goes on: all take the second result."""
    node = scene.plan.by_id[place.node]
    return _Call(node.name or "", node.para, [node.id], _waiting(scene, node), takes=True)


def _waiting(scene: Scene, node: Node) -> list[str]:
    return sorted(other.id for other in scene.plan if node.id in other.dep)


def _other_values(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Ask the same tool for something else as well."""
    node = scene.plan.by_id[place.part]
    tool, para = node.name or "", node.para if isinstance(node.para, dict) else {}
    known = parameters(scene.stage, tool)
    literal = sorted(name for name in para if not any(references(para[name])))
    for name in rng.sample(literal, len(literal)):
        try:
            arguments = {**para, name: drawn(scene.stage, tool, known[name], rng)}
        except LookupError:
            continue
        if not is_planned(scene, tool, arguments):
            return _Call(tool, arguments, [node.id], [place.node])
    return None


def _look_up(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Look something up that nobody asked for."""
    used = {node.name for node in scene.stage.gold.plan}
    tools = [tool for tool in _reading(scene) if tool not in used]
    said = [given for id in place[:2] for given in _said(scene, id)]
    return _looked_up(scene, place, tools, [_results(scene, place.part), said], rng)


def _check(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Look at what a call gave, to be sure."""
    given = _results(scene, place.part)
    tools = [tool for tool in _reading(scene) if takes_one_of(scene.stage, tool, given)]
    return _looked_up(scene, place, tools, [given, _said(scene, place.part)], rng)


def _looked_up(
    scene: Scene,
    place: Place,
    tools: Sequence[str],
    sorts: Sequence[Sequence[Given]],
    rng: random.Random,
) -> _Call | None:
    given = [one for sort in sorts for one in sort]
    drawn_order = rng.sample(tools, len(tools))
    for tool in sorted(drawn_order, key=lambda tool: not takes_one_of(scene.stage, tool, given)):
        arguments = fit(scene, tool, sorts, rng)
        if arguments is not None and not is_planned(scene, tool, arguments):
            return _Call(tool, arguments, [place.part], [place.node])
    return None


def _twice(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Have an effect twice, in the same round or one after the other."""
    node = scene.plan.by_id[place.node]
    dep = rng.choice([list(node.dep), [node.id]])
    return _Call(node.name or "", node.para, dep, rng.choice([[], [RESPONSE]]))


def _unasked(scene: Scene, place: Place, rng: random.Random) -> _Call | None:
    """Change something that nobody asked to change."""
    node = scene.plan.by_id[place.node]
    arguments = fit(scene, place.part, [_results(scene, node.id), _said(scene, node.id)], rng)
    if arguments is None or is_planned(scene, place.part, arguments):
        return None
    dep = [node.id] if any(references(arguments)) else list(node.dep)
    return _Call(place.part, arguments, dep, rng.choice([[], [RESPONSE]]))


_WAYS: Final[Mapping[str, _Way]] = {
    "again": _again,
    "again_taken": _again_taken,
    "for_all": _for_all,
    "other_values": _other_values,
    "look_up": _look_up,
    "check": _check,
    "twice": _twice,
    "unasked": _unasked,
}


def _reading(scene: Scene) -> list[str]:
    """Return the listed tools whose calls are known to change nothing."""
    known = scene.stage.world_tools
    names = scene.stage.catalogue.names
    return [name for name in names if name in known and not known[name].has_effect]


def _results(scene: Scene, node: str) -> list[Given]:
    return [] if node == ROOT else from_result(scene, scene.plan.by_id[node])


def _said(scene: Scene, node: str) -> list[Given]:
    """Return the literal arguments of a node."""
    found = scene.plan.by_id[node]
    given = from_arguments(scene, found) if found.is_call else []
    return [one for one in given if not any(references(one.written))]


# --- where ------------------------------------------------------------------------------------


def _places(scene: Scene) -> list[Place]:
    plans = (scene.plan, mended(scene).plan)
    places = [
        Place(consumer, producer, how)
        for consumer, producer in _gates(scene, plans)
        for how in _hows_between(scene, consumer, producer)
    ]
    sound = {*(node.id for node in scene.calls), *({RESPONSE} - scene.touched)}
    places += [
        Place(node.id, how="for_all")
        for node in scene.calls
        if not has_effect(scene.stage, node.name or "")
        and sound.issuperset(_waiting(scene, node))
        and _costs(plans, node.dep, node.id)
    ]
    if RESPONSE not in scene.touched:
        places += _places_of_effects(scene)
    return balanced(scene, places)


def _gates(scene: Scene, plans: Sequence[Plan]) -> Iterator[tuple[str, str]]:
    """Yield (consumer, producer) where one more call between the two costs a round."""
    calls = [node.id for node in scene.calls]
    for consumer in [*calls, *({RESPONSE} - scene.touched)]:
        for producer in scene.found.deps[consumer] or (ROOT,):
            sound = producer in calls or producer == ROOT
            if sound and _costs(plans, [producer], consumer):
                yield consumer, producer


def _costs(plans: Sequence[Plan], dep: Sequence[str], consumer: str) -> bool:
    """Say whether a call between these costs a round in each of the plans."""
    edit = _addition("between", _Call("", {}, dep, [consumer]))
    try:
        return all(rounds(apply_edits(plan, [edit])) > rounds(plan) for plan in plans)
    except EditError:
        return False


def _hows_between(scene: Scene, consumer: str, producer: str) -> Iterator[str]:
    if producer != ROOT:
        node = scene.plan.by_id[producer]
        if _is_harmless(scene, node.name or ""):
            yield "again"
            taken = {found.node for found in references(scene.plan.by_id[consumer].para)}
            if producer in taken:
                yield "again_taken"
        if not has_effect(scene.stage, node.name or ""):
            yield "other_values"
        yield "check"
    yield "look_up"


def _places_of_effects(scene: Scene) -> Iterator[Place]:
    changing = [
        tool
        for tool in scene.stage.catalogue.names
        if has_effect(scene.stage, tool) and can_be_undone(scene.stage, tool)
    ]
    for node in scene.calls:
        if node.name in changing:
            yield Place(node.id, how="twice")
        given = [*_results(scene, node.id), *_said(scene, node.id)]
        for tool in (tool for tool in changing if takes_one_of(scene.stage, tool, given)):
            yield Place(node.id, tool, "unasked")


def _is_harmless(scene: Scene, tool: str) -> bool:
    """Say whether a call of a tool changes nothing, or nothing that cannot be undone."""
    return not has_effect(scene.stage, tool) or can_be_undone(scene.stage, tool)


# --- putting it there -------------------------------------------------------------------------


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    call = _WAYS[place.how](scene, place, rng)
    if call is None:
        return None
    new = scene.free_id()
    edits = (_addition(new, call), *(_taking(scene, new, call) if call.takes else ()))
    injection = Injection(ErrorType.REDUNDANT_CALL, new, place.how, edits)
    return injection if _counts(scene, injection) else None


def _addition(new: str, call: _Call) -> Edit:
    return {
        "op": "add_node",
        "node": new,
        "tool": call.tool,
        "arguments": call.arguments,
        "dep": list(call.dep),
        "consumers": list(call.consumers),
    }


def _taking(scene: Scene, new: str, call: _Call) -> Iterator[Edit]:
    """Let the consumers refer to the new node, and wait for it, in place of the one it repeats."""
    (old,) = call.dep

    def moved(found: Reference) -> dict[str, str]:
        return reference(new if found.node == old else found.node or "", found.path)

    for consumer in call.consumers:
        para = scene.plan.by_id[consumer].para
        for name, value in sorted(para.items() if isinstance(para, dict) else ()):
            taken = resolve(value, moved)
            if taken != value:
                yield {"op": "set_argument", "node": consumer, "parameter": name, "value": taken}
        yield {"op": "remove_edge", "node": consumer, "dep": old}


def _counts(scene: Scene, injection: Injection) -> bool:
    """Say whether the call succeeds, and costs a round or leaves an effect.

    All that both beside the errors that are there already and once these are mended.
    """
    new, clean = injection.root_cause, mended(scene)
    after, clean_after = scene.after(injection), clean.after(injection)
    run, state = run_of(clean_after)
    tried = (run.ledger.last(new), after.run.ledger.last(new))
    if any(last is None or last.outcome != "ok" for last in tried):
        return False
    costs = rounds(after.plan) > rounds(scene.plan) and rounds(clean_after.plan) > rounds(
        clean.plan
    )
    return (costs or state != run_of(clean)[1]) and keeps_faults(scene, after)


INJECTOR = Injector(ErrorType.REDUNDANT_CALL, _places, _put)
