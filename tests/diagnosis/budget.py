"""A small task by hand, and what comes of edits of its plan.

    1 sum ──► 3 keep ──► 4 recall ──► 5 round ──► 6 compare        rounds 1 to 5, then the response
        └───► 7 average                               ▲
    2 average ────────────────────────────────────────┘

Node 4 waits for node 3 because of its effect; all other edges carry values. Nodes 2 and 7 call
the same tool.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from build.candidates import Course, course_of, examined
from build.gold import Gold
from build.injectors.scene import Scene, Stage
from diagnosis.edits import Edit, apply_edits
from diagnosis.examination import Examination
from environment import worlds
from environment.executor import Snapshot, carry_on, execute, start_of
from environment.faults import Fault
from environment.goal import make_goal
from environment.simulation import Simulation, setting
from trajectory.descriptions import describe
from trajectory.error_types import ErrorType
from trajectory.plan import Node, Plan
from trajectory.references import reference as ref
from trajectory.tools import read_tools

SETTING = setting(["arithmetic"], 11)
TOOLS = worlds.tools(SETTING.worlds)
QUERY = (
    "Add up 100, 250.5 and 49.5, note the sum as “budget for the open day” and average it with "
    "600. Then read the note, round it up to a multiple of 150 and tell me how that compares with "
    "the average of 80 and 120."
)
NOTE = "budget for the open day"


def call(id: str, name: str, *dep: str, **para: Any) -> Node:
    return Node(id, name, para, describe(), dep or ("root",))


GOLD = Plan(
    (
        Node("root", desc=QUERY, status=True),
        call("1", "sum_amounts", amounts=[100, 250.5, 49.5]),
        call("2", "average_amounts", amounts=[80, 120]),
        call("3", "keep_number", "1", label=NOTE, amount=ref("1", "total")),
        call("4", "recall_number", "3", label=NOTE),
        call("5", "round_amount", "4", amount=ref("4", "amount"), step=150, direction="up"),
        call("6", "compare_amounts", "2", "5", before=ref("2", "mean"), after=ref("5", "rounded")),
        call("7", "average_amounts", "1", amounts=[ref("1", "total"), 600]),
        Node("response", dep=("6", "7"), desc="Answer the user."),
    )
)


def stage(plan: Plan = GOLD, unlisted: Sequence[str] = ()) -> Stage:
    """The task, or one with another plan; unlisted: tools that its list does not show."""
    listed = {name: tool for name, tool in TOOLS.items() if name not in unlisted}
    rows = [tool.to_catalogue() for tool in listed.values()]
    catalogue = read_tools(rows)
    simulation = Simulation(SETTING, catalogue)
    run = execute(start_of(Snapshot(plan, (), ())), carry_on, simulation)
    gold = Gold(
        id="budget",
        query=QUERY,
        tools=rows,
        plan=plan,
        calls=tuple(tuple(entry.to_call() for entry in one.entries) for one in run.rounds),
        rounds_gt=run.total_rounds,
        calls_gt=run.calls_after,
        split="test",
        origin=SETTING.to_row(),
        edges=(),
        goal=make_goal(run.ledger, TOOLS, simulation.digest()),
    )
    return Stage(gold, catalogue, listed, lambda faults: Simulation(SETTING, catalogue, faults))


STAGE = stage()


def course(
    *edits: Edit,
    faults: Sequence[Fault] = (),
    purposes: Mapping[str, str] | None = None,
    stage: Stage = STAGE,
) -> Course:
    """The trajectory of the plan with these edits."""
    plan = apply_edits(stage.gold.plan, edits)
    return course_of(Scene(stage, plan, purposes or {}, tuple(faults)))


def examine(
    rounds: int,
    *edits: Edit,
    faults: Sequence[Fault] = (),
    purposes: Mapping[str, str] | None = None,
    stage: Stage = STAGE,
) -> Examination:
    """The examination of the plan with these edits after so many rounds."""
    return examined(course(*edits, faults=faults, purposes=purposes, stage=stage), rounds)


# --- edits, in short --------------------------------------------------------------------------


def put(node: str, parameter: str, value: Any) -> Edit:
    return {"op": "set_argument", "node": node, "parameter": parameter, "value": value}


def drop(node: str, parameter: str) -> Edit:
    return {"op": "remove_argument", "node": node, "parameter": parameter}


def tool(node: str, name: str, **arguments: Any) -> Edit:
    return {"op": "set_tool", "node": node, "tool": name, "arguments": arguments}


def wait(node: str, dep: str) -> Edit:
    return {"op": "add_edge", "node": node, "dep": dep}


def part(node: str, dep: str) -> Edit:
    return {"op": "remove_edge", "node": node, "dep": dep}


def gone(node: str) -> Edit:
    return {"op": "remove_node", "node": node}


def again(node: str, new: str) -> Edit:
    return {"op": "retry", "node": node, "new": new}


def add(node: str, name: str, dep: Sequence[str], to: Sequence[str], **arguments: Any) -> Edit:
    return {
        "op": "add_node",
        "node": node,
        "tool": name,
        "arguments": arguments,
        "dep": list(dep),
        "consumers": list(to),
    }


def outage(name: str, first: int = 1, length: int = 1, *, null: bool = False) -> Fault:
    return Fault(name, first, length, "null" if null else "timeout")


# --- an error of each type --------------------------------------------------------------------

T = ErrorType


class Example(NamedTuple):
    """A trajectory with an error: after how many rounds, with which edits and faults."""

    rounds: int
    edits: tuple[Edit, ...] = ()
    faults: tuple[Fault, ...] = ()


EXAMPLES = {
    T.PARAMETER_NAME: Example(1, (drop("1", "amounts"), put("1", "numbers", [100, 250.5, 49.5]))),
    T.PARAMETER_TYPE: Example(4, (put("5", "step", "150"),)),
    T.PARAMETER_MISSING: Example(4, (drop("5", "direction"),)),
    T.PARAMETER_INVALID: Example(5, (put("5", "direction", "down"),)),
    T.TOOL_NAME: Example(2, ({"op": "set_tool", "node": "7", "tool": "mean_amounts"},)),
    T.TOOL_SELECT: Example(
        4, (tool("5", "pick_amount", amounts=[ref("4", "amount"), 150], which="largest"),)
    ),
    # An average that nobody has worked out.
    T.MISSING_CALL: Example(5, (gone("2"), put("6", "before", 90))),
    # Rounding what is round already, before going on.
    T.REDUNDANT_CALL: Example(
        4,
        (
            add(
                "8", "round_amount", ["5"], ["6"],
                amount=ref("5", "rounded"), step=150, direction="up",
            ),
        ),
    ),
    # Reading a note beside its writing.
    T.SERIAL: Example(2, (part("4", "3"), wait("4", "1"))),
    # Rounding the average of node 7 in place of what was noted.
    T.DEPENDENCE: Example(
        3, (part("5", "4"), wait("5", "7"), put("5", "amount", ref("7", "mean")))
    ),
    T.DEPENDENCE_NULL: Example(5, (part("6", "2"),)),
    T.PARALLELISM: Example(1, (wait("3", "7"),)),
    T.TIMEOUT: Example(1, faults=(outage("average_amounts"),)),
    T.NULL: Example(4, faults=(outage("round_amount", null=True),)),
}  # fmt: skip


@cache
def example(kind: ErrorType) -> Examination:
    """The examination of the example of a type."""
    rounds, edits, faults = EXAMPLES[kind]
    return examine(rounds, *edits, faults=faults)


# --- what an examination says, in short -------------------------------------------------------


def short(edit: Edit) -> str:
    """An edit in a few words, with the errors that it mends."""
    others = [edit[key] for key in ("parameter", "tool", "dep", "new") if key in edit]
    words = " ".join(map(str, [edit["op"], edit["node"], *others]))
    return f"{words} for {','.join(map(str, edit['errors']))}"


def difference(seen: Examination) -> list[str]:
    """The edits of which repairs are made."""
    return [short(edit) for edit in (*seen.edits, *seen.undone)]


def repairs(seen: Examination) -> list[list[str]]:
    """All minimal repairs."""
    return [[short(edit) for edit in repair] for repair in seen.repairs]


def types(seen: Examination) -> list[str]:
    """The errors, by type and root cause."""
    return [f"{label.type} {label.root_cause}" for label in seen.labels]


def reach(seen: Examination, number: int = 0) -> tuple[list[str], list[str], list[str]]:
    """What an error reaches now and later, and what it delays."""
    error = seen.errors[number]
    return error["affected_now"], error["affected_later"], error["delayed"]
