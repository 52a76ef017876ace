import pytest

from trajectory.formats import FORMATS, is_date, is_date_time, is_email, is_time


@pytest.mark.parametrize("text", ["2026-03-14", "2024-02-29", "0001-01-01"])
def test_days_of_the_calendar(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "2023-07-32",
        "2023-02-29",
        "2023-13-01",
        "2023-7-3",
        "20230703",
        "2023-W10-1",
        "2023/07/03",
        "2023-07-03 ",
        "2023-07-03T00:00:00Z",
        "２０２３-07-03",
        "tomorrow",
        "",
    ],
)
def test_other_ways_of_writing_a_day_are_refused(text: str) -> None:
    assert not is_date(text)


@pytest.mark.parametrize("text", ["14:30:00Z", "00:00:00+01:00", "23:59:59.5-11:30", "14:30:00z"])
def test_times_with_their_offset(text: str) -> None:
    assert is_time(text)


@pytest.mark.parametrize(
    "text", ["14:30", "14:30:00", "24:00:00Z", "14:60:00Z", "14:30:60Z", "14:30:00+24:00", "2pm"]
)
def test_times_without_offset_or_beyond_the_clock_are_refused(text: str) -> None:
    assert not is_time(text)


def test_a_date_time_is_a_day_and_a_time() -> None:
    assert is_date_time("2026-03-14T09:30:00+01:00")
    assert is_date_time("2026-03-14t09:30:00Z")
    for text in ("2026-03-14", "2026-03-14 09:30:00Z", "2026-02-30T09:30:00Z", "2026-03-14T09:30"):
        assert not is_date_time(text)


@pytest.mark.parametrize("text", ["ana@example.com", "a.b+c@mail.example.co.uk", "x@a-b.de"])
def test_addresses(text: str) -> None:
    assert is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "ana",
        "ana@",
        "@example.com",
        "ana@example",
        "ana@@example.com",
        "ana@example..com",
        ".ana@example.com",
        "a..b@example.com",
        "ana@-example.com",
        "ana @example.com",
        "ana@example.com.",
        "ana@example.com\n",
        "John Doe的邮箱地址",
        f"{'a' * 65}@example.com",
    ],
)
def test_what_is_no_address(text: str) -> None:
    assert not is_email(text)


def test_each_format_has_a_check_that_refuses_something() -> None:
    assert [name for name, (holds, _) in FORMATS.items() if holds("")] == []
