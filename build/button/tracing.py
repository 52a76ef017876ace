"""Where the arguments of a call come from: an earlier result, the user's request, or neither.

A value counts as traced to a result when it tells something by itself (`weight`), stands there
under a key that agrees with the parameter's name, or (two figures, three letters) stands in one
place only; a choice of the schema (enum) only under a key named alike. What the request says
hangs on the request, unless a call chose it among what it was offered. Likeness decides first:
exact, spelled otherwise, rounded, inside a text. Of several sources a chosen value comes before
others, then the better name, the front of a list, the later turn.

How sure an edge is (our own definition) is a product:

- likeness: exact 1, spelled otherwise 0.9, rounded or inside a text 0.8;
- evidence: telling and named alike 0.98, telling 0.92, only named alike 0.75, neither 0.5;
- rivals: 0.75 where the result of another call holds the value too;
- request: 0.6 where the request says it too.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from build.button.content import DISTINCT, Key, Said, keys_of, weight
from build.button.names import Name, agreement, name_of
from build.button.sources import EMBEDDED, EXACT, ROUNDED, SPELLED, Source, Sources
from trajectory import canonical
from trajectory.calls import Call

_RIVALS: Final = 0.75
_SAID_TOO: Final = 0.6
_EVIDENCE: Final = {(True, True): 0.98, (True, False): 0.92, (False, True): 0.75}
_NEITHER: Final = 0.5


@dataclass
class Traced:
    """The arguments of a call with the way they came.

    para: the arguments, a reference in place of each value that a result gives exactly.
    sure: id of each call whose result is used → how sure (0 to 1).
    unknown: a value was found neither in results nor in the request. asked: one stands in the
    request.
    """

    para: Any = None
    sure: dict[str, float] = field(default_factory=dict)
    unknown: bool = False
    asked: bool = False

    def use(self, source: Source, sure: float) -> None:
        """Note that the result of a call is used."""
        self.sure[source.node] = max(sure, self.sure.get(source.node, 0.0))


class Tracer:
    """Traces the calls of one conversation, turn by turn."""

    def __init__(self, request: str) -> None:
        self.said = Said(request)
        self.sources = Sources()
        # Keys of values that earlier calls used and no result gave: they were known before.
        self._known: set[Key] = set()
        self._preferred: Collection[str] = ()

    def learn(self, node: str, turn: int, call: Call) -> None:
        """Take in the result of a call; later calls may use it."""
        self.sources.learn(node, turn, call)

    def trace(self, call: Call, schema: Mapping[str, Any], prefer: Collection[str] = ()) -> Traced:
        """Trace the arguments of a call; `schema` is its tool's, or {}.

        prefer: the calls whose results are taken before any others', also where they only give
        back what they were asked.
        """
        traced = Traced()
        self._preferred = prefer
        traced.para = self._value(call.arguments, (), schema, traced)
        return traced

    def _value(
        self, value: Any, keys: tuple[str, ...], schema: Mapping[str, Any], traced: Traced
    ) -> Any:
        if not isinstance(value, dict | list):
            return self._scalar(value, name_of(keys), schema, traced)
        if keys and (whole := self._whole(value, name_of(keys))):
            traced.use(whole, self._sure(whole, value, name_of(keys), EXACT))
            if whole.link is not None:
                return whole.link
        if isinstance(value, dict):
            return {
                key: self._value(item, (*keys, key), _part(schema, key), traced)
                for key, item in value.items()
            }
        return [self._value(item, keys, _part(schema, None), traced) for item in value]

    def _whole(self, value: Any, name: Name) -> Source | None:
        """Return the source of a whole list or object."""
        if weight(value) < DISTINCT or all(self._is_said(item) for item in _scalars(value)):
            return None
        return self._best([s for s in self.sources.equal(value) if self._is_open(s)], name)

    def _scalar(self, value: Any, name: Name, schema: Mapping[str, Any], traced: Traced) -> Any:
        if weight(value) == 0:
            return value
        is_choice = "enum" in schema
        for likeness, found in self._likenesses(value):
            counted = [s for s in found if self._counts(s, value, name, found, is_choice=is_choice)]
            if best := self._best(counted, name):
                traced.use(best, self._sure(best, value, name, likeness, counted))
                return best.link if likeness is EXACT and best.link is not None else value
        parts = self._parts(value)
        for part in parts:
            traced.use(part, self._sure(part, part.value, name, EMBEDDED))
        known = self._is_known(value)
        traced.asked |= known
        if not (parts or known or is_choice or value == schema.get("default")):
            traced.unknown = True
        self._known |= keys_of(value)
        return value

    def _likenesses(self, value: Any) -> Iterator[tuple[tuple[str, float], list[Source]]]:
        yield EXACT, self.sources.equal(value)
        yield SPELLED, self.sources.spelled(value)
        yield ROUNDED, self.sources.rounded(value)
        yield EMBEDDED, self.sources.holding(value)

    def _parts(self, value: Any) -> list[Source]:
        """Return the latest sources of the values inside a text that the request doesn't say."""
        latest: dict[str, Source] = {}
        for source in self.sources.held_by(value):
            if source.role != "given back" and not self._is_said(source.value):
                latest[canonical.dumps(source.value)] = source
        return list(latest.values())

    def _counts(
        self, source: Source, value: Any, name: Name, found: list[Source], *, is_choice: bool
    ) -> bool:
        """Say whether a value that resembles a source counts as coming from it."""
        if not self._is_open(source) or (self._is_said(value) and source.role != "chosen"):
            return False
        agrees = agreement(name, source.name)
        if is_choice:
            return agrees == 2
        alone = len(found) == 1 and weight(value) >= DISTINCT - 1
        return weight(value) >= DISTINCT or agrees > 0 or alone

    def _sure(
        self,
        source: Source,
        value: Any,
        name: Name,
        likeness: tuple[str, float],
        rivals: list[Source] | None = None,
    ) -> float:
        alike = agreement(name, source.name) > 0
        sure = likeness[1] * _EVIDENCE.get((weight(value) >= DISTINCT, alike), _NEITHER)
        if any(rival.node != source.node for rival in rivals or ()):
            sure *= _RIVALS
        if self._is_said(value):
            sure *= _SAID_TOO
        return round(sure, 3)

    def _is_open(self, source: Source) -> bool:
        return source.role != "given back" or source.node in self._preferred

    def _best(self, sources: list[Source], name: Name) -> Source | None:
        def rank(source: Source) -> tuple[float, ...]:
            preferred, chosen = source.node in self._preferred, source.role == "chosen"
            alike = agreement(name, source.name)
            return (preferred, chosen, alike, -source.place, source.turn, -source.order)

        return max(sources, key=rank, default=None)

    def _is_said(self, value: Any) -> bool:
        return self.said.says(value)

    def _is_known(self, value: Any) -> bool:
        """Say whether a value was there without any result."""
        if self._is_said(value) or keys_of(value) & self._known:
            return True
        return isinstance(value, str) and self.said.covers(value)


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    else:
        yield value


def _part(schema: Mapping[str, Any], key: str | None) -> Mapping[str, Any]:
    """Return the schema of a named part, or of the items of a list; {} where there is none."""
    inner = schema.get("items") if key is None else (schema.get("properties") or {}).get(key)
    return inner if isinstance(inner, dict) else {}
