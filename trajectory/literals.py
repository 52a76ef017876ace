"""Values written as text: JSON, or the Python repr that some published fields hold instead."""

import ast
import re
import warnings
from typing import Any

from trajectory import canonical

# literal_eval is only asked where a repr can begin: for prose it would be slow, and it warns.
_REPR = re.compile(r"\s*(?:[\[({'\"]|(?:None|True|False)\s*$)")


def parse(text: str) -> Any:
    """Return the value of a strict JSON text or of a Python literal that JSON could hold.

    Tuples become lists. Raises ValueError on anything else: prose, broken JSON, NaN, sets,
    nesting too deep to read.
    """
    try:
        return canonical.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        if not _REPR.match(text):
            raise
        return _parse_repr(text, error)


def _parse_repr(text: str, not_json: ValueError) -> Any:
    try:
        with warnings.catch_warnings():
            # An escape that Python doesn't know ("\d") is common in text cut out of JSON.
            warnings.simplefilter("ignore")
            return canonical.loads(canonical.dumps(ast.literal_eval(text.strip())))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise not_json from None
