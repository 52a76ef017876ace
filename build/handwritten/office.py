"""Tasks at work: meetings, leave, interviews, support, stock and the address book."""

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

_TEAM = ["Vera Dahlgren", "Yusuf Rosenthal", "Mina Tremblay"]

MEETING = Task(
    "team-meeting",
    "Find out on which of 10, 11, 12 and 13 March 2026 Vera Dahlgren, Yusuf Rosenthal and Mina "
    "Tremblay have most choice for a meeting of 60 minutes, and enter the meeting on that day at "
    "the first time at which all three are free, in Oslo time. Fill in the template for "
    "invitations for Yusuf Rosenthal with that day, look up his address in the address book, and "
    "mail him the text.",
    [
        call(
            "1",
            "compare_days",
            people=_TEAM,
            days=["2026-03-10", "2026-03-11", "2026-03-12", "2026-03-13"],
            minutes=60,
        ),
        call(
            "2",
            "find_meeting_times",
            people=_TEAM,
            day=ref("1", "best_day"),
            minutes=60,
            city="Oslo",
        ),
        call(
            "3",
            "fill_template",
            template="invitation",
            recipient="Yusuf Rosenthal",
            day=ref("1", "best_day"),
        ),
        call("4", "look_up_contact", person="Yusuf Rosenthal"),
        call(
            "5",
            "schedule_meeting",
            people=_TEAM,
            day=ref("1", "best_day"),
            start=ref("2", "starts[0]"),
            minutes=60,
            city="Oslo",
        ),
        call("6", "send_mail", to=[ref("4", "email")], body=ref("3", "text")),
    ],
    "calendar_load cancel_meeting convert_time group_mailing_list label_mail",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE_NULL,
                    "6",
                    changes=[remove_edge("6", "3")],
                    evidence=[in_result("6", "error"), in_plan("6", "dep")],
                    repair=[add_edge("6", "3")],
                )
            ],
            reason="The mail in node {6} was to be sent while its text was still being filled in: "
            "it waits for the address, but not for the template in node {3}, and so it failed.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "3",
                    changes=[
                        remove_argument("3", "day"),
                        set_argument("3", "date", ref("1", "best_day")),
                    ],
                    evidence=[in_result("3", "error")],
                    repair=[
                        remove_argument("3", "date"),
                        set_argument("3", "day", ref("1", "best_day")),
                    ],
                ),
                Mistake(
                    ErrorType.MISSING_CALL,
                    "5",
                    changes=[remove_node("2"), set_argument("5", "start", "09:30")],
                    evidence=[
                        in_request("the first time at which all three are free"),
                        in_plan("5", "para.start"),
                        in_result("5", "error"),
                    ],
                    repair=[
                        add_node(
                            call(
                                "2",
                                "find_meeting_times",
                                people=_TEAM,
                                day=ref("1", "best_day"),
                                minutes=60,
                                city="Oslo",
                            ),
                            "5",
                        ),
                        set_argument("5", "start", ref("2", "starts[0]")),
                    ],
                ),
            ],
            reason="Nobody asked when all three are free on the chosen day: a call of "
            "find_meeting_times is missing, and the meeting was tried at 9:30, an invented time "
            "at which not all of them are. Beside that, node {3} gives the day as 'date', a "
            "parameter that the tool doesn't know.",
        ),
    ],
)

LEAVE = Task(
    "who-takes-leave",
    "Vera Greenhalgh and Mina Wexler could both take a week off. Whichever of the two has more "
    "days of annual leave left takes 5 working days from 13 April 2026 on: enter that, and tell "
    "me what that person is paid net in a month.",
    [
        call("1", "find_employee", name="Vera Greenhalgh"),
        call("2", "find_employee", name="Mina Wexler"),
        call(
            "3",
            "leave_balances",
            employee_ids=[ref("1", "employee_id"), ref("2", "employee_id")],
        ),
        call(
            "4",
            "request_leave",
            employee_id=ref("3", "balances[0].employee_id"),
            first_day="2026-04-13",
            days=5,
        ),
        call("5", "net_pay", employee_id=ref("3", "balances[0].employee_id")),
    ],
    "common_manager next_shift overtime_pay search_staff withdraw_leave",
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
                        set_argument("3", "employee_ids", [ref("1", "employee_id"), "E-1041"]),
                    ],
                    evidence=[
                        in_request("Mina Wexler"),
                        in_plan("3", "para.employee_ids[1]"),
                        in_tool("find_employee", "description"),
                    ],
                    repair=[
                        add_node(call("2", "find_employee", name="Mina Wexler"), "3"),
                        set_argument(
                            "3",
                            "employee_ids",
                            [ref("1", "employee_id"), ref("2", "employee_id")],
                        ),
                    ],
                )
            ],
            reason="Mina Wexler was never looked up. In place of her id the comparison in node "
            "{3} is going to use E-1041, which neither the request nor a result says.",
        ),
        Problem(
            level=2,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "days", 15)],
                    evidence=[in_request("5 working days"), in_plan("4", "para.days")],
                    repair=[
                        set_argument("4", "days", 5),
                        add_node(call("6", "withdraw_leave", leave_id=shown("4", "leave_id")), "4"),
                    ],
                ),
                Mistake(
                    ErrorType.TOOL_NAME,
                    "5",
                    changes=[set_tool("5", "monthly_net_pay")],
                    evidence=[in_result("5", "error")],
                    repair=[set_tool("5", "net_pay")],
                ),
            ],
            reason="The leave was entered with 15 days instead of 5; it has to be withdrawn and "
            "entered anew. And node {5} names a tool that is in no list: net_pay was meant.",
        ),
    ],
)

INTERVIEW = Task(
    "python-interview",
    "For the best paid open position that asks for python, take the applicant who fits it best. "
    "Show me that candidate's profile and what salary to suggest, and have Chidi Whitlock "
    "interview the candidate for 60 minutes on 10 March 2026, at the first time he is free.",
    [
        call("1", "find_positions", skills=["python"], order="best_paid"),
        call("2", "rank_applicants", position_id=ref("1", "positions[0].position_id")),
        call("3", "candidate_profile", candidate_id=ref("2", "ranking[0].candidate_id")),
        call(
            "4",
            "suggest_salary",
            candidate_id=ref("2", "ranking[0].candidate_id"),
            position_id=ref("1", "positions[0].position_id"),
        ),
        call(
            "5",
            "interview_slots",
            interviewers=["Chidi Whitlock"],
            day="2026-03-10",
            minutes=60,
        ),
        call(
            "6",
            "schedule_interview",
            candidate_id=ref("2", "ranking[0].candidate_id"),
            interviewer="Chidi Whitlock",
            day="2026-03-10",
            starts=ref("5", "slots[0]"),
            minutes=60,
        ),
    ],
    "cancel_interview find_employee match_positions schedule_meeting send_offer",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.REDUNDANT_CALL,
                    "7",
                    changes=[
                        add_node(
                            call(
                                "7",
                                "rank_applicants",
                                after="2",
                                position_id=ref("1", "positions[0].position_id"),
                            ),
                            "3",
                            "4",
                            "6",
                        )
                    ],
                    evidence=[in_plan("7", "para"), in_result("2", "ranking")],
                    repair=[remove_node("7")],
                )
            ],
            reason="Node {7} is going to rank the same applicants of the same position again, "
            "although node {2} has done so, and everything else waits for it a round longer.",
        ),
        Problem(
            level=2,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.NULL,
                    "2",
                    fault=fault("rank_applicants", "empty_text"),
                    evidence=[in_result("2"), in_result("3", "error")],
                    repair=[retry("2", "2_retry")],
                ),
                Mistake(
                    ErrorType.PARAMETER_MISSING,
                    "6",
                    changes=[remove_argument("6", "minutes")],
                    evidence=[
                        in_plan("6", "para"),
                        in_tool("schedule_interview", "parameters.required"),
                        in_request("for 60 minutes"),
                    ],
                    repair=[set_argument("6", "minutes", 60)],
                ),
            ],
            reason="The ranking of the applicants came back empty in the second round and was not "
            "tried again, so nothing that needs the candidate could run. The interview in node "
            "{6} would still fail then: it doesn't say how long it takes.",
        ),
    ],
)

SUPPORT = Task(
    "router-case",
    "Take the router case of normal priority that was opened first and that nobody has been "
    "assigned to. Assign just this one to the agent who suits it best at skill level 3 or higher, "
    "suggest help articles for it, and pay its customer what the rules give for a defect.",
    [
        call(
            "1",
            "search_cases",
            product="router",
            order="opened",
            priority="normal",
            unassigned=True,
        ),
        call("2", "match_agents", case_id=ref("1", "cases[0].case_id"), min_level=3),
        call("3", "suggest_articles", case_id=ref("1", "cases[0].case_id")),
        call("4", "quote_refund", case_id=ref("1", "cases[0].case_id"), reason="defect"),
        call(
            "5",
            "assign_cases",
            case_ids=[ref("1", "cases[0].case_id")],
            agent=ref("2", "agents[0].name"),
        ),
        call(
            "6",
            "issue_refund",
            case_id=ref("1", "cases[0].case_id"),
            amount=ref("4", "amount"),
        ),
    ],
    "find_orders rank_deadlines return_articles send_mail unassign_cases",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "5",
                    changes=[set_argument("5", "case_ids", ref("1", "cases[0].case_id"))],
                    evidence=[
                        in_plan("5", "para.case_ids"),
                        in_tool("assign_cases", "parameters.properties.case_ids.type"),
                    ],
                    repair=[set_argument("5", "case_ids", [ref("1", "cases[0].case_id")])],
                )
            ],
            reason="The assignment that is still to be made in node {5} gives one case id, where "
            "the tool wants a list of them.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "reason", "change of mind")],
                    evidence=[in_request("for a defect"), in_plan("4", "para.reason")],
                    repair=[set_argument("4", "reason", "defect")],
                ),
                Mistake(
                    ErrorType.DEPENDENCE,
                    "5",
                    changes=[remove_edge("5", "2"), add_edge("5", "3")],
                    evidence=[in_plan("5", "dep"), in_plan("5", "para.agent")],
                    repair=[add_edge("5", "2")],
                ),
            ],
            reason="The refund was worked out for a change of mind instead of a defect; no money "
            "has been paid yet. The assignment takes the agent from node {2} but waits for the "
            "help articles of node {3}.",
        ),
    ],
)

STOCK = Task(
    "reorder-stock",
    "For the chilled warehouse nearest to Hamburg, order the item that it has to reorder most "
    "urgently, in the quantity with the lowest yearly cost if an order costs 45 EUR and holding "
    "20 percent a year. Tell me too which of all the items it has to reorder runs out first.",
    [
        call("1", "nearest_warehouses", city="Hamburg", storage="chilled"),
        call("2", "items_to_reorder", warehouse_id=ref("1", "warehouses[0].warehouse_id")),
        call(
            "3",
            "economic_order",
            item_id=ref("2", "items[0].item_id"),
            order_cost=45,
            holding_percent=20,
        ),
        call(
            "4",
            "purchase_stock",
            warehouse_id=ref("1", "warehouses[0].warehouse_id"),
            lines=[{"item_id": ref("2", "items[0].item_id"), "quantity": ref("3", "quantity")}],
        ),
        call(
            "5",
            "first_to_run_out",
            warehouse_id=ref("1", "warehouses[0].warehouse_id"),
            item_ids=ref("2", "item_ids"),
        ),
    ],
    "allocate_supply cancel_purchase move_stock plan_route revert_move",
    [
        Problem(
            level=1,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.TOOL_SELECT,
                    "4",
                    changes=[
                        set_tool(
                            "4",
                            "move_stock",
                            item_id=ref("2", "items[0].item_id"),
                            from_warehouse="WH-40",
                            to_warehouse=ref("1", "warehouses[0].warehouse_id"),
                            quantity=ref("3", "quantity"),
                        )
                    ],
                    evidence=[
                        in_request("order the item"),
                        in_plan("4", "name"),
                        in_tool("purchase_stock", "description"),
                    ],
                    repair=[
                        set_tool(
                            "4",
                            "purchase_stock",
                            warehouse_id=ref("1", "warehouses[0].warehouse_id"),
                            lines=[
                                {
                                    "item_id": ref("2", "items[0].item_id"),
                                    "quantity": ref("3", "quantity"),
                                }
                            ],
                        )
                    ],
                )
            ],
            reason="Node {4} is going to move the item over from another warehouse, where it is "
            "to be ordered from its supplier: purchase_stock is the tool for that.",
        ),
        Problem(
            level=2,
            rounds=4,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "3",
                    changes=[set_argument("3", "order_cost", 450)],
                    evidence=[in_request("45 EUR"), in_plan("3", "para.order_cost")],
                    repair=[
                        set_argument("3", "order_cost", 45),
                        add_node(
                            call("6", "cancel_purchase", purchase_id=shown("4", "purchase_id")),
                            "response",
                        ),
                    ],
                )
            ],
            reason="The quantity was worked out with 450 EUR an order instead of 45, and that "
            "many units have been ordered. The quantity has to be worked out anew, ordered, and "
            "the wrong purchase cancelled.",
        ),
    ],
)

CARDS = Task(
    "double-card",
    "Goran Whitlock has two cards in the address book: merge them into the fuller one. Then look "
    "him up, and have yellow storm warnings for the city he lives in sent to his e-mail address. "
    "And add him to the choir.",
    [
        call("1", "find_double_cards", people=["Goran Whitlock"]),
        call(
            "2",
            "merge_cards",
            keep=ref("1", "doubles[0].keep"),
            drop=ref("1", "doubles[0].drop"),
        ),
        call("3", "look_up_contact", after="2", person="Goran Whitlock"),
        call("4", "add_to_group", group="choir", people=["Goran Whitlock"]),
        call(
            "5",
            "subscribe_warnings",
            email=ref("3", "email"),
            city=ref("3", "city"),
            about={"hazard": "storm", "level": "yellow"},
        ),
    ],
    "day_forecast remove_from_group search_contacts send_mail split_cards unsubscribe_warnings",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE,
                    "3",
                    changes=[remove_edge("3", "2"), add_edge("3", "4")],
                    evidence=[
                        in_plan("3", "dep"),
                        in_request("Then look him up"),
                        in_tool("look_up_contact", "description"),
                    ],
                    repair=[add_edge("3", "2")],
                )
            ],
            reason="Goran Whitlock was looked up in the same round in which his cards were "
            "merged, and so his old card was read: node {3} waits for the choir, which has "
            "nothing to do with it, instead of the merge.",
        ),
        Problem(
            level=2,
            rounds=4,
            mistakes=[
                Mistake(
                    ErrorType.NULL,
                    "3",
                    fault=fault("look_up_contact", "null"),
                    evidence=[in_result("3"), in_result("5", "error")],
                    repair=[retry("3", "3_retry")],
                ),
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "4",
                    changes=[
                        remove_argument("4", "people"),
                        set_argument("4", "members", ["Goran Whitlock"]),
                    ],
                    evidence=[in_result("4", "error")],
                    repair=[
                        remove_argument("4", "members"),
                        set_argument("4", "people", ["Goran Whitlock"]),
                    ],
                ),
            ],
            reason="Looking up the contact gave back nothing in the third round, and the warnings "
            "had no address to go to. The choir has been without its new member since the first "
            "round, in which node {4} called the people 'members'.",
        ),
    ],
)

TASKS = (MEETING, LEAVE, INTERVIEW, SUPPORT, STOCK, CARDS)
