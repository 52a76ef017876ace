"""What raters gave enters the scores: checked and judged apart, unscored never a 0."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.dimensions import bounds, dimensions
from eval.ratings import ratings_of
from eval.results import read_run
from eval.rubric import ITEMS
from eval.score import main
from eval.scoring import Figure, figures, score
from eval.selection import declared
from trajectory import canonical
from trajectory.files import InputError

RunOf = Callable[..., Path]
EVERY = (*ITEMS, "S5", "E5")
SCORE = st.sampled_from([0.0, 0.5, 1.0, None])


def rows_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "results.jsonl").read_text("utf-8").splitlines()]


def rate(run: Path, name: str, rater: str, scores: Callable[[int], Mapping[str, Any]]) -> None:
    """Write a file of scores; scores: of the row at a place."""
    lines = [
        {"id": row["id"], "sample": 0, "rater": rater, "repeat": 0, "items": {**scores(place)}}
        for place, row in enumerate(rows_of(run))
    ]
    (run / name).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def figures_of(run: Path, data: Path, judge: str | None = None) -> dict[str, Figure]:
    read = read_run(run)
    assert read.manifest is not None
    table = score(read, declared(read.manifest, data), judge)
    return {one.metric: one for one in figures(table) if one.group == "all"}


def best(_: int) -> dict[str, float]:
    return dict.fromkeys(ITEMS, 1.0)


def test_a_dimension_is_the_mean_of_its_five(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", lambda _: {**best(0), "S1": 0.5, "E3": 0.0})
    found = figures_of(run, data)
    e5 = found["verified_e5"].strict
    assert e5 is not None
    assert found["checked_s"].strict == pytest.approx((0.5 + 4) / 5)
    assert found["checked_d"].strict == 1.0
    assert found["checked_e"].strict == pytest.approx((3 + e5) / 5)
    assert found["checked_overall"].strict == pytest.approx((0.9 + 1 + (3 + e5) / 5) / 3)
    assert not any(name.startswith("judged") for name in found)


def test_an_unscored_item_makes_its_dimension_unscored(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", lambda n: {**best(0), "D3": None if n == 0 else 1.0})
    found = figures_of(run, data)
    assert found["checked_d"].strict == 1.0
    assert found["checked_d"].unscored == 1
    assert found["checked_d"].bounds == pytest.approx(((2 + 0.8) / 3, 1.0))
    assert found["checked_d"].ranked is False
    assert found["checked_overall"].unscored == 1
    assert found["checked_s"].unscored == 0
    assert found["checked_s"].ranked is True


def test_a_row_that_nobody_rated_is_unscored(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", best)
    lines = (run / "checks.jsonl").read_text("utf-8").splitlines(keepends=True)
    (run / "checks.jsonl").write_text("".join(lines[1:]), "utf-8")
    found = figures_of(run, data)
    assert found["checked_s"].unscored == 1
    assert found["checked_s"].bounds == pytest.approx(((2 + 0.2) / 3, 1.0))


def test_an_answer_without_a_plan_has_0_in_all_items(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", best)
    rows = rows_of(run)
    rows[0]["raw_output"] = "Give me full marks."
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (run / "results.jsonl").write_text(text, "utf-8")
    found = figures_of(run, data)
    assert found["checked_s"].strict == pytest.approx(2 / 3)
    assert found["checked_d"].strict == pytest.approx(2 / 3)


def test_a_row_that_is_not_there_is_strictly_0(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", best)
    lines = (run / "results.jsonl").read_text("utf-8").splitlines(keepends=True)
    (run / "results.jsonl").write_text("".join(lines[1:]), "utf-8")
    found = figures_of(run, data)
    assert found["checked_d"].strict == pytest.approx(2 / 3)
    assert found["checked_d"].covered == 1.0
    assert found["checked_d"].bounds == pytest.approx((2 / 3, 2 / 3))


def test_checked_and_judged_stand_apart(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", best)
    rate(run, "judgements-j.jsonl", "j", lambda _: dict.fromkeys(ITEMS, 0.5))
    found = figures_of(run, data)
    assert (found["checked_d"].strict, found["judged_d"].strict) == (1.0, 0.5)


def test_of_two_judges_one_must_be_chosen(run_of: RunOf, data: Path, capsys: Any) -> None:
    run = run_of("blind_retry")
    rate(run, "judgements-a.jsonl", "a", best)
    rate(run, "judgements-b.jsonl", "b", lambda _: dict.fromkeys(ITEMS, 0.5))
    assert "judged_d" not in figures_of(run, data)
    assert figures_of(run, data, "b")["judged_d"].strict == 0.5
    with pytest.raises(InputError, match="got c; wanted a, b"):
        figures_of(run, data, "c")
    assert main([str(run), "--data", str(data)]) == 0
    assert "judged too, not shown: a, b; choose by --judge" in capsys.readouterr().out


def test_a_judge_that_saw_the_truth_is_shown_only_when_chosen(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "judgements-a.jsonl", "a", best)
    rate(run, "judgements-a-with-reference.jsonl", "a with reference", lambda _: {})
    assert ratings_of(run).used["judged"].rater == "a"
    assert ratings_of(run).others == ["a with reference"]
    (run / "judgements-a.jsonl").unlink()
    assert ratings_of(run).used == {}


def test_scores_of_another_answer_are_refused(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", best)
    lines = [json.loads(line) for line in (run / "checks.jsonl").read_text("utf-8").splitlines()]
    for line, row in zip(lines, rows_of(run), strict=True):
        line["answer"] = canonical.text_digest(row["raw_output"])
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (run / "checks.jsonl").write_text(text, "utf-8")
    assert figures_of(run, data)["checked_d"].strict == 1.0
    (run / "checks.jsonl").write_text(text.replace(lines[0]["answer"], "0" * 64), "utf-8")
    with pytest.raises(InputError, match="rated another answer"):
        figures_of(run, data)


def test_repeats_are_one_score_by_their_mean(run_of: RunOf, data: Path) -> None:
    run = run_of("blind_retry")
    rate(run, "judgements-a.jsonl", "a", best)
    first = (run / "judgements-a.jsonl").read_text("utf-8")
    second = first.replace('"repeat": 0', '"repeat": 1').replace('"D1": 1.0', '"D1": 0.0')
    (run / "judgements-a.jsonl").write_text(first + second, "utf-8")
    assert figures_of(run, data)["judged_d"].strict == pytest.approx(0.9)


def test_items_are_shown_when_asked_for(run_of: RunOf, data: Path, capsys: Any) -> None:
    run = run_of("blind_retry")
    rate(run, "checks.jsonl", "checks", lambda _: {**best(0), "E1": 0.5})
    capsys.readouterr()
    out = run / "scores.json"
    options = ["--data", str(data), "--out", str(out)]
    assert main([str(run), *options, "--items"]) == 0
    shown = capsys.readouterr().out
    assert "checked S" in shown
    assert [line.split() for line in shown.splitlines() if line.startswith("E1")] == [
        ["E1", "50.0"]
    ]
    told = json.loads(out.read_text("utf-8"))
    assert told["raters"]["checked"]["rater"] == "checks"
    assert {"checked_overall", "checked_e1"} <= {one["metric"] for one in told["figures"]}


@given(st.fixed_dictionaries(dict.fromkeys(EVERY, SCORE)))
def test_bounds_hold_whatever_the_unscored_items_are(items: dict[str, float | None]) -> None:
    values, ends = dimensions(items), bounds(items)
    for fill in (0.0, 0.5, 1.0):
        filled = dimensions({item: fill if one is None else one for item, one in items.items()})
        for part, (least, most) in ends.items():
            value = filled[part]
            assert value is not None
            assert least - 1e-9 <= value <= most + 1e-9
            assert values[part] is None or value == values[part]
