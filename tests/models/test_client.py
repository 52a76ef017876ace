"""Asking a model: the reply, refusals, attempts, deadlines; and no key in any text."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from models.client import Model
from models.trouble import scrubbed
from tests.models.openai_stub import Stub, serving
from trajectory.files import InputError

KEY = "sk-test-0123456789abcdef"
ASKED = [{"role": "user", "content": "What now?"}]


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving() as server:
        yield server


def model(stub: Stub, seconds: float = 30.0) -> Model:
    return Model("openai/stub", stub.url, seconds=seconds, first_wait=0.0)


def test_a_reply_is_read(stub: Stub) -> None:
    reply = model(stub).ask(ASKED)
    assert (reply.text, reply.finish, reply.usage) == ("hello", "stop", (7, 3))
    assert stub.asked[0]["messages"] == ASKED
    assert stub.keys == [f"Bearer {KEY}"]


def test_instructions_go_first(stub: Stub) -> None:
    assert model(stub).answer("Plan.", "What now?") == "hello"
    assert [one["role"] for one in stub.asked[0]["messages"]] == ["system", "user"]


def test_a_reply_that_is_cut_off_says_so(stub: Stub) -> None:
    stub.finish = "length"
    assert model(stub).ask(ASKED).cut


def test_no_content_is_an_empty_text(stub: Stub) -> None:
    stub.answers = [None]
    assert model(stub).ask(ASKED).text == ""


def test_a_busy_provider_is_asked_again(stub: Stub) -> None:
    stub.statuses = [429, 503]
    assert model(stub).ask(ASKED).text == "hello"
    assert len(stub.asked) == 3


@pytest.mark.parametrize("status", [400, 401])
def test_a_refusal_is_one_line_without_the_key(stub: Stub, status: int) -> None:
    stub.statuses = [status]
    with pytest.raises(InputError) as told:
        model(stub).ask(ASKED)
    assert len(stub.asked) == 1
    assert "\n" not in str(told.value)
    assert KEY not in str(told.value)


def test_it_gives_up_after_some_attempts(stub: Stub) -> None:
    stub.statuses = [500] * 9
    with pytest.raises(InputError):
        model(stub).ask(ASKED)
    assert len(stub.asked) == 6


def test_a_deadline_holds_for_all_attempts(stub: Stub) -> None:
    stub.wait.clear()
    with pytest.raises(InputError, match="no reply in"):
        model(stub, seconds=0.3).ask(ASKED)


def test_a_missing_key_is_told_and_nothing_asked(
    stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        model(stub).ask(ASKED)
    assert stub.asked == []


def test_keys_are_scrubbed_from_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "0123456789")
    assert scrubbed("it was 0123456789, or sk-abcd1234") == "it was [key], or [key]"


def test_litellm_is_imported_with_the_first_question_only() -> None:
    code = "import models.client, sys; print('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
