"""The options of eval.run: what is run on what, how a model is asked, where results go."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from eval.planners import PLANNERS
from eval.shards import shard
from trajectory import command
from trajectory.error_types import ErrorType

LEVELS: Final = ("level1", "level2")
SOURCES: Final = ("rollout", "augmented")
STYLES: Final = ("plan", "chat")

_EXAMPLES = (
    "python -m eval.run --agent carry_on --level level1 --out runs/carry_on",
    "python -m eval.run --agent blind_retry --level level2 --limit 5 --out runs/few",
    "python -m eval.run --agent oracle --level level2 --out runs/oracle",
    "python -m eval.run --agent carry_on --edition release --level level1 --out runs/release",
    "python -m eval.run --model openai/gpt-4o-mini --level level1 --limit 5 --dry-run",
)


def options(doc: str | None, arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the options; a wrong one ends with one line and exit code 2."""
    parser = command.parser("eval.run", doc, _EXAMPLES)
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--agent", choices=sorted(PLANNERS), help="a scripted planner")
    who.add_argument("--model", metavar="NAME", help="a model, as litellm names it")
    parser.add_argument("--out", type=_folder, help="folder of the run")
    _add_selection(parser)
    _add_model(parser)
    parser.add_argument("--replan-only", action="store_true", help="one answer, no recovery")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    read = parser.parse_args(arguments)
    _require_fitting(parser, read)
    return read


def _add_selection(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--level", choices=LEVELS, default="level1", help="default level1")
    which.add_argument("--config", help="any config of the dataset, instead of --level")
    parser.add_argument("--edition", choices=("release",), help="an imported edition of the level")
    parser.add_argument("--split", default="test", help="default test")
    parser.add_argument("--data", type=Path, help="the dataset's folder (default: pararecover)")
    parser.add_argument("--limit", type=positive, help="only so many instances, chosen by hash")
    parser.add_argument("--ids", help="ids separated by commas, or a file with one a line")
    parser.add_argument(
        "--error-type",
        choices=[one.value for one in ErrorType],
        metavar="TYPE",
        help="only instances that have this error type among their labels",
    )
    parser.add_argument("--source", choices=SOURCES, help="only instances of this source")
    parser.add_argument("--shard", type=shard, metavar="I/N", help="only part I of N, by hash")
    parser.add_argument(
        "--samples", type=positive, default=1, help="answers per instance (default 1)"
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("with --model")
    group.add_argument("--api-base", metavar="URL", help="of a server that speaks OpenAI's form")
    group.add_argument("--temperature", type=float, default=0.0, help="default 0")
    group.add_argument("--top-p", type=float, help="default: the provider's")
    group.add_argument("--max-tokens", type=positive, help="of an answer (the provider's)")
    group.add_argument("--seed", type=int, help="sent where the provider takes one")
    group.add_argument("--concurrency", type=positive, default=8, help="calls at once (8)")
    group.add_argument("--rpm", type=above_zero, help="at most so many calls a minute")
    group.add_argument("--call-seconds", type=above_zero, default=120.0, help="of a call (120)")
    group.add_argument(
        "--instance-seconds", type=above_zero, default=3600.0, help="of an instance (3600)"
    )
    group.add_argument("--max-cost", type=above_zero, metavar="USD", help="of the whole run")
    group.add_argument("--max-tokens-total", type=positive, metavar="N", help="of the whole run")
    group.add_argument("--prompt", default="replanner", metavar="FILE", help="a prompt of yours")
    group.add_argument("--few-shot", type=positive, metavar="N", help="examples from train")
    group.add_argument("--style", choices=STYLES, default="plan", help="plan as JSON, or chat")
    group.add_argument("--environment", metavar="model:NAME", help="a model plays the tools")
    group.add_argument("--dry-run", action="store_true", help="show the first prompt; ask nothing")


def _require_fitting(parser: argparse.ArgumentParser, read: argparse.Namespace) -> None:
    if read.config and read.edition:
        parser.error("--edition says which config of a level; --config says it already")
    if read.out is None and not read.dry_run:
        parser.error("give --out, the folder of the run")
    if read.dry_run and not read.model:
        parser.error("--dry-run shows what a model would be asked: give --model")
    if read.environment and not read.environment.startswith("model:"):
        parser.error("--environment is model:NAME")
    if read.environment and not read.model:
        parser.error("--environment is used with --model")
    if read.style == "chat" and (read.few_shot or read.prompt != "replanner"):
        parser.error("--style chat has messages of its own: leave --few-shot and --prompt out")


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("wanted a folder, got an empty text")
    return Path(text)


def positive(text: str) -> int:
    """Read a whole number from 1 on, as an option's type."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"wanted a number from 1 on, got {text!r}")
    return int(text)


def above_zero(text: str) -> float:
    """Read a finite number above 0, as an option's type."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"wanted a number above 0, got {text!r}")
    return value
