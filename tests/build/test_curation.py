"""Curation: decisions are kept by what a rollout looks like, and the build obeys them."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from build.curate import main
from build.curation import Decision, curated, decided, read_decisions, write_decisions
from build.dataset import write_config
from build.rollouts.filling import Filling, Given
from build.rollouts.marginals import Quotas
from trajectory import canonical
from trajectory.files import InputError
from trajectory.instance import Instance, look

SAID = {"reviewer": "ada", "reason": "as it looks"}


@pytest.fixture(scope="module")
def rollout(augmented: list[Instance]) -> Instance:
    one = next(one for one in augmented if one.level == 1)
    return replace(one, id="L1-rol-000001", source="rollout", agent="scripted:hasty")


@pytest.fixture
def folder(rollout: Instance, augmented: list[Instance], tmp_path: Path) -> Path:
    other = next(one for one in augmented if one.level == 1 and look(one) != look(rollout))
    second = replace(other, id="L1-rol-000002", source="rollout", agent="scripted:terse")
    write_config(tmp_path / "data", "level1", "test", [rollout, second])
    return tmp_path / "data"


Curate = Callable[..., tuple[int, str]]


@pytest.fixture
def curate(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Curate:
    def run(*options: str, typed: str = "") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        place = ["--decisions", str(tmp_path / "curation.jsonl")]
        data = [] if "--show" in options else ["--data", str(folder)]
        return main([*options, *place, *data]), capsys.readouterr().out

    return run


def of(instance: Instance, said: str, *labels: tuple[str, str]) -> dict[str, Decision]:
    one = decided(look(instance), instance.id, said, labels, SAID)  # type: ignore[arg-type]
    return {one.look: one}


def test_a_decision_is_kept_in_the_instance(rollout: Instance) -> None:
    kept = curated(rollout, of(rollout, "accept"))
    assert kept == replace(rollout, curation={"decision": "accept", **SAID})
    assert curated(rollout, {}) == rollout


def test_what_a_reviewer_rejects_is_not_taken(rollout: Instance) -> None:
    assert curated(rollout, of(rollout, "reject")) is None
    filling = Filling(Quotas(5, 5, bound=False), decisions=of(rollout, "reject"))
    filling.take(Given([rollout], []))
    assert filling.instances == []
    assert filling.dropped == {(0, "turned down by a reviewer"): 1}


def test_another_is_wanted_for_one_that_is_turned_down(rollout: Instance) -> None:
    filling = Filling(Quotas(1, 0), decisions=of(rollout, "reject"))
    filling.take(Given([rollout], []))
    assert filling.quotas.filled
    assert filling.give_back()
    assert not filling.quotas.filled
    another = replace(rollout, query=f"{rollout.query} Please.")
    filling.take(Given([rollout, another], []))
    assert not filling.give_back()
    assert filling.instances == [another]


def test_who_stands_behind_one_that_is_turned_down_keeps_its_id(rollout: Instance) -> None:
    others = [replace(rollout, query=f"{rollout.query} {number}") for number in range(3)]
    names = []
    for decisions in ({}, of(others[1], "reject")):
        filling = Filling(Quotas(5, 0, bound=False), decisions=decisions)
        filling.take(Given(others, []))
        names.append({one.query: one.id for one in filling.numbered()})
    assert names[1] == {query: id for query, id in names[0].items() if query != others[1].query}


def test_a_relabel_is_taken_only_where_it_is_proven(rollout: Instance) -> None:
    (error,) = rollout.errors
    proven = (error["type"], error["root_cause"])
    kept = curated(rollout, of(rollout, "relabel", proven))
    assert kept is not None
    assert kept.curation["decision"] == "relabel"
    assert curated(rollout, of(rollout, "relabel", ("Null_Error", "nowhere"))) is None


def test_decisions_are_read_as_they_were_written(rollout: Instance, tmp_path: Path) -> None:
    path = tmp_path / "curation.jsonl"
    known = of(rollout, "relabel", ("Type_Error", "2"), ("Null_Error", "1"))
    write_decisions(known.values(), path)
    assert read_decisions(path) == known
    assert read_decisions(tmp_path / "none.jsonl") == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"decision": "maybe"}, "unknown decision: got maybe; wanted accept or reject or relabel"),
        ({"reviewer": 3}, "not a decision"),
        ({"labels": [{"type": "Odd", "root_cause": "1"}]}, "wrong labels of a decision"),
        ({"decision": "relabel"}, "a relabel has labels"),
        ({"labels": 4}, "wrong labels of a decision"),
    ],
)
def test_a_wrong_line_is_named(change: dict[str, object], said: str, tmp_path: Path) -> None:
    row = {"look": "0", "id": "L1-rol-000001", "decision": "accept", "labels": [], **SAID}
    path = tmp_path / "curation.jsonl"
    path.write_text(canonical.dumps({**row, **change}) + "\n", "utf-8")
    with pytest.raises(InputError, match=said) as caught:
        read_decisions(path)
    assert "curation.jsonl:1: " in str(caught.value)


def test_two_decisions_about_one_instance_are_an_error(rollout: Instance, tmp_path: Path) -> None:
    path = tmp_path / "curation.jsonl"
    line = canonical.dumps(next(iter(of(rollout, "accept").values())).to_row()) + "\n"
    path.write_text(line * 2, "utf-8")
    with pytest.raises(InputError, match="a second decision about one instance"):
        read_decisions(path)


def test_a_decision_is_said_at_once(curate: Curate, rollout: Instance, tmp_path: Path) -> None:
    told = ("--reviewer", "ada", "--reason", "as it looks", "--decide")
    assert curate(*told, "accept", rollout.id)[0] == 0
    assert read_decisions(tmp_path / "curation.jsonl") == of(rollout, "accept")
    curate(*told, "reject", rollout.id)
    assert read_decisions(tmp_path / "curation.jsonl") == of(rollout, "reject")
    shown = curate("--show", "--json")[1]
    assert canonical.loads(shown) == next(iter(of(rollout, "reject").values())).to_row()


def test_reviewers_are_asked_and_shown_no_truth(
    curate: Curate, rollout: Instance, tmp_path: Path
) -> None:
    node = next(one["id"] for one in rollout.plan["tasks"] if one.get("name"))
    typed = f"\nnonsense\nType_Error@{node}\nnot a number\n"
    code, shown = curate("--reviewer", "ada", rollout.id, "L1-rol-000002", typed=typed)
    assert code == 0
    assert "Repairs" not in shown
    assert rollout.errors[0]["type"] not in shown
    (one,) = read_decisions(tmp_path / "curation.jsonl").values()
    expected = ("L1-rol-000002", "relabel", (("Type_Error", node),), "not a number")
    assert (one.id, one.decision, one.labels, one.reason) == expected


def test_who_was_decided_about_is_not_asked_for_again(curate: Curate, rollout: Instance) -> None:
    told = ("--reviewer", "ada", "--random", "2", "--seed", "1")
    curate(*told, typed="a\nfine\nq\n")
    code, shown = curate(*told, typed="a\nfine\n")
    assert code == 0
    assert shown.count("Request") == 1
    assert len(curate("--show")[1].splitlines()) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--decide", "accept", "--reason", "x", "L1-rol-9"], "is no rollout of this dataset"),
        (["--decide", "bad", "--reason", "x", "L1-rol-000001"], "not a decision"),
        (["--decide", "Type_Error@99z", "--reason", "x", "L1-rol-000001"], "no such node"),
    ],
)
def test_wrong_decisions_are_one_line(
    curate: Curate, tmp_path: Path, options: list[str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        curate("--reviewer", "ada", *options)
    assert not (tmp_path / "curation.jsonl").exists()
