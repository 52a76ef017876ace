"""Reading results: a run folder, or a bare JSON Lines file that someone else wrote.

A row is streamed, never all rows at once. What a row claims is kept apart from what is believed:
raw_output, rounds and state (design.md, "Results").
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trajectory.files import AnyPath, InputError, read_json, read_jsonl

MANIFEST: Final = "run.json"
ANSWERS: Final = "answers.jsonl"
RESULTS: Final = "results.jsonl"
PLAYED: Final = "played.jsonl"
ATTEMPTS: Final = "attempts.jsonl"

SCHEMA: Final = 1

# Keys under which the text of an answer is accepted in a bare file.
TEXT_KEYS: Final = ("raw_output", "answer", "output", "response", "completion", "text")

Key = tuple[str, int]


@dataclass(frozen=True)
class Row:
    """One answered (id, sample).

    raw_output: the first answer's text. rounds: the trajectory after it, None where the row is
    static. state: digest of the state at its end, None where it is not told. file, line: where
    it stands. raw: the whole row as it was read.
    """

    id: str
    sample: int
    raw_output: str
    rounds: list[dict[str, Any]] | None
    state: str | None
    file: str
    line: int
    raw: Mapping[str, Any]

    @property
    def gave_none(self) -> bool:
        """Whether it says that no answer came in time, or whole: believed, since it only costs."""
        return self.raw.get("outcome") == "model_invalid"

    @property
    def key(self) -> Key:
        """What a row is one of."""
        return self.id, self.sample

    def wrong(self, problem: str, **more: Any) -> InputError:
        """Return the error that names this row."""
        return InputError(problem, file=self.file, line=self.line, id=self.id, **more)


@dataclass(frozen=True)
class Run:
    """A run: where its rows stand, and what was declared.

    manifest: run.json; None for a bare file. failed: the (id, sample) of failed attempts; those
    without a row are harness errors.
    """

    path: Path
    manifest: Mapping[str, Any] | None
    failed: frozenset[Key]

    @property
    def results(self) -> Path:
        """The file that holds the rows."""
        return self.path / RESULTS if self.manifest is not None else self.path

    @property
    def name(self) -> str:
        """Who answered: the manifest's agent, else the file's name."""
        return str(self.manifest["agent"]) if self.manifest else self.path.stem

    @property
    def player(self) -> str | None:
        """Who played the tools ("model:NAME"); None where calls ran in their environment."""
        return None if self.manifest is None else self.manifest.get("environment")

    @property
    def recovers(self) -> bool:
        """Whether its rows were to be carried on to the end; in a bare file each row tells."""
        return self.manifest is not None and self.manifest["task"] == "recovery"

    def rows(self) -> Iterator[Row]:
        """Yield the rows in the order of the file.

        Raises InputError on what is no row, and on two rows of one (id, sample), naming both.
        """
        seen: dict[Key, int] = {}
        results = self.results
        for line, value in read_jsonl(results, empty_ok=self.manifest is not None):
            row = read_row(value, results, line)
            first = seen.setdefault(row.key, line)
            if first != line:
                raise row.wrong(
                    f"second row of sample {row.sample}; the first is line {first}",
                    do="keep one of the two",
                )
            yield row


def read_run(path: AnyPath) -> Run:
    """Read what a run declares; its rows are read by `Run.rows`.

    Raises InputError where there is neither a run folder nor a file.
    """
    place = Path(path)
    if not place.is_dir():
        if not place.exists():
            raise InputError("no such run folder or results file", file=place)
        return Run(place, None, frozenset())
    if not (place / MANIFEST).is_file():
        raise InputError(
            f"not a run folder: {MANIFEST} is not there",
            file=place,
            do="give the folder that eval.run wrote with --out, or a results file",
        )
    manifest = read_json(place / MANIFEST)
    _require_manifest(manifest, place / MANIFEST)
    return Run(place, manifest, _failed(place / ATTEMPTS))


_MANIFEST_TYPES: Final = {
    "schema": int,
    "agent": str,
    "task": str,
    "config": str,
    "split": str,
    "edition": str,
    "dataset_hash": str,
    "selection": dict,
    "samples": int,
}


def _require_manifest(manifest: Any, file: Path) -> None:
    if not isinstance(manifest, dict):
        raise InputError("not a run's manifest", file=file, got=manifest, wanted="an object")
    for key, kind in _MANIFEST_TYPES.items():
        if not isinstance(manifest.get(key), kind):
            raise InputError(
                f"{key!r} is wrong", file=file, got=manifest.get(key), wanted=kind.__name__
            )
    if manifest["schema"] != SCHEMA:
        raise InputError(
            "a run of another schema", file=file, got=manifest["schema"], wanted=SCHEMA
        )
    ids = manifest["selection"].get("ids")
    if not isinstance(ids, list) or not ids or not all(isinstance(id, str) for id in ids):
        raise InputError("the selection is wrong", file=file, got=ids, wanted="a list of ids")


def _failed(file: Path) -> frozenset[Key]:
    if not file.is_file():
        return frozenset()
    return frozenset(_key(value, file, line) for line, value in read_jsonl(file, empty_ok=True))


@dataclass(frozen=True)
class Noted:
    """An answer of a run, as it arrived; round: the one that it was given before.

    failure: why it doesn't count, None where it does. spent: tokens of question and reply, and
    dollars; None where nobody told.
    """

    key: Key
    round: int
    raw_output: str
    failure: str | None = None
    spent: tuple[int, int, float | None] | None = None


def read_answers(folder: Path, name: str = ANSWERS) -> Iterator[Noted]:
    """Yield the answers of a run folder in the order they arrived; raises InputError.

    name: PLAYED for what a model said that plays the tools; it tells no round.
    """
    file = folder / name
    if not file.is_file():
        return
    for line, value in read_jsonl(file, empty_ok=True):
        key = _key(value, file, line)
        round_ = value.get("round", 0 if name == PLAYED else None)
        text = value.get("raw_output")
        if not _is_whole(round_) or not isinstance(text, str):
            raise InputError("not an answer", file=file, line=line, id=key[0], got=value)
        yield Noted(key, round_, text, value.get("failure"), _spent(value))


def _spent(value: Mapping[str, Any]) -> tuple[int, int, float | None] | None:
    usage, cost = value.get("usage"), value.get("cost")
    if not isinstance(usage, dict):
        return None
    return int(usage["prompt"]), int(usage["completion"]), None if cost is None else float(cost)


def _key(value: Any, file: AnyPath, line: int) -> Key:
    """Return the (id, sample) of what one line says."""
    if not isinstance(value, dict):
        raise InputError("not a row", file=file, line=line, got=value, wanted="an object")
    id_, sample = value.get("id"), value.get("sample", 0)
    if not isinstance(id_, str) or not id_:
        raise InputError("a row without an id", file=file, line=line, got=id_, wanted="a text")
    if not _is_whole(sample):
        raise InputError(
            "a wrong sample", file=file, line=line, id=id_, got=sample, wanted="0, 1, …"
        )
    return id_, sample


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def read_row(value: Any, file: AnyPath, line: int) -> Row:
    """Read one row; raises InputError naming file and line."""
    id_, sample = _key(value, file, line)
    rounds, state = value.get("rounds"), value.get("state")
    if state is not None and not isinstance(state, str):
        raise InputError(
            "a wrong state", file=file, line=line, id=id_, got=state, wanted="a digest"
        )
    row = Row(id_, sample, _text(value, file, line), rounds, state, str(file), line, value)
    if rounds is not None:
        _require_rounds(row)
    return row


def _text(value: Mapping[str, Any], file: AnyPath, line: int) -> str:
    """Return the answer's text: what stands under the first of the keys that is there."""
    key = next((key for key in TEXT_KEYS if key in value), None)
    if key is not None and isinstance(value[key], str):
        return str(value[key])
    raise InputError(
        "a row without an answer's text",
        file=file,
        line=line,
        id=value["id"],
        got=sorted(value) if key is None else {key: value[key]},
        wanted=f"a text under {', '.join(TEXT_KEYS[:-1])} or {TEXT_KEYS[-1]}",
    )


def _require_rounds(row: Row) -> None:
    """Hold the form of rounds: numbered one after the other, the response's last."""
    rounds = row.rounds
    if not isinstance(rounds, list) or not rounds:
        raise row.wrong("rounds are wrong", got=rounds, wanted="a list of rounds, or null")
    for index, one in enumerate(rounds):
        if not _is_round(one):
            raise row.wrong(f"round {index + 1} after the answer is wrong", got=one)
        if one["round"] != rounds[0]["round"] + index:
            raise row.wrong("rounds are not numbered one by one", got=one["round"])
        if one["response"] and index + 1 < len(rounds):
            raise row.wrong("a round follows the response's", got=one["round"])


def _is_round(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and _is_whole(one.get("round"))
        and isinstance(one.get("calls"), list)
        and isinstance(one.get("response"), bool)
        and isinstance(one.get("answer"), _TEXT_OR_NULL)
        and all(map(_is_call, one["calls"]))
    )


# Made once: there are a hundred thousand rounds in a large run.
_TEXT_OR_NULL: Final = (str, type(None))


def _is_call(call: Any) -> bool:
    return (
        isinstance(call, dict)
        and isinstance(call.get("name"), str)
        and isinstance(call.get("node"), _TEXT_OR_NULL)
    )
