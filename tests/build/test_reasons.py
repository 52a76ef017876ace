"""The paragraph on what went wrong."""

import pytest

from build.reasons import reason
from tests.diagnosis.budget import EXAMPLES, add, examine, example, part, put
from trajectory.error_types import ErrorType as T
from trajectory.instance import Instance

SAID = {
    T.PARAMETER_NAME: (
        "Node 1 gives its arguments under wrong names (numbers: [100,250.5,49.5]); the schema "
        "wants amounts: [100,250.5,49.5]. Nodes 3, 4, 5, 6 and 7 will differ or not run."
    ),
    T.PARAMETER_TYPE: (
        "Node 5 gives 'step' in a wrong type (step: \"150\"); wanted step: 150. "
        "Node 6 will differ or not run."
    ),
    T.PARAMETER_MISSING: (
        'Node 5 lacks the required argument direction: "up". Node 6 will differ or not run.'
    ),
    T.PARAMETER_INVALID: (
        "Node 5 gives 'direction' an illegal or untrue value (direction: \"down\"); request and "
        'results give direction: "up". It has already reached node 6.'
    ),
    T.TOOL_NAME: (
        "Node 7 calls 'mean_amounts', which is in no list; the tool is 'average_amounts'. "
        "Nothing else is reached yet."
    ),
    T.TOOL_SELECT: (
        "Node 5 calls 'pick_amount', which does something else; the right tool is 'round_amount'. "
        "Node 6 will differ or not run."
    ),
    T.MISSING_CALL: (
        "No node calls 'average_amounts' with {\"amounts\":[80,120]}, which node 6 needs first. "
        "Nothing else is reached yet."
    ),
    T.REDUNDANT_CALL: (
        "Node 8 calls 'round_amount' although nothing needs that call. "
        "Node 6 runs later than needed."
    ),
    T.SERIAL: (
        "Node 4 waits for node 1 and so runs no later than what it needs: it must wait for node 3. "
        "Nodes 5 and 6 will differ or not run."
    ),
    T.DEPENDENCE: (
        "Node 5 waits for node 7 where it must wait for node 4. Node 6 will differ or not run."
    ),
    T.DEPENDENCE_NULL: (
        "Node 6 waits for node 5 although it uses what nodes 2 and 5 give. "
        "Nothing else is reached yet."
    ),
    T.PARALLELISM: (
        "Node 3 waits for node 7 although it needs nothing of it. "
        "Nodes 3, 4, 5 and 6 run later than needed."
    ),
    T.TIMEOUT: (
        "Node 2 makes the right call, but the tool did not answer in time. "
        "Node 6 will differ or not run."
    ),
    T.NULL: (
        "Node 5 makes the right call, but the tool answered with nothing (null). "
        "Node 6 will differ or not run."
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", [*EXAMPLES])
def test_the_paragraph_of_each_type(kind: T) -> None:
    assert reason(example(kind).errors) == SAID[kind]


def test_several_errors_stand_one_after_another() -> None:
    seen = examine(5, put("1", "amounts", [100, 250.5, 94.5]), part("6", "2"))
    assert reason(seen.errors) == (
        "Node 6 waits for node 5 although it uses what nodes 2 and 5 give. "
        "Nothing else is reached yet. "
        "Node 1 gives 'amounts' an illegal or untrue value (amounts: [100,250.5,94.5]); request "
        "and results give amounts: [100,250.5,49.5]. "
        "It has already reached nodes 3, 4, 5 and 7."
    )


def test_what_is_reached_now_and_later_and_delayed() -> None:
    errors = examine(3, put("1", "amounts", [100, 250.5, 94.5])).errors
    assert reason(errors).endswith(
        "It has already reached nodes 3, 4 and 7; node 5 will differ or not run."
    )
    gate = add("8", "average_amounts", ["1"], ["3"], amounts=[1, 2])
    assert reason(examine(1, gate).errors).endswith("Nodes 3, 4, 5 and 6 run later than needed.")


def test_the_response_is_no_node_of_a_number() -> None:
    (error,) = examine(1, part("response", "7")).errors
    assert reason([error]).startswith("The response waits for node 6 although it uses what")


def test_without_an_error_nothing_is_said() -> None:
    assert reason([]) == ""


def test_every_instance_is_told_of(augmented: list[Instance]) -> None:
    for one in augmented:
        assert reason(one.errors) == one.error_reason
        for error in one.errors:
            if error["root_cause"] != "response":
                assert f"ode {error['root_cause']} " in one.error_reason
        assert one.error_reason.endswith(".")
        assert "\n" not in one.error_reason
