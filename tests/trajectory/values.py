"""JSON values for property tests of this part, and how to compare two of them to the letter."""

import json
from typing import Any

from hypothesis import strategies as st

# Half a character too: JSON can write it, UTF-8 cannot.
TEXTS = st.text(st.characters(), max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)


def to_the_letter(value: Any) -> str:
    """A text that differs where two values do, also where Python's ``==`` sees no difference."""
    return json.dumps(value, sort_keys=True)


def nested(depth: int, inner: Any = None, key: str | None = None) -> Any:
    """A value within `depth` lists, or objects that hold it under `key`."""
    value = inner
    for _ in range(depth):
        value = [value] if key is None else {key: value}
    return value
