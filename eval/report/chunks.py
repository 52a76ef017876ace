"""Data as script files: a page from the disk may load scripts, but may read no file.

Each file calls one function, `pararecover(name, value)`, with a value of plain JSON.
"""

import json
from pathlib import Path
from typing import Any, Final

# What would end a script, begin a comment of HTML, or break a line of JavaScript; within a text of
# JSON its escape means the same, and elsewhere in JSON none of them stands.
_ESCAPED: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def script(name: str, value: Any) -> bytes:
    """Return the script that hands over a value. Raises ValueError on NaN and infinities."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    said = f"pararecover({json.dumps(name)},{text});\n".translate(_ESCAPED)
    # A lone surrogate stands in a text only, where its escape means the same.
    return said.encode("utf-8", "backslashreplace")


def write(folder: Path, name: str, value: Any) -> None:
    """Write the script of a value into a folder; name: also the file's, without its ending."""
    (folder / f"{name}.js").write_bytes(script(name, value))
