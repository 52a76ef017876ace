"""Planted answers: the checks know their scores; those of readers are read strictly."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

import pararecover
from eval.checks import Case, checked
from eval.planted import Planted, planted
from eval.planted.reading import read_planted
from eval.rubric import ITEMS
from models.reading import read_answer
from trajectory.files import InputError

MANY = 20


@pytest.fixture(scope="module")
def answers(shelf: pararecover.Shelf) -> list[Planted]:
    return planted(shelf, many=MANY)


def test_every_item_has_answers_of_every_score_in_both_languages(answers: list[Planted]) -> None:
    counts = Counter(one.item for one in answers)
    assert set(counts) == set(ITEMS)
    assert min(counts.values()) >= 20
    for item in ITEMS:
        own = [one for one in answers if one.item == item]
        assert {one.score for one in own} == {0.0, 0.5, 1.0}, item
        languages = Counter(one.language for one in own)
        assert abs(languages["en"] - languages["zh"]) <= 2, item


def test_they_are_the_same_each_time(shelf: pararecover.Shelf, answers: list[Planted]) -> None:
    assert planted(shelf, many=MANY) == answers
    assert planted(shelf, seed=1, many=4) != planted(shelf, many=4)


def test_they_speak_the_language_that_they_say(answers: list[Planted]) -> None:
    for one in answers:
        thought = read_answer(one.answer_text).thought
        if thought and "message" not in one.change:
            assert any("一" <= char <= "鿿" for char in thought) == (one.language == "zh")


def test_the_checks_are_right_about_95_percent_of_each_item(
    shelf: pararecover.Shelf, answers: list[Planted]
) -> None:
    # All of them would take too long.
    some = answers[::4] + answers[1::4]
    cases = {one.id: Case(shelf[one.id]) for one in some}
    wrong = defaultdict(list)
    for one in some:
        found = checked(cases[one.id], one.answer_text)
        if found.items[one.item] != one.score:
            wrong[one.item].append((one.id, one.change, one.score, found.reasons[one.item]))
    counts = Counter(one.item for one in some)
    poor = {item: found for item, found in wrong.items() if len(found) > 0.05 * counts[item] + 1}
    assert not poor
    assert sum(map(len, wrong.values())) <= 0.05 * len(some)


WRITTEN: dict[str, Any] = {
    "id": "L1-aug-000001",
    "item": "D3",
    "score": 0.5,
    "language": "zh",
    "thought": "节点2超时。",
    "diagnosis": [{"node": "2", "type": "Timeout_Error", "reason": ""}],
    "tasks": [{"id": "response", "name": None, "para": {}, "dep": [], "status": False}],
    "change": "one of two causes",
}


def _file(tmp_path: Path, *rows: Any) -> Path:
    path = tmp_path / "planted.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_what_readers_wrote_is_read(tmp_path: Path) -> None:
    (one,) = read_planted(_file(tmp_path, WRITTEN))
    assert (one.id, one.item, one.score, one.language) == ("L1-aug-000001", "D3", 0.5, "zh")
    answer = read_answer(one.answer_text)
    assert answer.thought == WRITTEN["thought"]
    assert answer.diagnosis[0].node == "2"
    assert answer.plan is not None
    assert [node.id for node in answer.plan] == ["response"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"item": "D6"}, "'item' is wrong"),
        ({"score": 0.7}, "a wrong score of D3"),
        ({"score": None}, "without a score"),
        ({"score": True}, "a wrong score of D3"),
        ({"language": "fr"}, "'language' is wrong"),
        ({"thought": None}, "'thought' is wrong"),
        ({"tasks": "none"}, "'tasks' is wrong"),
        ({"id": 3}, "'id' is wrong"),
    ],
)
def test_what_is_no_planted_answer_is_named(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    path = _file(tmp_path, WRITTEN, {**WRITTEN, **change})
    with pytest.raises(InputError, match=said) as caught:
        list(read_planted(path))
    assert (caught.value.file, caught.value.line) == (path, 2)
