"""The one retry loop against a provider that misbehaves: attempts, waits, deadlines, endings."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from email.utils import formatdate
from typing import Any

import pytest

from models.budget import Budget
from models.client import Client, Settings, sent_of
from models.replies import Reply
from models.trouble import (
    LateError,
    ModelTroubleError,
    OverflowedError,
    SpentError,
    UnreachableError,
    wait_told,
)
from tests.models import provider as play
from tests.models.provider import Act, Provider, Request, provider, says, troubled
from trajectory.files import InputError

KEY = "sk-test-0123456789abcdef"
ASKED = [{"role": "user", "content": "What now?"}]
SCHEMA = {"type": "object", "properties": {"score": {"type": "number"}}}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waits are noted and take no time; those between the first questions are not noted."""
    slept: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds > 0.1:
            slept.append(seconds)
        await real(0)

    monkeypatch.setattr("models.client.asyncio.sleep", sleep)
    return slept


def client(server: Provider, **settings: Any) -> Client:
    given = {"name": "openai/stub", "base": server.base, "first_wait": 0.0, **settings}
    return Client(Settings(**given))


def asked(server: Provider, notes: list[Mapping[str, Any]] | None = None, **settings: Any) -> Reply:
    note = None if notes is None else notes.append
    return asyncio.run(client(server, **settings).ask(ASKED, note=note))


@pytest.mark.parametrize("trouble", play.TROUBLES)
def test_what_a_repeat_mends_is_asked_again(trouble: Act) -> None:
    notes: list[Mapping[str, Any]] = []
    with provider([trouble, trouble, says("hello")]) as server:
        assert asked(server, notes).text == "hello"
        assert len(server.requests) == 3
    assert [(note["attempt"], note["kind"]) for note in notes] == [(1, "again"), (2, "again")]


@pytest.mark.parametrize("trouble", play.TROUBLES)
def test_what_lasts_is_the_harness_s_failure(trouble: Act) -> None:
    with provider(trouble) as server:
        with pytest.raises(UnreachableError, match="6 attempts failed"):
            asked(server)
        assert len(server.requests) == 6


@pytest.mark.parametrize(
    ("act", "finish", "text"),
    [
        (says("hello"), "stop", "hello"),
        (play.cut("I was"), "length", "I was"),
        (play.filtered(), "filter", ""),
        (play.refused(), "refusal", "I can't help with that."),
        (play.no_choices(), "empty", ""),
        (says(None), "empty", ""),
        (says(""), "empty", ""),
        (says(None, "length"), "length", ""),
    ],
)
def test_a_success_says_how_it_ended(act: Act, finish: str, text: str) -> None:
    with provider(act) as server:
        reply = asked(server)
    assert (reply.finish, reply.text) == (finish, text)


def test_native_calls_come_with_the_reply() -> None:
    with provider(says(None, "tool_calls", calls=[("f", {"a": 1})])) as server:
        reply = asyncio.run(client(server).ask(ASKED, tools=[TOOL]))
        assert server.requests[0].body["tools"] == [TOOL]
    assert reply.finish == "stop"
    assert [(one["name"], one["arguments"]) for one in reply.tool_calls] == [("f", '{"a": 1}')]


def test_a_question_longer_than_the_context_is_not_asked_again() -> None:
    with provider(play.overflow()) as server:
        with pytest.raises(OverflowedError, match="8192"):
            asked(server)
        assert len(server.requests) == 1


@pytest.mark.parametrize("act", [play.wrong_key(), play.unknown_model(), play.fails(400)])
def test_what_no_repeat_mends_is_told_at_once_without_the_key(act: Act) -> None:
    notes: list[Mapping[str, Any]] = []
    with provider(act) as server:
        with pytest.raises(InputError) as told:
            asked(server, notes)
        assert len(server.requests) == 1
    assert KEY not in f"{told.value}{notes}"
    assert "\n" not in str(told.value)


def test_a_key_is_scrubbed_before_a_long_text_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "abcdefgh" * 8
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    for length in range(120, 300, 20):
        act = play.fails(400, "x" * length + secret)
        with provider(act) as server, pytest.raises(InputError) as told:
            asked(server)
        assert "abcd" not in str(told.value)


def test_a_provider_that_says_how_long_is_believed(clock: list[float]) -> None:
    date = formatdate(time.time() + 100, usegmt=True)
    with provider([play.busy("7"), play.busy(date), says()]) as server:
        asked(server)
    waits = [seconds for seconds in clock if seconds > 1]
    assert waits[0] == 7
    assert any(97 <= seconds <= 100 for seconds in waits)


def test_all_questions_wait_when_a_provider_asks_for_it(clock: list[float]) -> None:
    async def both(one: Client) -> None:
        await one.ask(ASKED)
        await one.ask(ASKED)

    with provider([play.busy("50"), says()]) as server:
        asyncio.run(both(client(server)))
    assert sum(seconds > 45 for seconds in clock) == 3  # the asked one twice, the next one once


def test_waits_grow(clock: list[float]) -> None:
    with provider(play.fails(500)) as server, pytest.raises(UnreachableError):
        asked(server, first_wait=1.0)
    assert len(clock) == 5
    assert all(0.5 * 2**n <= seconds <= 1.5 * 2**n for n, seconds in enumerate(clock))


def test_a_wait_beyond_the_deadline_is_not_waited_for() -> None:
    with provider(play.busy("100")) as server:
        with pytest.raises(UnreachableError, match="Rate limit"):
            asked(server, seconds=20.0)
        assert len(server.requests) == 1


def test_a_slow_body_ends_at_the_deadline_as_the_model_s_failure() -> None:
    with provider(play.slow()) as server, pytest.raises(LateError):
        asked(server, seconds=0.2)


def test_a_slow_attempt_is_followed_by_another() -> None:
    with provider([play.slow(), says("hello")]) as server:
        assert asked(server, call_seconds=0.3).text == "hello"
        assert len(server.requests) == 2


def test_waiting_for_a_place_is_not_the_model_s_time() -> None:
    async def many(server: Provider) -> Sequence[Reply]:
        one = Client(Settings("openai/stub", server.base, seconds=0.9), concurrency=1)
        return await asyncio.gather(*(one.ask(ASKED) for _ in range(5)))

    with provider(play.slow(0.2)) as server:
        assert [reply.text for reply in asyncio.run(many(server))] == ["late"] * 5


def test_never_more_questions_are_open_than_allowed() -> None:
    opened: list[int] = []

    async def many(server: Provider) -> None:
        one = Client(Settings("openai/stub", server.base), concurrency=3)
        whole = one._within

        async def within(request: Mapping[str, Any], left: float) -> Any:
            opened.append(1)
            try:
                assert sum(opened) <= 3
                return await whole(request, left)
            finally:
                opened.append(-1)

        one._within = within  # type: ignore[method-assign]
        await asyncio.gather(*(one.ask(ASKED) for _ in range(12)))

    with provider() as server:
        asyncio.run(many(server))
    assert len(opened) == 24


def test_questions_a_minute_are_spread(clock: list[float]) -> None:
    async def many(server: Provider) -> None:
        one = Client(Settings("openai/stub", server.base), rpm=6.0)
        for _ in range(3):
            await one.ask(ASKED)

    with provider() as server:
        asyncio.run(many(server))
    assert [round(seconds, -1) for seconds in clock] == [10, 20]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("openai/stub", {"temperature": 0.5, "top_p": 0.9, "max_tokens": 50, "seed": 3}),
        ("openai/gpt-5", {"temperature": 0.0, "top_p": 0.9, "max_tokens": 50, "seed": 3}),
        ("openai/o3-mini", {"temperature": 0.0, "max_tokens": 50}),
        ("openai/gpt-4o", {}),
    ],
)
def test_what_is_noted_as_sent_is_what_the_server_received(
    name: str, settings: Mapping[str, Any]
) -> None:
    with provider() as server:
        reply = asyncio.run(
            client(server, name=name, **settings).ask(ASKED, schema=SCHEMA, tools=[TOOL])
        )
        body = dict(server.requests[0].body)
    assert body.pop("messages") == ASKED
    assert body.pop("model") == name.removeprefix("openai/")
    assert body == reply.sent


def test_a_seed_of_the_question_goes_before_that_of_the_settings() -> None:
    assert sent_of(Settings("openai/stub", seed=3), seed=4)["seed"] == 4


def test_a_schema_goes_only_to_models_that_take_one() -> None:
    assert "response_format" in sent_of(Settings("openai/gpt-4o"), SCHEMA)
    assert "response_format" not in sent_of(Settings("openai/stub"), SCHEMA)


def test_native_tools_for_a_provider_without_them_are_an_error() -> None:
    with pytest.raises(InputError, match="no native tools"):
        sent_of(Settings("perplexity/stub"), tools=[TOOL])


def test_a_server_of_one_s_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with provider() as server:
        assert asked(server).text == "hello"


def test_a_model_without_provider_is_told_in_one_line() -> None:
    with pytest.raises(InputError, match="Provider") as told:
        asyncio.run(Client(Settings("nobody-knows-me")).ask(ASKED))
    assert "\n" not in str(told.value)


def test_a_manifest_gets_no_key_of_the_address() -> None:
    noted = Settings("openai/stub", "http://me:secret@host:8000/v1?key=secret").parameters()
    assert noted["base"] == "http://host:8000/v1"


@pytest.mark.parametrize(
    ("name", "usage", "known"),
    [
        ("openai/gpt-4o", (7, 3), (True, True)),
        ("openai/stub", (7, 3), (True, False)),
        ("openai/stub", None, (False, False)),
    ],
)
def test_unknown_usage_and_cost_are_none(
    name: str, usage: tuple[int, int] | None, known: tuple[bool, bool]
) -> None:
    with provider(says(usage=usage)) as server:
        reply = asked(server, name=name)
    assert (reply.usage is not None, reply.cost is not None) == known
    assert reply.cost != 0


@pytest.mark.parametrize("name", ["openai/gpt-4o", "openai/stub"])
def test_a_budget_stops_before_the_next_call(name: str) -> None:
    async def many(one: Client) -> None:
        for _ in range(3):
            await one.ask(ASKED)

    with provider() as server:
        budget = Budget(max_cost=0.00006)  # one call of gpt-4o costs 0.0000475
        one = Client(Settings(name, server.base), budget=budget)
        with pytest.raises(SpentError):
            asyncio.run(many(one))
        assert len(server.requests) == budget.calls == (2 if name.endswith("4o") else 1)


def echo(request: Request) -> Act:
    return says(request.said.upper())


@pytest.mark.parametrize("seed", [1, 2])
def test_among_random_troubles_each_question_gets_its_own_reply(seed: int) -> None:
    async def many(server: Provider) -> Sequence[Reply]:
        one = Client(Settings("openai/stub", server.base, first_wait=0.0), concurrency=16)
        questions = [[{"role": "user", "content": f"word {n}"}] for n in range(40)]
        return await asyncio.gather(*(one.ask(question) for question in questions))

    with provider(troubled(echo, seed)) as server:
        replies = asyncio.run(many(server))
        assert len(server.requests) > 50
    assert [reply.text for reply in replies] == [f"WORD {n}" for n in range(40)]


@pytest.mark.parametrize("seconds", ["nan", "soon", "-5", "1e9", ""])
def test_a_strange_retry_after_is_no_endless_wait(seconds: str) -> None:
    error = Exception()
    error.litellm_response_headers = {"Retry-After": seconds}  # type: ignore[attr-defined]
    wait = wait_told(error)
    assert wait is None or 0 <= wait <= 300


def test_every_trouble_is_of_one_family() -> None:
    kinds: Sequence[Callable[[str], Exception]] = (UnreachableError, LateError, SpentError)
    assert all(isinstance(kind("x"), ModelTroubleError) for kind in kinds)
