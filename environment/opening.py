"""Where an instance begins: its snapshot, its ledger, and the environment as it stood there."""

from environment import record
from environment.executor import Environment, Snapshot, Start, start_of
from environment.faults import read_faults
from environment.replay import RECORDED, Replay, replay_of
from environment.retracing import retraced
from environment.simulation import Simulation, read_setting
from trajectory.calls import read_calls
from trajectory.instance import Instance
from trajectory.plan import read_plan
from trajectory.tools import read_tools

RELEASE = "release"


def start(instance: Instance) -> Start:
    """Return the start of every execution of an instance; r_pre is its `rounds`.

    A record of the release tells of no rounds but the last: the earlier ones are worked out
    from its plan (`environment.record`).
    """
    history = tuple(tuple(read_calls(calls)) for calls in instance.history)
    snapshot = Snapshot(read_plan(instance.plan), tuple(read_calls(instance.tool_results)), history)
    if instance.edition == RELEASE:
        return record.start_of(snapshot, read_tools(instance.tools))
    return start_of(snapshot)


def environment(instance: Instance, begin: Start) -> Environment:
    """Return the environment of an instance as it stood at the snapshot.

    What is only recorded is replayed; everything else runs. Raises InputError where the
    installed worlds are not those of the data.
    """
    catalogue, faults = read_tools(instance.tools), read_faults(instance.faults)
    if instance.edition == RELEASE:
        return Replay(catalogue, begin.ledger, begin.snapshot.tool_results)
    if RECORDED in instance.environment:
        return retraced(replay_of(instance.environment, catalogue, faults), begin.ledger)
    return retraced(Simulation(read_setting(instance.environment), catalogue, faults), begin.ledger)
