"""Run an agent over instances: its answer to each snapshot, and the recovery it leads to.

Writes a run folder: run.json, answers.jsonl (each answer on arrival), results.jsonl (one row per
instance and sample). A run that was stopped is taken up where it was; a run with other settings
does not mix into the same folder.

The agents are scripted planners. oracle (the listed repair), random_repair (random edits of its
kinds) and restart (the right plan anew) are told the truth; all others see what a model sees.
"""

import argparse
import datetime
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from eval.agents import Agent, Seen
from eval.journal import Journal, cut_torn_line, locked, order_lines, require_writable, sweep
from eval.planners import PLANNERS
from eval.results import ANSWERS, MANIFEST, RESULTS, SCHEMA, Key, read_answers, read_run
from eval.selection import Choice, Selection, config_of, read_ids, select
from trajectory import canonical, command
from trajectory.error_types import ErrorType
from trajectory.files import InputError, write_json
from trajectory.instance import Instance

LEVELS: Final = ("level1", "level2")
SOURCES: Final = ("rollout", "augmented")

_EXAMPLES = (
    "python -m eval.run --agent carry_on --level level1 --out runs/carry_on",
    "python -m eval.run --agent blind_retry --level level2 --limit 5 --out runs/few",
    "python -m eval.run --agent oracle --level level2 --out runs/oracle",
    "python -m eval.run --agent carry_on --edition release --level level1 --out runs/release",
)

# What differs between two runs without making them two.
_UNCOMPARED: Final = frozenset(("started",))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    folder: Path = options.out
    require_writable(folder)
    selection = select(_choice(options))
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        report = _run(folder, _manifest(options, selection), selection, PLANNERS[options.agent])
    if options.json:
        print(canonical.dumps(report))
    print(_said(report), file=sys.stderr)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("eval.run", __doc__, _EXAMPLES)
    parser.add_argument(
        "--agent", required=True, choices=sorted(PLANNERS), help="a scripted planner"
    )
    parser.add_argument("--out", required=True, type=Path, help="folder of the run")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--level", choices=LEVELS, default="level1", help="default level1")
    which.add_argument("--config", help="any config of the dataset, instead of --level")
    parser.add_argument("--edition", choices=("release",), help="an imported edition of the level")
    parser.add_argument("--split", default="test", help="default test")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--limit", type=_positive, help="only so many instances, chosen by hash")
    parser.add_argument("--ids", help="ids separated by commas, or a file with one a line")
    parser.add_argument(
        "--error-type",
        choices=[one.value for one in ErrorType],
        metavar="TYPE",
        help="only instances that have this error type among their labels",
    )
    parser.add_argument("--source", choices=SOURCES, help="only instances of this source")
    parser.add_argument(
        "--samples", type=_positive, default=1, help="answers per instance (default 1)"
    )
    parser.add_argument("--replan-only", action="store_true", help="one answer, no recovery")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    options = parser.parse_args(arguments)
    if options.config and options.edition:
        parser.error("--edition says which config of a level; --config says it already")
    return options


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"wanted a number from 1 on, got {text!r}")
    return int(text)


def _choice(options: argparse.Namespace) -> Choice:
    return Choice(
        config=options.config or config_of(options.level, options.edition),
        split=options.split,
        data=options.data,
        limit=options.limit,
        ids=None if options.ids is None else read_ids(options.ids),
        error_type=options.error_type,
        source=options.source,
    )


def _manifest(options: argparse.Namespace, selection: Selection) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {
        "schema": SCHEMA,
        "agent": f"scripted:{options.agent}",
        "task": "replan" if options.replan_only else "recovery",
        **selection.manifest(),
        "samples": options.samples,
        "parameters": {},
        "prompts": {},
        "code_version": _code_version(),
        "started": now,
    }


def _code_version() -> str:
    import tomllib

    text = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def _run(
    folder: Path,
    manifest: Mapping[str, Any],
    selection: Selection,
    agent_for: Callable[[Instance], Agent],
) -> dict[str, Any]:
    """Write the rows that are still due into a locked folder; return what was done."""
    from environment import opening
    from eval.recovery import recover

    cut = _take_up(folder, manifest)
    keys = [(id, sample) for id in selection.ids for sample in range(manifest["samples"])]
    done = _done(folder, frozenset(keys))
    due = [key for key in keys if key not in done]
    noted = _noted(folder, frozenset(due))
    with Journal(folder / RESULTS) as results, Journal(folder / ANSWERS) as answers:
        for key in _shown(due, len(done)):
            instance = selection.shelf[key[0]]
            started = time.perf_counter()
            start = opening.start(instance)
            agent = _Journaled(agent_for(instance), key, start.rounds, answers, noted.get(key, {}))
            row = recover(instance, start, agent, replan_only=manifest["task"] == "replan")
            results.append(_row(key, row, time.perf_counter() - started))
    _order(folder)
    return {
        "run": str(folder),
        "rows": len(keys),
        "new": len(due),
        "skipped": len(done),
        "bytes_cut": cut,
    }


def _take_up(folder: Path, manifest: Mapping[str, Any]) -> int:
    """Begin a run, or take up the one that is there; return the bytes that a crash had torn.

    Raises InputError where the folder holds another run, naming what differs.
    """
    file = folder / MANIFEST
    if file.is_file():
        _require_same(read_run(folder).manifest or {}, manifest, file)
    elif (folder / RESULTS).exists():
        raise InputError(f"{RESULTS} is here without a {MANIFEST}", file=folder, do=_ELSEWHERE)
    else:
        write_json(file, manifest)
    sweep(folder)
    (folder / RESULTS).touch()
    return sum(cut_torn_line(folder / name) for name in (RESULTS, ANSWERS))


_ELSEWHERE: Final = "take another --out, or the settings of that run"


def _require_same(known: Mapping[str, Any], manifest: Mapping[str, Any], file: Path) -> None:
    for key in sorted({*manifest, *known} - _UNCOMPARED):
        got, wanted = manifest.get(key), known.get(key)
        if got != wanted:
            if key == "selection":
                got, wanted = (
                    f"{len(one['ids'])} instances" for one in (manifest[key], known[key])
                )
            raise InputError(
                f"this folder holds a run with another {key}",
                file=file,
                got=got,
                wanted=wanted,
                do=_ELSEWHERE,
            )


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


def _noted(folder: Path, due: frozenset[Key]) -> dict[Key, dict[int, str]]:
    """Return the answers that were noted without a row: key → round → text."""
    noted: dict[Key, dict[int, str]] = {}
    for one in read_answers(folder):
        if one.key in due:
            noted.setdefault(one.key, {})[one.round] = one.raw_output
    return noted


def _shown(due: Sequence[Key], done: int) -> Iterable[Key]:
    """Return what is due, with a bar on a terminal."""
    from tqdm import tqdm

    total = done + len(due)
    bar: Iterable[Key] = tqdm(
        due, total=total, initial=done, unit="row", disable=None, file=sys.stderr
    )
    return bar


class _Journaled:
    """An agent whose answers are noted as they arrive; it is not asked for a noted one again.

    r_pre: rounds before its first answer. noted: round → answer, from a run that was stopped.
    """

    def __init__(
        self, agent: Agent, key: Key, r_pre: int, answers: Journal, noted: Mapping[int, str]
    ) -> None:
        self._agent = agent
        self._key = key
        self._r_pre = r_pre
        self._answers = answers
        self._noted = noted

    def answer(self, seen: Seen, later: int) -> str | None:
        """Return the noted answer, else the agent's, and note that."""
        round_ = self._r_pre + 1 + later
        if round_ in self._noted:
            return self._noted[round_]
        text = self._agent.answer(seen, later)
        if text is not None:
            id, sample = self._key
            self._answers.append({"id": id, "sample": sample, "round": round_, "raw_output": text})
        return text


def _row(key: Key, row: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    id, sample = key
    spent = {"usage": None, "cost": None, "seconds": round(seconds, 3)}
    return {"id": id, "sample": sample, **row, **spent}


def _order(folder: Path) -> None:
    """Order the rows by id and sample."""
    order_lines(folder / RESULTS, {row.line: row.key for row in read_run(folder).rows()})


def _said(report: Mapping[str, Any]) -> str:
    cut = (
        f"; {report['bytes_cut']} bytes of a torn line were cut off" if report["bytes_cut"] else ""
    )
    if not report["new"]:
        return f"nothing to do: all {report['rows']} rows are in {report['run']}{cut}"
    return (
        f"{report['new']} rows written to {report['run']}, {report['skipped']} were there already, "
        f"{report['rows']} in all{cut}"
    )


if __name__ == "__main__":
    command.run(main)
