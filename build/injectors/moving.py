"""References that move with a wrong edge: values taken from another node than the right one."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from build.injectors.scene import Scene
from diagnosis.edits import Edit
from trajectory import canonical
from trajectory.arguments import check_arguments
from trajectory.plan import Node
from trajectory.references import (
    KEY,
    Reference,
    follow,
    is_reference,
    reference,
    references,
    resolve,
)


def moved(
    scene: Scene, node: Node, producer: str, new: str, rng: random.Random
) -> tuple[Edit, ...]:
    """Return the edits by which a node takes its values from another node than `producer`.

    From an earlier attempt of the same they come from the same path. Else from a path whose
    value fits the schema and is not the right one; where some are of the same path or meaning,
    from such a one. Nothing where nothing fits.
    """
    paths: dict[str, str] = {}
    for one in references(node.para):
        if one.node == producer:
            same = scene.purpose(new) == scene.purpose(producer)
            fitting = [one.path] if same else _fitting(scene, node, one, new)
            if not fitting:
                return ()
            paths[one.path] = rng.choice(fitting)
    return _referring(node, producer, new, paths)


def _referring(node: Node, old: str, new: str, paths: dict[str, str]) -> tuple[Edit, ...]:
    para = node.para if isinstance(node.para, dict) else {}
    return tuple(
        {"op": "set_argument", "node": node.id, "parameter": name, "value": value}
        for name, given in para.items()
        if (value := _redirected(given, old, new, paths)) != given
    )


def _redirected(value: Any, old: str, new: str, paths: dict[str, str]) -> Any:
    if is_reference(value):
        return reference(new, paths[value.get("path", "")]) if value[KEY] == old else value
    if isinstance(value, dict):
        return {name: _redirected(item, old, new, paths) for name, item in value.items()}
    if isinstance(value, list):
        return [_redirected(item, old, new, paths) for item in value]
    return value


def _fitting(scene: Scene, node: Node, one: Reference, new: str) -> list[str]:
    """Return the paths into the result of `new` that fit best in the place of a reference."""
    means = _outputs(scene, one.node or "").get(one.path)
    ranks: dict[bool, list[str]] = {True: [], False: []}
    for path, meaning in _outputs(scene, new).items():
        if _fits(scene, node, one, new, path):
            ranks[path == one.path or (meaning == means and meaning != "")].append(path)
    return ranks[True] or ranks[False]


def _outputs(scene: Scene, node: str) -> dict[str, str]:
    """Return the paths into a node's result with their meanings, "" where these are unknown."""
    tool = scene.stage.world_tools.get(scene.plan.by_id[node].name or "")
    if tool is None:
        return dict.fromkeys(_leaves(scene.result(node)), "")
    return {output.path: output.means for output in tool.outputs}


def _leaves(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths to single values, of a list only those in its first item."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for item in value[:1]:
            yield from _leaves(item, f"{path}[0]")
    else:
        yield path


def _fits(scene: Scene, node: Node, one: Reference, new: str, path: str) -> bool:
    """Say whether a value keeps to the schema in the place of a reference, and is another."""
    try:
        value = follow(scene.result(new), path)
        right = resolve(node.para, partial(_value, scene))
        wrong = resolve(node.para, lambda it: value if it == one else _value(scene, it))
    except LookupError:
        return False
    return not (canonical.same(right, wrong) or check_arguments(scene.tool(node), wrong))


def _value(scene: Scene, one: Reference) -> Any:
    """Return what a reference gives in the gold run."""
    return follow(scene.result(one.node or ""), one.path)
