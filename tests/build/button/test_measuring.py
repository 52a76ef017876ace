import json
from pathlib import Path

import pytest

from build.button.measuring import Score, measure, read_golds
from build.button.perturbing import KINDS
from build.gold import Gold, to_record
from trajectory import canonical
from trajectory.files import InputError


@pytest.fixture(scope="module")
def scores(golds: list[Gold]) -> dict[str, Score]:
    return measure(golds, parallel=True)


def share(score: Score, name: str) -> float:
    value = score.to_row()[name]
    assert isinstance(value, float)
    return value


def test_edges_of_plain_tasks_come_back(golds: list[Gold], scores: dict[str, Score]) -> None:
    for score in (scores["plain"], measure(golds, parallel=False, kinds=["plain"])["plain"]):
        assert score.tasks == len(golds)
        assert score.known == sum(len(gold.edges) for gold in golds)
        assert share(score, "recall") >= 0.95
        assert share(score, "precision") >= 0.95


@pytest.mark.parametrize("kind", ["rounded", "reformatted", "nested", "result in prose"])
def test_most_edges_survive_another_spelling(scores: dict[str, Score], kind: str) -> None:
    assert scores[kind].touched > 0
    assert share(scores[kind], "recall_touched") >= 0.8
    assert share(scores[kind], "precision") >= 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_measured(scores: dict[str, Score], kind: str) -> None:
    assert scores[kind].tasks > 0
    assert 0 < share(scores[kind], "recall") <= 1
    assert 0 < share(scores[kind], "precision") <= 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "plain"])
def test_a_blurred_task_differs_where_it_says_and_keeps_its_edges(
    golds: list[Gold], kind: str
) -> None:
    for gold in golds:
        before = canonical.dumps(to_record(gold))
        blurred = KINDS[kind](gold)
        assert canonical.dumps(to_record(gold)) == before
        assert blurred.gold.edges == gold.edges
        assert blurred.touched <= {(edge.dep, edge.node) for edge in gold.edges}
        changed = canonical.dumps(to_record(blurred.gold)) != before
        assert changed == bool(blurred.touched)


def test_shares_of_nothing_are_not_known() -> None:
    assert Score().to_row()["recall"] is None
    score = Score()
    score.add({("1", "2"), ("1", "3")}, frozenset({("1", "2")}), {("1", "2"), ("2", "3")})
    assert score.to_row() == {
        "tasks": 1,
        "edges": 2,
        "recall": 0.5,
        "precision": 0.5,
        "touched": 1,
        "recall_touched": 1.0,
    }


def test_tasks_come_from_a_file(golds: list[Gold], tmp_path: Path) -> None:
    file = tmp_path / "seeds.jsonl"
    file.write_text("".join(f"{json.dumps(to_record(g))}\n" for g in golds[:3]), "utf-8")
    assert [gold.id for gold in read_golds(file)] == [gold.id for gold in golds[:3]]
    file.write_text('{"messages": []}\n', "utf-8")
    with pytest.raises(InputError, match=r"seeds.jsonl:1: this is no task"):
        read_golds(file)


@pytest.mark.parametrize(
    "change", [{"calls": []}, {"plan": {"tasks": []}}, {"tools": []}, {"tools": [{"name": 1}]}]
)
def test_a_task_that_does_not_hold_together_is_named(
    golds: list[Gold], tmp_path: Path, change: dict[str, object]
) -> None:
    file = tmp_path / "seeds.jsonl"
    file.write_text(canonical.dumps(to_record(golds[0]) | change) + "\n", "utf-8")
    with pytest.raises(InputError, match=r"seeds.jsonl:1: this is no task"):
        read_golds(file)
