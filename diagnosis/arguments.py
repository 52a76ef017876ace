"""Which errors the arguments of one call hold, against the right ones.

The rules are those of semantics.md, "Exact types". A name is judged wherever it stands: a key of
an object inside an argument as well as the name of an argument.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from trajectory import canonical
from trajectory.arguments import find_faults
from trajectory.error_types import ErrorType
from trajectory.references import Reference, is_reference, resolve
from trajectory.tools import Tool

Named = Mapping[str, Any]


class Difference(NamedTuple):
    """One error of the arguments of a call.

    parameter: its name in the schema; None where several are concerned. observed, expected: the
    arguments that differ, by name; positional ones under "".
    """

    type: ErrorType
    parameter: str | None
    observed: Named
    expected: Named


def differences(
    tool: Tool,
    got: Any,
    right: Named,
    ignored: Collection[str],
    value_of: Callable[[Reference], Any],
) -> Iterator[Difference]:
    """Yield the errors of the arguments of a call.

    ignored: parameters whose difference is part of another error. value_of: gives what a
    reference stands for, raises LookupError where that is nothing.
    """
    if not isinstance(got, dict):
        yield Difference(ErrorType.PARAMETER_NAME, None, {"": got}, right)
        return
    differing = {
        name for name in got.keys() | right.keys() if not _same_at(got, right, name)
    } - set(ignored)
    for wrong, known in _misnamed(tool, got, right, differing):
        differing -= {*wrong, *known}
        observed, expected = ({n: got[n] for n in wrong}, {n: right[n] for n in known})
        parameter = known[0] if len(known) == 1 else None
        yield Difference(ErrorType.PARAMETER_NAME, parameter, observed, expected)
    for name in sorted(differing):
        kind = _kind(tool, got, right, name, value_of)
        observed, expected = ({n: one[n] for n in (name,) if n in one} for one in (got, right))
        yield Difference(kind, name, observed, expected)


def _same_at(left: Named, right: Named, name: str) -> bool:
    return name in left and name in right and canonical.same(left[name], right[name])


def _misnamed(
    tool: Tool, got: Named, right: Named, differing: Collection[str]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield (names given, names meant) of right values that stand under other names.

    One for one; several together under an invented outer name; the fields of an object
    without its outer name.
    """
    unknown = sorted(name for name in differing if name in got and name not in tool.parameters)
    absent = sorted(name for name in differing if name not in got)
    for name in list(unknown):
        meant = _meant(got[name], right, absent)
        if meant:
            unknown.remove(name)
            absent = [other for other in absent if other not in meant]
            yield [name], meant
    for name in absent:
        fields = right[name]
        spread = is_plain_object(fields) and all(_same_at(got, fields, key) for key in fields)
        if spread and {*fields} <= {*unknown}:
            unknown = [other for other in unknown if other not in fields]
            yield sorted(fields), [name]


def _meant(value: Any, right: Named, absent: Sequence[str]) -> list[str]:
    """Return the absent parameters whose values a value under an unknown name holds."""
    alone = [name for name in absent if canonical.same(value, right[name])]
    if alone:
        return alone[:1]
    if not is_plain_object(value) or not {*value} <= {*absent}:
        return []
    return sorted(value) if all(_same_at(value, right, name) for name in value) else []


def is_plain_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Say whether a value is an object with fields, and no reference."""
    return isinstance(value, dict) and bool(value) and not is_reference(value)


def _kind(
    tool: Tool, got: Named, right: Named, name: str, value_of: Callable[[Reference], Any]
) -> ErrorType:
    if name not in got:
        return ErrorType.PARAMETER_MISSING
    if name not in tool.parameters:
        return ErrorType.PARAMETER_NAME
    try:
        value = resolve(got[name], value_of)
    except LookupError:
        return ErrorType.PARAMETER_INVALID
    # Only this argument is judged: the others are the right ones.
    faults = find_faults(tool, {**right, name: value})
    kinds = {fault.kind for fault in faults if fault.path[:1] == (name,)}
    inside = {*_inside(got[name], right.get(name))}
    for kind, said in _INSIDE.items():
        if inside == {kind} and said in kinds:
            return kind
    return ErrorType.PARAMETER_TYPE if "wrong_type" in kinds else ErrorType.PARAMETER_INVALID


# What the schema says of a wrong key inside an argument.
_INSIDE = {
    ErrorType.PARAMETER_NAME: "unknown_parameter",
    ErrorType.PARAMETER_MISSING: "missing_parameter",
}


def _inside(got: Any, right: Any) -> Iterator[ErrorType]:
    """Yield in which ways two values differ inside: keys renamed, keys absent, or else values."""
    if canonical.same(got, right):
        return
    if is_plain_object(got) and is_plain_object(right):
        yield from _keys(got, right)
        for key in got.keys() & right.keys():
            yield from _inside(got[key], right[key])
    elif isinstance(got, list) and isinstance(right, list) and len(got) == len(right):
        for left, other in zip(got, right, strict=True):
            yield from _inside(left, other)
    else:
        yield ErrorType.PARAMETER_INVALID


def _keys(got: Named, right: Named) -> Iterator[ErrorType]:
    absent = [key for key in right if key not in got]
    for key in sorted(got.keys() - right.keys()):
        meant = next((other for other in absent if canonical.same(got[key], right[other])), None)
        if meant is None:
            yield ErrorType.PARAMETER_INVALID
        else:
            absent.remove(meant)
            yield ErrorType.PARAMETER_NAME
    if absent:
        yield ErrorType.PARAMETER_MISSING
