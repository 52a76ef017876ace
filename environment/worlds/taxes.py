"""Taxes: clients and invoices, late fees, VAT, deductions, income tax, filing deadlines."""

import datetime
import math
import random
from itertools import pairwise
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import CITIES
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
    number,
    record,
    text,
)

# Standard and reduced rate in percent; where a country has one rate, both are the same.
_VAT = {
    "Argentina": (21, 10.5), "Australia": (10, 0), "Austria": (20, 10), "Belgium": (21, 6),
    "Canada": (13, 5), "Chile": (19, 19), "Colombia": (19, 5), "Czech Republic": (21, 12),
    "Denmark": (25, 25), "Egypt": (14, 5), "Finland": (25.5, 14), "France": (20, 5.5),
    "Germany": (19, 7), "Greece": (24, 13), "Hungary": (27, 5), "Ireland": (23, 9),
    "Italy": (22, 10), "Japan": (10, 8), "Kenya": (16, 8), "Mexico": (16, 8),
    "Netherlands": (21, 9), "New Zealand": (15, 15), "Norway": (25, 15), "Peru": (18, 10),
    "Poland": (23, 8), "Portugal": (23, 6), "Singapore": (9, 9), "South Africa": (15, 0),
    "South Korea": (10, 10), "Spain": (21, 10), "Sweden": (25, 12), "Switzerland": (8.1, 2.6),
    "Thailand": (7, 7), "Turkey": (20, 10), "United Kingdom": (20, 5),
    "United States": (7.25, 2), "Vietnam": (10, 5),
}  # fmt: skip
# What is sold, and whether the reduced rate applies.
_GOODS = {
    "books": True, "groceries": True, "medicines": True, "train tickets": True,
    "consulting hours": False, "design hours": False, "software licences": False,
    "office chairs": False, "training days": False, "translations": True,
}  # fmt: skip
_DEDUCTIONS = ("travel", "client meals", "home office", "training", "equipment", "donations")
_FILINGS = ("VAT return", "income tax return", "payroll report", "annual accounts")
_SECTORS = ("Bakery", "Cycles", "Dental", "Films", "Foundry", "Freight", "Gardens", "Optics",
            "Paper", "Robotics", "Sails", "Timber")  # fmt: skip
_NAMES = ("Amberlea", "Brackenfold", "Copperwick", "Duskwater", "Emberton", "Flintmoor",
          "Glimmerby", "Hollowmere", "Inkwell", "Jasperline", "Kelpford", "Larkhollow")  # fmt: skip
_COUNTRIES = tuple(sorted({city.country for city in CITIES}))


def _clients(seed: int) -> dict[str, Row]:
    rng = generator(seed, "taxes")
    names = [f"{name} {sector}" for name in _NAMES for sector in rng.sample(_SECTORS, 6)]
    contacts = rng.sample(people(seed), len(names))
    clients: dict[str, Row] = {}
    for name, contact in zip(names, contacts, strict=True):
        client_id = content_id("cl", name)
        city = rng.choice(CITIES)
        clients[client_id] = {
            "client_id": client_id,
            "name": name,
            "city": city.name,
            "country": city.country,
            "contact": contact.name,
            "email": contact.email,
            "terms_days": rng.choice((14, 21, 30, 45)),
        }
    return clients


def _invoices(seed: int, clients: dict[str, Row]) -> dict[str, Row]:
    rng = generator(seed, "taxes", "invoices")
    invoices: dict[str, Row] = {}
    for client_id, client in clients.items():
        for _ in range(rng.randrange(1, 5)):
            issued = TODAY - datetime.timedelta(days=rng.randrange(10, 280))
            due = issued + datetime.timedelta(days=client["terms_days"])
            net = round(rng.randrange(120, 7800) + rng.choice((0, 0.5, 0.9)), 2)
            goods = rng.choice(tuple(_GOODS))
            vat = round(net * _vat_percent(client["country"], goods) / 100, 2)
            delay = rng.randrange(-12, 50)
            paid = due + datetime.timedelta(days=delay)
            is_paid = paid < TODAY and rng.random() < 0.7
            invoice_id = f"INV-{20000 + 7 * len(invoices) + rng.randrange(7)}"
            invoices[invoice_id] = {
                "client_id": client_id,
                "issued": issued.isoformat(),
                "due": due.isoformat(),
                "net": net,
                "vat": vat,
                "gross": round(net + vat, 2),
                "paid": paid.isoformat() if is_paid else None,
                "delay": delay if is_paid else None,
            }
    return invoices


def _tables(seed: int) -> Tables:
    rng = generator(seed, "taxes", "rules")
    bands = {
        country: {
            "allowance": rng.randrange(6000, 15000, 250),
            "steps": [rng.randrange(15, 25) * 1000, rng.randrange(35, 55) * 1000],
            "percents": sorted(rng.sample(range(11, 46), 3)),
            "per_dependant": rng.randrange(500, 3000, 100),
        }
        for country in _COUNTRIES
    }
    deductions = {
        name: {"percent": rng.randrange(40, 101, 5), "receipt_cap": rng.randrange(60, 420, 10)}
        for name in _DEDUCTIONS
    }
    deadlines = {
        f"{country}/{filing}": {
            "months": rng.randrange(1, 7),
            "day": rng.choice((7, 10, 15, 20, 25)),
        }
        for country in _COUNTRIES
        for filing in _FILINGS
    }
    clients = _clients(seed)
    return {
        "clients": clients,
        "invoices": _invoices(seed, clients),
        "bands": bands,
        "deductions": deductions,
        "deadlines": deadlines,
    }


def _vat_percent(country: str, goods: str) -> float:
    if country not in _VAT:
        raise ToolError(f"no rate of VAT is known for '{country}'")
    standard, reduced = _VAT[country]
    return reduced if _GOODS[goods] else standard


WORLD = World("taxes", "Invoices, VAT, deductions, income tax and filing deadlines.", _tables)

_INCOME = {
    "exclusiveMinimum": 0,
    "pool": lambda view, rng: rng.randrange(21000, 98000, 500),
}


def _invoice(view: View, invoice_id: str) -> Row:
    invoice = view.get("invoices", invoice_id)
    if invoice is None:
        raise ToolError(f"no invoice has the number {invoice_id}")
    return invoice


def _client(view: View, client_id: str) -> Row:
    client = view.get("clients", client_id)
    if client is None:
        raise ToolError(f"'{client_id}' is not one of the clients")
    return client


def _days(earlier: str, later: str) -> int:
    return (datetime.date.fromisoformat(later) - datetime.date.fromisoformat(earlier)).days


_BY = {
    "turnover": "with the highest turnover",
    "unpaid": "that owes most",
    "delay": "that pays slowest on average",
}


@WORLD.tool(
    "Rank the clients by turnover (net), by what they have not paid (gross), or by how many days "
    "after the due day they pay on average. Reads clients and invoices.",
    parameters={
        "by": choice(
            "What puts a client first.", "client_order", tuple(_BY),
            says={f'"{name}"': words for name, words in _BY.items()},
        ),
        "country": text("Only clients of this country.", "country", optional=True),
    },
    outputs=(
        Output("clients[0].client_id", "client_id", (
            "the client[ in {country}] {by}",
            "whichever client[ from {country}] is the one {by}",
        )),
        Output("clients[0].contact", "person", (
            "the contact person at the client[ in {country}] {by}",
            "the person to talk to at the client[ in {country}] {by}",
        )),
        Output("clients[0].email", "email", (
            "the e-mail address of the client[ in {country}] {by}",
            "the address to write to at the client[ in {country}] {by}",
        )),
        Output("clients[0].city", "city", ("the home city of the client[ in {country}] {by}",)),
        Output("clients[0].unpaid", "price", (
            "what is still to be paid by the client[ in {country}] {by}",
        )),
    ),
    wishes=(
        "Which of our clients[ in {country}] is the one {by}?",
        "Rank the clients[ in {country}], please: on top I want the one {by}.",
        "I need the list of clients[ from {country}], first the one {by}.",
    ),
    reads=("clients", "invoices"),
)  # fmt: skip
def rank_clients(view: View, by: str, country: str | None = None) -> dict[str, Any]:
    """Clients by the sums of their invoices; of equal ones the first by id."""
    found = {
        client["client_id"]: {
            **{key: client[key] for key in ("client_id", "name", "city", "contact", "email")},
            "turnover": 0.0,
            "unpaid": 0.0,
        }
        for client in view.values("clients")
        if country in (None, client["country"])
    }
    delays: dict[str, list[int]] = {}
    for invoice in view.values("invoices"):
        row = found.get(invoice["client_id"])
        if row is None:
            continue
        row["turnover"] = round(row["turnover"] + invoice["net"], 2)
        if invoice["paid"] is None:
            row["unpaid"] = round(row["unpaid"] + invoice["gross"], 2)
        elif by == "delay":
            delays.setdefault(invoice["client_id"], []).append(invoice["delay"])
    if by == "delay":
        found = {key: found[key] | {"delay": round(math.fsum(late) / len(late), 2)}
                 for key, late in delays.items()}  # fmt: skip
    ranked = sorted(found.values(), key=lambda row: (-row[by], row["client_id"]))
    return {"clients": ranked[:10], "count": len(ranked)}


@WORLD.tool(
    "List invoices that are overdue today, the largest or the oldest first, and what they come to. "
    "Reads clients and invoices.",
    parameters={
        "sort_by": choice(
            "What comes first.", "invoice_order", ("amount", "age"),
            says={'"amount"': "largest", '"age"': "oldest"},
        ),
        "client_id": text("Only invoices to this client.", "client_id", optional=True),
        "min_amount": number("Least gross amount in EUR.", "price", minimum=0, optional=True),
    },
    outputs=(
        Output("invoices[0].invoice_id", "invoice_id", (
            "the {sort_by} unpaid invoice[ to {client_id}][ of at least {min_amount}]",
            ("whichever overdue invoice[ to {client_id}][ over no less than {min_amount}] is "
            "{sort_by}"),
        )),
        Output("invoices[0].client_id", "client_id", (
            "the recipient of the {sort_by} overdue invoice[ of at least {min_amount}]",
            "the client behind the {sort_by} unpaid invoice[ of {min_amount} or more]",
        )),
        Output("invoices[0].gross", "price", (
            ("the amount of the {sort_by} overdue invoice[ to {client_id}][ of at least "
            "{min_amount}]"),
        )),
        Output("invoices[0].due", "past_date", (
            ("the due day of the {sort_by} overdue invoice[ to {client_id}][ of at least "
            "{min_amount}]"),
        )),
    ),
    wishes=(
        "Show overdue invoices[ to {client_id}][ of at least {min_amount}], the {sort_by} first.",
        ("Which bills[ to {client_id}][ from {min_amount} up] should have been paid by now? The "
        "{sort_by} on top, please."),
        ("I'd like to chase late payers[, only {client_id}][, nothing under {min_amount}]; start "
        "with the {sort_by} invoice."),
    ),
    reads=("clients", "invoices"),
)  # fmt: skip
def find_overdue_invoices(
    view: View, sort_by: str, client_id: str | None = None, min_amount: float = 0
) -> dict[str, Any]:
    """Invoices past their due day and not paid."""
    if client_id is not None:
        _client(view, client_id)
    today = TODAY.isoformat()
    found = [
        {"invoice_id": invoice_id, **{key: row[key] for key in ("client_id", "due", "gross")}}
        for invoice_id, row in view.rows("invoices")
        if row["paid"] is None
        and row["due"] < today
        and row["gross"] >= min_amount
        and client_id in (None, row["client_id"])
    ]
    if sort_by == "amount":
        found.sort(key=lambda row: (-row["gross"], row["invoice_id"]))
    else:
        found.sort(key=lambda row: (row["due"], row["invoice_id"]))
    total = round(math.fsum(row["gross"] for row in found), 2)
    return {"invoices": found[:15], "count": len(found), "total": total}


@WORLD.tool(
    "Work out what is due on an unpaid invoice on a day: the gross amount, simple interest since "
    "the due day, and a flat reminder fee if one is charged.",
    parameters={
        "invoice_id": text("Number of the invoice.", "invoice_id"),
        "on": date("Day of payment, YYYY-MM-DD."),
        "yearly_percent": number("Interest a year.", "percent", minimum=0, maximum=60),
        "flat_fee": number("Reminder fee in EUR.", "price", minimum=0, maximum=500, optional=True),
    },
    outputs=(
        Output("interest", "price", (
            "the late interest of {yearly_percent} a year on {invoice_id} if it is paid on {on}",
            "what {yearly_percent} yearly interest on {invoice_id} amounts to by {on}",
        )),
        Output("total_due", "price", (
            ("what has to be paid for {invoice_id} on {on} with {yearly_percent} interest a year"
            "[ and a reminder fee of {flat_fee}]"),
            ("the full sum due for {invoice_id} on {on}, at {yearly_percent} a year[ plus "
            "{flat_fee} for the reminder]"),
        )),
        Output("days_late", "count", (
            "the number of days by which {invoice_id} is late on {on} (at {yearly_percent} a year)",
        )),
    ),
    wishes=(
        ("What is due for {invoice_id} if it is paid on {on}, at {yearly_percent} interest a year"
        "[ plus a fee of {flat_fee}]?"),
        ("Work out the late interest on {invoice_id}: {yearly_percent} a year, paid on {on}"
        "[, reminder fee {flat_fee}]."),
        ("Suppose the client settles {invoice_id} on {on}. With {yearly_percent} a year[ and "
        "{flat_fee} for the reminder], how much do they owe?"),
    ),
    reads=("invoices",),
)  # fmt: skip
def late_payment_due(
    view: View, invoice_id: str, on: str, yearly_percent: float, flat_fee: float = 0
) -> dict[str, Any]:
    """Nothing is added to an invoice that is in time."""
    invoice = _invoice(view, invoice_id)
    if invoice["paid"] is not None:
        raise ToolError(f"{invoice_id} was paid on {invoice['paid']}")
    if on < invoice["issued"]:
        raise ToolError(f"{invoice_id} was issued on {invoice['issued']}, which is after {on}")
    late = max(0, _days(invoice["due"], on))
    interest = round(invoice["gross"] * yearly_percent / 100 * late / 365, 2)
    fee = flat_fee if late else 0
    total = round(invoice["gross"] + interest + fee, 2)
    return {"days_late": late, "interest": interest, "fee": fee, "total_due": total}


_LINE = record(
    "What is billed.", "invoice_line",
    {
        "quantity": integer("How many.", "count", minimum=1, maximum=500),
        "goods": choice("What.", "goods", tuple(_GOODS)),
        "unit_price": number("Net price of one in EUR.", "price", exclusiveMinimum=0),
    },
    says={"": "{quantity} × {goods} at {unit_price} each"},
)  # fmt: skip


@WORLD.tool(
    "Issue an invoice to a client, with the VAT of the client's country. Adds it to the invoices.",
    parameters={
        "client_id": text("Id of the client.", "client_id",
                          pool=draw_from("clients", "client_id")),
        "lines": array("What is billed.", _LINE, minItems=1, maxItems=8),
        "issued": date("Day of the invoice, YYYY-MM-DD."),
    },
    outputs=(
        Output("invoice_id", "invoice_id", (
            "the invoice of {issued} to {client_id} for {lines}",
            "the bill over {lines} that goes to {client_id} on {issued}",
        )),
        Output("gross", "price", (
            "what {client_id} has to pay for {lines} billed on {issued}",
            "the gross amount of the bill over {lines} that {client_id} gets on {issued}",
        )),
        Output("due", "date", ("the due day of the bill over {lines} to {client_id} of {issued}",)),
    ),
    wishes=(
        "Bill {client_id} for {lines}, dated {issued}.",
        "Please write an invoice to {client_id}, dated {issued}: {lines}.",
        "{client_id} ordered {lines}. Issue the invoice on {issued}.",
    ),
    reads=("clients", "invoices"),
    writes=("invoices",),
    undo=Undo("void_invoice", {"invoice_id": "result.invoice_id"}),
)  # fmt: skip
def issue_invoice(
    view: View, client_id: str, lines: list[dict[str, Any]], issued: str
) -> dict[str, Any]:
    """An invoice; the same one twice is refused."""
    client = _client(view, client_id)
    if issued < TODAY.isoformat():
        raise ToolError(f"an invoice can't be dated {issued}, before today")
    invoice_id = content_id("INV", client_id, lines, issued)
    if view.get("invoices", invoice_id):
        raise ToolError(f"{client_id} already has this invoice: {invoice_id}")
    nets = [round(line["quantity"] * line["unit_price"], 2) for line in lines]
    vat = math.fsum(
        net * _vat_percent(client["country"], line["goods"]) / 100
        for net, line in zip(nets, lines, strict=True)
    )
    due = datetime.date.fromisoformat(issued) + datetime.timedelta(days=client["terms_days"])
    net = round(math.fsum(nets), 2)
    sums = {"net": net, "vat": round(vat, 2), "gross": round(net + round(vat, 2), 2)}
    row = {"client_id": client_id, "issued": issued, "due": due.isoformat(), **sums}
    row |= {"paid": None, "delay": None}
    view.put("invoices", invoice_id, row)
    return {"invoice_id": invoice_id, "client": client["name"], "due": due.isoformat(), **sums}


@WORLD.tool(
    "Void an unpaid invoice. Removes it from the invoices for good.",
    parameters={"invoice_id": text("Number of the invoice.", "invoice_id")},
    outputs=(
        Output("client_id", "client_id", ("the client for whom {invoice_id} was voided",)),
        Output("written_off", "price", ("the amount that is written off with {invoice_id}",)),
    ),
    wishes=(
        "Void {invoice_id}.",
        "Please withdraw {invoice_id}, we won't collect it.",
        "{invoice_id} should never have gone out, so cancel it.",
    ),
    reads=("invoices",),
    writes=("invoices",),
)
def void_invoice(view: View, invoice_id: str) -> dict[str, Any]:
    """Remove an invoice without a trace; a paid one stays."""
    invoice = _invoice(view, invoice_id)
    if invoice["paid"] is not None:
        raise ToolError(f"{invoice_id} has been paid and can't be voided")
    view.remove("invoices", invoice_id)
    return {
        "voided": invoice_id,
        "client_id": invoice["client_id"],
        "written_off": invoice["gross"],
    }


@WORLD.tool(
    "Split a price into net, VAT and gross by the rate of a country for a kind of goods.",
    parameters={
        "amount": number("Price in EUR.", "price", exclusiveMinimum=0),
        "included": boolean(
            "Whether the price includes VAT.", "vat_included",
            says={"true": "including VAT", "false": "before VAT"},
        ),
        "country": text("Country of the sale.", "country"),
        "goods": choice("What is sold.", "goods", tuple(_GOODS)),
    },
    outputs=(
        Output("vat", "price", (
            "the VAT in {country} on {goods} for {amount} {included}",
            "the tax on {goods} sold in {country} for {amount} {included}",
        )),
        Output("gross", "price", (
            "the price with VAT of {goods} sold in {country} for {amount} {included}",
        )),
        Output("net", "price", (
            "the price without VAT of {goods} sold in {country} for {amount} {included}",
        )),
        Output("percent", "percent", (
            "the rate of VAT in {country} on {goods} (for {amount} {included})",
        )),
    ),
    wishes=(
        "How much VAT falls on {goods} for {amount} {included} in {country}?",
        "Split the price of {goods} sold in {country}, {amount} {included}, into net and tax.",
        ("We sell {goods} for {amount} {included} in {country}. What are the net price and the VAT "
        "on it?"),
    ),
)  # fmt: skip
def split_vat(
    view: View, amount: float, included: bool, country: str, goods: str
) -> dict[str, Any]:
    """Net, VAT and gross; they add up to the hundredth."""
    percent = _vat_percent(country, goods)
    given = round(amount, 2)
    net = round(given / (1 + percent / 100), 2) if included else given
    vat = round(given - net, 2) if included else round(net * percent / 100, 2)
    return {"percent": percent, "net": net, "vat": vat, "gross": round(net + vat, 2)}


@WORLD.tool(
    "Work out which part of receipts of one category can be deducted: each receipt up to a cap, "
    "and of that a percentage.",
    parameters={
        "category": choice("Kind of expense.", "deduction_category", _DEDUCTIONS),
        "receipts": array(
            "Amounts of the receipts in EUR.",
            number("One receipt.", "price", exclusiveMinimum=0),
            minItems=1, maxItems=12,
        ),
    },
    outputs=(
        Output("deductible", "price", (
            "what can be deducted as {category} for receipts of {receipts}",
            "the deductible part of {receipts} under {category}",
        )),
        Output("not_deductible", "price", (
            "what can't be deducted of receipts of {receipts} for {category}",
        )),
    ),
    wishes=(
        "What can I deduct as {category} for receipts of {receipts}?",
        "Check the {category} deduction for receipts of {receipts}.",
        "I have receipts of {receipts} under {category}; which part counts for tax?",
    ),
    reads=("deductions",),
)  # fmt: skip
def deductible_share(view: View, category: str, receipts: list[float]) -> dict[str, Any]:
    """The deductible part, by the rule of the category."""
    rule = view.get("deductions", category)
    if rule is None:
        raise ToolError(f"there is no rule for '{category}'")
    counted = math.fsum(min(receipt, rule["receipt_cap"]) for receipt in receipts)
    deductible = round(counted * rule["percent"] / 100, 2)
    return {
        "deductible": deductible,
        "not_deductible": round(math.fsum(receipts) - deductible, 2),
        "percent": rule["percent"],
        "cap_per_receipt": rule["receipt_cap"],
    }


@WORLD.tool(
    "Work out the income tax of a year in a country, after deductions and an allowance that grows "
    "with each dependant.",
    parameters={
        "country": text("Country of residence.", "country"),
        "income": number("Income of the year in EUR.", "price", **_INCOME),
        "deductions": array(
            "What is deducted from the income, in EUR.",
            number("One deduction.", "price", minimum=0),
            minItems=1, maxItems=10, optional=True,
        ),
        "dependants": integer("Number of dependants.", "count", minimum=0, maximum=12,
                              optional=True),
    },
    outputs=(
        Output("tax", "price", (
            ("the income tax in {country} on a yearly income of {income}[ with {deductions} "
             "deducted][, with {dependants} dependants]"),
            ("the yearly tax that an income of {income} makes in {country}[ after deducting "
            "{deductions}][, given {dependants} dependants]"),
        )),
        Output("after_tax", "price", (
            ("what is left after income tax of a yearly income of {income} in {country}[ with "
             "{deductions} deducted][, with {dependants} dependants]"),
        )),
        Output("effective_percent", "percent", (
            ("the share of a yearly income of {income} that goes in income tax in {country}[ "
             "with {deductions} deducted][, with {dependants} dependants]"),
        )),
    ),
    wishes=(
        ("How much income tax is due in {country} on a yearly income of {income}[, deducting "
         "{deductions}][, with {dependants} dependants]?"),
        ("Work out the income tax for {country}: income {income}[, deductions of {deductions}]"
        "[, {dependants} dependants]."),
        ("This year someone in {country} earns {income}[ and deducts {deductions}][; there are "
        "{dependants} dependants]. What tax do they pay?"),
    ),
    reads=("bands",),
)  # fmt: skip
def income_tax(
    view: View,
    country: str,
    income: float,
    deductions: list[float] | None = None,
    dependants: int = 0,
) -> dict[str, Any]:
    """Band by band."""
    rule = view.get("bands", country)
    if rule is None:
        raise ToolError(f"the tax bands of '{country}' are not known")
    allowance = rule["allowance"] + dependants * rule["per_dependant"]
    taxable = max(0.0, income - math.fsum(deductions or ()) - allowance)
    limits = [0, *rule["steps"], max(taxable, rule["steps"][-1])]
    tax = math.fsum(
        max(0.0, min(taxable, high) - low) * percent / 100
        for (low, high), percent in zip(pairwise(limits), rule["percents"], strict=True)
    )
    return {
        "tax": round(tax, 2),
        "taxable": round(taxable, 2),
        "after_tax": round(income - tax, 2),
        "effective_percent": round(100 * tax / income, 2),
    }


def _period_end(view: View, rng: random.Random) -> str:
    return rng.choice(("2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31", "2026-06-30"))


@WORLD.tool(
    "Find the last day for a filing in a country; a deadline on a weekend moves to Monday.",
    parameters={
        "country": text("Country of the filing.", "country"),
        "filing": choice("What is filed.", "filing", _FILINGS),
        "period_end": date("Last day of the period, YYYY-MM-DD.", pool=_period_end),
        "extension_months": integer("Months of extension granted.", "months", minimum=1, maximum=12,
                                    optional=True),
    },
    outputs=(
        Output("deadline", "date", (
            ("the deadline in {country} of the {filing} for the period that ends on {period_end}"
            "[, extended by {extension_months} months]"),
            ("the last day on which the {filing} for the period to {period_end} can be filed in "
            "{country}[ with {extension_months} months of extension]"),
        )),
    ),
    wishes=(
        ("What is the deadline of the {filing} for the period ending {period_end} in {country}[ "
         "with {extension_months} months of extension]?"),
        ("Look up the filing deadline in {country}: {filing}, period to {period_end}[, extension "
        "of {extension_months} months]."),
        ("Our period closes on {period_end}. By when must the {filing} be in, for {country}[, "
        "given {extension_months} extra months]?"),
    ),
    reads=("deadlines",),
)  # fmt: skip
def filing_deadline(
    view: View, country: str, filing: str, period_end: str, extension_months: int = 0
) -> dict[str, Any]:
    """A day of a later month, never a Saturday or Sunday."""
    rule = view.get("deadlines", f"{country}/{filing}")
    if rule is None:
        raise ToolError(f"no filing deadlines are known for '{country}'")
    end = datetime.date.fromisoformat(period_end)
    months = end.year * 12 + end.month - 1 + rule["months"] + extension_months
    deadline = datetime.date(months // 12, months % 12 + 1, rule["day"])
    weekday = deadline.weekday()
    deadline += datetime.timedelta(days=7 - weekday if weekday > 4 else 0)
    return {"deadline": deadline.isoformat(), "weekday": f"{deadline:%A}", "filing": filing}
