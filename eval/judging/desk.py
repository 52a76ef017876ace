"""Answers judged many at once into one file, taken up where it was left."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from eval.asking import Asker
from eval.journal import Journal, cut_torn_line, order_lines
from eval.judging.asking import Judge
from eval.judging.material import material
from eval.judging.records import Asked, Key, invalid_line, line_of, read_known
from eval.rubric import DIMENSIONS, read_scores
from eval.running import HarnessError, Row, Stop, StoppedError, rows, written_out
from models.reading import read_answer
from models.trouble import SpentError
from trajectory.instance import Instance


class Instances(Protocol):
    """Where instances stand, by id: a shelf, or several."""

    def __getitem__(self, id: str) -> Instance: ...


@dataclass(frozen=True)
class Judged:
    """An answer that is to be judged. gave_none: it counts as no answer, whatever it says."""

    id: str
    sample: int
    text: str
    gave_none: bool = False
    dimensions: Sequence[str] = tuple(DIMENSIONS)


@dataclass
class Desk:
    """Where answers are judged. reference: whether the judge is shown the truth."""

    shelf: Instances
    judge: Judge
    asked: Asked
    asker: Asker
    answers: Mapping[tuple[str, int], Judged]
    reference: bool = False
    stop: Stop = field(default_factory=Stop)
    _reading: Lock = field(default_factory=Lock)

    def judge_all(self, file: Path, repeats: int, workers: int) -> dict[str, Any]:
        """Judge what is still due, `repeats` times each; return what was done."""
        cut = cut_torn_line(file)
        texts = {key: one.text for key, one in self.answers.items()}
        self._known = read_known(file, self.asked, texts)
        keys = [(*key, repeat) for key in sorted(self.answers) for repeat in range(repeats)]
        due = [key for key in keys if not self._known.done(key, self._of(key).dimensions)]
        made = 0
        with Journal(file) as self._journal:
            try:
                for _, row in shown(rows(due, self._make, workers, self.stop), len(keys), len(due)):
                    made += row is not None
            finally:
                written_out((self._journal,))
        order_lines(file, {row.line: row.key for row in read_scores(file)})
        return {
            "judge": self.asked.rater,
            "file": str(file),
            "rows": len(keys),
            "new": made,
            "skipped": len(keys) - len(due),
            "due": len(due) - made,
            "unscored": _unscored(file),
            "bytes_cut": cut,
            "stopped": self.stop.reason,
            "trouble": self.stop.trouble,
        }

    def _of(self, key: Key) -> Judged:
        return self.answers[key[0], key[1]]

    def _make(self, key: Key) -> Row:
        """Judge one answer and write its line; raises HarnessError where some of it stays due."""
        if self.stop.is_set:
            raise StoppedError
        one = self._of(key)
        answer = read_answer(one.text)
        if one.gave_none or answer.plan is None:
            return self._written(invalid_line(self.asked, key, one.text))
        with self._reading:
            instance = self.shelf[one.id]
        calls = self._known.calls(key)
        due = [name for name in one.dimensions if name not in calls]
        seen = material(instance, answer, reference=self.reference)
        made, failed = self.asker.wait(self.judge.ask(seen, key, due))
        line = line_of(self.asked, key, one.text, {**calls, **made})
        if made:
            self._written(line)
        for error in failed:
            if isinstance(error, SpentError):
                self.stop.now(str(error))
                raise StoppedError
        if failed:
            raise HarnessError(str(failed[0]))
        return line

    def _written(self, line: Row) -> Row:
        self._journal.append(line)
        if self._journal.held:
            self.stop.now(self._journal.problem)
        return line


def _unscored(file: Path) -> int:
    """Return how many items could not be read, over all lines."""
    return sum(len(row.raw["unscored"]) for row in read_scores(file))


def shown(made: Any, total: int, due: int) -> Any:
    """Return what is made, with a bar on a terminal."""
    from tqdm import tqdm

    return tqdm(made, total=total, initial=total - due, unit="row", disable=None, file=sys.stderr)
