"""A voice: the sentences in which one speaker tells the facts of an instance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eval.telling.facts import Facts, in_order, shown, source

Sentences = Mapping[str, str]


@dataclass(frozen=True)
class Voice:
    """How one speaker says things; every sentence is a template with named fields.

    causes: by error type. steps: by op of an edit. reaches, delays, reaches_none: what the
    errors reach. runs, waits, free: the context of the first root cause. of: a value of a
    result. many: a list of nodes. blank: what stands between sentences. response: its name.
    """

    causes_: Sentences
    steps_: Sentences
    reaches: str
    reaches_none: str
    gave: str
    fails: str
    passes: str
    runs: str
    waits: str
    free: str
    of: str
    node: str
    nodes: str
    last: str
    between: str
    blank: str
    response: str
    nothing: str
    weighed: str

    # --- pieces --------------------------------------------------------------------------------

    def many(self, nodes: Sequence[str]) -> str:
        """Return nodes as a list: "nodes 2, 3 and 5"."""
        ids = [self.response if one == "response" else one for one in nodes]
        if len(ids) == 1:
            return ids[0] if nodes[0] == "response" else self.node.format(id=ids[0])
        listed = self.between.join(ids[:-1]) + self.last + ids[-1]
        return self.nodes.format(ids=listed)

    def value(self, value: Any) -> str:
        """Return a value in words: a reference by where it comes from."""
        found = source(value)
        if found is None:
            return shown(value)
        node, path = found
        return self.of.format(path=path or "result", node=self.many([node]))

    def joined(self, parts: Sequence[str]) -> str:
        """Return sentences as one text."""
        return self.blank.join(part for part in parts if part)

    # --- sentences -----------------------------------------------------------------------------

    def context(self, told: Facts) -> str:
        """Say of the first root cause, or some node, what stands in the plan."""
        node = next(
            (one["root_cause"] for one in told.errors if told.tool(one["root_cause"])), None
        )
        if node is None:
            node = next((one.id for one in told.plan if one.is_call), "")
        fields = {"node": self.many([node]), "tool": told.tool(node)}
        deps = told.deps(node)
        status = self.runs.format(**fields) if told.ran(node) else ""
        waits = (
            self.waits.format(deps=self.many(deps), **fields)
            if deps
            else self.free.format(**fields)
        )
        return self.joined([status, waits])

    def evidence(self, told: Facts) -> str:
        """Say what a result holds, or what an argument is, for the first root cause or near it."""
        roots = [error["root_cause"] for error in told.errors]
        nodes = [one.id for one in told.plan if one.is_call]
        for node in (*roots, *nodes):
            fields = {"node": self.many([node]), "tool": told.tool(node)}
            how, piece = told.piece(node)
            if how == "failed":
                return self.fails.format(result=piece, **fields)
            if how == "ok":
                return self.gave.format(piece=piece, **fields)
        for node in nodes:
            found = told.argument(node)
            if found is not None:
                fields = {"node": self.many([node]), "tool": told.tool(node)}
                return self.passes.format(parameter=found[0], value=shown(found[1]), **fields)
        return ""

    def causes(self, told: Facts) -> list[str]:
        """Say of each error what is wrong."""
        return [self.cause(told, error) for error in told.errors]

    def cause(self, told: Facts, error: Mapping[str, Any], kind: str | None = None) -> str:
        """Say what is wrong, as of one kind of error."""
        return self.causes_[kind or error["type"]].format(**self._fields(told, error))

    def reach(self, told: Facts) -> str:
        """Say what the errors reach."""
        return self.reach_of(told.reached)

    def reach_of(self, nodes: Sequence[str]) -> str:
        """Say that these nodes are reached."""
        if not nodes:
            return self.reaches_none
        return self.reaches.format(nodes=self.many(nodes))

    def steps(self, told: Facts) -> list[str]:
        """Say each edit of the repair."""
        return [self.step(told, edit) for edit in told.edits] or [self.nothing]

    def step(self, told: Facts, edit: Mapping[str, Any]) -> str:
        """Say what one edit does."""
        fields = {
            "node": self.many([edit["node"]]),
            "id": edit["node"],
            "tool": edit.get("tool") or told.tool(edit["node"]),
            "parameter": edit.get("parameter", ""),
            "value": self.value(edit.get("value")),
            "new": edit.get("new", ""),
        }
        for name in ("dep", "consumers", "into"):
            found = edit.get(name) or []
            listed = [found] if isinstance(found, str) else sorted(found, key=in_order)
            fields[name] = self.many(listed) if listed else self.many(["root"])
        return self.steps_[edit["op"]].format(**fields)

    def _fields(self, told: Facts, error: Mapping[str, Any]) -> dict[str, str]:
        node = error["root_cause"]
        return {
            "node": self.many([node]),
            "tool": told.tool(node),
            "result": told.result(node),
            "parameter": error["parameter"] or _first(error["expected"]),
            "got_name": _first(error["observed"]),
            "got": self._inner(error["observed"]),
            "right": self._inner(error["expected"]),
            "right_tool": _tool(error["expected"]),
            **self._edges(told, error),
        }

    def _inner(self, value: Any) -> str:
        if isinstance(value, dict) and source(value) is None and value:
            return self.value(next(iter(value.values())))
        return self.value(value)

    def _edges(self, told: Facts, error: Mapping[str, Any]) -> dict[str, str]:
        """Return the fields of an error of edges: what is waited for, and what ought to be."""
        if error["field"] != "dep":
            return dict.fromkeys(("has", "wants", "lost", "extra"), "")
        node, wanted, has = error["root_cause"], error["expected"] or [], error["observed"] or []
        if error["type"] == "Parallelism_Error":
            has, wanted = [has[0]], []
        fields = {
            "has": list(has),
            "wants": list(wanted),
            "lost": [one for one in wanted if one not in has],
            "extra": [one for one in has if one not in wanted] or list(told.deps(node)),
        }
        return {
            name: self.many(ids) if ids else self.many(["root"]) for name, ids in fields.items()
        }


def _first(value: Any) -> str:
    return str(next(iter(value), "")) if isinstance(value, dict) else ""


def _tool(value: Any) -> str:
    return str(value["tool"]) if isinstance(value, dict) and "tool" in value else str(value)
