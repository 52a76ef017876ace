"""The ParaRecover dataset for its users: what its columns are, and reading it.

`python -m build` writes the dataset into the folder `pararecover/` beside this file. It is read
with `load_dataset("pararecover", "level2")` from this folder, or with::

    import pararecover

    records = pararecover.load("level2", error_type="Timeout_Error")
    dataset = pararecover.load("level1", as_dataset=True)

`README.md` in the folder is its index: only the files it names are the dataset's.
"""

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, overload

from trajectory import canonical
from trajectory.error_types import ErrorType
from trajectory.files import AnyPath, InputError
from trajectory.instance import FIELDS, JSON_FIELDS, Instance, digest, from_row, to_record

if TYPE_CHECKING:
    from datasets import Dataset

FOLDER: Final = Path(__file__).with_name("pararecover")
INDEX: Final = "README.md"

# Each config and what it holds; a folder has those that were built.
CONFIGS: Final[Mapping[str, str]] = {
    "level1": "one error, which has not yet entered a later call",
    "level2": "two or three errors, or one that went on unnoticed into later calls",
    "level1_mini": "200 instances of level1, for quick looks",
    "level2_mini": "200 instances of level2, for quick looks",
    "controls": "trajectories without an error",
    "level1_release": "the published release, level 1",
    "level2_release": "the published release, level 2",
    "level1_button": "made from BUTTON's conversations, level 1",
    "level2_button": "made from BUTTON's conversations, level 2",
}

SOURCES: Final = ("rollout", "augmented")

# Under this key a file's metadata hold `digest_of` its instances.
DIGEST_KEY: Final = b"pararecover_digest"

# As Python objects a row takes some hundred kilobytes.
_ROWS_AT_ONCE: Final = 256

# Of row groups that were read, so many bytes are kept.
_KEPT: Final = 64_000_000


@overload
def load(
    config: str = ...,
    split: str = ...,
    *,
    data: AnyPath | None = ...,
    source: str | None = ...,
    error_type: str | None = ...,
    ids: Iterable[str] | None = ...,
    as_dataset: Literal[False] = ...,
) -> list[dict[str, Any]]: ...
@overload
def load(
    config: str = ...,
    split: str = ...,
    *,
    data: AnyPath | None = ...,
    source: str | None = ...,
    error_type: str | None = ...,
    ids: Iterable[str] | None = ...,
    as_dataset: Literal[True],
) -> "Dataset": ...
def load(
    config: str = "level1",
    split: str = "test",
    *,
    data: AnyPath | None = None,
    source: str | None = None,
    error_type: str | None = None,
    ids: Iterable[str] | None = None,
    as_dataset: bool = False,
) -> "list[dict[str, Any]] | Dataset":
    """Return the instances of a config and split as plain records, in the order of the file.

    data: the dataset's folder; None: the one beside this file. source: rollout or augmented.
    error_type: a name of `ErrorType`; instances that have it among their labels. ids: just
    these. as_dataset: return a `datasets.Dataset`, whose free JSON is canonical JSON text;
    in a plain record it is parsed. Raises InputError on what does not exist.
    """
    if ids is not None:
        ids = [ids] if isinstance(ids, str) else list(ids)
    rows = _selected(_table(config, split, data), source, error_type, ids)
    if as_dataset:
        from datasets import Dataset

        return Dataset(rows)
    return [to_record(from_row(row)) for row in rows.to_pylist()]


def load_instances(config: str, split: str = "test", data: AnyPath | None = None) -> list[Instance]:
    """Return the instances of a config and split, in the order of the file.

    Raises InputError where the folder, the config or the split does not exist.
    """
    table = _table(config, split, data)
    return [from_row(row) for batch in table.to_batches(_ROWS_AT_ONCE) for row in batch.to_pylist()]


class Shelf:
    """The instances of a config and split, each read when it is asked for.

    Row groups are read when an instance of theirs is, and some megabytes of them are kept, so
    that a large split costs what is looked at. Raises InputError as `load` does.
    """

    def __init__(self, config: str, split: str = "test", data: AnyPath | None = None) -> None:
        from pyarrow import parquet

        self.config, self.split = config, split
        self._path = _file(config, split, data)
        with _reading(self._path):
            self._file = parquet.ParquetFile(self._path)
            self._places = {
                row["id"]: (group, number)
                for group in range(self._file.num_row_groups)
                for number, row in enumerate(self._file.read_row_group(group, ["id"]).to_pylist())
            }
        # By row group and fields left out: bytes, and the columns.
        self._kept: dict[tuple[int, frozenset[str]], tuple[int, dict[str, list[Any]]]] = {}

    @property
    def digest(self) -> str:
        """What `digest_of` returns for all instances, as the build wrote it into the file."""
        told = self._file.schema_arrow.metadata or {}
        told |= self._file.metadata.metadata or {}
        if DIGEST_KEY not in told:
            raise InputError(
                "the file doesn't tell its digest",
                file=self._path,
                do="build the dataset again: python -m build",
            )
        return str(told[DIGEST_KEY].decode())

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, id: object) -> bool:
        return id in self._places

    def __getitem__(self, id: str) -> Instance:
        """Return an instance; raises KeyError where there is none of this id."""
        return self.read(id)

    def read(self, id: str, *, without: Collection[str] = ()) -> Instance:
        """Return an instance; fields named in `without` are None, and are not read.

        Raises KeyError where there is none of this id.
        """
        group, number = self._places[id]
        columns = self._columns(group, frozenset(without))
        return from_row({**_ABSENT, **{name: held[number] for name, held in columns.items()}})

    def column(self, name: str) -> list[Any]:
        """Return one column, in the order of the file."""
        with _reading(self._path):
            return list(self._file.read([name])[name].to_pylist())

    def _columns(self, group: int, without: frozenset[str]) -> dict[str, list[Any]]:
        key = group, without
        if key not in self._kept:
            names = [name for name in FIELDS if name not in without]
            with _reading(self._path):
                table = self._file.read_row_group(group, names)
                columns = {name: table[name].to_pylist() for name in names}
            self._make_room(table.nbytes)
            self._kept[key] = table.nbytes, columns
        return self._kept[key][1]

    def _make_room(self, size: int) -> None:
        while self._kept and size + sum(kept for kept, _ in self._kept.values()) > _KEPT:
            del self._kept[next(iter(self._kept))]


# A field that is not read is null, in the form of its column.
_ABSENT: Final = {name: "null" if name in JSON_FIELDS else None for name in FIELDS}


def digest_of(instances: Iterable[Instance]) -> str:
    """Return the hash that identifies a set of instances, 64 hex digits.

    It is the SHA-256 of the canonical list of (id, digest), sorted: the order of the instances
    does not matter (our own definition).
    """
    return digest_of_pairs((instance.id, digest(instance)) for instance in instances)


def digest_of_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Return what `digest_of` returns for instances with these ids and digests."""
    return canonical.digest(sorted(pairs))


def index(data: AnyPath | None = None) -> dict[tuple[str, str], Path]:
    """Return the file of each (config, split) of a dataset's folder, sorted.

    Raises InputError where the folder holds no dataset.
    """
    folder = Path(data or FOLDER)
    try:
        text = (folder / INDEX).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(
            "there is no dataset in this folder", file=folder, do="run python -m build"
        ) from None
    header = text.partition("\n---\n")[0]
    found = re.findall(r"^ *path: ((\w+)/(\w+)-[0-9a-f]{8}\.parquet)$", header, re.MULTILINE)
    return {(config, split): folder / path for path, config, split in sorted(found)}


def arrow_schema() -> Any:
    """Return the columns as a `pyarrow.Schema`: fixed shapes are typed, free JSON is text."""
    import pyarrow as pa

    whole, words = pa.int64(), pa.list_(pa.string())
    kinds: dict[Any, Any] = {int: whole, int | None: whole, tuple[str, ...]: words}
    return pa.schema([(item.name, kinds.get(item.type, pa.string())) for item in fields(Instance)])


def _table(config: str, split: str, data: AnyPath | None) -> Any:
    """Read one file of the dataset as a `pyarrow.Table`."""
    from pyarrow import parquet

    path = _file(config, split, data)
    with _reading(path):
        return parquet.read_table(path, columns=list(FIELDS), partitioning=None)


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn whatever is wrong with a file into one line that names it."""
    import pyarrow as pa

    try:
        yield
    except (OSError, KeyError, pa.ArrowException) as error:
        raise InputError(
            f"cannot be read as a part of the dataset: {error}", file=path, do="run python -m build"
        ) from None


def _file(config: str, split: str, data: AnyPath | None) -> Path:
    files = index(data)
    if (config, split) in files:
        return files[config, split]
    raise InputError(
        "the dataset has no such config and split",
        file=Path(data or FOLDER),
        got=f"{config}/{split}",
        wanted=" or ".join("/".join(key) for key in files) or "a built config",
        do=_how_to_make(config, split),
    )


def _how_to_make(config: str, split: str) -> str | None:
    """Return what makes a config and split; None for a config that nothing makes."""
    if config not in CONFIGS:
        return None
    if config.endswith("_release"):
        return "import it: python -m build.release FOLDER"
    if config.endswith("_button"):
        return "run python -m build --seeds FILE"
    return "run python -m build --with-train" if split == "train" else "run python -m build"


def _selected(
    table: Any, source: str | None, error_type: str | None, ids: Sequence[str] | None
) -> Any:
    """Return the rows that were asked for; raises InputError on what does not exist."""
    import pyarrow as pa

    _require("source", source, SOURCES)
    _require("error type", error_type, [name.value for name in ErrorType])
    if ids is not None:
        _require_ids(ids, table["id"].to_pylist())
    wanted = None if ids is None else frozenset(ids)
    columns = (table[name].to_pylist() for name in ("id", "source", "error_types"))
    chosen = [
        (wanted is None or id in wanted)
        and source in (None, one)
        and (error_type is None or error_type in labels)
        for id, one, labels in zip(*columns, strict=True)
    ]
    return table.filter(pa.array(chosen, pa.bool_()))


def _require(what: str, got: str | None, options: Sequence[str]) -> None:
    if got is not None and got not in options:
        raise InputError(f"unknown {what}", got=got, wanted=", ".join(options))


def _require_ids(ids: Sequence[str], known: Iterable[str]) -> None:
    unknown = sorted(set(ids).difference(known))
    if unknown:
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        raise InputError("there are no such ids", got=", ".join(unknown[:3]) + more)


def __getattr__(name: str) -> Any:
    """Make the builder class when it is first asked for: `datasets` takes a second to import."""
    if name == "ParaRecover":
        globals()[name] = _builder_class()
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _builder_class() -> type:
    """Make the class for those who want a builder: ``ParaRecover(config_name="level2")``."""
    import datasets

    class ParaRecover(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
        """Builds the configs from the dataset's folder; `data_dir` names another folder."""

        VERSION = datasets.Version("1.0.0")
        BUILDER_CONFIGS = _builder_configs()
        DEFAULT_CONFIG_NAME = "level1"

        def __init__(
            self,
            cache_dir: str | None = None,
            *,
            config_name: str = DEFAULT_CONFIG_NAME,
            data_dir: AnyPath | None = None,
            **options: Any,
        ) -> None:
            self._files = _splits(config_name, data_dir)
            # The content decides where it is cached, so that no copy is stale.
            options["hash"] = "-".join(path.stem for path in self._files.values())
            super().__init__(cache_dir=cache_dir, config_name=config_name, **options)

        def _info(self) -> datasets.DatasetInfo:
            features = datasets.Features.from_arrow_schema(arrow_schema())
            return datasets.DatasetInfo(self.config.description, features=features, license="mit")

        def _split_generators(self, _: Any) -> list[datasets.SplitGenerator]:
            return [
                datasets.SplitGenerator(name=split, gen_kwargs={"path": str(path)})
                for split, path in self._files.items()
            ]

        def _generate_examples(self, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
            from pyarrow import parquet

            with parquet.ParquetFile(path) as file:
                for batch in file.iter_batches(_ROWS_AT_ONCE):
                    yield from ((row["id"], row) for row in batch.to_pylist())

    # So that a process started by `datasets` finds it by its name.
    ParaRecover.__qualname__ = "ParaRecover"
    return ParaRecover


def _builder_configs() -> list[Any]:
    from datasets import BuilderConfig

    return [BuilderConfig(name, description=text) for name, text in CONFIGS.items()]


def _splits(config: str, data: AnyPath | None) -> dict[str, Path]:
    """Return the files of a config by split; raises InputError where there are none."""
    files = {split: path for (name, split), path in index(data).items() if name == config}
    return files or {"test": _file(config, "test", data)}
