"""Build the dataset: make every instance, prove it by execution, and write the folder.

Until the edition of 2026 is complete, these are its hand-written instances: the configs level1
and level2, split test. An instance that can't be proven stops the build, so none is skipped.
What is made is compared with what is frozen in splits/.

Exit code: 0 when the dataset was made; 1 with --check when this machine makes other instances
than those frozen; 2 when an instance can't be proven or nothing can be written.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from trajectory import canonical, command

if TYPE_CHECKING:
    from build.frozen import Difference
    from trajectory.instance import Instance

# Config and split.
Part = tuple[str, str]

_EXAMPLES = (
    "python -m build",
    "python -m build --check",
    "python -m build --out /tmp/pararecover --json",
)
_FROZEN: Final = "handwritten.json"
_NAMED: Final = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.handwritten import EDITION, instances
    from pararecover import digest_of

    parts = _parts(instances())
    digest = digest_of(one for part in parts.values() for one in part)
    difference = _compared(parts, digest, freeze=options.freeze)
    files = {} if options.check else _written(options.out, parts)
    report = {
        "edition": EDITION,
        "digest": digest,
        "frozen": {
            name: list(getattr(difference, name)) for name in ("changed", "added", "removed")
        },
        "configs": [
            {
                "config": config,
                "split": split,
                "instances": len(found),
                "tasks": len({one.query_id for one in found}),
                "file": files.get((config, split)),
            }
            for (config, split), found in parts.items()
        ],
    }
    print(canonical.dumps(report) if options.json else _said(report, options.out))
    return 1 if options.check and difference else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build", __doc__, _EXAMPLES)
    parser.add_argument(
        "--out", type=Path, default=Path("pararecover"), help="the dataset's folder (pararecover)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing, compare only")
    parser.add_argument("--freeze", action="store_true", help="freeze what is made in splits/")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args(arguments)


def _parts(instances: "Iterable[Instance]") -> "dict[Part, list[Instance]]":
    """Return the instances by config and split, in the order they are made."""
    parts: dict[Part, list[Instance]] = {}
    for done, one in enumerate(instances, start=1):
        parts.setdefault((f"level{one.level}", "test"), []).append(one)
        _progress(f"\r{done} instances made and proven" if sys.stderr.isatty() else "")
    _progress("\n" if sys.stderr.isatty() else "")
    return parts


def _progress(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _compared(
    parts: "Mapping[Part, Sequence[Instance]]", digest: str, *, freeze: bool
) -> "Difference":
    from build import frozen
    from build.handwritten import EDITION

    made, path = frozen.members(parts), frozen.SPLITS / _FROZEN
    if freeze:
        frozen.write(path, EDITION, digest, made)
    return frozen.compare(frozen.read(path, EDITION), made)


def _written(folder: Path, parts: "Mapping[Part, Sequence[Instance]]") -> dict[Part, str]:
    from build.dataset import write_config

    return {part: str(write_config(folder, *part, found)) for part, found in parts.items()}


def _said(report: Mapping[str, Any], folder: Path) -> str:
    lines = [f"edition {report['edition']}, {report['digest']}"]
    for one in report["configs"]:
        place = f": {one['file']}" if one["file"] else ""
        counts = f"{one['instances']} instances of {one['tasks']} tasks, all proven, none skipped"
        lines.append(f"{one['config']}/{one['split']}{place}: {counts}")
    if any(one["file"] for one in report["configs"]):
        lines.append(f"card: {folder / 'README.md'}")
    lines.append(_said_of_frozen(report["frozen"]))
    return "\n".join(lines)


def _said_of_frozen(difference: Mapping[str, Sequence[str]]) -> str:
    parts = [
        f"{len(ids)} {name} ({', '.join(ids[:_NAMED])}{', …' if len(ids) > _NAMED else ''})"
        for name, ids in difference.items()
        if ids
    ]
    if not parts:
        return f"the same as frozen in splits/{_FROZEN}"
    return f"other than frozen in splits/{_FROZEN}: {'; '.join(parts)}"


if __name__ == "__main__":
    command.run(main)
