"""The contacts world: exact behaviour on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import contacts

NAME = "contacts"


@pytest.fixture
def view() -> View:
    tables = contacts.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def test_nearest_come_first(view: View) -> None:
    found = contacts.search_contacts(view, "doctor", "Paris", max_km=3000)
    distances = [one["km"] for one in found["people"]]
    assert distances == sorted(distances)
    assert all(km <= 3000 for km in distances)
    with pytest.raises(ToolError, match="'Atlantis' is not a city"):
        contacts.search_contacts(view, "doctor", "Atlantis")


def test_birthdays_start_today_and_go_round_the_year(view: View) -> None:
    found = contacts.upcoming_birthdays(view, 365)
    assert found["count"] == len(view.values("names"))
    assert found["birthdays"][0]["date"] >= "2026-03-02"
    assert found["dates"] == sorted(found["dates"])


def test_merging_fills_the_gaps_and_splitting_restores_them(view: View) -> None:
    twice = [name for name, row in view.rows("names") if len(row["cards"]) > 1]
    before = view.values("cards")
    pair = contacts.find_double_cards(view, [twice[0]])["doubles"][0]
    merged = contacts.merge_cards(view, pair["keep"], pair["drop"])
    assert merged["name"] == twice[0]
    assert contacts.find_double_cards(view, [twice[0]])["count"] == 0
    assert contacts.look_up_contact(view, twice[0])["contact_id"] == pair["keep"]
    with pytest.raises(ToolError, match=f"has no card '{pair['drop']}'"):
        contacts.merge_cards(view, pair["keep"], pair["drop"])
    contacts.split_cards(view, merged["merge_id"])
    assert view.values("cards") == before


def test_cards_of_different_people_stay_apart(view: View) -> None:
    one, other = (view.values("names")[place]["cards"][0] for place in (0, 1))
    with pytest.raises(ToolError, match="belong to different people"):
        contacts.merge_cards(view, one, other)


def test_a_group_grows_and_shrinks(view: View) -> None:
    before = contacts.group_mailing_list(view, "choir")
    new = next(name for name, _ in view.rows("names") if name not in before["names"])
    assert contacts.add_to_group(view, "choir", [new])["size"] == before["count"] + 1
    assert new in contacts.group_mailing_list(view, "choir")["names"]
    with pytest.raises(ToolError, match=f"{new} belongs to the choir already"):
        contacts.add_to_group(view, "choir", [new])
    contacts.remove_from_group(view, "choir", [new])
    assert contacts.group_mailing_list(view, "choir") == before
