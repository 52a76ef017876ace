"""Toolcall_Missing: a needed call is not in the plan; what took from it makes do."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from build.injectors.balance import balanced
from build.injectors.consequences import mended
from build.injectors.fitting import drawn, from_result, is_said
from build.injectors.outages import keeps_faults
from build.injectors.placeholders import placeholders
from build.injectors.scene import Injection, Injector, Place, Scene
from build.injectors.slots import Slot, slots
from diagnosis.affected import affected
from diagnosis.edits import Edit
from environment.meanings import fits
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.plan import RESPONSE, Node
from trajectory.references import KEY, references

_TRIES: Final = 20
_LEFT_OUT: Final = object()


class _Gap(NamedTuple):
    """Where a value of the missing call was wanted: the call, and the slot of who took it."""

    scene: Scene
    gone: Node
    slot: Slot

    def may_take(self, value: Any) -> bool:
        """Say whether data in the place of the value are untrue, and not the request's own."""
        true = canonical.same(value, self.slot.true)
        return not true and not is_said(value, self.scene.stage.gold.query)


# Each fill returns what stands in a gap; it raises LookupError where there is nothing fitting.
_Fill = Callable[[_Gap, random.Random], Any]


def _invented(gap: _Gap, rng: random.Random) -> Any:
    """Draw another value of the same meaning."""
    tool, means = gap.slot.node.name or "", gap.slot.means
    if means is not None:
        for _ in range(_TRIES):
            value = drawn(gap.scene.stage, tool, means, rng)
            if gap.may_take(value):
                return value
    raise LookupError("no other value of that meaning")


def _made_up(gap: _Gap, rng: random.Random) -> Any:
    """Make a value of the same form: another number, another day, an id that nothing has."""
    for _ in range(_TRIES):
        value = _of_same_form(gap.slot.true, rng)
        if gap.may_take(value):
            return value
    raise LookupError("no other value of that form")


def _of_same_form(value: Any, rng: random.Random) -> Any:
    if isinstance(value, list):
        return [_of_same_form(item, rng) for item in value]
    if isinstance(value, bool) or value is None:
        raise LookupError("it has no form of its own")
    if isinstance(value, int):
        return max(1, value + rng.choice((-20, -10, -3, -2, -1, 1, 2, 3, 10, 20)))
    if isinstance(value, float):
        return round(value * rng.choice((0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 2)), 2)
    if isinstance(value, str) and re.search(r"\d", value):
        return _text_of_same_form(value, rng)
    raise LookupError("it has no form of its own")


def _text_of_same_form(value: str, rng: random.Random) -> str:
    try:
        return (date.fromisoformat(value) + timedelta(rng.choice((-7, -1, 1, 2, 7)))).isoformat()
    except ValueError:
        return re.sub(r"(?<=-)[0-9a-f]{8}|\d+", lambda match: _digits(match[0], rng), value)


def _digits(digits: str, rng: random.Random) -> str:
    known = "0123456789" if digits.isdecimal() else "0123456789abcdef"
    return "".join(rng.choice(known) for _ in digits)


def _earlier(gap: _Gap, rng: random.Random) -> Any:
    """Take an earlier result that means the same, one that the consumer does not have yet."""
    scene, means = gap.scene, "" if gap.slot.means is None else gap.slot.means.means
    above = scene.found.ancestors(gap.gone.id) | scene.found.ancestors(gap.slot.node.id)
    behind = {id for id in above if gap.gone.id in scene.found.ancestors(id)}
    taken = {(found.node, found.path) for found in references(gap.slot.node.para)}
    fitting = [
        given.written
        for other in scene.calls
        if other.id in above - behind - {gap.gone.id}
        for given in from_result(scene, other)
        if fits(given.means, means)
        and not canonical.same(given.value, gap.slot.true)
        and (other.id, given.written.get("path", "")) not in taken
    ]
    return _one_of(fitting, rng)


def _handed_on(gap: _Gap, rng: random.Random) -> Any:
    """Take what the missing call would have taken, as if it were its result."""
    true = gap.slot.true
    taken = [
        slot.value
        for slot in slots(gap.scene, gap.gone)
        if slot.is_referred
        and isinstance(slot.true, type(true))
        and not canonical.same(slot.true, true)
    ]
    return _one_of(taken, rng)


def _one_of(values: Sequence[Any], rng: random.Random) -> Any:
    if not values:
        raise LookupError("there is none")
    return rng.choice(values)


def _placeholder(gap: _Gap, rng: random.Random) -> Any:
    """Write words for the value."""
    return placeholders(gap.scene, gap.slot, rng)[0]


def _left_out(gap: _Gap, rng: random.Random) -> Any:
    return _LEFT_OUT


_FILLS: Final[Mapping[str, _Fill]] = {
    "invented": _invented,
    "made_up": _made_up,
    "earlier": _earlier,
    "handed_on": _handed_on,
    "placeholder": _placeholder,
    "left_out": _left_out,
}
# As the fill of the same name, but what takes it does not wait for what the missing call awaited.
_AT_ONCE: Final = {
    "invented_at_once": "invented",
    "made_up_at_once": "made_up",
    "placeholder_at_once": "placeholder",
}
_ABSENT: Final = "absent"


def _places(scene: Scene) -> list[Place]:
    places = (
        Place(node.id, how=how)
        for node in scene.calls
        if _is_free(scene, node)
        for how in _hows(scene, node)
    )
    return balanced(scene, places)


def _hows(scene: Scene, node: Node) -> list[str]:
    if not _takers(scene, node):
        return [_ABSENT]
    waits = bool(scene.found.deps[node.id])
    return [*_FILLS, *(_AT_ONCE if waits else ())]


def _is_free(scene: Scene, node: Node) -> bool:
    """Say whether a call is the only one of its purpose, and nothing wrong hangs on it."""
    attempts = [id for id in scene.found.calls if scene.purpose(id) == node.id]
    sound = {call.id for call in scene.calls} | ({RESPONSE} - scene.touched)
    return attempts == [node.id] and sound.issuperset(_consumers(scene, node))


def _consumers(scene: Scene, node: Node) -> set[str | None]:
    """Return who waits for a node or refers to it, and who should; None for who is not there."""
    needing = [id for id, deps in scene.wanted.deps.items() if node.id in (deps or ())]
    waiting = [
        other.id
        for other in scene.plan
        if node.id in other.dep or node.id in {found.node for found in references(other.para)}
    ]
    return {*waiting, *(id if id == RESPONSE else scene.newest(id) for id in needing)}


def _takers(scene: Scene, node: Node) -> list[Node]:
    """Return the calls that refer to a node."""
    return [
        call for call in scene.calls if node.id in {found.node for found in references(call.para)}
    ]


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    gone = scene.plan.by_id[place.node]
    edits: list[Edit] = [{"op": "remove_node", "node": gone.id}]
    try:
        for taker in _takers(scene, gone):
            edits += _filled(scene, gone, taker, _AT_ONCE.get(place.how, place.how), rng)
            edits += _unwaited(gone, taker) if place.how in _AT_ONCE else ()
    except LookupError:
        return None
    injection = Injection(ErrorType.MISSING_CALL, _first(scene, gone.id), place.how, tuple(edits))
    shows = place.how != _ABSENT or _reaches(scene, injection)
    return injection if shows and keeps_faults(scene, scene.after(injection)) else None


def _first(scene: Scene, purpose: str) -> str:
    """Return the first node that needs a call."""
    deps = scene.wanted.deps
    first = next(node for node in scene.wanted.order if purpose in (deps[node] or ()))
    return scene.newest(first) or first


def _reaches(scene: Scene, injection: Injection) -> bool:
    """Say whether a call whose result nobody takes is missed by any other call."""
    clean = mended(scene)
    return bool(affected(clean.run, clean.after(injection).run, scene.purposes, ()))


def _filled(scene: Scene, gone: Node, taker: Node, how: str, rng: random.Random) -> Iterator[Edit]:
    """Yield the edits that fill the gaps in the arguments of a call."""
    para: Any = taker.para
    # The last first: what is left out moves what comes after it.
    for slot in reversed([*slots(scene, taker)]):
        if slot.is_referred and slot.value[KEY] == gone.id:
            para = _with(para, slot.path, _FILLS[how](_Gap(scene, gone, slot), rng))
    before = taker.para if isinstance(taker.para, dict) else {}
    for name, value in sorted(before.items()):
        edit = {"node": taker.id, "parameter": name}
        if name not in para:
            yield {"op": "remove_argument", **edit}
        elif para[name] != value:
            yield {"op": "set_argument", **edit, "value": para[name]}


def _with(whole: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a value with another one at a path inside it, or without it where it is left out."""
    copy: Any = dict(whole) if isinstance(whole, dict) else list(whole)
    if path[1:]:
        copy[path[0]] = _with(whole[path[0]], path[1:], value)
    elif value is _LEFT_OUT:
        del copy[path[0]]
    else:
        copy[path[0]] = value
    return copy


def _unwaited(gone: Node, taker: Node) -> Iterator[Edit]:
    """Take back the deps that a consumer inherits and has no use for itself."""
    for dep in gone.dep:
        if dep not in taker.dep:
            yield {"op": "remove_edge", "node": taker.id, "dep": dep}


INJECTOR = Injector(ErrorType.MISSING_CALL, _places, _put)
