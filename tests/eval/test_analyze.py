"""python -m eval.analyze: the paper's questions, answered from runs over a small dataset."""

import csv
import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from eval import analyze
from eval import run as eval_run
from eval.analysis import costs, errors, judges, standing
from eval.analysis.sheets import Gap, Part, Share, Sheet, to_csv, to_markdown
from eval.analysis.studied import study
from eval.rubric import DIMENSIONS
from trajectory.files import InputError
from trajectory.instance import Instance
from trajectory.plan import Plan, read_plan

AGENTS = ("blind_retry", "carry_on", "restart")


@pytest.fixture(scope="module")
def runs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    for agent in AGENTS:
        eval_run.main(["--agent", agent, "--data", str(data), "--out", str(folder / agent)])
    return [folder / agent for agent in AGENTS]


def _analyze(runs: Sequence[Path], data: Path, out: Path, *more: str) -> Path:
    analyze.main([*map(str, runs), "--data", str(data), "--out", str(out), *more])
    return out


@pytest.fixture(scope="module")
def out(runs: list[Path], data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    changed = ["--before", str(runs[1]), "--after", str(runs[0])]
    return _analyze(runs, data, tmp_path_factory.mktemp("out"), *changed)


def _rows(out: Path, name: str, **wanted: str) -> list[dict[str, str]]:
    with (out / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def _table(sheets: Iterable[Sheet], name: str) -> list[dict[str, str]]:
    """Return one of some sheets as it would be read from its file."""
    sheet = next(one for one in sheets if one.name == name)
    return list(csv.DictReader(to_csv(sheet).splitlines()))


def _copied(run: Path, to: Path) -> Path:
    return Path(shutil.copytree(run, to))


def test_agents_stand_with_their_scores(out: Path) -> None:
    (row,) = _rows(out, "agents", agent="scripted:blind_retry")
    # As in test_scoring: 4 rounds against 3, and against the proven 4.
    assert (row["E5"], row["verified E5"], row["n"], row["tasks"]) == ("0.75", "1.0", "3", "3")
    assert row["verified E5 low"] == ""


def test_errors_are_parted_by_type_category_and_visibility(out: Path) -> None:
    (by_type,) = _rows(out, "errors-by-type", agent="scripted:restart")
    assert (by_type["type"], by_type["n"]) == ("Timeout_Error", "3")
    (by_category,) = _rows(out, "errors-by-category", agent="scripted:restart")
    assert by_category["category"] == "tool"
    assert "is our reading" in (out / "analysis.md").read_text("utf-8")


def test_a_plan_that_is_left_as_it_is_keeps_its_errors(out: Path) -> None:
    data, left = (
        next(iter(_rows(out, "error-types", line=line)))
        for line in ("level1: data", "level1: scripted:carry_on")
    )
    assert data["Timeout_Error"] == left["Timeout_Error"] == "1.0"
    (carried,) = _rows(out, "errors-left", agent="scripted:carry_on")
    (right,) = _rows(out, "errors-left", agent="scripted:restart")
    assert (carried["without error"], carried["type left"]) == ("0.0", "1.0")
    assert (right["without error"], right["type made"]) == ("1.0", "0.0")


def test_what_passed_badly_is_shown_round_by_round(out: Path) -> None:
    (row,) = _rows(out, "discrepancy", agent="scripted:carry_on")
    assert (row["Pass@1"], row["verified Pass@1"], row["passed"]) == ("1.0", "0.0", "3")
    assert row["of these not verified"] == "1.0"
    cases = _rows(out, "worst-cases", agent="scripted:blind_retry")
    first = [row for row in cases if row["instance"] == cases[0]["instance"]]
    assert [row["round"] for row in first] == ["2", "3", "4"]
    assert first[-1]["calls"] == "response"
    assert {(row["needed"], row["made"], row["E5"]) for row in first} == {("3", "4", "0.75")}
    failed = _rows(out, "worst-cases", agent="scripted:carry_on")
    assert any(row["calls"].endswith("book_room ✗") for row in failed)


def test_runs_before_and_after_are_paired(out: Path) -> None:
    (row,) = _rows(out, "change", metric="verified E5")
    assert (row["before"], row["after"]) == ("scripted:carry_on", "scripted:blind_retry")
    assert (row["after − before"], row["p"]) == ("1.0", "0.25")
    (by_type,) = _rows(out, "change-by-type")
    assert (by_type["type"], by_type["p (Holm)"]) == ("Timeout_Error", "0.25")


def test_worlds_and_costs_are_told(out: Path) -> None:
    (row,) = _rows(out, "worlds", agent="scripted:restart")
    assert (row["n seen"], row["n unseen"]) == ("3", "0")
    (cost,) = _rows(out, "costs", agent="scripted:blind_retry")
    assert (cost["rows"], cost["rounds"], cost["calls"]) == ("3", "3.0", "2.0")
    # A scripted planner tells of no tokens.
    assert cost["prompt tokens"] == cost["tokens per row"] == cost["dollars"] == ""


def test_tokens_are_counted_where_they_are_told(
    runs: list[Path], data: Path, tmp_path: Path
) -> None:
    run = _copied(runs[0], tmp_path / "run")
    lines = (runs[0] / "answers.jsonl").read_text("utf-8").splitlines()
    usage = {"usage": {"prompt": 100, "completion": 10}, "cost": 0.5}
    told = [json.dumps({**json.loads(line), **usage}) + "\n" for line in lines]
    (run / "answers.jsonl").write_text("".join(told), "utf-8")
    sheets = list(costs.sheets([study(run, data)]))
    (row,) = _table(sheets, "costs")
    assert (row["prompt tokens"], row["dollars"]) == (str(100 * len(told)), str(0.5 * len(told)))
    assert float(row["tokens per verified row"]) == pytest.approx(110 * len(told) / 3)
    parts = {row["part"]: row for row in _table(sheets, "costs-by-part")}
    assert parts["first"]["prompt tokens"] == "300"
    assert float(parts["rows that reached the goal"]["share"]) == 1


def test_the_same_runs_give_the_same_bytes(
    out: Path, runs: list[Path], data: Path, tmp_path: Path
) -> None:
    changed = ["--before", str(runs[1]), "--after", str(runs[0])]
    again = _analyze(runs[::-1], data, tmp_path / "again", *changed)
    assert {one.name: one.read_bytes() for one in again.iterdir()} == {
        one.name: one.read_bytes() for one in out.iterdir()
    }


def test_every_file_stands_in_the_page(out: Path) -> None:
    page = (out / "analysis.md").read_text("utf-8")
    files = {one.name for one in out.iterdir()} - {"analysis.md"}
    assert {name for name in files if f"]({name})" in page} == files
    assert {one.suffix for one in out.iterdir()} == {".md", ".csv", ".svg"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--before", "{0}"], "not a run after for each run before: got 1 before, 0 after"),
        (["--before", "{0}", "--after", "{0}/nowhere"], "no such run folder"),
    ],
)
def test_wrong_pairs_are_refused(
    runs: list[Path], data: Path, tmp_path: Path, more: list[str], said: str
) -> None:
    told = [one.format(runs[0]) for one in more]
    with pytest.raises(InputError, match=said):
        _analyze(runs[:1], data, tmp_path / "out", *told)
    assert not (tmp_path / "out").exists()


def test_two_runs_of_one_agent_are_refused(runs: list[Path], data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a second run of scripted:restart on level1"):
        _analyze([runs[2], runs[2]], data, tmp_path / "out")


# --- the parts -------------------------------------------------------------------------------


def test_a_plan_that_is_shown_has_the_errors_that_its_instance_tells(
    augmented: list[Instance],
) -> None:
    some = augmented[::6][:25]
    assert len(some) > 5
    for one in some:
        found = standing.types_of(one, _shown(one))
        assert sorted(found) == sorted(one.error_types)


def _shown(one: Instance) -> Plan:
    return read_plan(one.plan)


def _score(rater: str, id: str, **items: float | None) -> dict[str, Any]:
    return {"id": id, "sample": 0, "rater": rater, "repeat": 0, "items": items}


def test_raters_are_held_against_each_other(runs: list[Path], data: Path, tmp_path: Path) -> None:
    run = _copied(runs[0], tmp_path / "run")
    x, y = study(run, data).ids[:2]
    even = dict.fromkeys(DIMENSIONS["S"], 0.5)
    judged = {
        "judgements-a.jsonl": [_score("a", x, D1=0.5, **even), _score("a", y, S1=0, D1=None)],
        "judgements-b.jsonl": [_score("b", x, D1=1, S1=1), _score("b", y, S1=0, D1=1)],
    }
    for name, rows in judged.items():
        (run / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    sheets = list(judges.sheets([study(run, data)]))
    found = {row["item"]: row for row in _table(sheets, "agreement")}
    # Three pairs: 0.5-1 twice, and 0-0; what is unscored counts nowhere; in the mean items do.
    assert (found["mean"]["n"], found["D1"]["EMA"], found["S1"]["EMA"]) == ("3", "0.0", "0.5")
    assert float(found["mean"]["EMA"]) == pytest.approx((0 + 0.5) / 2)
    assert float(found["mean"]["MAE"]) == pytest.approx((0.5 + 0.25) / 2)
    # A dimension counts where all its items are scored.
    told = {row["rater"]: (row["S"], row["D"]) for row in _table(sheets, "raters")}
    assert told == {"a": ("0.5", ""), "b": ("", "")}


def test_no_row_of_scores_is_named(tmp_path: Path) -> None:
    (tmp_path / "checks.jsonl").write_text('{"id": "x"}\n', "utf-8")
    with pytest.raises(InputError, match=r"checks.jsonl:1: 'rater' is wrong"):
        judges.read(tmp_path)


def test_a_sheet_as_csv_and_as_markdown() -> None:
    sheet = Sheet(
        "name",
        "Title",
        "Note.",
        ["agent", "score", "gap", "part", "p"],
        [
            ["=a|b", Share(0.5, (0.4, 0.6), 90, 40), Gap(-0.1, None), Part(0.25), 0.0004],
            ["b", None, None, None, None],
        ],
    )
    assert list(csv.reader(to_csv(sheet).splitlines())) == [
        [
            *("agent", "score", "score low", "score high", "score n", "score tasks"),
            *("gap", "gap low", "gap high", "part", "p"),
        ],
        ["'=a|b", "0.5", "0.4", "0.6", "90", "40", "-0.1", "", "", "0.25", "0.0004"],
        ["b", "", "", "", "", "", "", "", "", "", ""],
    ]
    lines = to_markdown(sheet).splitlines()
    assert lines[0] == "## Title"
    assert lines[-2] == r"| =a\|b | 50.0 [40.0, 60.0] | -10.0 | 25.0 | < 0.001 |"


def test_levels_stand_beside_each_other(runs: list[Path], data: Path) -> None:
    one = study(runs[0], data)
    shelf = one.table.selection.shelf
    first, by_type = _table(errors.sheets([one]), "levels")
    assert (first["type"], first[shelf.config], first[f"{shelf.config} n"]) == ("all", "1.0", "3")
    assert by_type["type"] == "Timeout_Error"
