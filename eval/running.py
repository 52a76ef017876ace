"""The rows of a run, made one by one or many at once, and how a run ends before its end.

Workers are threads: a model's answers are waited for, and executions cost milliseconds. What
stops a run lets calls in flight end and notes their answers; no new call is started.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, Final, TypeVar

from eval.agents import Agent
from eval.journal import Journal
from eval.spending import Spent
from trajectory.files import InputError
from trajectory.instance import Instance

if TYPE_CHECKING:
    from environment.executor import Environment, Start
    from models.budget import Budget
    from models.client import Note

Row = dict[str, Any]
# Returns what a question brings: asked, or as it was noted before.
Once = Callable[[Callable[[], tuple[str, Spent]]], str]
# Of a row: (id, sample), and what else tells rows apart.
K = TypeVar("K", bound=tuple[object, ...])

# So often a full disk is tried again.
_AGAIN_SECONDS: Final = 1.0


class StoppedError(Exception):
    """The run was stopped before this row could be made; it is due again."""


class HarnessError(Exception):
    """What a repeat can mend kept this row from being made; the text says what."""


@dataclass
class Stop:
    """Whether and why no new call is to be started.

    trouble: what last kept a row from being made.
    """

    reason: str = ""
    trouble: str = ""
    _event: Event = field(default_factory=Event)

    def now(self, reason: str) -> None:
        """Stop, for the first reason that is given."""
        if not self._event.is_set():
            self.reason = reason
            self._event.set()

    @property
    def is_set(self) -> bool:
        """Whether the run is stopped."""
        return self._event.is_set()


@dataclass(frozen=True)
class Players:
    """Who plays a run.

    agent_for: of an instance and sample; told of the sink for failed attempts. place: where calls
    run, None for the instance's own environment; `Once` asks for what was not said before. asked:
    what run.json says of it. workers: threads that make rows; 0: they are made in this thread.
    """

    agent_for: "Callable[[Instance, int, Note], Agent]"
    place: "Callable[[Instance, Start, Once, Note], Environment] | None" = None
    asked: Mapping[str, Any] = field(default_factory=dict)
    workers: int = 0
    budget: "Budget | None" = None


def rows(
    due: Sequence[K], make: Callable[[K], Row], workers: int, stop: Stop
) -> Iterator[tuple[K, Row | None]]:
    """Yield each key with its row as it is made; None where it was not made.

    workers: threads; 0: this one, which Ctrl-C ends at once. A permanent InputError of one row
    stops the rest and is raised at the end. Ctrl-C stops once
    calls in flight have ended; a second one raises at once.
    """
    wrong: list[InputError] = []
    if not workers:
        for key in due:
            if stop.is_set:
                break
            yield key, _made(partial(make, key), wrong, stop)
    else:
        yield from _at_once(iter(due), make, workers, stop, wrong)
    if wrong:
        raise wrong[0]


def _at_once(
    due: Iterator[K], make: Callable[[K], Row], workers: int, stop: Stop, wrong: list[InputError]
) -> Iterator[tuple[K, Row | None]]:
    with ThreadPoolExecutor(workers) as pool:
        flying: dict[Future[Row], K] = {}
        while True:
            try:
                while not stop.is_set and len(flying) < workers and (key := next(due, None)):
                    flying[pool.submit(make, key)] = key
                if not flying:
                    break
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    yield flying.pop(future), _made(future.result, wrong, stop)
            except KeyboardInterrupt:
                if stop.is_set:
                    _leave()
                stop.now("interrupted")
                print("waiting for calls in flight; Ctrl-C again leaves them", file=sys.stderr)


def _leave() -> None:
    """End the process with calls in flight; all that arrived is written already."""
    import os

    sys.stderr.flush()
    os._exit(130)


def _made(row: Callable[[], Row], wrong: list[InputError], stop: Stop) -> Row | None:
    try:
        return row()
    except InputError as error:
        wrong.append(error)
        stop.now(str(error))
    except HarnessError as error:
        stop.trouble = str(error)
    except StoppedError:
        pass
    return None


def written_out(journals: Sequence[Journal]) -> None:
    """Wait until all that is held is written; Ctrl-C gives it up, and says what is lost."""
    told = False
    while sum(not journal.flush() for journal in journals):
        if not told:
            held = sum(journal.held for journal in journals)
            problem = next(journal.problem for journal in journals if journal.held)
            print(
                f"{problem}: {held} lines are held; make room and they are written "
                "(Ctrl-C gives them up)",
                file=sys.stderr,
            )
            told = True
        time.sleep(_AGAIN_SECONDS)
