"""From a gold plan to the stage on which trajectories are made of it."""

from functools import partial

from build.gold import Gold
from build.injectors.scene import Stage
from environment import worlds
from environment.faults import Fault
from environment.replay import RECORDED, replay_of
from environment.simulation import Setting, Simulation, read_setting
from trajectory.tools import Catalogue, read_tools


def stage_of(gold: Gold) -> Stage:
    """Return the stage of a task whose tools really run, or whose calls are recorded."""
    catalogue = read_tools(gold.tools)
    if RECORDED in gold.origin:
        return Stage(gold, catalogue, {}, partial(replay_of, gold.origin, catalogue))
    setting = read_setting(gold.origin)
    listed = {tool.name for tool in catalogue}
    tools = {n: tool for n, tool in worlds.tools(setting.worlds).items() if n in listed}
    return Stage(gold, catalogue, tools, partial(_simulation, setting, catalogue))


def _simulation(setting: Setting, catalogue: Catalogue, faults: tuple[Fault, ...]) -> Simulation:
    return Simulation(setting, catalogue, faults)
