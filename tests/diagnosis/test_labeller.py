"""The labeller, on a parcel that is sent and tracked; and what is found of each type."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from build.candidates import course_of, examined
from build.injectors.scene import Scene
from diagnosis.edits import Edit, apply_edits
from diagnosis.examination import Examination
from diagnosis.labeller import labelled, renamed, renamed_run
from environment.faults import Fault
from tests.build.injectors.parcels import TO_BRUSSELS, parcels
from trajectory.plan import Plan
from trajectory.references import reference

# The ids that the gold plan has before the labeller sees it.
NAMES = {"root": "root", "response": "response", "1": "4", "2": "1", "3": "7", "4": "2"}


def seen(
    *edits: Edit, rounds: int = 0, faults: tuple[Fault, ...] = (), scene: Scene | None = None
) -> Examination:
    """Return the examination of the parcels' plan with these edits after so many rounds."""
    scene = scene or parcels()
    scene = Scene(scene.stage, apply_edits(scene.plan, edits), {}, faults)
    found = examined(course_of(scene), rounds)
    gold, run = renamed(found.gold, NAMES), renamed_run(found.gold_run, NAMES)
    return labelled(replace(found, gold=gold, gold_run=run))


def found(*edits: Edit, **how: Any) -> list[str]:
    return [f"{label.type} {label.root_cause}" for label in seen(*edits, **how).labels]


def edit(op: str, node: str, **more: Any) -> Edit:
    return {"op": op, "node": node, **more}


def argument(node: str, parameter: str, value: Any) -> Edit:
    return edit("set_argument", node, parameter=parameter, value=value)


def without(node: str, parameter: str) -> Edit:
    return edit("remove_argument", node, parameter=parameter)


TIMEOUT = Fault("quote_shipping", 1, 1, "timeout")


def test_nothing_is_wrong_with_the_gold_plan() -> None:
    for rounds in range(4):
        assert found(rounds=rounds) == []


@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.parametrize(
    ("edits", "label"),
    [
        ([edit("remove_node", "4")], "Toolcall_Missing response"),
        (
            [edit("remove_node", "1"), argument("2", "carrier_id", "CR-000000")],
            "Toolcall_Missing 2",
        ),
        (
            [
                edit(
                    "add_node",
                    "9",
                    tool="quote_shipping",
                    arguments={**TO_BRUSSELS, "sort_by": "price"},
                    dep=["1"],
                    consumers=["2"],
                ),
            ],
            "Toolcall_Redundancy 9",
        ),
        ([edit("set_tool", "3", tool="parcel_status")], "Tool_name_Error 3"),
        (
            [edit("set_tool", "3", tool="find_parcels", arguments={"person": "Leo Marsh"})],
            "Tool_select_Error 3",
        ),
        ([edit("remove_edge", "3", dep="2")], "Dependence_Null 3"),
        ([edit("remove_edge", "3", dep="2"), edit("add_edge", "3", dep="1")], "Serial_Error 3"),
        ([edit("remove_edge", "3", dep="2"), edit("add_edge", "3", dep="4")], "Dependence_Error 3"),
        ([edit("add_edge", "4", dep="3")], "Parallelism_Error 4"),
        ([without("2", "sender"), argument("2", "from", "Ada Novak")], "Parameter_Error 2"),
        ([without("2", "sender")], "Parameter_Missing 2"),
        ([argument("2", "weight_kg", "five")], "Type_Error 2"),
        ([argument("2", "ship_on", "2026-05-11")], "Parameter_Invalid 2"),
    ],
)  # fmt: skip
def test_each_type_is_found(edits: Sequence[Edit], label: str, rounds: int) -> None:
    assert found(*edits, rounds=rounds) == [label]


def test_a_tool_that_gave_nothing_is_found() -> None:
    assert found(faults=(TIMEOUT,), rounds=1) == ["Timeout_Error 1"]
    null = Fault("find_parcels", 1, 1, "null")
    assert found(faults=(null,), rounds=2) == ["Null_Error 4"]


def test_a_call_that_is_tried_again_is_no_error() -> None:
    again = seen(edit("retry", "1", new="5"), faults=(TIMEOUT,), rounds=2)
    assert again.labels == []
    assert again.purposes == {"5": "1"}
    assert again.errors == []


def test_who_still_waits_for_the_failed_attempt_depends_on_the_wrong_node() -> None:
    stale = [
        edit("retry", "1", new="5"),
        edit("remove_edge", "2", dep="5"),
        edit("add_edge", "2", dep="1"),
        argument("2", "carrier_id", reference("1", "quotes[0].carrier_id")),
    ]
    assert found(*stale, faults=(TIMEOUT,), rounds=2) == ["Dependence_Error 2"]


def test_several_errors_are_told_apart() -> None:
    edits = [
        edit("set_tool", "1", tool="get_quotes"),
        argument("2", "ship_on", "tomorrow"),
        edit("add_edge", "4", dep="2"),
    ]
    assert found(*edits, rounds=1) == [
        "Parallelism_Error 4", "Parameter_Invalid 2", "Tool_name_Error 1"
    ]  # fmt: skip


def test_the_gold_plan_is_given_the_ids_of_the_plan() -> None:
    gold = seen(edit("remove_node", "4"), rounds=1).gold
    right = parcels().plan
    assert [node.id for node in gold] == ["root", "1", "2", "3", "4", "response"]
    assert gold.by_id["2"] == right.by_id["2"]
    assert gold.by_id["4"].name == "find_parcels"
    assert gold.by_id["response"].dep == ("3", "4")


def test_a_missing_call_has_an_id_that_nothing_had() -> None:
    new = [edit("remove_node", "4"), edit("retry", "1", new="5")]
    again = seen(*new, faults=(TIMEOUT,), rounds=2)
    assert [node.id for node in again.gold] == ["root", "1", "2", "3", "6", "response"]


def test_repairs_reach_and_evidence_follow() -> None:
    (error,) = seen(argument("2", "weight_kg", "five"), rounds=2).errors
    assert (error["root_cause"], error["affected_now"]) == ("2", ["2"])
    assert error["affected_later"] == ["3"]
    assert error["evidence"]


def test_renaming_keeps_the_calls_and_what_they_gave() -> None:
    right = parcels()
    run = renamed_run(right.stage.gold_run, NAMES)
    assert {entry.node: entry.result for entry in run.ledger} == {
        NAMES[node]: result for node, result in right.stage.results.items()
    }
    back = {new: old for old, new in NAMES.items()}
    assert renamed(renamed(right.plan, NAMES), back) == Plan(right.plan.nodes)
