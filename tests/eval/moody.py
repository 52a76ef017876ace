"""A provider whose answers a test gives as texts, and whose mood can change while it serves."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.models.provider import Act, Provider, Request, provider, says, troubled

Body = dict[str, Any]
Answer = Callable[[Body], str | Act]


class Moody:
    """answer: gives text or act for a request. mood: the act for all of them, where there is one.

    troubled: a seed by which requests meet what a repeat mends. seconds: that an answer takes.
    requests: bodies as they were received. most: how many were open at once.
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.mood: Act | None = None
        self.troubled: int | None = None
        self.seconds = 0.0
        self.requests: list[Body] = []
        self.open = self.most = 0
        self.url = ""
        self._lock = threading.Lock()

    def act(self, request: Request) -> Act:
        with self._lock:
            self.requests.append(dict(request.body))
            self.open += 1
            self.most = max(self.most, self.open)
        time.sleep(self.seconds)
        with self._lock:
            self.open -= 1
        if self.mood is not None:
            return self.mood
        if self.troubled is None:
            return self.said(request)
        play = self._played(self.troubled)
        return play(request)

    def said(self, request: Request) -> Act:
        given = self.answer(dict(request.body))
        return says(given) if isinstance(given, str) else given

    def _played(self, seed: int) -> Callable[[Request], Act]:
        if not hasattr(self, "_script"):
            self._script = troubled(self.said, seed, share=0.15, in_a_row=2)
        assert callable(self._script)
        return self._script


@contextmanager
def moody(answer: Answer) -> Iterator[Moody]:
    found = Moody(answer)
    server: Provider
    with provider(found.act) as server:
        found.url = server.base
        yield found
