"""Loads a dataset folder in every way its users do, with whatever `datasets` is installed.

Run in the folder that holds `pararecover/`, with a JSON text of config → ids in order. It
needs `datasets` and pandas, nothing of ours, so that old versions can run it.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import datasets
import pandas as pd


def check(expected: dict[str, list[str]]) -> None:
    first = next(iter(expected))
    assert ids(datasets.load_dataset("pararecover", split="test")) == expected["level1"]
    for config, wanted in expected.items():
        named = datasets.load_dataset("pararecover", config)
        assert list(named) == ["test"]
        assert ids(named["test"]) == wanted
        assert json.loads(named["test"][0]["plan"])["tasks"]
        path = str(Path("pararecover").resolve())
        assert ids(datasets.load_dataset(path, config, split="test")) == wanted
        stream = datasets.load_dataset("pararecover", config, split="test", streaming=True)
        assert [row["id"] for row in stream] == wanted
        assert list(named["test"].to_pandas()["id"]) == wanted
        assert list(pd.read_parquet(file_of(config))["id"]) == wanted
    labels = datasets.load_dataset("pararecover", first, split="test")[0]["error_types"]
    assert isinstance(labels, list)


def ids(dataset: Any) -> list[str]:
    return list(dataset["id"])


def file_of(config: str) -> Path:
    text = Path("pararecover/README.md").read_text("utf-8")
    match = re.search(rf"path: ({config}/test-\w+\.parquet)", text)
    assert match
    return Path("pararecover") / match[1]


if __name__ == "__main__":
    check(json.loads(sys.argv[1]))
    print(datasets.__version__)
