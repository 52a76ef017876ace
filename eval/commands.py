"""What the scoring commands share: their options, reading a run, and printing its figures."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trajectory import canonical, command

if TYPE_CHECKING:
    from eval.scoring import Figure, Table
    from eval.selection import Selection

STATIC_NOTE = (
    "These rows have no rounds: the executor carried each answer on unchanged. "
    "Such figures are called static and are not ranked."
)


def parser(module: str, doc: str | None, examples: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for a command that scores one run."""
    made = command.parser(module, doc, examples)
    made.add_argument("run", type=Path, help="a run folder, or a JSON Lines file of answers")
    add_options(made)
    return made


def add_options(made: argparse.ArgumentParser) -> None:
    """Add the options that say what a run, above all a bare file, is about; and --json."""
    made.add_argument("--level", choices=("level1", "level2"), help="for a file: its level")
    made.add_argument("--edition", choices=("release",), help="for a file: an imported edition")
    made.add_argument("--config", help="for a file: its config, instead of --level")
    made.add_argument("--split", default="test", help="for a file: its split (default test)")
    made.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    made.add_argument("--json", action="store_true", help="print the figures as JSON")


def selection_of(options: argparse.Namespace) -> "Selection":
    """Return the selection a run declares; a bare file's is a whole config and split."""
    from eval.results import read_run
    from eval.selection import Choice, declared, select
    from trajectory.files import InputError

    run = read_run(options.run)
    asked = _config(options)
    if run.manifest is not None:
        told = run.manifest["config"]
        if asked not in (None, told):
            raise InputError("the run is of another config", file=run.path, got=asked, wanted=told)
        return declared(run.manifest, options.data)
    if asked is None:
        raise InputError(
            "a bare file doesn't say what it answers",
            file=options.run,
            do="say --level level1 or level2, or --config NAME",
        )
    return select(Choice(asked, options.split, options.data))


def _config(options: argparse.Namespace) -> str | None:
    """Return the config that the options name, None where they name none."""
    if options.config is not None or options.level is None:
        return str(options.config) if options.config else None
    from eval.selection import config_of

    return config_of(options.level, options.edition)


def scored(options: argparse.Namespace, judge: str | None = None) -> "Table":
    """Read and score the run that was asked for; judge: whose judgements count."""
    from eval.results import read_run
    from eval.scoring import score

    return score(read_run(options.run), selection_of(options), judge)


def show(options: argparse.Namespace, table: "Table", found: "Sequence[Figure]") -> None:
    """Print figures of a run as a table or as JSON."""
    from eval.scoring import to_record

    if options.json:
        print(canonical.dumps([to_record(one, table) for one in found]))
    else:
        print(text(table, found))


def text(table: "Table", found: "Sequence[Figure]") -> str:
    """Return the report, and below it what is static and what could not be scored."""
    from eval.metrics import RUBRIC
    from eval.scoring import plain
    from eval.tables import head, report

    overall = [one for one in found if one.group == "all"]
    unknown = [one.metric for one in overall if one.strict is None]
    lines = [report(table, [one for one in found if one.metric not in unknown])]
    if any(one.metric.endswith("_static") for one in found):
        lines.append(STATIC_NOTE)
    if unknown:
        lines.append(f"not scored, for lack of a reference: {', '.join(map(head, unknown))}")
    lines += [
        f"{head(one.metric)}: {one.unscored} of {len(table.cells)} have no reference"
        for one in overall
        if one.unscored and one.metric not in unknown and plain(one.metric) not in RUBRIC
    ]
    return "\n".join(lines)


def one_metric(
    module: str, doc: str | None, metrics: Sequence[str], arguments: Sequence[str] | None
) -> int:
    """Run a command that prints some metrics; returns its exit code."""
    examples = (
        f"python -m {module} runs/carry_on",
        f"python -m {module} runs/carry_on --json",
        f"python -m {module} answers.jsonl --level level1",
    )
    options = parser(module, doc, examples).parse_args(arguments)
    table = scored(options)
    from eval.scoring import figures

    show(options, table, figures(table, metrics))
    return 0
