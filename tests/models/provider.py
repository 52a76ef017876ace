"""A server on the loopback that plays providers of the OpenAI form, well and badly.

    with provider([busy(retry_after="0"), says("hello")]) as server:
        ... ask server.base ...
        assert len(server.requests) == 2

A script is what is done with the requests: one act for all of them, a list of acts in turn (the
last again and again), or a function of the request. `troubled` makes any script misbehave at
random, the same for the same seed.
"""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from environment.world import generator
from trajectory import canonical

# Nothing waits longer than this for a server that is asked to be slow.
_LONGEST: Final = 20.0


@dataclass(frozen=True)
class Request:
    """What the server received.

    number: from 0, in the order of arrival. headers: names in small letters.
    """

    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def said(self) -> str:
        """The text of the last message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Act:
    """What is done with one request.

    told: so many bytes of the body are sent; all where it is None. seconds: waited
    before the body; None: until the server is closed or the client goes. silent: the connection
    is closed without a word.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    told: int | None = None
    seconds: float | None = 0.0
    silent: bool = False


Script = Act | Sequence[Act] | Callable[[Request], Act]


# --- acts ---------------------------------------------------------------------------------------


def _completion(choices: Sequence[Mapping[str, Any]], usage: tuple[int, int] | None) -> Act:
    told: dict[str, Any] = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "stub",
        "choices": choices,
    }  # fmt: skip
    if usage is not None:
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        told["usage"] = dict(zip(names, (*usage, sum(usage)), strict=True))
    return Act(body=json.dumps(told).encode())


def _call(number: int, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"call_{number}", "type": "function", "function": function}


def says(
    text: str | None = "hello",
    finish: str = "stop",
    *,
    calls: Sequence[tuple[str, Mapping[str, Any]]] = (),
    usage: tuple[int, int] | None = (7, 3),
    **more: Any,
) -> Act:
    """Answer; calls: name and arguments of native calls; more: further fields of the message."""
    message: dict[str, Any] = {"role": "assistant", "content": text, **more}
    if calls:
        message["tool_calls"] = [_call(number, *call) for number, call in enumerate(calls)]
    return _completion([{"index": 0, "message": message, "finish_reason": finish}], usage)


def no_choices() -> Act:
    """Answer with success and no choice."""
    return _completion([], (7, 0))


def cut(text: str = "I was about to") -> Act:
    """Answer as one that ran into its length."""
    return says(text, "length")


def filtered() -> Act:
    """Answer as one whose text the provider's filter took away."""
    return says("", "content_filter")


def refused() -> Act:
    """Answer with a refusal apart from the content."""
    return says(None, refusal="I can't help with that.")


def busy(retry_after: str | None = None) -> Act:
    """Say 429; retry_after: seconds or a date, as the header has it."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return replace(fails(429, "Rate limit reached"), headers=headers)


def fails(status: int = 500, message: str = "The server had an error", code: str = "x") -> Act:
    """Say an error."""
    told = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return Act(status, json.dumps(told).encode())


def overflow() -> Act:
    """Say that the question is longer than the context."""
    told = "This model's maximum context length is 8192 tokens. Your messages have 9000 tokens."
    return fails(400, told, "context_length_exceeded")


def wrong_key() -> Act:
    """Say that the key is wrong, and echo it as providers do; `{key}` is put in by the server."""
    return fails(401, "Incorrect API key provided: {key}.", "invalid_api_key")


def unknown_model() -> Act:
    """Say that there is no such model."""
    return fails(404, "The model `x` does not exist.", "model_not_found")


def garbage() -> Act:
    """Answer with success and what is no JSON."""
    return Act(body=b"<html>Bad gateway</html>")


def truncated() -> Act:
    """Promise a whole answer and close the connection in its middle."""
    return replace(says("hello"), told=40)


def dropped() -> Act:
    """Close the connection without a word."""
    return Act(silent=True)


def slow(seconds: float | None = None) -> Act:
    """Send the head of an answer, and its body late or never."""
    return replace(says("late"), seconds=seconds)


# What a repeat mends, each in a form that needs no waiting.
TROUBLES: Final[Sequence[Act]] = (
    busy("0"), busy("Thu, 01 Jan 1970 00:00:00 GMT"), fails(500), fails(503), garbage(),
    truncated(), dropped(),
)  # fmt: skip


def troubled(script: Script, seed: int, share: float = 0.4, in_a_row: int = 3) -> Script:
    """Do what a script says, but meet a share of requests with one of TROUBLES.

    Drawn from the seed, what is asked, and how often it was asked before: the order in which
    requests arrive changes nothing. Nobody meets trouble more than so many times in a row.
    """
    seen: Counter[str] = Counter()
    lock = threading.Lock()
    play = _played(script)

    def act(request: Request) -> Act:
        asked = canonical.digest(dict(request.body))
        with lock:
            times = seen[asked]
            seen[asked] += 1
        drawn = generator(seed, asked, str(times))
        if times < in_a_row and drawn.random() < share:
            return TROUBLES[int(drawn.random() * len(TROUBLES))]
        return play(request)

    return act


# --- the server ---------------------------------------------------------------------------------


class Provider:
    """A server at work. base: its address for clients. requests: what it received, in order."""

    def __init__(self, script: Script, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}/v1"
        self.requests: list[Request] = []
        self.script = script
        self.closed = threading.Event()
        self._lock = threading.Lock()

    def act(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Act:
        """Note a request and say what is done with it."""
        with self._lock:
            request = Request(len(self.requests), body, headers)
            self.requests.append(request)
        return _played(self.script)(request)


@contextmanager
def provider(script: Script | None = None, *, keep_alive: bool = False) -> Iterator[Provider]:
    """Serve a script until the block ends; without one, "hello" is the answer to everything.

    keep_alive: connections stay open for the next request, as real ones do.
    """
    kind = _Lasting if keep_alive else _Handler
    with _Server(("127.0.0.1", 0), kind) as httpd:
        server = Provider(says() if script is None else script, httpd.server_port)
        httpd.provider = server
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.closed.set()
            httpd.shutdown()
            thread.join()


def _played(script: Script) -> Callable[[Request], Act]:
    if isinstance(script, Act):
        return lambda _: script
    if callable(script):
        return script
    return lambda request: script[min(request.number, len(script) - 1)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    provider: Provider

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        served = self.server.provider
        read = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        act = served.act(json.loads(read), headers)
        if act.silent:
            self.close_connection = True
            return
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        body = act.body.replace(b"{key}", key.encode())
        self.send_response(act.status)
        for name, value in act.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if act.seconds != 0 and served.closed.wait(act.seconds or _LONGEST):
            return
        self.wfile.write(body[: act.told])
        self.close_connection = self.close_connection or act.told is not None

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class _Lasting(_Handler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
