"""The state of a world: shared tables that never change, and the few rows that did.

A row is a JSON object. Base tables are built once per seed and shared by every execution;
a `State` holds only its differences, so forking, comparing and hashing cost what changed,
not what exists.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from trajectory import canonical

Row = Mapping[str, Any]
Tables = Mapping[str, Mapping[str, Row]]

# Key of a table: (world, table).
Key = tuple[str, str]


class State:
    """Tables of rows by key; reading falls through to the base, writing never reaches it."""

    __slots__ = ("_base", "_changes", "_digest")

    def __init__(
        self,
        base: Mapping[Key, Mapping[str, Row]],
        changes: Mapping[Key, Mapping[str, Row | None]] | None = None,
    ) -> None:
        self._base = base
        self._changes = {key: dict(rows) for key, rows in (changes or {}).items()}
        self._digest: str | None = None

    def fork(self) -> "State":
        """Return an independent copy."""
        return State(self._base, self._changes)

    def get(self, table: Key, key: str) -> Row | None:
        """Return the row of this key, or None."""
        changed = self._changes.get(table)
        if changed is not None and key in changed:
            return changed[key]
        return self._base[table].get(key)

    def rows(self, table: Key) -> Iterator[tuple[str, Row]]:
        """Return (key, row) of a table in the order of the keys."""
        return iter(self._present(table).items())

    def values(self, table: Key) -> list[Row]:
        """Return the rows of a table in the order of their keys."""
        return [*self._present(table).values()]

    def _present(self, table: Key) -> Mapping[str, Row]:
        """Return a table as it stands; only to be read."""
        base, changed = self._base[table], self._changes.get(table)
        if not changed:
            return base
        rows = {**base, **changed}
        return {key: row for key in sorted(rows) if (row := rows[key]) is not None}

    def put(self, table: Key, key: str, row: Row) -> None:
        """Add or replace a row."""
        self._set(table, key, row)

    def remove(self, table: Key, key: str) -> None:
        """Remove a row; nothing happens where there is none."""
        self._set(table, key, None)

    def _set(self, table: Key, key: str, row: Row | None) -> None:
        """Record a change, or forget it where it leads back to the base."""
        self._digest = None
        changed = self._changes.setdefault(table, {})
        if row == self._base[table].get(key):
            changed.pop(key, None)
        else:
            changed[key] = row

    def changes(self) -> dict[str, dict[str, Row | None]]:
        """Return what differs from the base: "world.table" → key → row (None: removed)."""
        return {".".join(key): dict(rows) for key, rows in self._changes.items() if rows}

    def digest(self) -> str:
        """Return the SHA-256 of the changes: equal states of one base have equal digests."""
        if self._digest is None:
            self._digest = canonical.digest(self.changes())
        return self._digest


class View:
    """What a tool sees of the state: the tables of its own world, by their short names."""

    __slots__ = ("_state", "_world")

    def __init__(self, state: State, world: str) -> None:
        self._state = state
        self._world = world

    def get(self, table: str, key: str) -> Row | None:
        """Return the row of this key, or None."""
        return self._state.get((self._world, table), key)

    def rows(self, table: str) -> Iterator[tuple[str, Row]]:
        """Return (key, row) in the order of the keys."""
        return self._state.rows((self._world, table))

    def values(self, table: str) -> list[Row]:
        """Return the rows in the order of their keys."""
        return self._state.values((self._world, table))

    def put(self, table: str, key: str, row: Row) -> None:
        """Add or replace a row; a row is replaced, never changed in place.

        Raises ValueError where it holds what JSON has not, an infinite number above all.
        """
        canonical.dumps(row)
        self._state.put((self._world, table), key, row)

    def remove(self, table: str, key: str) -> None:
        """Remove a row; nothing happens where there is none."""
        self._state.remove((self._world, table), key)
