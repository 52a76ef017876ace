"""Calls per second of our client, against a bare loop over litellm in the same run.

    python benchmarks/calling.py [TURNS]

A server in a process of its own answers at once, then another after a second: our client and a bare
loop over litellm's acompletion ask it in turn. Printed are the calls per second of each turn, and
the ratio of the best turns. Wanted: a ratio of 0.9 with 32 questions at a time, and 55 calls per
second with 64 that take a second each. Other load on the machine says little about a ratio, and
much about calls per second.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from models.client import Client, Settings
from models.providers import litellm
from tests.models.provider import provider, says, slow

ROOT = Path(__file__).parents[1]
_NAME = "openai/stub"
_QUESTION = [{"role": "user", "content": "What now? " * 200}]
One = Callable[[], Awaitable[Any]]


def main(turns: int) -> None:
    """Measure and print."""
    os.environ.setdefault("OPENAI_API_KEY", "sk-none")
    for kind, at_once, calls in (("at once", 32, 800), ("after 1 s", 64, 640)):
        print(f"a server that answers {kind}, {at_once} questions at a time")
        with _server(kind) as base:
            asyncio.run(_measure(base, turns, calls, at_once))


async def _measure(base: str, turns: int, calls: int, at_once: int) -> None:
    """Let both ask in turn, the first in every second turn; print rates and their ratio."""

    def ours() -> One:
        client = Client(Settings(_NAME, base), concurrency=at_once)
        return lambda: client.ask(_QUESTION)

    def bare() -> One:
        return lambda: litellm().acompletion(
            model=_NAME, messages=_QUESTION, api_base=base, temperature=0.0, max_retries=0
        )

    pair = {"ours": ours, "bare": bare}
    for made in pair.values():
        await _per_second(made(), at_once, at_once)
    rates: dict[str, list[float]] = {name: [] for name in pair}
    for turn in range(turns):
        for name in pair if turn % 2 else reversed(pair):
            rates[name].append(await _per_second(pair[name](), calls, at_once))
    for name, found in rates.items():
        print(f"  {name}: {' '.join(f'{rate:.1f}' for rate in found)} calls/s")
    print(f"  ratio {max(rates['ours']) / max(rates['bare']):.2f}")


async def _per_second(one: One, calls: int, at_once: int) -> float:
    """Return the calls per second of so many workers that share so many calls."""
    left = iter(range(calls))

    async def work() -> None:
        for _ in left:
            await one()

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return calls / (time.perf_counter() - started)


@contextmanager
def _server(kind: str) -> Iterator[str]:
    """Serve from another process, as a real one doesn't share ours; yield its address."""
    command = [sys.executable, __file__, "--serve", kind]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def _serve(kind: str) -> None:
    """Serve until standard input ends."""
    act = slow(1.0) if kind == "after 1 s" else says("hello")
    with provider(act, keep_alive=True) as server:
        print(server.base, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        _serve(sys.argv[2])
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 4)
