import pytest

from environment.places import distance_km
from environment.state import State, View
from environment.world import ToolError
from environment.worlds import inventory


@pytest.fixture
def state() -> State:
    tables = inventory.WORLD.tables(7)
    return State({("inventory", name): rows for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "inventory")


def a_low_item(view: View) -> tuple[str, dict[str, object]]:
    """Return a warehouse and the item that it needs most."""
    warehouse_id = next(view.rows("warehouses"))[0]
    return warehouse_id, inventory.items_to_reorder(view, warehouse_id)["items"][0]


def test_warehouses_come_by_distance_and_kind(view: View) -> None:
    found = inventory.nearest_warehouses(view, "Prague")["warehouses"]
    assert [row["distance_km"] for row in found] == [
        distance_km("Prague", row["city"]) for row in found
    ]
    chilled = inventory.nearest_warehouses(view, "Prague", "chilled", 5)["warehouses"]
    assert all(row["storage"] == "chilled" and row["docks"] >= 5 for row in chilled)
    assert chilled[0]["distance_km"] >= found[0]["distance_km"]
    with pytest.raises(ToolError, match="no distances are known for 'Atlantis'"):
        inventory.nearest_warehouses(view, "Atlantis")


def test_what_is_on_order_is_not_ordered_again(view: View) -> None:
    warehouse_id, item = a_low_item(view)
    line = {"item_id": item["item_id"], "quantity": item["shortage"]}
    inventory.purchase_stock(view, warehouse_id, [line])
    after = inventory.items_to_reorder(view, warehouse_id)
    assert item["item_id"] not in [row["item_id"] for row in after["items"]]
    with pytest.raises(ToolError, match="has this purchase on order already"):
        inventory.purchase_stock(view, warehouse_id, [line])


def test_express_halves_the_time_and_costs_a_quarter_more(state: State, view: View) -> None:
    warehouse_id, item = a_low_item(view)
    lines = [{"item_id": item["item_id"], "quantity": 40}]
    plain = inventory.purchase_stock(view, warehouse_id, lines)
    express = inventory.purchase_stock(view, warehouse_id, lines, express=True)
    assert express["total"] == pytest.approx(1.25 * plain["total"], abs=0.01)
    assert express["arrives"] < plain["arrives"]
    for purchase in (plain, express):
        inventory.cancel_purchase(view, purchase["purchase_id"])
    assert state.changes() == {}
    packed = next(row for row in view.values("items") if row["pack"] > 1)
    with pytest.raises(ToolError, match=f"packs of {packed['pack']}, so 1 units"):
        inventory.purchase_stock(
            view, warehouse_id, [{"item_id": packed["item_id"], "quantity": 1}]
        )


def test_the_first_to_run_out_is_gone_by_its_day(view: View) -> None:
    warehouse_id = next(view.rows("warehouses"))[0]
    item_ids = [row["item_id"] for row in view.values("items")[:6]]
    found = inventory.first_to_run_out(view, warehouse_id, item_ids)
    days = [row["days"] for row in found["items"]]
    assert days == sorted(days)
    assert found["first"] == found["items"][0]
    faster = inventory.first_to_run_out(view, warehouse_id, item_ids, 100)
    assert faster["items"][-1]["days"] <= days[-1] / 2 + 1


def test_no_other_lot_is_cheaper(view: View) -> None:
    item = next(row for row in view.values("items") if row["pack"] == 1)
    best = inventory.economic_order(view, item["item_id"], 30, 20, 1000)
    holding = item["unit_cost"] * 0.2

    def cost(quantity: int) -> float:
        return float(1000 / quantity * 30 + quantity / 2 * holding)

    assert best["yearly_cost"] == pytest.approx(cost(best["quantity"]), abs=0.01)
    assert cost(best["quantity"]) == pytest.approx(min(cost(q) for q in range(1, 2000)), rel=1e-3)


def test_a_move_and_its_reversal(state: State, view: View) -> None:
    key, level = next((key, row) for key, row in view.rows("stock") if row["units"] >= 20)
    giver, item_id = key.split("/")
    getter = next(row["warehouse_id"] for row in view.values("warehouses")
                  if view.get("stock", f"{row['warehouse_id']}/{item_id}") is None)  # fmt: skip
    move = inventory.move_stock(view, item_id, giver, getter, 15)
    assert move["left"] == level["units"] - 15
    again = inventory.move_stock(view, item_id, giver, getter, 5)
    inventory.revert_move(view, again["move_id"])
    inventory.revert_move(view, move["move_id"])
    assert state.changes() == {}
    with pytest.raises(ToolError, match=f"{giver} has only {level['units']} units of {item_id}"):
        inventory.move_stock(view, item_id, giver, getter, 4999)
    with pytest.raises(ToolError, match=f"{giver} can't send stock to itself"):
        inventory.move_stock(view, item_id, giver, giver, 1)


def test_supply_comes_from_the_nearest_first(view: View) -> None:
    item_id = next(view.rows("items"))[0]
    plan = inventory.allocate_supply(view, item_id, 300, "Vienna")
    assert sum(share["units"] for share in plan["shares"]) == 300
    distances = [share["distance_km"] for share in plan["shares"]]
    assert distances == sorted(distances)
    assert plan["farthest_km"] == distances[-1]
    wider = inventory.allocate_supply(view, item_id, 300, "Vienna", 20)
    assert wider["warehouse_count"] >= plan["warehouse_count"]
    with pytest.raises(ToolError, match=r"lack \d+ of the 5000 units"):
        inventory.allocate_supply(view, item_id, 5000, "Vienna", 500)
