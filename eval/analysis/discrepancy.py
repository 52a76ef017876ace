"""Does it end, and does it end well? Pass@1 against E5, with the worst cases (appendix B)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from eval.analysis.pictures import draw_marks
from eval.analysis.sheets import Cell, Gap, Part, Sheet
from eval.analysis.studied import Studied
from eval.analysis.writer import Drawing
from eval.derive import Scored
from eval.paired import differences
from eval.results import Row
from eval.tables import head
from trajectory.calls import call_outcome

_WORST: Final = 2
_LOW: Final = 0.5
_DRAWN: Final = ("pass_at_1", "e5", "verified_pass_at_1")
_NOTE: Final = (
    "Pass@1 asks whether the executor completed the response within 40 rounds, E5 in how many, "
    "verified Pass@1 whether the goal was reached. Difference: on the same instances, with its "
    "95% interval. Of the rows that passed: the share with an E5 under 50%, and the share that "
    "did not reach the goal."
)
_CASES: Final = (
    f"Of each run the {_WORST} rows that passed with the least E5, round by round from the answer "
    "on. Rounds: needed from the start, and made. ✗ marks a call that failed or gave nothing."
)


def sheets(studied: Sequence[Studied]) -> Iterator[Sheet]:
    """Yield how far Pass@1 and E5 lie apart, and the worst cases."""
    some = [one for one in studied if {"pass_at_1", "e5"} <= one.values.keys()]
    heads = ["config", "agent", "Pass@1", "E5", "Pass@1 − E5", "verified Pass@1"]
    heads += ["passed", "of these E5 < 50%", "of these not verified"]
    title = "Pass@1 against E5 (appendix B)"
    yield Sheet("discrepancy", title, _NOTE, heads, [_row(one) for one in some])
    heads = ["config", "agent", "instance", "E5", "verified", "needed", "made", "round", "calls"]
    rows = [row for one in some for row in _cases(one)]
    yield Sheet("worst-cases", "Passed with the least E5 (appendix B)", _CASES, heads, rows)


def _row(one: Studied) -> list[Cell]:
    (found,) = differences(one.values["pass_at_1"][None], one.values["e5"][None], one.tasks)
    passed = [scored for _, scored in _passed(one)]
    low = [scored for scored in passed if (scored.values["e5"] or 0) < _LOW]
    wrong = [scored for scored in passed if scored.values["verified_pass_at_1"] == 0]
    return [
        one.config,
        one.label,
        one.share("pass_at_1"),
        one.share("e5"),
        None if found is None else Gap(found.mean, found.ci),
        one.share("verified_pass_at_1"),
        len(passed),
        Part(len(low) / len(passed)) if passed else None,
        Part(len(wrong) / len(passed)) if passed else None,
    ]


def _passed(one: Studied) -> Iterator[tuple[str, Scored]]:
    """Yield the rows that passed and whose E5 is known."""
    for id, cell in one.table.cells.items():
        for scored in cell.scored:
            if scored.values.get("pass_at_1") and scored.values.get("e5") is not None:
                yield id, scored


def _cases(one: Studied) -> Iterator[list[Cell]]:
    worst = sorted(_passed(one), key=lambda found: (found[1].values["e5"] or 0, found[0]))[:_WORST]
    wanted = {(id, scored.sample): scored for id, scored in worst}
    for row in one.rows:
        if row.key in wanted and row.rounds:
            yield from _rounds(one, row, row.rounds, wanted[row.key])


def _rounds(
    one: Studied, row: Row, rounds: Sequence[Mapping[str, Any]], scored: Scored
) -> Iterator[list[Cell]]:
    instance = one.table.selection.shelf[row.id]
    told: list[Cell] = [one.config, one.label, row.id, Part(scored.values["e5"] or 0)]
    verified = "yes" if scored.values["verified_pass_at_1"] else "no"
    for told_round in rounds:
        calls = "response" if told_round["response"] else ", ".join(map(_call, told_round["calls"]))
        number = told_round["round"]
        yield [*told, verified, instance.rounds_gt, rounds[-1]["round"], number, calls or "nothing"]


def _call(call: Mapping[str, Any]) -> str:
    failed = call_outcome(call.get("results")) != "ok"
    return f"{call.get('node')} {call['name']}" + (" ✗" if failed else "")


def drawings(studied: Sequence[Studied]) -> Iterator[Drawing]:
    """Yield Pass@1, E5 and verified Pass@1 of each agent on one line, a panel a config."""
    shares = {
        (one.config, one.label, head(name)): one.share(name) for one in studied for name in _DRAWN
    }
    known = {place: share for place, share in shares.items() if share is not None}
    if known:
        yield Drawing("discrepancy", lambda path: draw_marks(known, path))
