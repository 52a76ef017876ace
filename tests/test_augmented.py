"""The instances that tests of all parts are tried on are as varied as these tests suppose."""

from collections import Counter
from pathlib import Path

import pytest

from build.dataset import CANARY, EDITION
from build.showing.text import natural
from tests import augmented as module
from trajectory.error_types import ErrorType
from trajectory.instance import Instance
from trajectory.plan import RESPONSE, ROOT

LEVELS = (1, 2)


def test_every_type_is_there_on_both_levels(augmented: list[Instance]) -> None:
    for level in LEVELS:
        labels = Counter(
            name for one in augmented if one.level == level for name in one.error_types
        )
        assert set(labels) == {kind.value for kind in ErrorType}
        assert min(labels.values()) >= 2


def test_some_have_run_and_some_have_not(augmented: list[Instance]) -> None:
    for level in LEVELS:
        ran = [bool(one.tool_results) for one in augmented if one.level == level]
        assert {*ran} == {True, False}
    assert max(len(one.history) for one in augmented) >= 2
    assert any(one.gold_plan.get("purposes") and one.history for one in augmented)


def test_level_2_has_one_to_three_errors(augmented: list[Instance]) -> None:
    counts = {level: {len(o.errors) for o in augmented if o.level == level} for level in LEVELS}
    assert counts == {1: {1}, 2: {1, 2, 3}}


def test_controls_have_no_error(controls: list[Instance]) -> None:
    assert len(controls) == module.CONTROLS
    assert {one.error_types for one in controls} == {()}


def test_their_frame_is_filled_in(made: list[Instance]) -> None:
    assert len({one.id for one in made}) == len(made)
    for one in made:
        assert (one.edition, one.source, one.proof) == (EDITION, "augmented", "full")
        assert one.canary == CANARY
        assert list(one.error_types) == sorted({error["type"] for error in one.errors})
        assert bool(one.error_reason) == bool(one.errors)


def test_numbers_and_order_of_nodes_tell_nothing(made: list[Instance]) -> None:
    for one in made:
        ids = [task["id"] for task in one.plan["tasks"]]
        assert ids == [ROOT, *map(str, range(1, len(ids) - 1)), RESPONSE], one.id
        for task in one.plan["tasks"]:
            assert task["dep"] == sorted(task["dep"], key=natural), one.id


def test_they_are_made_once_for_the_same_sources(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: list[Instance]
) -> None:
    calls = []

    def few() -> list[Instance]:
        calls.append(1)
        return made[:2]

    monkeypatch.setattr(module, "made", few)
    assert module.instances(tmp_path) == module.instances(tmp_path) == made[:2]
    assert len(calls) == 1
    monkeypatch.setattr(module, "_digest_of_sources", lambda: "changed")
    assert module.instances(tmp_path) == made[:2]
    assert len(calls) == 2
