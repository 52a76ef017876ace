"""Process checks: the 13 judged items of the rubric by program, where the truth is at hand.

`checked` scores one answer; each item's rule stands in the docstring of its function and says what
it cannot see (metrics.md, "Process checks").
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eval.checks.answers import Checked, checked
    from eval.checks.case import Case

__all__ = ["Case", "Checked", "checked"]


def __getattr__(name: str) -> Any:
    """Read the rules when they are first asked for: a command's help needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from eval.checks import answers

    return getattr(answers, name)
