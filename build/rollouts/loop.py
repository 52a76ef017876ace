"""A rollout: a planner acts round by round in the environment, and each snapshot is kept."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from build.rollouts.desk import Slip
from environment.executor import Environment, Snapshot, execute, start_of
from trajectory.calls import Call
from trajectory.plan import Plan

MOST_ROUNDS: Final = 14


class Player(Protocol):
    """Who plans: first from the bare task, then again and again from what has run."""

    @property
    def slips(self) -> tuple[Slip, ...] | None:
        """What the planner knows to be wrong with its plan; None where it can't tell."""
        ...

    def first(self) -> Plan:
        """Plan the task."""
        ...

    def look(self, history: Sequence[Sequence[Call]]) -> None:
        """Take in what has run so far, round by round."""
        ...

    def next(self) -> Plan | None:
        """Return the next plan; None to carry on."""
        ...


class Shot(NamedTuple):
    """A snapshot, the slips that stood in it, and the plans that led there.

    plans: the first one, then the answer before each round, None where the planner carried on.
    """

    snapshot: Snapshot
    slips: tuple[Slip, ...] | None
    plans: tuple[Plan | None, ...]


def played(player: Player, environment: Environment) -> list[Shot]:
    """Let a planner act in an environment from the bare task to the end; all snapshots."""
    shots: list[Shot] = []
    plans: list[Plan | None] = [player.first()]

    def plan(snapshot: Snapshot) -> Plan | None:
        rounds = (*snapshot.history, snapshot.tool_results)
        player.look(rounds if snapshot.tool_results else snapshot.history)
        shots.append(Shot(snapshot, player.slips, tuple(plans)))
        plans.append(player.next() if snapshot.rounds else None)
        return plans[-1]

    start = start_of(Snapshot(plans[0] or Plan(()), (), ()))
    execute(start, plan, environment, max_rounds=MOST_ROUNDS)
    return shots


class _ReachedError(Exception):
    """The round that was wanted is there."""


def replayed(plans: Sequence[Plan | None], environment: Environment) -> Snapshot:
    """Return the snapshot that some plans lead to: `Shot.plans`."""
    shown: list[Snapshot] = []

    def plan(snapshot: Snapshot) -> Plan | None:
        shown.append(snapshot)
        if len(shown) == len(plans):
            raise _ReachedError
        return plans[len(shown)]

    with suppress(_ReachedError):
        execute(start_of(Snapshot(plans[0] or Plan(()), (), ())), plan, environment)
    return shown[-1]
