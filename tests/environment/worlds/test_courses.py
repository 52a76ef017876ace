"""The courses world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import courses

NAME = "courses"


@pytest.fixture
def view() -> View:
    tables = courses.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def test_courses_come_cheapest_first(view: View) -> None:
    found = courses.find_courses(view, "physics", min_credits=5)
    assert found["count"] == len(found["courses"]) > 1
    assert found["fees"] == sorted(found["fees"])
    assert all(course["credits"] >= 5 for course in found["courses"])
    assert courses.find_courses(view, "law", max_fee=1)["courses"] == []


def test_prerequisites_come_deepest_first(view: View) -> None:
    view.put("students", "Nobody Here", {"name": "Nobody Here", "field": "law", "grades": {}})
    found = courses.missing_prerequisites(view, "Nobody Here", "LAW-301")["missing"]
    assert found
    levels = [int(code[4]) for code in found]
    assert levels[0] == 1
    for code in found:
        needed = view.get("courses", code)
        assert needed is not None
        assert all(found.index(other) < found.index(code) for other in needed["prerequisites"])


def test_a_timetable_has_no_overlap_and_keeps_its_day_off(view: View) -> None:
    plan = courses.plan_timetable(view, ["BIO-101", "CHE-102"], day_off="Friday")
    assert [section[:7] for section in plan["section_ids"]] == ["BIO-101", "CHE-102"]
    assert "Friday" not in plan["days"]


def test_enrolling_takes_a_place_that_dropping_gives_back(view: View) -> None:
    picked = courses.pick_section(view, "BIO-101", "emptiest")
    name = view.values("students")[0]["name"]
    done = courses.enrol_student(view, name, [picked["section_id"]])
    after = courses.pick_section(view, "BIO-101", "emptiest")
    assert after["free_places"] <= picked["free_places"]
    with pytest.raises(ToolError, match=f"{name} is already enrolled in BIO-101"):
        courses.enrol_student(view, name, [picked["section_id"]])
    courses.drop_enrolment(view, done["enrolment_id"])
    assert courses.pick_section(view, "BIO-101", "emptiest") == picked
    with pytest.raises(ToolError, match="no enrolment"):
        courses.drop_enrolment(view, done["enrolment_id"])


def test_planned_courses_count_towards_the_degree(view: View) -> None:
    name = view.values("students")[0]["name"]
    now = courses.degree_progress(view, name, 10)
    grades = view.get("students", name)["grades"]  # type: ignore[index]
    new = next(code for code, _ in view.rows("courses") if code not in grades)
    then = courses.degree_progress(view, name, 10, planned=[new])
    worth = view.get("courses", new)["credits"]  # type: ignore[index]
    assert now["credits_left"] - then["credits_left"] == worth
    assert now["average_grade"] == then["average_grade"]


def test_top_students_are_ranked_and_cut(view: View) -> None:
    found = courses.top_students(view, "MAT-101", 3, min_grade=60)
    assert len(found["students"]) <= 3
    assert found["grades"] == sorted(found["grades"], reverse=True)
