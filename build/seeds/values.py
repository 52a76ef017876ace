"""Values for a sketch: literals are drawn and calls run, one after the other, until each works.

Where a call finds no literals with which it works, the calls before it are given others. A call
sees the effects of what it waits for and no others.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from build.seeds.related import told_by
from build.seeds.sketch import DeadEndError, Sketch, Source, Step
from diagnosis.shortest import Key, Value, key_of, leaves, typed
from environment import literals
from environment.literals import can_draw
from environment.simulation import Setting, base_tables
from environment.state import State, View
from environment.world import Parameter, ToolError
from trajectory import canonical
from trajectory.arguments import check_arguments
from trajectory.calls import call_outcome
from trajectory.references import follow

# Literals tried for one call, of one that is to show an effect, and returns to earlier calls.
_TRIES, _TRIES_AFTER = 6, 8
_RETURNS = 2
# How often a call that is to show an effect speaks of what was written.
_RELATED = 0.9


@dataclass
class Filled:
    """What was decided for one step: resolved arguments, which of them are literal, the result."""

    step: Step
    arguments: dict[str, Any]
    literals: dict[str, Any]
    result: Any

    @cached_property
    def said(self) -> tuple[Value, ...]:
        """The literals, and everything inside them that the request says, with their types."""
        table = self.step.tool.parameters
        return tuple(
            part
            for name, value in self.literals.items()
            for part in _typed_parts(table[name], value)
        )

    @cached_property
    def told(self) -> frozenset[Key]:
        """Keys of all that the request says."""
        return frozenset(value.key for value in self.said)

    @cached_property
    def needs(self) -> tuple[Key, ...]:
        """Keys of the arguments; those of a list that is put together one by one."""
        return tuple(key for name in self.step.sources for key in self._keys(name))

    @cached_property
    def referred(self) -> frozenset[Key]:
        """Keys of the arguments that come from results."""
        sources = self.step.sources.items()
        names = [name for name, source in sources if source.step or source.items]
        return frozenset(key for name in names for key in self._keys(name))

    def _keys(self, name: str) -> list[Key]:
        value = self.arguments[name]
        return list(map(key_of, value)) if self.step.sources[name].items else [key_of(value)]


def _typed_parts(parameter: Parameter, value: Any) -> Iterator[Value]:
    yield typed(parameter.means, value)
    if parameter.items is not None:
        for item in value:
            yield from _typed_parts(parameter.items, item)
    for name, part in parameter.fields.items():
        if name in value:
            yield from _typed_parts(part, value[name])


def fill(sketch: Sketch, setting: Setting, rng: random.Random) -> list[Filled]:
    """Return the steps with their values, in an order in which they can run.

    Raises DeadEndError where a call finds no arguments with which it works, with which its
    result shows the effects that it has to show, and whose values the request tells apart.
    """
    return _Filling(sketch, setting, rng).fill()


class _Filling:
    def __init__(self, sketch: Sketch, setting: Setting, rng: random.Random) -> None:
        self.setting = setting
        self.rng = rng
        self.tables = base_tables(setting)
        self.base = State(self.tables)
        self.above = sketch.above()
        self.order = list(self.above)
        self.filling = sorted(self.order, key=lambda step: not self._is_urgent(step))
        self.wanted = _wanted_paths(sketch)
        self.done: dict[Step, Filled] = {}

    def fill(self) -> list[Filled]:
        """Fill step by step; where one fails, one before it is to have other values."""
        returns = _RETURNS
        while waiting := [step for step in self.filling if step not in self.done]:
            step = waiting[0]
            filled = self._filled(step)
            if filled is not None:
                self.done[step] = filled
            elif returns:
                returns -= 1
                self._empty(self._decisive(step))
            else:
                raise DeadEndError
        return [self.done[step] for step in self.order]

    def _is_urgent(self, step: Step) -> bool:
        """Say whether a step decides if an effect shows: what fails often is tried first."""
        return any(one is step or step in self.above[one] for one in self.order if one.after)

    def _decisive(self, step: Step) -> Step:
        """Return the last step before a failed one whose literals decide about it."""
        before = [one for one in self.order if one in self.above[step] and self.done[one].literals]
        if not before:
            raise DeadEndError
        return before[-1]

    def _empty(self, step: Step) -> None:
        """Forget the values of a step and of all that waits for it."""
        for one in self.order:
            if one is step or step in self.above[one]:
                self.done.pop(one, None)

    def _filled(self, step: Step) -> Filled | None:
        state = self.state_before(step)
        names = [name for name, source in step.sources.items() if _is_literal(source)]
        told = self._told(step)
        referred = {
            name: self._referred(source)
            for name, source in step.sources.items()
            if not _is_literal(source)
        }
        for _ in range(_TRIES_AFTER if step.after else _TRIES):
            drawn = {name: self._literal(step, name, told) for name in names}
            arguments = {name: drawn.get(name, referred.get(name)) for name in step.sources}
            result = result_of(step, state, arguments)
            if result is not None:
                filled = Filled(step, arguments, drawn, result)
                if self._is_good(filled):
                    return _without_needless(filled, state)
            if not drawn:
                break
        return None

    def state_before(self, step: Step) -> State:
        """Return the state with the effects of all that a step waits for."""
        return self._state(self.above[step])

    def _state(self, steps: "set[Step]") -> State:
        writers = [one for one in self.order if one in steps and one.tool.has_effect]
        state = self.base.fork() if writers else self.base
        for writer in writers:
            write(writer, state, self.done[writer].arguments)
        return state

    def _told(self, step: Step) -> Mapping[str, list[Any]]:
        """Return values for literals of a step that is to show effects: what they speak of."""
        found: dict[str, list[Any]] = {}
        for writer in step.after:
            filled = self.done[writer]
            after = self._state({writer, *self.above[writer]})
            told = told_by(writer.tool, filled.arguments, filled.result, self.tables, after)
            for name, parameter in step.tool.parameters.items():
                found.setdefault(name, []).extend(told.values_for(name, parameter))
        return found

    def _literal(self, step: Step, name: str, told: Mapping[str, list[Any]]) -> Any:
        """Draw a literal, if there is a choice often one of those that are told, or with one."""
        parameter, values = step.tool.parameters[name], told.get(name)
        chosen = bool(values) and self.rng.random() < _RELATED
        if values and (chosen or not can_draw(parameter)) and parameter.items is None:
            return self.rng.choice(values)
        try:
            view = View(self.base, step.tool.world)
            value = literals.draw(parameter, view, self.rng, self.setting.seed)
        except LookupError:
            raise DeadEndError from None
        if values and chosen:
            # A pool may draw a list out of the world's own tables.
            value = [*value]
            value[self.rng.randrange(len(value))] = self.rng.choice(values)
        return value

    def _referred(self, source: Source) -> Any:
        if source.items:
            return [self._referred(item) for item in source.items]
        if source.step is None or source.output is None:
            raise DeadEndError
        return follow(self.done[source.step].result, source.output.path)

    def _is_good(self, filled: Filled) -> bool:
        """Say whether a call gives what is wanted of it, and is told apart from the others."""
        return (
            self._gives(filled)
            and all(self._is_other(filled, one) for one in self.done.values())
            and all(self._shows(filled, writer) for writer in filled.step.after)
        )

    def _gives(self, filled: Filled) -> bool:
        return not filled.referred & filled.told and all(
            _has(filled.result, path) for path in self.wanted[filled.step]
        )

    def _is_other(self, filled: Filled, known: Filled) -> bool:
        """Say whether two calls differ, and neither takes from results what the other is told."""
        if filled.referred & known.told or known.referred & filled.told:
            return False
        if known.step.tool is not filled.step.tool:
            return True
        if canonical.same(known.arguments, filled.arguments):
            return False
        own, others = self._given(filled), self._given(known)
        return not own & others

    def _given(self, filled: Filled) -> set[tuple[str, Key]]:
        """Return the values that a call gives to others, or the first of its outputs."""
        step = filled.step
        paths = self.wanted[step] or [output.path for output in step.tool.outputs[:1]]
        return {(path, key_of(_at(filled.result, path))) for path in paths}

    def _shows(self, filled: Filled, writer: Step) -> bool:
        """Say whether the result of a call is another one without the effect of a writer.

        A call that only gives back what the writer was given is no wish.
        """
        step = filled.step
        given = leaves([*self.done[writer].arguments.values()])
        if leaves(filled.result) <= given:
            return False
        without = self._state(self.above[step] - {writer})
        return not canonical.same(result_of(step, without, filled.arguments), filled.result)


def _is_literal(source: Source) -> bool:
    return source.step is None and not source.items


def _without_needless(filled: Filled, state: State) -> Filled:
    """Leave out optional arguments without which the result is the same: nobody would say them."""
    step = filled.step
    for name in sorted(filled.literals):
        if step.tool.parameters[name].optional:
            rest = {key: value for key, value in filled.arguments.items() if key != name}
            if canonical.same(result_of(step, state, rest), filled.result):
                del step.sources[name]
                said = {key: value for key, value in filled.literals.items() if key != name}
                filled = Filled(step, rest, said, filled.result)
    return filled


def result_of(step: Step, state: State, arguments: Mapping[str, Any]) -> Any:
    """Return the result of a call that works, else None; nothing is written."""
    if check_arguments(step.tool.declared, arguments):
        return None
    place = state.fork() if step.tool.has_effect else state
    try:
        result = step.tool.body(View(place, step.tool.world), **arguments)
    except ToolError:
        return None
    return result if call_outcome(result) == "ok" else None


def write(step: Step, state: State, arguments: Mapping[str, Any]) -> None:
    """Let a call that worked have its effect; raises DeadEndError where it is refused now."""
    try:
        step.tool.body(View(state, step.tool.world), **arguments)
    except ToolError:
        raise DeadEndError from None


def _wanted_paths(sketch: Sketch) -> dict[Step, list[str]]:
    """Return the paths into the result of each step that other steps take."""
    wanted: dict[Step, dict[str, None]] = {step: {} for step in sketch.steps}
    for step in sketch.steps:
        for source in step.sources.values():
            for part in (source, *source.items):
                if part.step is not None and part.output is not None:
                    wanted[part.step][part.output.path] = None
    return {step: list(paths) for step, paths in wanted.items()}


def _at(result: Any, path: str) -> Any:
    """Return the value at a path; None where there is none."""
    try:
        return follow(result, path)
    except LookupError:
        return None


def _has(result: Any, path: str) -> bool:
    return _at(result, path) not in (None, "", [])
