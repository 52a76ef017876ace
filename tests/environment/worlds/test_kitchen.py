"""The kitchen world: exact results on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import kitchen


@pytest.fixture
def state() -> State:
    tables = kitchen.WORLD.tables(7)
    return State({("kitchen", table): rows for table, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "kitchen")


def test_recipes_come_quickest_first_and_keep_to_the_limits(view: View) -> None:
    found = kitchen.find_recipes(view, "Thai", "soup")
    assert [recipe["minutes"] for recipe in found["recipes"]] == [20, 29, 34, 35, 45]
    limited = kitchen.find_recipes(view, "Thai", "soup", "vegan", 40, ["tofu"])
    assert [recipe["name"] for recipe in limited["recipes"]] == [
        "Thai carrots soup",
        "Thai lentils soup",
        "Thai cauliflower soup",
    ]


def test_ranking_by_price_of_a_serving(view: View) -> None:
    soups = [row["recipe_id"] for row in kitchen.find_recipes(view, "Thai", "soup")["recipes"]]
    ranking = kitchen.rank_recipes(view, soups, "price")["ranking"]
    assert [row["price"] for row in ranking] == [0.78, 1.43, 1.59, 2.09, 4.27]
    assert kitchen.rank_recipes(view, soups, "protein")["best"] != ranking[0]["recipe_id"]


def test_amounts_grow_with_the_servings(view: View) -> None:
    scaled = kitchen.scale_recipe(view, "rc-c15fe355", 6)
    assert scaled["ingredients"][0] == {"ingredient": "carrots", "grams": 960}
    with pytest.raises(ToolError, match="no recipe has the id 'rc-0'"):
        kitchen.scale_recipe(view, "rc-0", 6)


def test_only_what_the_pantry_lacks_is_missing(view: View) -> None:
    needed = [{"ingredient": "almonds", "grams": 800}, {"ingredient": "aubergine", "grams": 100}]
    assert kitchen.missing_from_pantry(view, needed) == {
        "missing": [{"ingredient": "almonds", "grams": 80}],
        "missing_count": 1,
    }


def test_nutrition_is_shared_by_the_portions(view: View) -> None:
    items = [{"ingredient": "rice", "grams": 200}, {"ingredient": "tofu", "grams": 100}]
    assert kitchen.nutrition_per_portion(view, items, 2) == {"kcal": 398, "protein_g": 11}


def test_a_stand_in_suits_the_diet(view: View) -> None:
    found = kitchen.substitute_ingredient(view, "rice", 100, "gluten-free")
    assert found == {"stand_ins": [{"ingredient": "quinoa", "grams": 90}], "count": 1}
    assert kitchen.substitute_ingredient(view, "pumpkin", 50) == {"stand_ins": [], "count": 0}


def test_a_list_is_written_once_and_thrown_away_without_a_trace(view: View, state: State) -> None:
    items = [{"ingredient": "rice", "grams": 1500}]
    written = kitchen.write_shopping_list(view, "Ada Zeller", "2026-03-05", items)
    assert written["total_price"] == 3.45
    with pytest.raises(ToolError, match="Ada Zeller already has this shopping list"):
        kitchen.write_shopping_list(view, "Ada Zeller", "2026-03-05", items)
    kitchen.discard_shopping_list(view, written["list_id"])
    assert state.changes() == {}


def test_the_pantry_gives_no_more_than_it_holds(view: View) -> None:
    with pytest.raises(ToolError, match="the pantry holds 720 g of almonds, not 721 g"):
        kitchen.take_from_pantry(view, "almonds", 721)
    assert kitchen.take_from_pantry(view, "almonds", 720)["left_grams"] == 0
    with pytest.raises(ToolError, match="there is no almonds in the pantry"):
        kitchen.take_from_pantry(view, "almonds", 1)
