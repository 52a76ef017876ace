"""What an answer says of the trouble: its thought, read, and its diagnosis."""

from dataclasses import dataclass
from functools import cached_property

from eval.checks.case import Case
from eval.checks.claims import claims
from eval.checks.reading import Claim, Reading
from eval.checks.shown import flat
from models.reading import Diagnosis


@dataclass(frozen=True)
class Account:
    """What an answer says of the trouble: the thought, read, and the diagnosis."""

    case: Case
    reading: Reading
    diagnosis: tuple[Diagnosis, ...]

    @property
    def says_nothing(self) -> bool:
        """Whether there is no thought."""
        return not self.reading.text.raw.strip()

    @cached_property
    def copied(self) -> bool:
        """Whether the thought is nothing but words of a result."""
        said = flat(self.reading.text.raw).strip(" .")
        return bool(said) and said in self.reading.shown.results

    @cached_property
    def all_claims(self) -> list[Claim]:
        """All that the thought states."""
        return claims(self.reading)

    def claims(self, item: str | None = None) -> list[Claim]:
        """Return the claims, or those that count for an item."""
        return [one for one in self.all_claims if item is None or item in one.items]
