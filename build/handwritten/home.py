"""Tasks at home: dinner, repairs, animals, electricity and the garden."""

from build.handwritten.writing import (
    Mistake,
    Problem,
    Task,
    add_edge,
    add_node,
    call,
    fault,
    in_plan,
    in_request,
    in_result,
    in_tool,
    ref,
    remove_argument,
    remove_edge,
    remove_node,
    retry,
    set_argument,
    set_tool,
    shown,
)
from trajectory.error_types import ErrorType

DINNER = Task(
    "pasta-for-six",
    "Mateo Kaplanek cooks for six people on 14 March 2026: the quickest vegetarian pasta dish of "
    "Italian cuisine. Write a shopping list for him, for that day, with what the pantry lacks for "
    "six servings, and tell me how nourishing one of the six portions is.",
    [
        call("1", "find_recipes", cuisine="Italian", course="pasta", diet="vegetarian"),
        call("2", "scale_recipe", recipe_id=ref("1", "recipes[0].recipe_id"), servings=6),
        call("3", "missing_from_pantry", needed=ref("2", "ingredients")),
        call("4", "nutrition_per_portion", ingredients=ref("2", "ingredients"), portions=6),
        call(
            "5",
            "write_shopping_list",
            shopper="Mateo Kaplanek",
            day="2026-03-14",
            items=ref("3", "missing"),
        ),
    ],
    "discard_shopping_list rank_recipes search_products substitute_ingredient take_from_pantry",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "2",
                    changes=[set_argument("2", "servings", "six")],
                    evidence=[in_result("2", "error"), in_tool("scale_recipe", "parameters")],
                    repair=[set_argument("2", "servings", 6)],
                )
            ],
            reason="The number of servings in node {2} is a word, where the tool wants an integer.",
        ),
        Problem(
            level=2,
            rounds=4,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "servings", 4)],
                    evidence=[in_request("six servings"), in_plan("2", "para.servings")],
                    repair=[set_argument("2", "servings", 6)],
                ),
                Mistake(
                    ErrorType.DEPENDENCE,
                    "5",
                    changes=[remove_edge("5", "3"), add_edge("5", "4")],
                    evidence=[in_result("5", "error"), in_plan("5", "dep")],
                    repair=[add_edge("5", "3")],
                ),
            ],
            reason="The recipe was scaled to four servings instead of six, and the amounts went "
            "into the comparison with the pantry and into the nutrition. The shopping list failed "
            "for another reason: it takes what is missing from node {3}, but waits for node {4}.",
        ),
    ],
)

REPAIRS = Task(
    "two-repairs",
    "At Hugo Bakker's place both the oven and the washing machine are broken. For each of the "
    "two, find the best rated firm in the city where it stands that mends such a thing, and agree "
    "on its repair for 12 March 2026.",
    [
        call("1", "find_appliances", owner="Hugo Bakker", kind="oven"),
        call("2", "find_appliances", owner="Hugo Bakker", kind="washing machine"),
        call(
            "3",
            "find_repairers",
            city=ref("1", "appliances[0].city"),
            kind="oven",
            sort_by="rating",
        ),
        call(
            "4",
            "find_repairers",
            city=ref("2", "appliances[0].city"),
            kind="washing machine",
            sort_by="rating",
        ),
        call(
            "5",
            "book_repair",
            appliance_id=ref("1", "appliances[0].appliance_id"),
            repairer_id=ref("3", "repairers[0].repairer_id"),
            day="2026-03-12",
        ),
        call(
            "6",
            "book_repair",
            appliance_id=ref("2", "appliances[0].appliance_id"),
            repairer_id=ref("4", "repairers[0].repairer_id"),
            day="2026-03-12",
        ),
    ],
    "cancel_repair due_chores look_up_contact share_chores water_used",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.TOOL_NAME,
                    "3",
                    changes=[set_tool("3", "search_repair_firms")],
                    evidence=[in_result("3", "error")],
                    repair=[set_tool("3", "find_repairers")],
                )
            ],
            reason="Node {3} calls search_repair_firms, which is in no tool list. Its arguments "
            "are those of find_repairers, which was meant.",
        ),
        Problem(
            level=2,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_MISSING,
                    "5",
                    changes=[remove_argument("5", "day")],
                    evidence=[in_result("5", "error"), in_request("12 March 2026")],
                    repair=[set_argument("5", "day", "2026-03-12")],
                ),
                Mistake(
                    ErrorType.DEPENDENCE,
                    "6",
                    changes=[
                        remove_edge("6", "4"),
                        add_edge("6", "3"),
                        set_argument("6", "repairer_id", ref("3", "repairers[0].repairer_id")),
                    ],
                    evidence=[
                        in_request("For each of the two"),
                        in_plan("6", "para.repairer_id"),
                        in_result("4", "repairers[0]"),
                    ],
                    repair=[
                        add_edge("6", "4"),
                        set_argument("6", "repairer_id", ref("4", "repairers[0].repairer_id")),
                        add_node(
                            call("7", "cancel_repair", repair_id=shown("6", "repair_id")), "6"
                        ),
                    ],
                ),
            ],
            reason="Node {5} gives no day, which the tool requires. Node {6} waits for the search "
            "in node {3} and takes its firm, the best one for ovens; the best one for washing "
            "machines is found by node {4}. That repair was agreed on with the wrong firm and has "
            "to be called off before it is agreed on anew.",
        ),
    ],
)

BOARDING = Task(
    "boarding-a-dog",
    "Uma Schreiber's dog is to be boarded for ten nights from 3 April 2026 on, in the cheapest "
    "kennel of the city it lives in that has room for it: book that. She also wants to know which "
    "of its vaccinations will have run out by 3 April 2026, and which vet for dogs is the "
    "cheapest in that city. It is the only animal she has.",
    [
        call("1", "find_animals", owner="Uma Schreiber"),
        call(
            "2",
            "find_kennels",
            city=ref("1", "animals[0].city"),
            species=ref("1", "animals[0].species"),
            arrival="2026-04-03",
            nights=10,
        ),
        call(
            "3",
            "vaccination_status",
            animal_id=ref("1", "animals[0].animal_id"),
            day="2026-04-03",
        ),
        call(
            "4",
            "find_vets",
            city=ref("1", "animals[0].city"),
            species=ref("1", "animals[0].species"),
            sort_by="fee",
        ),
        call(
            "5",
            "board_animals",
            kennel_id=ref("2", "kennels[0].kennel_id"),
            animal_ids=ref("1", "animal_ids"),
            arrival="2026-04-03",
            nights=10,
        ),
    ],
    "cancel_boarding feeding_amount find_hotels find_doctors record_vaccination",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.NULL,
                    "2",
                    fault=fault("find_kennels", "empty_list"),
                    evidence=[in_result("2")],
                    repair=[retry("2", "2_retry")],
                )
            ],
            reason="The search for kennels in node {2} is right, but it gave back nothing at all, "
            "not even that there are none. It has to be tried again.",
        ),
        Problem(
            level=2,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.PARALLELISM,
                    "2",
                    changes=[add_edge("2", "3")],
                    evidence=[in_plan("2", "dep"), in_tool("find_kennels", "description")],
                    repair=[remove_edge("2", "3")],
                ),
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "4",
                    changes=[remove_argument("4", "sort_by"), set_argument("4", "order", "fee")],
                    evidence=[
                        in_plan("4", "para.order"),
                        in_tool("find_vets", "parameters.properties.sort_by"),
                    ],
                    repair=[remove_argument("4", "order"), set_argument("4", "sort_by", "fee")],
                ),
            ],
            reason="The search for kennels waits for the vaccinations for no reason and makes "
            "everything a round longer. The search for vets gives what comes first as 'order', "
            "but the tool calls this parameter 'sort_by'.",
        ),
    ],
)

TARIFF = Task(
    "green-tariff",
    "Yara Jankowski wants to move her electricity meter to the cheapest green tariff of her city "
    "on 1 April 2026, going by what the meter would count in a year according to its readings "
    "between 1 March 2025 and 1 February 2026. Make the change, and tell her how much she saves a "
    "year against her present tariff.",
    [
        call("1", "find_meter", customer="Yara Jankowski"),
        call(
            "2",
            "metered_use",
            meter_id=ref("1", "meter_id"),
            start="2025-03-01",
            end="2026-02-01",
        ),
        call(
            "3",
            "compare_tariffs",
            city=ref("1", "city"),
            yearly_kwh=ref("2", "yearly_kwh"),
            source="green",
        ),
        call(
            "4",
            "tariff_saving",
            from_tariff=ref("1", "tariff"),
            to_tariff=ref("3", "tariffs[0].tariff"),
            uses_kwh=[ref("2", "yearly_kwh")],
        ),
        call(
            "5",
            "switch_tariff",
            meter_id=ref("1", "meter_id"),
            tariff=ref("3", "tariffs[0].tariff"),
            start="2026-04-01",
        ),
    ],
    "running_use solar_yield submit_reading sum_amounts withdraw_reading",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.MISSING_CALL,
                    "3",
                    changes=[
                        remove_node("2"),
                        set_argument("3", "yearly_kwh", 3500),
                        set_argument("4", "uses_kwh", [3500]),
                    ],
                    evidence=[
                        in_request("what the meter would count in a year"),
                        in_plan("3", "para.yearly_kwh"),
                        in_tool("metered_use", "description"),
                    ],
                    repair=[
                        add_node(
                            call(
                                "2",
                                "metered_use",
                                meter_id=ref("1", "meter_id"),
                                start="2025-03-01",
                                end="2026-02-01",
                            ),
                            "3",
                        ),
                        set_argument("3", "yearly_kwh", ref("2", "yearly_kwh")),
                        set_argument("4", "uses_kwh", [ref("2", "yearly_kwh")]),
                    ],
                )
            ],
            reason="Nobody asks the meter what it has counted: a call of metered_use is missing, "
            "and nodes {3} and {4} go by 3500 kWh a year, which neither the request nor any "
            "result says.",
        ),
        Problem(
            level=2,
            rounds=4,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "4",
                    changes=[set_argument("4", "uses_kwh", ref("2", "yearly_kwh"))],
                    evidence=[in_result("4", "error")],
                    repair=[set_argument("4", "uses_kwh", [ref("2", "yearly_kwh")])],
                ),
                Mistake(
                    ErrorType.PARAMETER_MISSING,
                    "5",
                    changes=[remove_argument("5", "start")],
                    evidence=[in_result("5", "error"), in_request("1 April 2026")],
                    repair=[set_argument("5", "start", "2026-04-01")],
                ),
            ],
            reason="Node {4} gives one number where the tool wants a list of them. Node {5} "
            "doesn't say from which day on the new tariff counts; the request says 1 April 2026.",
        ),
    ],
)

GARDEN = Task(
    "courgettes",
    "Gita Pellegrin wants to plant four of the vegetable that likes sun and is quickest to "
    "harvest, of those that take at most 90 days. Put them into her sunny bed with most room, on "
    "the first day of the sowing window of that vegetable in the city she lives in.",
    [
        call("1", "look_up_contact", person="Gita Pellegrin"),
        call("2", "choose_plants", kind="vegetable", light="sun", max_days=90),
        call("3", "find_bed", gardener="Gita Pellegrin", light="sun"),
        call("4", "frost_dates", city=ref("1", "city")),
        call(
            "5",
            "sowing_window",
            plant=ref("2", "plants[0].plant"),
            last_frost=ref("4", "last_frost"),
        ),
        call(
            "6",
            "plant_in_bed",
            bed_id=ref("3", "beds[0].bed_id"),
            plant=ref("2", "plants[0].plant"),
            count=4,
            day=ref("5", "sow_from"),
        ),
    ],
    "check_companions clear_planting day_forecast search_contacts watering_need",
    [
        Problem(
            level=1,
            rounds=0,
            mistakes=[
                Mistake(
                    ErrorType.PARALLELISM,
                    "1",
                    changes=[add_edge("1", "3")],
                    evidence=[in_plan("1", "dep"), in_plan("1", "para")],
                    repair=[remove_edge("1", "3")],
                )
            ],
            reason="Looking up where Gita Pellegrin lives waits for the search for her beds, from "
            "which it takes nothing. The whole chain that hangs on it comes a round later.",
        ),
        Problem(
            level=2,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "light", "shade")],
                    evidence=[in_request("that likes sun"), in_plan("2", "para.light")],
                    repair=[set_argument("2", "light", "sun")],
                ),
                Mistake(
                    ErrorType.SERIAL,
                    "6",
                    changes=[remove_edge("6", "5"), add_edge("6", "4")],
                    evidence=[in_result("6", "error"), in_plan("6", "dep")],
                    repair=[add_edge("6", "5")],
                ),
            ],
            reason="The vegetable was chosen for shade instead of sun, and its sowing window has "
            "been worked out. The planting in node {6} failed because it waits for the frost "
            "dates and not for the sowing window, which gives its day.",
        ),
    ],
)

TASKS = (DINNER, REPAIRS, BOARDING, TARIFF, GARDEN)
