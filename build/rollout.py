"""Let planners act in the environment, and make instances of the snapshots that hold errors.

Scripted planners err in ways of their own; of what they do only snapshots are taken in which the
labeller finds the errors that the planner knows of, and for which the proof holds. --agent
scripted:NAME lets one of them play alone. With --model a model plays instead, through litellm: its
key is taken from the environment, its answers cost money, and what it did wrong is known by the
labeller alone.

What was made is printed beside the published marginals; --out writes the instances as JSONL.

Exit code: 0 when all was made that was wanted; 1 when the tasks gave less; 2 when a planner is
unknown, a model can't be asked, or nothing can be written.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trajectory import canonical, command
from trajectory.files import InputError

if TYPE_CHECKING:
    from build.gold import Gold
    from build.rollouts.filling import Filling

_EXAMPLES = (
    "python -m build.rollout --count 40 --seed 7",
    "python -m build.rollout --agent scripted:careless --count 20 --out rollouts.jsonl",
    "python -m build.rollout --model openai/gpt-4o --count 4 --json",
)
_SCRIPTED: Final = "scripted"
# Tasks that are played at most for each instance that is wanted.
_TASKS: Final = 4
_OF_LEVEL_1: Final = 0.505


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.rollouts.filling import numbered
    from build.rollouts.report import report, said
    from trajectory.files import write_jsonl
    from trajectory.instance import to_record

    names = _names(options.agent)
    filling = _asked(options) if options.model else _scripted(options, names)
    made = numbered(filling.instances)
    found = report(made, filling.dropped, len(filling.ends))
    if options.out:
        write_jsonl(options.out, map(to_record, made))
    print(canonical.dumps(found) if options.json else said(found))
    return 0 if len(made) >= options.count else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.rollout", __doc__, _EXAMPLES)
    parser.add_argument(
        "--agent", default=_SCRIPTED, help="scripted (all planners), or scripted:NAME"
    )
    parser.add_argument("--model", metavar="NAME", help="let a model play, as litellm names it")
    parser.add_argument("--api-base", metavar="URL", help="of a model served by oneself")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="instances wanted (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of tasks and draws (1)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the instances there")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="processes (one per core)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    if options.count < 1 or options.processes < 1:
        parser.error("--count and --processes must be at least 1")
    if options.api_base and not options.model:
        parser.error("--api-base is used with --model")
    return options


def _names(agent: str) -> tuple[str, ...]:
    """Return the names of the planners that play; raises InputError for an unknown one."""
    from build.rollouts.planners import TEMPERS

    kind, _, name = agent.partition(":")
    if kind != _SCRIPTED or (name and name not in TEMPERS):
        known = ", ".join((_SCRIPTED, *(f"{_SCRIPTED}:{one}" for one in TEMPERS)))
        raise InputError("unknown agent", got=agent, wanted=known)
    return (name,) if name else tuple(TEMPERS)


def _tasks(options: argparse.Namespace) -> "Iterator[Gold]":
    from build.seeds.compose import Stream

    stream = Stream(options.seed, 1 if options.model else options.processes)
    return islice((one.gold for one in stream), _TASKS * options.count)


def _scripted(options: argparse.Namespace, names: Sequence[str]) -> "Filling":
    """Fill quotas of the wanted size; a planner that plays alone has no marginals to keep."""
    from tqdm import tqdm

    from build.rollouts.filling import Filling, Plays, fillings
    from build.rollouts.marginals import Quotas

    level1 = round(options.count * _OF_LEVEL_1)
    quotas = Quotas(level1, options.count - level1, bound=len(names) > 1)
    filling = Filling(quotas)
    with tqdm(total=options.count, unit="instance", disable=None, file=sys.stderr) as bar:
        plays = Plays(names)
        for filling in fillings(
            _tasks(options), quotas, options.seed, options.processes, plays=plays
        ):
            bar.update(len(filling.instances) - bar.n)
    return filling


def _asked(options: argparse.Namespace) -> "Filling":
    """Let a model play task by task until enough snapshots are proven."""
    from build.rollouts.filling import Filling, asked_for
    from build.rollouts.marginals import Quotas
    from models.client import Model

    filling = Filling(Quotas(options.count, options.count, bound=False))
    model = Model(options.model, options.api_base)
    for gold in _tasks(options):
        given = asked_for(model, gold, options.seed)
        kept = given.instances[: options.count - len(filling.instances)]
        filling.take(given._replace(instances=kept))
        if len(filling.instances) == options.count:
            break
    return filling


if __name__ == "__main__":
    command.run(main)
