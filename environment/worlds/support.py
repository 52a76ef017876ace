"""Customer support: cases with deadlines, routing by skill, refunds, a knowledge base."""

import datetime
import math
import random
from typing import Any

from environment.meanings import TODAY
from environment.people import people
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    Parameter,
    ToolError,
    Undo,
    World,
    array,
    boolean,
    choice,
    content_id,
    generator,
    integer,
    number,
    text,
)

_PRODUCTS = ("router", "thermostat", "doorbell", "smart lock", "air purifier", "robot vacuum")
_PRIORITIES = {"critical": 4, "high": 8, "normal": 24, "low": 72}
_SYMPTOMS = ("offline", "noise", "battery", "pairing", "update", "leak", "billing", "delivery")
_SKILLS = {
    "offline": "networking",
    "pairing": "networking",
    "update": "firmware",
    "battery": "hardware",
    "noise": "hardware",
    "leak": "hardware",
    "billing": "accounts",
    "delivery": "accounts",
}
_LANGUAGES = ("English", "French", "German", "Spanish")
_VERBS = ("Fixing", "Understanding", "Preventing", "First aid for")
_MOST = 40
_OPENS, _CLOSES = 9 * 60, 17 * 60
_NOW = 9 * 60


def _tables(seed: int) -> Tables:
    rng = generator(seed, "support")
    everyone = [person.name for person in people(seed)]
    rng.shuffle(everyone)
    agents = [_agent(rng, name) for name in everyone[:30]]
    cases = [_case(rng, place, rng.choice(everyone[30:])) for place in range(180)]
    articles = [
        _article(rng, product, symptom, verb)
        for product in _PRODUCTS
        for symptom in _SYMPTOMS
        for verb in rng.sample(_VERBS, 2)
    ]
    return {
        "cases": {row["case_id"]: row for row in cases},
        "agents": {row["name"]: row for row in agents},
        "articles": {row["article_id"]: row for row in articles},
        "assignments": {},
        "refunds": {},
    }


def _agent(rng: random.Random, name: str) -> dict[str, Any]:
    skills = sorted(set(_SKILLS.values()))
    return {
        "name": name,
        "skills": {skill: rng.randrange(1, 6) for skill in rng.sample(skills, rng.choice((2, 3)))},
        "languages": sorted({"English", *rng.sample(_LANGUAGES, 2)}),
        "load": rng.randrange(0, 9),
        "limit": rng.randrange(10, 15),
    }


def _case(rng: random.Random, place: int, customer: str) -> dict[str, Any]:
    opened = TODAY - datetime.timedelta(days=rng.choice((0, 1, 2, 3, 3, 4, 5, 6)))
    while opened.weekday() > 4:
        opened -= datetime.timedelta(days=1)
    bought = opened - datetime.timedelta(days=rng.randrange(2, 700))
    latest = _OPENS if opened == TODAY else _CLOSES - 5
    return {
        "case_id": f"CASE-{place + 4101}",
        "customer": customer,
        "product": rng.choice(_PRODUCTS),
        "symptom": rng.choice(_SYMPTOMS),
        "priority": rng.choice(tuple(_PRIORITIES)),
        "language": rng.choice(("English", "English", *_LANGUAGES)),
        "opened": opened.isoformat(),
        "minute": rng.randrange(min(_OPENS - 60, latest), latest + 1, 5),
        "bought": bought.isoformat(),
        "paid": rng.randrange(39, 420) + rng.choice((0, 0.5, 0.9)),
    }


def _article(rng: random.Random, product: str, symptom: str, verb: str) -> dict[str, Any]:
    others = [other for other in _SYMPTOMS if other != symptom]
    title = f"{verb} {symptom} trouble with your {product}"
    return {
        "article_id": content_id("kb", title),
        "title": title,
        "product": product,
        "symptoms": [symptom, *sorted(rng.sample(others, 2))],
        "minutes": rng.randrange(5, 60, 5),
        "solved": rng.randrange(20, 97),
    }


WORLD = World("support", "Customer support: cases, agents, refunds, help articles.", _tables)


def _case_id(description: str) -> Parameter:
    return text(description, "case_id")


def _known_case(view: View, case_id: str) -> Row:
    case = view.get("cases", case_id)
    if case is None:
        raise ToolError(f"no support case is numbered '{case_id}'")
    return case


def _deadline(case: Row, business_hours: bool) -> tuple[datetime.date, int]:
    """Day and minute by which a case has to be answered."""
    hours = _PRIORITIES[case["priority"]]
    day = datetime.date.fromisoformat(case["opened"])
    if not business_hours:
        days, minute = divmod(case["minute"] + hours * 60, 24 * 60)
        return day + datetime.timedelta(days=days), minute
    left, minute = hours * 60, max(case["minute"], _OPENS)
    while left > _CLOSES - minute:
        left -= _CLOSES - minute
        day += datetime.timedelta(days=3 if day.weekday() == 4 else 1)
        minute = _OPENS
    return day, minute + left


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _owners(view: View) -> dict[str, str]:
    """Who has which case."""
    rows = view.values("assignments")
    return {case_id: row["agent"] for row in rows for case_id in row["cases"]}


@WORLD.tool(
    "Search open support cases of a product: by symptom, priority, language, and whether somebody "
    "has been assigned. Reads assignments.",
    parameters={
        "product": choice("The product.", "supported_product", _PRODUCTS),
        "order": choice(
            "Which case comes first.", "case_order", ("opened", "paid"),
            says={'"opened"': "oldest", '"paid"': "most expensive"},
        ),
        "symptoms": array(
            "Only cases with one of these symptoms.", choice("A symptom.", "symptom", _SYMPTOMS),
            minItems=1, maxItems=4, uniqueItems=True, optional=True,
        ),
        "priority": choice("Only this priority.", "priority", tuple(_PRIORITIES), optional=True),
        "unassigned": boolean(
            "Only cases nobody is assigned to.", "flag", optional=True,
            says={"true": "nobody's yet", "false": "taken or not"},
        ),
    },
    outputs=(
        Output("cases[0].case_id", "case_id", (
            ("the {order} open {product} case[ of {priority} priority][ about {symptoms}]"
             "[ ({unassigned})]"),
            ("the {order} of our cases with the {product}[, {priority} priority]"
             "[, symptom {symptoms}][, {unassigned}]"),
        )),
        Output("cases[0].customer", "person", (
            ("the customer of the {order} open {product} case[ of {priority} priority]"
             "[ about {symptoms}][ ({unassigned})]"),
            ("whoever opened the {order} of our cases with the {product}[, {priority} priority]"
             "[, symptom {symptoms}][, {unassigned}]"),
        )),
        Output("case_ids", "list:case_id", (
            ("all open {product} cases[ of {priority} priority][ about {symptoms}]"
             "[ ({unassigned})], {order} first"),
            ("every case with the {product}[, {priority} priority][, symptom {symptoms}]"
             "[, {unassigned}], the {order} on top"),
        )),
        Output("count", "count", (
            ("the number of open {product} cases[ of {priority} priority][ about {symptoms}]"
             "[ ({unassigned})], {order} first"),
            ("how many cases with the {product} there are[, {priority} priority]"
             "[, symptom {symptoms}][, {unassigned}], listed {order} first"),
        )),
    ),
    wishes=(
        ("Which {product} cases are open[ with {priority} priority][ about {symptoms}]"
         "[ ({unassigned})]? The {order} first."),
        ("List the open cases for the {product}[, priority {priority}][, symptoms {symptoms}]"
         "[, {unassigned}], {order} on top."),
        ("Let me see what customers report about the {product}[, {priority} priority only]"
         "[, to do with {symptoms}][, {unassigned}]; begin with the {order} case."),
    ),
    reads=("cases", "assignments"),
)  # fmt: skip
def search_cases(
    view: View,
    product: str,
    order: str,
    symptoms: list[str] | None = None,
    priority: str | None = None,
    unassigned: bool = False,
) -> dict[str, Any]:
    """Cases, ties by number."""
    taken = _owners(view)
    found = [
        case
        for case in view.values("cases")
        if case["product"] == product
        and (symptoms is None or case["symptom"] in symptoms)
        and priority in (None, case["priority"])
        and not (unassigned and case["case_id"] in taken)
    ]
    if order == "paid":
        found.sort(key=lambda case: (-case["paid"], case["case_id"]))
    else:
        found.sort(key=lambda case: (case["opened"], case["minute"], case["case_id"]))
    shown = ("case_id", "customer", "symptom", "priority", "opened", "paid")
    return {
        "cases": [{key: case[key] for key in shown} for case in found[:10]],
        "case_ids": [case["case_id"] for case in found[:_MOST]],
        "count": len(found),
    }


@WORLD.tool(
    "Rank cases by the deadline for an answer: 4, 8, 24 or 72 hours after opening by priority, by "
    "the clock or in business hours (Monday to Friday, 9 to 17).",
    parameters={
        "case_ids": array(
            "Numbers of the cases.", _case_id("Number of a case."), minItems=2, maxItems=_MOST,
            uniqueItems=True,
        ),
        "business_hours": boolean(
            "Whether only business hours count.", "flag",
            says={"true": "in business hours", "false": "round the clock"},
        ),
    },
    outputs=(
        Output("deadlines[0].case_id", "case_id", (
            "the one with the earliest deadline, counted {business_hours}, out of {case_ids}",
            "whichever of {case_ids} has to be answered first ({business_hours})",
        )),
        Output("deadlines[0].day", "date", (
            "the day of the earliest deadline, counted {business_hours}, among {case_ids}",
            "the day by which the first of {case_ids} must be answered ({business_hours})",
        )),
        Output("deadlines[0].time", "time", (
            "the time of day of the earliest deadline, counted {business_hours}, among {case_ids}",
            "the hour at which the first deadline of {case_ids} runs out ({business_hours})",
        )),
        Output("overdue", "count", (
            "the number of overdue deadlines, counted {business_hours}, among {case_ids}",
            "how many deadlines of {case_ids} have been missed ({business_hours})",
        )),
    ),
    wishes=(
        "When are {case_ids} due, counted {business_hours}?",
        "Rank {case_ids} by deadline, {business_hours}.",
        "Which of {case_ids} should we answer first if time is counted {business_hours}?",
    ),
    reads=("cases",),
)  # fmt: skip
def rank_deadlines(view: View, case_ids: list[str], business_hours: bool) -> dict[str, Any]:
    """Deadlines, the earliest first, ties by number."""
    ranked = []
    for case_id in case_ids:
        day, minute = _deadline(_known_case(view, case_id), business_hours)
        ranked.append((day, minute, case_id))
    ranked.sort()
    return {
        "deadlines": [
            {"case_id": case_id, "day": day.isoformat(), "time": _clock(minute)}
            for day, minute, case_id in ranked
        ],
        "overdue": sum((day, minute) < (TODAY, _NOW) for day, minute, _ in ranked),
    }


@WORLD.tool(
    "Find the agent who suits a case best: the skill that its symptom needs at a least level, the "
    "language of the customer, room for another case; the most skilled first, then the least busy. "
    "Reads assignments.",
    parameters={
        "case_id": _case_id("Number of the case."),
        "min_level": integer("Least level of the skill.", "skill_level", minimum=1, maximum=5),
        "any_language": boolean(
            "Whether the language may be ignored.", "flag", optional=True,
            says={"true": "whatever the language", "false": "in the customer's language"},
        ),
    },
    outputs=(
        Output("agents[0].name", "person", (
            "the best agent of skill level {min_level} or more for {case_id}[, {any_language}]",
            ("whoever suits {case_id} best with a skill level of at least {min_level}"
             "[ ({any_language})]"),
        )),
        Output("names", "list:person", (
            "all agents of skill level {min_level} or more for {case_id}[, {any_language}]",
            ("everybody who could take {case_id} with a skill level of at least {min_level}"
             "[ ({any_language})]"),
        )),
        Output("count", "count", (
            ("the number of agents of skill level {min_level} or more for {case_id}"
             "[, {any_language}]"),
            ("how many agents could take {case_id} with a skill level of at least {min_level}"
             "[ ({any_language})]"),
        )),
    ),
    wishes=(
        "Who should handle {case_id}, at skill level {min_level} or above[, {any_language}]?",
        "Find an agent for {case_id} with at least level {min_level}[, {any_language}].",
        ("We need someone good for {case_id}, level {min_level} at the very least[ and "
         "{any_language}]; who is there?"),
    ),
    reads=("cases", "agents", "assignments"),
)  # fmt: skip
def match_agents(
    view: View, case_id: str, min_level: int, any_language: bool = False
) -> dict[str, Any]:
    """Agents by skill, then load, then name."""
    case = _known_case(view, case_id)
    skill = _SKILLS[case["symptom"]]
    more = list(_owners(view).values())
    found = []
    for agent in view.values("agents"):
        level, load = agent["skills"].get(skill, 0), agent["load"] + more.count(agent["name"])
        speaks = any_language or case["language"] in agent["languages"]
        if level >= min_level and load < agent["limit"] and speaks:
            found.append({"name": agent["name"], "level": level, "load": load})
    found.sort(key=lambda one: (-one["level"], one["load"], one["name"]))
    names = [one["name"] for one in found]
    return {"skill": skill, "agents": found, "names": names, "count": len(found)}


@WORLD.tool(
    "Assign cases to an agent, all or none. Adds an assignment; refused for a case that somebody "
    "has, and beyond the number of cases that the agent can hold.",
    parameters={
        "case_ids": array(
            "Numbers of the cases.", _case_id("Number of a case."), minItems=1, maxItems=_MOST,
            uniqueItems=True,
        ),
        "agent": text("Full name of the agent.", "person",
                      pool=lambda view, rng: rng.choice(view.values("agents"))["name"]),
    },
    outputs=(
        Output("assignment_id", "assignment_id", (
            "the assignment of {case_ids} to {agent}",
            "the order by which {agent} takes over {case_ids}",
        )),
        Output("load", "count", (
            "the number of cases that {agent} has once {case_ids} are added",
            "how many cases {agent} carries after taking {case_ids}",
        )),
    ),
    wishes=(
        "Assign {case_ids} to {agent}.",
        "Please hand {case_ids} over to {agent}.",
        "{agent} will take care of {case_ids}; enter that in the system.",
    ),
    reads=("cases", "agents", "assignments"),
    writes=("assignments",),
    undo=Undo("unassign_cases", {"assignment_id": "result.assignment_id"}),
)  # fmt: skip
def assign_cases(view: View, case_ids: list[str], agent: str) -> dict[str, Any]:
    """An assignment of one or more cases."""
    row = view.get("agents", agent)
    if row is None:
        raise ToolError(f"'{agent}' does not work in support")
    owners = _owners(view)
    for case_id in case_ids:
        _known_case(view, case_id)
        if case_id in owners:
            raise ToolError(f"{case_id} is assigned to {owners[case_id]} already")
    load = int(row["load"]) + list(owners.values()).count(agent) + len(case_ids)
    if load > row["limit"]:
        raise ToolError(f"{agent} can't hold {load} cases, only {row['limit']}")
    assignment_id = content_id("as", sorted(case_ids), agent)
    view.put("assignments", assignment_id, {"cases": sorted(case_ids), "agent": agent})
    return {"assignment_id": assignment_id, "agent": agent, "load": load}


@WORLD.tool(
    "Withdraw an assignment of cases. Removes it, so that its cases are nobody's again.",
    parameters={"assignment_id": text("Id of the assignment.", "assignment_id")},
    wishes=(
        "Withdraw {assignment_id}.",
        "Please free up {assignment_id}; somebody else will do it.",
        "Revoke {assignment_id} for now.",
    ),
    reads=("assignments",),
    writes=("assignments",),
)
def unassign_cases(view: View, assignment_id: str) -> dict[str, Any]:
    """Take an assignment back without a trace."""
    row = view.get("assignments", assignment_id)
    if row is None:
        raise ToolError(f"{assignment_id} is not an assignment in force")
    view.remove("assignments", assignment_id)
    return {"withdrawn": assignment_id, "agent": row["agent"], "cases": row["cases"]}


def _share(case: Row, reason: str) -> int:
    """Percent of the price that is paid back, by reason and days since the purchase."""
    opened = datetime.date.fromisoformat(case["opened"])
    age = (opened - datetime.date.fromisoformat(case["bought"])).days
    if reason == "defect":
        return 100 if age <= 180 else 60 if age <= 365 else 25
    if reason == "late delivery":
        return 20 if age <= 60 else 10
    return 100 if age <= 30 else 50 if age <= 90 else 5


_REASONS = ("defect", "change of mind", "late delivery")


@WORLD.tool(
    "Work out by the rules what a customer is paid back in a case: a share of the price that "
    "depends on the reason and on days since the purchase, less what was refunded. Pays nothing; "
    "reads refunds.",
    parameters={
        "case_id": _case_id("Number of the case."),
        "reason": choice("Reason of the refund.", "refund_reason", _REASONS),
    },
    outputs=(
        Output("amount", "price", (
            "the refund due in {case_id} for {reason}",
            "what the rules for {reason} let us pay back in {case_id}",
        )),
        Output("share", "percent", (
            "the share of the price that {reason} gives back in {case_id}",
            "the percentage due in {case_id} on grounds of {reason}",
        )),
        Output("paid", "price", (
            "the price paid for the product in {case_id}, claimed back for {reason}",
            "what the customer of {case_id}, who claims {reason}, once paid",
        )),
    ),
    wishes=(
        "How much is due back in {case_id} for {reason}?",
        "Quote the refund for {case_id}, reason: {reason}.",
        ("The customer of {case_id} asks for money back on grounds of {reason}; what do our rules "
         "say?"),
    ),
    reads=("cases", "refunds"),
)  # fmt: skip
def quote_refund(view: View, case_id: str, reason: str) -> dict[str, Any]:
    """Amount in EUR, never below zero."""
    case = _known_case(view, case_id)
    share = _share(case, reason)
    amount = round(max(case["paid"] * share / 100 - _refunded(view, case_id), 0), 2)
    return {"case_id": case_id, "paid": case["paid"], "share": share, "amount": amount}


def _refunded(view: View, case_id: str) -> float:
    return math.fsum(row["amount"] for row in view.values("refunds") if row["case_id"] == case_id)


@WORLD.tool(
    "Pay a customer back in a case. Adds a refund; money that is paid can't be recalled, and never "
    "more is paid than the product cost.",
    parameters={
        "case_id": _case_id("Number of the case."),
        "amount": number(
            "Amount in EUR.", "price", minimum=0.5, maximum=1000,
            pool=lambda view, rng: rng.randrange(5, 40, 5),
        ),
    },
    outputs=(
        Output("refund_id", "refund_id", (
            "the refund of {amount} in {case_id}",
            "the payment by which {amount} goes back to the customer of {case_id}",
        )),
        Output("customer", "person", (
            "the customer who gets {amount} back in {case_id}",
            "whoever is paid {amount} for {case_id}",
        )),
        Output("kept", "price", (
            "the part of the price we keep after paying {amount} back in {case_id}",
            "what remains of the sale in {case_id} once {amount} is refunded",
        )),
    ),
    wishes=(
        "Refund {amount} in {case_id}.",
        "Please pay the customer of {case_id} back: {amount}.",
        "To settle {case_id}, we give back {amount}; go ahead with the payment.",
    ),
    reads=("cases", "refunds"),
    writes=("refunds",),
)  # fmt: skip
def issue_refund(view: View, case_id: str, amount: float) -> dict[str, Any]:
    """A payment; the same again is another payment."""
    case = _known_case(view, case_id)
    before = _refunded(view, case_id)
    if before + amount > case["paid"] + 0.001:
        left = round(case["paid"] - before, 2)
        raise ToolError(
            f"{amount:.2f} EUR is too much for {case_id}: {left:.2f} EUR can be refunded"
        )
    base = content_id("rf", case_id, amount)
    copies = sum(key.startswith(base) for key, _ in view.rows("refunds"))
    refund_id = f"{base}.{copies + 1}"
    view.put("refunds", refund_id, {"case_id": case_id, "amount": amount})
    kept = round(case["paid"] - before - amount, 2)
    return {"refund_id": refund_id, "customer": case["customer"], "kept": kept}


@WORLD.tool(
    "Suggest help articles for a case: those on its product, the best match of symptoms first, "
    "then those that solved most; if wanted only quick ones.",
    parameters={
        "case_id": _case_id("Number of the case."),
        "also": array(
            "Further symptoms that the customer has told.",
            choice("A symptom.", "symptom", _SYMPTOMS), minItems=1, maxItems=3, uniqueItems=True,
            optional=True,
        ),
        "max_minutes": integer(
            "Longest time that the steps may take.", "duration_min", minimum=5, maximum=120,
            optional=True, pool=lambda view, rng: rng.randrange(20, 60, 10),
        ),
    },
    outputs=(
        Output("articles[0].title", "text", (
            ("the title of the best help article for {case_id}[, given {also} as well]"
             "[, done in {max_minutes} or less]"),
            ("the headline of the article that helps most with {case_id}[ plus {also}]"
             "[ within {max_minutes}]"),
        )),
        Output("articles[0].minutes", "duration_min", (
            ("the time that the best help article for {case_id} takes[, given {also} as well]"
             "[, if {max_minutes} is the limit]"),
            ("how long the steps of the most helpful article on {case_id}[ plus {also}] last"
             "[ (limit: {max_minutes})]"),
        )),
        Output("articles[0].solved", "percent", (
            ("the success rate of the best help article for {case_id}[, given {also} as well]"
             "[, done in {max_minutes} or less]"),
            ("how often in percent the most helpful article on {case_id}[ plus {also}] works"
             "[ within {max_minutes}]"),
        )),
    ),
    wishes=(
        ("What help article fits {case_id}[, which also has to do with {also}]"
         "[, done in {max_minutes} at most]?"),
        "Suggest articles for {case_id}[, symptoms {also} included][, nothing over {max_minutes}].",
        ("Is there something in the knowledge base for the customer of {case_id}[, who complains "
         "about {also} too][, one that takes only {max_minutes}]?"),
    ),
    reads=("cases", "articles"),
)  # fmt: skip
def suggest_articles(
    view: View, case_id: str, also: list[str] | None = None, max_minutes: int = 120
) -> dict[str, Any]:
    """The five best, ties by id."""
    case = _known_case(view, case_id)
    wanted = {case["symptom"], *(also or ())}
    found = [
        {**article, "matches": len(wanted.intersection(article["symptoms"]))}
        for article in view.values("articles")
        if article["product"] == case["product"]
        and article["minutes"] <= max_minutes
        and not wanted.isdisjoint(article["symptoms"])
    ]
    found.sort(key=lambda one: (-one["matches"], -one["solved"], one["article_id"]))
    shown = ("article_id", "title", "minutes", "solved", "matches")
    return {
        "articles": [{key: one[key] for key in shown} for one in found[:5]],
        "count": len(found),
    }
