"""A JSON Schema compiled into a check that says what is wrong with a value, in plain words.

Each keyword becomes a closure that returns its faults; on the good path that is an empty
sequence, so that places and wordings cost nothing until something is wrong. Keywords that
tools hardly use (``$ref``, ``not``, ``patternProperties`` and the like) are left to
jsonschema, for the part of the schema that has them.

Typing is JSON's: true is no number, 25.0 is an integer. Formats are checked
(`trajectory.formats`); multiples are those of the decimal numbers as written, so that 19.99
is a multiple of 0.01.
"""

import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from trajectory import canonical
from trajectory.files import shortened
from trajectory.formats import FORMATS
from trajectory.schema import Path, Schema, path_text
from trajectory.tools import close_names


class Fault(NamedTuple):
    """One thing wrong with the arguments of a call.

    kind: missing_parameter, unknown_parameter, wrong_type, bad_value or positional_arguments.
    path: where, as ("guests", "[0]", "name"); () is the arguments as a whole.
    got: words for what is there; "" where something is missing or unknown.
    wanted: words for what should be there; for an unknown name a hint.
    """

    kind: str
    path: Path
    got: str
    wanted: str

    @property
    def text(self) -> str:
        """The fault in one line, naming the parameter."""
        place = f"parameter '{path_text(self.path)}'" if self.path else "arguments"
        if self.kind == "unknown_parameter":
            return f"{place}: unknown; {self.wanted}"
        got = f"got {self.got}" if self.got else "missing"
        return f"{place}: {got}, wanted {self.wanted}"


Faults = Sequence[Fault]
Check = Callable[[Any], Faults]

_TYPES: Final = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": float,
    "array": list,
    "object": dict,
    "null": type(None),
}

# What jsonschema must see to, and no other keyword may be left unchecked.
_FOREIGN: Final = frozenset(
    (
        *("$ref", "not", "if", "then", "else", "contains", "prefixItems", "unevaluatedItems"),
        *("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas"),
        *("minProperties", "maxProperties", "unevaluatedProperties", "dependencies"),
    )
)


def compile_schema(schema: Schema) -> Check:
    """Return the check of a JSON Schema (draft 2020-12), for JSON values without NaN.

    Raises ValueError where the schema names a type that JSON doesn't have.
    """
    kept: Schema = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    return _Compiler(kept).check(schema)


def json_type(value: Any) -> str:
    """Return the JSON type of a value, integer for 25.0; Python's name for what isn't JSON."""
    if isinstance(value, float) and value.is_integer():
        return "integer"
    for name, kind in _TYPES.items():
        if isinstance(value, kind):
            return name
    return type(value).__name__


def typed(value: Any) -> str:
    """Show a value and its JSON type, as in ``"three" (string)``."""
    return "null" if value is None else f"{_shown(value)} ({json_type(value)})"


def listed(words: Iterable[str], last: str) -> str:
    """Join words as in "a, b or c", where `last` is "or"."""
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final


class _Compiler:
    """Compiles the parts of one schema; `definitions` holds what ``$ref`` may name."""

    def __init__(self, definitions: Schema) -> None:
        self.definitions = definitions

    def check(self, schema: Schema | bool) -> Check:
        if isinstance(schema, bool):
            return _anything if schema else _nothing
        if not _FOREIGN.isdisjoint(schema):
            return _by_library({**self.definitions, **schema})
        tests = [_test(key, schema[key]) for key in _TESTS if key in schema]
        parts = [make(self, schema) for key, make in _PARTS.items() if key in schema]
        if not _OF_OBJECTS.isdisjoint(schema):
            parts.append(self.properties(schema))
        checks = [check for check in (*tests, *parts) if check is not _anything]
        return _after_type(schema["type"], checks) if "type" in schema else _all(checks)

    def properties(self, schema: Schema) -> Check:
        declared = schema.get("properties", {})
        checks = {name: self.check(part) for name, part in declared.items()}
        other = schema.get("additionalProperties", True)
        rest = None if other is False else self.check(other)
        names = tuple(declared)
        required = {
            name: Fault("missing_parameter", (name,), "", _described(declared.get(name, True)))
            for name in schema.get("required", ())
        }

        def check(value: Any) -> Faults:
            if not isinstance(value, dict):
                return ()
            found: list[Fault] = []
            # The order of keys means nothing, so neither may a text follow it.
            for name in sorted(value):
                part = checks.get(name, rest)
                if part is None:
                    found.append(_unknown(name, names))
                elif faults := part(value[name]):
                    found.extend(_under(name, faults))
            for name, fault in required.items():
                if name not in value:
                    found.append(fault)
            return found

        return check

    def items(self, schema: Schema) -> Check:
        part = self.check(schema["items"])
        if part is _anything:
            return _anything

        def check(value: Any) -> Faults:
            if not isinstance(value, list):
                return ()
            return [
                fault
                for index, item in enumerate(value)
                if (faults := part(item))
                for fault in _under(f"[{index}]", faults)
            ]

        return check

    def any_of(self, schema: Schema) -> Check:
        checks = [self.check(option) for option in schema["anyOf"]]

        def check(value: Any) -> Faults:
            failed = []
            for option in checks:
                faults = option(value)
                if not faults:
                    return ()
                failed.append(faults)
            return _nearest(failed)

        return check

    def one_of(self, schema: Schema) -> Check:
        checks = [self.check(option) for option in schema["oneOf"]]

        def check(value: Any) -> Faults:
            outcomes = [option(value) for option in checks]
            fitting = sum(not faults for faults in outcomes)
            if fitting == 0:
                return _nearest(outcomes)
            return () if fitting == 1 else (_bad(value, "what fits only one of its forms"),)

        return check

    def all_of(self, schema: Schema) -> Check:
        return _all([self.check(part) for part in schema["allOf"]])

    def options(self, schema: Schema) -> Check:
        return _option_check(schema["enum"])

    def constant(self, schema: Schema) -> Check:
        return _option_check([schema["const"]])


# These are one check.
_OF_OBJECTS: Final = frozenset(("properties", "required", "additionalProperties"))

_PARTS: Final[Mapping[str, Callable[[_Compiler, Schema], Check]]] = {
    "enum": _Compiler.options,
    "const": _Compiler.constant,
    "items": _Compiler.items,
    "anyOf": _Compiler.any_of,
    "oneOf": _Compiler.one_of,
    "allOf": _Compiler.all_of,
}


def _anything(value: Any) -> Faults:
    return ()


def _nothing(value: Any) -> Faults:
    return (_bad(value, "no value"),)


def _all(checks: Sequence[Check]) -> Check:
    if not checks:
        return _anything
    if len(checks) == 1:
        return checks[0]

    def check(value: Any) -> Faults:
        found: Faults = ()
        for each in checks:
            if faults := each(value):
                found = (*found, *faults)
        return found

    return check


def _after_type(kinds: str | Sequence[str], checks: Sequence[Check]) -> Check:
    """Judge the type first: of a value of the wrong type nothing else is worth saying."""
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    for name in names:
        if name not in _TYPES:
            raise ValueError(f"{name!r} is no JSON type")
    wanted = listed(names, "or")
    if "number" in names:
        names.append("integer")
    exact = frozenset(_TYPES[name] for name in names)
    rest = _all(checks)

    def check(value: Any) -> Faults:
        # The second question is for 25.0 as an integer, and for subclasses.
        if type(value) in exact or json_type(value) in names:
            return rest(value)
        return (Fault("wrong_type", (), typed(value), wanted),)

    return check


class _Test(NamedTuple):
    """A keyword that compares a value with a bound: for which types, and when it holds."""

    kinds: tuple[type, ...]
    holds: Callable[[Any, Any], bool]
    wanted: Callable[[Any], str]


_NUMBER: Final = (int, float)
_TEXT: Final = (str,)
_LIST: Final = (list,)


def _is_multiple(value: float, step: float) -> bool:
    return Fraction(str(value)) % Fraction(str(step)) == 0


def _differ(items: Sequence[Any], wanted: bool) -> bool:
    return not wanted or len({canonical.dumps(item) for item in items}) == len(items)


def _count(least_or_most: str, noun: str) -> Callable[[Any], str]:
    return lambda bound: f"{least_or_most} {bound} {noun}{'' if bound == 1 else 's'}"


_TESTS: Final[Mapping[str, _Test]] = {
    "minimum": _Test(_NUMBER, operator.ge, "at least {}".format),
    "maximum": _Test(_NUMBER, operator.le, "at most {}".format),
    "exclusiveMinimum": _Test(_NUMBER, operator.gt, "more than {}".format),
    "exclusiveMaximum": _Test(_NUMBER, operator.lt, "less than {}".format),
    "multipleOf": _Test(_NUMBER, _is_multiple, "a multiple of {}".format),
    "minLength": _Test(
        _TEXT, lambda text, least: len(text) >= least, _count("at least", "character")
    ),
    "maxLength": _Test(_TEXT, lambda text, most: len(text) <= most, _count("at most", "character")),
    "pattern": _Test(
        _TEXT,
        lambda text, pattern: re.search(pattern, text) is not None,
        "text that matches {}".format,
    ),
    "format": _Test(
        _TEXT, lambda text, name: FORMATS[name][0](text), lambda name: FORMATS[name][1]
    ),
    "minItems": _Test(_LIST, lambda items, least: len(items) >= least, _count("at least", "item")),
    "maxItems": _Test(_LIST, lambda items, most: len(items) <= most, _count("at most", "item")),
    "uniqueItems": _Test(_LIST, _differ, "no item twice".format),
}


def _test(key: str, bound: Any) -> Check:
    if key == "format" and bound not in FORMATS:
        return _anything
    kinds, holds, wanted = _TESTS[key]

    def check(value: Any) -> Faults:
        # To Python a boolean is a number.
        if not isinstance(value, kinds) or isinstance(value, bool) or holds(value, bound):
            return ()
        return (_bad(value, wanted(bound)),)

    return check


def _option_check(options: Sequence[Any]) -> Check:
    texts = frozenset(option for option in options if isinstance(option, str))
    others = frozenset(canonical.dumps(option) for option in options if not isinstance(option, str))
    kinds = frozenset(_family(option) for option in options)
    wanted = _one_of(options)

    def check(value: Any) -> Faults:
        if value in texts if isinstance(value, str) else canonical.dumps(value) in others:
            return ()
        if _family(value) in kinds:
            return (_bad(value, wanted),)
        return (Fault("wrong_type", (), typed(value), wanted),)

    return check


def _family(value: Any) -> str:
    kind = json_type(value)
    return "number" if kind == "integer" else kind


def _nearest(failed: Sequence[Faults]) -> Faults:
    """Return the faults of the option that was meant: the type fits, and least is wrong."""
    typed_right = [faults for faults in failed if not _is_type_alone(faults)]
    if typed_right:
        return min(typed_right, key=len)
    wanted = dict.fromkeys(faults[0].wanted for faults in failed)
    return (failed[0][0]._replace(wanted=listed(wanted, "or")),)


def _is_type_alone(faults: Faults) -> bool:
    return len(faults) == 1 and faults[0].kind == "wrong_type" and not faults[0].path


def _under(part: str, faults: Faults) -> list[Fault]:
    return [fault._replace(path=(part, *fault.path)) for fault in faults]


def _bad(value: Any, wanted: str) -> Fault:
    return Fault("bad_value", (), _shown(value), wanted)


def _unknown(name: str, declared: tuple[str, ...]) -> Fault:
    close = close_names(name, declared)
    if close:
        hint = f"did you mean {listed(map(_quoted, close), 'or')}?"
    elif declared:
        hint = f"declared: {', '.join(map(_quoted, declared))}"
    else:
        hint = "none is declared"
    return Fault("unknown_parameter", (name,), "", hint)


def _quoted(name: str) -> str:
    return f"'{name}'"


def _shown(value: Any) -> str:
    try:
        plain = canonical.normal(value)
        return shortened(json.dumps(plain, sort_keys=True, ensure_ascii=False), 60)
    except (TypeError, ValueError, RecursionError):
        return shortened(repr(value), 60)


def _one_of(options: Sequence[Any]) -> str:
    return listed(map(_shown, options), "or")


def _described(schema: Schema | bool) -> str:
    """Say in a few words what a schema wants."""
    if isinstance(schema, bool):
        return "a value"
    if "enum" in schema:
        return _one_of(schema["enum"])
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]][1]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return listed(dict.fromkeys(_described(option) for option in schema[key]), "or")
    kinds = schema.get("type", "a value")
    return kinds if isinstance(kinds, str) else listed(kinds, "or")


def _by_library(schema: Schema) -> Check:
    """Leave a schema with rarer keywords to jsonschema, with our formats and our words."""
    from jsonschema import Draft202012Validator, FormatChecker

    formats = FormatChecker(())
    for name, (holds, _) in FORMATS.items():
        formats.checks(name)(lambda value, holds=holds: not isinstance(value, str) or holds(value))
    validator = Draft202012Validator(schema, format_checker=formats)

    def check(value: Any) -> Faults:
        found = [fault for error in validator.iter_errors(value) for fault in _said(error)]
        return list(dict.fromkeys(found))

    return check


def _said(error: Any) -> Faults:
    """Translate a ValidationError of jsonschema."""
    keyword, bound, value = error.validator, error.validator_value, error.instance
    if keyword == "required":
        faults = [
            Fault("missing_parameter", (name,), "", _described(True))
            for name in bound
            if name not in value
        ]
    elif keyword == "type":
        faults = list(_after_type(bound, ())(value))
    elif keyword == "additionalProperties" and bound is False:
        declared = tuple(error.schema.get("properties", ()))
        patterns = error.schema.get("patternProperties", ())
        faults = [
            _unknown(name, declared)
            for name in sorted(value)
            if name not in declared and not any(re.search(known, name) for known in patterns)
        ]
    elif keyword in _TESTS:
        faults = [_bad(value, _TESTS[keyword].wanted(bound))]
    else:
        faults = [_bad(value, f"what fits {keyword} {_shown(bound)}")]
    path = [f"[{part}]" if isinstance(part, int) else str(part) for part in error.absolute_path]
    for part in reversed(path):
        faults = _under(part, faults)
    return faults
