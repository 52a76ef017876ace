"""A record of the published release as an instance, and all that was odd about it.

Every shape seen in the release is taken. A record stays out only where no sense can be made of
it: no JSON object, no id, no plan. Everything else comes in with its problems, which also stand
in the instance's environment beside file, line and id.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from build.leaks import leaks
from build.release_files import Source
from trajectory import canonical
from trajectory.calls import Call, match_calls, read_calls, write_calls
from trajectory.error_types import CATEGORY, ErrorType, from_release
from trajectory.files import one_line, shortened
from trajectory.free_references import free_references
from trajectory.graph import dag_problems
from trajectory.instance import Instance, from_record, to_record
from trajectory.plan import (
    RESPONSE,
    ROOT,
    Node,
    Plan,
    Problem,
    number_text,
    read_para,
    read_plan,
    write_plan,
)
from trajectory.tools import Catalogue, read_tools, write_tools

_TAGS: Final = ("tag", "tag_1", "tag_2", "tag_3")
_KEYS: Final = frozenset(
    (
        *("id", "query_id", "query", "tool_list", "plan", "fun_call", "error_reason"),
        *("funcall_times_gt", "round_gt", *_TAGS),
    )
)

# What an error of our own edition tells besides its type; the release tells none of it.
_UNKNOWN: Final = dict.fromkeys(
    (
        *("round", "root_cause", "field", "parameter", "observed", "expected"),
        *("affected_now", "affected_later", "delayed", "visible", "evidence"),
    )
)

# No task has more rounds or calls: what is larger is no count.
_MOST: Final = 1_000_000


class LeftOutError(Exception):
    """No sense can be made of a record; the text says why."""


class Imported(NamedTuple):
    """A record that came in: the release's own id as text, the instance, what was odd."""

    id: str
    instance: Instance
    problems: tuple[Problem, ...]


def read_record(record: Any, source: Source, line: int) -> Imported:
    """Return a record as an instance; raises LeftOutError where no sense can be made of it."""
    if not isinstance(record, dict):
        raise LeftOutError("the line is no JSON object")
    if canonical.too_deep(record):
        raise LeftOutError("the record is nested too deeply")
    reader = _Reader(record, source)
    read = reader.read()
    instance = _storable(read)
    if instance is not read:
        reader.note("lone_surrogate", "half a character in a text was replaced by �")
    problems = tuple(dict.fromkeys(reader.problems))
    place = {
        "file": source.path,
        "line": line,
        "id": reader.id,
        "problems": [_told(problem) for problem in problems],
    }
    return Imported(reader.id, replace(instance, environment={"replay": place}), problems)


def _told(problem: Problem) -> dict[str, Any]:
    node = None if problem.node is None else shortened(problem.node)
    return {"kind": problem.kind, "node": node, "detail": shortened(problem.detail, 200)}


def _storable(instance: Instance) -> Instance:
    """Return an instance whose texts all have a UTF-8 form; raises LeftOutError if too deep."""
    try:
        text = canonical.dumps(to_record(instance))
    except ValueError:
        raise LeftOutError("a value is nested too deeply") from None
    mended = _mended(text)
    return instance if text == mended else from_record(canonical.loads(mended))


def _mended(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Reader:
    """Reads one record, noting what is odd."""

    def __init__(self, record: Mapping[str, Any], source: Source) -> None:
        self.record = record
        self.source = source
        self.problems: list[Problem] = []
        self.id = id_text(record.get("id"))
        if not self.id:
            raise LeftOutError(f"the record has no id (got {shortened(record.get('id'))})")

    def note(self, kind: str, detail: str, node: str | None = None) -> None:
        self.problems.append(Problem(kind, node, detail))

    def read(self) -> Instance:
        tools = self._tools()
        plan = self._plan()
        calls = self._calls(plan)
        errors = self._errors(plan, calls)
        query = self._text("query")
        self._note_plan(plan, query)
        for key in sorted(self.record.keys() - _KEYS):
            self.note("unknown_key", f"{key!r} is not known and not kept")
        return Instance(
            id=f"{self.source.prefix}-{self.id.zfill(6)}",
            level=self.source.level,
            source=self.source.source,
            agent="release" if self.source.source == "rollout" else "",
            edition="release",
            query_id=self._query_id(),
            query=query,
            tools=write_tools(tools),
            plan=write_plan(plan),
            tool_results=write_calls(calls),
            history=[],
            rounds_gt=self._count("round_gt"),
            calls_gt=self._count("funcall_times_gt"),
            rounds_opt=None,
            calls_opt=None,
            error_types=tuple(dict.fromkeys(e["type"] for e in errors if e["type"] is not None)),
            error_reason=self._text("error_reason", needed=self.source.source == "rollout"),
            errors=errors,
            repairs=[],
            gold_plan=None,
            goal=None,
            faults=[],
            environment={},
            proof="none",
        )

    def _text(self, key: str, *, needed: bool = True) -> str:
        value = self.record.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if needed or value is not None:
            self.note(f"no_{key}", f"{key} is {shortened(value)}")
        return ""

    def _query_id(self) -> str:
        known = id_text(self.record.get("query_id"))
        if not known:
            self.note("no_query_id", "the record is taken as a task of its own")
        return known or f"{self.source.prefix}-{self.id}"

    def _count(self, key: str) -> int | None:
        """Return a count of the reference plan; None is unknown, and never 0."""
        value = self.record.get(key)
        if value is None:
            self.note("gt_unknown", f"{key} is null or missing")
            return None
        count = _whole(value)
        if count is None or not 0 < count < _MOST:
            self.note("gt_unreadable", f"{key} is {shortened(value)}, read as unknown")
            return None
        return count

    # --- tools, plan and calls ---

    def _tools(self) -> Catalogue:
        tools = read_tools(self.record.get("tool_list"))
        self.problems.extend(tools.problems)
        return tools

    def _plan(self) -> Plan:
        plan = read_plan(self.record.get("plan"))
        if not plan.nodes:
            raise LeftOutError(f"no plan: {'; '.join(p.detail for p in plan.problems) or 'empty'}")
        self.problems.extend(p for p in plan.problems if not _usual(p, plan))
        self.problems.extend(dag_problems(plan))
        self.problems.extend(_beside_plan(self.record["plan"]))
        if plan.response is not None:
            return plan
        plan = with_response(plan)
        waits = ", ".join(plan.nodes[-1].dep)
        self.note("no_response", f"a response that waits for {waits} was added", RESPONSE)
        return plan

    def _calls(self, plan: Plan) -> list[Call]:
        """Return the last results, each with the node that made it where one fits."""
        if "fun_call" not in self.record:
            self.note("no_fun_call", "the record has no fun_call")
        calls = read_calls(self.record.get("fun_call"))
        if canonical.too_deep(write_calls(calls)):
            raise LeftOutError("a last result is nested too deeply")
        matched = match_calls(plan, calls)
        self.problems.extend(_problems_of_calls(plan, matched))
        return [replace(call, node=node) for call, node in matched]

    def _note_plan(self, plan: Plan, query: str) -> None:
        self.problems.extend(_problems_of_statuses(plan))
        self.problems.extend(_free_texts(plan))
        if self.source.source == "augmented":
            self.problems.extend(
                Problem("leak", node, f"desc says {shortened(words)!r}")
                for node, words in leaks(plan, query)
            )

    # --- labels ---

    def _errors(self, plan: Plan, calls: Sequence[Call]) -> list[dict[str, Any]]:
        tags = list(dict.fromkeys(self._tags()))
        if not tags:
            self.note("no_tag", "the record has no tag")
        descs = "\n".join(node.desc for node in plan)
        evidence = f"{descs}\n{canonical.dumps(write_calls(calls))}"
        return [self._error(tag, evidence) for tag in tags]

    def _tags(self) -> Iterator[str]:
        for key in _TAGS:
            value = self.record.get(key)
            for tag in value if isinstance(value, list) else [value]:
                if isinstance(tag, str) and tag.strip():
                    yield tag.strip()
                elif tag is not None:
                    self.note("unknown_tag", f"{key} is {shortened(tag)}")

    def _error(self, tag: str, evidence: str) -> dict[str, Any]:
        try:
            found = from_release(tag, evidence=evidence)
        except ValueError:
            self.note("unknown_tag", f"tag {tag!r} is none of the release's")
            found = None
        else:
            if found is None:
                self.note("other_type", f"tag {tag!r} is none of the 14 types")
        return _error_row(found, tag)


def _error_row(found: ErrorType | None, tag: str) -> dict[str, Any]:
    """Return an error as far as it is known; what the release doesn't tell is null."""
    known = None if found is None else found.value
    category = None if found is None else CATEGORY[found]
    return {"type": known, "category": category, "tag": tag, **_UNKNOWN}


def with_response(plan: Plan) -> Plan:
    """Return a plan without a response with one that waits for every node that none waits for.

    In the release the last node answers where there is no response; which node is listed last
    means nothing, so all the ends of the plan are waited for: every node, where a circle
    leaves no end.
    """
    waited_for = {dep for node in plan for dep in node.dep}
    ids = sorted({node.id for node in plan} - {ROOT, ""})
    ends = [id for id in ids if id not in waited_for] or ids or [ROOT]
    return Plan((*plan.nodes, Node(RESPONSE, dep=tuple(ends))), plan.problems)


def _beside_plan(value: Any) -> Iterator[Problem]:
    """Yield what stands beside a plan: of this the instance keeps nothing else."""
    try:
        held = canonical.loads(value) if isinstance(value, str) else value
    except ValueError:
        return
    for key in sorted(held.keys() - _HOLDERS) if isinstance(held, dict) else ():
        yield Problem("beside_plan", None, f"{key!r} is {shortened(held[key], 150)}")


_HOLDERS: Final = frozenset(("tasks", "plan", "original_plan"))


def _usual(problem: Problem, plan: Plan) -> bool:
    """Say whether a node without a tool merely has no arguments, as is usual for the root."""
    node = plan.by_id.get(problem.node or "")
    return problem.kind == "para_missing" and node is not None and not node.is_call


def _problems_of_calls(plan: Plan, matched: Sequence[tuple[Call, str | None]]) -> Iterator[Problem]:
    for call, node in matched:
        if node is None:
            kind = "call_unmatched" if call.name else "call_unreadable"
            yield Problem(kind, None, f"call of {call.name!r} fits no node")
        elif not canonical.same(plan.by_id[node].para, read_para(call.arguments)[0]):
            yield Problem(
                "call_arguments_differ", node, "the call has other arguments than its node"
            )
    executed = [node for _, node in matched if node is not None and plan.by_id[node].status]
    if executed:
        yield Problem(
            "results_of_executed",
            None,
            f"{len(executed)} of {len(matched)} last results are those of executed nodes",
        )
    if not matched and any(node.is_call and not node.status for node in plan):
        yield Problem("no_last_results", None, "calls are pending, and there are no last results")


def _problems_of_statuses(plan: Plan) -> Iterator[Problem]:
    pending = {node.id for node in plan if node.is_call and not node.status}
    for node in plan:
        if not node.status:
            continue
        if node.id == RESPONSE:
            yield Problem("response_marked", node.id, "the response is marked as executed")
            continue
        for dep in node.dep:
            if dep in pending:
                yield Problem("ran_before_dep", node.id, f"executed, though dep {dep!r} is not")


def _free_texts(plan: Plan) -> Iterator[Problem]:
    ids = {node.id for node in plan} - {RESPONSE}
    for node in plan:
        for found in free_references(node.para, ids - {node.id}, node.dep):
            detail = f"parameter '{found.where}': {found.text} read as node '{found.node}'"
            yield Problem("free_reference", node.id, detail)


def id_text(value: Any) -> str:
    """Return an id as text, "" where it is none."""
    if isinstance(value, str):
        return one_line(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return number_text(value) if is_number else ""


def _whole(value: Any) -> int | None:
    """Return a whole number, also one that is a text or a float without a fraction."""
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"\s*[0-9]{1,9}\s*", value) else None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
