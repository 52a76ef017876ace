"""One small run whose figures are all worked out by hand.

Four instances, of which A and D carry Timeout_Error, C Parameter_Invalid and B both; B and C are
of one task; C is a rollout. A is mended, B carried on, C answered with a loop, D has no row.

    |                   | A          | B          | C        | D       |
    | rounds in all     | 1 + 3      | 1 + 2      | 1 + 3    | missing |
    | calls in all      | 1 + 2      | 1 + 1      | 1        | missing |
    | passed            | yes        | yes        | no       | no      |
    | verified          | yes        | no         | no       | no      |
    | E5                | 3 / 4      | 3 / 3      | 0        | 0       |
    | verified E5       | 4 / 4      | 0          | 0        | 0       |
    | tool use          | 2 / 3      | 2 / 2      | 0        | 0       |
    | verified tool use | 3 / 3      | 0          | 0        | 0       |
    | nodes named       | 1          | 1, 3       | none     | none    |
    | nodes true        | 1          | 1, 2       | 2        | 1       |
    | types named       | Timeout    | Timeout, Type | none  | none    |
    | types true        | Timeout    | Timeout, Invalid | Invalid | Timeout |
"""

from pathlib import Path

import pytest

from eval.scoring import Figure, Table, notes
from tests.eval.handmade import (
    INVALID,
    TIMEOUT,
    by_group,
    carried_on,
    instance,
    looped,
    retried,
    run_folder,
    table_of,
)

# Metric → strict mean over A to D, covered mean over A to C.
ALL = {
    "invalid_dag": ((0 + 0 + 1 + 1) / 4, (0 + 0 + 1) / 3),
    "pass_at_1": ((1 + 1 + 0 + 0) / 4, (1 + 1 + 0) / 3),
    "verified_pass_at_1": (1 / 4, 1 / 3),
    "e5": ((3 / 4 + 1 + 0 + 0) / 4, (3 / 4 + 1 + 0) / 3),
    "verified_e5": (1 / 4, 1 / 3),
    "tool_efficiency": ((2 / 3 + 1 + 0 + 0) / 4, (2 / 3 + 1 + 0) / 3),
    "verified_tool_efficiency": (1 / 4, 1 / 3),
    "node_exact": (1 / 4, 1 / 3),
    "node_precision": ((1 + 1 / 2) / 4, (1 + 1 / 2) / 3),
    "node_recall": ((1 + 1 / 2) / 4, (1 + 1 / 2) / 3),
    "node_f1": ((1 + 1 / 2) / 4, (1 + 1 / 2) / 3),
    # B: of two types named and two true ones, one agrees, as of two pairs.
    "type_f1": ((1 + 1 / 2) / 4, (1 + 1 / 2) / 3),
    "joint_f1": ((1 + 1 / 2) / 4, (1 + 1 / 2) / 3),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    instances = [
        instance("A", "T1", TIMEOUT),
        instance("B", "T2", TIMEOUT, INVALID),
        instance("C", "T2", INVALID, source="rollout"),
        instance("D", "T3", TIMEOUT),
    ]
    rows = [
        retried("A", ("1", TIMEOUT)),
        carried_on("B", ("1", TIMEOUT), ("3", "Type_Error")),
        looped("C"),
    ]
    folder: Path = tmp_path_factory.mktemp("golden")
    return table_of(run_folder(folder, instances, rows))


@pytest.fixture(scope="module")
def found(table: Table) -> dict[tuple[str, str], Figure]:
    return by_group(table)


@pytest.mark.parametrize("metric", ALL)
def test_over_all(found: dict[tuple[str, str], Figure], metric: str) -> None:
    figure = found["all", metric]
    assert (figure.strict, figure.covered) == pytest.approx(ALL[metric])
    assert figure.coverage == 3 / 4
    assert figure.estimate is not None
    assert (figure.estimate.n, figure.estimate.tasks) == (4, 3)
    assert figure.estimate.ci is None


def test_no_other_metric_is_there(found: dict[tuple[str, str], Figure]) -> None:
    assert {metric for _, metric in found} == set(ALL)


@pytest.mark.parametrize(
    ("group", "strict", "n"),
    [
        ("type:Timeout_Error", (3 / 4 + 1 + 0) / 3, 3),  # A, B, D
        ("single:Timeout_Error", (3 / 4 + 0) / 2, 2),  # A, D
        ("type:Parameter_Invalid", (1 + 0) / 2, 2),  # B, C
        ("single:Parameter_Invalid", 0, 1),  # C
        ("source:augmented", (3 / 4 + 1 + 0) / 3, 3),  # A, B, D
        ("source:rollout", 0, 1),  # C
        ("without_tool_faults", 0, 1),  # C
        ("macro_types", ((3 / 4 + 1 + 0) / 3 + (1 + 0) / 2) / 2, 4),
    ],
)
def test_e5_of_a_group(
    found: dict[tuple[str, str], Figure], group: str, strict: float, n: int
) -> None:
    figure = found[group, "e5"]
    assert figure.strict == pytest.approx(strict)
    assert figure.estimate is not None
    assert figure.estimate.n == n


def test_there_is_no_other_group(found: dict[tuple[str, str], Figure]) -> None:
    types = [f"{kind}:{name}" for kind in ("type", "single") for name in (TIMEOUT, INVALID)]
    others = ["all", "without_tool_faults", "source:augmented", "source:rollout", "macro_types"]
    assert {group for group, _ in found} == {*types, *others}


def test_outcomes_and_what_is_reported_apart(table: Table) -> None:
    assert notes(table) == {
        "declared": 4,
        "rows": 3,
        "model_invalid": 0,
        "harness_error": 0,
        "missing": 1,
        "inherited": 0,
        "no_response": 0,
        "response_unreachable": 1,  # C: behind the loop
        "executed_dropped": 0,
        "executed_altered": 0,
        "status_slips": 0,
    }
    assert not table.official
