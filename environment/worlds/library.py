"""A library: holdings, loans and their fines, holds, reading lists."""

import datetime
import math
import random
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
    boolean,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    text,
)

_SUBJECTS = ("astronomy", "biography", "cookery", "crime", "economics", "fantasy", "gardening",
             "history", "poetry", "travel writing")  # fmt: skip
_OPENINGS = ("A Short History of", "The Art of", "Letters on", "Beyond", "Notes from", "Against",
             "The Secret Life of", "Talks about", "In Search of", "The Last Days of")  # fmt: skip
_TOPICS = ("Glaciers", "Lighthouses", "Salt", "Comets", "Orchards", "Clockmakers", "Harbours",
           "Silence", "Bridges", "Maps", "Winter", "Bees")  # fmt: skip
_ORDERS = {
    "newest": ("year", -1),
    "oldest": ("year", 1),
    "shortest": ("pages", 1),
    "longest": ("pages", -1),
}
_LOAN_DAYS = 21
_FINE_PER_DAY = 0.25
_FINE_CAP = 12.5
_MOST_BOOKS = 8


def _tables(seed: int) -> Tables:
    rng = generator(seed, "library")
    names = [person.name for person in people(seed)]
    books: dict[str, Row] = {}
    for opening in _OPENINGS:
        for topic in _TOPICS:
            for volume in ("", ", Volume Two")[: rng.choice((1, 2))]:
                book = _book(rng, f"{opening} {topic}{volume}", rng.choice(names))
                books[book["book_id"]] = book
    loans: dict[str, Row] = {}
    shelf = [book_id for book_id, book in books.items() for _ in range(book["copies"])]
    rng.shuffle(shelf)
    for name in names:
        for _ in range(rng.choice((0, 1, 1, 2))):
            book_id = shelf.pop()
            due = TODAY + datetime.timedelta(days=rng.randrange(-45, 21))
            loan_id = content_id("ln", name, book_id, due.isoformat())
            loans[loan_id] = _loan(loan_id, [book_id], name, due.isoformat())
    return {"books": books, "loans": loans, "members": {name: {"name": name} for name in names},
            "holds": {}}  # fmt: skip


def _book(rng: random.Random, title: str, author: str) -> dict[str, Any]:
    return {
        "book_id": content_id("bk", title),
        "title": title,
        "author": author,
        "subject": rng.choice(_SUBJECTS),
        "year": rng.randrange(1958, 2026),
        "pages": rng.randrange(88, 720),
        "copies": rng.choice((1, 1, 2, 3)),
    }


def _loan(loan_id: str, book_ids: list[str], member: str, due: str) -> dict[str, Any]:
    return {"loan_id": loan_id, "book_ids": book_ids, "member": member, "due": due, "renewals": 0}


WORLD = World("library", "A public library: books, loans, holds and fines.", _tables)


def _member() -> Any:
    return text("Full name of the library member.", "person")


def _check_member(view: View, name: str) -> None:
    if view.get("members", name) is None:
        raise ToolError(f"{name} holds no library card")


def _known_book(view: View, book_id: str) -> Row:
    book = view.get("books", book_id)
    if book is None:
        raise ToolError(f"the catalogue has no book '{book_id}'")
    return book


def _known_loan(view: View, loan_id: str) -> Row:
    loan = view.get("loans", loan_id)
    if loan is None:
        raise ToolError(f"no loan is registered under '{loan_id}'")
    return loan


def _day(day: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(day)
    except ValueError:
        raise ToolError(f"'{day}' is not a day of the calendar") from None


def _days_late(loan: Row, day: datetime.date) -> int:
    return max((day - datetime.date.fromisoformat(loan["due"])).days, 0)


def _fine(loan: Row, late: int) -> float:
    return round(min(late * _FINE_PER_DAY, _FINE_CAP) * len(loan["book_ids"]), 2)


def _lent(view: View) -> dict[str, int]:
    """How many copies of each book are out."""
    counts: dict[str, int] = {}
    for loan in view.values("loans"):
        for book_id in loan["book_ids"]:
            counts[book_id] = counts.get(book_id, 0) + 1
    return counts


@WORLD.tool(
    "Search the library's holdings by subject, ordered by year or length. Reads loans to tell "
    "which copies are on the shelf.",
    parameters={
        "subject": choice("Subject of the books.", "book_subject", _SUBJECTS),
        "order": choice("Which book comes first.", "book_order", tuple(_ORDERS)),
        "published_since": integer(
            "First year of publication.", "year", minimum=1950, maximum=2026, optional=True,
            pool=lambda view, rng: rng.randrange(1965, 2010, 5),
        ),
        "max_pages": integer(
            "Most pages.", "page_count", minimum=50, maximum=1000, optional=True,
            pool=lambda view, rng: rng.randrange(250, 650, 50),
        ),
        "on_shelf": boolean(
            "Only books with a copy on the shelf.", "flag", optional=True,
            says={"true": "with a copy on the shelf", "false": "on the shelf or not"},
        ),
    },
    outputs=(
        Output("books[0].book_id", "book_id", (
            ("the {order} {subject} book[ since {published_since}][ of up to {max_pages} pages]"
             "[, {on_shelf}]"),
            ("the library's {order} title on {subject}[ from {published_since} or later]"
             "[ with at most {max_pages} pages][ ({on_shelf})]"),
        )),
        Output("books[0].author", "person", (
            ("the author of the {order} {subject} book[ since {published_since}]"
             "[ of up to {max_pages} pages][, {on_shelf}]"),
            ("whoever wrote the library's {order} title on {subject}[ from {published_since} or "
             "later][ with at most {max_pages} pages][ ({on_shelf})]"),
        )),
        Output("count", "count", (
            ("the number of {subject} books[ since {published_since}][ of up to {max_pages} pages]"
             "[, {on_shelf}], {order} first"),
            ("how many titles on {subject} a list with the {order} on top holds"
             "[, from {published_since} on][, of {max_pages} pages at most][, {on_shelf}]"),
        )),
        Output("book_ids", "list:book_id", (
            ("all {subject} books[ since {published_since}][ of up to {max_pages} pages]"
             "[, {on_shelf}], the {order} first"),
            ("every title on {subject}[ from {published_since} or later][ with at most {max_pages} "
             "pages][ ({on_shelf})], {order} one on top"),
        )),
    ),
    wishes=(
        ("Which {subject} books does the library have[ from {published_since} on][, up to "
         "{max_pages} pages][, {on_shelf}]? The {order} first."),
        ("Search the holdings on {subject}[, published {published_since} or later][, at most "
         "{max_pages} pages][, {on_shelf}]; put the {order} on top."),
        ("I feel like reading {subject}: please list the titles, {order} one first[, nothing "
         "before {published_since}][, no more than {max_pages} pages][, {on_shelf}]."),
    ),
    reads=("books", "loans"),
)  # fmt: skip
def search_holdings(
    view: View,
    subject: str,
    order: str,
    published_since: int = 0,
    max_pages: int = 10_000,
    on_shelf: bool = False,
) -> dict[str, Any]:
    """Books of a subject, ties by id."""
    lent = _lent(view)
    found = [
        {**book, "on_shelf": book["copies"] - lent.get(book["book_id"], 0)}
        for book in view.values("books")
        if book["subject"] == subject
        and book["year"] >= published_since
        and book["pages"] <= max_pages
        and (not on_shelf or book["copies"] > lent.get(book["book_id"], 0))
    ]
    column, sign = _ORDERS[order]
    found.sort(key=lambda book: (sign * book[column], book["book_id"]))
    books = [{key: book[key] for key in book if key not in ("subject", "copies")} for book in found]
    return {"books": books, "count": len(books), "book_ids": [book["book_id"] for book in books]}


@WORLD.tool(
    "Check out one or more books to a member for 21 days, all or none. Adds a loan; refused "
    "without a copy on the shelf, beyond 8 books on loan, or while someone else's hold on the "
    "book stands.",
    parameters={
        "book_ids": array(
            "Ids of the books.",
            text("Id of a book.", "book_id", pool=draw_from("books", "book_id")),
            minItems=1, maxItems=_MOST_BOOKS, uniqueItems=True,
        ),
        "member": _member(),
    },
    outputs=(
        Output("loan_id", "book_loan_id", (
            "the loan of {book_ids} to {member}",
            "the checkout in which {member} takes {book_ids}",
        )),
        Output("due", "date", (
            "the day on which {member}, borrowing {book_ids}, has to bring them back",
            "the due date that goes with lending {book_ids} to {member}",
        )),
    ),
    wishes=(
        "Check out {book_ids} to {member}.",
        "{member} would like to take {book_ids} home; register the loan, please.",
        "Please lend {book_ids} to {member}.",
    ),
    reads=("books", "loans", "holds", "members"),
    writes=("loans",),
    undo=Undo("return_books", {"loan_id": "result.loan_id"}),
)  # fmt: skip
def borrow_books(view: View, book_ids: list[str], member: str) -> dict[str, Any]:
    """One loan of several books."""
    _check_member(view, member)
    lent = _lent(view)
    for book_id in book_ids:
        book = _known_book(view, book_id)
        if book["copies"] <= lent.get(book_id, 0):
            raise ToolError(f"all copies of {book_id} ('{book['title']}') are out")
        waiting = [hold["member"] for hold in _queue(view, book_id)]
        if waiting and member not in waiting:
            raise ToolError(f"{book_id} is kept for {waiting[0]}")
    carried = sum(
        len(loan["book_ids"]) for loan in view.values("loans") if loan["member"] == member
    )
    if carried + len(book_ids) > _MOST_BOOKS:
        raise ToolError(f"{member} would have more than {_MOST_BOOKS} books out")
    due = (TODAY + datetime.timedelta(days=_LOAN_DAYS)).isoformat()
    base = content_id("ln", member, sorted(book_ids), due)
    number = next(n for n in range(1, _MOST_BOOKS + 2) if not view.get("loans", f"{base}.{n}"))
    loan_id = f"{base}.{number}"
    view.put("loans", loan_id, _loan(loan_id, sorted(book_ids), member, due))
    return {"loan_id": loan_id, "member": member, "books": len(book_ids), "due": due}


def _queue(view: View, book_id: str) -> list[Row]:
    return sorted(
        (hold for hold in view.values("holds") if hold["book_id"] == book_id),
        key=lambda hold: (hold["place"], hold["hold_id"]),
    )


@WORLD.tool(
    "Take back all books of a loan. Removes the loan, whose fine, if any, is paid at the desk.",
    parameters={"loan_id": text("Id of the loan.", "book_loan_id")},
    outputs=(
        Output("fine", "price", (
            "the fine paid on bringing back {loan_id}",
            "what bringing back {loan_id} costs in fines",
        )),
    ),
    wishes=(
        "Take back {loan_id}.",
        "Here is everything that belongs to {loan_id}: please book it as returned.",
        "Return {loan_id} to the library today.",
    ),
    reads=("loans",),
    writes=("loans",),
)  # fmt: skip
def return_books(view: View, loan_id: str) -> dict[str, Any]:
    """End a loan without a trace."""
    loan = _known_loan(view, loan_id)
    view.remove("loans", loan_id)
    late = _days_late(loan, TODAY)
    return {"returned": loan["book_ids"], "days_late": late, "fine": _fine(loan, late)}


@WORLD.tool(
    "Renew a loan by two to four weeks, counted from its due date. Changes the loan's due date "
    "for good; at most two renewals, none while another member has a hold on one of its books.",
    parameters={
        "loan_id": text("Id of the loan.", "book_loan_id"),
        "weeks": integer("Weeks to add.", "count", minimum=2, maximum=4),
    },
    outputs=(
        Output("due", "date", (
            "the new due date after renewing {loan_id} for {weeks} more weeks",
            "the day until which {loan_id} runs once it is renewed by {weeks} weeks",
        )),
    ),
    wishes=(
        "Renew {loan_id} by {weeks} weeks.",
        "Could you extend {loan_id} for {weeks} more weeks?",
        "I need longer than planned; please prolong {loan_id} by {weeks} weeks.",
    ),
    reads=("loans", "holds"),
    writes=("loans",),
)  # fmt: skip
def renew_loan(view: View, loan_id: str, weeks: int) -> dict[str, Any]:
    """A later due date."""
    loan = _known_loan(view, loan_id)
    if loan["renewals"] >= 2:
        raise ToolError(f"{loan_id} has been renewed twice already")
    for book_id in loan["book_ids"]:
        if any(hold["member"] != loan["member"] for hold in _queue(view, book_id)):
            raise ToolError(f"{loan_id} can't be renewed: others wait for {book_id}")
    due = datetime.date.fromisoformat(loan["due"]) + datetime.timedelta(weeks=weeks)
    row = {**loan, "due": due.isoformat(), "renewals": loan["renewals"] + 1}
    view.put("loans", loan_id, row)
    return {"loan_id": loan_id, "due": row["due"], "renewals_left": 2 - row["renewals"]}


@WORLD.tool(
    "Put a member's hold on a book, behind those who wait already. Adds a hold; tells from loans "
    "and holds when a copy should be free.",
    parameters={
        "book_id": text("Id of the book.", "book_id", pool=draw_from("books", "book_id")),
        "member": _member(),
    },
    outputs=(
        Output("hold_id", "hold_id", (
            "the hold of {member} on {book_id}",
            "the place that {member} has in the queue for {book_id}",
        )),
        Output("place", "count", (
            "the position at which {member} waits for {book_id}",
            "the number of the place in the queue for {book_id} that {member} gets",
        )),
        Output("expected", "date", (
            "the day by which {member}, waiting for {book_id}, can expect it",
            "the expected date of a copy of {book_id} on hold for {member}",
        )),
    ),
    wishes=(
        "Put {book_id} on hold for {member}.",
        "{member} wants {book_id} as soon as it can be had; please reserve it.",
        "Please add {member} to the queue for {book_id}.",
    ),
    reads=("books", "loans", "holds", "members"),
    writes=("holds",),
    undo=Undo("cancel_hold", {"hold_id": "result.hold_id"}),
)  # fmt: skip
def place_hold(view: View, book_id: str, member: str) -> dict[str, Any]:
    """A place in the queue; one hold per member and book."""
    book = _known_book(view, book_id)
    _check_member(view, member)
    queue = _queue(view, book_id)
    hold_id = content_id("hd", book_id, member)
    if view.get("holds", hold_id):
        raise ToolError(f"{member} is already waiting for {book_id}")
    place = queue[-1]["place"] + 1 if queue else 1
    row = {"hold_id": hold_id, "book_id": book_id, "member": member, "place": place}
    view.put("holds", hold_id, row)
    dues = sorted(loan["due"] for loan in view.values("loans") if book_id in loan["book_ids"])
    free = [TODAY.isoformat()] * max(book["copies"] - len(dues), 0)
    turns, copy = divmod(len(queue), book["copies"])
    start = datetime.date.fromisoformat(max([*free, *dues][copy], TODAY.isoformat()))
    expected = start + datetime.timedelta(days=turns * _LOAN_DAYS)
    return {"hold_id": hold_id, "place": len(queue) + 1, "expected": expected.isoformat()}


@WORLD.tool(
    "Cancel a hold. Removes it from the queue of its book.",
    parameters={"hold_id": text("Id of the hold.", "hold_id")},
    wishes=(
        "Cancel {hold_id}.",
        "Please give up {hold_id}; it's not needed any longer.",
        "Let the next reader have it: withdraw {hold_id}.",
    ),
    reads=("holds",),
    writes=("holds",),
)
def cancel_hold(view: View, hold_id: str) -> dict[str, Any]:
    """Take a hold back without a trace."""
    hold = view.get("holds", hold_id)
    if hold is None:
        raise ToolError(f"nobody holds anything under '{hold_id}'")
    view.remove("holds", hold_id)
    return {"cancelled": hold_id, "member": hold["member"], "book_id": hold["book_id"]}


@WORLD.tool(
    "Sum up the loans of a member: which are out, which come due first, and the fines that will "
    "have built up by a day (0.25 EUR per book and day, 12.50 EUR per book at most). Reads loans.",
    parameters={
        "member": _member(),
        "day": date("Day up to which fines count, YYYY-MM-DD; today if left out.", optional=True),
    },
    outputs=(
        Output("loans[0].loan_id", "book_loan_id", (
            "the loan that {member} has to bring back first[, as of {day}]",
            "whichever loan of {member} falls due first[ (reckoned on {day})]",
        )),
        Output("books_out", "list:book_id", (
            "the books that {member} has out[, as of {day}]",
            "everything borrowed by {member}[ (reckoned on {day})]",
        )),
        Output("total_fine", "price", (
            "the fines that {member} owes the library[ on {day}]",
            "the sum that {member} has to pay in library fines[ by {day}]",
        )),
        Output("next_due", "date", (
            "the earliest due date among the loans of {member}[, as of {day}]",
            "the day on which the first loan of {member} falls due[ (reckoned on {day})]",
        )),
    ),
    wishes=(
        "What does {member} have out, and what fines does that make[ by {day}]?",
        "Sum up the library account of {member}[ as of {day}].",
        "I'd like an overview of the loans of {member}[, with fines counted up to {day}].",
    ),
    reads=("loans", "members"),
)  # fmt: skip
def library_account(view: View, member: str, day: str | None = None) -> dict[str, Any]:
    """Loans by due date, and fines."""
    _check_member(view, member)
    until = _day(day) if day else TODAY
    mine = [loan for loan in view.values("loans") if loan["member"] == member]
    mine.sort(key=lambda loan: (loan["due"], loan["loan_id"]))
    loans = [
        {
            "loan_id": loan["loan_id"],
            "due": loan["due"],
            "fine": _fine(loan, _days_late(loan, until)),
        }
        for loan in mine
    ]
    first = {"next_due": loans[0]["due"]} if loans else {}
    return {
        "loans": loans,
        "books_out": sorted({book_id for loan in mine for book_id in loan["book_ids"]}),
        "total_fine": round(math.fsum(loan["fine"] for loan in loans), 2),
        **first,
    }


@WORLD.tool(
    "Work out a reading schedule for a list of books: pages in all, and the day on which each is "
    "finished at a steady pace.",
    parameters={
        "book_ids": array(
            "Ids of the books, in reading order.",
            text("Id of a book.", "book_id", pool=draw_from("books", "book_id")),
            minItems=1, maxItems=40, uniqueItems=True,
        ),
        "pages_per_day": integer(
            "Pages read per day.", "page_count", minimum=5, maximum=300,
            pool=lambda view, rng: rng.randrange(15, 90, 5),
        ),
        "start": date("First day of reading, YYYY-MM-DD; today if left out.", optional=True),
    },
    outputs=(
        Output("finish", "date", (
            ("the day on which someone reading {pages_per_day} pages a day[ from {start} on] "
             "finishes {book_ids}"),
            ("the date by which someone is through with {book_ids} at {pages_per_day} pages a day"
             "[, starting {start}]"),
        )),
        Output("days", "count", (
            ("the number of days it takes to read {book_ids} at {pages_per_day} pages a day"
             "[ from {start} on]"),
            "how many days of {pages_per_day} pages each {book_ids} take[, starting {start}]",
        )),
        Output("milestones", "list:date", (
            ("the dates on which {book_ids} are finished at {pages_per_day} pages a day"
             "[ from {start} on]"),
            ("the days that end each of {book_ids} when read at {pages_per_day} pages a day"
             "[, beginning {start}]"),
        )),
    ),
    wishes=(
        "Plan the reading of {book_ids} at {pages_per_day} pages a day[, starting {start}].",
        "How long do {book_ids} take at {pages_per_day} pages per day[ from {start} on]?",
        ("I can manage {pages_per_day} pages a day[ from {start}]; please work out when I'd be "
         "through with {book_ids}."),
    ),
    reads=("books",),
)  # fmt: skip
def reading_schedule(
    view: View, book_ids: list[str], pages_per_day: int, start: str | None = None
) -> dict[str, Any]:
    """Running sums of pages turned into days."""
    first = _day(start) if start else TODAY
    pages, milestones = 0, []
    for book_id in book_ids:
        pages += _known_book(view, book_id)["pages"]
        ends = first + datetime.timedelta(days=-(-pages // pages_per_day) - 1)
        milestones.append(ends.isoformat())
    return {
        "total_pages": pages,
        "days": -(-pages // pages_per_day),
        "milestones": milestones,
        "finish": milestones[-1],
    }
