"""The parameters of a tool, in whichever form a catalogue has them, as one clean JSON Schema.

Two forms occur. A JSON Schema object says ``"type": "object"`` and lists ``properties``. The
release's flat form maps each parameter to its spec, with ``required`` as a list beside the
map; there a parameter may itself be called type, items, name, required or properties, so the
forms are told apart by what the values are, never by the names alone.

Reading never raises: what makes no sense constrains nothing and is noted as a `Problem`.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeGuard

from trajectory import canonical
from trajectory.plan import Problem

Schema = dict[str, Any]
Path = tuple[str, ...]

JSON_TYPES: Final = ("string", "integer", "number", "boolean", "array", "object", "null")

# Other names that catalogues have for JSON's types; None constrains nothing.
_ALIASES: Final[Mapping[str, str | None]] = {
    **{name: name for name in JSON_TYPES},
    **dict.fromkeys(("str", "text", "char"), "string"),
    **dict.fromkeys(("int", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "numeric"), "number"),
    **dict.fromkeys(("bool",), "boolean"),
    **dict.fromkeys(("list", "tuple", "set", "sequence"), "array"),
    **dict.fromkeys(("dict", "map", "mapping", "hashmap", "json"), "object"),
    **dict.fromkeys(("none", "nonetype"), "null"),
    **dict.fromkeys(("any", "mixed"), None),
}

# Types that only announce another keyword.
_ANNOUNCED: Final = {"enum": "enum", "anyof": "anyOf", "oneof": "oneOf", "allof": "allOf"}

# Deeper schemas constrain nothing below: no tool means them, and recursion has its limits.
_DEEPEST: Final = 50

_SUBSCHEMA: Final = frozenset(
    (
        *("items", "contains", "not", "if", "then", "else", "propertyNames"),
        *("additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
    )
)
_SUBSCHEMAS: Final = frozenset(("anyOf", "oneOf", "allOf", "prefixItems"))
_SUBSCHEMA_MAPS: Final = frozenset(
    ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
)

# Draft 4 writes true here, and means the bound beside it.
_BESIDE: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def read_parameters(parameters: Any, required: Any, tool: str) -> tuple[Schema, list[Problem]]:
    """Return the JSON Schema (draft 2020-12) of a tool's arguments, and what was odd.

    `parameters` may be a flat map, a JSON Schema object, a list of named specs, or None;
    `required` is the list beside it, if any. `tool` names the tool in the problems. In the flat
    form names that are not declared are refused; a JSON Schema says so itself.
    """
    reader = _SchemaReader(tool)
    schema = reader.read(parameters, required)
    return schema, reader.problems


def is_json_schema(parameters: Mapping[str, Any]) -> bool:
    """Say whether `parameters` is a JSON Schema object rather than a flat map of specs."""
    kind, properties = parameters.get("type"), parameters.get("properties")
    if isinstance(kind, dict):
        return False
    holds_specs = isinstance(properties, dict) and not _is_spec(properties)
    only_keywords = all(key in _VOCABULARY for key in parameters)
    if _is_object(kind):
        return holds_specs or only_keywords
    if holds_specs:
        return only_keywords
    return any(_only_in_schema(key, value) for key, value in parameters.items())


def path_text(path: Path) -> str:
    """Write a place among the parameters as in "guests[].name" or "guests[0].name"."""
    return ".".join(path).replace(".[", "[")


def _is_object(kind: Any) -> bool:
    names = kind if isinstance(kind, list) else [kind]
    return any(_ALIASES.get(_plain_name(name)) == "object" for name in _texts(names))


def _only_in_schema(key: Any, value: Any) -> bool:
    """Say whether an entry can't be a parameter and its spec."""
    return (isinstance(value, list) and key in _SUBSCHEMAS) or str(key).startswith("$")


def _is_spec(value: Mapping[str, Any]) -> bool:
    """Say whether a map describes one value, rather than holding such descriptions by name."""
    kind = value.get("type")
    return (
        isinstance(kind, str)
        or (isinstance(kind, list) and bool(_texts(kind)))
        or isinstance(value.get("description"), str)
        or isinstance(value.get("enum"), list)
    )


def _plain_name(name: str) -> str:
    """Return "list" for "List[str]" and "string" for "String (optional)"."""
    return re.split(r"[\[(<]", name.strip().lower(), maxsplit=1)[0].strip()


def _is_known(name: str) -> bool:
    return _plain_name(name) in _ALIASES or _plain_name(name) in _ANNOUNCED


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _is_count(value: Any) -> bool:
    return _is_finite(value) and value >= 0 and value == int(value)


def _is_positive(value: Any) -> bool:
    return _is_finite(value) and value > 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except (re.error, RecursionError, OverflowError):
        return False


def _is_json(value: Any) -> bool:
    try:
        canonical.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _are_options(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and bool(value) and _is_json(value)


def _are_name_lists(value: Any) -> bool:
    return isinstance(value, dict) and all(_are_names(names) for names in value.values())


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and _texts(value) == list(dict.fromkeys(map(str, value)))


# What the value of a keyword must be for the keyword to be kept.
_KEYWORDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_finite),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_count),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), _is_count),
    **dict.fromkeys(("title", "description", "format"), _is_text),
    **dict.fromkeys(("const", "default"), _is_json),
    "multipleOf": _is_positive,
    "pattern": _is_pattern,
    "enum": _are_options,
    "uniqueItems": _is_flag,
    "dependentRequired": _are_name_lists,
}

_CONSTRAINTS: Final = frozenset((*_KEYWORDS, *_SUBSCHEMAS, *_SUBSCHEMA_MAPS, "$ref"))
_ELSEWHERE: Final = ("type", "required", "$schema", "$id", "$comment", "examples")
_VOCABULARY: Final = frozenset((*_CONSTRAINTS, *_SUBSCHEMA, *_ELSEWHERE))


class _SchemaReader:
    """Reads the parameters of one tool, noting what it can't use."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.problems: list[Problem] = []
        self.definitions: frozenset[str] = frozenset()

    def read(self, parameters: Any, required: Any) -> Schema:
        if isinstance(parameters, list):
            parameters = self._by_name(parameters)
        if not isinstance(parameters, dict):
            if parameters is not None:
                self._note("bad_parameters", (), f"parameters are {type(parameters).__name__}")
            parameters = {}
        if is_json_schema(parameters):
            return self._whole(parameters, required)
        return self._flat(parameters, required)

    def _note(self, kind: str, path: Path, detail: str) -> None:
        place = f"tool {self.tool!r}" + (f", parameter '{path_text(path)}'" if path else "")
        self.problems.append(Problem(kind, None, f"{place}: {detail}"))

    def _by_name(self, specs: Sequence[Any]) -> Schema:
        """Read ``[{"name": "city", "type": "string"}]`` as a flat map."""
        table: Schema = {}
        for spec in specs:
            name = spec.get("name") if isinstance(spec, dict) else None
            if isinstance(name, str):
                table[name] = {key: value for key, value in spec.items() if key != "name"}
            else:
                self._note("bad_parameters", (), "an entry of the list has no name")
        return table

    def _whole(self, parameters: Schema, required: Any) -> Schema:
        self.definitions = _definitions(parameters)
        schema = self._object({**parameters, "type": "object"}, ())
        names = [*schema.get("required", ()), *self._names(required)]
        return _requiring(schema, names)

    def _flat(self, parameters: Schema, required: Any) -> Schema:
        listed = self._names(required)
        if isinstance(parameters.get("required"), list):
            listed += self._names(parameters["required"])
            parameters = {key: spec for key, spec in parameters.items() if key != "required"}
        properties = self._map(parameters, ())
        for name in listed:
            if name not in properties:
                self._note("required_undeclared", (name,), "required, but not declared")
        marked = _marked_required(parameters)
        needed = [name for name in properties if name in listed or name in marked]
        schema = _requiring({"type": "object", "properties": properties}, needed)
        return {**schema, "additionalProperties": False}

    def _names(self, required: Any) -> list[str]:
        if isinstance(required, str):
            return [required]
        if required is not None and not isinstance(required, bool | list):
            self._note("bad_keyword", (), f"required is {type(required).__name__}, not a list")
        return _texts(required)

    def schema(self, spec: Any, path: Path) -> Schema | bool:
        """Return the clean schema of one value; `path` is its place among the parameters."""
        if isinstance(spec, bool):
            return spec
        if isinstance(spec, str) and _is_known(spec):
            return self._object({"type": spec}, path)
        if isinstance(spec, dict) and len(path) <= _DEEPEST:
            return self._object(spec, path)
        self._note("bad_parameter", path[:_DEEPEST], "its spec is no object, or lies too deep")
        return {"description": spec} if isinstance(spec, str) else {}

    def _object(self, spec: Schema, path: Path) -> Schema:
        clean = self._type(spec, path)
        for key, value in spec.items():
            if value is not None or key == "const":
                clean.update(self._keyword(str(key), value, path))
        bounds = {key: _old_bound(key, spec) for key in _BESIDE if spec.get(key) is True}
        clean.update({key: bound for key, bound in bounds.items() if bound is not None})
        names = [*_texts(spec.get("required")), *_marked_required(spec.get("properties"))]
        return _requiring(clean, names)

    def _type(self, spec: Schema, path: Path) -> Schema:
        kind = spec.get("type")
        names = kind if isinstance(kind, list) else _alternatives(kind)
        if not all(isinstance(name, str) and _is_known(name) for name in names):
            self._note("unknown_type", path, f"type {kind!r:.60} is unknown, constrains nothing")
            return {}
        plain = [_plain_name(name) for name in names]
        announced = [_ANNOUNCED[name] for name in plain if name in _ANNOUNCED]
        if announced:
            return self._announced(announced[0], spec, path)
        types = list(dict.fromkeys(_ALIASES[name] for name in plain))
        if not types or None in types:
            return {}
        return {"type": types[0] if len(types) == 1 else types}

    def _announced(self, keyword: str, spec: Schema, path: Path) -> Schema:
        """Read ``"type": "enum"``, whose options stand in enum or in values, and the like."""
        options = spec.get(keyword)
        if keyword == "enum" and not _are_options(options):
            options = spec.get("values")
        if not _are_options(options):
            self._note("no_options", path, f"type {keyword!r} lists no options")
            return {}
        if keyword != "enum":
            return {}
        texts = all(isinstance(option, str) for option in options)
        return {"type": "string", "enum": options} if texts else {"enum": options}

    def _keyword(self, key: str, value: Any, path: Path) -> Schema:
        if key == "items" and isinstance(value, list):
            key = "prefixItems"
        if key in _SUBSCHEMA:
            return {key: self.schema(value, (*path, "[]") if key == "items" else path)}
        if key in _SUBSCHEMAS and isinstance(value, list) and value:
            options = [self.schema(option, (*path, key)) for option in value]
            return {key: options}
        if key in _SUBSCHEMA_MAPS and isinstance(value, dict):
            return {key: self._map(value, path)}
        if key in _KEYWORDS and _KEYWORDS[key](value):
            return {key: value}
        return self._reference(key, value, path)

    def _map(self, specs: Schema, path: Path) -> Schema:
        return {str(name): self.schema(spec, (*path, str(name))) for name, spec in specs.items()}

    def _reference(self, key: str, value: Any, path: Path) -> Schema:
        """Read ``$ref``; any other keyword that comes here can't be used."""
        if key == "$ref" and isinstance(value, str) and value in self.definitions:
            return {key: value}
        if key in _CONSTRAINTS and not (key in _BESIDE and isinstance(value, bool)):
            self._note("bad_keyword", path, f"{key} has the value {value!r:.60}")
        return {}


def _alternatives(kind: Any) -> list[Any]:
    """Return the types that a text such as "string|null" or "string or number" names."""
    if not isinstance(kind, str):
        return [] if kind is None else [kind]
    if _is_known(kind):
        return [kind]
    return re.split(r"\s*(?:\||,|/|\bor\b)\s*", kind.strip())


def _marked_required(specs: Any) -> list[str]:
    """Return the names whose own spec says ``"required": true``."""
    if not isinstance(specs, dict):
        return []
    return [
        str(name)
        for name, spec in specs.items()
        if isinstance(spec, dict) and spec.get("required") is True
    ]


def _requiring(schema: Schema, names: Sequence[str]) -> Schema:
    return {**schema, "required": list(dict.fromkeys(names))} if names else schema


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _old_bound(key: str, spec: Schema) -> Any:
    bound = spec.get(_BESIDE[key])
    return bound if _is_finite(bound) else None


def _definitions(parameters: Schema) -> frozenset[str]:
    return frozenset(
        f"#/{key}/{name}"
        for key in ("$defs", "definitions")
        if isinstance(parameters.get(key), dict)
        for name in parameters[key]
        if isinstance(name, str) and re.fullmatch(r"[\w.-]+", name)
    )
