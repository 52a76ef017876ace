"""eval.examine: the checks and a scripted judge on planted answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from build.dataset import write_config
from eval.examine import main
from eval.planted import frozen, planted
from eval.planted.marking import Given, accuracies
from eval.planted.shelves import Shelves
from eval.planted.trivial import AT_MOST
from eval.rubric import ITEMS
from tests.eval.judging.scripted import Question, judge_by
from tests.eval.moody import Moody, moody
from trajectory.files import InputError
from trajectory.instance import Instance


@pytest.fixture(scope="module")
def data(augmented: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    for level in (1, 2):
        some = sorted((one for one in augmented if one.level == level), key=lambda one: one.id)
        write_config(folder, f"level{level}_mini", "test", some)
    return folder


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    capsys.readouterr()
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_checks_are_examined_item_by_item(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "--checks", "--planted", "ours", "--many", 6, "--data", data)
    assert found["rater"] == "checks"
    rows = found["items"]["ours"]
    assert [one["item"] for one in rows] == [*ITEMS, "all"]
    assert rows[-1]["n"] == 6 * len(ITEMS)
    assert rows[-1]["right"] >= 0.95
    assert len(found["trivial"]) == 4
    assert max(found["trivial"].values()) <= AT_MOST


def test_a_file_of_readers_answers_is_examined_too(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = Shelves(["level1_mini"], data)[_first(data)]
    one = {"id": instance.id, "item": "E2", "score": 0, "language": "en", "thought": "Fine."}
    line = {**one, "tasks": instance.plan["tasks"], "change": "nothing mended"}
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(line) + "\n", "utf-8")
    (item, _) = told(capsys, "--checks", "--planted", file, "--data", data)["items"][str(file)]
    assert (item["item"], item["n"], item["right"]) == ("E2", 1, 1)


def _first(data: Path) -> str:
    return next(iter(Shelves(["level1_mini"], data)))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Moody]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")

    def half(_: Question, item: str) -> float:
        return 0.5 if item.startswith("S") else 1

    with moody(judge_by(half)) as found:
        yield found


def test_a_judge_is_asked_one_question_an_answer_and_is_resumed(
    data: Path, server: Moody, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--judge", "openai/stub", "--api-base", server.url, "--planted", "ours"]
    arguments += ["--many", "3", "--data", str(data), "--out", str(tmp_path)]
    found = told(capsys, *arguments)
    answers = planted(Shelves(("level1_mini", "level2_mini"), data), many=3)
    right = sum(one.score == (0.5 if one.item[0] == "S" else 1) for one in answers)
    assert found["items"]["ours"][-1]["right"] == pytest.approx(right / len(answers), abs=1e-6)
    asked = len(server.requests)
    assert told(capsys, *arguments) == found
    assert len(server.requests) == asked


def test_somebody_is_to_be_examined(data: Path) -> None:
    with pytest.raises(InputError, match="nobody to examine, or two"):
        main(["--data", str(data)])


def test_unscored_is_not_right() -> None:
    from eval.planted.answer import Planted

    answer = Planted("a", "D3", 1.0, "en", "", "x")
    item, everything = accuracies([Given(answer, {"D3": None}), Given(answer, {"D3": 1.0})])
    assert (item.right.mean, item.unscored, item.error) == (0.5, 1, 0.0)
    assert everything.n == 2


def test_the_frozen_files_are_as_they_were_written() -> None:
    answers = frozen.frozen()
    assert {one.item for one in answers} == {*ITEMS}
    assert {one.language for one in answers} == {"en", "zh"}


def test_a_frozen_file_that_was_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "writer.jsonl").write_text("{}\n")
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  writer.jsonl\n")
    monkeypatch.setattr(frozen, "FOLDER", tmp_path)
    monkeypatch.setattr(frozen, "SUMS", tmp_path / "SHA256SUMS")
    with pytest.raises(InputError, match=r"writer.jsonl: a frozen file has changed"):
        frozen.files()
