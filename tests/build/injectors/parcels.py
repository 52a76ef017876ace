"""A small task by hand: a carrier is chosen, a parcel goes off and is tracked; another is found."""

from typing import Any

from build.gold import Gold
from build.injectors.scene import Scene, Stage
from environment import worlds
from environment.simulation import Simulation, setting
from trajectory.descriptions import describe
from trajectory.plan import Node, Plan
from trajectory.references import reference
from trajectory.tools import read_tools

SETTING = setting(["logistics"], 11)
TOOLS = worlds.tools(SETTING.worlds)
TO_BRUSSELS = {"origin": "Milan", "destination": "Brussels", "weight_kg": 5.0}


def _call(id: str, name: str, *dep: str, **para: Any) -> Node:
    return Node(id, name, para, describe(), dep or ("root",))


def parcels(*, known_tools: bool = True) -> Scene:
    """The task with no error; without known tools only their schemas are known."""
    plan = Plan(
        (
            Node("root", status=True),
            _call("1", "quote_shipping", **TO_BRUSSELS, sort_by="price"),
            _call(
                "2",
                "register_parcel",
                "1",
                **TO_BRUSSELS,
                carrier_id=reference("1", "quotes[0].carrier_id"),
                sender="Ada Novak",
                recipient="Leo Marsh",
                ship_on="2026-05-01",
            ),
            _call("3", "track_parcel", "2", parcel_id=reference("2", "parcel_id")),
            _call("4", "find_parcels", person="Ada Novak", role="sender"),
            Node("response", dep=("3", "4")),
        )
    )
    gold = Gold(
        id="parcels",
        query="Send a parcel of 5 kg from Milan to Brussels on 1 May 2026 and track it.",
        tools=[tool.to_catalogue() for tool in TOOLS.values()],
        plan=plan,
        calls=(),
        rounds_gt=4,
        calls_gt=4,
        split="train",
        origin=SETTING.to_row(),
        edges=(),
    )
    catalogue = read_tools(gold.tools)
    stage = Stage(
        gold,
        catalogue,
        TOOLS if known_tools else {},
        lambda faults: Simulation(SETTING, catalogue, faults),
    )
    return Scene(stage, plan)
