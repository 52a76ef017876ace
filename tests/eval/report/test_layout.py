"""Where the nodes of a drawn plan stand."""

import re

from hypothesis import given
from hypothesis import strategies as st

from eval.report.layout import HEIGHT, WIDTH, layout
from trajectory.plan import Plan, read_plan


def plan_of(deps: dict[str, list[str]]) -> Plan:
    tasks = [{"id": id, "name": "t", "para": {}, "dep": dep} for id, dep in deps.items()]
    return read_plan({"tasks": tasks})


def test_a_node_stands_right_of_what_it_waits_for_and_its_line_passes_the_columns_between() -> None:
    placed = layout(plan_of({"1": [], "2": ["1"], "3": ["2"], "4": ["1", "3"]}))
    x = {id: place[0] for id, place in placed.places.items()}
    assert x["1"] < x["2"] < x["3"] < x["4"]
    boxes = list(placed.places.values())
    across = [line for line in placed.lines if line[2] - line[0] == WIDTH]
    assert len(across) == 2
    assert not any(
        left == line[0] and top <= line[1] <= top + HEIGHT for line in across for left, top in boxes
    )


def test_nodes_on_a_cycle_stand_in_the_last_column() -> None:
    placed = layout(plan_of({"1": [], "2": ["3"], "3": ["2"]}))
    assert placed.places["2"][0] == placed.places["3"][0] > placed.places["1"][0]


def test_lines_of_a_cycle_go_around_the_nodes_and_stay_within_the_size() -> None:
    placed = layout(plan_of({"1": ["1"], "2": ["3"], "3": ["2"]}))
    assert len({line.path for line in placed.lines}) == 3
    for line in placed.lines:
        assert line.ends
        assert line.x == line.to == placed.places["1"][0] + WIDTH
        ends = [float(number) for number in re.findall(r"[\d.]+", line.path)]
        assert max(ends[::2]) <= placed.size[0]


def test_an_arrow_stands_where_a_line_reaches_who_waits() -> None:
    placed = layout(plan_of({"1": [], "2": ["1"], "3": ["2"], "4": ["1", "3"]}))
    lefts = {placed.places[id] for id in "234"}
    ends = {(line.to, line.down - HEIGHT // 2) for line in placed.lines if line.ends}
    assert ends == lefts


def test_a_plan_without_nodes_has_no_places() -> None:
    assert layout(plan_of({})).places == {}


@given(
    st.dictionaries(
        st.sampled_from("abcdefgh"), st.lists(st.sampled_from("abcdefghxy"), max_size=4), max_size=8
    )
)
def test_nodes_never_overlap_and_lie_within_the_size(deps: dict[str, list[str]]) -> None:
    placed = layout(plan_of(deps))
    places = list(placed.places.values())
    assert {*placed.places} == {*deps}
    assert len({*places}) == len(places)
    width, height = placed.size
    assert all(x + WIDTH <= width and y + HEIGHT <= height for x, y in places)
