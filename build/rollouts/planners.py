"""Scripted fallible planners: each with habits of its own, and ways of its own to react.

They see what a model sees and the wish behind the request; the rest is habit. None stands for a
particular model. How often each plays is drawn by `SHARES`.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from build.rollouts import wrong_arguments, wrong_edges, wrong_tools
from build.rollouts.desk import Desk, Slip
from build.rollouts.planning import Draft, Wish, planned
from build.rollouts.reactions import Chances, mend, react
from trajectory.calls import Call
from trajectory.plan import Plan
from trajectory.tools import read_tools

Habit = Callable[[Desk], bool]

HABITS: Final[Mapping[str, Habit]] = {
    "placeholder": wrong_arguments.placeholder,
    "positional": wrong_arguments.positional,
    "renamed": wrong_arguments.renamed,
    "wrong_type": wrong_arguments.wrong_type,
    "left_out": wrong_arguments.left_out,
    "untrue": wrong_arguments.untrue,
    "wrong_tool": wrong_tools.wrong_tool,
    "invented": wrong_tools.invented,
    "never_planned": wrong_tools.never_planned,
    "double_check": wrong_tools.double_check,
    "extra_lookup": wrong_tools.extra_lookup,
    "forgotten_edge": wrong_edges.forgotten_edge,
    "too_early": wrong_edges.too_early,
    "wrong_edge": wrong_edges.wrong_edge,
    "chained": wrong_edges.chained,
    "hasty_answer": wrong_edges.hasty_answer,
}

# Slips of a first plan: how many → how often. Most plans have one or none.
_SLIPS: Final = {0: 10, 1: 52, 2: 16, 3: 22}
_TRIES: Final = 4
# Who makes several slips most often goes a roundabout way as well.
_ROUNDABOUT: Final = 0.7
_DETOURS: Final[Chances] = {"chained": 4, "double_check": 3, "extra_lookup": 2}


@dataclass(frozen=True)
class Temper:
    """How a planner errs.

    habits: of its first plans, by weight. after_outage, after_error: reactions by weight.
    doubts: how often a slip that nothing has shown is seen on a second look, each round.
    """

    habits: Chances
    after_outage: Chances
    after_error: Chances
    doubts: float


_PLAIN: Final[Chances] = {"ignore": 3, "in_place": 3, "anew": 3, "same_again": 1}
_CALM: Final[Chances] = {"ignore": 3, "retry": 5, "unheard": 1, "another_name": 1}

TEMPERS: Final[Mapping[str, Temper]] = {
    # Writes what it does not know yet as words, and corrects only what has failed.
    "sketcher": Temper(
        {"placeholder": 8, "untrue": 2, "wrong_type": 2, "chained": 2, "forgotten_edge": 1},
        _CALM,
        {"ignore": 4, "in_place": 4, "anew": 1, "same_again": 1},
        0.03,
    ),
    # Knows the tools, not their signatures.
    "terse": Temper(
        {"positional": 4, "renamed": 5, "left_out": 4, "wrong_type": 3, "chained": 2},
        {"ignore": 4, "retry": 5, "in_a_row": 1},
        {"ignore": 4, "in_place": 3, "same_again": 3},
        0.02,
    ),
    # Meets a tool that does not answer by doing more of the same.
    "insistent": Temper(
        {"double_check": 4, "invented": 3, "extra_lookup": 2, "wrong_type": 2, "wrong_edge": 2},
        {
            "ignore": 1,
            "retry": 1,
            "beside": 1,
            "in_a_row": 4,
            "at_once": 1,
            "another_name": 3,
            "unheard": 2,
        },
        {"ignore": 2, "anew": 3, "same_again": 5},
        0.02,
    ),
    # Does one thing after the other, and twice.
    "cautious": Temper(
        {"chained": 9, "double_check": 4, "extra_lookup": 3, "renamed": 1, "left_out": 1},
        {"ignore": 1, "retry": 4, "in_a_row": 3, "beside": 1},
        {"ignore": 1, "in_place": 3, "anew": 3, "same_again": 1},
        0.05,
    ),
    # Leaves things out.
    "forgetful": Temper(
        {"never_planned": 9, "left_out": 4, "forgotten_edge": 3, "hasty_answer": 1, "chained": 1},
        {"ignore": 5, "retry": 3, "unheard": 3},
        _PLAIN,
        0.12,
    ),
    # Is nearly right.
    "careless": Temper(
        {"untrue": 7, "wrong_type": 4, "renamed": 2, "too_early": 4, "left_out": 2},
        {"ignore": 5, "retry": 3, "unheard": 3},
        _PLAIN,
        0.06,
    ),
    # Takes one tool for another.
    "confused": Temper(
        {"wrong_tool": 7, "invented": 5, "wrong_edge": 4, "never_planned": 2, "untrue": 1},
        {"ignore": 4, "retry": 3, "another_name": 3, "unheard": 2},
        _PLAIN,
        0.04,
    ),
    # Runs everything as soon as it can, or sooner.
    "hasty": Temper(
        {"too_early": 10, "forgotten_edge": 4, "wrong_edge": 5, "hasty_answer": 1, "chained": 2},
        {"ignore": 6, "retry": 2, "unheard": 4},
        {"ignore": 5, "in_place": 3, "anew": 2, "same_again": 1},
        0.03,
    ),
}


@dataclass(frozen=True)
class Task:
    """What a planner is given: request, tool list, wish."""

    query: str
    tools: Sequence[Mapping[str, Any]]
    wish: Wish


class Scripted:
    """A planner of one temper on one task; the draws are those of the given generator."""

    def __init__(self, temper: Temper, task: Task, rng: random.Random) -> None:
        self._temper = temper
        self._desk = Desk(planned(task.query, task.wish), read_tools(list(task.tools)), rng)

    @property
    def slips(self) -> tuple[Slip, ...]:
        """The slips that stand: what the planner would confess to."""
        return tuple(self._desk.slips)

    @property
    def draft(self) -> Draft:
        """The plan on its way."""
        return self._desk.draft

    def first(self) -> Plan:
        """Plan the task, slips included."""
        rng, habits = self._desk.rng, self._temper.habits
        wanted = rng.choices(list(_SLIPS), list(_SLIPS.values()))[0]
        for _ in range(_TRIES * wanted):
            if len(self._desk.slips) >= wanted:
                break
            first = wanted > 1 and not self._desk.slips and rng.random() < _ROUNDABOUT
            chances = _DETOURS if first else habits
            HABITS[rng.choices(list(chances), list(chances.values()))[0]](self._desk)
        return self._desk.draft.plan()

    def look(self, history: Sequence[Sequence[Call]]) -> None:
        """Take in what has run so far, round by round."""
        self._desk.round = len(history)
        self._desk.draft.read(history)
        last = history[-1] if history else ()
        self._desk.see({call.node or "": call.results for call in last})

    def next(self) -> Plan:
        """Return the next plan: what failed is met, and at times a slip is seen."""
        desk, temper = self._desk, self._temper
        for node in list(desk.draft.troubles()):
            react(desk, node, temper.after_outage, temper.after_error)
        for slip in list(desk.mendable()):
            if desk.rng.random() < temper.doubts:
                mend(desk, slip)
        return desk.draft.plan()
