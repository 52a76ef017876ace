"""Verify a run: every call is made again in its environment, and everything compared.

From raw_output and the recorded later answers the executor runs each row anew; rounds, calls,
results, completion and state must come out as the row says. A difference names the row and
exits with 2. Rows without rounds claim nothing and are counted as static. Calls that a model
played can't be made again: nothing of such a run is verified but its form, and it is never ranked.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval import commands
from trajectory import canonical, command
from trajectory.files import shortened

if TYPE_CHECKING:
    from environment.executor import Planner
    from eval.results import Row, Run
    from eval.selection import Selection
    from trajectory.instance import Instance

_EXAMPLES = (
    "python -m eval.verify runs/carry_on",
    "python -m eval.verify runs/carry_on --json",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    from tqdm import tqdm

    from eval.results import read_run

    options = commands.parser("eval.verify", __doc__, _EXAMPLES).parse_args(arguments)
    run, selection = read_run(options.run), commands.selection_of(options)
    checked = tqdm(verify(run, selection), unit="row", disable=None, file=sys.stderr)
    static = list(checked)
    report = {"run": str(Path(options.run)), "rows": len(static), "static": sum(static)}
    if run.player:
        report["played_by"] = run.player
    if options.json:
        print(canonical.dumps(report))
    elif run.player:
        print(
            f"{report['rows']} rows have the form of results; {run.player} played their tools, so "
            "that no execution can verify them: they are never ranked"
        )
    else:
        print(
            f"{report['rows']} rows agree with their execution, "
            f"{report['static']} of them static (nothing to verify)"
        )
    return 0


def verify(run: "Run", selection: "Selection") -> Iterator[bool]:
    """Yield for each row that holds whether it is static.

    Raises InputError naming the first row that does not come out as it says.
    """
    declared = frozenset(selection.ids)
    for row in run.rows():
        if row.id not in declared:
            raise row.wrong("not among the instances of the selection")
        _require_form(row, recovers=run.recovers)
        if row.rounds is not None and not run.player:
            _verify_row(row, selection.shelf[row.id])
        yield row.rounds is None and not run.recovers


def _require_form(row: "Row", *, recovers: bool) -> None:
    """Hold that there are rounds where, and only where, a plan was carried on."""
    from models.reading import read_answer

    answer = read_answer(row.raw_output)
    if row.rounds is not None and row.gave_none:
        raise row.wrong("there are rounds, though no answer came")
    if row.rounds is not None and answer.plan is None:
        raise row.wrong("there are rounds, though no plan can be read", got=answer.reason)
    if row.rounds is None and answer.plan is not None and recovers and not row.gave_none:
        raise row.wrong("there are no rounds, though a plan can be read")


def _verify_row(row: "Row", instance: "Instance") -> None:
    from environment import opening
    from environment.executor import execute
    from eval.recovery import rounds_part

    start = opening.start(instance)
    environment = opening.environment(instance, start)
    run = execute(start, _recorded_planner(row), environment)
    # As many answers as there are rounds now, whatever the row says.
    texts = [one.get("answer") for one in row.rounds or []][: run.r_exec]
    again = rounds_part(run, [*texts, *[None] * (run.r_exec - len(texts))])
    _require_same(row, "rounds", again["rounds"], row.rounds)
    for name in ("completed", "ending"):
        if name in row.raw:
            _require_same(row, name, again[name], row.raw[name])
    _require_same(row, "state", environment.digest(), row.state)


def _recorded_planner(row: "Row") -> "Planner":
    """Return a planner that gives the recorded answers again."""
    from models.reading import read_answer

    later = [one.get("answer") for one in row.rounds or []][1:]
    texts = iter([row.raw_output, *later])

    def planner(_: object) -> Any:
        text = next(texts, None)
        return None if text is None else read_answer(text).plan

    return planner


def _require_same(row: "Row", what: str, again: Any, told: Any) -> None:
    if canonical.same(again, told):
        return
    if what == "rounds":
        what, again, told = _first_difference(again, told)
    what, again, told = _innermost(what, again, told)
    raise row.wrong(
        f"{what} is not what the execution gives",
        got=canonical.dumps(told),
        wanted=shortened(canonical.dumps(again)),
    )


def _first_difference(
    again: Sequence[Mapping[str, Any]], told: Sequence[Mapping[str, Any]]
) -> tuple[str, Any, Any]:
    """Return which round differs first, and both sides of it."""
    for one, other in zip(again, told, strict=False):
        if not canonical.same(one, other):
            return f"round {one['round']}", one, other
    return "the number of rounds", len(again), len(told)


def _innermost(what: str, again: Any, told: Any) -> tuple[str, Any, Any]:
    """Follow a difference into objects of the same keys and lists of the same length."""
    while True:
        if isinstance(again, dict) and isinstance(told, dict) and again.keys() == told.keys():
            steps = [(f".{key}", again[key], told[key]) for key in again]
        elif isinstance(again, list) and isinstance(told, list) and len(again) == len(told):
            pairs = zip(again, told, strict=True)
            steps = [(f"[{place}]", one, other) for place, (one, other) in enumerate(pairs)]
        else:
            return what, again, told
        step, again, told = next(one for one in steps if not canonical.same(one[1], one[2]))
        what += step


if __name__ == "__main__":
    command.run(main)
