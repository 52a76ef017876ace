"""python -m build.label: how well the labeller finds what was put in."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from build.dataset import write_config
from build.label import EACH, MEAN, main
from build.labelling import Comparison, compared, is_labelled, mean, table, unlabelled
from trajectory.error_types import ErrorType
from trajectory.files import InputError
from trajectory.instance import Instance
from trajectory.plan import read_plan


def test_the_labeller_finds_what_was_put_in(augmented: list[Instance]) -> None:
    rows = table(map(compared, augmented))
    assert {row.type for row in rows} == {*ErrorType}
    for row in rows:
        assert row.precision is not None
        assert row.recall is not None
        assert min(row.precision, row.recall) >= EACH
    precision, recall = (
        mean(row.precision for row in rows) or 0.0,
        mean(row.recall for row in rows) or 0.0,
    )
    assert min(precision, recall) >= MEAN
    assert sum(row.right for row in rows) >= MEAN * sum(row.both for row in rows)


def test_it_finds_nothing_where_nothing_is_wrong(controls: list[Instance]) -> None:
    for instance in controls:
        assert compared(instance).found == Counter()


def test_it_is_shown_nothing_of_the_truth(augmented: list[Instance]) -> None:
    bare: Mapping[str, Any] = {"errors": [], "repairs": [], "error_types": (), "error_reason": ""}
    for instance in augmented[:20]:
        renumbered = replace(instance, **bare)
        assert compared(renumbered).found == compared(instance).found
        seen = unlabelled(instance)
        told = read_plan(instance.gold_plan)
        assert not seen.purposes
        assert not seen.gold.extra
        assert sorted(str(node.name) for node in seen.gold) == sorted(
            str(node.name) for node in told
        )


def test_a_rollout_is_not_held_against_its_own_labeller(augmented: list[Instance]) -> None:
    assert is_labelled(augmented[0])
    assert not is_labelled(replace(augmented[0], source="rollout"))
    assert not is_labelled(replace(augmented[0], environment={"replay": {}}))


def test_a_type_is_counted_as_often_as_it_occurs() -> None:
    told = Counter({("A", "1"): 2, ("B", "3"): 1})
    found = Counter({("A", "1"): 1, ("A", "2"): 2, ("C", "3"): 1})
    rows = {row.type: row for row in table([Comparison("x", told, found)])}
    assert rows["A"][1:] == (2, 3, 2, 1)
    assert (rows["A"].precision, rows["A"].recall, rows["A"].root_cause) == (2 / 3, 1, 1 / 2)
    assert (rows["B"].precision, rows["B"].recall) == (None, 0)
    assert (rows["C"].precision, rows["C"].recall) == (0, None)


@pytest.fixture(scope="module")
def folder(augmented: list[Instance], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    write_config(folder, "level1", "test", [one for one in augmented if one.level == 1])
    return folder


def test_the_table_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(folder), "--limit", "12"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0].split() == [
        "type", "told", "found", "precision", "recall", "root", "cause"
    ]  # fmt: skip
    assert "the same labels: 12 of 12 instances" in said
    assert main(["--data", str(folder), "--limit", "12", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["instances"] == 12
    assert sum(row["told"] for row in report["types"]) == 12


def test_labels_that_are_not_found_are_shown_and_fail(
    folder: Path,
    augmented: list[Instance],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = augmented[0]
    wrong = [{**error, "type": "Null_Error", "root_cause": "99"} for error in first.errors]
    write_config(tmp_path, "level1", "test", [replace(first, errors=wrong)])
    assert main(["--data", str(tmp_path)]) == 1
    assert f"{first.id}: told Null_Error at 99; found" in capsys.readouterr().out


def test_there_must_be_something_to_label(augmented: list[Instance], tmp_path: Path) -> None:
    rollout = replace(augmented[0], source="rollout", agent="someone")
    write_config(tmp_path, "level1", "test", [rollout])
    with pytest.raises(InputError, match="no augmented instance"):
        main(["--data", str(tmp_path)])
    with pytest.raises(InputError, match="--limit"):
        main(["--data", str(tmp_path), "--limit", "0"])
