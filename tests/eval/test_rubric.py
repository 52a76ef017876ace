"""Files of scores are read strictly: what is no score is an error, never a 0."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.rubric import DIMENSIONS, ITEMS, read_scores
from trajectory.files import InputError


def written(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def row(items: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    scores = dict.fromkeys(ITEMS, 1) if items is None else items
    return {"id": "a", "sample": 0, "rater": "r", "repeat": 0, "items": scores, **more}


def test_the_rubric_has_13_items_that_are_judged() -> None:
    assert len(ITEMS) == 13
    assert [len(items) for items in DIMENSIONS.values()] == [4, 5, 4]


def test_a_missing_item_is_unscored(tmp_path: Path) -> None:
    (found,) = read_scores(written(tmp_path / "f", row({"S1": 0.5, "S2": None})))
    assert found.items["S1"] == 0.5
    assert [found.items[item] for item in ITEMS[1:]] == [None] * 12
    assert not found.whole


@pytest.mark.parametrize("score", [True, False, "1", 0.7, -1, 2, [1], {}])
def test_what_is_no_score_is_told_with_its_line(tmp_path: Path, score: Any) -> None:
    path = written(tmp_path / "f", row(), row({"D3": score}, id="b"))
    with pytest.raises(InputError, match=r"f:2: a wrong score of D3"):
        list(read_scores(path))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([], "not a row"),
        (row(id=""), "'id'"),
        (row(rater=None), "'rater'"),
        (row(sample=-1), "sample"),
        (row(repeat=True), "repeat"),
        (row({"S5": 1}), "no such item"),
        ({"id": "a", "rater": "r"}, "without items"),
    ],
)
def test_what_is_no_row_is_told(tmp_path: Path, wrong: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        list(read_scores(written(tmp_path / "f", wrong)))


def test_two_whole_rows_of_one_key_are_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "f", row(), row(sample=1), row(repeat=1), row())
    with pytest.raises(InputError, match=r"f:4.*the first is line 1"):
        list(read_scores(path))


def test_a_resumed_row_replaces_the_one_that_was_not_whole(tmp_path: Path) -> None:
    (found,) = read_scores(written(tmp_path / "f", row({"S1": 1}), row()))
    assert found.whole
