"""Insurance: policies, what they cover, premiums by rule, claims and what is paid for them."""

import datetime
import math
from random import Random
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
    choice,
    content_id,
    date,
    draw_from,
    generator,
    number,
    text,
)

# Kind of policy: lowest and highest sum insured, premium in per mille, what can be covered.
_KINDS = {
    "home": (20000, 180000, 2.1, ("fire", "water damage", "burglary", "storm")),
    "car": (6000, 60000, 18.0, ("collision", "theft", "glass breakage", "storm")),
    "travel": (1500, 12000, 22.0, ("cancellation", "illness", "lost luggage", "theft")),
    "pet": (2000, 9000, 45.0, ("surgery", "illness", "injury to others")),
    "bicycle": (600, 6000, 60.0, ("theft", "collision", "vandalism")),
}
_PERILS = tuple(sorted({peril for *_, perils in _KINDS.values() for peril in perils}))
_EXTRAS = {
    "legal aid": 0.12,
    "glass cover": 0.06,
    "new-for-old": 0.15,
    "worldwide cover": 0.2,
    "no-claims bonus": -0.1,
}
_DEDUCTIBLES = (0, 100, 250, 500)
_TODAY = TODAY.isoformat()


def _before(days: int) -> str:
    return (TODAY - datetime.timedelta(days=days)).isoformat()


def _policy(rng: Random, holder: str, city: str) -> Row:
    kind = rng.choice(tuple(_KINDS))
    low, high, rate, perils = _KINDS[kind]
    insured = rng.randrange(low, high, 100)
    starts = TODAY - datetime.timedelta(days=rng.randrange(30, 330))
    deductible = rng.choice(_DEDUCTIBLES)
    return {
        "policy_id": content_id("po", holder, kind),
        "holder": holder,
        "kind": kind,
        "city": city,
        "insured_value": insured,
        "deductible": deductible,
        "perils": sorted(rng.sample(perils, rng.randrange(2, len(perils) + 1))),
        "starts": starts.isoformat(),
        "ends": (starts + datetime.timedelta(days=365)).isoformat(),
        "annual_premium": round(insured * rate / 1000 * (1.1 - deductible / 2500), 2),
    }


def _claim(policy_id: str, peril: str, event_date: str, damage: float) -> Row:
    claim_id = content_id("cl", policy_id, peril, event_date)
    return {
        "claim_id": claim_id,
        "policy_id": policy_id,
        "peril": peril,
        "event_date": event_date,
        "damage": damage,
        "settled": False,
    }


def _tables(seed: int) -> Tables:
    rng = generator(seed, "insurance")
    policies: dict[str, Row] = {}
    holders: dict[str, Row] = {}
    claims: dict[str, Row] = {}
    for one in people(seed):
        own = [_policy(rng, one.name, one.city) for _ in range(rng.randrange(1, 4))]
        policies |= {row["policy_id"]: row for row in own}
        ids = sorted({row["policy_id"] for row in own})
        holders[one.name] = {"policy_ids": ids, "email": one.email, "phone": one.phone}
    for row in rng.sample([policies[key] for key in sorted(policies)], 90):
        peril, damage = rng.choice(row["perils"]), rng.randrange(100, 4000) + 0.5
        claim = _claim(row["policy_id"], peril, _before(rng.randrange(2, 29)), damage)
        claims[claim["claim_id"]] = claim
    risks: dict[str, Row] = {
        city.name: {"city": city.name, "factor": round(0.7 + rng.randrange(0, 13) / 20, 2)}
        for city in CITIES
    }
    named = {"policies": policies, "holders": holders, "claims": claims, "risks": risks}
    return {name: dict(sorted(rows.items())) for name, rows in named.items()}


WORLD = World(
    "insurance", "Policies, coverage, premiums, claims and payouts.", _tables, test_only=True
)

_POLICY = text("Id of the policy.", "policy_id", pool=draw_from("policies", "policy_id"))
_PERIL = choice("What happened.", "peril", _PERILS)
_CLAIM = text("Id of a claim.", "claim_id", pool=draw_from("claims", "claim_id"))


def _find_policy(view: View, policy_id: str) -> Row:
    row = view.get("policies", policy_id)
    if row is None:
        raise ToolError(f"no policy is registered under '{policy_id}'")
    return row


def _find_claim(view: View, claim_id: str) -> Row:
    row = view.get("claims", claim_id)
    if row is None:
        raise ToolError(f"claim '{claim_id}' does not exist")
    return row


def _payout(policy: Row, peril: str, damage: float) -> float:
    """What a policy pays: up to the sum insured, less the deductible."""
    if peril not in policy["perils"]:
        return 0.0
    paid: float = min(damage, policy["insured_value"]) - policy["deductible"]
    return round(max(0.0, paid), 2)


@WORLD.tool(
    "List the policies of a person, highest sum insured first, with what they cost together.",
    parameters={
        "holder": text("Full name of the policyholder.", "person"),
        "kind": choice("Only this kind.", "policy_kind", tuple(_KINDS), optional=True),
        "covers": choice("Only those that cover this.", "peril", _PERILS, optional=True),
    },
    outputs=(
        Output("policy_ids[0]", "policy_id", (
            "the[ {kind}] policy of {holder} with the highest sum insured[ that covers {covers}]",
            "whichever[ {kind}] policy insures {holder} for the most[ and covers {covers}]",
        )),
        Output("policy_ids", "list:policy_id", ("every[ {kind}] policy of {holder}",)),
        Output("total_premium", "price", (
            "the sum that {holder} pays a year for insurance[ of the kind “{kind}”]",
            "the yearly premiums of {holder} together[ (kind: {kind})]",
        )),
        Output("total_insured", "price", (
            "the sum for which {holder} is insured[ against {covers}]",
        )),
    ),
    wishes=(
        "Which[ {kind}] policies does {holder} have[ that cover {covers}]?",
        "List the[ {kind}] insurance of {holder}[, if it covers {covers}].",
        "I'd like an overview of the[ {kind}] policies held by {holder}[ with cover for {covers}].",
    ),
    reads=("holders", "policies"),
)  # fmt: skip
def find_policies(
    view: View, holder: str, kind: str | None = None, covers: str | None = None
) -> dict[str, Any]:
    """Policies of a person by sum insured, then id."""
    known = view.get("holders", holder)
    if known is None:
        raise ToolError(f"{holder} holds no policy with us")
    found = [
        row
        for row in (_find_policy(view, key) for key in known["policy_ids"])
        if kind in (None, row["kind"]) and (covers is None or covers in row["perils"])
    ]
    found.sort(key=lambda row: (-row["insured_value"], row["policy_id"]))
    shown = ("policy_id", "kind", "insured_value", "annual_premium")
    return {
        "policies": [{key: row[key] for key in shown} for row in found],
        "policy_ids": [row["policy_id"] for row in found],
        "total_premium": round(math.fsum(row["annual_premium"] for row in found), 2),
        "total_insured": sum(row["insured_value"] for row in found),
    }


@WORLD.tool(
    "Show a policy: holder and contact, city, term, perils, deductible, premium.",
    parameters={"policy_id": _POLICY},
    outputs=(
        Output("holder", "person", (
            "the holder of {policy_id}",
            "whoever holds {policy_id}",
        )),
        Output("email", "email", ("the e-mail address of the holder of {policy_id}",)),
        Output("ends", "date", (
            "the day {policy_id} ends",
            "the expiry date of {policy_id}",
        )),
        Output("deductible", "price", ("the deductible of {policy_id}",)),
        Output("insured_value", "price", ("the sum insured under {policy_id}",)),
    ),
    wishes=(
        "Show me {policy_id}.",
        "What are the terms of {policy_id}, and whose is it?",
        "Please open the file on {policy_id}.",
    ),
    reads=("holders", "policies"),
)  # fmt: skip
def show_policy(view: View, policy_id: str) -> dict[str, Any]:
    """One policy with the holder's contact data."""
    row = _find_policy(view, policy_id)
    holder = view.get("holders", row["holder"]) or {}
    return {**row, "email": holder.get("email"), "phone": holder.get("phone")}


@WORLD.tool(
    "Quote the premium for a new policy by rule: kind, value, city risk, extras, deductible.",
    parameters={
        "kind": choice("Kind of policy.", "policy_kind", tuple(_KINDS)),
        "insured_value": number("Sum to insure in EUR.", "price", exclusiveMinimum=0),
        "city": text("City of residence.", "city"),
        "extras": array(
            "Extras to add.",
            choice("One extra.", "insurance_extra", tuple(_EXTRAS)),
            minItems=1,
            maxItems=4,
            uniqueItems=True,
            optional=True,
        ),
        "deductible": number("Deductible in EUR.", "price", minimum=0, maximum=500, optional=True),
    },
    outputs=(
        Output("annual_premium", "price", (
            ("the yearly premium of a {kind} policy for {insured_value} in {city}[ with {extras}]"
             "[ at a deductible of {deductible}]"),
            ("what it costs a year to insure {insured_value} in {city} under a {kind} policy"
             "[ including {extras}][, deductible {deductible}]"),
        )),
        Output("monthly_premium", "price", (
            "the monthly rate of a {kind} policy for {insured_value} in {city}[ with {extras}]",
        )),
    ),
    wishes=(
        ("Quote a {kind} policy for {insured_value} in {city}[ with {extras}]"
         "[, deductible {deductible}]."),
        ("What would {kind} insurance cost in {city}, sum insured {insured_value}[, plus {extras}]"
         "[, at a deductible of {deductible}]?"),
        ("I live in {city} and want {kind} insurance over {insured_value}[, {extras} included]"
         "[; I'd bear {deductible} myself]. What is the premium?"),
    ),
    reads=("risks",),
)  # fmt: skip
def quote_premium(
    view: View,
    kind: str,
    insured_value: float,
    city: str,
    extras: list[str] | None = None,
    deductible: float = 0,
) -> dict[str, Any]:
    """Premium in EUR; extras add to the rate, a deductible takes off it."""
    risk = view.get("risks", city)
    if risk is None:
        raise ToolError(f"we do not insure in '{city}'")
    rate = _KINDS[kind][2] / 1000 * risk["factor"]
    loading = 1 + math.fsum(_EXTRAS[extra] for extra in extras or ()) - deductible / 2500
    annual = round(12 + insured_value * rate * loading, 2)
    monthly = round(annual * 1.03 / 12, 2)
    return {"annual_premium": annual, "monthly_premium": monthly, "risk_factor": risk["factor"]}


@WORLD.tool(
    "Check which perils a policy covers on a day; outside its term it covers none.",
    parameters={
        "policy_id": _POLICY,
        "perils": array("Perils to check.", _PERIL, minItems=1, maxItems=6, uniqueItems=True),
        "day": date("Day to check, YYYY-MM-DD."),
    },
    outputs=(
        Output("covered", "list:peril", (
            "whatever of {perils} is covered by {policy_id} on {day}",
        )),
        Output("covered_count", "count", (
            "how many of the risks {perils} are covered under {policy_id} on {day}",
        )),
        Output("covered[0]", "peril", (
            "the first of {perils} that {policy_id} covers on {day}",
            "whichever comes first among {perils} and is covered by {policy_id} on {day}",
        )),
    ),
    wishes=(
        "Does {policy_id} cover {perils} on {day}?",
        "Check {policy_id} for cover on {day} against {perils}.",
        "Suppose {perils} hit me on {day}: would {policy_id} help?",
    ),
    reads=("policies",),
)  # fmt: skip
def check_coverage(view: View, policy_id: str, perils: list[str], day: str) -> dict[str, Any]:
    """Covered and uncovered perils, in the order asked."""
    row = _find_policy(view, policy_id)
    in_term = row["starts"] <= day < row["ends"]
    covered = [peril for peril in perils if in_term and peril in row["perils"]]
    return {
        "in_term": in_term,
        "covered": covered,
        "not_covered": [peril for peril in perils if peril not in covered],
        "covered_count": len(covered),
    }


@WORLD.tool(
    "Estimate what a policy pays for damages caused by one peril, after the deductible.",
    parameters={
        "policy_id": _POLICY,
        "peril": _PERIL,
        "damages": array(
            "Damages in EUR.", number("One damage.", "price", minimum=0), minItems=1, maxItems=12
        ),
    },
    outputs=(
        Output("payout", "price", (
            "the sum that {policy_id} pays for {peril} with damages of {damages}",
            "the payout under {policy_id} if {peril} causes damages of {damages}",
        )),
        Output("own_cost", "price", (
            ("what remains to be paid out of pocket after {peril} under {policy_id}, with damages "
             "of {damages}"),
        )),
    ),
    wishes=(
        "Estimate the payout of {policy_id} for {peril}, damages {damages}.",
        "How much of {damages} would {policy_id} pay in a case of {peril}?",
        "There was {peril}, and it cost {damages}. What can we expect from {policy_id}?",
    ),
    reads=("policies",),
)  # fmt: skip
def estimate_payout(view: View, policy_id: str, peril: str, damages: list[float]) -> dict[str, Any]:
    """Payout and own cost; a peril that is not covered pays nothing."""
    row = _find_policy(view, policy_id)
    total = round(math.fsum(damages), 2)
    payout = _payout(row, peril, total)
    return {"total_damage": total, "payout": payout, "own_cost": round(total - payout, 2)}


@WORLD.tool(
    "File a claim on a policy. Adds an open claim.",
    parameters={
        "policy_id": _POLICY,
        "peril": _PERIL,
        "event_date": date(
            "Day of the event, not in the future, YYYY-MM-DD.",
            pool=lambda view, rng: _before(rng.randrange(0, 29)),
        ),
        "damage": number("Damage in EUR.", "price", exclusiveMinimum=0),
        "note": text("A note for the file.", "note", counts=False, optional=True),
    },
    outputs=(
        Output("claim_id", "claim_id", (
            "a new claim on {policy_id} for {peril} of {event_date} ({damage})",
        )),
    ),
    wishes=(
        "File a claim on {policy_id}: {peril} on {event_date}, damage {damage}.",
        ("Please report damage from {peril} on {event_date} under {policy_id}, in this amount: "
         "{damage}."),
        "On {event_date} we had {peril}; the damage is {damage}. Open a claim with {policy_id}.",
    ),
    reads=("claims", "policies"),
    writes=("claims",),
    undo=Undo("withdraw_claim", {"claim_id": "result.claim_id"}),
)  # fmt: skip
def file_claim(
    view: View, policy_id: str, peril: str, event_date: str, damage: float, note: str = ""
) -> dict[str, Any]:
    """A new claim; one event is claimed once."""
    row = _find_policy(view, policy_id)
    if peril not in row["perils"]:
        raise ToolError(f"policy {policy_id} does not cover {peril}")
    if not row["starts"] <= event_date < row["ends"]:
        raise ToolError(f"policy {policy_id} was not in force on {event_date}")
    if event_date > _TODAY:
        raise ToolError(f"{event_date} has not come yet, nothing can be claimed for it")
    claim = _claim(policy_id, peril, event_date, damage)
    if view.get("claims", claim["claim_id"]):
        raise ToolError(f"{peril} of {event_date} is already claimed as {claim['claim_id']}")
    view.put("claims", claim["claim_id"], claim)
    return {"claim_id": claim["claim_id"], "expected_payout": _payout(row, peril, damage)}


@WORLD.tool(
    "Withdraw a claim that is not settled. Removes the open claim.",
    parameters={"claim_id": _CLAIM},
    wishes=(
        "Withdraw {claim_id}.",
        "We'd rather not pursue {claim_id}; please take it back.",
        "Please cancel {claim_id} before it is settled.",
    ),
    reads=("claims",),
    writes=("claims",),
    undo=Undo(
        "file_claim",
        {
            "policy_id": "result.policy_id",
            "peril": "result.peril",
            "event_date": "result.event_date",
            "damage": "result.damage",
        },
    ),
)  # fmt: skip
def withdraw_claim(view: View, claim_id: str) -> dict[str, Any]:
    """Remove an open claim without a trace."""
    row = _find_claim(view, claim_id)
    if row["settled"]:
        raise ToolError(f"claim {claim_id} is settled and cannot be withdrawn")
    view.remove("claims", claim_id)
    told = ("policy_id", "peril", "event_date", "damage")
    return {"withdrawn": claim_id, **{key: row[key] for key in told}}


@WORLD.tool(
    "Rank the open claims of one peril, by damage or by age, and choose what a budget allows. "
    "Reads open claims.",
    parameters={
        "peril": _PERIL,
        "order": choice("What comes first.", "claim_order", ("largest", "oldest")),
        "budget": number(
            "Payouts in EUR that may not be exceeded.", "price", exclusiveMinimum=0, optional=True
        ),
    },
    outputs=(
        Output("claim_ids", "list:claim_id", (
            "the open claims for {peril}, {order} first[, as far as {budget} goes]",
            "all open {peril} claims in the order {order} first[ that fit into {budget}]",
        )),
        Output("claim_ids[0]", "claim_id", (
            "the {order} open claim for {peril}[ that {budget} can pay]",
        )),
        Output("total_payout", "price", (
            "what the open claims for {peril} will cost, {order} first[ within {budget}]",
        )),
    ),
    wishes=(
        "Rank the open {peril} claims, {order} first[, within a budget of {budget}].",
        "Which claims for {peril} are open, the {order} on top[, and fit into {budget}]?",
        ("We want to work through the open claims for {peril}, {order} first[; there is {budget} "
         "to spend]. Which are they?"),
    ),
    reads=("claims", "policies"),
)  # fmt: skip
def rank_claims(view: View, peril: str, order: str, budget: float | None = None) -> dict[str, Any]:
    """Open claims in order; one that the budget can't pay is passed over."""
    rows = [row for row in view.values("claims") if row["peril"] == peril and not row["settled"]]
    if order == "largest":
        rows.sort(key=lambda row: (-row["damage"], row["claim_id"]))
    else:
        rows.sort(key=lambda row: (row["event_date"], row["claim_id"]))
    chosen, total = [], 0.0
    for row in rows:
        payout = _payout(_find_policy(view, row["policy_id"]), peril, row["damage"])
        if budget is None or total + payout <= budget:
            chosen.append(row["claim_id"])
            total = round(total + payout, 2)
    return {"claim_ids": chosen, "open": len(rows), "total_payout": total}


@WORLD.tool(
    "Settle open claims: pay them out. Marks the claims as settled; that can't be undone.",
    parameters={
        "claim_ids": array("Claims to settle.", _CLAIM, minItems=1, maxItems=30, uniqueItems=True)
    },
    outputs=(
        Output("total_paid", "price", ("the amount paid out on settling {claim_ids}",)),
        Output("payouts", "list:price", ("the single payouts on settling {claim_ids}",)),
    ),
    wishes=(
        "Settle {claim_ids}.",
        "Please pay out {claim_ids}.",
        "Everything is in order with {claim_ids}; go ahead and settle.",
    ),
    reads=("claims", "policies"),
    writes=("claims",),
)  # fmt: skip
def settle_claims(view: View, claim_ids: list[str]) -> dict[str, Any]:
    """Payouts in the order given; nothing is paid if one claim can't be."""
    rows = [_find_claim(view, claim_id) for claim_id in claim_ids]
    for row in rows:
        if row["settled"]:
            raise ToolError(f"claim {row['claim_id']} is settled already")
    payouts = [
        _payout(_find_policy(view, row["policy_id"]), row["peril"], row["damage"]) for row in rows
    ]
    for row in rows:
        view.put("claims", row["claim_id"], {**row, "settled": True})
    return {"payouts": payouts, "total_paid": round(math.fsum(payouts), 2)}
