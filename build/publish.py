"""Publish the dataset: upload its card and Parquet files to a dataset repository of the Hub.

What lies in the folder replaces what lay in the repository, in one commit: files of an older
build go. Nothing else is uploaded; a pararecover.py in the root of such a repository would keep
`datasets` from loading it. The token comes from the environment (HF_TOKEN) or from
`huggingface-cli login`, and is never printed. The network is used by this command alone, and
not with --dry-run.

Exit code: 0 when the files are there; 2 when the folder is incomplete or the Hub refuses.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pararecover
from trajectory import canonical, command
from trajectory.files import InputError

_EXAMPLES = (
    "python -m build.publish somebody/pararecover --dry-run",
    "python -m build.publish somebody/pararecover --private",
)
CARD: Final = "README.md"
_OLD: Final = ("*.parquet", "*/*.parquet")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    files = to_upload(options.data)
    where = f"datasets/{options.repository}"
    if not options.dry_run:
        where = upload(options, files)
    report = {
        "repository": options.repository,
        "dry_run": options.dry_run,
        "where": where,
        "files": [{"path": name, "bytes": (options.data / name).stat().st_size} for name in files],
    }
    print(canonical.dumps(report) if options.json else _said(report))
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.publish", __doc__, _EXAMPLES)
    parser.add_argument("repository", help="owner/name on the Hub")
    parser.add_argument(
        "--data", type=Path, default=Path("pararecover"), help="the dataset's folder (pararecover)"
    )
    parser.add_argument("--private", action="store_true", help="make a new repository private")
    parser.add_argument("--dry-run", action="store_true", help="upload nothing, list what would go")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    owner, slash, name = options.repository.partition("/")
    if not (owner and slash and name) or "/" in name:
        raise InputError("is no repository of the Hub", got=options.repository, wanted="owner/name")
    return options


def to_upload(folder: Path) -> list[str]:
    """Return the files of a dataset's folder: the card, and the Parquet files that it names.

    Raises InputError where one of them is missing: what is uploaded must load.
    """
    named = pararecover.index(folder)
    missing = sorted(str(path) for path in named.values() if not path.is_file())
    if missing or not named:
        raise InputError(
            "the card names no Parquet file" if not named else "the card names a file that is gone",
            file=folder / CARD,
            got=missing[0] if missing else None,
            do="build it again: python -m build",
        )
    return [CARD, *sorted(path.relative_to(folder).as_posix() for path in named.values())]


def upload(options: argparse.Namespace, files: Sequence[str]) -> str:
    """Upload the files in one commit; returns its address.

    Raises InputError where the Hub refuses or can't be reached.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    api, kind = HfApi(), {"repo_id": options.repository, "repo_type": "dataset"}
    try:
        private = options.private or None
        api.create_repo(**kind, private=private, exist_ok=True)
        commit = api.upload_folder(
            **kind,
            folder_path=options.data,
            allow_patterns=list(files),
            delete_patterns=list(_OLD),
            commit_message="ParaRecover: data and card",
        )
    except HfHubHTTPError as error:
        raise InputError(
            "the Hub refuses", got=_line(error), do="look at HF_TOKEN and its rights"
        ) from None
    except (OSError, ValueError) as error:
        raise InputError("the Hub can't be reached", got=_line(error)) from None
    return str(commit.commit_url)


def _line(error: Exception) -> str:
    """Return the first line of what went wrong; tokens stand in headers, never in it."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def _said(report: dict[str, Any]) -> str:
    verb = "would go" if report["dry_run"] else "went"
    lines = [f"{one['path']} ({one['bytes']:,} bytes)" for one in report["files"]]
    total = sum(one["bytes"] for one in report["files"])
    return "\n".join([*lines, f"{len(lines)} files, {total:,} bytes {verb} to {report['where']}"])


if __name__ == "__main__":
    command.run(main)
