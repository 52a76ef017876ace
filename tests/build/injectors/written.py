"""Tasks with edges by effect and with predecessors of producers, as trajectories."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from build.gold import Edge, Gold
from build.injectors.scene import Scene
from build.stages import stage_of
from environment import worlds
from environment.simulation import setting
from environment.world import WorldTool
from trajectory.descriptions import describe
from trajectory.plan import Node, Plan
from trajectory.references import reference as ref
from trajectory.references import references


class Task(NamedTuple):
    """A task: its request, the calls of its gold plan, and the tools that are listed beside."""

    request: str
    calls: list[Node]
    others: str


def call(id: str, tool: str, /, *, after: str = "", **arguments: Any) -> Node:
    """Write a call; it waits for what it refers to, and for `after` by its effect."""
    dep = sorted({*told(arguments), *after.split()})
    return Node(id, tool, arguments, describe(), tuple(dep) or ("root",))


def told(para: Any) -> set[str]:
    """Return the nodes that arguments refer to."""
    return {one.node for one in references(para) if one.node is not None}


CONCERT = Task(
    "Beatriz Nakagawa is in Prague and wants to hear a concert in Vienna: the first one on or "
    "after 1 May 2026. Buy her one seat there as near to the stage as possible, a ticket for the "
    "fastest direct train from Prague to Vienna on the day of the concert, and book her two "
    "nights from that day in the cheapest Vienna hotel that has four stars or more.",
    [
        call(
            "1", "find_events", city="Vienna", kind="concert", order="date", earliest="2026-05-01"
        ),
        call("2", "find_trains", origin="Prague", destination="Vienna", sort_by="duration"),
        call(
            "3",
            "find_hotels",
            city="Vienna",
            check_in=ref("1", "events[0].date"),
            nights=2,
            min_stars=4,
        ),
        call("4", "pick_seats", event_id=ref("1", "events[0].event_id"), seats=1, near="stage"),
        call(
            "5",
            "buy_ticket",
            train=ref("2", "trains[0].train"),
            day=ref("1", "events[0].date"),
            passenger="Beatriz Nakagawa",
        ),
        call(
            "6",
            "book_room",
            hotel_id=ref("3", "hotels[0].hotel_id"),
            guest="Beatriz Nakagawa",
            check_in=ref("1", "events[0].date"),
            nights=2,
        ),
        call(
            "7",
            "buy_seats",
            event_id=ref("1", "events[0].event_id"),
            seats=ref("4", "seats"),
            holder="Beatriz Nakagawa",
        ),
    ],
    "cancel_room describe_hotel find_venues plan_route refund_seats",
)

DESK = Task(
    "Rosa Lindqvist needs two pairs of headphones for at most 150 EUR each, of the best rated "
    "kind, and one keyboard, the cheapest one rated 4.5 or better. Put exactly these into her "
    "cart and order what is in it.",
    [
        call("1", "search_products", category="headphones", sort_by="rating", max_price=150),
        call("2", "search_products", category="keyboards", sort_by="price", min_rating=4.5),
        call(
            "3",
            "add_to_cart",
            customer="Rosa Lindqvist",
            sku=ref("1", "products[0].sku"),
            quantity=2,
        ),
        call(
            "4",
            "add_to_cart",
            customer="Rosa Lindqvist",
            sku=ref("2", "products[0].sku"),
            quantity=1,
        ),
        call("5", "check_out", after="3 4", customer="Rosa Lindqvist"),
    ],
    "best_voucher cancel_order compare_products find_orders remove_from_cart",
)

BIRTHDAY = Task(
    "Whose birthday comes up first in the choir within the next 30 days? Order the best rated "
    "board game that costs at most 60 EUR, just one, on Clara Kerrigan's account, whose cart is "
    "empty. What would the cheapest carrier take to bring the parcel, with the weight of that "
    "order, from Oslo to the city in which the one with the birthday lives?",
    [
        call("1", "upcoming_birthdays", days=30, group="choir"),
        call("2", "search_products", category="board games", sort_by="rating", max_price=60),
        call("3", "look_up_contact", person=ref("1", "birthdays[0].name")),
        call(
            "4",
            "add_to_cart",
            customer="Clara Kerrigan",
            sku=ref("2", "products[0].sku"),
            quantity=1,
        ),
        call("5", "check_out", after="4", customer="Clara Kerrigan"),
        call(
            "6",
            "quote_shipping",
            origin="Oslo",
            destination=ref("3", "city"),
            weight_kg=ref("5", "weight_kg"),
            sort_by="price",
        ),
    ],
    "cancel_order find_orders plan_route register_parcel remove_from_cart",
)


def written(task: Task) -> Scene:
    """The task with no error."""
    plan, tools = plan_of(task), tools_of(task)
    gold = Gold(
        id="written",
        query=task.request,
        tools=[tool.to_catalogue() for tool in tools.values()],
        plan=plan,
        calls=(),
        rounds_gt=0,
        calls_gt=len(task.calls),
        split="test",
        origin=setting({tool.world for tool in tools.values()}, 7).to_row(),
        edges=tuple(edges_of(task)),
    )
    return Scene(stage_of(gold), plan)


def plan_of(task: Task) -> Plan:
    """Return the gold plan; the response waits for every call that no other call waits for."""
    waited = {dep for node in task.calls for dep in node.dep}
    last = tuple(node.id for node in task.calls if node.id not in waited)
    return Plan((Node("root", status=True), *task.calls, Node("response", dep=last)))


def tools_of(task: Task) -> Mapping[str, WorldTool]:
    """Return the listed tools by name."""
    names = {node.name or "" for node in task.calls} | {*task.others.split()}
    every = worlds.tools(worlds.world_names())
    return {name: every[name] for name in sorted(names)}


def edges_of(task: Task) -> list[Edge]:
    """Return the edges between calls, by value or by effect."""
    return [
        Edge(dep, node.id, "value" if dep in told(node.para) else "effect", 1.0)
        for node in task.calls
        for dep in node.dep
        if dep != "root"
    ]
