"""Shopping: a catalogue, carts, orders, vouchers and returns."""

import datetime
import math
from collections.abc import Iterable
from random import Random
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    number,
    text,
)

# What a thing of the category costs in EUR and weighs in kg.
_CATEGORIES = {
    "backpacks": (35, 160, 1.1), "bicycle helmets": (25, 140, 0.4), "blankets": (18, 95, 1.4),
    "board games": (15, 70, 1.2), "coffee grinders": (29, 240, 2.1), "desk lamps": (19, 130, 1.6),
    "headphones": (25, 320, 0.3), "jackets": (45, 290, 0.9), "kettles": (19, 110, 1.3),
    "keyboards": (25, 190, 0.9), "running shoes": (55, 210, 0.7), "suitcases": (60, 340, 3.4),
    "tents": (70, 520, 3.8), "toasters": (22, 120, 2.0), "umbrellas": (12, 65, 0.5),
    "water bottles": (9, 48, 0.3),
}  # fmt: skip
_BRANDS = ("Alpenrose", "Birkwell", "Cinder & Co", "Dunmore", "Everline", "Fjordhaus", "Grovely",
           "Hexagon", "Isola", "Juno Works", "Kitebird", "Lumen")  # fmt: skip
_SERIES = ("Basic", "Classic", "Comet", "Drift", "Echo", "Field", "Glide", "Lite", "Nova", "Prime")
_REASONS = ("damaged", "wrong item", "does not fit", "changed my mind")
_RETURN_DAYS = 30
_FREE_DELIVERY_FROM = 60
_DELIVERY = 4.9


def _products(seed: int) -> dict[str, Row]:
    rng = generator(seed, "shopping")
    numbers = iter(rng.sample(range(1000, 10000), 400))
    products: dict[str, Row] = {}
    for category, (low, high, weight) in _CATEGORIES.items():
        for brand in _BRANDS:
            for series in rng.sample(_SERIES, rng.choice((1, 2))):
                sku = f"SP-{next(numbers)}"
                products[sku] = {
                    "sku": sku,
                    "name": f"{brand} {series}",
                    "category": category,
                    "brand": brand,
                    "price": round(rng.randrange(low, high) + rng.choice((0, 0.5, 0.9, 0.95)), 2),
                    "rating": rng.randrange(28, 51) / 10,
                    "weight_kg": round(weight * rng.uniform(0.6, 1.5), 2),
                }
    return products


def _vouchers(seed: int) -> dict[str, Row]:
    rng = generator(seed, "shopping", "vouchers")
    vouchers: dict[str, Row] = {}
    while len(vouchers) < 64:
        word = rng.choice(("SPRING", "HELLO", "THANKS", "CLUB", "WEEKEND", "EXTRA", "GIFT"))
        percent = rng.random() < 0.6
        off = rng.choice((5, 8, 10, 12, 15, 20))
        code = f"{word}{off}{rng.choice('ABCDEFGHKLMNPRSTUVWXYZ')}"
        vouchers[code] = {
            "code": code,
            "percent": off if percent else 0,
            "amount": 0 if percent else off,
            "least": rng.choice((0, 20, 50, 80, 120, 200)),
            "category": rng.choice((None, None, *_CATEGORIES)),
            "expires": (TODAY + datetime.timedelta(days=rng.randrange(-25, 60))).isoformat(),
        }
    return vouchers


def _lines(rng: Random, products: dict[str, Row]) -> list[dict[str, Any]]:
    return [
        {"sku": sku, "quantity": rng.choice((1, 1, 1, 2, 3)), "unit_price": products[sku]["price"]}
        for sku in sorted(rng.sample(list(products), rng.choice((1, 2, 2, 3))))
    ]


def _orders(seed: int, products: dict[str, Row]) -> dict[str, Row]:
    rng = generator(seed, "shopping", "orders")
    orders: dict[str, Row] = {}
    for person in people(seed):
        for _ in range(rng.choice((0, 1, 2, 3))):
            day = TODAY - datetime.timedelta(days=rng.choice((rng.randrange(1, 30), 75, 140)))
            lines = _lines(rng, products)
            order_id = content_id("or", person.name, day.isoformat(), lines)
            orders[order_id] = {
                "customer": person.name,
                "lines": lines,
                "total": round(
                    math.fsum(line["quantity"] * line["unit_price"] for line in lines), 2
                ),
                "delivered": day.isoformat(),
            }
    return orders


def _tables(seed: int) -> Tables:
    rng = generator(seed, "shopping", "carts")
    products = _products(seed)
    carts: dict[str, Row] = {}
    for person in rng.sample(people(seed), 50):
        for line in _lines(rng, products):
            line_id = content_id("ct", person.name, line["sku"], line["quantity"])
            carts[f"{line_id}.1"] = {"customer": person.name, **line}
    return {
        "products": products,
        "stock": {sku: {"units": rng.choice((0, 3, 8, 20, 45, 80))} for sku in products},
        "vouchers": _vouchers(seed),
        "carts": carts,
        "orders": _orders(seed, products),
        "returns": {},
    }


WORLD = World("shopping", "A catalogue, carts, orders, vouchers and returns.", _tables)

_SKU = draw_from("products", "sku")


def _product(view: View, sku: str) -> Row:
    product = view.get("products", sku)
    if product is None:
        raise ToolError(f"nothing in the catalogue has the number {sku}")
    return product


def _units(view: View, sku: str) -> int:
    row = view.get("stock", sku)
    return int(row["units"]) if row else 0


def _restock(view: View, lines: Iterable[Row], sign: int) -> None:
    for line in lines:
        units = _units(view, line["sku"]) + sign * line["quantity"]
        view.put("stock", line["sku"], {"units": units})


_ORDERS = {"price": "cheapest", "rating": "best-rated", "weight": "lightest"}


def _order(product: Row, by: str) -> tuple[float, float, str]:
    """Return what sorts products: the wanted figure, then price, then number."""
    first = {"price": product["price"], "rating": -product["rating"],
             "weight": product["weight_kg"],
             "value": -product["rating"] / product["price"]}  # fmt: skip
    return first[by], product["price"], product["sku"]


@WORLD.tool(
    "Search the catalogue for things of one category that are in stock, by price, rating or "
    "weight. Reads products and stock.",
    parameters={
        "category": choice("Category.", "shop_category", tuple(_CATEGORIES)),
        "sort_by": choice(
            "What comes first.", "product_order", tuple(_ORDERS),
            says={f'"{name}"': word for name, word in _ORDERS.items()},
        ),
        "max_price": number("Highest price in EUR.", "price", exclusiveMinimum=0, optional=True),
        "min_rating": number("Least rating, 1 to 5.", "rating", minimum=1, maximum=5,
                             optional=True),
        "brands": array(
            "Only these brands.", choice("A brand.", "brand", _BRANDS),
            minItems=1, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("products[0].sku", "article_id", (
            ("the {sort_by} article among {category}[ by {brands}][ up to {max_price}]"
            "[ with a rating of {min_rating} or more]"),
            ("whichever of the {category} in stock[ from {brands}] is {sort_by}[, within "
            "{max_price}][, rated at least {min_rating}]"),
        )),
        Output("skus", "list:article_id", (
            ("the five {sort_by} {category} in stock[ by {brands}][ up to {max_price}]"
            "[ with a rating of {min_rating} or more]"),
            ("the top five {category} in the shop, {sort_by} first[, only {brands}]"
            "[, within {max_price}][, rated at least {min_rating}]"),
        )),
        Output("products[0].price", "price", (
            ("the price of the {sort_by} article among {category}[ by {brands}][ up to {max_price}]"
            "[ with a rating of {min_rating} or more]"),
        )),
        Output("products[0].weight_kg", "weight_kg", (
            ("the weight of the {sort_by} article among {category}[ by {brands}][ up to "
            "{max_price}][ with a rating of {min_rating} or more]"),
        )),
    ),
    wishes=(
        ("Show me {category}[ by {brands}], {sort_by} first[, up to {max_price}][, rated "
        "{min_rating} or better]."),
        ("Which {category}[ from {brands}] does the shop have[ for at most {max_price}][ with no "
        "less than {min_rating} stars]? The {sort_by} on top, please."),
        ("I'm after {category}[, only {brands}][, not over {max_price}][, at least "
        "{min_rating} in the reviews]; list the {sort_by} first."),
    ),
    reads=("products", "stock"),
)  # fmt: skip
def search_products(
    view: View,
    category: str,
    sort_by: str,
    max_price: float | None = None,
    min_rating: float = 1,
    brands: list[str] | None = None,
) -> dict[str, Any]:
    """Things in stock; of equal ones the cheaper, then the smaller number."""
    found = [
        dict(product)
        for product in view.values("products")
        if product["category"] == category
        and (max_price is None or product["price"] <= max_price)
        and product["rating"] >= min_rating
        and (brands is None or product["brand"] in brands)
        and _units(view, product["sku"]) > 0
    ]
    found.sort(key=lambda product: _order(product, sort_by))
    skus = [product["sku"] for product in found[:5]]
    return {"products": found, "skus": skus, "count": len(found)}


@WORLD.tool(
    "Compare articles and name the best by price, rating, weight or value for money (rating per "
    "EUR).",
    parameters={
        "skus": array(
            "Numbers of the articles.", text("Number of an article.", "article_id", pool=_SKU),
            minItems=2, maxItems=10, uniqueItems=True,
        ),
        "by": choice(
            "What counts.", "product_merit", (*_ORDERS, "value"),
            says={**{f'"{name}"': word for name, word in _ORDERS.items()},
                  '"value"': "best-value"},
        ),
    },
    outputs=(
        Output("best.sku", "article_id", (
            "the {by} one of {skus}", "whichever of {skus} is the {by} one",
        )),
        Output("best.price", "price", ("the price of the {by} one of {skus}",)),
        Output("price_gap", "price", (
            "the difference in price between the dearest of {skus} and the {by} one",
        )),
    ),
    wishes=(
        "Compare {skus}: which is the {by} one?",
        "Out of {skus}, tell me the {by} article.",
        "I can't choose between {skus} and would like to know the {by} one.",
    ),
    reads=("products",),
)  # fmt: skip
def compare_products(view: View, skus: list[str], by: str) -> dict[str, Any]:
    """The articles in order, and the first of them."""
    ranked = sorted((_product(view, sku) for sku in skus), key=lambda row: _order(row, by))
    best = ranked[0]
    gap = max(row["price"] for row in ranked) - best["price"]
    return {
        "best": {key: best[key] for key in ("sku", "name", "price", "rating", "weight_kg")},
        "ranking": [row["sku"] for row in ranked],
        "price_gap": round(gap, 2),
    }


def _saving(voucher: Row, amount: float) -> float:
    off = float(voucher["amount"] + amount * voucher["percent"] / 100)
    return round(min(amount, off), 2)


@WORLD.tool(
    "Find the valid voucher that saves most on a purchase of some amount in one category.",
    parameters={
        "amount": number("Amount of the purchase in EUR.", "price", exclusiveMinimum=0),
        "category": choice("Category of the purchase.", "shop_category", tuple(_CATEGORIES)),
        "valid_on": date("Day of the purchase, YYYY-MM-DD; today if left out.", optional=True),
    },
    outputs=(
        Output("code", "voucher_code", (
            "the voucher that saves most on {category} for {amount}[ on {valid_on}]",
            "the best voucher for a purchase of {category} worth {amount}[, made on {valid_on}]",
        )),
        Output("saving", "price", (
            "the most that a voucher saves on {category} for {amount}[ on {valid_on}]",
        )),
        Output("to_pay", "price", (
            ("what is left to pay for {category} worth {amount} with the best voucher"
            "[ on {valid_on}]"),
            ("the price of {category} for {amount} once the best voucher is taken off"
            "[ on {valid_on}]"),
        )),
    ),
    wishes=(
        "Which voucher saves most on {category} for {amount}[ on {valid_on}]?",
        "Find me the best voucher: {category}, {amount}[, bought on {valid_on}].",
        ("I am about to spend {amount} on {category}[, on {valid_on}]. Is there a voucher, and "
        "which is best?"),
    ),
    reads=("vouchers",),
)  # fmt: skip
def best_voucher(
    view: View, amount: float, category: str, valid_on: str | None = None
) -> dict[str, Any]:
    """The voucher with the largest saving; of equal ones the first by code."""
    day = valid_on or TODAY.isoformat()
    if day < TODAY.isoformat():
        raise ToolError(f"{day} is over, so no voucher can be used on it")
    fitting = [
        voucher
        for voucher in view.values("vouchers")
        if voucher["expires"] >= day
        and voucher["least"] <= amount
        and voucher["category"] in (None, category)
    ]
    if not fitting:
        raise ToolError(f"no voucher is valid for {category} worth {amount} on {day}")
    best = min(fitting, key=lambda voucher: (-_saving(voucher, amount), voucher["code"]))
    saving = _saving(best, amount)
    return {
        "code": best["code"],
        "saving": saving,
        "to_pay": round(amount - saving, 2),
        "expires": best["expires"],
        "others": len(fitting) - 1,
    }


@WORLD.tool(
    "Put an article into the cart of a customer. Adds a line to the cart, whatever it holds; "
    "nothing is ordered yet, and stock is only read.",
    parameters={
        "customer": text("Full name of the customer.", "person"),
        "sku": text("Number of the article.", "article_id", pool=_SKU),
        "quantity": integer("How many.", "count", minimum=1, maximum=20),
    },
    outputs=(
        Output("line_id", "cart_line_id", (
            "the cart line of {customer} with {sku} (quantity: {quantity})",
            "the entry for {sku}, quantity {quantity}, in the cart of {customer}",
        )),
        Output("subtotal", "price", (
            "the subtotal of {sku}, quantity {quantity}, in the cart of {customer}",
        )),
    ),
    wishes=(
        "Put {sku} into the cart of {customer} (quantity: {quantity}).",
        "Please add {sku} to the cart of {customer}, quantity: {quantity}.",
        "{customer} would like {sku}, quantity {quantity}; into the cart with it.",
    ),
    reads=("products", "stock", "carts"),
    writes=("carts",),
    undo=Undo("remove_from_cart", {"line_id": "result.line_id"}),
)  # fmt: skip
def add_to_cart(view: View, customer: str, sku: str, quantity: int) -> dict[str, Any]:
    """A line of a cart; the same once more is another line."""
    product, units = _product(view, sku), _units(view, sku)
    if units < quantity:
        raise ToolError(f"of {sku} only {units} are in stock, not {quantity}")
    base, copy = content_id("ct", customer, sku, quantity), 1
    while view.get("carts", f"{base}.{copy}"):
        copy += 1
    line = {"customer": customer, "sku": sku, "quantity": quantity, "unit_price": product["price"]}
    view.put("carts", f"{base}.{copy}", line)
    subtotal = round(quantity * product["price"], 2)
    return {"line_id": f"{base}.{copy}", "name": product["name"], "subtotal": subtotal}


@WORLD.tool(
    "Take a line out of a cart. Removes it from the cart.",
    parameters={"line_id": text("Id of the line.", "cart_line_id")},
    wishes=(
        "Take {line_id} out again.",
        "Please remove {line_id}.",
        "On second thoughts, drop {line_id}.",
    ),
    reads=("carts",),
    writes=("carts",),
)
def remove_from_cart(view: View, line_id: str) -> dict[str, Any]:
    """Remove a line without a trace."""
    line = view.get("carts", line_id)
    if line is None:
        raise ToolError(f"no cart has a line {line_id}")
    view.remove("carts", line_id)
    return {"removed": line_id, "customer": line["customer"], "sku": line["sku"]}


def _discount(view: View, code: str, lines: dict[str, Row]) -> float:
    """Return what a voucher takes off a cart; refuses one that doesn't apply."""
    voucher = view.get("vouchers", code)
    if voucher is None:
        raise ToolError(f"there is no voucher {code}")
    if voucher["expires"] < TODAY.isoformat():
        raise ToolError(f"voucher {code} expired on {voucher['expires']}")
    fitting = math.fsum(
        line["quantity"] * line["unit_price"]
        for line in lines.values()
        if voucher["category"] in (None, _product(view, line["sku"])["category"])
    )
    if fitting == 0 or fitting < voucher["least"]:
        raise ToolError(f"voucher {code} needs {voucher['least']} EUR of "
                        f"{voucher['category'] or 'anything'} in the cart")  # fmt: skip
    return _saving(voucher, fitting)


@WORLD.tool(
    "Order what lies in the cart of a customer, with a voucher if one is given. Empties the cart, "
    "takes the articles from stock and adds an order.",
    parameters={
        "customer": text("Full name of the customer.", "person",
                         pool=draw_from("carts", "customer")),
        "voucher": text("Code of a voucher.", "voucher_code", pool=draw_from("vouchers", "code"),
                        optional=True),
    },
    outputs=(
        Output("order_id", "order_id", (
            "the order made from the cart of {customer}[ with voucher {voucher}]",
            "the order that checking out the cart of {customer}[ using {voucher}] makes",
        )),
        Output("total", "price", (
            "what {customer} pays for the whole cart[ with voucher {voucher}]",
            "the amount charged when the cart of {customer} is ordered[ using {voucher}]",
        )),
        Output("weight_kg", "weight_kg", (
            "the weight of what {customer} orders from the cart[ with voucher {voucher}]",
        )),
    ),
    wishes=(
        "Check out the cart of {customer}[ with voucher {voucher}].",
        "Please order everything in the cart of {customer}[ and use {voucher}].",
        "{customer} is done shopping: place the order from the cart[, redeeming {voucher}].",
    ),
    reads=("products", "stock", "vouchers", "carts", "orders"),
    writes=("stock", "carts", "orders"),
    undo=Undo("cancel_order", {"order_id": "result.order_id"}),
)  # fmt: skip
def check_out(view: View, customer: str, voucher: str | None = None) -> dict[str, Any]:
    """An order of all lines; it keeps them, so that cancelling puts them back."""
    lines = {key: line for key, line in view.rows("carts") if line["customer"] == customer}
    if not lines:
        raise ToolError(f"the cart of {customer} is empty")
    wanted: dict[str, int] = {}
    for line in lines.values():
        wanted[line["sku"]] = wanted.get(line["sku"], 0) + line["quantity"]
    short = next((sku for sku, units in wanted.items() if _units(view, sku) < units), None)
    if short:
        raise ToolError(f"the cart of {customer} holds more of {short} than is in stock")
    goods = math.fsum(line["quantity"] * line["unit_price"] for line in lines.values())
    saving = _discount(view, voucher, lines) if voucher else 0
    delivery = 0 if goods - saving >= _FREE_DELIVERY_FROM else _DELIVERY
    total = round(goods - saving + delivery, 2)
    order_id = content_id("or", customer, sorted(lines), voucher)
    if view.get("orders", order_id):
        raise ToolError(f"{customer} has ordered just this already: {order_id}")
    _restock(view, lines.values(), -1)
    for key in lines:
        view.remove("carts", key)
    kept = [{"line_id": key, **line} for key, line in lines.items()]
    row = {"customer": customer, "lines": kept, "total": total, "delivered": None}
    view.put("orders", order_id, row)
    kilos = math.fsum(
        line["quantity"] * _product(view, line["sku"])["weight_kg"] for line in lines.values()
    )
    return {
        "order_id": order_id,
        "lines": len(lines),
        "saving": saving,
        "delivery": delivery,
        "total": total,
        "weight_kg": round(kilos, 2),
    }


def _known_order(view: View, order_id: str) -> Row:
    order = view.get("orders", order_id)
    if order is None:
        raise ToolError(f"there is no order {order_id}")
    return order


@WORLD.tool(
    "Cancel an order that has not been delivered. Removes the order, puts its articles back into "
    "stock and into the cart of the customer.",
    parameters={"order_id": text("Id of the order.", "order_id")},
    outputs=(Output("refund", "price", ("the refund for cancelling {order_id}",)),),
    wishes=(
        "Cancel {order_id}.",
        "Please call off {order_id} before it is sent.",
        "I've changed my mind about {order_id}: put it all back into the cart.",
    ),
    reads=("stock", "orders"),
    writes=("stock", "carts", "orders"),
)
def cancel_order(view: View, order_id: str) -> dict[str, Any]:
    """Carts, stock and orders as before the order."""
    order = _known_order(view, order_id)
    if order["delivered"]:
        raise ToolError(f"{order_id} was delivered on {order['delivered']}")
    _restock(view, order["lines"], 1)
    for line in order["lines"]:
        row = {key: value for key, value in line.items() if key != "line_id"}
        view.put("carts", line["line_id"], row)
    view.remove("orders", order_id)
    return {"cancelled": order_id, "customer": order["customer"], "refund": order["total"]}


@WORLD.tool(
    "List the delivered orders of a customer, the latest first, or only those with something of "
    "one category.",
    parameters={
        "customer": text("Full name of the customer.", "person",
                         pool=draw_from("orders", "customer")),
        "category": choice("Only orders with something of this category.", "shop_category",
                           tuple(_CATEGORIES), optional=True),
    },
    outputs=(
        Output("orders[0].order_id", "order_id", (
            "the latest delivered order of {customer}[ with {category} in it]",
            "the order that {customer} was sent last[, counting only orders with {category}]",
        )),
        Output("orders[0].total", "price", (
            "the total of the latest delivered order of {customer}[ with {category} in it]",
        )),
        Output("orders[0].delivered", "past_date", (
            "the delivery day of the latest order of {customer}[ with {category} in it]",
        )),
        Output("spent", "price", (
            "the money that {customer} has spent on delivered orders[ with {category} in them]",
            "the sum of all delivered orders of {customer}[ that had {category} in them]",
        )),
    ),
    wishes=(
        "What has {customer} ordered before[, counting only orders with {category}]?",
        "List the past orders of {customer}[ that include {category}].",
        "Could you look up which orders[ of {category}] have been delivered to {customer}?",
    ),
    reads=("products", "orders"),
)  # fmt: skip
def find_orders(view: View, customer: str, category: str | None = None) -> dict[str, Any]:
    """Delivered orders; of one day the first by id."""
    found = [
        {"order_id": order_id, "delivered": row["delivered"], "total": row["total"],
         "skus": [line["sku"] for line in row["lines"]]}
        for order_id, row in view.rows("orders")
        if row["customer"] == customer and row["delivered"]
        and (category is None or any(_product(view, line["sku"])["category"] == category
                                     for line in row["lines"]))
    ]  # fmt: skip
    found.sort(key=lambda row: row["order_id"])
    found.sort(key=lambda row: row["delivered"], reverse=True)
    spent = round(math.fsum(row["total"] for row in found), 2)
    return {"orders": found, "count": len(found), "spent": spent}


@WORLD.tool(
    "Return articles of a delivered order within 30 days, for a refund (a tenth less for a change "
    "of mind). Adds a return; it can't be taken back.",
    parameters={
        "order_id": text("Id of the order.", "order_id"),
        "reason": choice(
            "Why.", "return_reason", _REASONS,
            says={'"changed my mind"': "a change of mind", '"damaged"': "damage",
                  '"wrong item"': "wrong delivery", '"does not fit"': "a bad fit"},
        ),
        "skus": array(
            "Only these articles; all if left out.", text("Number of an article.", "article_id"),
            minItems=1, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("return_id", "return_id", (
            "the return[ of {skus}] from {order_id} because of {reason}",
        )),
        Output("refund", "price", (
            "the refund for returning[ {skus} out of] {order_id} because of {reason}",
            "what comes back when[ {skus} from] {order_id} is returned because of {reason}",
        )),
    ),
    wishes=(
        "Return[ {skus} from] {order_id} because of {reason}.",
        "Please send back[ {skus} out of] {order_id}. The reason is {reason}.",
        "I'd like to return[ {skus} from] {order_id} – {reason}, I'm afraid.",
    ),
    reads=("orders", "returns"),
    writes=("returns",),
)  # fmt: skip
def return_articles(
    view: View, order_id: str, reason: str, skus: list[str] | None = None
) -> dict[str, Any]:
    """A return; an article goes back once."""
    order = _known_order(view, order_id)
    first_day = (TODAY - datetime.timedelta(days=_RETURN_DAYS)).isoformat()
    if not order["delivered"]:
        raise ToolError(f"{order_id} has not been delivered yet")
    if order["delivered"] < first_day:
        raise ToolError(f"{order_id} was delivered on {order['delivered']}, which is too long ago")
    prices = {line["sku"]: line["quantity"] * line["unit_price"] for line in order["lines"]}
    wanted = sorted(skus or prices)
    foreign = next((sku for sku in wanted if sku not in prices), None)
    if foreign:
        raise ToolError(f"{order_id} has no article {foreign}")
    gone = next((sku for sku in wanted if view.get("returns", f"{order_id}/{sku}")), None)
    if gone:
        raise ToolError(f"{gone} of {order_id} has been returned already")
    return_id = content_id("rt", order_id, wanted)
    for sku in wanted:
        view.put("returns", f"{order_id}/{sku}", {"return_id": return_id, "reason": reason})
    share = 0.9 if reason == "changed my mind" else 1
    refund = round(share * math.fsum(prices[sku] for sku in wanted), 2)
    return {"return_id": return_id, "skus": wanted, "refund": refund}
