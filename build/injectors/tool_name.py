"""Tool_name_Error: the name of the tool is in no list."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from build.injectors.outages import keeps_faults
from build.injectors.scene import Injection, Injector, Place, Scene
from trajectory.error_types import ErrorType
from trajectory.plan import Node
from trajectory.references import follow, references

# Verbs that name the same step in one tool list or another.
_VERBS: Final = tuple(
    group.split()
    for group in (
        "find search get fetch lookup list",
        "cancel revoke undo void withdraw",
        "delete remove drop discard",
        "book reserve schedule",
        "add create insert register record log",
        "send submit dispatch",
        "buy purchase order",
        "check verify validate",
        "compare contrast match",
        "describe show read view",
        "pick choose select",
        "suggest recommend propose",
        "rank sort order",
        "plan arrange organise",
        "convert transform change",
        "set update edit",
        "split divide share",
        "sum total add",
        "quote estimate price",
        "assign allocate give",
        "move transfer shift",
    )
)
_LOOKING: Final = _VERBS[0]


def _words(name: str) -> list[str]:
    """Return the words of a name in snake_case, camelCase or with dashes, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def _joined(words: Sequence[str], like: str) -> str:
    """Join words the way another name is joined."""
    return _camel(words) if _is_camel(like) else "_".join(words)


def _camel(words: Sequence[str]) -> str:
    return "".join([*words[:1], *(word.capitalize() for word in words[1:])])


def _is_camel(name: str) -> bool:
    return "_" not in name and name != name.lower()


# Each way gives the names that it could turn the name of a node's tool into.


def _letter_lost(scene: Scene, node: Node, name: str) -> Iterator[str]:
    for place in range(1, len(name)):
        if name[place].isalpha():
            yield name[:place] + name[place + 1 :]


def _letter_doubled(scene: Scene, node: Node, name: str) -> Iterator[str]:
    for place, letter in enumerate(name):
        if letter.isalpha() and letter not in name[max(0, place - 1) : place]:
            yield name[:place] + letter + name[place:]


def _letters_swapped(scene: Scene, node: Node, name: str) -> Iterator[str]:
    for place in range(1, len(name) - 1):
        first, second = name[place], name[place + 1]
        if (first + second).isalpha() and first != second:
            yield name[:place] + second + first + name[place + 2 :]


def _word_order(scene: Scene, node: Node, name: str) -> Iterator[str]:
    words = _words(name)
    yield _joined([*words[1:], *words[:1]], name)
    yield _joined([*words[-1:], *words[:-1]], name)


def _other_verb(scene: Scene, node: Node, name: str) -> Iterator[str]:
    words = _words(name)
    groups = [group for group in _VERBS if words[:1] and words[0] in group]
    for verb in (verb for group in groups for verb in group if verb != words[0]):
        yield _joined([verb, *words[1:]], name)
    if not groups:
        for verb in _LOOKING:
            yield _joined([verb, *words], name)


def _other_case(scene: Scene, node: Node, name: str) -> Iterator[str]:
    words = _words(name)
    if _is_camel(name):
        yield "_".join(words)
    else:
        yield _camel(words)
        yield "".join(word.capitalize() for word in words)
        yield "-".join(words)


def _plural(scene: Scene, node: Node, name: str) -> Iterator[str]:
    """Take a plural for a singular, or the other way round."""
    words = _words(name)
    if not words:
        return
    last = words[-1]
    if last.endswith("ies"):
        other = f"{last[:-3]}y"
    elif last.endswith("s") and not last.endswith("ss"):
        other = last[:-1]
    elif last.endswith("y") and last[-2:-1] not in set("aeiou"):
        other = f"{last[:-1]}ies"
    else:
        other = f"{last}es" if last.endswith(("ss", "x", "ch", "sh")) else f"{last}s"
    yield _joined([*words[:-1], other], name)


def _longer(scene: Scene, node: Node, name: str) -> Iterator[str]:
    """Name what goes in, or what comes out: "find_hotels_by_city"."""
    words = _words(name)
    for parameter in sorted(node.para):
        yield _joined([*words, "by", *_words(str(parameter))], name)
    for noun in ("info", "details", "data", "list"):
        yield _joined([*words, noun], name)


def _retry(scene: Scene, node: Node, name: str) -> Iterator[str]:
    yield from (f"{name}_retry", f"retry_{name}", f"{name}_again", f"{name}_retry_1")


def _version(scene: Scene, node: Node, name: str) -> Iterator[str]:
    yield from (f"{name}_v2", f"{name}_2", f"{name}_new", f"{name}_v1")


def _namespace(scene: Scene, node: Node, name: str) -> Iterator[str]:
    """Put the name into a module: "hotels.find", "travel.find_hotels"."""
    words = _words(name)
    if words[1:]:
        yield f"{_joined(words[1:], name)}.{words[0]}"
    known = scene.stage.world_tools.get(name)
    if known is not None:
        yield f"{known.world}.{name}"
        yield f"{known.world}_{name}"
    yield from (f"functions.{name}", f"tools.{name}", f"api.{name}")


def _helper(scene: Scene, node: Node, name: str) -> Iterator[str]:
    """Invent what would give just the value that is needed of the call."""
    for step, value in sorted(_taken(scene, node).items()):
        yield _joined(["get", *_words(step)], name)
        yield _joined(["extract", *_words(step)], name)
        if isinstance(value, int | float):
            yield _joined(["calculate", *_words(step)], name)
        elif re.fullmatch(r"\d{4}-\d\d-\d\d", str(value)):
            yield _joined(["format", "date"], name)
    noun = _words(name)[1:] or _words(name)
    yield _joined(["handle", *noun], name)
    yield _joined(["process", *noun], name)
    yield _joined(["get", "result"], name)


def _taken(scene: Scene, node: Node) -> dict[str, object]:
    """Return what others take from the result of a call: the last name of each path → the value."""
    found: dict[str, object] = {}
    for reference in (found for other in scene.plan for found in references(other.para)):
        steps = re.findall(r"[^.\[\]]+", reference.path)
        names = [step for step in steps if not step.isdecimal()]
        if reference.node == node.id and names:
            found[names[-1]] = follow(scene.result(node.id), reference.path)
    return found


_HOWS: Final[Mapping[str, Callable[[Scene, Node, str], Iterator[str]]]] = {
    "letter_lost": _letter_lost,
    "letter_doubled": _letter_doubled,
    "letters_swapped": _letters_swapped,
    "word_order": _word_order,
    "other_verb": _other_verb,
    "other_case": _other_case,
    "plural": _plural,
    "longer": _longer,
    "retry": _retry,
    "version": _version,
    "namespace": _namespace,
    "helper": _helper,
}
# What a call is named that is tried once more.
_HOWS_OF_RETRIES: Final = ("retry", "version", "helper")


def _places(scene: Scene) -> list[Place]:
    return [
        Place(node.id, how=how)
        for node in scene.calls
        for how in (_HOWS if scene.purpose(node.id) == node.id else _HOWS_OF_RETRIES)
    ]


def _put(scene: Scene, place: Place, rng: random.Random) -> Injection | None:
    node = scene.plan.by_id[place.node]
    names = [*dict.fromkeys(_HOWS[place.how](scene, node, node.name or ""))]
    invented = [name for name in names if name and name not in scene.stage.catalogue.names]
    if not invented:
        return None
    edit = {"op": "set_tool", "node": node.id, "tool": rng.choice(invented)}
    injection = Injection(ErrorType.TOOL_NAME, node.id, place.how, (edit,))
    return injection if keeps_faults(scene, scene.after(injection)) else None


INJECTOR = Injector(ErrorType.TOOL_NAME, _places, _put)
