"""An instance as a person wants to read it, or only what a model may see of it."""

from collections.abc import Iterable, Iterator

from build.showing.drawing import Drawing
from build.showing.text import BRIEF, counted, heading, wrapped
from build.showing.tools import name_lines, tool_lines
from build.showing.truth import error_lines, fault_lines, optimum_lines, repair_lines
from environment import opening
from environment.executor import Start
from trajectory.graph import dag_problems, layers
from trajectory.instance import Instance
from trajectory.plan import ROOT, Plan
from trajectory.tools import read_tools


def show(instance: Instance, *, blind: bool = False, full: bool = False) -> str:
    """Return an instance as text of at most 100 columns.

    blind: only what a model may see, all of it. full: results and descs are not cut.
    """
    return "\n".join(_seen(instance) if blind else _known(instance, full=full))


def example(instance: Instance) -> str:
    """Return the request, the plan, the errors and the repairs of an instance, briefly."""
    start = opening.start(instance)
    drawing = Drawing(start.snapshot.plan, start.ledger, _notes(instance), BRIEF)
    return "\n".join(
        (
            *wrapped(instance.query, ""),
            *_section(_plan_title(start), drawing.lines()),
            *_section("Faults of the environment", fault_lines(instance)),
            *_section("Errors", error_lines(instance, start.ledger)),
            *_section("Repairs", repair_lines(instance)),
        )
    )


def _seen(instance: Instance) -> Iterator[str]:
    start = opening.start(instance)
    drawing = Drawing(start.snapshot.plan, start.ledger, limit=None, judged=False)
    yield heading(instance.id)
    yield from _section("Request", wrapped(instance.query, "  "))
    yield from _section("Tools", tool_lines(read_tools(instance.tools)))
    yield from _section(_plan_title(start), [*_root_lines(instance, start), *drawing.lines()])


def _known(instance: Instance, *, full: bool) -> Iterator[str]:
    start = opening.start(instance)
    plan, ledger = start.snapshot.plan, start.ledger
    limit = None if full else BRIEF
    drawing = Drawing(plan, ledger, _notes(instance), limit)
    yield heading(f"{instance.id} · level {instance.level} · {instance.source}")
    yield from wrapped(_origin(instance), "  ")
    yield from _section("Request", wrapped(instance.query, "  "))
    yield from _section("Tools", name_lines(read_tools(instance.tools), plan))
    yield from _section(_plan_title(start), [*drawing.lines(), *_broken(plan)])
    yield from _section("Faults of the environment", fault_lines(instance))
    yield from _section("Errors", error_lines(instance, ledger))
    yield from _section("Repairs", repair_lines(instance))
    yield from _section("Rounds and calls", optimum_lines(instance))
    yield from _section("Odd about the record", _odd_lines(instance))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a title and its lines after an empty one; nothing where there are no lines."""
    found = list(lines)
    if found:
        yield from ("", title, *found)


def _plan_title(start: Start) -> str:
    plan = start.snapshot.plan
    calls = sum(node.is_call for node in plan)
    shape = f"{counted(calls, 'call')} in {counted(len(layers(plan)), 'layer')}"
    ran = f"{counted(len(start.ledger), 'call')} in {counted(start.rounds, 'round')}"
    return f"Plan: {shape}; {ran} ran so far"


def _root_lines(instance: Instance, start: Start) -> Iterator[str]:
    """Yield what the root says where that is not the request."""
    root = start.snapshot.plan.by_id.get(ROOT)
    if root is not None and root.desc not in ("", instance.query):
        yield from wrapped(root.desc, "  root says: ", "    ")


def _notes(instance: Instance) -> dict[str, list[str]]:
    """Return the errors that each root cause is that of."""
    notes: dict[str, list[str]] = {}
    for number, error in enumerate(instance.errors):
        if error.get("root_cause") is not None:
            notes.setdefault(error["root_cause"], []).append(f"error {number}: {error['type']}")
    return notes


def _origin(instance: Instance) -> str:
    parts = (
        f"task {instance.query_id}",
        f"edition {instance.edition}",
        f"proof {instance.proof}",
        f"made by {instance.agent}" if instance.agent else "",
    )
    return " · ".join(filter(None, parts))


def _broken(plan: Plan) -> Iterator[str]:
    """Yield the rules of a DAG that a plan breaks."""
    for problem in dag_problems(plan):
        node = "" if problem.node is None else f"node {problem.node}: "
        yield from wrapped(f"{node}{problem.detail}", "  no DAG: ", "    ")


def _odd_lines(instance: Instance) -> Iterator[str]:
    """Yield where a record of the release stands, and what was noticed when it was read."""
    replay = instance.environment.get("replay") if instance.environment else None
    if not replay:
        return
    yield from wrapped(f"{replay['file']}, line {replay['line']}, id {replay['id']}", "  ")
    for problem in replay["problems"]:
        node = "" if problem["node"] is None else f"node {problem['node']}: "
        yield from wrapped(f"{node}{problem['detail']} ({problem['kind']})", "  - ", "    ")
