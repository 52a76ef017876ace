import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import taxes


@pytest.fixture
def view() -> View:
    tables = taxes.WORLD.tables(7)
    return View(State({("taxes", name): rows for name, rows in tables.items()}), "taxes")


def test_clients_are_ranked_by_their_invoices(view: View) -> None:
    first = taxes.rank_clients(view, "unpaid")["clients"][0]
    owed = [
        row["gross"]
        for row in view.values("invoices")
        if row["client_id"] == first["client_id"] and row["paid"] is None
    ]
    assert first["unpaid"] == round(sum(owed), 2)
    slow = taxes.rank_clients(view, "delay")["clients"]
    assert [row["delay"] for row in slow] == sorted((row["delay"] for row in slow), reverse=True)
    assert taxes.rank_clients(view, "turnover", "Atlantis") == {"clients": [], "count": 0}


def test_overdue_invoices_come_by_amount_or_age(view: View) -> None:
    by_amount = taxes.find_overdue_invoices(view, "amount")
    by_age = taxes.find_overdue_invoices(view, "age")
    assert by_amount["total"] == by_age["total"]
    assert by_amount["invoices"][0]["gross"] >= by_amount["invoices"][1]["gross"]
    assert by_age["invoices"][0]["due"] <= by_age["invoices"][1]["due"]
    with pytest.raises(ToolError, match="'cl-0' is not one of the clients"):
        taxes.find_overdue_invoices(view, "age", "cl-0")


def test_interest_is_simple_and_starts_on_the_due_day(view: View) -> None:
    client_id = str(next(iter(view.rows("clients")))[0])
    lines = [{"quantity": 10, "goods": "books", "unit_price": 100}]
    bill = taxes.issue_invoice(view, client_id, lines, "2026-03-10")
    in_time = taxes.late_payment_due(view, bill["invoice_id"], bill["due"], 10, 5)
    assert in_time == {"days_late": 0, "interest": 0, "fee": 0, "total_due": bill["gross"]}
    late = taxes.late_payment_due(view, bill["invoice_id"], "2027-03-10", 10, 5)
    assert late["interest"] == round(bill["gross"] * 0.1 * late["days_late"] / 365, 2)
    assert late["total_due"] == round(bill["gross"] + late["interest"] + 5, 2)
    paid = next(key for key, row in view.rows("invoices") if row["paid"])
    with pytest.raises(ToolError, match=f"{paid} was paid on "):
        taxes.late_payment_due(view, paid, "2026-04-01", 5)


def test_an_invoice_has_the_vat_of_each_line_and_can_be_voided(view: View) -> None:
    client_id = next(row["client_id"] for row in view.values("clients")
                     if row["country"] == "Germany")  # fmt: skip
    count = len(view.values("invoices"))
    lines = [
        {"quantity": 3, "goods": "books", "unit_price": 20},
        {"quantity": 2, "goods": "design hours", "unit_price": 90},
    ]
    bill = taxes.issue_invoice(view, client_id, lines, "2026-03-02")
    assert (bill["net"], bill["vat"]) == (240, 38.4)
    with pytest.raises(ToolError, match="already has this invoice"):
        taxes.issue_invoice(view, client_id, lines, "2026-03-02")
    assert taxes.void_invoice(view, bill["invoice_id"])["written_off"] == 278.4
    assert len(view.values("invoices")) == count
    with pytest.raises(ToolError, match="can't be dated 2026-03-01"):
        taxes.issue_invoice(view, client_id, lines, "2026-03-01")
    paid = next(key for key, row in view.rows("invoices") if row["paid"])
    with pytest.raises(ToolError, match=f"{paid} has been paid"):
        taxes.void_invoice(view, paid)


def test_vat_is_split_from_both_sides(view: View) -> None:
    there = taxes.split_vat(view, 100, included=False, country="Hungary", goods="office chairs")
    assert there == {"percent": 27, "net": 100, "vat": 27, "gross": 127}
    back = taxes.split_vat(view, 127, included=True, country="Hungary", goods="office chairs")
    assert back == there


def test_receipts_count_up_to_their_cap(view: View) -> None:
    rule = view.get("deductions", "training")
    assert rule is not None
    share = taxes.deductible_share(view, "training", [rule["receipt_cap"] + 80, 10])
    assert share["deductible"] == round((rule["receipt_cap"] + 10) * rule["percent"] / 100, 2)


def test_income_tax_goes_band_by_band(view: View) -> None:
    rule = view.get("bands", "Japan")
    assert rule is not None
    low = taxes.income_tax(view, "Japan", rule["allowance"] + 1000)
    assert low["tax"] == 10 * rule["percents"][0]
    assert taxes.income_tax(view, "Japan", rule["allowance"] + 1000, [600, 400])["tax"] == 0
    high = taxes.income_tax(view, "Japan", rule["allowance"] + rule["steps"][1] + 1000)
    first, second = rule["steps"]
    whole = first * rule["percents"][0] + (second - first) * rule["percents"][1]
    assert high["tax"] == round(whole / 100 + 10 * rule["percents"][2], 2)


def test_a_deadline_is_a_working_day(view: View) -> None:
    for month in range(1, 13):
        found = taxes.filing_deadline(view, "Norway", "VAT return", "2025-12-31", month)
        assert found["weekday"] not in ("Saturday", "Sunday")
    with pytest.raises(ToolError, match="'Atlantis'"):
        taxes.filing_deadline(view, "Atlantis", "VAT return", "2025-12-31")
