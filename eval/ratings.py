"""The scores that raters gave the rows of a run, as eval.score takes them in.

The checks are one rater; of several judges one must be chosen, for what two of them give is never
mixed. A judge that was shown the truth is another rater, and must be chosen by its name too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from eval.dimensions import Items
from eval.results import Key, Row
from eval.rubric import CHECKS_FILE, ITEMS, JUDGEMENTS, ScoreRow, read_scores
from trajectory import canonical
from trajectory.files import InputError

CHECKED: Final = "checked"
JUDGED: Final = "judged"
# What a judge is called that was shown the proven cause and repair.
WITH_REFERENCE: Final = " with reference"


@dataclass(frozen=True)
class Ratings:
    """What one rater gave the rows of a run.

    items: of each row the mean of its repeats, None where unscored in all of them. answers: the
    digest of the answer that was rated, where the rater tells. prompts: digests by name.
    """

    rater: str
    file: Path
    repeats: int
    items: Mapping[Key, Items]
    answers: Mapping[Key, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)

    def of(self, row: Row) -> Items:
        """Return the items of a row, all None where there are none.

        Raises InputError where another answer was rated than the one that stands in the row.
        """
        rated = self.answers.get(row.key)
        if rated is not None and rated != canonical.text_digest(row.raw_output):
            raise row.wrong(
                f"{self.rater} rated another answer than this one",
                do=f"remove {self.file} and rate the run again",
            )
        return self.items.get(row.key, {})

    def to_record(self) -> dict[str, Any]:
        """Return who rated, how, as an object for programs."""
        return {"rater": self.rater, "repeats": self.repeats, "prompts": dict(self.prompts)}


@dataclass(frozen=True)
class Rated:
    """The ratings that are used, by "checked" and "judged"; others: judges that none chose."""

    used: Mapping[str, Ratings] = field(default_factory=dict)
    others: Sequence[str] = ()


def ratings_of(folder: Path, judge: str | None = None) -> Rated:
    """Return the ratings of a run folder.

    judge: whose judgements are used; without it those of the only judge. Raises InputError where
    that judge has judged nothing, and on files that are none of scores.
    """
    used: dict[str, Ratings] = {}
    if (folder / CHECKS_FILE).is_file():
        used[CHECKED] = read_ratings(folder / CHECKS_FILE)
    judges = {one.rater: one for one in map(read_ratings, sorted(folder.glob(JUDGEMENTS)))}
    chosen = _chosen(judges, folder, judge)
    if chosen is not None:
        used[JUDGED] = chosen
    return Rated(used, [name for name, one in sorted(judges.items()) if one is not chosen])


def _chosen(judges: Mapping[str, Ratings], folder: Path, judge: str | None) -> Ratings | None:
    if judge is None:
        blind = [one for name, one in judges.items() if not name.endswith(WITH_REFERENCE)]
        return blind[0] if len(blind) == 1 else None
    if judge not in judges:
        known = ", ".join(sorted(judges)) or "none"
        raise InputError("this judge has judged nothing here", file=folder, got=judge, wanted=known)
    return judges[judge]


def read_ratings(file: Path) -> Ratings:
    """Read a file of scores by one rater; raises InputError, also where there are two."""
    rows = list(read_scores(file))
    raters = sorted({row.rater for row in rows})
    if len(raters) > 1:
        raise InputError("two raters in one file", file=file, got=", ".join(raters), wanted="one")
    by_row: dict[Key, list[ScoreRow]] = {}
    for row in rows:
        by_row.setdefault((row.id, row.sample), []).append(row)
    return Ratings(
        rater=raters[0] if raters else file.stem,
        file=file,
        repeats=max((row.repeat for row in rows), default=-1) + 1,
        items={key: mean_items(some) for key, some in by_row.items()},
        answers={key: one for key, some in by_row.items() if (one := some[-1].raw.get("answer"))},
        prompts=rows[0].raw.get("prompts", {}) if rows else {},
    )


def mean_items(rows: Iterable[ScoreRow]) -> Items:
    """Return the mean of each item over the rows that score it; None where none does."""
    repeated = list(rows)
    if len(repeated) == 1:
        return repeated[0].items
    found: dict[str, float | None] = {}
    for item in ITEMS:
        known = [value for row in repeated if (value := row.items[item]) is not None]
        found[item] = sum(known) / len(known) if known else None
    return found
