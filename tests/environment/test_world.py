"""What a model is told of a tool."""

import pytest

from environment.world import shape_of
from environment.worlds import world


@pytest.mark.parametrize(
    ("paths", "shape"),
    [
        (["count"], "{count}"),
        (["hotels[0].hotel_id", "hotels[1].hotel_id", "hotels[0].price"],
         "{hotels: [{hotel_id, price}, …]}"),
        (["missing[0]", "eligible"], "{missing: […], eligible}"),
        (["first.item_id", "first.day"], "{first: {item_id, day}}"),
    ],
)  # fmt: skip
def test_paths_become_one_shape(paths: list[str], shape: str) -> None:
    assert shape_of(paths) == shape


def test_a_catalogue_says_where_in_the_result_a_value_stands() -> None:
    told = world("travel").tools["find_hotels"].to_catalogue()["description"]
    assert told.endswith("Returns {hotels: [{hotel_id, price_per_night}, …]}.")
