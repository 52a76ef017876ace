"""Where the rows of a run are made: each by its agent, each answer noted as it arrives."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from eval.agents import Agent, NoAnswerError, Seen
from eval.journal import Journal
from eval.results import Key, Noted
from eval.running import HarnessError, Players, Row, Stop, StoppedError
from eval.selection import Selection
from eval.spending import Spent
from models.trouble import SpentError, UnreachableError
from trajectory.instance import Instance

if TYPE_CHECKING:
    from environment.executor import Environment, Start
    from models.client import Note


@dataclass
class Desk:
    """Makes rows.

    noted: answers of rows that are not there yet, by round. said: what the model that plays the
    tools said for such rows, in order.
    """

    selection: Selection
    players: Players
    results: Journal
    answers: Journal
    played: Journal
    attempts: Journal
    noted: Mapping[Key, Mapping[int, Noted]]
    said: Mapping[Key, Sequence[str]]
    replan_only: bool
    stop: Stop
    _reading: Lock = field(default_factory=Lock)

    def make(self, key: Key) -> Row:
        """Make and write one row; raises StoppedError or HarnessError where it stays due."""
        from environment import opening
        from eval.recovery import recover

        self._go_on()
        with self._reading:
            instance = self.selection.shelf[key[0]]
        started = time.perf_counter()
        start = opening.start(instance)
        agent = _Journaled(self, self._agent(instance, key), key, start.rounds)
        try:
            place = self._place(instance, start, key)
            row = recover(instance, start, agent, place, replan_only=self.replan_only)
        except UnreachableError as error:
            raise HarnessError(str(error)) from None
        except SpentError as error:
            self.stop.now(str(error))
            raise StoppedError from None
        row = _row(key, row, agent.spent, time.perf_counter() - started)
        self.results.append(row)
        self._go_on_only_with_room()
        return row

    def _agent(self, instance: Instance, key: Key) -> Agent:
        return self.players.agent_for(instance, key[1], self._sink(key))

    def _sink(self, key: Key) -> "Note":
        def note(attempt: Mapping[str, Any]) -> None:
            self.attempts.append({**_of(key), **attempt})

        return note

    def _place(self, instance: Instance, start: "Start", key: Key) -> "Environment | None":
        """Return where calls run, if not in the instance's own environment."""
        if self.players.place is None:
            return None
        said = iter(self.said.get(key, ()))

        def once(ask: Callable[[], tuple[str, Spent]]) -> str:
            known = next(said, None)
            if known is not None:
                return known
            self._go_on()
            text, spent = ask()
            self.played.append({**_of(key), "raw_output": text, **_used(spent)})
            self._go_on_only_with_room()
            return text

        return self.players.place(instance, start, once, self._sink(key))

    def _go_on(self) -> None:
        if self.stop.is_set:
            raise StoppedError

    def _go_on_only_with_room(self) -> None:
        journals = (self.results, self.answers, self.played, self.attempts)
        held = next((one for one in journals if one.held), None)
        if held is not None:
            self.stop.now(held.problem)

    def asked(self, agent: Agent, seen: Seen, later: int) -> str | None:
        """Ask an agent, unless the run is stopped."""
        self._go_on()
        return agent.answer(seen, later)

    def note(self, key: Key, round_: int, text: str, failure: str | None, spent: Spent) -> None:
        """Note an answer as it arrives; without room for it no new call is started."""
        failed = {} if failure is None else {"failure": failure}
        line = {**_of(key), "round": round_, "raw_output": text, **failed, **_used(spent)}
        self.answers.append(line)
        self._go_on_only_with_room()


class _Journaled:
    """An agent whose answers are noted as they arrive; it is not asked for a noted one again.

    r_pre: rounds before its first answer. spent: on each answer so far, noted ones too.
    """

    def __init__(self, desk: Desk, agent: Agent, key: Key, r_pre: int) -> None:
        self._desk = desk
        self._agent = agent
        self._key = key
        self._r_pre = r_pre
        self._noted = desk.noted.get(key, {})
        self.spent: list[Spent] = []

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return the noted answer, else the agent's, and note that."""
        round_ = self._r_pre + 1 + later
        known = self._noted.get(round_)
        if known is not None:
            self.spent.append(known.spent)
            if known.failure is not None:
                raise NoAnswerError(known.raw_output, known.failure)
            return known.raw_output
        try:
            text = self._desk.asked(self._agent, seen, later)
        except NoAnswerError as error:
            self._note(round_, error.text, error.reason)
            raise
        if text is not None:
            self._note(round_, text, None)
        return text

    def _note(self, round_: int, text: str, failure: str | None) -> None:
        spent: Spent = getattr(self._agent, "spent", None)
        self.spent.append(spent)
        self._desk.note(self._key, round_, text, failure, spent)


def _row(key: Key, row: Mapping[str, Any], spent: Sequence[Spent], seconds: float) -> Row:
    from eval.asking import cost_of, usage_of

    used = {"usage": usage_of(spent), "cost": cost_of(spent), "seconds": round(seconds, 3)}
    return {**_of(key), **row, **used}


def _of(key: Key) -> Row:
    return {"id": key[0], "sample": key[1]}


def _used(spent: Spent) -> Row:
    if spent is None:
        return {}
    return {"usage": {"prompt": spent[0], "completion": spent[1]}, "cost": spent[2]}
