import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import banking


@pytest.fixture
def view() -> View:
    tables = banking.WORLD.tables(7)
    return View(State({("banking", name): rows for name, rows in tables.items()}), "banking")


def two_accounts(view: View) -> tuple[str, str]:
    """Return an account in USD and one in JPY."""
    first = {row["currency"]: str(row["account_id"]) for row in view.values("accounts")}
    return first["USD"], first["JPY"]


def balance(view: View, account_id: str) -> float:
    row = view.get("accounts", account_id)
    assert row is not None
    return float(row["balance"])


def test_accounts_come_by_their_worth_in_eur(view: View) -> None:
    holder = next(row["holder"] for row in view.values("accounts") if row["kind"] == "business")
    found = banking.find_accounts(view, holder)
    worth = [account["balance_eur"] for account in found["accounts"]]
    assert worth == sorted(worth, reverse=True)
    only = banking.find_accounts(view, holder, "business")
    assert [account["kind"] for account in only["accounts"]] == ["business"]
    assert banking.find_accounts(view, "Nobody Here") == {
        "accounts": [],
        "account_ids": [],
        "count": 0,
    }


def test_the_fullest_of_combined_accounts_is_named(view: View) -> None:
    dollars, yen = two_accounts(view)
    combined = banking.combine_balances(view, [dollars, yen], "EUR")
    rates = {row["currency"]: row["per_eur"] for row in view.values("rates")}
    worth = {
        dollars: balance(view, dollars) / rates["USD"],
        yen: balance(view, yen) / rates["JPY"],
    }
    assert combined["total"] == pytest.approx(sum(worth.values()), abs=0.02)
    assert combined["fullest"] == max(worth, key=lambda account_id: worth[account_id])
    with pytest.raises(ToolError, match=f"{yen} is named twice"):
        banking.combine_balances(view, [yen, yen], "EUR")


def test_conversion_goes_there_and_back(view: View) -> None:
    there = banking.convert_currency(view, 200, "EUR", "GBP")["converted"]
    assert banking.convert_currency(view, there, "GBP", "EUR")["converted"] == pytest.approx(
        200, abs=0.02
    )
    assert banking.convert_currency(view, 200, "EUR", "GBP", 10)["converted"] == pytest.approx(
        0.9 * there, abs=0.01
    )
    with pytest.raises(ToolError, match="both currencies are GBP"):
        banking.convert_currency(view, 5, "GBP", "GBP")


def test_spending_is_summed_by_category(view: View) -> None:
    account_id = next(iter(view.rows("payments")))[0]
    whole = banking.summarise_spending(view, account_id, "2025-01-01")
    assert whole["total"] == pytest.approx(sum(part["amount"] for part in whole["by_category"]))
    top = whole["by_category"][0]
    part = banking.summarise_spending(view, account_id, "2025-01-01", categories=[top["category"]])
    assert part["total"] == top["amount"]
    with pytest.raises(ToolError, match="ends on 2025-12-01, before it begins on 2025-12-31"):
        banking.summarise_spending(view, account_id, "2025-12-31", "2025-12-01")


def test_a_transfer_moves_money_and_its_reversal_moves_it_back(view: View) -> None:
    dollars, yen = two_accounts(view)
    before = balance(view, dollars), balance(view, yen)
    sent = banking.transfer_money(view, dollars, yen, 20)
    again = banking.transfer_money(view, dollars, yen, 20)
    assert again["transfer_id"] == sent["transfer_id"][:-1] + "2"
    assert balance(view, dollars) == round(before[0] - 40, 2)
    assert balance(view, yen) == round(before[1] + 2 * sent["credited"], 2)
    banking.reverse_transfer(view, sent["transfer_id"])
    banking.reverse_transfer(view, again["transfer_id"])
    assert (balance(view, dollars), balance(view, yen)) == before
    with pytest.raises(ToolError, match="is not a transfer that can be reversed"):
        banking.reverse_transfer(view, sent["transfer_id"])
    with pytest.raises(ToolError, match="too little for 100000000"):
        banking.transfer_money(view, dollars, yen, 100000000)


def test_loans_keep_their_limits_and_come_by_cost(view: View) -> None:
    found = banking.compare_loans(view, 4000, 36)
    costs = [offer["total_cost"] for offer in found["offers"]]
    assert costs == sorted(costs)
    assert costs
    dearest = max(offer["monthly_payment"] for offer in found["offers"])
    fewer = banking.compare_loans(view, 4000, 36, dearest - 0.01)
    assert fewer["count"] < found["count"]


def test_a_standing_order_is_set_up_once(view: View) -> None:
    dollars, yen = two_accounts(view)
    order = banking.set_up_standing_order(view, dollars, yen, 30, "quarterly", "2026-04-01")
    assert order["yearly_total"] == 120
    with pytest.raises(ToolError, match="already has this standing order"):
        banking.set_up_standing_order(view, dollars, yen, 30, "quarterly", "2026-04-01")
    banking.cancel_standing_order(view, order["order_id"])
    assert view.values("standing_orders") == []
    with pytest.raises(ToolError, match="can't start on 2026-03-01"):
        banking.set_up_standing_order(view, dollars, yen, 30, "weekly", "2026-03-01")
