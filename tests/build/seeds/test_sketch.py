"""Sketches: as deep as wanted, no tool twice in a chain, effects that are seen."""

import random
import re
from collections.abc import Iterator

import pytest

from build.seeds.effects import pairs_of
from build.seeds.meeting import MOST_LAYERS, Pair, market
from build.seeds.related import told_by
from build.seeds.sketch import DeadEndError, Size, Sketch, Step, draw_sketch
from build.seeds.values import fill
from environment import worlds
from environment.simulation import base_tables, setting
from environment.state import State, View

NAMES = ("maps", "travel")


def _sketches(size: Size, pair: Pair | None = None) -> Iterator[Sketch]:
    for seed in range(40):
        try:
            yield draw_sketch(random.Random(seed), market(NAMES), size, pair)
        except DeadEndError:
            continue


@pytest.mark.parametrize("layers", range(2, 7))
def test_a_sketch_has_as_many_layers_as_wanted(layers: int) -> None:
    found = list(_sketches(Size(calls=8, layers=layers, goals=1)))
    assert len(found) > 10
    for sketch in found:
        assert len(sketch.ordered()) == layers
        assert 3 <= len(sketch.steps) <= 16
        assert all(goal in sketch.steps for goal in sketch.goals)


def test_every_step_is_asked_for_or_feeds_another() -> None:
    for sketch in _sketches(Size(calls=9, layers=4, goals=2)):
        awaited = {before for step in sketch.steps for before in step.awaited()}
        assert awaited | {*sketch.goals} == {*sketch.steps}


def _paths(step: Step) -> Iterator[list[str]]:
    feeders = list(step.feeders())
    if not feeders:
        yield [step.tool.name]
    for feeder in feeders:
        for path in _paths(feeder):
            yield [step.tool.name, *path]


def test_the_deepest_chain_of_a_goal_passes_no_tool_twice() -> None:
    for sketch in _sketches(Size(calls=6, layers=6, goals=1)):
        paths = [path for path in _paths(sketch.goals[0]) if len(path) == 6]
        assert any(len(set(path)) == 6 for path in paths)


def test_chains_end_where_nothing_can_be_completed() -> None:
    found = market(("clinic",))
    assert len(found.chains) == MOST_LAYERS
    # An appointment is cancelled by the id that only the booking gives: nobody books for that.
    assert "cancel_appointment" not in found.chains[1]
    assert "book_appointment" in found.chains[2]


def test_a_writer_and_a_reader_are_both_asked_for() -> None:
    pair = next(pair for pair in pairs_of("clinic", 7) if pair.writer.name == "book_appointment")
    sketch = draw_sketch(random.Random(1), market(("clinic",)), Size(3, 3, 1), pair)
    writer, reader = sketch.goals[:2]
    assert (writer.tool, reader.tool) == pair
    assert reader.after == [writer]
    assert writer not in list(reader.feeders())
    filled = {one.step: one for one in fill(sketch, setting(["clinic"], 7), random.Random(1))}
    view = View(State(base_tables(setting(["clinic"], 7))), "clinic")
    assert filled[reader].result != reader.tool.body(view, **filled[reader].arguments)


def test_nobody_is_asked_to_take_back_what_was_just_done_or_to_see_what_never_shows() -> None:
    undone = {
        tool.undo.tool
        for name in worlds.world_names()
        for tool in worlds.world(name).tools.values()
        if tool.undo is not None
    }
    names = {
        (pair.writer.name, pair.reader.name)
        for name in ("clinic", "contacts", "insurance")
        for pair in pairs_of(name, 7)
    }
    assert ("book_appointment", "free_doctor_slots") in names
    assert not {reader for _, reader in names} & undone
    # Nobody in a group has another birthday for being in it.
    assert ("add_to_group", "upcoming_birthdays") not in names


@pytest.mark.parametrize("name", worlds.world_names())
def test_descriptions_tell_of_a_change_and_of_reading_it(name: str) -> None:
    for pair in pairs_of(name, 7):
        tables = {*pair.writer.writes} & {*pair.reader.reads}
        told = _stems(pair.writer.description) & _stems(pair.reader.description)
        assert told, (pair.writer.name, pair.reader.name, tables)


def _stems(description: str) -> set[str]:
    """Return the beginnings of the words that say something."""
    words = {word[:4] for word in re.findall(r"[a-z]{4,}", description.lower())}
    return words - {"from", "with", "that", "this", "thei", "when", "whic", "back"}


def test_a_write_speaks_of_what_its_rows_name_and_not_of_what_it_creates() -> None:
    tables = base_tables(setting(["clinic"], 7))
    tools = worlds.world("clinic").tools
    slot_id, slot = next(iter(tables["clinic", "slots"].items()))
    given = {"slot_id": slot_id, "patient": "Ada Abara"}
    after = State(tables)
    result = tools["book_appointment"].body(View(after, "clinic"), **given)
    told = told_by(tools["book_appointment"], given, result, tables, after)
    free = tools["free_doctor_slots"].parameters
    assert told.values_for("doctor_id", free["doctor_id"]) == [slot["doctor_id"]]
    assert slot["day"] in told.values_for("earliest", free["earliest"])
    cancel = tools["cancel_appointment"].parameters["appointment_id"]
    assert told.values_for("appointment_id", cancel) == []
