import pytest
from hypothesis import given
from hypothesis import strategies as st

from build.button.content import DISTINCT, Said, is_rounded, keys_of, stands_in, weight
from build.button.names import agreement, name_of

ALIKE = [
    (25, 25.0),
    (25, "25.0"),
    (1113.63, "1,113.63"),
    (1113.63, "€1,113.63"),
    (40, "40%"),
    (15, "15 kg"),
    ("bk-7b025725", "BK 7B025725"),
    ("San Francisco", "san_francisco"),
    ("studio", "Studios"),
    ("2026-03-02", "March 2, 2026"),
    ("2026-03-02", "2nd of March 2026"),
    ("2026-03-02", "Mon, 2 Mar 2026"),
    ("2026-03-02", "02/03/2026"),
    ("2026-03-02", "03/02/2026"),
    ("2026-03-02", "2026-03-02T00:00:00Z"),
    ("14:30", "2:30 pm"),
    ("09:00", "9 am"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_spellings_of_one_value_share_a_key(one: object, other: object) -> None:
    assert keys_of(one) & keys_of(other)


APART = [
    (1, True),
    (25, "POS-25"),
    (25, 26),
    ("2026-03-02", "2026-03-12"),
    ("2026-03-02 14:30", "2026-03-02 15:30"),
    ("Oslo", "Osaka"),
    ("", ""),
    ("bk-1", "bk-11"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_values_do_not(one: object, other: object) -> None:
    assert not keys_of(one) & keys_of(other)


@given(st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_keys_and_weight_are_there_for_any_scalar(value: object) -> None:
    assert weight(value) >= 0
    assert keys_of(value) or weight(value) == 0


@pytest.mark.parametrize("value", [None, True, "", "active", "USD", 1, 7, 50, 2024, "14:30", 25])
def test_what_occurs_everywhere_tells_little(value: object) -> None:
    assert weight(value) < DISTINCT


@pytest.mark.parametrize("value", ["Oslo", "bk-7b02", 117, 23.5, "2026-03-02", 266000, [7, 8]])
def test_what_is_rare_tells_by_itself(value: object) -> None:
    assert weight(value) >= DISTINCT


@pytest.mark.parametrize(
    ("rough", "exact"),
    [(59.9, 59.9139), (60, 59.9139), (59, 59.9139), (1100, 1113.63), (-3.1, -3.14159)],
)
def test_fewer_digits_are_seen_as_rounded(rough: float, exact: float) -> None:
    assert is_rounded(rough, exact)


@pytest.mark.parametrize(("rough", "exact"), [(5, 5.0), (61, 59.9), (59.9139, 59.9), (0, 0.4)])
def test_other_numbers_are_not(rough: float, exact: float) -> None:
    assert not is_rounded(rough, exact)


SAID = Said(
    "Hi! Two rooms in São Paulo for 12 nights from 5 March, 1,250 EUR at most, at half past; "
    "call me at 2:30 pm about AB-1234, the houses and REF-77."
)


@pytest.mark.parametrize(
    "value",
    [2, "12", 1250, 1250.0, "são paulo", "2026-03-05", "14:30", "AB1234", "house", "ref_77"],
)
def test_the_request_says_it_in_its_own_words(value: object) -> None:
    assert SAID.says(value)


@pytest.mark.parametrize("value", [77, 1234, 3, "2026-03-06", "15:30", "AB-123", "paul", True, ""])
def test_the_request_does_not_say_what_only_looks_like_it(value: object) -> None:
    assert not SAID.says(value)


def test_values_stand_in_sentences() -> None:
    text = "Your booking BK-77 of 2 March 2026 costs 81.50 EUR."
    assert all(stands_in(value, text) for value in ("bk-77", "2026-03-02", 81.5))
    assert not any(stands_in(value, text) for value in ("BK-7", 81, 77, "2026-03-03"))
    assert not stands_in("Oslo", "Oslo")


@pytest.mark.parametrize(
    ("parameter", "keys", "tool", "how"),
    [
        ("hotel_id", ("hotels", "hotel_id"), "find", 2),
        ("hotelId", ("hotels", "id"), "find", 2),
        ("price", ("best", "price"), "compare", 2),
        ("city", ("city",), "locate", 2),
        ("start_date", ("date",), "find", 1),
        ("amount", ("total_amount",), "sum", 2),
        ("hotel", ("hotels", "name"), "find", 1),
        ("id", ("id",), "find", 1),
        ("hotel_id", ("rooms", "room_id"), "find", 0),
        ("price", ("count",), "find", 0),
    ],
)
def test_names_agree(parameter: str, keys: tuple[str, ...], tool: str, how: int) -> None:
    assert agreement(name_of((parameter,)), name_of(keys, tool)) == how
