"""The library world: exact behaviour on seed 7, effects and their undoing, refusals."""

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import library

NAME = "library"


@pytest.fixture
def view() -> View:
    tables = library.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def member_with_loans(view: View) -> str:
    return str(view.values("loans")[0]["member"])


def member_without_loans(view: View) -> str:
    borrowers = {loan["member"] for loan in view.values("loans")}
    return next(name for name, _ in view.rows("members") if name not in borrowers)


def test_holdings_keep_their_order_and_limits(view: View) -> None:
    found = library.search_holdings(view, "crime", "shortest", published_since=1970, max_pages=500)
    pages = [book["pages"] for book in found["books"]]
    assert pages == sorted(pages)
    assert all(book["year"] >= 1970 and book["pages"] <= 500 for book in found["books"])
    assert found["book_ids"] == [book["book_id"] for book in found["books"]]


def test_a_loan_takes_the_copy_and_a_return_brings_it_back(view: View) -> None:
    book = library.search_holdings(view, "poetry", "newest", on_shelf=True)["books"][0]
    member = member_without_loans(view)
    loan = library.borrow_books(view, [book["book_id"]], member)
    assert loan["due"] == "2026-03-23"
    after = library.search_holdings(view, "poetry", "newest")["books"]
    assert next(b for b in after if b["book_id"] == book["book_id"])["on_shelf"] == (
        book["on_shelf"] - 1
    )
    assert library.renew_loan(view, loan["loan_id"], 2)["due"] == "2026-04-06"
    assert library.return_books(view, loan["loan_id"])["fine"] == 0
    with pytest.raises(ToolError, match="no loan is registered under"):
        library.return_books(view, loan["loan_id"])


def test_a_hold_keeps_others_from_borrowing_and_renewing(view: View) -> None:
    loan = view.values("loans")[0]
    (book_id,) = loan["book_ids"]
    waiting = member_without_loans(view)
    hold = library.place_hold(view, book_id, waiting)
    assert hold["place"] == 1
    with pytest.raises(ToolError, match="already waiting"):
        library.place_hold(view, book_id, waiting)
    with pytest.raises(ToolError, match="others wait for"):
        library.renew_loan(view, loan["loan_id"], 1)
    library.cancel_hold(view, hold["hold_id"])
    library.renew_loan(view, loan["loan_id"], 1)
    library.renew_loan(view, loan["loan_id"], 1)
    with pytest.raises(ToolError, match="renewed twice"):
        library.renew_loan(view, loan["loan_id"], 1)


def test_fines_grow_to_their_cap(view: View) -> None:
    member = member_with_loans(view)
    account = library.library_account(view, member, "2027-03-02")
    assert account["total_fine"] == 12.5 * len(account["books_out"])
    assert account["next_due"] == account["loans"][0]["due"]


def test_a_schedule_counts_the_first_day(view: View) -> None:
    book = view.values("books")[0]
    found = library.reading_schedule(view, [book["book_id"]], book["pages"], "2026-04-01")
    assert (found["days"], found["finish"]) == (1, "2026-04-01")
