"""Run an agent over instances: its answer to each snapshot, and the recovery it leads to.

Writes a run folder: run.json, answers.jsonl (each answer on arrival), results.jsonl (one row per
instance and sample), attempts.jsonl (calls of a model that failed). A run that was stopped, killed
or out of budget is taken up where it was, inside a recovery too; a run with other settings does
not mix into the same folder.

--agent is a scripted planner; oracle (the listed repair), random_repair (random edits of its
kinds) and restart (the right plan anew) are told the truth, all others see what a model sees.
--model asks a model through litellm, with the key that the environment holds: once about the
snapshot, and again after every round until the response or 40 rounds.

Exit code: 0 when every row is there; 1 when some are still due (the provider could not be
reached, the budget is reached, the disk is full): run it again; 2 when the input is wrong, or the
provider refuses key, model or request; 130 when it was interrupted.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from eval.agents import Agent, NoAnswerError, Seen
from eval.journal import Journal, locked, order_lines, require_writable
from eval.manifest import manifest, take_up
from eval.options import options as read_options
from eval.planners import PLANNERS
from eval.results import ANSWERS, ATTEMPTS, RESULTS, Key, Noted, read_answers, read_run
from eval.running import HarnessError, Players, Row, Stop, StoppedError, rows, written_out
from eval.selection import Choice, Selection, config_of, read_ids, select
from models.trouble import SpentError, UnreachableError
from trajectory import canonical, command
from trajectory.instance import Instance

if TYPE_CHECKING:
    from eval.asking import Spent
    from models.budget import Budget

_INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = read_options(__doc__, arguments)
    if not options.dry_run:
        require_writable(options.out)
    selection = select(_choice(options))
    with ExitStack() as stack:
        players = _players(options, selection, stack)
        if options.dry_run:
            from eval.asked import dry_run

            print(dry_run(options, selection))
            return 0
        folder: Path = options.out
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            report = _run(folder, manifest(options, selection, players.asked), selection, players)
    if options.json:
        print(canonical.dumps(report))
    print(_said(report), file=sys.stderr)
    if report["stopped"] == "interrupted":
        return _INTERRUPTED
    return 1 if report["due"] else 0


def _choice(options: argparse.Namespace) -> Choice:
    return Choice(
        config=options.config or config_of(options.level, options.edition),
        split=options.split,
        data=options.data,
        limit=options.limit,
        ids=None if options.ids is None else read_ids(options.ids),
        error_type=options.error_type,
        source=options.source,
        shard=options.shard,
    )


def _players(options: argparse.Namespace, selection: Selection, stack: ExitStack) -> Players:
    if options.model:
        from eval.asked import players

        return players(options, selection, stack)
    planner = PLANNERS[options.agent]
    return Players(lambda instance, sample, note: planner(instance))


def _run(
    folder: Path, declared: Mapping[str, Any], selection: Selection, players: Players
) -> dict[str, Any]:
    """Write the rows that are still due into a locked folder; return what was done."""
    cut = take_up(folder, declared)
    keys = [(id, sample) for id in selection.ids for sample in range(declared["samples"])]
    done = _done(folder, frozenset(keys))
    due = [key for key in keys if key not in done]
    stop = Stop()
    with (
        Journal(folder / RESULTS) as results,
        Journal(folder / ANSWERS) as answers,
        Journal(folder / ATTEMPTS) as attempts,
    ):
        desk = _Desk(
            selection=selection,
            players=players,
            results=results,
            answers=answers,
            attempts=attempts,
            noted=_noted(folder, frozenset(due)),
            replan_only=declared["task"] == "replan",
            stop=stop,
        )
        made = 0
        try:
            for _, row in _shown(rows(due, desk.make, players.workers, stop), len(keys), len(done)):
                made += row is not None
        finally:
            written_out((results, answers, attempts))
    if not (folder / ATTEMPTS).stat().st_size:
        (folder / ATTEMPTS).unlink()
    order_lines(folder / RESULTS, {row.line: row.key for row in read_run(folder).rows()})
    return {
        "run": str(folder),
        "rows": len(keys),
        "new": made,
        "skipped": len(done),
        "due": len(due) - made,
        "bytes_cut": cut,
        "stopped": stop.reason,
        "trouble": stop.trouble,
        "spent": _spent(players.budget),
    }


def _spent(budget: "Budget | None") -> dict[str, Any] | None:
    """Return what this start of the run used and cost; null where nobody told of some call."""
    if budget is None:
        return None
    return {
        "calls": budget.calls,
        "tokens": None if budget.uncounted else budget.tokens,
        "cost": None if budget.unpriced else round(budget.cost, 6),
    }


@dataclass
class _Desk:
    """Where rows are made: each by its agent, each answer noted as it arrives."""

    selection: Selection
    players: Players
    results: Journal
    answers: Journal
    attempts: Journal
    noted: Mapping[Key, Mapping[int, Noted]]
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
        place = self.players.place(instance, start) if self.players.place else None
        try:
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
        id, sample = key

        def note(attempt: Mapping[str, Any]) -> None:
            self.attempts.append({"id": id, "sample": sample, **attempt})

        return self.players.agent_for(instance, sample, note)

    def _go_on(self) -> None:
        if self.stop.is_set:
            raise StoppedError

    def _go_on_only_with_room(self) -> None:
        held = next((one for one in (self.results, self.answers, self.attempts) if one.held), None)
        if held is not None:
            self.stop.now(held.problem)

    def asked(self, agent: Agent, seen: Seen, later: int) -> str | None:
        """Ask an agent, unless the run is stopped."""
        self._go_on()
        return agent.answer(seen, later)

    def note(self, key: Key, round_: int, text: str, failure: str | None, spent: "Spent") -> None:
        """Note an answer as it arrives; without room for it no new call is started."""
        line: Row = {"id": key[0], "sample": key[1], "round": round_, "raw_output": text}
        if failure is not None:
            line["failure"] = failure
        if spent is not None:
            line |= {"usage": {"prompt": spent[0], "completion": spent[1]}, "cost": spent[2]}
        self.answers.append(line)
        self._go_on_only_with_room()


class _Journaled:
    """An agent whose answers are noted as they arrive; it is not asked for a noted one again.

    r_pre: rounds before its first answer. spent: on each answer so far, noted ones too.
    """

    def __init__(self, desk: _Desk, agent: Agent, key: Key, r_pre: int) -> None:
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


def _row(key: Key, row: Mapping[str, Any], spent: "Sequence[Spent]", seconds: float) -> Row:
    from eval.asking import cost_of, usage_of

    id, sample = key
    used = {"usage": usage_of(spent), "cost": cost_of(spent), "seconds": round(seconds, 3)}
    return {"id": id, "sample": sample, **row, **used}


def _done(folder: Path, keys: frozenset[Key]) -> frozenset[Key]:
    """Return what has a row already; raises InputError on a row that nobody asked for."""
    done = set()
    for row in read_run(folder).rows():
        if row.key not in keys:
            raise row.wrong(
                f"sample {row.sample} of it is no part of this run", do="remove the row"
            )
        done.add(row.key)
    return frozenset(done)


def _noted(folder: Path, due: frozenset[Key]) -> dict[Key, dict[int, Noted]]:
    """Return the answers that were noted without a row: key → round → answer."""
    noted: dict[Key, dict[int, Noted]] = {}
    for one in read_answers(folder):
        if one.key in due:
            noted.setdefault(one.key, {})[one.round] = one
    return noted


def _shown(made: Iterator[tuple[Key, Row | None]], total: int, done: int) -> Any:
    """Return what is made, with a bar on a terminal."""
    from tqdm import tqdm

    return tqdm(made, total=total, initial=done, unit="row", disable=None, file=sys.stderr)


def _said(report: Mapping[str, Any]) -> str:
    cut = (
        f"; {report['bytes_cut']} bytes of a torn line were cut off" if report["bytes_cut"] else ""
    )
    spent, cost = report["spent"], ""
    if spent is not None:
        dollars = "unknown" if spent["cost"] is None else f"${spent['cost']:.4f}"
        tokens = "unknown" if spent["tokens"] is None else spent["tokens"]
        cost = f"; {spent['calls']} calls, tokens {tokens}, cost {dollars}"
    if report["due"]:
        told = report["stopped"] or report["trouble"]
        why = f" ({told})" if told else ""
        return (
            f"{report['new']} rows written to {report['run']}, {report['skipped']} were there "
            f"already, {report['due']} are still due{why}: run it again{cost}{cut}"
        )
    if not report["new"]:
        return f"nothing to do: all {report['rows']} rows are in {report['run']}{cut}"
    return (
        f"{report['new']} rows written to {report['run']}, {report['skipped']} were there already, "
        f"{report['rows']} in all{cost}{cut}"
    )


if __name__ == "__main__":
    command.run(main)
