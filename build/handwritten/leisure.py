"""Tasks for evenings, weekends and health: films, books, music, sport, courses, parties."""

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

CINEMA = Task(
    "two-film-evenings",
    "Reserve two seats in Jonas Haddad's name for the first comedy that a Hamburg cinema shows at "
    "20:00 or later on 7 March 2026. For the children, plan an afternoon from 15:00 on with the "
    "two best rated animated films of at most 110 minutes that a child of 6 may see, with a break "
    "of 20 minutes, and tell me how these two did at the box office in their first 4 weeks.",
    [
        call(
            "1",
            "find_showings",
            city="Hamburg",
            order="earliest",
            genre="comedy",
            not_before="20:00",
        ),
        call(
            "2",
            "reserve_seats",
            showing_id=ref("1", "showings[0].showing_id"),
            day="2026-03-07",
            name="Jonas Haddad",
            seats=2,
        ),
        call(
            "3",
            "find_films",
            genre="animation",
            order="best_rated",
            max_minutes=110,
            viewer_age=6,
        ),
        call(
            "4",
            "plan_film_night",
            film_ids=[ref("3", "films[0].film_id"), ref("3", "films[1].film_id")],
            starts="15:00",
            break_minutes=20,
        ),
        call(
            "5",
            "box_office",
            film_ids=[ref("3", "films[0].film_id"), ref("3", "films[1].film_id")],
            weeks=4,
        ),
    ],
    "find_events pick_seats rate_film recommend_films release_seats",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_MISSING,
                    "2",
                    changes=[remove_argument("2", "seats")],
                    evidence=[
                        in_plan("2", "para"),
                        in_tool("reserve_seats", "parameters.required"),
                        in_request("Reserve two seats"),
                    ],
                    repair=[set_argument("2", "seats", 2)],
                )
            ],
            reason="The reservation that is still to be made in node {2} doesn't say how many "
            "seats, which the tool requires; the request says two.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.TOOL_NAME,
                    "1",
                    changes=[set_tool("1", "search_cinema_programme")],
                    evidence=[in_result("1", "error"), in_result("2", "error")],
                    repair=[set_tool("1", "find_showings")],
                ),
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "starts", "13:00")],
                    evidence=[in_request("from 15:00 on"), in_plan("4", "para.starts")],
                    repair=[set_argument("4", "starts", "15:00")],
                ),
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "5",
                    changes=[set_argument("5", "weeks", "4")],
                    evidence=[in_result("5", "error")],
                    repair=[set_argument("5", "weeks", 4)],
                ),
            ],
            reason="The search for the comedy names a tool that is in no list (find_showings was "
            "meant), and so there was nothing to reserve. The afternoon was planned from 13:00 on "
            "instead of 15:00, and the weeks of the box office are a text instead of a number.",
        ),
    ],
)

LIBRARY = Task(
    "three-books",
    "From the library, Vera Zeller borrows the shortest crime book and the newest history book "
    "that stand on the shelf, both on one loan. Work out for her how long these two take at 40 "
    "pages a day, starting on 5 March 2026. And put her on the waiting list for the longest book "
    "on astronomy.",
    [
        call("1", "search_holdings", subject="crime", order="shortest", on_shelf=True),
        call("2", "search_holdings", subject="history", order="newest", on_shelf=True),
        call("3", "search_holdings", subject="astronomy", order="longest"),
        call(
            "4",
            "borrow_books",
            book_ids=[ref("1", "books[0].book_id"), ref("2", "books[0].book_id")],
            member="Vera Zeller",
        ),
        call(
            "5",
            "reading_schedule",
            book_ids=[ref("1", "books[0].book_id"), ref("2", "books[0].book_id")],
            pages_per_day=40,
            start="2026-03-05",
        ),
        call("6", "place_hold", book_id=ref("3", "books[0].book_id"), member="Vera Zeller"),
    ],
    "cancel_hold library_account renew_loan return_books search_products",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.PARALLELISM,
                    "5",
                    changes=[add_edge("5", "4")],
                    evidence=[in_plan("5", "dep"), in_tool("reading_schedule", "description")],
                    repair=[remove_edge("5", "4")],
                )
            ],
            reason="The reading schedule waits until the books are borrowed, although it only "
            "needs to know which books they are: everything ends a round later for no reason.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "order", "oldest")],
                    evidence=[in_request("the newest history book"), in_plan("2", "para.order")],
                    repair=[
                        set_argument("2", "order", "newest"),
                        add_node(call("7", "return_books", loan_id=shown("4", "loan_id")), "2"),
                    ],
                ),
                Mistake(
                    ErrorType.DEPENDENCE,
                    "6",
                    changes=[remove_edge("6", "3"), add_edge("6", "1")],
                    evidence=[in_result("6", "error"), in_plan("6", "dep")],
                    repair=[add_edge("6", "3")],
                ),
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "5",
                    changes=[set_argument("5", "pages_per_day", "40")],
                    evidence=[in_result("5", "error")],
                    repair=[set_argument("5", "pages_per_day", 40)],
                ),
            ],
            reason="The history books were searched from the oldest on, and the wrong one has "
            "been borrowed: it has to be returned before the search is made anew. The hold in "
            "node {6} waits for the search in node {1}, but its book comes from node {3}. And "
            "node {5} gives the pages a day as a text instead of an integer.",
        ),
    ],
)

MUSIC = Task(
    "jazz-and-soul",
    "What would the newest jazz album and the newest soul album cost together? Build Noor "
    "Eriksholm a playlist of at most 90 minutes out of the tracks of their two artists, and buy "
    "her two tickets for the next concert in Berlin that costs at most 70 EUR.",
    [
        call("1", "find_albums", genre="jazz", order="newest"),
        call("2", "find_albums", genre="soul", order="newest"),
        call("3", "find_concerts", city="Berlin", max_price=70),
        call(
            "4",
            "album_bundle",
            album_ids=[ref("1", "albums[0].album_id"), ref("2", "albums[0].album_id")],
        ),
        call(
            "5",
            "build_playlist",
            artists=[ref("1", "albums[0].artist"), ref("2", "albums[0].artist")],
            max_minutes=90,
            owner="Noor Eriksholm",
        ),
        call(
            "6",
            "buy_concert_tickets",
            concert_id=ref("3", "concerts[0].concert_id"),
            buyer="Noor Eriksholm",
            seats=2,
        ),
    ],
    "delete_playlist find_events return_concert_tickets royalty_statement split_royalties",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.NULL,
                    "3",
                    fault=fault("find_concerts", "null"),
                    evidence=[in_result("3")],
                    repair=[retry("3", "3_retry")],
                )
            ],
            reason="The search for concerts is right, but it gave back nothing at all, which is "
            "no answer. It has to be tried again.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "genre", "blues")],
                    evidence=[in_request("the newest soul album"), in_plan("2", "para.genre")],
                    repair=[
                        set_argument("2", "genre", "soul"),
                        add_node(
                            call("7", "delete_playlist", playlist_id=shown("5", "playlist_id")),
                            "response",
                        ),
                    ],
                ),
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "6",
                    changes=[remove_argument("6", "seats"), set_argument("6", "tickets", 2)],
                    evidence=[in_result("6", "error")],
                    repair=[remove_argument("6", "tickets"), set_argument("6", "seats", 2)],
                ),
            ],
            reason="The second album was searched among blues instead of soul. The price and the "
            "playlist are wrong because of it, and the playlist has to be deleted and built anew. "
            "The tickets were not bought: node {6} calls their number 'tickets', the tool 'seats'.",
        ),
    ],
)

FITNESS = Task(
    "training-group",
    "Book Rosa Lindqvist into the next yoga class in Berlin from 16 March 2026 on. And for "
    "whoever of Hugo Bakker, Rosa Lindqvist and Mateo Kaplanek has trained most minutes since 1 "
    "February 2026, work out heart-rate zone 3 and tell me how many of the measured rates 128, "
    "139, 151 and 160 lie within it.",
    [
        call("1", "find_classes", city="Berlin", activity="yoga", from_day="2026-03-16"),
        call(
            "2",
            "training_summary",
            members=["Hugo Bakker", "Rosa Lindqvist", "Mateo Kaplanek"],
            since="2026-02-01",
        ),
        call(
            "3",
            "book_class",
            session_id=ref("1", "classes[0].session_id"),
            member="Rosa Lindqvist",
        ),
        call("4", "heart_rate_zone", member=ref("2", "summary[0].member"), zone=3),
        call(
            "5",
            "check_heart_rates",
            rates=[128, 139, 151, 160],
            target={"low": ref("4", "from_bpm"), "high": ref("4", "to_bpm")},
        ),
    ],
    "calories_burned cancel_class find_doctors log_workout predict_race",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.TIMEOUT,
                    "2",
                    fault=fault("training_summary", "timeout"),
                    evidence=[in_result("2", "error")],
                    repair=[retry("2", "2_retry")],
                )
            ],
            reason="The training summary timed out; the call itself is right and has to be made "
            "again.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "1",
                    changes=[set_argument("1", "from_day", "2026-03-06")],
                    evidence=[in_request("from 16 March 2026 on"), in_plan("1", "para.from_day")],
                    repair=[
                        set_argument("1", "from_day", "2026-03-16"),
                        add_node(
                            call("6", "cancel_class", booking_id=shown("3", "booking_id")),
                            "response",
                        ),
                    ],
                ),
                Mistake(
                    ErrorType.SERIAL,
                    "5",
                    changes=[remove_edge("5", "4"), add_edge("5", "2")],
                    evidence=[in_result("5", "error"), in_plan("5", "dep")],
                    repair=[add_edge("5", "4")],
                ),
            ],
            reason="The class was searched from 6 March 2026 on instead of 16 March, and a place "
            "in the wrong session has been booked, which has to be cancelled. The heart rates "
            "were checked in the same round in which the zone was worked out: node {5} has to "
            "wait for node {4}.",
        ),
    ],
)

FOOTBALL = Task(
    "team-in-form",
    "Of the first two teams in the table of the Northern Cup League, counting all games, take the "
    "one in better form over the last 5 games and book it a training session on 18 March 2026 at "
    "18:00 for 90 minutes, on the sports ground nearest to where Uma Schreiber lives. Tell me too "
    "which home games the leader of the table has from 9 March 2026 on.",
    [
        call("1", "league_table", league="Northern Cup League", games="all"),
        call("2", "look_up_contact", person="Uma Schreiber"),
        call(
            "3",
            "compare_form",
            teams=[ref("1", "table[0].team"), ref("1", "table[1].team")],
            last=5,
        ),
        call(
            "4",
            "team_fixtures",
            team=ref("1", "table[0].team"),
            from_day="2026-03-09",
            side="home",
        ),
        call("5", "grounds_near", near=ref("2", "position")),
        call(
            "6",
            "book_training",
            team=ref("3", "form[0].team"),
            ground_id=ref("5", "grounds[0].ground_id"),
            day="2026-03-18",
            starts="18:00",
            minutes=90,
        ),
    ],
    "cancel_training find_hotels move_fixture schedule_meeting training_plan",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.TOOL_SELECT,
                    "4",
                    changes=[
                        set_tool("4", "league_table", league="Northern Cup League", games="home")
                    ],
                    evidence=[
                        in_request("which home games the leader of the table has"),
                        in_plan("4", "name"),
                        in_tool("team_fixtures", "description"),
                    ],
                    repair=[
                        set_tool(
                            "4",
                            "team_fixtures",
                            team=ref("1", "table[0].team"),
                            from_day="2026-03-09",
                            side="home",
                        )
                    ],
                )
            ],
            reason="Node {4} computed a table of the home games played so far. What is asked for "
            "are the coming home games of one team, which team_fixtures lists.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "side", "away")],
                    evidence=[in_request("which home games"), in_plan("4", "para.side")],
                    repair=[set_argument("4", "side", "home")],
                ),
                Mistake(
                    ErrorType.MISSING_CALL,
                    "6",
                    changes=[remove_node("5"), set_argument("6", "ground_id", "GR-117")],
                    evidence=[
                        in_request("nearest to where Uma Schreiber lives"),
                        in_plan("6", "para.ground_id"),
                        in_tool("grounds_near", "description"),
                    ],
                    repair=[
                        add_node(call("5", "grounds_near", near=ref("2", "position")), "6"),
                        set_argument("6", "ground_id", ref("5", "grounds[0].ground_id")),
                    ],
                ),
            ],
            reason="The fixtures listed are those away instead of those at home. And nobody looks "
            "for a ground near Uma Schreiber: the training in node {6} would be booked on GR-117, "
            "an id that no result says.",
        ),
    ],
)

COURSE = Task(
    "music-course",
    "Clara Kerrigan wants to take the cheapest introductory course in music. Find out which of "
    "its prerequisites she lacks, enrol her in its section with the most free places, and work "
    "out her degree progress at 15 credits a term as if she had passed it.",
    [
        call("1", "find_courses", field="music", level="introductory"),
        call(
            "2",
            "missing_prerequisites",
            student="Clara Kerrigan",
            code=ref("1", "courses[0].code"),
        ),
        call("3", "pick_section", code=ref("1", "courses[0].code"), preference="emptiest"),
        call(
            "4",
            "enrol_student",
            student="Clara Kerrigan",
            section_ids=[ref("3", "section_id")],
        ),
        call(
            "5",
            "degree_progress",
            student="Clara Kerrigan",
            credits_per_term=15,
            planned=[ref("1", "courses[0].code")],
        ),
    ],
    "drop_enrolment find_employee library_account plan_timetable top_students",
    [
        Problem(
            level=1,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.TOOL_NAME,
                    "4",
                    changes=[set_tool("4", "enroll_in_section")],
                    evidence=[in_result("4", "error")],
                    repair=[set_tool("4", "enrol_student")],
                )
            ],
            reason="Node {4} calls enroll_in_section, which is in no tool list; enrol_student, "
            "with the same arguments, was meant.",
        ),
        Problem(
            level=2,
            rounds=2,
            faults=[fault("find_courses", "timeout")],
            before={1: [retry("1", "1_retry")]},
            purposes={"1_retry": "1"},
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE,
                    "3",
                    after=1,
                    changes=[
                        remove_edge("3", "1_retry"),
                        add_edge("3", "1"),
                        set_argument("3", "code", ref("1", "courses[0].code")),
                    ],
                    evidence=[
                        in_result("3", "error"),
                        in_plan("3", "dep"),
                        in_result("1_retry", "courses[0].code"),
                    ],
                    repair=[
                        add_edge("3", "1_retry"),
                        set_argument("3", "code", ref("1_retry", "courses[0].code")),
                    ],
                ),
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "4",
                    changes=[set_argument("4", "section_ids", ref("3", "section_id"))],
                    evidence=[
                        in_plan("4", "para.section_ids"),
                        in_tool("enrol_student", "parameters.properties.section_ids.type"),
                    ],
                    repair=[set_argument("4", "section_ids", [ref("3", "section_id")])],
                ),
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "5",
                    changes=[set_argument("5", "credits_per_term", 50)],
                    evidence=[
                        in_request("15 credits a term"),
                        in_plan("5", "para.credits_per_term"),
                    ],
                    repair=[set_argument("5", "credits_per_term", 15)],
                ),
            ],
            reason="The search for the course timed out and was rightly tried again, but node {3} "
            "still hangs on the search that failed and takes the course from it, instead of from "
            "its retry. Two more things go wrong: node {4} gives one section where the tool wants "
            "a list, and node {5} counts on 50 credits a term, more than the tool takes, instead "
            "of 15.",
        ),
    ],
)

CLINIC = Task(
    "doctor-and-medicine",
    "Book Mina Tremblay an appointment with the best rated dermatologist in Oslo, in the first "
    "morning slot from 9 March 2026 on. Prescribe her the cheapest medicine for an allergy for 10 "
    "days, in the dose for her weight of 70 kg.",
    [
        call("1", "find_doctors", city="Oslo", specialty="dermatology"),
        call("2", "find_medicines", use="allergy"),
        call(
            "3",
            "free_doctor_slots",
            doctor_id=ref("1", "doctors[0].doctor_id"),
            earliest="2026-03-09",
            part="morning",
        ),
        call(
            "4",
            "dose_by_weight",
            medicine=ref("2", "medicines[0].medicine"),
            weight_kg=70,
        ),
        call(
            "5",
            "book_appointment",
            slot_id=ref("3", "slots[0].slot_id"),
            patient="Mina Tremblay",
        ),
        call(
            "6",
            "prescribe_medicine",
            patient="Mina Tremblay",
            medicine=ref("2", "medicines[0].medicine"),
            tablets_per_day=ref("4", "tablets_per_day"),
            days=10,
        ),
    ],
    "cancel_appointment check_interactions find_vets heart_rate_zone look_up_contact",
    [
        Problem(
            level=1,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE,
                    "6",
                    changes=[remove_edge("6", "4"), add_edge("6", "3")],
                    evidence=[in_result("6", "error"), in_plan("6", "dep")],
                    repair=[add_edge("6", "4")],
                )
            ],
            reason="The prescription takes the dose from node {4}, but waits for the free slots "
            "of node {3}, which have nothing to do with it; so it failed.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "weight_kg", 7)],
                    evidence=[in_request("her weight of 70 kg"), in_plan("4", "para.weight_kg")],
                    repair=[set_argument("4", "weight_kg", 70)],
                ),
                Mistake(
                    ErrorType.SERIAL,
                    "5",
                    changes=[remove_edge("5", "3"), add_edge("5", "1")],
                    evidence=[in_result("5", "error"), in_plan("5", "dep")],
                    repair=[add_edge("5", "3")],
                ),
            ],
            reason="The dose was worked out for 7 kg instead of 70; nothing has been prescribed "
            "yet. The appointment was to be booked while the free slots were still being looked "
            "up: node {5} waits for the doctor alone.",
        ),
    ],
)

PARTY = Task(
    "hiking-group-party",
    "Ines Xavier gives a party in Warsaw on 16 May 2026 for as many guests as the hiking group "
    "has members. Hire the cheapest free venue that holds them in her name, and tell me what its "
    "hire and the cheapest finger food for all of them come to together.",
    [
        call("1", "group_mailing_list", group="hiking group"),
        call("2", "find_venues", city="Warsaw", guests=ref("1", "count"), day="2026-05-16"),
        call(
            "3",
            "catering_quotes",
            city="Warsaw",
            guests=ref("1", "count"),
            service="finger food",
        ),
        call(
            "4",
            "hire_venue",
            venue_id=ref("2", "venues[0].venue_id"),
            day="2026-05-16",
            organiser="Ines Xavier",
        ),
        call(
            "5",
            "sum_amounts",
            amounts=[ref("2", "venues[0].hire_per_day"), ref("3", "quotes[0].total")],
        ),
    ],
    "average_amounts cancel_hire compare_amounts find_hotels send_mail",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_NAME,
                    "2",
                    changes=[
                        remove_argument("2", "guests"),
                        set_argument("2", "capacity", ref("1", "count")),
                    ],
                    evidence=[in_result("2", "error")],
                    repair=[
                        remove_argument("2", "capacity"),
                        set_argument("2", "guests", ref("1", "count")),
                    ],
                )
            ],
            reason="Node {2} gives the number of guests as 'capacity'; the tool has no such "
            "parameter and calls it 'guests'.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE_NULL,
                    "5",
                    changes=[remove_edge("5", "2"), remove_edge("5", "3")],
                    evidence=[in_result("5", "error"), in_plan("5", "dep")],
                    repair=[add_edge("5", "2"), add_edge("5", "3")],
                ),
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "3",
                    changes=[set_argument("3", "service", "buffet")],
                    evidence=[in_request("finger food"), in_plan("3", "para.service")],
                    repair=[set_argument("3", "service", "finger food")],
                ),
            ],
            reason="The sum in node {5} waits for nothing and was to be computed before its two "
            "amounts were known. And the caterers were asked for a buffet instead of finger food.",
        ),
    ],
)

BIRTHDAY = Task(
    "birthday-present",
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
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "4",
                    changes=[set_argument("4", "quantity", 0)],
                    evidence=[in_result("4", "error"), in_request("just one")],
                    repair=[set_argument("4", "quantity", 1)],
                )
            ],
            reason="Node {4} puts zero board games into the cart, which the tool refuses; one is "
            "wanted.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.NULL,
                    "3",
                    fault=fault("look_up_contact", "empty_list"),
                    evidence=[in_result("3")],
                    repair=[retry("3", "3_retry")],
                ),
                Mistake(
                    ErrorType.REDUNDANT_CALL,
                    "7",
                    changes=[
                        add_node(
                            call(
                                "7",
                                "add_to_cart",
                                customer="Clara Kerrigan",
                                sku=ref("2", "products[1].sku"),
                                quantity=1,
                            ),
                            "5",
                        )
                    ],
                    evidence=[in_request("just one"), in_result("7", "name")],
                    repair=[
                        add_node(call("8", "remove_from_cart", line_id=shown("7", "line_id")), "5")
                    ],
                ),
            ],
            reason="The look-up of the one with the birthday gave back nothing and has to be "
            "tried again. Meanwhile node {7} has put a second board game into the cart, which has "
            "to be taken out before the order.",
        ),
    ],
)

TASKS = (CINEMA, LIBRARY, MUSIC, FITNESS, FOOTBALL, COURSE, CLINIC, PARTY, BIRTHDAY)
