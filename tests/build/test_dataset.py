import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import parquet

import pararecover
from build.card import card
from build.dataset import write_card, write_config
from build.showing.instance import example
from tests.build.samples import sample
from trajectory.error_types import ErrorType
from trajectory.files import InputError
from trajectory.instance import Instance


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "pararecover"


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))


def named(folder: Path) -> list[str]:
    """Return the files that the card names."""
    return sorted(re.findall(r"path: (\S+)", (folder / "README.md").read_text("utf-8")))


def test_the_content_is_in_the_name_of_the_file(folder: Path, tmp_path: Path) -> None:
    path = write_config(folder, "level1", "test", [sample(1), sample(2)])
    same = write_config(tmp_path / "other", "level1", "test", [sample(2), sample(1)])
    changed = write_config(tmp_path / "third", "level1", "test", [sample(1), sample(3)])
    assert re.fullmatch(r"test-[0-9a-f]{8}\.parquet", path.name)
    assert path.name == same.name != changed.name


def test_a_rebuild_leaves_the_new_file_alone_and_the_card_names_it(folder: Path) -> None:
    write_config(folder, "level1", "test", [sample(1)])
    write_config(folder, "level1", "train", [sample(9)])
    write_config(folder, "level2", "test", [sample(2)])
    path = write_config(folder, "level1", "test", [sample(1), sample(3)])
    assert path.name in {name.rpartition("/")[2] for name in files(folder)}
    assert named(folder) == [name for name in files(folder) if name != "README.md"]
    assert len(named(folder)) == 3


def test_a_build_that_breaks_off_leaves_the_old_data(folder: Path) -> None:
    write_config(folder, "level1", "test", [sample(1)])
    before = files(folder)

    def broken() -> Iterator[Instance]:
        yield sample(2)
        raise RuntimeError("broken off")

    with pytest.raises(RuntimeError, match="broken off"):
        write_config(folder, "level1", "test", broken())
    assert files(folder) == before
    assert pararecover.load_instances("level1", data=folder) == [sample(1)]


def test_a_left_over_file_is_not_read_and_goes_with_the_next_build(folder: Path) -> None:
    old = write_config(folder, "level1", "test", [sample(1)])
    content = old.read_bytes()
    write_config(folder, "level1", "test", [sample(2)])
    old.write_bytes(content)
    assert pararecover.load_instances("level1", data=folder) == [sample(2)]
    write_config(folder, "level1", "test", [sample(3)])
    assert not old.exists()


@pytest.mark.parametrize("instances", [[], [sample(1), sample(1)]])
def test_no_instance_or_an_id_twice_is_refused(folder: Path, instances: list[Instance]) -> None:
    with pytest.raises(ValueError, match=r"at least one|occur twice: L1-test-000001"):
        write_config(folder, "level1", "test", instances)
    assert files(folder) == []


def test_a_file_in_the_place_of_the_folder_is_one_clear_line(folder: Path) -> None:
    folder.write_text("x", "utf-8")
    with pytest.raises(InputError, match="pararecover: is no folder"):
        write_config(folder, "level1", "test", [sample(1)])


def test_a_split_that_datasets_refuses_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="level1/test-a is no config"):
        write_config(folder, "level1", "test-a", [sample(1)])


def test_parquet_is_compressed_with_page_index_and_a_few_row_groups(folder: Path) -> None:
    path = write_config(folder, "level1", "test", (sample(n) for n in range(1001)))
    found = parquet.ParquetFile(path)
    column = found.metadata.row_group(0).column(0)
    assert [found.metadata.row_group(n).num_rows for n in range(3)] == [500, 500, 1]
    assert column.compression == "ZSTD"
    assert column.has_column_index
    assert column.has_offset_index
    assert found.schema_arrow.equals(pararecover.arrow_schema())


def header(folder: Path) -> str:
    text = (folder / "README.md").read_text("utf-8")
    assert text.startswith("---\n")
    return text.split("---\n")[1]


def test_the_card_has_one_default_and_it_is_level1(folder: Path) -> None:
    for config in ("level2", "level1", "controls"):
        write_config(folder, config, "test", [sample(1)])
    blocks = header(folder).split("- config_name: ")
    assert [block.partition("\n")[0] for block in blocks[1:]] == ["controls", "level1", "level2"]
    assert ["default: true" in block for block in blocks] == [False, False, True, False]


def test_without_level1_another_config_is_the_default(folder: Path) -> None:
    for config in ("level2_release", "level1_release"):
        write_config(folder, config, "test", [sample(1)])
    assert header(folder).count("default: true") == 1
    assert "config_name: level1_release\n  default: true" in header(folder)


def test_a_config_whose_file_is_gone_stands_no_longer_in_the_card(folder: Path) -> None:
    write_config(folder, "level1", "test", [sample(1)])
    write_config(folder, "level2", "test", [sample(2)]).unlink()
    write_card(folder)
    assert "level2" not in header(folder)


def test_the_tables_of_the_card_are_counts_of_the_data(folder: Path) -> None:
    labels = [("Null_Error",), ("Null_Error", "Serial_Error"), ("Serial_Error", "Serial_Error")]
    write_config(
        folder, "level1", "test", [sample(n, error_types=one) for n, one in enumerate(labels)]
    )
    text = (folder / "README.md").read_text("utf-8")
    assert "| `level1` | test | test | 3 | 0 | 3 | 3 |" in text
    assert "| error type | category | level1 augmented |" in text
    assert "| `Null_Error` | tool | 2 |" in text
    assert "| `Serial_Error` | planning | 2 |" in text
    assert "| `Timeout_Error` | tool | 0 |" in text
    assert "| labels: 1 | 1 |\n| labels: 2 | 2 |" in text
    assert "{{" not in text


def test_the_figures_of_the_card_are_those_of_the_instances(
    augmented: list[Instance], controls: list[Instance], folder: Path
) -> None:
    levels = {level: [one for one in augmented if one.level == level] for level in (1, 2)}
    for level, found in levels.items():
        write_config(folder, f"level{level}", "test", found)
    write_config(folder, "controls", "test", controls)
    lines = (folder / "README.md").read_text("utf-8").splitlines()
    assert "|  | controls | level1 augmented | level2 augmented |" in lines
    for calls in {one.calls_gt for one in [*augmented, *controls]}:
        parts = (controls, levels[1], levels[2])
        counts = [str(sum(one.calls_gt == calls for one in part)) for part in parts]
        assert f"| calls: {calls} | {' | '.join(counts)} |" in lines
    visible = Counter(error["visible"] for one in levels[2] for error in one.errors)
    for value, count in visible.items():
        (line,) = (line for line in lines if line.startswith(f"| visible: {value} |"))
        assert line.split(" | ")[-1] == f"{count} |"


def test_each_error_type_has_a_real_example_in_the_card(
    augmented: list[Instance], folder: Path
) -> None:
    level1 = [one for one in augmented if one.level == 1]
    write_config(folder, "level1", "test", level1)
    text = (folder / "README.md").read_text("utf-8")
    by_id = {one.id: one for one in level1}
    shown = dict(re.findall(r"\*\*`(\w+)`\*\* \(`([\w-]+)`\)", text))
    assert shown.keys() == {kind.value for kind in ErrorType}
    for name, id in shown.items():
        assert by_id[id].error_types == (name,)
        assert example(by_id[id]) in text


@pytest.mark.parametrize(
    "template", ["# Card\n---\na: 1\n---\n", "<!-- hidden -->\n---\na: 1\n---\n"]
)
def test_nothing_may_stand_before_the_header_of_the_card(template: str, folder: Path) -> None:
    with pytest.raises(ValueError, match="begins with its YAML header"):
        card(template, folder, {}, "")


def test_a_place_that_nothing_fills_is_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="'hopes'"):
        card("---\na: 1\n---\n{{hopes}}\n", folder, {}, "")
