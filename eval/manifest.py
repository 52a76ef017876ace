"""run.json: what a run declares before it starts, and whether a folder holds that very run."""

import argparse
import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eval.journal import cut_torn_line, sweep
from eval.results import ANSWERS, ATTEMPTS, MANIFEST, PLAYED, RESULTS, SCHEMA, read_run
from eval.selection import Selection
from trajectory.files import InputError, write_json

# What differs between two runs without making them two.
_UNCOMPARED: Final = frozenset(("started",))
_ELSEWHERE: Final = "take another --out, or the settings of that run"


def manifest(
    options: argparse.Namespace, selection: Selection, asked: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what is declared; asked: how a model is asked, nothing for a scripted planner."""
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    agent = f"model:{options.model}" if options.model else f"scripted:{options.agent}"
    shard = {"shard": str(options.shard)} if options.shard else {}
    return {
        "schema": SCHEMA,
        "agent": agent,
        "task": "replan" if options.replan_only else "recovery",
        **selection.manifest(),
        "samples": options.samples,
        "parameters": {},
        "prompts": {},
        **asked,
        **shard,
        "code_version": code_version(),
        "started": now,
    }


def code_version() -> str:
    """Return the version of this code."""
    import tomllib

    text = (Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def take_up(folder: Path, declared: Mapping[str, Any]) -> int:
    """Begin a run, or take up the one that is there; return the bytes that a crash had torn.

    The folder is locked. Raises InputError where it holds another run, naming what differs.
    """
    file = folder / MANIFEST
    if file.is_file():
        require_same(read_run(folder).manifest or {}, declared, file)
    elif (folder / RESULTS).exists():
        raise InputError(f"{RESULTS} is here without a {MANIFEST}", file=folder, do=_ELSEWHERE)
    else:
        write_json(file, declared)
    sweep(folder)
    (folder / RESULTS).touch()
    return sum(cut_torn_line(folder / name) for name in (RESULTS, ANSWERS, PLAYED, ATTEMPTS))


def require_same(
    known: Mapping[str, Any],
    declared: Mapping[str, Any],
    file: Path,
    without: frozenset[str] = frozenset(),
) -> None:
    """Raise InputError on the first thing in which two manifests differ; without: keys left out."""
    for key in sorted({*declared, *known} - _UNCOMPARED - without):
        got, wanted = declared.get(key), known.get(key)
        if got != wanted:
            if key == "selection":
                got, wanted = (
                    f"{len(one['ids'])} instances" for one in (declared[key], known[key])
                )
            raise InputError(
                f"this folder holds a run with another {key}",
                file=file,
                got=got,
                wanted=wanted,
                do=_ELSEWHERE,
            )
