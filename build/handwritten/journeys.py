"""Tasks on the way: trips, parcels, time zones and the weather."""

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
    ref,
    remove_argument,
    remove_edge,
    retry,
    set_argument,
    shown,
)
from trajectory.error_types import ErrorType

CONCERT = Task(
    "vienna-concert",
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
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.SERIAL,
                    "6",
                    changes=[remove_edge("6", "3")],
                    evidence=[in_result("6", "error"), in_plan("6", "dep")],
                    repair=[add_edge("6", "3")],
                )
            ],
            reason="The room was booked in the same round as the search for the hotel: node {6} "
            "waits for the event alone, although it takes the hotel from node {3}. So the booking "
            "failed, and it has to wait for the search.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.TIMEOUT,
                    "2",
                    fault=fault("find_trains", "timeout"),
                    evidence=[in_result("2", "error"), in_result("5", "error")],
                    repair=[retry("2", "2_retry")],
                ),
                Mistake(
                    ErrorType.PARAMETER_TYPE,
                    "4",
                    changes=[set_argument("4", "seats", "one")],
                    evidence=[in_result("4", "error")],
                    repair=[set_argument("4", "seats", 1)],
                ),
            ],
            reason="The search for trains timed out in the first round, nobody tried it again, "
            "and so the ticket in node {5} had no train to be bought for. Beside that, node {4} "
            "gives the number of seats as a word, where the tool wants an integer.",
        ),
    ],
)

SUNNY_WEEKEND = Task(
    "sunny-weekend",
    "Hugo Bakker hasn't decided between Lisbon, Rome and Barcelona. Take the one with the "
    "sunniest forecast for 9 May 2026 and book him the cheapest room there for three nights from "
    "that day. He would also like the details of that hotel, and to know what the weather in that "
    "city will be like over the three days from 9 May 2026.",
    [
        call(
            "1",
            "compare_cities",
            cities=["Lisbon", "Rome", "Barcelona"],
            day="2026-05-09",
            liking="sunniest",
        ),
        call("2", "find_hotels", city=ref("1", "best"), check_in="2026-05-09", nights=3),
        call("3", "weather_summary", city=ref("1", "best"), start="2026-05-09", days=3),
        call(
            "4",
            "book_room",
            hotel_id=ref("2", "hotels[0].hotel_id"),
            guest="Hugo Bakker",
            check_in="2026-05-09",
            nights=3,
        ),
        call("5", "describe_hotel", hotel_id=ref("2", "hotels[0].hotel_id")),
    ],
    "best_day_for cancel_room day_forecast find_trains warned_cities",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_MISSING,
                    "2",
                    changes=[remove_argument("2", "nights")],
                    evidence=[in_result("2", "error"), in_request("three nights")],
                    repair=[set_argument("2", "nights", 3)],
                )
            ],
            reason="The search for hotels in node {2} doesn't say for how many nights, which the "
            "tool requires; the request says three.",
        ),
        Problem(
            level=2,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "1",
                    changes=[set_argument("1", "liking", "warmest")],
                    evidence=[in_request("sunniest"), in_plan("1", "para.liking")],
                    repair=[
                        set_argument("1", "liking", "sunniest"),
                        add_node(
                            call("6", "cancel_room", booking_id=shown("4", "booking_id")),
                            "response",
                        ),
                    ],
                )
            ],
            reason="The cities were compared by warmth, where the request asks for the sunniest. "
            "The wrong city went into the search for hotels, the weather and the booking. The "
            "comparison has to be made anew, with all that follows from it, and the room that was "
            "booked in the wrong city has to be cancelled.",
        ),
    ],
)

PARCELS = Task(
    "two-parcels",
    "Clara Kerrigan in Oslo has two parcels to send on 18 March 2026, each with the cheapest "
    "carrier: one of 4.5 kg to Paloma Chaudhry in Rome and one of 2 kg to Hugo Bakker in Zurich. "
    "Register both and have them picked up together on 17 March 2026 between 10 and 12.",
    [
        call(
            "1",
            "quote_shipping",
            origin="Oslo",
            destination="Rome",
            weight_kg=4.5,
            sort_by="price",
        ),
        call(
            "2",
            "quote_shipping",
            origin="Oslo",
            destination="Zurich",
            weight_kg=2,
            sort_by="price",
        ),
        call(
            "3",
            "register_parcel",
            carrier_id=ref("1", "quotes[0].carrier_id"),
            sender="Clara Kerrigan",
            recipient="Paloma Chaudhry",
            origin="Oslo",
            destination="Rome",
            weight_kg=4.5,
            ship_on="2026-03-18",
        ),
        call(
            "4",
            "register_parcel",
            carrier_id=ref("2", "quotes[0].carrier_id"),
            sender="Clara Kerrigan",
            recipient="Hugo Bakker",
            origin="Oslo",
            destination="Zurich",
            weight_kg=2,
            ship_on="2026-03-18",
        ),
        call(
            "5",
            "book_pickup",
            parcel_ids=[ref("3", "parcel_id"), ref("4", "parcel_id")],
            day="2026-03-17",
            window="10:00-12:00",
        ),
    ],
    "cancel_parcel cancel_pickup find_parcels plan_route track_parcel",
    [
        Problem(
            level=1,
            rounds=1,
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE_NULL,
                    "5",
                    changes=[remove_edge("5", "3"), remove_edge("5", "4")],
                    evidence=[in_result("5", "error"), in_plan("5", "dep")],
                    repair=[add_edge("5", "3"), add_edge("5", "4")],
                )
            ],
            reason="The pick-up in node {5} waits for nothing, so it was booked before the "
            "parcels that it is for had been registered, and failed. It has to wait for nodes {3} "
            "and {4}.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "weight_kg", 20)],
                    evidence=[in_request("one of 2 kg"), in_plan("2", "para.weight_kg")],
                    repair=[
                        set_argument("2", "weight_kg", 2),
                        add_node(
                            call("6", "cancel_parcel", parcel_id=shown("4", "parcel_id")),
                            "response",
                        ),
                    ],
                )
            ],
            reason="The quote for the parcel to Zurich was asked for 20 kg instead of 2 kg. Its "
            "cheapest carrier is another one, and the parcel has been registered with it. The "
            "quote has to be asked anew, the parcel registered with the right carrier, and the "
            "wrong registration cancelled before anything is picked up.",
        ),
    ],
)

TIME_ZONES = Task(
    "two-time-zones",
    "We plan a call of 45 minutes with Beatriz Nakagawa and Zadie Arslan on 15 April 2026 at "
    "15:00 Oslo time. Look both of them up and tell me what time that is where each of them "
    "lives, and put the meeting into the calendars of the two.",
    [
        call("1", "look_up_contact", person="Beatriz Nakagawa"),
        call("2", "look_up_contact", person="Zadie Arslan"),
        call(
            "3",
            "convert_time",
            time="15:00",
            day="2026-04-15",
            from_city="Oslo",
            to_city=ref("1", "city"),
        ),
        call(
            "4",
            "convert_time",
            time="15:00",
            day="2026-04-15",
            from_city="Oslo",
            to_city=ref("2", "city"),
        ),
        call(
            "5",
            "schedule_meeting",
            people=["Beatriz Nakagawa", "Zadie Arslan"],
            day="2026-04-15",
            start="15:00",
            minutes=45,
            city="Oslo",
        ),
    ],
    "cancel_meeting compare_days find_meeting_times search_contacts upcoming_birthdays",
    [
        Problem(
            level=1,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "3",
                    changes=[set_argument("3", "day", "2026-04-31")],
                    evidence=[in_result("3", "error"), in_request("15 April 2026")],
                    repair=[set_argument("3", "day", "2026-04-15")],
                )
            ],
            reason="Node {3} converts the time for 31 April, a day that does not exist; the call "
            "is on 15 April 2026.",
        ),
        Problem(
            level=2,
            rounds=2,
            mistakes=[
                Mistake(
                    ErrorType.DEPENDENCE,
                    "4",
                    changes=[
                        remove_edge("4", "2"),
                        add_edge("4", "1"),
                        set_argument("4", "to_city", ref("1", "city")),
                    ],
                    evidence=[in_plan("4", "para.to_city"), in_request("each of them")],
                    repair=[add_edge("4", "2"), set_argument("4", "to_city", ref("2", "city"))],
                ),
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "5",
                    changes=[set_argument("5", "minutes", 30)],
                    evidence=[in_request("45 minutes"), in_plan("5", "para.minutes")],
                    repair=[
                        set_argument("5", "minutes", 45),
                        add_node(
                            call("6", "cancel_meeting", meeting_id=shown("5", "meeting_id")), "5"
                        ),
                    ],
                ),
            ],
            reason="Node {4} hangs on the look-up of Beatriz Nakagawa and converts the time to "
            "her city a second time, so that the time for Zadie Arslan is never told. And the "
            "meeting was entered with 30 minutes instead of 45: it has to be called off and "
            "entered anew.",
        ),
    ],
)

HIKING = Task(
    "hiking-trip",
    "Clara Kerrigan wants to go hiking in Athens, Rome, Lisbon, Barcelona or Madrid. Leave out "
    "those that have a weather warning of level yellow or above for 22 March 2026, and of the "
    "others take the one that is warmest on that day. Find the best day for hiking there within "
    "the seven days from 22 March 2026 on, and book her the cheapest room for two nights from "
    "that best day.",
    [
        call(
            "1",
            "warned_cities",
            cities=["Athens", "Rome", "Lisbon", "Barcelona", "Madrid"],
            day="2026-03-22",
            level="yellow",
        ),
        call("2", "compare_cities", cities=ref("1", "clear"), day="2026-03-22", liking="warmest"),
        call(
            "3",
            "best_day_for",
            city=ref("2", "best"),
            activity="hiking",
            start="2026-03-22",
            days=7,
        ),
        call("4", "find_hotels", city=ref("2", "best"), check_in=ref("3", "day"), nights=2),
        call(
            "5",
            "book_room",
            hotel_id=ref("4", "hotels[0].hotel_id"),
            guest="Clara Kerrigan",
            check_in=ref("3", "day"),
            nights=2,
        ),
    ],
    "cancel_room day_forecast degree_days find_trains weather_summary",
    [
        Problem(
            level=1,
            rounds=3,
            mistakes=[
                Mistake(
                    ErrorType.SERIAL,
                    "4",
                    changes=[remove_edge("4", "3")],
                    evidence=[in_result("4", "error"), in_plan("4", "dep")],
                    repair=[add_edge("4", "3")],
                )
            ],
            reason="The search for hotels ran beside the search for the best day, although it "
            "takes the day of arrival from it: node {4} waits for node {2} alone and has to wait "
            "for node {3}.",
        ),
        Problem(
            level=2,
            rounds=5,
            mistakes=[
                Mistake(
                    ErrorType.PARAMETER_INVALID,
                    "2",
                    changes=[set_argument("2", "liking", "sunniest")],
                    evidence=[in_request("the one that is warmest"), in_plan("2", "para.liking")],
                    repair=[
                        set_argument("2", "liking", "warmest"),
                        add_node(
                            call("6", "cancel_room", booking_id=shown("5", "booking_id")),
                            "response",
                        ),
                    ],
                )
            ],
            reason="The cities without a warning were compared by sunshine instead of warmth. The "
            "day, the hotel and the booking are all those of the wrong city. The comparison and "
            "what follows from it have to be made anew, and the wrong booking cancelled.",
        ),
    ],
)

TASKS = (CONCERT, SUNNY_WEEKEND, PARCELS, TIME_ZONES, HIKING)
