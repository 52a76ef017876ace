"""A model asked one question at a time: its reply, its troubles in one line; no key in any text."""

import subprocess
import sys

import pytest

from models.client import Model
from models.trouble import scrubbed
from tests.models.provider import Provider, busy, cut, dropped, fails, provider, says, slow
from trajectory.files import InputError

KEY = "sk-test-0123456789abcdef"
ASKED = [{"role": "user", "content": "What now?"}]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def model(server: Provider, seconds: float = 30.0) -> Model:
    return Model("openai/stub", server.base, seconds=seconds, first_wait=0.0)


def test_a_reply_is_read() -> None:
    with provider() as server:
        reply = model(server).ask(ASKED)
    assert (reply.text, reply.finish, reply.usage) == ("hello", "stop", (7, 3))
    assert server.requests[0].body["messages"] == ASKED
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_instructions_go_first() -> None:
    with provider() as server:
        assert model(server).answer("Plan.", "What now?") == "hello"
    assert [one["role"] for one in server.requests[0].body["messages"]] == ["system", "user"]


def test_a_reply_that_is_cut_off_says_so() -> None:
    with provider(cut()) as server:
        assert model(server).ask(ASKED).cut


def test_no_content_is_an_empty_text() -> None:
    with provider(says(None)) as server:
        assert model(server).ask(ASKED).text == ""


def test_a_busy_provider_is_asked_again() -> None:
    with provider([busy(), fails(503), dropped(), says("hello")]) as server:
        assert model(server).ask(ASKED).text == "hello"
    assert len(server.requests) == 4


def test_it_gives_up_in_one_line() -> None:
    with provider(fails(500)) as server, pytest.raises(InputError, match="6 attempts") as told:
        model(server).ask(ASKED)
    assert "\n" not in str(told.value)


def test_a_deadline_holds() -> None:
    with provider(slow()) as server, pytest.raises(InputError, match="no reply in"):
        model(server, seconds=0.3).ask(ASKED)


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        Model("openai/stub").ask(ASKED)


def test_keys_are_scrubbed_from_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "0123456789")
    assert scrubbed("it was 0123456789, or sk-abcd1234") == "it was [key], or [key]"


def test_litellm_is_imported_with_the_first_question_only() -> None:
    code = "import models.client, sys; print('litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
