"""People's scores, from whatever their sheets are."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from eval.reliability.reading import read_rater
from trajectory.files import InputError

ROWS: list[list[object]] = [
    ["id", "item", "score"],
    ["a", "S1", 1],
    ["a", "D3", 0.5],
    ["b", "S1", None],
]


def book(path: Path, rows: list[list[object]]) -> Path:
    made = Workbook()
    assert made.active is not None
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def csv_of(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.mark.parametrize(
    "text",
    [
        "id,item,score\na,S1,1\na,D3,0.5\nb,S1,\n",
        "\ufeffID;Item;Score\r\na;s1;1,0\r\na;D3;0,5\r\n\r\nb;S1;\r\n",
        "score\titem\tid\tremark\n1\tS1\ta\thm\n.5\tD3\ta\n\tS1\tb\n",
    ],
)
def test_csv_with_any_separator_bom_and_line_ends(tmp_path: Path, text: str) -> None:
    _assert_read(csv_of(tmp_path / "ann.csv", text))


def test_a_workbook(tmp_path: Path) -> None:
    _assert_read(book(tmp_path / "ann.xlsx", ROWS))


def test_json_lines_with_a_score_a_line(tmp_path: Path) -> None:
    lines = '{"id":"a","item":"S1","score":1}\n{"id":"a","item":"D3","score":0.5}\n'
    _assert_read(csv_of(tmp_path / "ann.jsonl", f'{lines}{{"id":"b","item":"S1","score":null}}\n'))


def _assert_read(path: Path) -> None:
    first, second = read_rater(path)
    assert (first.id, first.rater) == ("a", "ann")
    assert {item: score for item, score in first.items.items() if score is not None} == {
        "S1": 1.0,
        "D3": 0.5,
    }
    assert {*second.items.values()} == {None}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,item,score\na,S1,0.7\n", r"ann.csv:2: .*a wrong score of S1: got \"?0.7"),
        ("id,item,score\na,S9,1\n", r"ann.csv:2: no such item: got S9"),
        (
            "id,item,score\na,S1,1\na,S1,0\n",
            r"ann.csv:3: .*a second score of S1; the first is",
        ),
        ("id,item\na,S1\n", r"ann.csv:1: no single column 'score'"),
        ("id,item,score\n,S1,1\n", r"ann.csv:2: 'id' is wrong"),
        ("id,item,score,rater\na,S1,1,x\na,S2,1,y\n", r"ann.csv: several raters: got x, y"),
        ("", r"ann.csv: no scores"),
        ('id,item,score\n"a,S1,1\n', r"ann.csv: not CSV"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_rater(csv_of(tmp_path / "ann.csv", text))


def test_what_is_no_workbook(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ann.xlsx: not a workbook"):
        read_rater(csv_of(tmp_path / "ann.xlsx", "id,item,score\n"))
    with pytest.raises(InputError, match=r"no.xlsx: cannot be read: No such file"):
        read_rater(tmp_path / "no.xlsx")
