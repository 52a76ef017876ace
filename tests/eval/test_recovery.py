"""Answers as text, whatever they say: each leads to a row that can be written, read and scored."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from environment import opening
from environment.executor import MAX_ROUNDS, Snapshot
from eval.agents import Seen
from eval.derive import Case, derive
from eval.planners import PLANNERS
from eval.recovery import recover, seen
from eval.results import read_row
from models.reading import write_answer
from trajectory import canonical
from trajectory.files import json_line
from trajectory.instance import Instance, view
from trajectory.plan import read_plan


class Says:
    """An agent that says these texts in turn, then carries on, and keeps what it saw."""

    def __init__(self, *texts: str | None) -> None:
        self.texts = texts
        self.seen: list[Seen] = []

    def answer(self, seen: Seen, later: int) -> str | None:
        assert later == len(self.seen)
        self.seen.append(seen)
        return self.texts[later] if later < len(self.texts) else None


def row_of(instance: Instance, *texts: str | None) -> dict[str, Any]:
    return recover(instance, opening.start(instance), Says(*texts))


def snapshot_text(instance: Instance) -> str:
    return write_answer("", (), read_plan(instance.plan))


def test_the_first_answer_stands_in_raw_output_and_later_ones_in_their_round(
    instances: list[Instance],
) -> None:
    first, later = snapshot_text(instances[0]), "I wait."
    row = row_of(instances[0], first, later)
    assert row["raw_output"] == first
    assert [one["answer"] for one in row["rounds"]] == [None, later]
    assert (row["outcome"], row["how"], row["reason"]) == ("ok", "tagged", None)


def test_a_later_answer_that_cannot_be_read_carries_on(instances: list[Instance]) -> None:
    first = snapshot_text(instances[0])
    as_it_is, unread = row_of(instances[0], first), row_of(instances[0], first, "<plan>{", "no")
    assert unread["ending"] == as_it_is["ending"] == "completed"
    calls = [[one["calls"] for one in row["rounds"]] for row in (as_it_is, unread)]
    assert calls[0] == calls[1]


@pytest.mark.parametrize("text", ["", "I can't.", "<plan>[]]", None])
def test_a_first_answer_without_a_plan_is_model_invalid_and_not_carried_on(
    instances: list[Instance], text: str | None
) -> None:
    agent = Says(text, snapshot_text(instances[0]))
    row = recover(instances[0], opening.start(instances[0]), agent)
    assert len(agent.seen) == 1
    assert row["raw_output"] == (text or "")
    assert (row["outcome"], row["plan"], row["rounds"]) == ("model_invalid", None, None)
    assert row["reason"]


def test_replan_only_asks_once_and_runs_nothing(instances: list[Instance]) -> None:
    agent = Says(snapshot_text(instances[0]))
    row = recover(instances[0], opening.start(instances[0]), agent, replan_only=True)
    assert len(agent.seen) == 1
    assert (row["outcome"], row["rounds"], row["state"]) == ("ok", None, None)


def test_an_agent_first_sees_the_instance_and_then_each_snapshot(
    instances: list[Instance],
) -> None:
    one = instances[0]
    agent = Says(snapshot_text(one))
    row = recover(one, opening.start(one), agent)
    assert agent.seen[0] == view(one)
    assert [set(shown) for shown in agent.seen] == [set(view(one))] * len(row["rounds"])
    second = agent.seen[1]
    assert second["tool_results"] == row["rounds"][0]["calls"]
    assert second["history"] == [*one.history, one.tool_results]
    assert [task["status"] for task in second["plan"]["tasks"]] == [True, True, False, False]


def test_what_is_shown_at_the_start_is_what_the_instance_shows(instances: list[Instance]) -> None:
    one = instances[0]
    shot: Snapshot = opening.start(one).snapshot
    assert canonical.dumps(seen(one, shot)) == canonical.dumps(view(one))


def test_planners_say_the_same_however_often_they_are_asked(instances: list[Instance]) -> None:
    one = instances[0]
    for make in PLANNERS.values():
        planner = make(one)
        assert [planner.answer(view(one), 0) for _ in range(2)] == [
            make(one).answer(view(one), 0)
        ] * 2
        planner.answer(view(one), 1)
        assert planner.answer(view(one), 0) == make(one).answer(view(one), 0)


# --- whatever is said --------------------------------------------------------------------------

IDS = ("1", "2", "3", "root", "response", "1_retry_1", 2, None, "")
ODD = ("NaN", "1e999", "9" * 400, '"\\ud800"', "null", '{"$ref": "1"}', '{"$ref": 1}', '"Oslo"')
ids = st.sampled_from(IDS).map(json.dumps)
tasks = st.builds(
    (
        '{{"id": {}, "name": {}, "para": {{"city": {}, "nights": {}}}, "dep": {}, "status": {}}}'
    ).format,
    ids,
    st.sampled_from(['"find_hotels"', '"book_room"', '"nothing"', "null", "[1]"]),
    st.sampled_from(ODD),
    st.sampled_from(ODD),
    st.one_of(st.lists(ids, max_size=3).map(lambda some: f"[{', '.join(some)}]"), ids),
    st.sampled_from(["true", "false", '"true"', "2"]),
)
plans = st.lists(tasks, max_size=6).map(lambda some: f'{{"tasks": [{", ".join(some)}]}}')
frames = st.sampled_from(["{}", "<plan>{}</plan>", "<think>{}", "```json\n{}\n```", "{},]", "a{}b"])
sayings = st.one_of(
    st.none(),
    st.text(max_size=30),
    st.builds(lambda frame, plan: frame.replace("{}", plan), frames, plans),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(sayings, max_size=6), st.booleans())
def test_whatever_is_said_gives_a_row_that_is_written_read_and_scored(
    instances: list[Instance], texts: list[str | None], begin: bool
) -> None:
    one = instances[0]
    said = [snapshot_text(one), *texts] if begin else texts
    row = row_of(one, *said)
    assert row == row_of(one, *said)
    line = json_line({"id": one.id, "sample": 0, **row})
    read = read_row(canonical.loads(line), "made", 1)
    derive(read, Case(one))
    if read.rounds is not None:
        assert 1 <= len(read.rounds) <= MAX_ROUNDS - 1
        assert read.rounds[-1]["response"] == row["completed"]
