"""The mail world: exact behaviour on seed 7, effects and their undoing, refusals."""

from itertools import pairwise

import pytest

from environment.state import State, View
from environment.world import ToolError
from environment.worlds import mail

NAME = "mail"


@pytest.fixture
def view() -> View:
    tables = mail.WORLD.tables(7)
    return View(State({(NAME, table): rows for table, rows in tables.items()}), NAME)


def test_search_orders_by_day_and_keeps_every_limit(view: View) -> None:
    found = mail.search_mail(view, "invoice", "oldest", since="2025-12-01", with_files=True)
    days = [one["sent"] for one in found["mails"]]
    assert days == sorted(days)
    assert days[0] >= "2025-12-01"
    sender = found["mails"][0]["from"]
    own = mail.search_mail(view, "invoice", "newest", sender=sender)
    assert {one["from"] for one in own["mails"]} == {sender}


def test_same_day_mails_come_by_id_in_both_orders(view: View) -> None:
    for order in ("newest", "oldest"):
        found = mail.search_mail(view, "complaint", order)["mails"]
        for one, other in pairwise(found):
            assert one["sent"] != other["sent"] or one["mail_id"] < other["mail_id"]


def test_busiest_sender_leads(view: View) -> None:
    ranked = mail.rank_senders(view, "2025-10-01", 5)["senders"]
    counts = [one["mails"] for one in ranked]
    assert counts == sorted(counts, reverse=True)


def test_a_template_names_what_it_was_given(view: View) -> None:
    made = mail.fill_template(view, "invitation", "Ada Abara", day="2026-04-05")
    assert made["text"] == "Dear Ada Abara, you are invited, on 5 April 2026."
    made = mail.fill_template(view, "payment reminder", "Ada Abara", amount=12.5)
    assert made["text"] == "Dear Ada Abara, a payment is still open, 12.50 EUR."


def test_sending_twice_sends_two_mails(view: View) -> None:
    first = mail.send_mail(view, ["ada@example.org"], "Hello.")
    second = mail.send_mail(view, ["ada@example.org"], "Hello.")
    assert first["sent_id"][:-1] == second["sent_id"][:-1]
    assert second["sent_id"].endswith(".2")
    with pytest.raises(ToolError, match="'Ada' is not an e-mail address"):
        mail.send_mail(view, ["Ada"], "Hello.")


def test_attachments_come_largest_first(view: View) -> None:
    ids = mail.search_mail(view, "contract", "newest", with_files=True)["mail_ids"]
    found = mail.collect_attachments(view, ids)
    sizes = [view.get("files", one)["size_mb"] for one in found["file_ids"]]  # type: ignore[index]
    assert sizes == sorted(sizes, reverse=True)
    assert found["total_mb"] == round(sum(sizes), 1)


def test_a_label_is_put_on_once_and_taken_off(view: View) -> None:
    rows = view.values("mails")
    bare = [row["mail_id"] for row in rows if not row["labels"]][:2]
    mail.label_mail(view, bare, "urgent")
    with pytest.raises(ToolError, match="already labelled 'urgent'"):
        mail.label_mail(view, bare, "urgent")
    mail.unlabel_mail(view, bare, "urgent")
    assert view.values("mails") == rows
