import random

import jsonschema
import pytest

from environment import literals
from environment.state import State, View
from environment.world import Parameter, array, boolean, choice, integer, number, record, text

VIEW = View(State({}), "none")


@pytest.mark.parametrize(
    "parameter",
    [
        text("A city.", "city"),
        choice("An order.", "order", ("price", "duration")),
        boolean("With breakfast.", "breakfast"),
        integer("A small count.", "count", minimum=2, maximum=3),
        number("A rate of its own kind.", "chance", minimum=0, maximum=1),
        number("Above nought.", "price", exclusiveMinimum=450),
        integer("Dozens.", "dozens", minimum=12, maximum=60, multipleOf=12),
        array("Days.", text("A day.", "date"), minItems=2, maxItems=3, uniqueItems=True),
        record("A line.", "line", {"units": integer("Units.", "count"),
                                   "city": text("City.", "city", optional=True)}),
    ],
    ids=lambda parameter: parameter.schema["description"],
)  # fmt: skip
def test_literals_keep_the_schema_and_vary(parameter: Parameter) -> None:
    assert literals.can_draw(parameter)
    rng = random.Random(1)
    drawn = [literals.draw(parameter, VIEW, rng, 7) for _ in range(200)]
    for value in drawn:
        jsonschema.validate(value, dict(parameter.schema))
    assert len({str(value) for value in drawn}) > 1
    again = random.Random(1)
    assert [literals.draw(parameter, VIEW, again, 7) for _ in range(200)] == drawn


def test_an_id_that_only_calls_create_has_no_literal() -> None:
    parameter = text("Id of a booking.", "room_booking_id")
    assert not literals.can_draw(parameter)
    with pytest.raises(LookupError):
        literals.draw(parameter, VIEW, random.Random(1), 7)


def test_words_of_lists_records_and_choices() -> None:
    line = record("A line.", "line", {"units": integer("Units.", "count"),
                                      "sku": text("Article.", "sku")})  # fmt: skip
    lines = array("Lines.", line)
    value = [{"sku": "A-1", "units": 3}, {"sku": "B-2", "units": 1}, {"sku": "C-3", "units": 2}]
    assert literals.words(lines, value) == "3 A-1, 1 B-2 and 2 C-3"
    priced = record("A line.", "line", dict(line.fields), says={"": "{sku}, {units} of it"})
    assert literals.words(priced, value[0]) == "A-1, 3 of it"
    quoted = text("A word.", "word", says={"": "“{value}”"})
    assert literals.words(quoted, "weir") == "“weir”"
    assert literals.words(array("Words.", quoted), ["weir", "toll"]) == "“weir” and “toll”"
    by = choice("Order.", "order", ("price",), says={'"price"': "cheapest"})
    assert literals.words(by, "price") == "cheapest"
    assert literals.words(text("Day.", "date"), "2026-03-14") == "14 March 2026"


def test_ids_are_said_after_the_name_of_their_type() -> None:
    hotel, policies = text("Hotel.", "hotel_id"), array("Policies.", text("Policy.", "policy_id"))
    assert literals.words(hotel, "h-1042") == "hotel h-1042"
    assert literals.words(policies, ["po-1"]) == "policy po-1"
    assert literals.words(policies, ["po-1", "po-2", "po-3"]) == "policies po-1, po-2 and po-3"


def test_what_a_sentence_speaks_of_in_the_plural_is_drawn_as_more_than_one() -> None:
    rng = random.Random(1)
    nights = integer("Nights.", "nights", minimum=1, maximum=9)
    cities = array("Cities.", text("City.", "city"), minItems=1)
    assert min(literals.draw(nights, VIEW, rng, 7) for _ in range(99)) == 2
    assert min(len(literals.draw(cities, VIEW, rng, 7)) for _ in range(99)) == 2
    assert literals.draw(integer("One.", "nights", minimum=0, maximum=1), VIEW, rng, 7) == 1
