"""What a write speaks of: values that a reader of it could be asked about.

A row that was written names a slot, the slot a doctor: who asks for the free slots of that doctor
sees the difference. Only the choice of literals comes from here; whether a result differs is
tried out. The ids of what is created are left out: nobody can say them beforehand.
"""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from environment.meanings import fits
from environment.state import Key, Row, State
from environment.world import Parameter, WorldTool
from trajectory import canonical
from trajectory.references import follow

Tables = Mapping[Key, Mapping[str, Row]]


@dataclass(frozen=True)
class Told:
    """The values around a write.

    typed: (semantic type, value) of the call's arguments and outputs. named: (name of a column
    or parameter, value), of the call, of the rows that it changed, and of all rows these name.
    """

    typed: tuple[tuple[str, Any], ...]
    named: tuple[tuple[str, Any], ...]

    def values_for(self, name: str, parameter: Parameter) -> list[Any]:
        """Return different values for a parameter, or for an item of a list, in a stable order."""
        part = parameter.items or parameter
        found = [value for means, value in self.typed if fits(means, part.means)]
        found += [value for key, value in self.named if _is_meant(key, value, name, part)]
        return list({canonical.dumps(value): value for value in found}.values())


def _is_meant(key: str, value: Any, name: str, wanted: Parameter) -> bool:
    if "enum" in wanted.schema:
        return value in wanted.schema["enum"]
    if wanted.schema.get("format") == "date":
        return _is_day(value)
    return key in (name, wanted.means)


def _is_day(value: Any) -> bool:
    try:
        datetime.date.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def told_by(
    tool: WorldTool,
    arguments: Mapping[str, Any],
    result: Any,
    tables: Tables,
    after: State,
) -> Told:
    """Return the values around a call that worked.

    tables: those the world began with. after: the state with its effect.
    """
    typed = [(tool.parameters[name].means, value) for name, value in arguments.items()]
    typed += [(output.means, follow(result, output.path)) for output in tool.outputs]
    own = {table: rows for (world, table), rows in tables.items() if world == tool.world}
    named = [*arguments.items(), *_columns(result)]
    created = set()
    for table, rows in own.items():
        for key, row in after.changes().get(f"{tool.world}.{table}", {}).items():
            created.update({key} - rows.keys())
            named += _columns(row or rows[key])
    texts = dict.fromkeys(value for _, value in named if isinstance(value, str))
    for text in texts:
        for rows in own.values():
            named += _columns(rows.get(text))
    return Told(_without(typed, created), _without(named, created))


def _without(pairs: list[tuple[str, Any]], values: set[str]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in pairs if str(value) not in values)


def _columns(row: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and values of the scalars in a row or result, of lists one by one."""
    for key, value in row.items() if isinstance(row, Mapping) else ():
        for item in value if isinstance(value, list) else (value,):
            if isinstance(item, str | int | float):
                yield key, item
