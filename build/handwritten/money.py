"""Tasks about money: a home, an order, invoices, a loan and reminders."""

from build.handwritten.writing import (
    Mistake,
    Problem,
    Task,
    add_node,
    call,
    fault,
    in_plan,
    in_request,
    in_result,
    in_tool,
    ref,
    remove_argument,
    remove_node,
    retry,
    set_argument,
    set_tool,
    shown,
)
from trajectory.error_types import ErrorType

HOME = Task(
    "home-in-munich",
    "Leila Bergqvist is looking for the largest home to buy in Munich for at most 350,000 EUR. "
    "For that home she wants to know the monthly payment with 20 percent down, 30 years and a "
    "yearly rate of 3.5 percent, the way from it to the main station by public transport, and "
    "what the address book says about the agent who sells it. Book her a viewing of it on "
    "Saturday, 14 March 2026, at 10:30.",
    [
        call(
            "1",
            "search_homes",
            city="Munich",
            deal="buy",
            order="largest",
            max_price=350000,
        ),
        call(
            "2",
            "mortgage_payment",
            price=ref("1", "homes[0].price"),
            down_payment=20,
            years=30,
            yearly_rate=3.5,
        ),
        call(
            "3",
            "commute",
            listing_id=ref("1", "homes[0].listing_id"),
            place="main_station",
            mode="transit",
        ),
        call(
            "4",
            "book_viewing",
            listing_id=ref("1", "homes[0].listing_id"),
            visitor="Leila Bergqvist",
            day="2026-03-14",
            starts="10:30",
        ),
        call("5", "describe_home", listing_id=ref("1", "homes[0].listing_id")),
        call("6", "look_up_contact", person=ref("5", "agent")),
    ],
    "affordable_price cancel_viewing compare_loans homes_near rent_yield",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "day", "2026-03-13")],
                    evidence=[in_request("Saturday, 14 March"), in_plan("4", "para.day")],
                    repair=[set_argument("4", "day", "2026-03-14")],
                )
            ],
            reason="The viewing that is still to be booked in node {4} is planned for 13 March "
            "2026, but the request says Saturday, 14 March 2026.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.NULL,
                    "1",
                    fault=fault("search_homes", "null"),
                    evidence=[in_result("1"), in_result("3", "error")],
                    repair=[retry("1", "1_retry")],
                ),
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "2",
                    changes=[remove_argument("2", "yearly_rate"), set_argument("2", "rate", 3.5)],
                    evidence=[
                        in_plan("2", "para.rate"),
                        in_tool("mortgage_payment", "parameters.properties.yearly_rate"),
                    ],
                    repair=[remove_argument("2", "rate"), set_argument("2", "yearly_rate", 3.5)],
                ),
            ],
            reason="The search for homes gave back nothing in the first round; everything that "
            "takes the home from it ran all the same and failed. Trying the search again is not "
            "enough: node {2} calls the yearly rate 'rate', a parameter that the tool doesn't "
            "know.",
        ),
    ],
)

DESK = Task(
    "headphones-and-keyboard",
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
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.REDUNDANT_CALL,
                    "6",
                    changes=[
                        add_node(
                            call(
                                "6",
                                "add_to_cart",
                                customer="Rosa Lindqvist",
                                sku=ref("1", "products[1].sku"),
                                quantity=1,
                            ),
                            "5",
                        )
                    ],
                    evidence=[in_request("exactly these"), in_plan("6", "para")],
                    repair=[remove_node("6")],
                )
            ],
            reason="Node {6} is going to put a third pair of headphones into the cart, of another "
            "kind, which nobody asked for and which would be ordered with the rest. It has not "
            "run yet and has to go.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.REDUNDANT_CALL,
                    "6",
                    changes=[
                        add_node(
                            call(
                                "6",
                                "add_to_cart",
                                customer="Rosa Lindqvist",
                                sku=ref("2", "products[0].sku"),
                                quantity=1,
                            ),
                            "5",
                        )
                    ],
                    evidence=[in_request("one keyboard"), in_result("6", "line_id")],
                    repair=[
                        add_node(call("7", "remove_from_cart", line_id=shown("6", "line_id")), "5")
                    ],
                ),
                Mistake(
                    ErrorType.TOOL_NAME,
                    "5",
                    changes=[set_tool("5", "place_order")],
                    evidence=[in_plan("5", "name"), in_tool("check_out", "description")],
                    repair=[set_tool("5", "check_out")],
                ),
            ],
            reason="The keyboard was put into the cart twice, by node {4} and again by node {6}: "
            "the second line has to be taken out before the order. And the order itself, in node "
            "{5}, names a tool that is in no list; check_out is what orders a cart.",
        ),
    ],
)

INVOICE = Task(
    "newest-invoice",
    "Pay the newest invoice in the mailbox that is labelled 'to pay': Rana Ulrich transfers the "
    "sum that the mail names, in EUR, from her current account to the most valuable account of "
    "its sender. Tell me too what that sum is in the currency of the account that gets it.",
    [
        call("1", "search_mail", topic="invoice", order="newest", label="to pay"),
        call("2", "find_accounts", holder="Rana Ulrich", kind="current"),
        call("3", "read_mail", mail_id=ref("1", "mails[0].mail_id")),
        call("4", "find_accounts", holder=ref("3", "sender")),
        call(
            "5",
            "transfer_money",
            from_account=ref("2", "accounts[0].account_id"),
            to_account=ref("4", "accounts[0].account_id"),
            amount=ref("3", "amount"),
        ),
        call(
            "6",
            "convert_currency",
            amount=ref("3", "amount"),
            from_currency="EUR",
            to_currency=ref("4", "accounts[0].currency"),
        ),
    ],
    "combine_balances label_mail reverse_transfer send_mail set_up_standing_order",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.TIMEOUT,
                    "3",
                    fault=fault("read_mail", "timeout", length=2),
                    evidence=[in_result("3", "error")],
                    repair=[retry("3", "3_retry"), retry("3_retry", "3_retry_2")],
                )
            ],
            reason="Reading the mail timed out; the call itself is right. It has to be tried "
            "again, and as the tool stays away for one more round, a second time.",
        ),
        Problem(
            level=2,
            rounds=4,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "1",
                    changes=[set_argument("1", "order", "oldest")],
                    evidence=[in_request("the newest invoice"), in_plan("1", "para.order")],
                    repair=[
                        set_argument("1", "order", "newest"),
                        add_node(
                            call("7", "reverse_transfer", transfer_id=shown("5", "transfer_id")),
                            "5",
                        ),
                    ],
                )
            ],
            reason="The mailbox was searched from its oldest invoice on instead of the newest, "
            "and so another mail was read and its sender paid. The search has to be made anew "
            "with all that follows from it, and the wrong transfer reversed first.",
        ),
    ],
)

LOAN = Task(
    "loan-instalment",
    "Mateo Sorensen wants to borrow in EUR what 9,500 CHF are worth today, over 36 months and as "
    "cheaply as possible in all. So that the monthly payment is always at hand, set up a monthly "
    "standing order over exactly that payment, from 1 April 2026 on, from the current account to "
    "the savings account.",
    [
        call("1", "convert_currency", amount=9500, from_currency="CHF", to_currency="EUR"),
        call("2", "compare_loans", amount=ref("1", "converted"), months=36),
        call("3", "find_accounts", holder="Mateo Sorensen", kind="current"),
        call("4", "find_accounts", holder="Mateo Sorensen", kind="savings"),
        call(
            "5",
            "set_up_standing_order",
            from_account=ref("3", "accounts[0].account_id"),
            to_account=ref("4", "accounts[0].account_id"),
            amount=ref("2", "offers[0].monthly_payment"),
            frequency="monthly",
            first_day="2026-04-01",
        ),
    ],
    "cancel_standing_order combine_balances compound_interest summarise_spending transfer_money",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "1",
                    changes=[
                        remove_argument("1", "from_currency"),
                        set_argument("1", "currency", "CHF"),
                    ],
                    evidence=[in_result("1", "error")],
                    repair=[
                        remove_argument("1", "currency"),
                        set_argument("1", "from_currency", "CHF"),
                    ],
                )
            ],
            reason="Node {1} gives the currency of the amount as 'currency'; the tool has no such "
            "parameter and calls it 'from_currency'.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "months", 63)],
                    evidence=[in_request("over 36 months"), in_plan("2", "para.months")],
                    repair=[set_argument("2", "months", 36)],
                ),
                Mistake(
                    ErrorType.TOOL_SELECT,
                    "5",
                    changes=[
                        set_tool(
                            "5",
                            "transfer_money",
                            from_account=ref("3", "accounts[0].account_id"),
                            to_account=ref("4", "accounts[0].account_id"),
                            amount=ref("2", "offers[0].monthly_payment"),
                        )
                    ],
                    evidence=[
                        in_request("set up a monthly standing order"),
                        in_plan("5", "name"),
                        in_tool("set_up_standing_order", "description"),
                    ],
                    repair=[
                        set_tool(
                            "5",
                            "set_up_standing_order",
                            from_account=ref("3", "accounts[0].account_id"),
                            to_account=ref("4", "accounts[0].account_id"),
                            amount=ref("2", "offers[0].monthly_payment"),
                            frequency="monthly",
                            first_day="2026-04-01",
                        )
                    ],
                ),
            ],
            reason="The loans were compared over 63 months instead of 36. And node {5}, which is "
            "still to run, would transfer the money once and at once, where a monthly standing "
            "order is wanted.",
        ),
    ],
)

REMINDER = Task(
    "payment-reminder",
    "Take the client who owes us most and send its contact a payment reminder about the longest "
    "overdue of its invoices: what is due on it on 31 March 2026 with 8 percent interest a year. "
    "Use the template for payment reminders with that day and that amount, and send its text to "
    "the client's e-mail address.",
    [
        call("1", "rank_clients", by="unpaid"),
        call(
            "2",
            "find_overdue_invoices",
            sort_by="age",
            client_id=ref("1", "clients[0].client_id"),
        ),
        call(
            "3",
            "late_payment_due",
            invoice_id=ref("2", "invoices[0].invoice_id"),
            on="2026-03-31",
            yearly_percent=8,
        ),
        call(
            "4",
            "fill_template",
            template="payment reminder",
            recipient=ref("1", "clients[0].contact"),
            day="2026-03-31",
            amount=ref("3", "total_due"),
        ),
        call("5", "send_mail", to=[ref("1", "clients[0].email")], body=ref("4", "text")),
    ],
    "filing_deadline income_tax issue_invoice look_up_contact search_mail void_invoice",
    [
        Problem(
            level=1,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_MISSING,
                    "3",
                    changes=[remove_argument("3", "yearly_percent")],
                    evidence=[in_result("3", "error"), in_request("8 percent interest")],
                    repair=[set_argument("3", "yearly_percent", 8)],
                )
            ],
            reason="Node {3} doesn't say how much interest is charged, which the tool requires; "
            "the request says 8 percent a year.",
        ),
        Problem(
            level=2,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.TIMEOUT,
                    "2",
                    fault=fault("find_overdue_invoices", "timeout"),
                    evidence=[in_result("2", "error"), in_result("3", "error")],
                    repair=[retry("2", "2_retry")],
                ),
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "5",
                    changes=[set_argument("5", "to", ref("1", "clients[0].email"))],
                    evidence=[
                        in_plan("5", "para.to"),
                        in_tool("send_mail", "parameters.properties.to.type"),
                    ],
                    repair=[set_argument("5", "to", [ref("1", "clients[0].email")])],
                ),
            ],
            reason="The invoices could not be listed, because the tool timed out; nobody tried "
            "again, and so there was no invoice to compute interest on. The mail that is still to "
            "be sent gives a single address where the tool wants a list of addresses.",
        ),
    ],
)

TASKS = (HOME, DESK, INVOICE, LOAN, REMINDER)
