"""The published release read from its files, and written as configs of the dataset."""

from collections.abc import Sequence
from pathlib import Path

from build.dataset import write_config
from build.release_files import Line, Source, data_folder, present, read_lines
from build.release_pins import check
from build.release_records import LeftOutError, id_text, read_record
from build.release_report import FileReport, LeftOut
from trajectory.files import InputError


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
