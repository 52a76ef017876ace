"""Banking: accounts in many currencies, transfers, exchange rates, loans, standing orders."""

import datetime
import math
import random
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.places import BY_NAME
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

_KINDS = ("current", "savings", "business")
# Units of each currency for one EUR, before the seed moves them a little.
_PER_EUR = {
    "ARS": 1180.0, "AUD": 1.66, "BRL": 6.2, "CAD": 1.56, "CHF": 0.94, "CLP": 1050.0, "COP": 4550.0,
    "CZK": 24.6, "DKK": 7.46, "EGP": 54.0, "EUR": 1.0, "GBP": 0.85, "HUF": 398.0, "JPY": 165.0,
    "KES": 141.0, "KRW": 1560.0, "MXN": 21.4, "NOK": 11.7, "NZD": 1.88, "PEN": 4.05, "PLN": 4.27,
    "SEK": 11.1, "SGD": 1.46, "THB": 37.6, "TRY": 43.0, "USD": 1.09, "VND": 27900.0, "ZAR": 19.8,
}  # fmt: skip
_SPENDING = {
    "groceries": (8, 140), "rent": (600, 1700), "transport": (2, 90), "restaurants": (12, 120),
    "utilities": (30, 210), "leisure": (5, 160), "health": (10, 240), "clothing": (15, 280),
}  # fmt: skip
_LENDERS = (
    "Alder Credit", "Bluestone Bank", "Cormorant Lending", "Dovetail Finance", "Elmgate Savings",
    "Fernhill Bank", "Granary Credit", "Harbourlight Bank", "Ironbridge Loans", "Juniper Mutual",
    "Kestrel Finance", "Lanternfield Bank", "Millrace Credit", "Northwell Bank", "Orchard Mutual",
)  # fmt: skip
_PER_YEAR = {"weekly": 52, "monthly": 12, "quarterly": 4}


def _accounts(seed: int) -> dict[str, Row]:
    rng = generator(seed, "banking")
    numbers = iter(rng.sample(range(100000, 1000000), 500))
    accounts: dict[str, Row] = {}
    for person in people(seed):
        home = BY_NAME[person.city].currency
        held = [("current", home)]
        held += [("savings", rng.choice((home, "EUR", "USD")))] if rng.random() < 0.6 else []
        held += [("business", rng.choice((home, "EUR", "GBP")))] if rng.random() < 0.3 else []
        for kind, currency in held:
            account_id = f"AC-{next(numbers)}"
            accounts[account_id] = {
                "account_id": account_id,
                "holder": person.name,
                "kind": kind,
                "currency": currency,
                "balance": round(rng.uniform(150, 9000) * _PER_EUR[currency], 2),
            }
    return accounts


def _payments(seed: int, accounts: dict[str, Row]) -> dict[str, Row]:
    """For each account its payments: day, category, amount, oldest first."""
    rng = generator(seed, "banking", "payments")
    payments: dict[str, Row] = {}
    for account_id, account in accounts.items():
        entries = []
        for _ in range(rng.randrange(16, 34)):
            day = TODAY - datetime.timedelta(days=rng.randrange(1, 200))
            category = rng.choice(tuple(_SPENDING))
            spent = rng.uniform(*_SPENDING[category]) * _PER_EUR[account["currency"]]
            entries.append([day.isoformat(), category, round(spent, 2)])
        payments[account_id] = {"entries": sorted(entries)}
    return payments


def _loans(seed: int) -> dict[str, Row]:
    rng = generator(seed, "banking", "loans")
    loans: dict[str, Row] = {}
    for lender in _LENDERS:
        for product in rng.sample(("Classic", "Flex", "Home", "Green", "Quick", "Plus"), 5):
            offer_id = content_id("ln", lender, product)
            loans[offer_id] = {
                "offer_id": offer_id,
                "lender": lender,
                "product": f"{lender} {product}",
                "rate": round(rng.randrange(290, 1190, 5) / 100, 2),
                "fee": rng.choice((0, 0, 25, 49, 90, 150)),
                "least": rng.choice((1, 20, 100, 500, 1000)),
                "most": rng.choice((2500, 10000, 25000, 75000)),
                "longest": rng.choice((24, 48, 60, 84)),
            }
    return loans


def _tables(seed: int) -> Tables:
    rng = generator(seed, "banking", "rates")
    rates = {
        code: {"currency": code, "per_eur": 1.0 if code == "EUR"
               else float(f"{rate * rng.uniform(0.96, 1.04):.5g}")}
        for code, rate in _PER_EUR.items()
    }  # fmt: skip
    accounts = _accounts(seed)
    return {
        "accounts": accounts,
        "payments": _payments(seed, accounts),
        "rates": rates,
        "loans": _loans(seed),
        "transfers": {},
        "standing_orders": {},
    }


WORLD = World("banking", "Accounts, transfers, currencies, loans and standing orders.", _tables)

_ACCOUNT = draw_from("accounts", "account_id")


def _account(view: View, account_id: str) -> Row:
    account = view.get("accounts", account_id)
    if account is None:
        raise ToolError(f"no account has the number {account_id}")
    return account


def _rate(view: View, currency: str) -> float:
    row = view.get("rates", currency)
    if row is None:
        raise ToolError(f"no exchange rate is quoted for '{currency}'")
    return float(row["per_eur"])


def _add(view: View, account: Row, amount: float) -> None:
    balance = round(account["balance"] + amount, 2)
    view.put("accounts", account["account_id"], {**account, "balance": balance})


def _months(view: View, rng: random.Random) -> int:
    return rng.choice((6, 9, 12, 18, 24, 30, 36, 48, 60))


def _loan_amount(view: View, rng: random.Random) -> int:
    return rng.randrange(600, 12000, 50)


def _monthly(amount: float, rate: float, months: int) -> float:
    """Return the level payment that pays a loan off, `rate` in percent a year."""
    month = rate / 1200
    return round(amount * month / (1 - (1 + month) ** -months), 2)


@WORLD.tool(
    "Find the accounts a person holds, the most valuable first (by balance in EUR). Reads accounts "
    "and exchange rates.",
    parameters={
        "holder": text("Full name of the account holder.", "person"),
        "kind": choice("Only accounts of this kind.", "account_kind", _KINDS, optional=True),
    },
    outputs=(
        Output("accounts[0].account_id", "account_id", (
            "the fullest[ {kind}] account held by {holder}",
            "whichever[ {kind}] account is worth most among those of {holder}",
        )),
        Output("account_ids", "list:account_id", (
            "all[ {kind}] accounts held by {holder}",
            "every[ {kind}] account in the name of {holder}",
        )),
        Output("accounts[0].balance", "amount", (
            "the balance, in its own currency, of the fullest[ {kind}] account held by {holder}",
            ("what lies on the most valuable[ {kind}] account of {holder}, in its own "
            "currency"),
        )),
        Output("accounts[0].balance_eur", "price", (
            "the EUR value of the fullest[ {kind}] account held by {holder}",
            "what the most valuable[ {kind}] account of {holder} holds, in EUR",
        )),
        Output("accounts[0].currency", "currency", (
            "the currency of the fullest[ {kind}] account held by {holder}",
            "the currency in which the most valuable[ {kind}] account of {holder} is kept",
        )),
    ),
    wishes=(
        "Which[ {kind}] accounts does {holder} have?",
        "Please look up the[ {kind}] accounts in the name of {holder}, fullest first.",
        "I need a list of[ {kind}] bank accounts held by {holder}.",
    ),
    reads=("accounts", "rates"),
)  # fmt: skip
def find_accounts(view: View, holder: str, kind: str | None = None) -> dict[str, Any]:
    """Accounts of a holder, by their worth."""
    found = [
        {
            **account,
            "balance_eur": round(account["balance"] / _rate(view, account["currency"]), 2),
        }
        for account in view.values("accounts")
        if account["holder"] == holder and kind in (None, account["kind"])
    ]
    found.sort(key=lambda account: (-account["balance_eur"], account["account_id"]))
    ids = [account["account_id"] for account in found]
    return {"accounts": found, "account_ids": ids, "count": len(found)}


@WORLD.tool(
    "Add up the balances of several accounts in one currency and name the fullest of them. Reads "
    "accounts and exchange rates.",
    parameters={
        "account_ids": array(
            "Numbers of the accounts.",
            text("Number of an account.", "account_id", pool=_ACCOUNT),
            minItems=2, maxItems=10,
        ),
        "currency": text("Currency of the total, ISO code.", "currency"),
    },
    outputs=(
        Output("total", "amount", (
            "the combined balance of {account_ids}, in {currency}",
            "the money on {account_ids} together, in {currency}",
        )),
        Output("fullest", "account_id", (
            "the one with the most money among {account_ids}, compared in {currency}",
            "whichever of {account_ids} is worth most in {currency}",
        )),
        Output("fullest_holder", "person", (
            "the holder of whichever of {account_ids} is worth most in {currency}",
            "the owner of the one with the most money, in {currency}, among {account_ids}",
        )),
    ),
    wishes=(
        "How much is on {account_ids} altogether, in {currency}?",
        "Add up {account_ids} for me and give the sum in {currency}.",
        "I would like the money on {account_ids} as one figure in {currency}.",
    ),
    reads=("accounts", "rates"),
)  # fmt: skip
def combine_balances(view: View, account_ids: list[str], currency: str) -> dict[str, Any]:
    """The sum of balances; of equally full accounts the first by number is named."""
    rate = _rate(view, currency)
    worth = {}
    for account_id in account_ids:
        account = _account(view, account_id)
        if account_id in worth:
            raise ToolError(f"{account_id} is named twice")
        worth[account_id] = account["balance"] / _rate(view, account["currency"]) * rate
    fullest = min(worth, key=lambda account_id: (-worth[account_id], account_id))
    return {
        "total": round(math.fsum(round(value, 2) for value in worth.values()), 2),
        "currency": currency,
        "fullest": fullest,
        "fullest_holder": _account(view, fullest)["holder"],
    }


@WORLD.tool(
    "Convert an amount from one currency into another at the day's rate, less the margin of the "
    "bureau if one is given.",
    parameters={
        "amount": number("Amount to convert.", "amount", exclusiveMinimum=0),
        "from_currency": text("Currency of the amount, ISO code.", "currency"),
        "to_currency": text("Currency wanted, ISO code.", "currency"),
        "margin_percent": number(
            "Share that the bureau keeps.", "percent", minimum=0, maximum=25, optional=True
        ),
    },
    outputs=(
        Output("converted", "amount", (
            ("the equivalent in {to_currency} of {amount} in {from_currency}[ after a margin of "
            "{margin_percent}]"),
            ("the {to_currency} value of {amount} in {from_currency}[, less {margin_percent} for "
            "the bureau]"),
        )),
    ),
    wishes=(
        ("Convert {amount} from {from_currency} to {to_currency}[; the bureau keeps "
        "{margin_percent}]."),
        ("For {amount} in {from_currency}, how much would I get in {to_currency}[ with a margin of "
        "{margin_percent}]?"),
        ("Please change {amount} ({from_currency}) into {to_currency}[, allowing for a margin of "
        "{margin_percent}]."),
    ),
    reads=("rates",),
)  # fmt: skip
def convert_currency(
    view: View, amount: float, from_currency: str, to_currency: str, margin_percent: float = 0
) -> dict[str, Any]:
    """The converted amount, in hundredths."""
    if from_currency == to_currency:
        raise ToolError(f"both currencies are {to_currency}, so there is nothing to convert")
    rate = _rate(view, to_currency) / _rate(view, from_currency)
    converted = round(amount * rate * (1 - margin_percent / 100), 2)
    return {"converted": converted, "currency": to_currency, "rate": round(rate, 6)}


@WORLD.tool(
    "Sum up what was paid from an account in a span of days, by category, in the currency of the "
    "account.",
    parameters={
        "account_id": text("Number of the account.", "account_id", pool=_ACCOUNT),
        "since": date("First day, YYYY-MM-DD.", "past_date"),
        "until": date("Last day, YYYY-MM-DD; today if left out.", "past_date", optional=True),
        "categories": array(
            "Only these categories.",
            choice("A category.", "spending_category", tuple(_SPENDING)),
            minItems=1, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("total", "amount", (
            ("the total of the[ {categories}] payments from {account_id} since {since}"
            "[ until {until}]"),
            "what has left {account_id}[ for {categories}] since {since}[, counting to {until}]",
        )),
        Output("largest_payment", "amount", (
            ("the largest single payment[ for {categories}] from {account_id} since {since}"
            "[ until {until}]"),
        )),
        Output("largest_day", "past_date", (
            ("the day of the largest single payment[ for {categories}] from {account_id} since "
            "{since}[ until {until}]"),
        )),
    ),
    wishes=(
        ("How much was paid from {account_id} since {since}[ until {until}][, only for "
        "{categories}]?"),
        ("Give me the spending[ on {categories}] of {account_id} starting {since}[ and ending "
        "{until}]."),
        ("I'd like to see where the money of {account_id} went[ ({categories} only)] since "
         "{since}[, up to {until}]."),
    ),
    reads=("accounts", "payments"),
)  # fmt: skip
def summarise_spending(
    view: View,
    account_id: str,
    since: str,
    until: str | None = None,
    categories: list[str] | None = None,
) -> dict[str, Any]:
    """Totals by category, the largest first; of equal payments the earliest is the largest."""
    account, last = _account(view, account_id), until or TODAY.isoformat()
    if last < since:
        raise ToolError(f"the span ends on {last}, before it begins on {since}")
    row = view.get("payments", account_id) or {"entries": []}
    entries = [
        entry
        for entry in row["entries"]
        if since <= entry[0] <= last and (categories is None or entry[1] in categories)
    ]
    sums: dict[str, float] = {}
    for _, category, amount in entries:
        sums[category] = round(sums.get(category, 0) + amount, 2)
    ranked = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    summary: dict[str, Any] = {
        "total": round(math.fsum(sums.values()), 2),
        "currency": account["currency"],
        "by_category": [{"category": name, "amount": amount} for name, amount in ranked],
        "payments": len(entries),
    }
    if entries:
        day, _, amount = min(entries, key=lambda entry: (-entry[2], entry[0]))
        summary |= {"largest_payment": amount, "largest_day": day}
    return summary


@WORLD.tool(
    "Transfer money between two accounts at once. Lowers the balance of one account and raises "
    "that of the other, at the day's rate where currencies differ.",
    parameters={
        "from_account": text("Account that pays.", "account_id", pool=_ACCOUNT),
        "to_account": text("Account that is paid.", "account_id", pool=_ACCOUNT),
        "amount": number(
            "Amount, in the currency of the paying account.", "amount", exclusiveMinimum=0
        ),
        "note": text(
            "A line for the receiver.", "text", optional=True, counts=False,
            pool=lambda view, rng: rng.choice(("as agreed", "thank you", "for the trip")),
        ),
    },
    outputs=(
        Output("transfer_id", "transfer_id", (
            "the transfer of {amount} from {from_account} to {to_account}",
            "the payment of {amount} that goes from {from_account} to {to_account}",
        )),
        Output("credited", "amount", (
            ("what arrives when {amount} is sent from {from_account} to {to_account}, in the "
            "currency of the receiving account"),
        )),
    ),
    wishes=(
        "Transfer {amount} from {from_account} to {to_account}[, with the note “{note}”].",
        "Please send {amount} to {to_account}, taken from {from_account}[ (note: “{note}”)].",
        "{to_account} should get {amount} from {from_account} right away[; write “{note}”].",
    ),
    reads=("accounts", "rates", "transfers"),
    writes=("accounts", "transfers"),
    undo=Undo("reverse_transfer", {"transfer_id": "result.transfer_id"}),
)  # fmt: skip
def transfer_money(
    view: View,
    from_account: str,
    to_account: str,
    amount: float,
    note: str = "",
) -> dict[str, Any]:
    """A transfer; sent again, it is another one."""
    payer, payee = _account(view, from_account), _account(view, to_account)
    if from_account == to_account:
        raise ToolError(f"money can't be transferred from {from_account} to itself")
    debited = round(amount, 2)
    if payer["balance"] < debited:
        raise ToolError(
            f"{from_account} holds {payer['balance']} {payer['currency']}, too little for {amount}"
        )
    rate = _rate(view, payee["currency"]) / _rate(view, payer["currency"])
    credited = round(debited * rate, 2)
    transfer_id = _free_id(view, content_id("tf", from_account, to_account, debited))
    _add(view, payer, -debited)
    _add(view, payee, credited)
    row = {"from": from_account, "to": to_account, "debited": debited, "credited": credited}
    view.put("transfers", transfer_id, row)
    return {"transfer_id": transfer_id, "credited": credited, "currency": payee["currency"]}


def _free_id(view: View, base: str) -> str:
    copy = 1
    while view.get("transfers", f"{base}.{copy}"):
        copy += 1
    return f"{base}.{copy}"


@WORLD.tool(
    "Reverse a transfer. Puts the money back, from the account that was paid to the one that paid, "
    "and removes the transfer.",
    parameters={"transfer_id": text("Id of the transfer.", "transfer_id")},
    outputs=(
        Output("returned", "amount", ("what comes back when {transfer_id} is reversed",)),
    ),
    wishes=(
        "Reverse {transfer_id}.",
        "Please call back {transfer_id}; it was a mistake.",
        "I want the money of {transfer_id} returned to where it came from.",
    ),
    reads=("accounts", "transfers"),
    writes=("accounts", "transfers"),
)  # fmt: skip
def reverse_transfer(view: View, transfer_id: str) -> dict[str, Any]:
    """Both balances as before; refused where the money has been spent."""
    row = view.get("transfers", transfer_id)
    if row is None:
        raise ToolError(f"'{transfer_id}' is not a transfer that can be reversed")
    payer, payee = _account(view, row["from"]), _account(view, row["to"])
    if payee["balance"] < row["credited"]:
        raise ToolError(f"{row['to']} no longer holds the money of {transfer_id}")
    _add(view, payer, row["debited"])
    _add(view, payee, -row["credited"])
    view.remove("transfers", transfer_id)
    return {"reversed": transfer_id, "returned": row["debited"], "currency": payer["currency"]}


@WORLD.tool(
    "Compare loan offers for an amount in EUR and a number of months, the cheapest in all first.",
    parameters={
        "amount": number(
            "Amount to borrow in EUR.", "price", minimum=1, maximum=75000, pool=_loan_amount
        ),
        "months": integer("Months of repayment.", "months", minimum=3, maximum=84, pool=_months),
        "max_monthly": number("Highest monthly payment in EUR.", "price", exclusiveMinimum=0,
                              optional=True),
    },
    outputs=(
        Output("offers[0].monthly_payment", "price", (
            ("the monthly payment of the cheapest loan of {amount} over {months} months[ with "
            "payments of at most {max_monthly}]"),
            ("what the best offer for borrowing {amount} for {months} months[ at {max_monthly} a "
            "month or less] takes each month"),
        )),
        Output("offers[0].total_cost", "price", (
            ("the cost, interest and fee, of the cheapest loan of {amount} over {months} months"
            "[ with payments of at most {max_monthly}]"),
            ("what borrowing {amount} for {months} months costs at the best offer"
            "[ of at most {max_monthly} a month]"),
        )),
    ),
    wishes=(
        "Compare loans of {amount} over {months} months[, at most {max_monthly} a month].",
        ("Where can one borrow {amount} most cheaply and pay it back within {months} months[ at no "
        "more than {max_monthly} each]?"),
        ("I am looking for a loan: {amount}, {months} months[, {max_monthly} a month at the very "
        "most]. What is on offer?"),
    ),
    reads=("loans",),
)  # fmt: skip
def compare_loans(
    view: View, amount: float, months: int, max_monthly: float | None = None
) -> dict[str, Any]:
    """Offers that lend this much for this long, by cost."""
    found = []
    for loan in view.values("loans"):
        if loan["least"] <= amount <= loan["most"] and months <= loan["longest"]:
            monthly = _monthly(amount, loan["rate"], months)
            cost = round(monthly * months - amount + loan["fee"], 2)
            if max_monthly is None or monthly <= max_monthly:
                found.append(
                    {
                        "offer_id": loan["offer_id"],
                        "product": loan["product"],
                        "monthly_payment": monthly,
                        "total_cost": cost,
                    }
                )
    found.sort(key=lambda offer: (offer["total_cost"], offer["offer_id"]))
    return {"offers": found[:10], "count": len(found)}


@WORLD.tool(
    "Set up a standing order between two accounts. Adds it to the standing orders; no money moves "
    "yet.",
    parameters={
        "from_account": text("Account that pays.", "account_id", pool=_ACCOUNT),
        "to_account": text("Account that is paid.", "account_id", pool=_ACCOUNT),
        "amount": number(
            "Amount each time, in the currency of the paying account.", "amount", exclusiveMinimum=0
        ),
        "frequency": choice("How often.", "frequency", tuple(_PER_YEAR)),
        "first_day": date("Day of the first payment, YYYY-MM-DD."),
    },
    outputs=(
        Output("order_id", "standing_order_id", (
            ("the {frequency} standing order of {amount} from {from_account} to {to_account} that "
            "starts on {first_day}"),
        )),
        Output("yearly_total", "amount", (
            ("what a {frequency} standing order of {amount} from {from_account} to {to_account}, "
            "starting {first_day}, adds up to in a year"),
        )),
    ),
    wishes=(
        ("Set up a {frequency} standing order of {amount} from {from_account} to {to_account}, "
        "starting {first_day}."),
        ("From {first_day} on, {from_account} should pay {amount} to {to_account}: make it a "
        "{frequency} standing order."),
        ("Please arrange a {frequency} payment of {amount}. It goes from {from_account} to "
        "{to_account} and begins on {first_day}."),
    ),
    reads=("accounts", "standing_orders"),
    writes=("standing_orders",),
    undo=Undo("cancel_standing_order", {"order_id": "result.order_id"}),
)  # fmt: skip
def set_up_standing_order(
    view: View, from_account: str, to_account: str, amount: float, frequency: str, first_day: str
) -> dict[str, Any]:
    """A standing order; the same one twice is refused."""
    payer, payee = _account(view, from_account), _account(view, to_account)
    if from_account == to_account:
        raise ToolError(f"{from_account} can't have a standing order to itself")
    if first_day < TODAY.isoformat():
        raise ToolError(f"a standing order can't start on {first_day}, which is over")
    order_id = content_id("so", from_account, to_account, amount, frequency, first_day)
    if view.get("standing_orders", order_id):
        raise ToolError(f"{from_account} already has this standing order: {order_id}")
    row = {"from": from_account, "to": to_account, "amount": amount, "frequency": frequency}
    view.put("standing_orders", order_id, {**row, "first_day": first_day})
    return {
        "order_id": order_id,
        "payee": payee["holder"],
        "yearly_total": round(amount * _PER_YEAR[frequency], 2),
        "currency": payer["currency"],
    }


@WORLD.tool(
    "Cancel a standing order. Removes it from the standing orders.",
    parameters={"order_id": text("Id of the standing order.", "standing_order_id")},
    wishes=(
        "Cancel {order_id}.",
        "Please stop {order_id}; nothing more should be paid.",
        "I'd like {order_id} to end before it starts.",
    ),
    reads=("standing_orders",),
    writes=("standing_orders",),
)
def cancel_standing_order(view: View, order_id: str) -> dict[str, Any]:
    """Remove a standing order without a trace."""
    row = view.get("standing_orders", order_id)
    if row is None:
        raise ToolError(f"no standing order has the id '{order_id}'")
    view.remove("standing_orders", order_id)
    return {"cancelled": order_id, "from_account": row["from"], "to_account": row["to"]}
