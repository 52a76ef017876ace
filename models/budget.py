"""A budget of dollars and tokens, and what was spent of it."""

from dataclasses import dataclass

from models.replies import Usage
from models.trouble import SpentError


@dataclass
class Budget:
    """Counts what calls use and cost.

    max_cost: US dollars. max_tokens: of questions and replies together. cost, tokens: what is known
    to be spent. unpriced, uncounted: calls of which nobody told cost or usage; where a limit is set
    on what nobody tells, the limit can't hold, and `require` says so.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    cost: float = 0.0
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0
    uncounted: int = 0

    def require(self) -> None:
        """Raise SpentError where no call may be started any more."""
        if self.max_cost is not None and (self.cost >= self.max_cost or self.unpriced):
            why = "its price is unknown" if self.unpriced else f"spent ${self.cost:.4f}"
            raise SpentError(f"--max-cost {self.max_cost:g} is reached: {why}")
        if self.max_tokens is not None and (self.tokens >= self.max_tokens or self.uncounted):
            why = "its usage is unknown" if self.uncounted else f"used {self.tokens} tokens"
            raise SpentError(f"--max-tokens-total {self.max_tokens} is reached: {why}")

    def add(self, usage: Usage | None, cost: float | None) -> None:
        """Count a call."""
        self.calls += 1
        self.unpriced += cost is None
        self.uncounted += usage is None
        self.cost += cost or 0.0
        self.tokens += sum(usage or ())
