"""Is there a shorter way? A bounded search over typed compositions of the listed tools.

Part of proof point 1 (semantics.md): no composition by types of the tools in an instance's list
reaches the goal in fewer rounds or with fewer calls than the gold plan. A value is known when
the request says it or a result holds it; a call can be made once all its arguments are known.
Calls with effects are made only where the goal asks for them.
"""

import itertools
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from environment.meanings import fits
from environment.state import State, View
from environment.world import Parameter, ToolError, WorldTool
from trajectory import canonical
from trajectory.arguments import check_arguments
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
    gold: the calls of the gold plan. state: the world as it stands at the start.
    """
    rounds = gold_rounds(said, gold)
    known = explore(_relevant(tools, gold), said, gold, state, rounds - 1)
    keys = {value.key for value in said}
    asked = [call for call in gold if call.asked]
    soonest = max(_soonest(call, gold, known, keys) for call in asked)
    if soonest < rounds:
        return f"{soonest} rounds of calls instead of {rounds}"
    spare = sum(not call.asked for call in gold)
    needed = frozenset(key for call in asked for key in call.needs)
    if spare and _reachable(needed - keys, keys, known, frozenset(), spare - 1):
        return f"fewer than {spare} calls give all that the goal's calls need"
    return None


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
        keys = leaves(result) & self.needed
        for output in tool.outputs:
            try:
                value = typed(output.means, follow(result, output.path))
            except LookupError:
                continue
            keys.add(value.key)
            self.values.setdefault((value.means, value.key), value)
        for key in keys:
            self.rounds.setdefault(key, number)
            # What a call gives back of what it was given, it can't be asked for.
            if key not in needs:
                self.givers.setdefault(key, []).append((call, needs, asked))

    def learn_gold(self, call: GoldCall, number: int) -> None:
        """Take in the result of a gold call."""
        self.learn(call.tool, call.needs, call.result, number, asked=call.asked)


def _soonest(call: GoldCall, gold: Sequence[GoldCall], known: Known, said: set[Key]) -> int:
    """Return the first round in which a gold call can run: its values known, the effects there."""
    effects = (1 + _soonest(gold[place], gold, known, said) for place in call.after)
    return max([known.soonest(call.needs, said), *effects])


def explore(
    tools: Sequence[WorldTool],
    said: Sequence[Value],
    gold: Sequence[GoldCall],
    state: State,
    rounds: int,
) -> Known:
    """Return what can be known within so many rounds of calls."""
    known = Known(_needed(gold))
    for value in said:
        known.values[value.means, value.key] = value
    keys = {value.key for value in said}
    for number in range(1, rounds + 1):
        found = list(_new_calls(tools, known, state))
        due = [call for call in gold if _soonest(call, gold, known, keys) == number]
        for call in due:
            known.learn_gold(call, number)
        for tool, needs, result in found:
            known.learn(tool, needs, result, number)
    return known


def _new_calls(
    tools: Sequence[WorldTool], known: Known, state: State
) -> Iterator[tuple[WorldTool, tuple[Key, ...], Any]]:
    """Yield the calls that can be made now and were not before."""
    made = len(known.calls)
    for tool in tools:
        for arguments in itertools.islice(_arguments(tool, known), MOST_COMBINATIONS):
            needs = tuple(key_of(argument) for argument in arguments.values())
            if (tool.name, needs) in known.calls or made >= MOST_CALLS:
                continue
            result = _run(tool, arguments, state)
            if result is not None:
                made += 1
                yield tool, needs, result


def _arguments(tool: WorldTool, known: Known) -> Iterator[dict[str, Any]]:
    """Yield arguments out of known values, for the required parameters."""
    required = {name: p for name, p in tool.parameters.items() if not p.optional}
    choices = [_options(parameter, known) for parameter in required.values()]
    for values in itertools.product(*choices):
        yield dict(zip(required, values, strict=True))


def _options(parameter: Parameter, known: Known) -> list[Any]:
    if "enum" in parameter.schema:
        return list(parameter.schema["enum"])
    if parameter.schema["type"] == "boolean":
        return [True, False]
    return [value.value for value in known.values.values() if fits(value.means, parameter.means)]


def _run(tool: WorldTool, arguments: dict[str, Any], state: State) -> Any:
    """Return the result of a call that works, else None."""
    if check_arguments(tool.declared, arguments):
        return None
    try:
        result = tool.body(View(state, tool.world), **arguments)
    except ToolError:
        return None
    return result if call_outcome(result) == "ok" else None


def _reachable(
    needed: frozenset[Key], said: set[Key], known: Known, made: frozenset[Key], left: int
) -> bool:
    """Say whether all needed values can be had with at most `left` further calls."""
    if not needed:
        return True
    key = min(needed, key=lambda one: len(known.givers.get(one, ())))
    for call, needs, asked in known.givers.get(key, ()):
        cost = 0 if asked or call in made else 1
        if cost > left:
            continue
        more = frozenset() if call in made else frozenset(needs) - said
        if _reachable((needed - {key}) | more, said, known, made | {call}, left - cost):
            return True
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
