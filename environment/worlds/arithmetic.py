"""Arithmetic: adding, averaging, comparing and choosing amounts; a notebook that keeps numbers."""

import math
from random import Random
from typing import Any

from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    choice,
    draw_from,
    generator,
    integer,
    number,
    text,
)

_THINGS = (
    "rent",
    "heating",
    "paint",
    "catering",
    "printing",
    "fuel",
    "flowers",
    "insurance",
    "parking",
    "software",
    "repairs",
    "postage",
)
_OCCASIONS = ("spring fair", "summer camp", "workshop", "open day", "cottage", "club", "jubilee")
_UNITS_PER_KM = {
    "metres": 1000.0,
    "miles": 0.621371,
    "nautical miles": 0.539957,
    "yards": 1093.613298,
    "feet": 3280.839895,
}
_UNITS_PER_MINUTE = {
    "seconds": 60.0,
    "hours": 1 / 60,
    "days": 1 / 1440,
    "working days of 8 hours": 1 / 480,
}
_PERIODS = {"yearly": 1, "quarterly": 4, "monthly": 12}


def _tables(seed: int) -> Tables:
    rng = generator(seed, "arithmetic")
    labels = [f"{thing} for the {occasion}" for occasion in _OCCASIONS for thing in _THINGS]
    notebook: dict[str, Row] = {
        label: {"label": label, "amount": rng.randrange(8, 1800) / 2}
        for label in sorted(rng.sample(labels, 64))
    }
    return {"notebook": notebook}


WORLD = World("arithmetic", "Sums, means, choices and changes of amounts; a notebook.", _tables)


def _amounts(description: str, least: int = 2, *, optional: bool = False) -> Any:
    item = number("One amount.", "amount")
    return array(description, item, minItems=least, maxItems=16, optional=optional)


def _free_label(view: View, rng: Random) -> str:
    return (
        f"{rng.choice(('budget', 'estimate', 'quote', 'limit'))} for the {rng.choice(_OCCASIONS)}"
    )


@WORLD.tool(
    "Add amounts up, and take others off the sum.",
    parameters={
        "amounts": _amounts("What to add."),
        "deduct": _amounts("What to take off.", 1, optional=True),
    },
    outputs=(
        Output("total", "amount", (
            "the sum of {amounts}[, less {deduct}]",
            "the total of {amounts}[ minus {deduct}]",
        )),
    ),
    wishes=(
        "Add up {amounts}[ and take off {deduct}].",
        "What do {amounts} come to[ with {deduct} deducted]?",
        "Could you total {amounts} for me[ and subtract {deduct} from that]?",
    ),
)  # fmt: skip
def sum_amounts(
    view: View, amounts: list[float], deduct: list[float] | None = None
) -> dict[str, Any]:
    """The sum, to six digits whatever the order."""
    total = math.fsum([*amounts, *(-amount for amount in deduct or ())])
    return {"total": round(total, 6), "terms": len(amounts) + len(deduct or ())}


@WORLD.tool(
    "Mean of amounts, the first ones weighted; an amount without a weight counts once.",
    parameters={
        "amounts": _amounts("What to average."),
        "weights": array(
            "Weights of the amounts, in the same order.",
            number("One weight.", "weight_factor", minimum=0),
            minItems=1,
            maxItems=16,
            pool=lambda view, rng: rng.sample(range(1, 7), 2),
            optional=True,
        ),
    },
    outputs=(
        Output("mean", "amount", (
            "the average of {amounts}[, weighted {weights} in that order]",
            "the mean of {amounts}[ with weights {weights} in that order]",
        )),
    ),
    wishes=(
        "Average {amounts}[; the weights are {weights}, in that order].",
        "What is the mean of {amounts}[, weighting them {weights} in turn]?",
        ("I'd like to know how much {amounts} are on average[ if they weigh {weights} in that "
         "order]."),
    ),
)  # fmt: skip
def average_amounts(
    view: View, amounts: list[float], weights: list[float] | None = None
) -> dict[str, Any]:
    """The weighted mean; weights beyond the amounts are refused."""
    given = weights or []
    if len(given) > len(amounts):
        raise ToolError(f"{len(given)} weights were given for {len(amounts)} amounts")
    full = [*given, *[1.0] * (len(amounts) - len(given))]
    weight = math.fsum(full)
    if weight == 0:
        raise ToolError("the weights add up to 0")
    mean = math.fsum(a * w for a, w in zip(amounts, full, strict=True)) / weight
    return {"mean": round(mean, 6), "weight": round(weight, 6)}


@WORLD.tool(
    "Choose the smallest, the largest or the middle one of several amounts, and name it by its "
    "label (of equal ones the first; of an even number the lower middle).",
    parameters={
        "amounts": _amounts("What to choose from."),
        "which": choice("Which one.", "amount_rank", ("smallest", "largest", "middle")),
        "labels": array(
            "Names of the amounts, in the same order.",
            text("One name.", "label"),
            minItems=2,
            maxItems=16,
            pool=lambda view, rng: rng.sample(("A", "B", "red", "blue", "north", "south"), 2),
            optional=True,
        ),
    },
    outputs=(
        Output("amount", "amount", (
            "the {which} of {amounts}",
            "the {which} among {amounts}",
        )),
        Output("label", "label", ("the name of the {which} of {amounts}[ (called {labels})]",)),
        Output("place", "count", ("the place of the {which} one in the row {amounts}",)),
    ),
    wishes=(
        "Which is the {which} of {amounts}[, called {labels} in that order]?",
        "Pick the {which} out of {amounts}[ (their names in order: {labels})].",
        "Between {amounts}[ – call them {labels} in that order –] tell me the {which} one, please.",
    ),
)  # fmt: skip
def pick_amount(
    view: View, amounts: list[float], which: str, labels: list[str] | None = None
) -> dict[str, Any]:
    """One of the amounts, its place from 1 and its label."""
    names = labels or []
    if len(names) > len(amounts):
        raise ToolError(f"there are {len(names)} labels but only {len(amounts)} amounts")
    order = sorted(range(len(amounts)), key=lambda i: (amounts[i], i))
    at = order[(len(order) - 1) // 2] if which == "middle" else order[0]
    if which == "largest":
        at = max(range(len(amounts)), key=lambda i: (amounts[i], -i))
    label = names[at] if at < len(names) else f"item {at + 1}"
    return {"amount": amounts[at], "label": label, "place": at + 1}


@WORLD.tool(
    "Compare two amounts: difference, ratio, change in percent.",
    parameters={
        "before": number("The amount that the other is compared with.", "amount"),
        "after": number("The amount that is compared.", "amount"),
    },
    outputs=(
        Output("change_percent", "percent", (
            "the percentage change from {before} to {after}",
            "by how many percent {after} differs from {before}",
        )),
        Output("difference", "amount", (
            "the amount that changes when {before} becomes {after}",
            "the difference from {before} to {after}",
        )),
        Output("ratio", "ratio", ("the ratio of {after} to {before}",)),
    ),
    wishes=(
        "Compare {after} with {before}.",
        "How does {after} relate to {before}, in absolute terms and in percent?",
        "Please work out the change from {before} to {after}.",
    ),
)  # fmt: skip
def compare_amounts(view: View, before: float, after: float) -> dict[str, Any]:
    """Difference, ratio and percentage; nothing relates to 0."""
    if before == 0:
        raise ToolError(f"{after:g} cannot be compared with 0")
    return {
        "difference": round(after - before, 6),
        "ratio": round(after / before, 6),
        "change_percent": round(100 * (after - before) / abs(before), 4),
    }


@WORLD.tool(
    "What a sum of money grows to at compound interest.",
    parameters={
        "principal": number("Sum at the start.", "amount"),
        "annual_percent": number("Interest in percent a year.", "percent", maximum=100),
        "years": integer("Whole years.", "count", minimum=1, maximum=40),
        "compounding": choice(
            "How often interest is added; yearly if left out.",
            "interest_period",
            tuple(_PERIODS),
            optional=True,
        ),
    },
    outputs=(
        Output("balance", "amount", (
            ("the sum to which {principal} grows in {years} years at {annual_percent} a year"
             "[, compounded {compounding}]"),
            ("the final balance when {principal} earns {annual_percent} a year for {years} "
             "years[ with {compounding} compounding]"),
        )),
        Output("interest", "amount", (
            ("the interest that {principal} earns in {years} years at {annual_percent} a "
             "year[, compounded {compounding}]"),
        )),
    ),
    wishes=(
        "Compound {principal} at {annual_percent} a year over {years} years[, {compounding}].",
        ("If {principal} lies at {annual_percent} a year, what is there after {years} years"
         "[ with interest added {compounding}]?"),
        ("Please calculate compound interest: start {principal}, rate {annual_percent} a "
         "year, term {years} years[, compounding {compounding}]."),
    ),
)  # fmt: skip
def compound_interest(
    view: View, principal: float, annual_percent: float, years: int, compounding: str = "yearly"
) -> dict[str, Any]:
    """Balance and interest, to the cent."""
    if principal <= 0:
        raise ToolError(f"a principal of {principal:g} earns no interest")
    if annual_percent <= -100:
        raise ToolError(f"a rate of {annual_percent:g}% leaves nothing to compound")
    times = _PERIODS[compounding]
    balance = round(principal * (1 + annual_percent / 100 / times) ** (times * years), 2)
    return {"balance": balance, "interest": round(balance - principal, 2)}


@WORLD.tool(
    "Convert a distance given in kilometres.",
    parameters={
        "kilometres": number("The distance in km.", "distance_km", minimum=0),
        "unit": choice("Unit to convert to.", "length_unit", tuple(_UNITS_PER_KM)),
    },
    outputs=(
        Output("value", "amount", (
            "{kilometres} in {unit}",
            "the number of {unit} that equals {kilometres}",
        )),
    ),
    wishes=(
        "Convert {kilometres} to {unit}.",
        "How many {unit} does {kilometres} make?",
        "I think in {unit}; please express {kilometres} that way.",
    ),
)  # fmt: skip
def convert_distance(view: View, kilometres: float, unit: str) -> dict[str, Any]:
    """The distance in another unit."""
    return {"value": round(kilometres * _UNITS_PER_KM[unit], 4), "unit": unit}


@WORLD.tool(
    "Convert a duration given in minutes, also as hours and minutes.",
    parameters={
        "minutes": number("The duration in minutes.", "duration_min", minimum=0),
        "unit": choice("Unit to convert to.", "time_unit", tuple(_UNITS_PER_MINUTE)),
    },
    outputs=(
        Output("value", "amount", (
            "{minutes} in {unit}",
            "the number of {unit} that {minutes} make",
        )),
    ),
    wishes=(
        "Convert {minutes} to {unit}.",
        "How many {unit} is {minutes}?",
        "Would you turn {minutes} into {unit} for me?",
    ),
)  # fmt: skip
def convert_duration(view: View, minutes: float, unit: str) -> dict[str, Any]:
    """The duration in another unit, and in words."""
    hours, rest = divmod(round(minutes), 60)
    value = round(minutes * _UNITS_PER_MINUTE[unit], 4)
    return {"value": value, "unit": unit, "clock": f"{hours} h {rest} min"}


@WORLD.tool(
    "Round an amount to the nearest, next or last multiple of a step.",
    parameters={
        "amount": number("What to round.", "amount"),
        "step": number(
            "Multiple to round to.",
            "rounding_step",
            exclusiveMinimum=0,
            pool=lambda view, rng: rng.choice((0.05, 0.5, 5, 10, 25, 50)),
        ),
        "direction": choice(
            "Where to round.",
            "rounding",
            ("nearest", "up", "down"),
            says={
                '"nearest"': "to the nearest multiple",
                '"up"': "upwards",
                '"down"': "downwards",
            },
        ),
    },
    outputs=(
        Output("rounded", "amount", (
            "{amount}, rounded {direction} in steps of {step}",
            "{amount} after rounding {direction} in steps of {step}",
        )),
    ),
    wishes=(
        "Round {amount} {direction} in steps of {step}.",
        "I only need {amount} in steps of {step}, rounded {direction}.",
        "Please take {amount} and round it {direction}, in steps of {step}.",
    ),
)  # fmt: skip
def round_amount(view: View, amount: float, step: float, direction: str) -> dict[str, Any]:
    """The amount as a multiple of the step; halves go up."""
    steps = round(amount / step, 9)
    whole = {"nearest": math.floor(steps + 0.5), "up": math.ceil(steps)}.get(direction)
    rounded = round((math.floor(steps) if whole is None else whole) * step, 6)
    return {"rounded": rounded, "off_by": round(rounded - amount, 6)}


@WORLD.tool(
    "Read an amount from the notebook by its label.",
    parameters={
        "label": text("Label of the note.", "note_label", pool=draw_from("notebook", "label"))
    },
    outputs=(
        Output("amount", "amount", (
            "what the notebook says under “{label}”",
            "the amount noted under “{label}”",
        )),
    ),
    wishes=(
        "Look up “{label}” in the notebook.",
        "What did I write down under “{label}”?",
        "Would you check the notebook for the figure under “{label}”?",
    ),
    reads=("notebook",),
)  # fmt: skip
def recall_number(view: View, label: str) -> dict[str, Any]:
    """A kept amount."""
    note = view.get("notebook", label)
    if note is None:
        raise ToolError(f"nothing is noted under '{label}'")
    return dict(note)


@WORLD.tool(
    "Write an amount into the notebook under a new label. Adds a note.",
    parameters={
        "label": text("Label of the note.", "new_label", minLength=1, pool=_free_label),
        "amount": number("What to keep.", "amount"),
    },
    wishes=(
        "Note {amount} under “{label}”.",
        "Please write {amount} into the notebook as “{label}”.",
        "Keep {amount} for later, labelled “{label}”.",
    ),
    reads=("notebook",),
    writes=("notebook",),
    undo=Undo("forget_number", {"label": "arguments.label"}),
)  # fmt: skip
def keep_number(view: View, label: str, amount: float) -> dict[str, Any]:
    """A new note; a label is used once."""
    old = view.get("notebook", label)
    if old is not None:
        raise ToolError(f"'{label}' is already in the notebook, as {old['amount']:g}")
    view.put("notebook", label, {"label": label, "amount": amount})
    return {"label": label, "amount": amount}


@WORLD.tool(
    "Strike a note out of the notebook. Removes the note.",
    parameters={
        "label": text("Label of the note.", "note_label", pool=draw_from("notebook", "label"))
    },
    wishes=(
        "Strike “{label}” out of the notebook.",
        "The note “{label}” is out of date; remove it.",
        "Could you delete what the notebook has under “{label}”?",
    ),
    reads=("notebook",),
    writes=("notebook",),
    undo=Undo("keep_number", {"label": "arguments.label", "amount": "result.amount"}),
)  # fmt: skip
def forget_number(view: View, label: str) -> dict[str, Any]:
    """Remove a note without a trace."""
    note = view.get("notebook", label)
    if note is None:
        raise ToolError(f"the notebook has no entry '{label}' to strike out")
    view.remove("notebook", label)
    return {"struck_out": label, "amount": note["amount"]}
