"""Arguments for a call that nobody planned: values that fit by what they mean.

They are taken from what stands in the plan already, as literals or as references to earlier
results, or drawn from the worlds. Where only schemas are known, a value means its type and the
name of its parameter.
"""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from build.injectors.scene import Scene, Stage
from build.injectors.slots import Slot, slots
from environment import literals
from environment.meanings import fits, say_date
from environment.simulation import base_tables, read_setting
from environment.state import State, View
from environment.world import Parameter
from trajectory import canonical
from trajectory.arguments import check_arguments
from trajectory.plan import Node
from trajectory.references import follow, reference

# Draws until a value is one that the request does not say.
_TRIES: Final = 20
# Items of a list that is put together.
_MOST_ITEMS: Final = 3
# How often an optional parameter is given a value that fits.
_OPTIONAL: Final = 0.4


class Given(NamedTuple):
    """A value that a call could be given.

    name: of the parameter that has it; "" where it comes from a result. means: its semantic type.
    written: as it stands among arguments, a literal or with references. value: what that comes
    to in the gold run.
    """

    name: str
    means: str
    written: Any
    value: Any


def parameters(stage: Stage, tool: str) -> Mapping[str, Parameter]:
    """Return the parameters of a listed tool, by name."""
    known = stage.world_tools.get(tool)
    if known is not None:
        return known.parameters
    schema = stage.catalogue.named(tool)[0].schema
    required = schema.get("required", ())
    return {
        name: Parameter(part, _named(part, name), optional=name not in required)
        for name, part in schema.get("properties", {}).items()
        if isinstance(part, dict)
    }


def from_arguments(scene: Scene, node: Node) -> list[Given]:
    """Return the arguments of a call that has no error, and what stands inside them."""
    return [Given(slot.name, _means(slot), slot.value, slot.true) for slot in slots(scene, node)]


def _means(slot: Slot) -> str:
    if slot.means is not None:
        return slot.means.means
    return _named(slot.schema, slot.name)


def _named(schema: Mapping[str, Any], name: str) -> str:
    return f"{schema.get('type')} {name}"


def from_result(scene: Scene, node: Node) -> list[Given]:
    """Return the values that a call gives, as references to it."""
    known = scene.stage.world_tools.get(node.name or "")
    found = []
    for output in known.outputs if known is not None else ():
        try:
            value = follow(scene.result(node.id), output.path)
        except LookupError:
            continue
        if value not in (None, "", []):
            found.append(Given("", output.means, reference(node.id, output.path), value))
    return found


def drawn(stage: Stage, tool: str, parameter: Parameter, rng: random.Random) -> Any:
    """Return a literal value of a parameter of a tool, one that the request does not say.

    Where only its schema is known, it is one out of a fixed list. Raises LookupError where there
    is none.
    """
    known = stage.world_tools.get(tool)
    if known is None:
        options = parameter.schema.get("enum", ())
        return rng.choice([value for value in options if not is_said(value, stage.gold.query)])
    setting = read_setting(stage.gold.origin)
    view = View(State(base_tables(setting)), known.world)
    for _ in range(_TRIES):
        value = literals.draw(parameter, view, rng, setting.seed)
        if not is_said(value, stage.gold.query):
            return value
    raise LookupError(f"the request says every {parameter.means}")


def is_said(value: Any, query: str) -> bool:
    """Say whether a request holds a value, or any value inside it, in its own words."""
    if isinstance(value, list | dict):
        return any(
            is_said(v, query) for v in (value.values() if isinstance(value, dict) else value)
        )
    if isinstance(value, bool) or value is None:
        return False
    words = {str(value), say_date(str(value)), f"{value:g}" if isinstance(value, float) else ""}
    return any(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", query) for text in words if text)


def fit(
    scene: Scene,
    tool: str,
    sorts: Sequence[Sequence[Given]],
    rng: random.Random,
    *,
    misfits: Sequence[Given] = (),
) -> dict[str, Any] | None:
    """Return arguments for a listed tool that its schema allows, or None.

    sorts: values by preference; of the first sort that has fitting ones, one is drawn. What none
    fits is drawn from the world, an optional parameter is left out. misfits: values that stand
    in where all else fails, by their JSON type alone.
    """
    found = _Fitting(scene.stage, tool, sorts, misfits, rng).arguments(
        parameters(scene.stage, tool)
    )
    if found is None or check_arguments(scene.stage.catalogue.named(tool)[0], found.value):
        return None
    return dict(found.written)


def takes_one_of(stage: Stage, tool: str, givens: Sequence[Given]) -> bool:
    """Say whether a required parameter of a tool can be given one of these, or a list of them."""
    return any(
        not parameter.optional
        and (any(_may_stand(given, parameter) for given in givens) or _items(parameter, givens))
        for parameter in parameters(stage, tool).values()
    )


def is_planned(scene: Scene, tool: str, arguments: Mapping[str, Any]) -> bool:
    """Say whether a node makes just this call already."""
    return any(
        node.name == tool and canonical.same(node.para, arguments)
        for node in (*scene.plan, *scene.stage.gold.plan)
    )


class _Fitting(NamedTuple):
    stage: Stage
    tool: str
    sorts: Sequence[Sequence[Given]]
    misfits: Sequence[Given]
    rng: random.Random

    def arguments(self, wanted: Mapping[str, Parameter]) -> Given | None:
        written: dict[str, Any] = {}
        values: dict[str, Any] = {}
        used: set[str] = set()
        for name, parameter in wanted.items():
            if parameter.optional and self.rng.random() >= _OPTIONAL:
                continue
            given = self._value(name, parameter, used)
            if given is not None:
                written[name], values[name] = given.written, given.value
                used.add(canonical.dumps(given.value))
            elif not parameter.optional:
                return None
        return Given("", "", written, values)

    def _value(self, name: str, parameter: Parameter, used: set[str]) -> Given | None:
        """Return a value for a parameter, none that another one has already."""
        for sort in self.sorts:
            options = [given for given in sort if canonical.dumps(given.value) not in used]
            given = self._of_these(name, parameter, options)
            if given is not None:
                return given
        return None if parameter.optional else self._last_resort(parameter)

    def _of_these(self, name: str, parameter: Parameter, options: Sequence[Given]) -> Given | None:
        """Return one of the fitting values, of the same name if one is."""
        fitting = [given for given in options if _may_stand(given, parameter)]
        if fitting:
            return self.rng.choice([g for g in fitting if g.name == name] or fitting)
        items = _items(parameter, options)
        if not items:
            return None
        chosen = self.rng.sample(items, min(len(items), max(_least(parameter), _MOST_ITEMS)))
        return Given(
            name,
            parameter.means,
            [item.written for item in chosen],
            [item.value for item in chosen],
        )

    def _last_resort(self, parameter: Parameter) -> Given | None:
        try:
            value = drawn(self.stage, self.tool, parameter, self.rng)
        except LookupError:
            kind = parameter.schema.get("type")
            same = [given for given in self.misfits if _json_type(given.value) == kind]
            return self.rng.choice(same) if same else None
        return Given("", parameter.means, value, value)


def _may_stand(given: Given, parameter: Parameter) -> bool:
    """Say whether a value fits a parameter; one out of a fixed list only where the list has it."""
    allowed = parameter.schema.get("enum")
    return fits(given.means, parameter.means) and (allowed is None or given.value in allowed)


def _items(parameter: Parameter, givens: Sequence[Given]) -> list[Given]:
    """Return different values that can be items of a list, none where they are too few for one."""
    if parameter.items is None:
        return []
    found: dict[str, Given] = {}
    for given in givens:
        if _may_stand(given, parameter.items):
            found.setdefault(canonical.dumps(given.value), given)
    return list(found.values()) if len(found) >= _least(parameter) else []


def _least(parameter: Parameter) -> int:
    return max(1, int(parameter.schema.get("minItems", 1)))


_TYPES: Final = {str: "string", bool: "boolean", int: "integer", float: "number"}


def _json_type(value: Any) -> str | None:
    """Return the schema's name for the type of a plain value."""
    return _TYPES.get(type(value))
