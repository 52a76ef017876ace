"""Music: lengths and discounts, playlists that fit, seats, royalties to the cent."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import music


@pytest.fixture
def state() -> State:
    tables = music.WORLD.tables(7)
    return State({("music", name): dict(sorted(rows.items())) for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "music")


def test_albums_come_in_the_asked_order(view: View) -> None:
    longest = music.find_albums(view, "jazz", "longest")["albums"]
    cheapest = music.find_albums(view, "jazz", "cheapest", 2024)["albums"]
    assert [row["album_id"] for row in longest[:2]] == ["AL-1136", "AL-1113"]
    assert [row["price"] for row in cheapest] == [9.5, 16.5, 25.5]


def test_three_albums_are_cheaper(view: View) -> None:
    two = music.album_bundle(view, ["AL-1001", "AL-1002"])
    three = music.album_bundle(view, ["AL-1001", "AL-1002", "AL-1003"])
    assert (two["total_minutes"], two["total_price"]) == (99, 30)
    assert (three["total_minutes"], three["total_price"]) == (143, 40.95)
    assert three["longest"]["album_id"] == "AL-1002"


def test_a_playlist_fits_and_can_be_deleted(view: View, state: State) -> None:
    start = state.digest()
    artists = ["The Velvet Mirrors", "The Lunar Rivers"]
    made = music.build_playlist(view, artists, 30, "Vera Haddad")
    assert (made["tracks"], made["minutes"]) == (7, 30)
    with pytest.raises(ToolError, match="Vera Haddad already has this playlist: pl-"):
        music.build_playlist(view, artists, 30, "Vera Haddad")
    assert music.delete_playlist(view, made["playlist_id"])["owner"] == "Vera Haddad"
    assert state.digest() == start


def test_seats_run_out_until_tickets_are_returned(view: View, state: State) -> None:
    start = state.digest()
    first = music.buy_concert_tickets(view, "CO-501", "Vera Haddad", 8)
    second = music.buy_concert_tickets(view, "CO-501", "Vera Haddad", 10)
    assert (first["total"], second["total"]) == (624, 780)
    with pytest.raises(ToolError, match="only 8 seats are left at CO-501, not 10"):
        music.buy_concert_tickets(view, "CO-501", "Theo Haddad", 10)
    for order, refund in ((first, 624), (second, 780)):
        assert music.return_concert_tickets(view, order["order_id"])["refund"] == refund
    assert state.digest() == start


def test_concerts_come_by_day(view: View) -> None:
    found = music.find_concerts(view, "Vienna", max_price=50)["concerts"]
    assert (found[0]["concert_id"], found[0]["price"]) == ("CO-791", 33)
    assert music.find_concerts(view, "Nowhere") == {"concerts": [], "count": 0}


def test_royalties_are_split_to_the_cent(view: View) -> None:
    found = music.royalty_statement(view, "The Velvet Mirrors", 2021)
    assert found["royalties"] == 23792.14
    assert music.royalty_statement(view, "The Velvet Mirrors", 2021, "radio")["royalties"] == 3777.7
    assert music.split_royalties(view, 100.01, [33.3, 33.3, 33.3]) == {
        "parts": [33.31, 33.3, 33.3], "kept": 0.1,
    }  # fmt: skip
    with pytest.raises(ToolError, match="shares of 60, 50 exceed 100 percent"):
        music.split_royalties(view, 100, [60, 50])
