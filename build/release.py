"""Import the published release: its files become the configs level1_release and level2_release.

FOLDER holds the release's own layout (data/LEVEL-1/LEVEL-1_augmented.jsonl and its three
siblings, any of them) or is its data folder. Every record comes in or is named with its line
and the reason; what is odd about a record that came in is counted in the table and listed by
--report, one JSON object a line: file, line, id, node, kind, detail.

Exit code: 0 when every record came in, whatever is odd about it; 2 when one did not (the
others are written) and when nothing could be done. The network is used with --download alone.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trajectory import canonical, command
from trajectory.files import InputError, write_jsonl

if TYPE_CHECKING:
    from build.release_report import FileReport

_EXAMPLES = (
    "python -m build.release ParaRecover --download",
    "python -m build.release ../shared/release_sample --report problems.jsonl",
)

# So many records that stayed out are named one by one.
_NAMED = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    from build.release_files import data_folder, strangers
    from build.release_import import read_release, write_configs

    if options.download:
        from build.release_download import URL, download

        download(data_folder(options.folder), options.url or URL)
    reports = read_release(options.folder)
    if options.report is not None:
        write_jsonl(options.report, (row for report in reports for row in report.rows()))
    configs = {name: str(path) for name, path in write_configs(options.out, reports).items()}
    unread = [str(path) for path in strangers(options.folder)]
    if options.json:
        files = [report.counts() for report in reports]
        print(canonical.dumps({"files": files, "configs": configs, "unread": unread}))
    else:
        _print(reports, configs, unread)
    return _complain(reports)


def _print(
    reports: "Sequence[FileReport]", configs: Mapping[str, str], unread: Sequence[str]
) -> None:
    from build.release_report import table

    print(table(reports))
    print()
    for path in unread:
        print(f"not read: {path}")
    for config, written in configs.items():
        print(f"{config}: {written}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = command.parser("build.release", __doc__, _EXAMPLES)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the release")
    parser.add_argument(
        "--out", type=Path, default=Path("pararecover"), help="the dataset's folder (pararecover)"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="list every problem here")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--download", action="store_true", help="fetch the files to FOLDER first")
    parser.add_argument("--url", help="with --download: fetch from here, as from a mirror")
    options = parser.parse_args(arguments)
    if options.url is not None and not options.download:
        parser.error("--url is used with --download")
    return options


def _complain(reports: "Sequence[FileReport]") -> int:
    """Name the records that stayed out; returns the exit code."""
    out = [(report, one) for report in reports for one in report.left_out]
    for report, one in out[:_NAMED]:
        said = InputError(f"left out: {one.why}", file=report.path, line=one.line, id=one.id)
        print(said, file=sys.stderr)
    if len(out) > _NAMED:
        print(f"… and {len(out) - _NAMED} more; --report lists them all", file=sys.stderr)
    return 2 if out else 0


if __name__ == "__main__":
    command.run(main)
