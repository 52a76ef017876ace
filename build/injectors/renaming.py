"""Names that an agent takes for a parameter's: near enough to be meant, and not in the schema."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from build.injectors.words import LONG, SHORT, SYNONYMS


class Name(NamedTuple):
    """A name in a schema. kind: the JSON type of its value. tool: whose parameter it is."""

    text: str
    kind: str
    tool: str

    @property
    def words(self) -> list[str]:
        """The words that it is made of."""
        return self.text.split("_")


def _replaced(words: list[str], place: int, new: str) -> str:
    return "_".join((*words[:place], new, *words[place + 1 :]))


def _by_table(name: Name, table: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    if name.text in table:
        yield from table[name.text]
        return
    for place, word in enumerate(name.words):
        for other in table.get(word, ()):
            yield _replaced(name.words, place, other)


def _synonym(name: Name) -> Iterator[str]:
    return _by_table(name, SYNONYMS)


def _shortened(name: Name) -> Iterator[str]:
    return _by_table(name, SHORT)


def _spelt_out(name: Name) -> Iterator[str]:
    return _by_table(name, LONG)


def _cut(name: Name) -> Iterator[str]:
    """Leave out a word: warehouse_id becomes warehouse, or id."""
    if len(name.words) > 1:
        yield "_".join(name.words[:-1])
        yield "_".join(name.words[1:])


def _turned(name: Name) -> Iterator[str]:
    """Put the last word first: max_price becomes price_max."""
    if len(name.words) > 1:
        yield "_".join((name.words[-1], *name.words[:-1]))


def _camel(name: Name) -> Iterator[str]:
    first, *rest = name.words
    if rest:
        yield first + "".join(word.capitalize() for word in rest)


def _pascal(name: Name) -> Iterator[str]:
    yield "".join(word.capitalize() for word in name.words)


def _kebab(name: Name) -> Iterator[str]:
    if len(name.words) > 1:
        yield "-".join(name.words)


def _capitals(name: Name) -> Iterator[str]:
    yield name.text.upper()


def _other_number(name: Name) -> Iterator[str]:
    """Make the last noun plural, or singular."""
    *first, last = name.words
    if last not in _NO_NOUNS:
        yield "_".join((*first, singular(last) if singular(last) != last else plural(last)))


def _prefixed(name: Name) -> Iterator[str]:
    """Put before it what the tool is about: find_hotels(city) becomes hotel_city."""
    subjects = [singular(word) for word in name.tool.split("_")[1:] if len(word) > 3]
    for prefix in subjects[-2:] or ("input",):
        if prefix not in name.words:
            yield f"{prefix}_{name.text}"


def _suffixed(name: Name) -> Iterator[str]:
    for suffix in (*_SUFFIXES.get(name.kind, ()), "value", "param"):
        if suffix not in name.words:
            yield f"{name.text}_{suffix}"


def _mistyped(name: Name) -> Iterator[str]:
    """Swap two letters of a word, or leave one out."""
    for place, word in enumerate(name.words):
        for at in range(1, len(word) - 1 if len(word) > 4 else 0):
            if word[at] != word[at + 1]:
                swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
                yield _replaced(name.words, place, swapped)
                yield _replaced(name.words, place, word[:at] + word[at + 1 :])


def _vague(name: Name) -> Iterator[str]:
    yield from ("value", "input", "arg", "data", "query")


_NO_NOUNS: Final = frozenset(
    (
        "about after also among at before by fixed from in included liked near needed off on "
        "planned released shelf since taken to unassigned unpaid until via which with within "
        "without x y"
    ).split()
)

_SUFFIXES: Final[Mapping[str, tuple[str, ...]]] = {
    "string": ("name", "text", "str"),
    "integer": ("number", "count", "int"),
    "number": ("number", "num"),
    "boolean": ("flag", "enabled"),
    "array": ("list", "array"),
    "object": ("data", "info", "object"),
}

WAYS: Final[Mapping[str, Callable[[Name], Iterator[str]]]] = {
    "synonym": _synonym,
    "shortened": _shortened,
    "spelt_out": _spelt_out,
    "cut": _cut,
    "turned": _turned,
    "camel_case": _camel,
    "pascal_case": _pascal,
    "kebab_case": _kebab,
    "capitals": _capitals,
    "singular_or_plural": _other_number,
    "prefixed": _prefixed,
    "suffixed": _suffixed,
    "mistyped": _mistyped,
    "vague": _vague,
}


# The tools of thousands of trajectories are the same.
@lru_cache(maxsize=65536)
def other_names(name: Name, way: str, taken: frozenset[str]) -> tuple[str, ...]:
    """Return what a name becomes in a way; nothing that is taken, however it is written."""
    plain = {_plain(other) for other in taken if other != name.text}
    found = (new for new in WAYS[way](name) if new not in taken and _plain(new) not in plain)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=8192)
def ways(name: Name, taken: frozenset[str]) -> tuple[str, ...]:
    """Return the ways in which a name becomes another one."""
    return tuple(way for way in WAYS if other_names(name, way, taken))


def name_of(text: str, schema: Any, tool: str) -> Name:
    """Return a name as it stands in a schema; `schema` is that of its value."""
    kind = schema.get("type") if isinstance(schema, dict) else ""
    return Name(text, kind if isinstance(kind, str) else "", tool)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def plural(noun: str) -> str:
    """Return the plural of an English noun, by the rules."""
    if noun.endswith("y") and noun[-2:-1] not in ("a", "e", "o", "u"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh", "ch", "x")) else f"{noun}s"


def singular(noun: str) -> str:
    """Return the singular of an English plural, anything else as it is."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun
