"""Parameter_Invalid: right in type, and illegal for the tool or untrue to request and results."""

from collections.abc import Iterator
from typing import Any

from build.injectors.illegal import ILLEGAL
from build.injectors.scene import Scene
from build.injectors.slots import Slot, arguments_with, faults_with, with_value
from build.injectors.spoiling import spoiling
from build.injectors.untrue import UNTRUE
from diagnosis.evidence import stands_in
from environment import literals
from environment.meanings import say_date
from environment.simulation import base_tables, read_setting
from environment.state import State, View
from environment.world import ToolError, WorldTool
from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.references import KEY, is_reference


def _holds(scene: Scene, slot: Slot, value: Any) -> bool:
    """Say whether a value is wrong in the slot, and nothing is lost by it for good.

    A value that the schema allows must change what happens, and is put only where the tool
    really runs; one that goes into a call which can't be taken back must be refused by it.
    """
    if any(_is_said(scene, slot, part) for part in _new_parts(value, slot.true)):
        return False
    try:
        kinds = {fault.kind for fault in faults_with(scene, slot, value)}
        given = arguments_with(scene, slot, value)
    except LookupError:
        # A reference to nothing: the call fails wherever it stands.
        return True
    if kinds:
        return kinds == {"bad_value"}
    known = scene.stage.world_tools.get(slot.node.name or "")
    right = scene.arguments(slot.node.id)
    if known is None or canonical.same(given[slot.argument], right[slot.argument]):
        return False
    if known.has_effect and not _can_be_undone(scene, known):
        return _is_refused(scene, slot, value)
    return _matters(scene, known, right, given)


# --- what the request says -------------------------------------------------------------------


def _new_parts(value: Any, true: Any) -> Iterator[Any]:
    """Yield the plain values in a value that the true one does not have."""
    old = {canonical.dumps(part) for part in _parts(true)}
    yield from (part for part in _parts(value) if canonical.dumps(part) not in old)


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list) and not is_reference(value):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _parts(part)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def _is_said(scene: Scene, slot: Slot, value: Any) -> bool:
    """Say whether the request holds a value in words that could mean it."""
    words = {str(value), canonical.dumps(value).strip('"'), say_date(str(value))}
    if slot.means is not None and not isinstance(slot.true, dict | list):
        words.add(literals.words(slot.means, value))
    capital = {text[:1].upper() + text[1:] for text in words}
    return any(stands_in(text, scene.stage.gold.query) for text in words | capital)


# --- what it does ----------------------------------------------------------------------------


def _can_be_undone(scene: Scene, tool: WorldTool) -> bool:
    return tool.undo is not None and tool.undo.tool in scene.stage.catalogue.names


def _is_refused(scene: Scene, slot: Slot, value: Any) -> bool:
    """Say whether the call fails by this value alone, all else as in the gold plan."""
    gold, purpose = scene.stage.gold.plan, scene.purpose(slot.node.id)
    right = gold.by_id[purpose]
    if not isinstance(right.para, dict):
        return False
    para = {**right.para, slot.argument: _in_gold(scene, with_value(slot, value))}
    run = scene.stage.run(gold.change({purpose: right.change(para=para)}))
    last = run.ledger.last(purpose)
    return last is not None and last.outcome == "failed"


def _in_gold(scene: Scene, value: Any) -> Any:
    """Return a value with its references to nodes of the gold plan."""
    if is_reference(value):
        return {**value, KEY: scene.purpose(value[KEY])}
    if isinstance(value, dict):
        return {name: _in_gold(scene, part) for name, part in value.items()}
    return [_in_gold(scene, part) for part in value] if isinstance(value, list) else value


def _matters(scene: Scene, tool: WorldTool, right: dict[str, Any], given: dict[str, Any]) -> bool:
    """Say whether other arguments change what a call gives or does.

    The call is tried on the worlds as they begin; where even the right one fails there, since
    it needs what an earlier call makes, that stays open.
    """
    wanted, found = _outcome(scene, tool, right), _outcome(scene, tool, given)
    if wanted is None or found is None:
        return wanted is None or found is not wanted
    if tool.has_effect:
        return not canonical.same(tool.counted(right), tool.counted(given))
    return not canonical.same(wanted, found)


def _outcome(scene: Scene, tool: WorldTool, arguments: dict[str, Any]) -> Any:
    """Return what a call gives in the worlds as they begin; None where the tool refuses."""
    tables = base_tables(read_setting(scene.stage.gold.origin))
    try:
        return tool.body(View(State(tables), tool.world), **arguments)
    except (ToolError, ArithmeticError, ValueError):
        return None


INJECTOR = spoiling(ErrorType.PARAMETER_INVALID, {**ILLEGAL, **UNTRUE}, _holds)
