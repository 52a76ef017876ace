"""Values for a sketch: literals are drawn and calls run, layer by layer, until each works."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from build.seeds.sketch import DeadEndError, Sketch, Source, Step
from environment import literals
from environment.simulation import Setting, base_tables
from environment.state import State, View
from environment.world import Parameter, ToolError
from trajectory import canonical
from trajectory.arguments import check_arguments
from trajectory.calls import call_outcome
from trajectory.references import follow

_TRIES = 6


@dataclass
class Filled:
    """What was decided for one step: resolved arguments, which of them are literal, the result."""

    step: Step
    arguments: dict[str, Any]
    literals: dict[str, Any]
    result: Any


def fill(sketch: Sketch, setting: Setting, rng: random.Random) -> list[Filled]:
    """Return the steps with their values, in an order in which they can run.

    Raises DeadEndError where a call finds no arguments with which it works.
    """
    state = State(base_tables(setting))
    done: dict[int, Filled] = {}
    seen: set[tuple[str, str]] = set()
    given: set[tuple[str, str, str]] = set()
    for layer in sketch.ordered():
        after = state.fork()
        for step in layer:
            filled = _fill(step, sketch, _Place(state, setting, rng, given), done)
            key = (step.tool.name, canonical.dumps(filled.arguments))
            if key in seen:
                raise DeadEndError
            seen.add(key)
            done[id(step)] = filled
            if step.tool.has_effect:
                _apply(step, after, filled)
        state = after
    return list(done.values())


@dataclass
class _Place:
    state: State
    setting: Setting
    rng: random.Random
    given: set[tuple[str, str, str]]

    def is_new(self, tool: str, result: Any, paths: list[str]) -> bool:
        """Say whether a call gives other values than earlier ones of its tool, and note them."""
        values = {(tool, path, canonical.dumps(follow(result, path))) for path in paths}
        if values & self.given:
            return False
        self.given |= values
        return True


def _apply(step: Step, after: State, filled: Filled) -> None:
    """Write an effect; it must not depend on what else happens in its layer."""
    try:
        result = step.tool.body(View(after, step.tool.world), **filled.arguments)
    except ToolError:
        raise DeadEndError from None
    if not canonical.same(result, filled.result):
        raise DeadEndError


def _fill(step: Step, sketch: Sketch, place: _Place, done: dict[int, Filled]) -> Filled:
    wanted = list(_wanted_paths(step, sketch))
    if not wanted:
        wanted = [output.path for output in step.tool.outputs[:1]]
    for _ in range(_TRIES):
        drawn = _draw(step, place)
        arguments = {
            name: drawn[name] if name in drawn else _referred(source, done)
            for name, source in step.sources.items()
        }
        result = _run(step, place.state, arguments)
        if (
            result is not None
            and all(_has(result, path) for path in wanted)
            and place.is_new(step.tool.name, result, wanted)
        ):
            return _without_needless(Filled(step, arguments, drawn, result), place)
        if not drawn:
            break
    raise DeadEndError


def _without_needless(filled: Filled, place: _Place) -> Filled:
    """Leave out optional arguments without which the result is the same: nobody would say them."""
    for name in sorted(filled.literals):
        if filled.step.tool.parameters[name].optional:
            rest = {key: value for key, value in filled.arguments.items() if key != name}
            if canonical.same(_run(filled.step, place.state, rest), filled.result):
                del filled.step.sources[name], filled.literals[name]
                filled.arguments = rest
    return filled


def _draw(step: Step, place: _Place) -> dict[str, Any]:
    view = View(place.state, step.tool.world)
    return {
        name: _literal(step.tool.parameters[name], view, place)
        for name, source in step.sources.items()
        if source.step is None and not source.items
    }


def _literal(parameter: Parameter, view: View, place: _Place) -> Any:
    try:
        return literals.draw(parameter, view, place.rng, place.setting.seed)
    except LookupError:
        raise DeadEndError from None


def _referred(source: Source, done: dict[int, Filled]) -> Any:
    if source.items:
        return [_referred(item, done) for item in source.items]
    if source.step is None or source.output is None:
        raise DeadEndError
    return follow(done[id(source.step)].result, source.output.path)


def _run(step: Step, state: State, arguments: dict[str, Any]) -> Any:
    """Return the result of a call that works, else None."""
    if check_arguments(step.tool.declared, arguments):
        return None
    try:
        result = step.tool.body(View(state.fork(), step.tool.world), **arguments)
    except ToolError:
        return None
    return result if call_outcome(result) == "ok" else None


def _wanted_paths(step: Step, sketch: Sketch) -> Iterator[str]:
    for other in sketch.steps:
        for source in other.sources.values():
            for part in (source, *source.items):
                if part.step is step and part.output is not None:
                    yield part.output.path


def _has(result: Any, path: str) -> bool:
    try:
        return follow(result, path) not in (None, "", [])
    except LookupError:
        return False
