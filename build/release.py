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
from collections.abc import Sequence
from pathlib import Path

from build.release_files import Line, Source, data_folder, present, read_lines, strangers
from build.release_pins import check
from build.release_records import LeftOutError, id_text, read_record
from build.release_report import FileReport, LeftOut, table
from trajectory import canonical, command
from trajectory.files import InputError, write_jsonl

_EXAMPLES = (
    "python -m build.release ParaRecover --download",
    "python -m build.release ../shared/release_sample --report problems.jsonl",
)

# So many records that stayed out are named one by one.
_NAMED = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(arguments)
    if options.download:
        from build.release_download import URL, download

        download(data_folder(options.folder), options.url or URL)
    reports = read_release(options.folder)
    if options.report is not None:
        write_jsonl(options.report, (row for report in reports for row in report.rows()))
    written = write_configs(options.out, reports)
    unread = [str(path) for path in strangers(options.folder)]
    if options.json:
        files = [report.counts() for report in reports]
        configs = {config: str(path) for config, path in written.items()}
        print(canonical.dumps({"files": files, "configs": configs, "unread": unread}))
    else:
        print(table(reports), end="\n\n")
        print(*(f"not read: {path}" for path in unread), sep="\n", end="\n" if unread else "")
        print(*(f"{config}: {path}" for config, path in written.items()), sep="\n")
    return _complain(reports)


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


def read_release(folder: Path) -> list[FileReport]:
    """Read the files of the release that a folder has.

    Raises InputError where it has none, where a file is empty or no longer what was downloaded,
    and where no record at all can be made sense of.
    """
    files = present(folder)
    check(data_folder(folder), [source for source, _ in files])
    reports = [_read_file(source, path) for source, path in files]
    if not any(report.imported for report in reports):
        first = reports[0].left_out[0]
        raise InputError("no record can be read", file=files[0][1], line=first.line, got=first.why)
    return reports


def _read_file(source: Source, path: Path) -> FileReport:
    report = FileReport(source, path)
    lines: dict[str, int] = {}
    for line in read_lines(path):
        try:
            _take(line, report, lines)
        except LeftOutError as error:
            known = id_text(line.value.get("id")) if isinstance(line.value, dict) else ""
            report.left_out.append(LeftOut(line.number, known or None, str(error)))
    return report


def _take(line: Line, report: FileReport, lines: dict[str, int]) -> None:
    """Put a record among the imported; raises LeftOutError where it can't be."""
    if line.fault:
        raise LeftOutError(line.fault)
    read = read_record(line.value, report.source, line.number)
    if read.instance.id in lines:
        raise LeftOutError(f"its id stands in line {lines[read.instance.id]} already")
    lines[read.instance.id] = line.number
    report.imported.append(read)


def write_configs(folder: Path, reports: Sequence[FileReport]) -> dict[str, Path]:
    """Write the instances of each level as a config of the dataset in `folder`."""
    from build.dataset import write_config

    configs: dict[str, list[FileReport]] = {}
    for report in reports:
        if report.imported:
            configs.setdefault(report.source.config, []).append(report)
    return {
        config: write_config(
            folder, config, "test", (one.instance for report in part for one in report.imported)
        )
        for config, part in configs.items()
    }


def _complain(reports: Sequence[FileReport]) -> int:
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
