"""A rollout: a planner acts round by round in the environment, and each snapshot is kept."""

from collections.abc import Sequence
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
    """A snapshot, and the slips that stood in it."""

    snapshot: Snapshot
    slips: tuple[Slip, ...] | None


def played(player: Player, environment: Environment) -> list[Shot]:
    """Let a planner act in an environment from the bare task to the end; all snapshots."""
    shots: list[Shot] = []

    def plan(snapshot: Snapshot) -> Plan | None:
        rounds = (*snapshot.history, snapshot.tool_results)
        player.look(rounds if snapshot.tool_results else snapshot.history)
        shots.append(Shot(snapshot, player.slips))
        return player.next() if snapshot.rounds else None

    start = start_of(Snapshot(player.first(), (), ()))
    execute(start, plan, environment, max_rounds=MOST_ROUNDS)
    return shots
