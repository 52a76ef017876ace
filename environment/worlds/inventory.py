"""Inventory: warehouses, stock levels, reordering, purchases, moves between warehouses."""

import datetime
import math
from typing import Any

from environment.meanings import TODAY
from environment.places import BY_NAME, CITIES, distance_km
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    boolean,
    choice,
    content_id,
    draw_from,
    generator,
    integer,
    number,
    record,
    text,
)

_CATEGORIES = {
    "fasteners": "hex bolts|wood screws|wall plugs|threaded rods|cable ties|rivets|washers",
    "tools": "claw hammers|spirit levels|bar clamps|hand saws|chisels|tape measures|pliers",
    "electrical": "junction boxes|light switches|extension leads|LED panels|fuses|dimmers|sockets",
    "plumbing": "ball valves|copper elbows|hose clamps|pipe sleeves|tap washers|drain traps|seals",
    "packaging": "carton boxes|stretch film|bubble wrap|pallet corners|paper tape|labels|mailers",
    "safety": "work gloves|hard hats|ear plugs|safety goggles|first-aid kits|hi-vis vests|masks",
    "cleaning": "mop heads|bin liners|floor soap|paper towels|scouring pads|brooms|buckets",
}
_SIZES = ("small", "medium", "large")
_STORAGE = ("dry", "chilled", "hazardous")
_CARRIES = "{quantity} × {item_id}"


def _items(seed: int) -> dict[str, Row]:
    rng = generator(seed, "inventory")
    numbers = iter(rng.sample(range(1000, 10000), 200))
    items: dict[str, Row] = {}
    for category, names in _CATEGORIES.items():
        for name in names.split("|"):
            for size in rng.sample(_SIZES, 2):
                item_id = f"IT-{next(numbers)}"
                items[item_id] = {
                    "item_id": item_id,
                    "name": f"{size} {name}",
                    "category": category,
                    "unit_cost": round(rng.uniform(0.4, 48), 2),
                    "daily_use": rng.randrange(2, 30),
                    "lead_days": rng.randrange(2, 21),
                    "pack": rng.choice((1, 5, 10, 20)),
                }
    return items


def _tables(seed: int) -> Tables:
    rng = generator(seed, "inventory", "warehouses")
    items = _items(seed)
    warehouses: dict[str, Row] = {}
    stock: dict[str, Row] = {}
    for place, city in enumerate(sorted(rng.sample(CITIES, 30))):
        warehouse_id = f"WH-{place + 11}"
        warehouses[warehouse_id] = {
            "warehouse_id": warehouse_id,
            "city": city.name,
            "storage": rng.choice(("dry", *_STORAGE)),
            "docks": rng.randrange(2, 15),
        }
        for item_id, item in items.items():
            if rng.random() < 0.7:
                level = item["daily_use"] * (item["lead_days"] + 4)
                stock[f"{warehouse_id}/{item_id}"] = {
                    "units": round(level * rng.uniform(0.2, 2.8)),
                    "reorder_at": level,
                }
    return {"warehouses": warehouses, "items": items, "stock": stock, "purchases": {}, "moves": {}}


WORLD = World("inventory", "Warehouses, stock levels, purchases and moves of stock.", _tables)

_WAREHOUSE = draw_from("warehouses", "warehouse_id")
_ITEM = draw_from("items", "item_id")


def _warehouse(view: View, warehouse_id: str) -> Row:
    warehouse = view.get("warehouses", warehouse_id)
    if warehouse is None:
        raise ToolError(f"there is no warehouse {warehouse_id}")
    return warehouse


def _item(view: View, item_id: str) -> Row:
    item = view.get("items", item_id)
    if item is None:
        raise ToolError(f"no item has the number {item_id}")
    return item


def _units(view: View, warehouse_id: str, item_id: str) -> int:
    level = view.get("stock", f"{warehouse_id}/{item_id}")
    return int(level["units"]) if level else 0


def _add(view: View, warehouse_id: str, item_id: str, units: int) -> None:
    """Change a level; one that was made by a move and is empty again goes."""
    key = f"{warehouse_id}/{item_id}"
    level = view.get("stock", key) or {"units": 0, "reorder_at": 0}
    changed = {**level, "units": level["units"] + units}
    if changed == {"units": 0, "reorder_at": 0}:
        view.remove("stock", key)
    else:
        view.put("stock", key, changed)


def _nearest(view: View, city: str) -> list[tuple[float, Row]]:
    """Return all warehouses with their distance to a city, nearest first."""
    if city not in BY_NAME:
        raise ToolError(f"no distances are known for '{city}'")
    found = [(distance_km(city, row["city"]), row) for row in view.values("warehouses")]
    return sorted(found, key=lambda pair: (pair[0], pair[1]["warehouse_id"]))


def _on_order(view: View, warehouse_id: str) -> dict[str, int]:
    """Return the units of each item that purchases will bring to a warehouse."""
    coming: dict[str, int] = {}
    for purchase in view.values("purchases"):
        if purchase["warehouse_id"] == warehouse_id:
            for line in purchase["lines"]:
                coming[line["item_id"]] = coming.get(line["item_id"], 0) + line["quantity"]
    return coming


@WORLD.tool(
    "Find the warehouses nearest to a city, by distance as the crow flies, of one kind of storage "
    "or with enough loading docks if that matters.",
    parameters={
        "city": text("City to be near to.", "city"),
        "storage": choice("Kind of storage.", "storage", _STORAGE, optional=True),
        "min_docks": integer("Least number of loading docks.", "count", minimum=1, maximum=14,
                             optional=True),
    },
    outputs=(
        Output("warehouses[0].warehouse_id", "warehouse_id", (
            "the[ {storage}-storage] warehouse nearest to {city}[ with at least {min_docks} docks]",
            ("whichever[ {storage}-storage] warehouse[ with {min_docks} docks or more] is closest "
            "to {city}"),
        )),
        Output("warehouses[0].city", "city", (
            ("the city of the[ {storage}-storage] warehouse nearest to {city}[ with at least "
            "{min_docks} docks]"),
        )),
        Output("warehouses[0].country", "country", (
            ("the country of the[ {storage}-storage] warehouse nearest to {city}[ with at least "
            "{min_docks} docks]"),
        )),
        Output("warehouses[0].distance_km", "distance_km", (
            ("the distance from {city} to the nearest[ {storage}-storage] warehouse[ with at least "
            "{min_docks} docks]"),
            ("the way from {city} to the closest[ {storage}-storage] warehouse[ with {min_docks} "
            "docks or more]"),
        )),
    ),
    wishes=(
        ("Which[ {storage}-storage] warehouse is nearest to {city}[, with at least {min_docks} "
        "docks]?"),
        ("Find me a[ {storage}-storage] warehouse close to {city}[ that has {min_docks} docks or "
        "more]."),
        ("We need storage[ ({storage})] around {city}[, {min_docks} loading docks at the least]; "
        "the closest warehouse, please."),
    ),
    reads=("warehouses",),
)  # fmt: skip
def nearest_warehouses(
    view: View, city: str, storage: str | None = None, min_docks: int = 1
) -> dict[str, Any]:
    """At most five warehouses; of equally near ones the first by id."""
    found = [
        {**row, "country": BY_NAME[row["city"]].country, "distance_km": distance}
        for distance, row in _nearest(view, city)
        if storage in (None, row["storage"]) and row["docks"] >= min_docks
    ]
    return {"warehouses": found[:5], "count": len(found)}


@WORLD.tool(
    "List what a warehouse has to reorder: items at or below their reorder level, counting units "
    "on order, the most urgent first. Reads stock and purchases.",
    parameters={
        "warehouse_id": text("Id of the warehouse.", "warehouse_id", pool=_WAREHOUSE),
        "category": choice("Only items of this category.", "item_category", tuple(_CATEGORIES),
                           says={'"fasteners"': "fastening", '"tools"': "tool"}, optional=True),
        "max_days_left": integer("Only items that last no longer than so many days.", "count",
                                 minimum=0, maximum=60, optional=True),
    },
    outputs=(
        Output("items[0].item_id", "item_id", (
            ("the[ {category}] item most in need of reordering at {warehouse_id}[ and lasting at "
            "most {max_days_left} days]"),
            ("the most urgent[ {category}] item to reorder for {warehouse_id}[ among those gone "
            "within {max_days_left} days]"),
        )),
        Output("items[0].shortage", "count", (
            "the number of units missing of the most urgent[ {category}] item at {warehouse_id}",
            ("how many units are short of the[ {category}] item most in need of reordering at "
            "{warehouse_id}"),
        )),
        Output("item_ids", "list:item_id", (
            "the five most urgent[ {category}] items to reorder for {warehouse_id}",
            "the top five[ {category}] items most in need of reordering at {warehouse_id}",
        )),
        Output("total_cost", "price", (
            "the cost of filling up all[ {category}] items that are low at {warehouse_id}",
            "what it takes to bring every low[ {category}] item at {warehouse_id} up to its level",
        )),
    ),
    wishes=(
        ("Which[ {category}] items have to be reordered for {warehouse_id}[ because they last "
        "{max_days_left} days at most]?"),
        ("Check the[ {category}] stock of {warehouse_id} and list what is low[ and gone within "
        "{max_days_left} days]."),
        ("Which[ {category}] items are running short at {warehouse_id}[, say within "
        "{max_days_left} days]? Most urgent first, please."),
    ),
    reads=("warehouses", "items", "stock", "purchases"),
)  # fmt: skip
def items_to_reorder(
    view: View, warehouse_id: str, category: str | None = None, max_days_left: int | None = None
) -> dict[str, Any]:
    """Low items by the days that they last beyond their lead time, then by id."""
    _warehouse(view, warehouse_id)
    coming, found = _on_order(view, warehouse_id), []
    for item_id, item in view.rows("items"):
        level = view.get("stock", f"{warehouse_id}/{item_id}")
        if level is None or category not in (None, item["category"]):
            continue
        units = level["units"] + coming.get(item_id, 0)
        days_left = level["units"] // item["daily_use"]
        if units > level["reorder_at"] or (max_days_left is not None and days_left > max_days_left):
            continue
        shortage = math.ceil((level["reorder_at"] + 1 - units) / item["pack"]) * item["pack"]
        found.append(
            {
                "item_id": item_id,
                "name": item["name"],
                "units": level["units"],
                "days_left": days_left,
                "lead_days": item["lead_days"],
                "shortage": shortage,
                "cost": round(shortage * item["unit_cost"], 2),
            }
        )
    found.sort(key=lambda row: (row["days_left"] - row["lead_days"], row["item_id"]))
    return {
        "items": found,
        "item_ids": [row["item_id"] for row in found[:5]],
        "count": len(found),
        "total_cost": round(math.fsum(row["cost"] for row in found), 2),
    }


@WORLD.tool(
    "Tell which of several items runs out first at a warehouse, and on which day, at their daily "
    "use and without deliveries. Reads stock.",
    parameters={
        "warehouse_id": text("Id of the warehouse.", "warehouse_id", pool=_WAREHOUSE),
        "item_ids": array(
            "Numbers of the items.", text("Number of an item.", "item_id", pool=_ITEM),
            minItems=2, maxItems=10, uniqueItems=True,
        ),
        "extra_percent": number("How much more than usual is used.", "percent", minimum=0,
                                maximum=200, optional=True),
    },
    outputs=(
        Output("first.item_id", "item_id", (
            ("whichever of {item_ids} runs out first at {warehouse_id}[ with {extra_percent} more "
            "use]"),
            ("the one of {item_ids} that {warehouse_id} is soonest without[ if use rises by "
            "{extra_percent}]"),
        )),
        Output("first.day", "date", (
            ("the day on which {warehouse_id} is out of the first of {item_ids}[ with "
            "{extra_percent} more use]"),
            ("the day when the earliest of {item_ids} is used up at {warehouse_id}[ at "
            "{extra_percent} more than usual]"),
        )),
        Output("first.units", "count", (
            ("the number of units left at {warehouse_id} of whichever of {item_ids} runs out first"
            "[ with {extra_percent} more use]"),
        )),
    ),
    wishes=(
        "Which of {item_ids} runs out first at {warehouse_id}[ if {extra_percent} more is used]?",
        ("How long do {item_ids} last at {warehouse_id}[ with {extra_percent} more use]? I need "
        "the first one and the day."),
        ("Please check at {warehouse_id} when {item_ids} will be gone[, use being {extra_percent} "
        "above normal]."),
    ),
    reads=("warehouses", "items", "stock"),
)  # fmt: skip
def first_to_run_out(
    view: View, warehouse_id: str, item_ids: list[str], extra_percent: float = 0
) -> dict[str, Any]:
    """Items by the day on which they are gone, then by id."""
    _warehouse(view, warehouse_id)
    found = []
    for item_id in item_ids:
        item, units = _item(view, item_id), _units(view, warehouse_id, item_id)
        days = int(units / (item["daily_use"] * (1 + extra_percent / 100)))
        day = (TODAY + datetime.timedelta(days=days)).isoformat()
        found.append({"item_id": item_id, "units": units, "days": days, "day": day})
    found.sort(key=lambda row: (row["days"], row["item_id"]))
    return {"first": found[0], "items": found}


@WORLD.tool(
    "Work out the order quantity of an item with the lowest yearly cost of ordering and holding, "
    "in whole packs.",
    parameters={
        "item_id": text("Number of the item.", "item_id", pool=_ITEM),
        "order_cost": number("Cost of placing one order in EUR.", "price", exclusiveMinimum=0,
                             pool=lambda view, rng: rng.randrange(8, 90)),
        "holding_percent": number("Yearly cost of holding, in percent of the unit cost.", "percent",
                                  exclusiveMinimum=0, maximum=100),
        "yearly_demand": integer("Units used in a year; by daily use if left out.", "count",
                                 minimum=1, optional=True,
                                 pool=lambda view, rng: rng.randrange(500, 9000, 50)),
    },
    outputs=(
        Output("quantity", "count", (
            ("the most economic order quantity of {item_id} at {order_cost} an order and "
            "{holding_percent} holding cost[ for {yearly_demand} units a year]"),
            ("the lot size that makes {item_id} cheapest at {order_cost} per order and "
            "{holding_percent} a year for holding[, given {yearly_demand} units a year]"),
        )),
        Output("yearly_cost", "price", (
            ("the lowest yearly cost of ordering and holding {item_id} at {order_cost} an order "
            "and {holding_percent} holding cost[ for {yearly_demand} units a year]"),
        )),
    ),
    wishes=(
        ("What is the most economic lot of {item_id} if an order costs {order_cost} and holding "
        "{holding_percent} a year[, with {yearly_demand} units used yearly]?"),
        ("Work out how much of {item_id} to order at a time: {order_cost} per order, "
        "{holding_percent} holding cost[, yearly demand {yearly_demand}]."),
        ("Each order costs us {order_cost} and storage {holding_percent} of the value. How many of "
        "{item_id} should we buy at once[ for {yearly_demand} a year]?"),
    ),
    reads=("items",),
)  # fmt: skip
def economic_order(
    view: View,
    item_id: str,
    order_cost: float,
    holding_percent: float,
    yearly_demand: int | None = None,
) -> dict[str, Any]:
    """The square-root rule, rounded to packs; at least one pack."""
    item = _item(view, item_id)
    demand = yearly_demand or item["daily_use"] * 365
    holding = item["unit_cost"] * holding_percent / 100
    packs = max(1, round(math.sqrt(2 * demand * order_cost / holding) / item["pack"]))
    quantity = packs * item["pack"]
    cost = demand / quantity * order_cost + quantity / 2 * holding
    return {
        "quantity": quantity,
        "packs": packs,
        "orders_per_year": round(demand / quantity, 2),
        "yearly_cost": round(cost, 2),
    }


_LINE = record(
    "What is bought.", "purchase_line",
    {
        "item_id": text("Number of the item.", "item_id", pool=_ITEM),
        "quantity": integer("Units.", "count", minimum=1, maximum=5000,
                            pool=lambda view, rng: rng.randrange(20, 400, 20)),
    },
    says={"": _CARRIES},
)  # fmt: skip


@WORLD.tool(
    "Order items for a warehouse from their suppliers. Adds a purchase; the units count as on "
    "order until they arrive. Express halves the lead time and costs a quarter more.",
    parameters={
        "warehouse_id": text("Warehouse to deliver to.", "warehouse_id", pool=_WAREHOUSE),
        "lines": array("What is bought.", _LINE, minItems=1, maxItems=10),
        "express": boolean(
            "Whether to pay for express delivery.", "express", optional=True,
            says={"true": "by express", "false": "by normal delivery"},
        ),
    },
    outputs=(
        Output("purchase_id", "purchase_id", (
            "the purchase of {lines} for {warehouse_id}[ {express}]",
            "the supplier order over {lines} that goes to {warehouse_id}[ {express}]",
        )),
        Output("total", "price", (
            "the price of ordering {lines} for {warehouse_id}[ {express}]",
            "what the supply of {lines} to {warehouse_id}[ {express}] costs",
        )),
        Output("arrives", "date", (
            "the day on which {lines}, ordered[ {express}] for {warehouse_id}, have arrived",
        )),
    ),
    wishes=(
        "Order {lines} for {warehouse_id}[ {express}].",
        "Please buy {lines} and have them delivered to {warehouse_id}[ {express}].",
        "{warehouse_id} needs {lines}. Place the order[ {express}].",
    ),
    reads=("warehouses", "items", "purchases"),
    writes=("purchases",),
    undo=Undo("cancel_purchase", {"purchase_id": "result.purchase_id"}),
)  # fmt: skip
def purchase_stock(
    view: View, warehouse_id: str, lines: list[dict[str, Any]], express: bool = False
) -> dict[str, Any]:
    """A purchase; it arrives with its slowest item; the same one twice is refused."""
    _warehouse(view, warehouse_id)
    items = [_item(view, line["item_id"]) for line in lines]
    for item, line in zip(items, lines, strict=True):
        if line["quantity"] % item["pack"]:
            raise ToolError(
                f"{item['item_id']} comes in packs of {item['pack']}, so {line['quantity']} units "
                f"can't be ordered"
            )
    purchase_id = content_id("po", warehouse_id, lines, express)
    if view.get("purchases", purchase_id):
        raise ToolError(f"{warehouse_id} has this purchase on order already: {purchase_id}")
    slowest = max(item["lead_days"] for item in items)
    days = math.ceil(slowest / 2) if express else slowest
    goods = math.fsum(
        line["quantity"] * item["unit_cost"] for line, item in zip(lines, items, strict=True)
    )
    arrives = (TODAY + datetime.timedelta(days=days)).isoformat()
    total = round(goods * (1.25 if express else 1), 2)
    row = {"warehouse_id": warehouse_id, "lines": lines, "arrives": arrives, "total": total}
    view.put("purchases", purchase_id, row)
    return {"purchase_id": purchase_id, "total": total, "arrives": arrives}


@WORLD.tool(
    "Cancel a purchase that is on order. Removes it from the purchases.",
    parameters={"purchase_id": text("Id of the purchase.", "purchase_id")},
    outputs=(
        Output("refund", "price", ("the money saved by cancelling {purchase_id}",)),
    ),
    wishes=(
        "Cancel {purchase_id}.",
        "Please call off {purchase_id} with the suppliers.",
        "We don't need {purchase_id} after all; withdraw it.",
    ),
    reads=("purchases",),
    writes=("purchases",),
)  # fmt: skip
def cancel_purchase(view: View, purchase_id: str) -> dict[str, Any]:
    """Remove a purchase without a trace."""
    purchase = view.get("purchases", purchase_id)
    if purchase is None:
        raise ToolError(f"nothing is on order under {purchase_id}")
    view.remove("purchases", purchase_id)
    return {
        "cancelled": purchase_id,
        "warehouse_id": purchase["warehouse_id"],
        "refund": purchase["total"],
    }


@WORLD.tool(
    "Move units of an item from one warehouse to another. Lowers the stock of the one, raises that "
    "of the other and adds a move.",
    parameters={
        "item_id": text("Number of the item.", "item_id", pool=_ITEM),
        "from_warehouse": text("Warehouse that gives.", "warehouse_id", pool=_WAREHOUSE),
        "to_warehouse": text("Warehouse that gets.", "warehouse_id", pool=_WAREHOUSE),
        "quantity": integer("Units.", "count", minimum=1, maximum=5000),
    },
    outputs=(
        Output("move_id", "stock_move_id", (
            "the move of {item_id} (quantity: {quantity}) from {from_warehouse} to {to_warehouse}",
        )),
        Output("distance_km", "distance_km", (
            ("the distance that {item_id}, quantity {quantity}, goes from {from_warehouse} to "
            "{to_warehouse}"),
        )),
        Output("left", "count", (
            ("the number of units of {item_id} that stay at {from_warehouse} after a move to "
            "{to_warehouse} with a quantity of {quantity}"),
        )),
    ),
    wishes=(
        "Move {item_id} from {from_warehouse} to {to_warehouse} (quantity: {quantity}).",
        ("Please send {item_id} over to {to_warehouse}, quantity {quantity}, and take it from "
        "{from_warehouse}."),
        ("{to_warehouse} is short of {item_id}. Transfer some out of {from_warehouse}; the "
        "quantity is {quantity}."),
    ),
    reads=("warehouses", "items", "stock", "moves"),
    writes=("stock", "moves"),
    undo=Undo("revert_move", {"move_id": "result.move_id"}),
)  # fmt: skip
def move_stock(
    view: View, item_id: str, from_warehouse: str, to_warehouse: str, quantity: int
) -> dict[str, Any]:
    """A move; made again, it is another one."""
    _item(view, item_id)
    giver, getter = _warehouse(view, from_warehouse), _warehouse(view, to_warehouse)
    if from_warehouse == to_warehouse:
        raise ToolError(f"{from_warehouse} can't send stock to itself")
    units = _units(view, from_warehouse, item_id)
    if units < quantity:
        raise ToolError(f"{from_warehouse} has only {units} units of {item_id}, not {quantity}")
    base, copy = content_id("mv", item_id, from_warehouse, to_warehouse, quantity), 1
    while view.get("moves", f"{base}.{copy}"):
        copy += 1
    _add(view, from_warehouse, item_id, -quantity)
    _add(view, to_warehouse, item_id, quantity)
    row = {"item_id": item_id, "from": from_warehouse, "to": to_warehouse, "quantity": quantity}
    view.put("moves", f"{base}.{copy}", row)
    return {
        "move_id": f"{base}.{copy}",
        "left": units - quantity,
        "distance_km": distance_km(giver["city"], getter["city"]),
    }


@WORLD.tool(
    "Take a move of stock back. Returns the units to the warehouse they came from and removes the "
    "move.",
    parameters={"move_id": text("Id of the move.", "stock_move_id")},
    wishes=(
        "Take {move_id} back.",
        "Please undo {move_id}; the units belong where they were.",
        "I want {move_id} reversed.",
    ),
    reads=("stock", "moves"),
    writes=("stock", "moves"),
)
def revert_move(view: View, move_id: str) -> dict[str, Any]:
    """Both levels as before; refused where the units are gone."""
    move = view.get("moves", move_id)
    if move is None:
        raise ToolError(f"there is no move of stock {move_id}")
    if _units(view, move["to"], move["item_id"]) < move["quantity"]:
        raise ToolError(f"{move['to']} no longer has the units of {move_id}")
    _add(view, move["to"], move["item_id"], -move["quantity"])
    _add(view, move["from"], move["item_id"], move["quantity"])
    view.remove("moves", move_id)
    return {"reverted": move_id, "item_id": move["item_id"], "quantity": move["quantity"]}


@WORLD.tool(
    "Plan from which warehouses a quantity of an item reaches a city: the nearest give first, "
    "until there is enough. Reads stock; reserves nothing.",
    parameters={
        "item_id": text("Number of the item.", "item_id", pool=_ITEM),
        "quantity": integer("Units wanted.", "count", minimum=1, maximum=5000,
                            pool=lambda view, rng: rng.randrange(50, 900, 10)),
        "city": text("City to deliver to.", "city"),
        "keep_back": integer("Units that stay in each warehouse.", "count", minimum=0, maximum=500,
                             optional=True),
    },
    outputs=(
        Output("shares[0].warehouse_id", "warehouse_id", (
            ("the first warehouse to draw on for {quantity} units of {item_id} in {city}[, each "
            "keeping {keep_back}]"),
            ("the warehouse nearest to {city} that can give something towards {quantity} units of "
            "{item_id}[ and still keep {keep_back}]"),
        )),
        Output("warehouse_count", "count", (
            ("the number of warehouses it takes to supply {city} with {quantity} units of {item_id}"
            "[, each keeping {keep_back}]"),
        )),
        Output("farthest_km", "distance_km", (
            ("the longest way that any of {quantity} units of {item_id} travels to {city}[ if each "
            "warehouse keeps {keep_back}]"),
            ("the distance from {city} to the farthest warehouse needed for {quantity} units of "
            "{item_id}[, each keeping {keep_back}]"),
        )),
    ),
    wishes=(
        ("From which warehouses does {item_id}, quantity {quantity}, get to {city}[ if each keeps "
        "{keep_back}]?"),
        ("Plan the supply of {city} with {item_id} (quantity: {quantity}), nearest warehouses "
        "first[, leaving {keep_back} in each]."),
        ("A customer in {city} wants {item_id}, quantity {quantity}. Who can deliver it[ and keep "
        "{keep_back} back]?"),
    ),
    reads=("warehouses", "items", "stock"),
)  # fmt: skip
def allocate_supply(
    view: View, item_id: str, quantity: int, city: str, keep_back: int = 0
) -> dict[str, Any]:
    """Shares of the warehouses, nearest first."""
    _item(view, item_id)
    missing, shares = quantity, []
    for distance, row in _nearest(view, city):
        given = min(missing, _units(view, row["warehouse_id"], item_id) - keep_back)
        if given > 0:
            share = {"warehouse_id": row["warehouse_id"], "units": given, "distance_km": distance}
            shares.append(share)
            missing -= given
        if missing == 0:
            break
    if missing:
        raise ToolError(f"all warehouses together lack {missing} of the {quantity} units")
    return {
        "shares": shares,
        "warehouse_count": len(shares),
        "farthest_km": shares[-1]["distance_km"],
    }
