"""Reading the dataset; how `datasets` itself loads it stands in test_datasets_versions."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pararecover
from build.dataset import write_config
from tests.build.samples import sample
from trajectory.files import InputError
from trajectory.instance import FIELDS, JSON_FIELDS, Instance, to_record

ROOT = Path(__file__).parents[1]

INSTANCES = [
    sample(1, error_types=("Null_Error",)),
    sample(2, error_types=("Serial_Error", "Null_Error"), source="rollout", agent="scripted:x"),
    sample(3, error_types=("Serial_Error",), rounds_opt=None, calls_opt=None),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "pararecover"
    write_config(folder, "level1", "test", INSTANCES)
    return folder


def ids(records: object) -> list[str]:
    assert isinstance(records, list)
    return [record["id"][-1] for record in records]


def test_instances_come_back_as_they_were(folder: Path) -> None:
    assert pararecover.load_instances("level1", data=folder) == INSTANCES


def test_records_are_plain_json_values(folder: Path) -> None:
    assert pararecover.load(data=folder) == [to_record(one) for one in INSTANCES]


def test_records_are_chosen_by_source_type_and_ids(folder: Path) -> None:
    assert ids(pararecover.load(data=folder, source="augmented")) == ["1", "3"]
    assert ids(pararecover.load(data=folder, error_type="Serial_Error")) == ["2", "3"]
    assert ids(pararecover.load(data=folder, ids=["L1-test-000003", "L1-test-000001"])) == [
        "1",
        "3",
    ]
    assert ids(pararecover.load(data=folder, ids="L1-test-000003")) == ["3"]
    assert ids(pararecover.load(data=folder, ids=[])) == []
    assert ids(
        pararecover.load(
            data=folder,
            source="rollout",
            error_type="Null_Error",
            ids=(one.id for one in INSTANCES),
        )
    ) == ["2"]


def test_a_dataset_holds_free_json_as_text(folder: Path) -> None:
    found = pararecover.load(data=folder, source="rollout", as_dataset=True)
    assert found.column_names == list(FIELDS)
    assert found[0]["error_types"] == ["Serial_Error", "Null_Error"]
    assert all(isinstance(found[0][name], str) for name in JSON_FIELDS)


def test_the_builder_class_sees_a_rebuild_with_the_same_cache(tmp_path: Path) -> None:
    folder, cache = tmp_path / "pararecover", str(tmp_path / "cache")
    for number in (1, 2):
        write_config(folder, "level2", "test", [sample(number)])
        builder = pararecover.ParaRecover(cache, config_name="level2", data_dir=folder)
        builder.download_and_prepare()
        assert builder.as_dataset("test")["id"][0] == sample(number).id


def test_the_builder_class_is_one_and_found_by_name() -> None:
    assert pararecover.ParaRecover is pararecover.ParaRecover
    assert pararecover.ParaRecover.__module__ == "pararecover"
    with pytest.raises(AttributeError, match="no attribute 'Para'"):
        pararecover.Para  # noqa: B018


def test_the_hash_of_a_set_of_instances_knows_no_order_and_every_field(folder: Path) -> None:
    known = pararecover.digest_of(INSTANCES)
    assert len(known) == 64
    assert pararecover.digest_of(reversed(pararecover.load_instances("level1", data=folder))) == (
        known
    )
    for changed in (INSTANCES[:2], [*INSTANCES[:2], replace(INSTANCES[2], canary="x")]):
        assert pararecover.digest_of(changed) != known


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"config": "level2"}, "got level2/test: wanted level1/test; run python -m build"),
        ({"config": "level9"}, "no such config and split: got level9/test; wanted level1/test"),
        ({"split": "train"}, "got level1/train"),
        ({"source": "augment"}, "unknown source: got augment; wanted rollout, augmented"),
        ({"error_type": "Timeout"}, "unknown error type: got Timeout; wanted Serial_Error, "),
        ({"ids": ["x", "L1-test-000001", "a"]}, "there are no such ids: got a, x"),
        ({"ids": list("edcba")}, "there are no such ids: got a, b, c and 2 more"),
    ],
)
def test_what_does_not_exist_is_said_in_one_line(
    folder: Path, asked: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as error:
        pararecover.load(data=folder, **asked)
    assert said.replace(": wanted", "; wanted") in str(error.value)


@pytest.mark.parametrize("made", ["nothing", "file", "binary"])
def test_a_folder_without_a_dataset_says_what_to_do(tmp_path: Path, made: str) -> None:
    if made == "file":
        tmp_path = tmp_path / "file"
        tmp_path.write_text("x", "utf-8")
    if made == "binary":
        (tmp_path / "README.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="no dataset in this folder: run python -m build"):
        pararecover.load_instances("level1", data=tmp_path)


@pytest.mark.parametrize("damage", ["cut", "gone", "other"])
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, damage: str) -> None:
    path = write_config(tmp_path, "level1", "test", INSTANCES)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif damage == "gone":
        path.unlink()
    else:
        import pyarrow as pa
        from pyarrow import parquet

        parquet.write_table(pa.table({"id": ["1"]}), path)
    said = r"test-\w+\.parquet: cannot be read as a part of the"
    with pytest.raises(InputError, match=said):
        pararecover.load_instances("level1", data=tmp_path)
    with pytest.raises(InputError, match=said):
        next(shelf[id] for shelf in (pararecover.Shelf("level1", data=tmp_path),) for id in shelf)


def test_a_shelf_gives_each_instance_when_it_is_asked_for(folder: Path) -> None:
    shelf = pararecover.Shelf("level1", data=folder)
    assert [*shelf] == [one.id for one in INSTANCES]
    assert [shelf[id] for id in reversed([*shelf])] == INSTANCES[::-1]
    assert len(shelf) == 3
    assert "L1-test-000009" not in shelf
    assert shelf.column("query_id") == ["q-1", "q-2", "q-3"]
    assert shelf.digest == pararecover.digest_of(INSTANCES)


def test_text_that_looks_like_a_path_in_the_card_is_not_read_as_one(tmp_path: Path) -> None:
    write_config(tmp_path, "level1", "test", INSTANCES)
    readme = tmp_path / "README.md"
    readme.write_text(readme.read_text("utf-8") + "\n path: a/b-00000000.parquet\n", "utf-8")
    assert list(pararecover.index(tmp_path)) == [("level1", "test")]


def test_the_module_is_imported_beside_the_folder_and_stays_cheap(tmp_path: Path) -> None:
    (tmp_path / "pararecover").mkdir()
    (tmp_path / "pararecover.py").symlink_to(ROOT / "pararecover.py")
    code = (
        "import sys, pararecover\n"
        "pararecover.load_instances\n"
        "print(pararecover.__file__, {'datasets', 'pyarrow', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == f"{tmp_path / 'pararecover.py'} set()"


def test_every_instance_type_has_a_column() -> None:
    assert pararecover.arrow_schema().names == [*Instance.__dataclass_fields__]


@pytest.mark.parametrize(
    ("config", "split", "do"),
    [
        ("level1_release", "test", "python -m build.release FOLDER"),
        ("level2_button", "test", "python -m build --seeds FILE"),
        ("level2", "train", "python -m build --with-train"),
        ("level2", "test", "python -m build$"),
    ],
)
def test_what_is_not_there_is_said_with_what_makes_it(
    folder: Path, config: str, split: str, do: str
) -> None:
    with pytest.raises(InputError, match=do):
        pararecover.Shelf(config, split, folder)
