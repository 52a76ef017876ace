"""Contacts: people and their organisations, groups, birthdays, merging of duplicates."""

import datetime
import random
from typing import Any

from environment.meanings import TODAY, position_of
from environment.people import Person, people
from environment.places import BY_NAME, distance_km
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    Parameter,
    ToolError,
    Undo,
    World,
    array,
    choice,
    content_id,
    generator,
    integer,
    number,
    text,
)

_ROLES = ("accountant", "architect", "designer", "doctor", "engineer", "lawyer", "translator")
_FIRMS = ("Alder & Finch", "Basalt Works", "Cobalt Studio", "Drumlin Partners", "Ember Logistics",
          "Fjordlight", "Gantry Supply", "Heron Analytics", "Isthmus Media", "Juniper Foods",
          "Kestrel Legal", "Lantern Health")  # fmt: skip
_GROUPS = ("book club", "choir", "football team", "hiking group", "neighbourhood circle",
           "Atlas project team", "Delta project team", "school reunion", "supplier circle",
           "wedding party")  # fmt: skip
_FIELDS = ("email", "phone", "organisation", "birthday")
_SHOWN = 12


def _tables(seed: int) -> Tables:
    rng = generator(seed, "contacts")
    cards: dict[str, Row] = {}
    names: dict[str, Row] = {}
    for person in people(seed):
        own = [_new_card(rng, person)]
        if rng.random() < 0.4:
            own.append(_double(rng, own[0]))
        cards.update({card["contact_id"]: card for card in own})
        ids = [card["contact_id"] for card in own]
        names[person.name] = {"name": person.name, "role": rng.choice(_ROLES),
                              "city": person.city, "cards": ids}  # fmt: skip
    groups: dict[str, Row] = {
        group: {"group": group, "members": sorted(rng.sample(sorted(names), rng.randrange(4, 13)))}
        for group in _GROUPS
    }
    return {"cards": cards, "names": names, "groups": groups, "merges": {}}


def _new_card(rng: random.Random, person: Person) -> dict[str, Any]:
    birthday = datetime.date(1955, 1, 1) + datetime.timedelta(days=rng.randrange(18000))
    return {
        "contact_id": content_id("ct", person.email),
        "name": person.name,
        "email": person.email,
        "phone": person.phone,
        "organisation": rng.choice(_FIRMS),
        "birthday": f"{birthday.year}-{birthday.month:02d}-{min(birthday.day, 28):02d}",
    }


def _double(rng: random.Random, first: dict[str, Any]) -> dict[str, Any]:
    """A second card of a person; each of the two lacks something that the other one has."""
    missing, moved = rng.sample(_FIELDS[1:], 2)
    second_id = content_id("ct", first["email"], "again")
    double = {**first, "contact_id": second_id, missing: ""}
    first[moved] = ""
    return double


WORLD = World("contacts", "An address book with groups, birthdays and double cards.", _tables)


def _group_choice(description: str, **more: Any) -> Parameter:
    return choice(description, "contact_group", _GROUPS, **more)


def _names(**more: Any) -> Parameter:
    """A list of names; the default of a user's own words is a short one."""
    return array(
        "Full names.", text("Full name of a person.", "person"), minItems=1, maxItems=_SHOWN,
        uniqueItems=True, **more,
    )  # fmt: skip


def _known_card(view: View, contact_id: str) -> Row:
    card = view.get("cards", contact_id)
    if card is None:
        raise ToolError(f"the address book has no card '{contact_id}'")
    return card


def _known_name(view: View, name: str) -> Row:
    entry = view.get("names", name)
    if entry is None:
        raise ToolError(f"nobody called '{name}' is in the address book")
    return entry


def _cards(view: View, entry: Row) -> list[Row]:
    """The cards of a person, the fullest first, ties by id."""
    return sorted(
        (_known_card(view, contact_id) for contact_id in entry["cards"]),
        key=lambda card: (sum(not card[field] for field in _FIELDS), card["contact_id"]),
    )


def _value(view: View, entry: Row, field: str) -> str:
    """What the cards of a person say, which never disagree; "" where none says it."""
    for contact_id in entry["cards"]:
        value = _known_card(view, contact_id)[field]
        if value:
            return str(value)
    return ""


def _group(view: View, name: str) -> Row:
    group = view.get("groups", name)
    if group is None:
        raise ToolError(f"there is no group called '{name}'")
    return group


@WORLD.tool(
    "Look a person up in the address book: what their fullest card says, their profession and "
    "where they live. Reads cards, as merges have left them.",
    parameters={"person": text("Full name of the person.", "person")},
    outputs=(
        Output("email", "email", ("the e-mail address of {person}", "where mail reaches {person}")),
        Output("phone", "phone", ("the phone number of {person}", "where to ring {person}")),
        Output("city", "city", ("the city where {person} lives", "the home town of {person}")),
        Output("organisation", "organisation", (
            "the organisation on the card of {person}",
            "the employer of {person}",
        )),
        Output("position", "position", (
            "the position on the map of the home of {person}",
            "the coordinates of where {person} lives",
        )),
    ),
    wishes=(
        "Look up {person} in the address book.",
        "What contact details do we have for {person}?",
        "I need to get hold of {person}; how and where can I do that?",
    ),
    reads=("names", "cards"),
)  # fmt: skip
def look_up_contact(view: View, person: str) -> dict[str, Any]:
    """The fullest card; what it lacks is left out."""
    entry = _known_name(view, person)
    known = {key: value for key, value in _cards(view, entry)[0].items() if value}
    city = entry["city"]
    return {**known, "role": entry["role"], "city": city, "position": position_of(city)}


@WORLD.tool(
    "Search the address book for people of a profession around a city, the nearest first. Reads "
    "cards.",
    parameters={
        "role": choice("Profession.", "profession", _ROLES),
        "near": text("City to measure from.", "city"),
        "max_km": number(
            "Greatest distance in kilometres.", "distance_km", minimum=0, optional=True,
            pool=lambda view, rng: rng.choice((500, 800, 1200, 2000, 3000)),
        ),
        "organisations": array(
            "Only people of these organisations.",
            choice("An organisation.", "organisation", _FIRMS), minItems=1, maxItems=6,
            uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("people[0].name", "person", (
            "the {role} nearest to {near}[ within {max_km}][, employed by {organisations}]",
            "whichever {role}[ of {organisations}] lives closest to {near}[, {max_km} at most]",
        )),
        Output("people[0].km", "distance_km", (
            ("the distance from {near} to the nearest {role}[ within {max_km}]"
             "[, employed by {organisations}]"),
            ("the way from {near} to where the closest {role}[ of {organisations}] lives[, "
             "{max_km} at most]"),
        )),
        Output("names", "list:person", (
            ("every {role} around {near}[ within {max_km}][, employed by {organisations}], nearest "
             "first"),
            "each {role} we know[ at {organisations}], by distance from {near}[, {max_km} at most]",
        )),
        Output("people[0].city", "city", (
            ("the home of the {role} nearest to {near}[ within {max_km}]"
             "[, employed by {organisations}]"),
            ("the city of whichever {role}[ of {organisations}] lives closest to {near}"
             "[, {max_km} at most]"),
        )),
    ),
    wishes=(
        "Do I know any {role} near {near}[ (within {max_km})][, employed by {organisations}]?",
        ("Search the address book: {role}, closest to {near} first[, up to {max_km} away]"
         "[, only {organisations}]."),
        ("I'm in need of some {role} around {near}; who of my contacts comes into question"
         "[, {max_km} away at most][, employed by {organisations}]?"),
    ),
    reads=("names", "cards"),
)  # fmt: skip
def search_contacts(
    view: View,
    role: str,
    near: str,
    max_km: float = 21_000,
    organisations: list[str] | None = None,
) -> dict[str, Any]:
    """People by distance, ties by name."""
    if near not in BY_NAME:
        raise ToolError(f"'{near}' is not a city that distances can be measured from")
    found = []
    for name, entry in view.rows("names"):
        if entry["role"] != role:
            continue
        km = distance_km(near, entry["city"])
        firm = _value(view, entry, "organisation")
        if km <= max_km and (organisations is None or firm in organisations):
            found.append({"name": name, "city": entry["city"], "organisation": firm, "km": km})
    found.sort(key=lambda one: (one["km"], one["name"]))
    shown = found[:_SHOWN]
    return {"people": shown, "names": [one["name"] for one in shown], "count": len(found)}


@WORLD.tool(
    "List whose birthdays come up in the next days, the soonest first, in a group or in the whole "
    "address book. Reads cards and the members of groups.",
    parameters={
        "days": integer(
            "How many days to look ahead, from today.", "day_count", minimum=7, maximum=365,
            pool=lambda view, rng: rng.choice((30, 45, 60, 90, 120)),
        ),
        "group": _group_choice("Only members of this group.", optional=True),
    },
    outputs=(
        Output("birthdays[0].name", "person", (
            "the person[ in the {group}] whose birthday is the next within {days} days",
            "whoever[ in the {group}] celebrates a birthday first in the coming {days} days",
        )),
        Output("birthdays[0].date", "date", (
            "the day of the next birthday[ in the {group}] within {days} days",
            "the date on which the first birthday[ in the {group}] falls in the coming {days} days",
        )),
        Output("names", "list:person", (
            "everybody[ in the {group}] with a birthday in the next {days} days",
            "all who turn a year older[ in the {group}] within {days} days from now",
        )),
        Output("dates", "list:date", (
            "the days of all birthdays[ in the {group}] in the next {days} days",
            "the dates on which someone[ in the {group}] has a birthday within {days} days",
        )),
    ),
    wishes=(
        "Whose birthdays come up[ in the {group}] in the next {days} days?",
        "Check the next {days} days for birthdays[ in the {group}].",
        "I keep forgetting them: which birthdays are due[ in the {group}] within {days} days?",
    ),
    reads=("names", "cards", "groups"),
)  # fmt: skip
def upcoming_birthdays(view: View, days: int, group: str | None = None) -> dict[str, Any]:
    """Birthdays by day, ties by name."""
    names = _group(view, group)["members"] if group else [name for name, _ in view.rows("names")]
    first = TODAY.isoformat()
    last = (TODAY + datetime.timedelta(days=days)).isoformat()
    found = []
    for name in names:
        born = _value(view, _known_name(view, name), "birthday")
        year = TODAY.year + (born[5:] < first[5:])
        if born and f"{year}{born[4:]}" <= last:
            turns = year - int(born[:4])
            found.append({"name": name, "date": f"{year}{born[4:]}", "turns": turns})
    found.sort(key=lambda one: (one["date"], one["name"]))
    shown = found[:_SHOWN]
    return {
        "birthdays": shown,
        "count": len(found),
        "names": [one["name"] for one in shown],
        "dates": sorted({str(one["date"]) for one in shown}),
    }


def _somebody_twice(view: View, rng: random.Random) -> list[str]:
    return [rng.choice([name for name, entry in view.rows("names") if len(entry["cards"]) > 1])]


@WORLD.tool(
    "Find double cards in the address book: for given people, which card is fullest and which one "
    "repeats it. Reads cards, as merges have left them.",
    parameters={"people": _names(pool=_somebody_twice)},
    outputs=(
        Output("doubles[0].keep", "contact_id", (
            "the fuller one of the double cards found first for {people}",
            "the more complete card in the first pair of duplicates found for {people}",
        )),
        Output("doubles[0].drop", "contact_id", (
            "the sparser one of the double cards found first for {people}",
            "the less complete card in the first pair of duplicates found for {people}",
        )),
        Output("count", "count", (
            "the number of double cards among those of {people}",
            "how many cards of {people} are there for a second time",
        )),
    ),
    wishes=(
        "Is there any double card among those of {people}?",
        "Check the address book for duplicates of {people}.",
        "I have a feeling that {people} may be entered twice; could you look?",
    ),
    reads=("names", "cards"),
)  # fmt: skip
def find_double_cards(view: View, people: list[str]) -> dict[str, Any]:
    """Pairs in the order of the names given."""
    doubles = []
    for name in people:
        keep, *rest = _cards(view, _known_name(view, name))
        for drop in rest:
            same = [field for field in _FIELDS if keep[field] and keep[field] == drop[field]]
            pair = {"keep": keep["contact_id"], "drop": drop["contact_id"], "same": same}
            doubles.append({"name": name, **pair})
    return {"doubles": doubles, "count": len(doubles)}


@WORLD.tool(
    "Merge two cards of the same person: what the kept card lacks is taken from the other one, "
    "which is removed. Changes cards and adds a merge.",
    parameters={
        "keep": text("Id of the card to keep.", "contact_id"),
        "drop": text("Id of the card to give up.", "contact_id"),
    },
    outputs=(
        Output("merge_id", "card_merge_id", (
            "the merge of {drop} into {keep}",
            "the step by which {keep} swallows {drop}",
        )),
        Output("name", "person", (
            "the person whose card {keep} is completed with {drop}",
            "whoever the card stands for that {keep} becomes with {drop} merged in",
        )),
        Output("filled", "count", (
            "the number of entries that {keep} gains from {drop}",
            "how many gaps of {keep} are filled by merging {drop} into it",
        )),
    ),
    wishes=(
        "Merge {drop} into {keep}.",
        "Please make one card of two: keep {keep}, give up {drop}.",
        "Tidy up the address book by folding {drop} into {keep}.",
    ),
    reads=("cards", "names"),
    writes=("cards", "names", "merges"),
    undo=Undo("split_cards", {"merge_id": "result.merge_id"}),
)  # fmt: skip
def merge_cards(view: View, keep: str, drop: str) -> dict[str, Any]:
    """One card of two; both are kept in the merge, so that they can be split."""
    kept, dropped = _known_card(view, keep), _known_card(view, drop)
    if keep == drop:
        raise ToolError(f"{keep} can't be merged with itself")
    if kept["name"] != dropped["name"]:
        raise ToolError(f"{keep} and {drop} belong to different people")
    gained = {field: dropped[field] for field in _FIELDS if dropped[field] and not kept[field]}
    entry = _known_name(view, kept["name"])
    merge_id = content_id("mg", keep, drop)
    view.put("merges", merge_id, {"kept": kept, "dropped": dropped, "entry": entry})
    view.put("cards", keep, {**kept, **gained})
    view.remove("cards", drop)
    cards = [contact_id for contact_id in entry["cards"] if contact_id != drop]
    view.put("names", kept["name"], {**entry, "cards": cards})
    return {"merge_id": merge_id, "name": kept["name"], "filled": len(gained), "fields": [*gained]}


@WORLD.tool(
    "Split cards that were merged. Restores both cards as they were and removes the merge.",
    parameters={"merge_id": text("Id of the merge.", "card_merge_id")},
    wishes=(
        "Split {merge_id} again.",
        "Please reverse {merge_id}.",
        "That was a mistake: pull the cards of {merge_id} apart.",
    ),
    reads=("merges",),
    writes=("cards", "names", "merges"),
)
def split_cards(view: View, merge_id: str) -> dict[str, Any]:
    """Put both cards back."""
    merge = view.get("merges", merge_id)
    if merge is None:
        raise ToolError(f"no merge is on record as '{merge_id}'")
    for card in (merge["kept"], merge["dropped"]):
        view.put("cards", card["contact_id"], card)
    view.put("names", merge["entry"]["name"], merge["entry"])
    view.remove("merges", merge_id)
    return {"restored": merge["entry"]["cards"], "name": merge["entry"]["name"]}


@WORLD.tool(
    "Add people to a group of contacts. Changes its members; refused if one of them is in already.",
    parameters={"group": _group_choice("The group."), "people": _names()},
    wishes=(
        "Add {people} to the {group}.",
        "Please put {people} into the contact group '{group}'.",
        "From now on {people} should belong to the {group}; update the group.",
    ),
    reads=("groups", "names"),
    writes=("groups",),
    undo=Undo("remove_from_group", {"group": "arguments.group", "people": "arguments.people"}),
)
def add_to_group(view: View, group: str, people: list[str]) -> dict[str, Any]:
    """A larger group."""
    row = _group(view, group)
    for name in people:
        _known_name(view, name)
        if name in row["members"]:
            raise ToolError(f"{name} belongs to the {group} already")
    members = sorted((*row["members"], *people))
    view.put("groups", group, {**row, "members": members})
    return {"group": group, "size": len(members)}


@WORLD.tool(
    "Take people out of a group of contacts. Changes its members; refused if one of them isn't in.",
    parameters={"group": _group_choice("The group."), "people": _names()},
    wishes=(
        "Remove {people} from the {group}.",
        "The {group} has to do without {people}; please take them off the list.",
        "Strike {people} from the contact group '{group}'.",
    ),
    reads=("groups",),
    writes=("groups",),
    undo=Undo("add_to_group", {"group": "arguments.group", "people": "arguments.people"}),
)
def remove_from_group(view: View, group: str, people: list[str]) -> dict[str, Any]:
    """A smaller group."""
    row = _group(view, group)
    for name in people:
        if name not in row["members"]:
            raise ToolError(f"{name} is not a member of the {group}")
    members = [name for name in row["members"] if name not in people]
    view.put("groups", group, {**row, "members": members})
    return {"group": group, "size": len(members)}


@WORLD.tool(
    "Make a mailing list of a group: the addresses of its members, if wanted only of those in some "
    "professions. Reads the members of groups and cards.",
    parameters={
        "group": _group_choice("The group."),
        "roles": array(
            "Only these professions.", choice("A profession.", "profession", _ROLES), minItems=1,
            maxItems=4, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("emails", "list:email", (
            "the addresses of the {group}[, counting only these professions: {roles}]",
            "all e-mail addresses in the {group}[ (professions: {roles})]",
        )),
        Output("names", "list:person", (
            "the members of the {group}[, counting only these professions: {roles}]",
            "the people in the {group}[ (professions: {roles})]",
        )),
        Output("count", "count", (
            "the size of the {group}[, counting only these professions: {roles}]",
            "how many people the {group} has[ (professions: {roles})]",
        )),
    ),
    wishes=(
        "Who is in the {group}[ (professions: {roles})], and what are their addresses?",
        "Make a mailing list of the {group}[, counting only these professions: {roles}].",
        ("I'd like to write to the {group}[, but only to some professions ({roles})]; please "
         "gather the addresses."),
    ),
    reads=("groups", "names", "cards"),
)  # fmt: skip
def group_mailing_list(view: View, group: str, roles: list[str] | None = None) -> dict[str, Any]:
    """Members by name, with the address of the fullest card."""
    members = [_known_name(view, name) for name in _group(view, group)["members"]]
    chosen = [entry for entry in members if roles is None or entry["role"] in roles]
    return {
        "group": group,
        "names": [entry["name"] for entry in chosen],
        "emails": [_value(view, entry, "email") for entry in chosen],
        "count": len(chosen),
    }
