"""Run an agent over instances: its answer to each snapshot, and the recovery it leads to.

Writes a run folder: run.json, answers.jsonl (each answer on arrival), results.jsonl (one row per
instance and sample), attempts.jsonl (calls of a model that failed), played.jsonl (what a model said
that plays the tools). A run that was stopped, killed
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from eval.desk import Desk
from eval.journal import Journal, locked, order_lines, require_writable
from eval.manifest import manifest, take_up
from eval.options import options as read_options
from eval.planners import PLANNERS
from eval.results import ANSWERS, ATTEMPTS, PLAYED, RESULTS, Key, Noted, read_answers, read_run
from eval.running import Players, Row, Stop, rows, written_out
from eval.selection import Choice, Selection, config_of, read_ids, select
from trajectory import canonical, command

if TYPE_CHECKING:
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
    noted, said = _known(folder, frozenset(due), players.budget)
    with (
        Journal(folder / RESULTS) as results,
        Journal(folder / ANSWERS) as answers,
        Journal(folder / PLAYED) as played,
        Journal(folder / ATTEMPTS) as attempts,
    ):
        desk = Desk(
            selection=selection,
            players=players,
            results=results,
            answers=answers,
            played=played,
            attempts=attempts,
            noted=noted,
            said=said,
            replan_only=declared["task"] == "replan",
            stop=stop,
        )
        made = 0
        try:
            for _, row in _shown(rows(due, desk.make, players.workers, stop), len(keys), len(done)):
                made += row is not None
        finally:
            written_out((results, answers, played, attempts))
    for file in (folder / PLAYED, folder / ATTEMPTS):
        if not file.stat().st_size:
            file.unlink()
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
    """Return what the run used and cost up to here; null where nobody told of some call."""
    if budget is None:
        return None
    return {
        "calls": budget.calls,
        "tokens": None if budget.uncounted else budget.tokens,
        "cost": None if budget.unpriced else round(budget.cost, 6),
    }


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


def _known(
    folder: Path, due: frozenset[Key], budget: "Budget | None"
) -> tuple[dict[Key, dict[int, Noted]], dict[Key, list[str]]]:
    """Return the answers noted without a row, by key and round, and what the tools' model said.

    All that earlier starts of the run spent is counted to its budget.
    """
    noted: dict[Key, dict[int, Noted]] = {}
    said: dict[Key, list[str]] = {}
    for one in read_answers(folder):
        _count(one, budget)
        if one.key in due:
            noted.setdefault(one.key, {})[one.round] = one
    for one in read_answers(folder, PLAYED):
        _count(one, budget)
        if one.key in due:
            said.setdefault(one.key, []).append(one.raw_output)
    return noted, said


def _count(one: Noted, budget: "Budget | None") -> None:
    # A failure of which nobody told what it used brought no reply.
    if budget is None or (one.spent is None and one.failure is not None):
        return
    from models.replies import Usage

    if one.spent is None:
        budget.add(None, None)
    else:
        budget.add(Usage(*one.spent[:2]), one.spent[2])


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
