"""The tasks written by hand as trajectories: they have edges by effect, and kept predecessors."""

from build.gold import Edge, Gold
from build.handwritten.making import Making
from build.handwritten.writing import Task
from build.injectors.scene import Scene, Stage
from environment.simulation import Simulation
from trajectory.references import references


def written(task: Task) -> Scene:
    """The task with no error."""
    making = Making(task.id, task, task.problems[0])
    setting, catalogue = making.setting, making.catalogue
    run, _ = making.gold
    gold = Gold(
        id=task.id,
        query=task.request,
        tools=[tool.to_catalogue() for tool in making.tools.values()],
        plan=task.plan,
        calls=tuple(tuple(entry.to_call() for entry in one.entries) for one in run.rounds),
        rounds_gt=run.total_rounds,
        calls_gt=run.calls_after,
        split="test",
        origin=setting.to_row(),
        edges=tuple(_edges(task)),
    )
    stage = Stage(
        gold, catalogue, making.tools, lambda faults: Simulation(setting, catalogue, faults)
    )
    return Scene(stage, task.plan)


def _edges(task: Task) -> list[Edge]:
    return [
        Edge(dep, node.id, "value" if dep in _told(node.para) else "effect", 1.0)
        for node in task.calls
        for dep in node.dep
        if dep != "root"
    ]


def _told(para: object) -> set[str | None]:
    return {one.node for one in references(para)}
