"""Is there a shorter way? A bounded search over typed compositions of the listed tools.

Part of proof point 1 (semantics.md): no composition by types of the tools in an instance's list
reaches the goal in fewer rounds or with fewer calls than the gold plan. A value is known when
the request says it or a result holds it; a call can be made once all its arguments are known.
Calls with effects are made only where the goal asks for them.
"""

import itertools
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from environment.meanings import fits
from environment.state import State, View
from environment.world import Parameter, ToolError, WorldTool
from trajectory import canonical
from trajectory.arguments import find_faults
from trajectory.calls import call_outcome
from trajectory.references import follow

# The bounds of the search: argument combinations tried for one tool, calls known in all.
MOST_COMBINATIONS: Final = 40
MOST_CALLS: Final = 200


# What stands for a value in comparisons: equal for values that mean the same.
Key = Hashable


def key_of(value: Any) -> Key:
    """Return the key of a JSON value: 25 and 25.0 have one, true and 1 have two."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, int | float):
        return ("number", float(value))
    return ("json", canonical.dumps(value))


@dataclass(frozen=True)
class Value:
    """A typed value and its key."""

    means: str
    value: Any
    key: Key


def typed(means: str, value: Any) -> Value:
    """Return a typed value."""
    return Value(means, value, key_of(value))


@dataclass(frozen=True)
class GoldCall:
    """A call of the gold plan.

    needs: keys of its arguments, those of a list that is put together one by one.
    asked: whether it is one of the goal's calls.
    after: places, among the gold calls, of those whose effect its result shows.
    """

    tool: WorldTool
    needs: tuple[Key, ...]
    result: Any
    asked: bool
    after: tuple[int, ...] = ()


def shorter_way(
    tools: Sequence[WorldTool], said: Sequence[Value], gold: Sequence[GoldCall], state: State
) -> str | None:
    """Return in a few words how the goal can be reached sooner or with fewer calls, or None.

    tools: those of the instance's list. said: the typed values that the request says.
    gold: the calls of the gold plan. state: the world as it stands at the start. In which order
    values and calls stand decides nothing, although the search is bounded.
    """
    said, gold = sorted(said, key=_value_order), _in_order(gold)
    rounds = gold_rounds(said, gold)
    asked = [call for call in gold if call.asked]
    search = _Search(_relevant(tools, gold), said, gold, state)
    for number in range(1, rounds - 1):
        search.round(number)
    soonest = max(search.soonest(call) for call in asked)
    if soonest < rounds:
        return f"{soonest} rounds of calls instead of {rounds}"
    spare = len(gold) - len(asked)
    needed = frozenset(key for call in asked for key in call.needs)
    if spare and search.reaches(needed, rounds - 1, spare - 1):
        return f"fewer than {spare} calls give all that the goal's calls need"
    return None


def _value_order(value: Value) -> tuple[str, str]:
    return value.means, canonical.dumps(value.value)


def _in_order(gold: Sequence[GoldCall]) -> list[GoldCall]:
    """Return the gold calls by tool, result and needs, the places of effects following them."""
    order = sorted(range(len(gold)), key=lambda place: _call_order(gold[place]))
    places = {old: new for new, old in enumerate(order)}
    return [
        replace(gold[old], after=tuple(sorted(places[place] for place in gold[old].after)))
        for old in order
    ]


def _call_order(call: GoldCall) -> tuple[str, str, str]:
    return call.tool.name, canonical.dumps(call.result), repr(call.needs)


def _needed(gold: Iterable[GoldCall]) -> frozenset[Key]:
    return frozenset(key for call in gold for key in call.needs)


def _relevant(tools: Sequence[WorldTool], gold: Sequence[GoldCall]) -> list[WorldTool]:
    """Return the tools without effect whose outputs can lead, by types, to a gold call."""
    wanted = _wanted(call.tool for call in gold)
    relevant: list[WorldTool] = []
    moved = True
    while moved:
        more = [
            tool
            for tool in tools
            if not tool.has_effect
            and tool not in relevant
            and any(fits(output.means, means) for output in tool.outputs for means in wanted)
        ]
        wanted |= _wanted(more)
        relevant += more
        moved = bool(more)
    return sorted(relevant, key=lambda tool: tool.name)


def _wanted(tools: Iterable[WorldTool]) -> set[str]:
    return {
        part.means
        for tool in tools
        for parameter in tool.parameters.values()
        for part in (parameter, *([parameter.items] if parameter.items else ()))
        if "enum" not in part.schema
    }


def gold_rounds(said: Sequence[Value], gold: Sequence[GoldCall]) -> int:
    """Return the number of layers of the gold calls, found from what each one needs."""
    known = Known(_needed(gold))
    keys = {value.key for value in said}
    rounds = 0
    waiting = list(gold)
    while waiting:
        ready = [call for call in waiting if _soonest(call, gold, known, keys) <= rounds + 1]
        if not ready:
            raise ValueError("a gold call needs a value that nothing gives")
        rounds += 1
        for call in ready:
            known.learn_gold(call, rounds)
        waiting = [call for call in waiting if not any(call is done for done in ready)]
    return rounds


NEVER: Final = 10**6


@dataclass
class Known:
    """What can be known, and after how many rounds.

    needed: what the gold calls need; of all other values only typed outputs are kept.
    values: typed values. rounds: key of a value in a result → the round after which it is known.
    givers: key → the calls whose results hold it, each with what it needs and whether the goal
    asks for it anyway. calls: the calls made.
    """

    needed: frozenset[Key]
    values: dict[tuple[str, Key], Value] = field(default_factory=dict)
    rounds: dict[Key, int] = field(default_factory=dict)
    givers: dict[Key, list[tuple[Key, tuple[Key, ...], bool]]] = field(default_factory=dict)
    calls: set[Key] = field(default_factory=set)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers among what the gold calls need."""
        keys = (key for key in self.needed if isinstance(key, tuple))
        return frozenset(number for kind, number in keys if kind == "number")

    def soonest(self, needs: Iterable[Key], said: set[Key]) -> int:
        """Return the first round in which a call with these needs can run, NEVER if in none."""
        return 1 + max(
            (0 if key in said else self.rounds.get(key, NEVER) for key in needs), default=0
        )

    def learn(
        self,
        tool: WorldTool,
        needs: tuple[Key, ...],
        result: Any,
        number: int,
        *,
        asked: bool = False,
    ) -> None:
        """Take in the result of a call that ran in round `number`."""
        call = (tool.name, needs)
        self.calls.add(call)
        keys = self._needed_in(result)
        for output in tool.outputs:
            try:
                value = follow(result, output.path)
            except LookupError:
                continue
            key = key_of(value)
            keys.add(key)
            if (output.means, key) not in self.values:
                self.values[output.means, key] = Value(output.means, value, key)
        for key in keys:
            self.rounds.setdefault(key, number)
            # What a call gives back of what it was given, it can't be asked for.
            if key not in needs:
                self.givers.setdefault(key, []).append((call, needs, asked))

    def _needed_in(self, result: Any) -> set[Key]:
        """Return the keys of the texts and numbers inside a result that the gold calls need."""
        found: set[Key] = set()
        parts = [result]
        # The list grows while it is walked.
        for part in parts:
            kind = type(part)
            if kind is str:
                if part in self.needed:
                    found.add(part)
            elif kind is dict:
                parts += part.values()
            elif kind is list:
                parts += part
            elif (kind is int or kind is float) and float(part) in self.numbers:
                found.add(key_of(part))
        return found

    def learn_gold(self, call: GoldCall, number: int) -> None:
        """Take in the result of a gold call."""
        self.learn(call.tool, call.needs, call.result, number, asked=call.asked)


def _soonest(call: GoldCall, gold: Sequence[GoldCall], known: Known, said: set[Key]) -> int:
    """Return the first round in which a gold call can run: its values known, the effects there."""
    effects = (1 + _soonest(gold[place], gold, known, said) for place in call.after)
    return max([known.soonest(call.needs, said), *effects])


class _Search:
    """The search: what can be known after each round of calls."""

    def __init__(
        self,
        tools: Sequence[WorldTool],
        said: Sequence[Value],
        gold: Sequence[GoldCall],
        state: State,
    ) -> None:
        self.tools, self.gold, self.state = tools, gold, state
        self.said = {value.key for value in said}
        self.known = Known(_needed(gold))
        for value in said:
            self.known.values[value.means, value.key] = value

    def soonest(self, call: GoldCall) -> int:
        """Return the first round in which a gold call can run, as far as is known."""
        return _soonest(call, self.gold, self.known, self.said)

    def round(self, number: int, *, gold_only: bool = False) -> None:
        """Make the calls that can be made in a round: the gold ones, and any that may help."""
        found = [] if gold_only else list(_new_calls(self.tools, self.known, self.state))
        for call in [call for call in self.gold if self.soonest(call) == number]:
            self.known.learn_gold(call, number)
        for tool, needs, result in found:
            self.known.learn(tool, needs, result, number)

    def reaches(self, needed: frozenset[Key], last: int, most: int) -> bool:
        """Say whether `needed` can be had within `last` rounds, with so many calls not asked for.

        All rounds but the last are made. Where no call may be made that is not asked for, what
        else could be called then is of no use.
        """
        if last:
            self.round(last, gold_only=not most)
        return _Reach(self.known, self.said).reaches(needed - self.said, frozenset(), most)


def _new_calls(
    tools: Sequence[WorldTool], known: Known, state: State
) -> Iterator[tuple[WorldTool, tuple[Key, ...], Any]]:
    """Yield the calls that can be made now and were not before."""
    made = len(known.calls)
    for tool in tools:
        required = {name: p for name, p in tool.parameters.items() if not p.optional}
        choices = [_options(parameter, known) for parameter in required.values()]
        for chosen in itertools.islice(itertools.product(*choices), MOST_COMBINATIONS):
            if made >= MOST_CALLS:
                return
            needs = tuple([key for _, key in chosen])
            if (tool.name, needs) in known.calls:
                continue
            arguments = {name: value for name, (value, _) in zip(required, chosen, strict=True)}
            result = _run(tool, arguments, state)
            if result is not None:
                made += 1
                yield tool, needs, result


def _options(parameter: Parameter, known: Known) -> list[tuple[Any, Key]]:
    """Return what a parameter can be given, each value with its key."""
    if "enum" in parameter.schema:
        return [(value, key_of(value)) for value in parameter.schema["enum"]]
    if parameter.schema["type"] == "boolean":
        return [(value, key_of(value)) for value in (True, False)]
    return [
        (value.value, value.key)
        for value in known.values.values()
        if fits(value.means, parameter.means)
    ]


def _run(tool: WorldTool, arguments: dict[str, Any], state: State) -> Any:
    """Return the result of a call that works, else None."""
    if find_faults(tool.declared, arguments):
        return None
    try:
        result = tool.body(View(state, tool.world), **arguments)
    except ToolError:
        return None
    return result if call_outcome(result) == "ok" else None


class _Reach:
    """Whether values can be had with few calls; what was found to lead nowhere is kept."""

    def __init__(self, known: Known, said: set[Key]) -> None:
        self.known, self.said = known, said
        self.vain: set[tuple[frozenset[Key], frozenset[Key]]] = set()

    def reaches(self, needed: frozenset[Key], made: frozenset[Key], left: int) -> bool:
        """Say whether all needed values can be had with at most `left` calls beside those made."""
        if not needed:
            return True
        # How many are left is known from what was made.
        if (needed, made) in self.vain:
            return False
        key = min(needed, key=lambda one: len(self.known.givers.get(one, ())))
        for call, needs, asked in self.known.givers.get(key, ()):
            cost = 0 if asked or call in made else 1
            if cost > left:
                continue
            more = frozenset() if call in made else frozenset(needs) - self.said
            if self.reaches((needed - {key}) | more, made | {call}, left - cost):
                return True
        self.vain.add((needed, made))
        return False


def leaves(value: Any) -> set[Key]:
    """Return the keys of all texts and numbers inside a value."""
    found: set[Key] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            found.add(item)
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, int | float) and not isinstance(item, bool):
            found.add(key_of(item))
    return found
