"""Recruiting: ranking by weights, diaries that fill, offers inside the band."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import recruiting


@pytest.fixture
def state() -> State:
    tables = recruiting.WORLD.tables(7)
    return State(
        {("recruiting", name): dict(sorted(rows.items())) for name, rows in tables.items()}
    )


@pytest.fixture
def view(state: State) -> View:
    return View(state, "recruiting")


def test_positions_ask_for_all_of_the_skills(view: View) -> None:
    found = recruiting.find_positions(view, ["sql", "statistics"], "oldest")["positions"]
    assert [row["position_id"] for row in found[:2]] == ["POS-218", "POS-226"]
    assert {row["title"] for row in found} == {"Data Analyst"}


def test_equal_fits_are_ranked_by_id(view: View) -> None:
    ranking = recruiting.rank_applicants(view, "POS-261", 10)["ranking"]
    assert [(row["candidate_id"], row["fit_percent"]) for row in ranking[:3]] == [
        ("C-572", 54), ("C-515", 52), ("C-540", 52),
    ]  # fmt: skip
    cheap = recruiting.rank_applicants(view, "POS-261", max_salary=50000)["ranking"]
    assert cheap[0]["candidate_id"] == "C-515"


def test_a_candidate_is_matched_and_described(view: View) -> None:
    matches = recruiting.match_positions(view, "C-556", "Warsaw")["matches"]
    assert [row["position_id"] for row in matches] == ["POS-289", "POS-296", "POS-241"]
    assert recruiting.candidate_profile(view, "C-550")["best_skill"] == "cloud"
    with pytest.raises(ToolError, match="'C-1' is not the id of a candidate"):
        recruiting.candidate_profile(view, "C-1")


def test_an_interview_fills_the_diary_until_it_is_cancelled(view: View, state: State) -> None:
    def slots() -> list[str]:
        found: list[str] = recruiting.interview_slots(view, ["Ines Marchetti"], "2026-03-09", 60)[
            "slots"
        ]
        return found

    free, start = slots(), state.digest()
    assert free == ["10:00", "12:00", "14:00", "16:00"]
    made = recruiting.schedule_interview(view, "C-550", "Ines Marchetti", "2026-03-09", "10:00", 60)
    assert made["ends"] == "11:00"
    assert slots() == free[1:]
    with pytest.raises(ToolError, match="Ines Marchetti is not free for 30 minutes at 10:30"):
        recruiting.schedule_interview(view, "C-551", "Ines Marchetti", "2026-03-09", "10:30", 30)
    recruiting.cancel_interview(view, made["interview_id"])
    assert (slots(), state.digest()) == (free, start)
    with pytest.raises(ToolError, match="2026-03-08 is one"):
        recruiting.interview_slots(view, ["Ines Marchetti"], "2026-03-08", 60)


def test_offers_stay_in_the_band_and_are_sent_once(view: View) -> None:
    salary = recruiting.suggest_salary(view, "C-571", "POS-233")["salary"]
    assert salary == 52200
    with pytest.raises(ToolError, match="99000 is above the salary band, which ends at 64000"):
        recruiting.send_offer(view, "C-571", "POS-233", 99000, "2026-05-01")
    assert recruiting.send_offer(view, "C-571", "POS-233", salary, "2026-05-01")["monthly"] == 4350
    with pytest.raises(ToolError, match="C-571 already has an offer for POS-233"):
        recruiting.send_offer(view, "C-571", "POS-233", salary, "2026-05-01")
