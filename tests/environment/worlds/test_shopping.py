import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import shopping


@pytest.fixture
def state() -> State:
    tables = shopping.WORLD.tables(7)
    return State({("shopping", name): rows for name, rows in tables.items()})


@pytest.fixture
def view(state: State) -> View:
    return View(state, "shopping")


def in_stock(view: View) -> str:
    return next(sku for sku, row in view.rows("stock") if row["units"] >= 20)


def test_a_search_keeps_every_limit(view: View) -> None:
    found = shopping.search_products(view, "tents", "rating", 400, 3.5, ["Hexagon", "Isola"])
    for product in found["products"]:
        assert product["category"] == "tents"
        assert product["price"] <= 400
        assert product["rating"] >= 3.5
        assert product["brand"] in ("Hexagon", "Isola")
    ratings = [row["rating"] for row in
               shopping.search_products(view, "tents", "rating")["products"]]  # fmt: skip
    assert ratings == sorted(ratings, reverse=True)
    assert shopping.search_products(view, "tents", "price", 1)["count"] == 0


def test_a_comparison_names_the_best(view: View) -> None:
    skus = shopping.search_products(view, "kettles", "rating")["skus"]
    cheapest = shopping.compare_products(view, skus, "price")
    lightest = shopping.compare_products(view, skus, "weight")
    assert lightest["best"]["weight_kg"] <= cheapest["best"]["weight_kg"]
    assert cheapest["best"]["price"] <= lightest["best"]["price"]
    assert cheapest["price_gap"] >= lightest["price_gap"]
    with pytest.raises(ToolError, match="number SP-1"):
        shopping.compare_products(view, ["SP-1", *skus], "price")


def test_the_best_voucher_is_valid_and_saves_most(view: View) -> None:
    best = shopping.best_voucher(view, 210, "jackets")
    assert best["to_pay"] == round(210 - best["saving"], 2)
    assert best["expires"] >= "2026-03-02"
    smaller = shopping.best_voucher(view, 25, "jackets")
    assert smaller["saving"] <= best["saving"]
    with pytest.raises(ToolError, match="no voucher is valid for jackets worth 210 on 2027"):
        shopping.best_voucher(view, 210, "jackets", "2027-01-01")


def test_an_order_empties_the_cart_and_cancelling_fills_it(state: State, view: View) -> None:
    sku = in_stock(view)
    first = shopping.add_to_cart(view, "Test Buyer", sku, 2)
    second = shopping.add_to_cart(view, "Test Buyer", sku, 2)
    assert second["line_id"] != first["line_id"]
    before = state.digest()
    order = shopping.check_out(view, "Test Buyer")
    goods = first["subtotal"] + second["subtotal"]
    assert order["total"] == round(goods + order["delivery"], 2)
    with pytest.raises(ToolError, match="the cart of Test Buyer is empty"):
        shopping.check_out(view, "Test Buyer")
    shopping.cancel_order(view, order["order_id"])
    assert state.digest() == before
    shopping.remove_from_cart(view, second["line_id"])
    shopping.remove_from_cart(view, first["line_id"])
    assert state.changes() == {}
    with pytest.raises(ToolError, match=r"only .* are in stock, not 1000"):
        shopping.add_to_cart(view, "Test Buyer", sku, 1000)


def test_a_voucher_needs_its_amount(view: View) -> None:
    shopping.add_to_cart(view, "Test Buyer", in_stock(view), 1)
    dear = next(
        row["code"] for row in view.values("vouchers")
        if row["least"] == 200 and row["expires"] > "2026-03-02"
    )  # fmt: skip
    expired = next(row for row in view.values("vouchers") if row["expires"] < "2026-03-02")
    with pytest.raises(ToolError, match=f"voucher {dear} needs 200 EUR"):
        shopping.check_out(view, "Test Buyer", dear)
    with pytest.raises(ToolError, match=f"{expired['code']} expired on {expired['expires']}"):
        shopping.check_out(view, "Test Buyer", expired["code"])


def test_an_article_goes_back_once_and_in_time(view: View) -> None:
    rows = view.rows("orders")
    order_id, order = next((key, row) for key, row in rows if row["delivered"] > "2026-02-10")
    found = shopping.find_orders(view, order["customer"])
    assert order_id in [row["order_id"] for row in found["orders"]]
    with pytest.raises(ToolError, match=f"{order_id} has no article SP-1"):
        shopping.return_articles(view, order_id, "damaged", ["SP-1"])
    back = shopping.return_articles(view, order_id, "changed my mind")
    assert back["refund"] == round(0.9 * order["total"], 2)
    with pytest.raises(ToolError, match="has been returned already"):
        shopping.return_articles(view, order_id, "damaged")
    late = next(key for key, row in view.rows("orders") if row["delivered"] < "2026-01-01")
    with pytest.raises(ToolError, match=f"{late} was delivered on .* too long ago"):
        shopping.return_articles(view, late, "damaged")
