"""Let models judge the answers of a run by the SDE rubric: structure, diagnosis, evolution.

Asks three questions a row about 13 items of 0, 0.5 or 1. The judge sees request, tools, previous
plan, results, thought and updated plan, and nothing of the truth. Writes a file of its own into
the run folder for each judge (judgements-NAME.jsonl): scores, reasons, raw answers, usage, cost,
prompts by digest. Stopped, it goes on where it was. What can't be read is asked again, then
unscored, never 0; answers without a plan have 0 in every item, and nothing is asked. eval.score
shows what comes of it.

--with-reference shows the judge the proven cause and repair: another rater, in another file.

Exit code: 0 when every row is judged; 1 when some are still due (run it again); 2 when the input
is wrong or the provider refuses; 130 when it was interrupted.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.judging.options import add_judges, judges
from eval.options import positive
from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from eval.judging.desk import Judged
    from eval.results import Run
    from eval.selection import Selection

_EXAMPLES = (
    "python -m eval.sde runs/carry_on --judge openai/gpt-4o-mini --limit 5 --dry-run",
    "python -m eval.sde --help",
)
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = command.parser("eval.sde", __doc__, _EXAMPLES)
    parser.add_argument("run", type=Path, help="a run folder")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--limit", type=positive, help="only so many instances, chosen by hash")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    add_judges(parser)
    options = parser.parse_args(arguments)
    if not options.judge:
        parser.error("give --judge, the model that judges")
    run, selection = _read(options)
    if options.dry_run:
        print(_preview(options, run, selection))
        return 0
    reports = _judge(options, run, selection)
    if options.json:
        print(canonical.dumps(reports))
    for one in reports:
        print(said(one), file=sys.stderr)
    if any(one["stopped"] == "interrupted" for one in reports):
        return _INTERRUPTED
    return 1 if any(one["due"] for one in reports) else 0


def _read(options: argparse.Namespace) -> "tuple[Run, Selection]":
    from eval.results import read_run
    from eval.selection import declared

    run = read_run(options.run)
    if run.manifest is None:
        raise InputError("not a run folder", file=options.run, do="judge what eval.run wrote")
    return run, declared(run.manifest, options.data)


def _answers(
    options: argparse.Namespace, run: "Run", selection: "Selection"
) -> "dict[tuple[str, int], Judged]":
    """Return the answers to judge, by (id, sample)."""
    from eval.judging.desk import Judged

    chosen = sorted(selection.ids, key=canonical.text_digest)[: options.limit]
    ids = frozenset(chosen)
    return {
        row.key: Judged(row.id, row.sample, row.raw_output, row.gave_none)
        for row in run.rows()
        if row.id in ids
    }


def _preview(options: argparse.Namespace, run: "Run", selection: "Selection") -> str:
    from eval.judging.preview import preview

    answers = list(_answers(options, run, selection).values())
    told = [
        preview(selection.shelf, one, answers, options.repeats, reference=options.with_reference)
        for one, _ in judges(options)
    ]
    return "\n\n".join(told)


def _judge(
    options: argparse.Namespace, run: "Run", selection: "Selection"
) -> list[Mapping[str, Any]]:
    """Let each judge judge what is due, one after the other, until one is stopped."""
    from eval.asking import Asker
    from eval.journal import locked, require_writable
    from eval.judging.desk import Desk
    from eval.judging.records import file_name

    require_writable(run.path)
    answers = _answers(options, run, selection)
    reports: list[Mapping[str, Any]] = []
    with locked(run.path), Asker() as asker:
        for judge, asked in judges(options):
            desk = Desk(
                selection.shelf, judge, asked, asker, answers, reference=options.with_reference
            )
            file = run.path / file_name(asked.rater)
            reports.append(desk.judge_all(file, options.repeats, options.concurrency))
            if desk.stop.is_set:
                break
    return reports


def said(report: Mapping[str, Any]) -> str:
    """Return one line of what a judge did."""
    done = (
        f"{report['judge']}: {report['new']} judgements written to {report['file']}, "
        f"{report['skipped']} were there already, {report['unscored']} items unscored"
    )
    parts = [done]
    why = report["stopped"] or report["trouble"]
    if report["due"]:
        parts.append(f"{report['due']} still due{f' ({why})' if why else ''}: run it again")
    if report["bytes_cut"]:
        parts.append(f"{report['bytes_cut']} bytes of a torn line were cut off")
    return "; ".join(parts)


if __name__ == "__main__":
    command.run(main)
