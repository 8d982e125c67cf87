"""When a slipstream is offered, behind whom, where it may lead, what it costs: article 18."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import LINE_IN, RUN_IN, TOW, TWIN, with_pits
from tests.table import Table

BACK, FRONT = "2:middle:9", "2:middle:10"
"""Where car 1 stops in these tests, and the space straight ahead of it."""


def behind(one: dict[str, Any], two: dict[str, Any], *more: dict[str, Any], **setup: Any) -> Table:
    """Car 1 rolls 7 (4 in 3rd) along its lane and stops right behind car 2."""
    gear, roll = one.get("gear", 4), {3: 4, 4: 7, 5: 11}[one.get("gear", 4)]
    one = {"car": 1, "gear": gear, "at": {4: "2:middle:5", 7: "2:middle:2", 11: "1:middle:3"}[roll], "stops": 1, **one}
    table = Table([one, {"car": 2, "gear": 4, "at": FRONT, **two}, *more], track=TOW, to_play=[1], **setup)
    table.say(gear, roll)
    table.land(BACK)
    return table


@pytest.mark.article("competition", "18-0-2")
def test_where_no_space_lies_straight_ahead_there_is_none() -> None:
    """A blocked space: the car on the last space of the board is no car ahead."""
    one = {"car": 1, "gear": 4, "at": "1:middle:3", "stops": 1}
    board = TOW.replace("middle  = 13", 'middle  = "5 x 7"', 1)
    table = Table([one, {"car": 2, "gear": 4, "at": "4:right:23"}], track=board, to_play=[1])
    table.say(4, 7)
    table.land("2:middle:5")
    assert table.ask != "slipstream"


@pytest.mark.article("competition", "18-0-1", "18-1-1")
@pytest.mark.parametrize(
    ("ahead", "gears"), [(1, ""), (2, ""), (3, ""), (4, "4 5"), (5, "5"), (6, "")], ids=lambda value: str(value)
)
def test_the_matrix_of_gears(ahead: int, gears: str) -> None:
    """Offered from 4th to 6th, behind a car in 4th or more that is not in a higher gear."""
    for gear in (3, 4, 5):
        table = behind({"gear": gear}, {"gear": ahead})
        assert (table.ask == "slipstream") == (str(gear) in gears.split())


@pytest.mark.article("competition", "18-0-1", "18-1-1")
def test_in_sixth_behind_every_gear_from_fourth() -> None:
    offered = []
    for gear in range(1, 7):
        cars = [{"car": 1, "gear": 6, "at": "4:middle:1"}, {"car": 2, "gear": gear, "at": "4:middle:23"}]
        table = Table(cars, track=TOW, to_play=[1])
        table.say(6, 21)
        table.land("4:middle:22")
        offered += [gear] if table.ask == "slipstream" else []
    assert offered == [4, 5, 6]


@pytest.mark.article("competition", "18-0-2")
def test_only_straight_behind() -> None:
    """Half a space behind in the next lane is beside, a space further back is too far."""
    for place in ("2:left:11", "2:right:9", "2:middle:11"):
        assert behind({}, {"at": place}).ask != "slipstream"
    assert behind({}, {}).ask == "slipstream"


@pytest.mark.article("competition", "18-2-1")
def test_a_slipstream_may_be_left() -> None:
    table = behind({}, {})
    table.say(None)
    assert table.car(1).at == BACK
    assert "slipstream" not in table.kinds()


@pytest.mark.article("competition", "18-0-3", "18-0-4")
def test_the_ways_out() -> None:
    """Three spaces: out a lane and back in front of the car, or out a lane and straight on, to either side."""
    table = behind({}, {})
    assert table.spaces() == {"2:middle:11", "2:left:12", "2:right:11"}
    table.refuses({"space": "2:left:11", "brakes": 0, "soft": 0}, "reached")
    table.land("2:middle:11")
    assert table.ruling("slipstream").facts == {"spaces": 3}
    assert table.ruling("slipstream").article == "18-0-3"


@pytest.mark.article("competition", "18-0-4")
def test_two_lanes_out_also_around_a_third_car() -> None:
    """From an outer lane: back in front, one lane out, two lanes out; where a third car stands, two lanes at twice."""
    one = {"car": 1, "gear": 4, "at": "2:left:2"}
    two = {"car": 2, "gear": 4, "at": "2:left:10"}
    alone = Table([one, two], track=TOW, to_play=[1])
    alone.say(4, 7)
    alone.land("2:left:9")  # L12: on to L16, M17 or R16
    assert alone.spaces() == {"2:left:11", "2:middle:11", "2:right:10"}
    crowded = Table([one, two, {"car": 3, "gear": 4, "at": "2:right:9"}], track=TOW, to_play=[1])
    crowded.say(4, 7)
    crowded.land("2:left:9")
    assert crowded.spaces() == {"2:left:11", "2:middle:11", "2:right:10"}


@pytest.mark.article("competition", "18-3-3", "7-2-4")
def test_a_slipstream_is_no_part_of_the_zigzag() -> None:
    """The move goes from the left lane to the middle one, the slipstream back to the left: each is a way of its own."""
    cars = [{"car": 1, "gear": 4, "at": "2:left:3"}, {"car": 2, "gear": 4, "at": FRONT}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)  # L0 to M13 would be 7 spaces: six ahead, one aside
    table.land(BACK)
    assert "2:left:12" in table.spaces()


@pytest.mark.article("competition", "18-1-2", "18-1-6")
def test_brakes_shorten_a_slipstream_and_end_it() -> None:
    table = behind({}, {}, {"car": 3, "gear": 4, "at": "2:left:12"})
    assert table.option(space="2:left:11", brakes=1).wear == {"brakes": -1}
    table.land("2:left:11", brakes=1)
    assert table.ask != "slipstream", "right behind car 3, but by a brake"
    assert table.car(1).wear["brakes"] == 2


@pytest.mark.article("competition", "18-1-6")
def test_no_slipstream_after_braking() -> None:
    cars = [{"car": 1, "gear": 4, "at": "2:middle:2"}, {"car": 2, "gear": 4, "at": FRONT}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 8)
    table.land(BACK, brakes=1)
    assert table.ask != "slipstream"


def test_no_slipstream_after_being_blocked() -> None:
    """A wall of cars: blocked behind car 2, which is in 4th [ruling 74]."""
    cars = [
        {"car": 1, "gear": 4, "at": "2:middle:2"},
        {"car": 2, "gear": 4, "at": FRONT},
        {"car": 3, "gear": 4, "at": "2:left:10"},
        {"car": 4, "gear": 4, "at": "2:right:9"},
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 8)
    assert table.option(space=BACK, brakes=0).facts["blocked"] == 1
    table.land(BACK)
    assert table.ask != "slipstream"


def test_the_first_space_must_be_free_and_the_rest_is_paid() -> None:
    """With both ways out taken there is none; with the first space free the table pays for the others [ruling 75]."""
    beside = [{"car": 3, "at": "2:left:10", "gear": 2}, {"car": 4, "at": "2:right:9", "gear": 2}]
    # M13 is left by L14 (left 10) or R14 (right 9).
    assert behind({}, {}, *beside).ask != "slipstream"
    table = behind({}, {}, beside[0], {"car": 4, "at": "2:right:10", "gear": 2}, {"car": 5, "at": "2:middle:11"})
    assert table.option(space="2:right:9", brakes=0).facts == {"moved": 1, "blocked": 2}
    assert table.option(space="2:right:9", brakes=0).wear == {"brakes": -2}


@pytest.mark.article("competition", "18-0-1", "18-1-7", "18-1-8", "16-0-5", "10-4-4")
@pytest.mark.parametrize(
    ("ahead", "offered"),
    [
        ({"status": "racing"}, True),
        ({"status": "spun"}, False),
        ({"status": "coasting", "coast": 4, "wear": {"engine": 0}}, True),  # broken just now, not yet coasting
        ({"status": "coasting", "coast": 3, "wear": {"engine": 0}}, False),
        ({"status": "wreck", "cause": "body"}, False),
        ({"status": "wreck", "cause": "engine"}, False),
    ],
    ids=lambda value: str(value.get("status", "")) + str(value.get("coast", "")) if isinstance(value, dict) else "",
)
def test_behind_whom(ahead: dict[str, Any], offered: bool) -> None:
    assert (behind({}, {"gear": 4, **ahead}).ask == "slipstream") == offered


@pytest.mark.article("competition", "18-0-1", "18-1-7", "16-0-5")
def test_a_coasting_car_takes_none() -> None:
    one = {"car": 1, "gear": 5, "at": "2:middle:2", "status": "coasting", "coast": 4}
    table = Table([one, {"car": 2, "gear": 4, "at": FRONT}], track=TOW, to_play=[1])
    table.say(4, 7)
    while table.ask == "landing":
        table.land(BACK)
    assert table.car(1).at == BACK
    assert table.ask != "slipstream"
    assert "slipstream" not in table.kinds()


@pytest.mark.article("competition", "18-2-2")
def test_none_after_overshooting() -> None:
    """Out of the corner without its stop, right behind a car that would draw it along."""
    cars = [{"car": 1, "gear": 4, "at": "2:left:10"}, {"car": 2, "gear": 4, "at": "4:left:2"}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 9)  # left 11 to 14, the three of the corner, one beyond
    table.land("4:left:1", brakes=0)
    assert table.ruling("move").facts["at"] == "4:left:1"
    assert "slipstream" not in table.kinds()
    assert table.car(1).wear["tyres"] == 5


@pytest.mark.article("competition", "18-1-4")
def test_into_a_corner_it_is_not_offered_without_a_brake() -> None:
    """From the last but one space of the straight every slipstream ends in the corner."""
    cars = [{"car": 1, "gear": 4, "at": "2:middle:5"}, {"car": 2, "gear": 4, "at": "2:middle:13"}]
    for brakes in (1, 0):
        wear = {"tyres": 6, "brakes": brakes, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
        table = Table([{**cars[0], "wear": wear}, cars[1]], track=TOW, to_play=[1])
        table.say(4, 7)
        table.land("2:middle:12")
        assert (table.ask == "slipstream") == (brakes > 0)
        if brakes:
            assert table.option(space="3:middle:1", brakes=0).wear == {"brakes": -1}, "the last one is enough"


@pytest.mark.article("competition", "18-1-4")
def test_the_price_is_for_the_corner_alone() -> None:
    """A brake that keeps the car out of the corner is the only one; one that shortens the way inside is a second."""
    cars = [{"car": 1, "gear": 4, "at": "2:middle:5"}, {"car": 2, "gear": 4, "at": "2:middle:13"}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    table.land("2:middle:12")  # on by L20 (left 13) or R20 (right 12)
    costs = {(o.answer["space"], o.answer["brakes"]): o.wear for o in table.options if o.answer}
    assert costs["2:left:14", 1] == {"brakes": -1}
    assert costs["3:right:1", 1] == {"brakes": -2}
    assert costs["3:middle:1", 0] == {"brakes": -1}


# -- the pit lane


def pits(**setup: Any) -> Table:
    """Car 1 rolls 7 and stops on the entry space, right behind car 2."""
    one = {"car": 1, "gear": 4, "at": "4:right:12", "box": 1, "round_set": True}
    two = {"car": 2, "gear": 4, "at": "4:right:20", "box": 2}
    table = Table([one, two], track=with_pits(TOW), to_play=[1], **setup)
    table.say(4, 7)
    table.land("4:right:19")
    return table


@pytest.mark.article("competition", "18-0-3", "19-1-1")
def test_a_slipstream_may_lead_into_the_pit_lane() -> None:
    """Ruling 80, and the switch by which a table forbids it."""
    table = pits()
    assert "pit:3" in table.spaces()
    assert "pit:3" not in pits(options={"no_slipstream_into_pits": True}).spaces()


@pytest.mark.article("competition", "19-1-3")
def test_in_the_lane_only_on_the_way_out() -> None:
    """Behind a car in the lane nothing can be driven; where the lane leads out, all three spaces can [ruling 79]."""
    text = with_pits(TOW)
    one = {"car": 1, "gear": 4, "at": "box:1", "box": 1, "stop": "long", "status": "box"}
    for face, end, ahead, offered in ((7, "pit:10", "pit:11", True), (8, "pit:11", "pit:12", False)):
        two = {"car": 2, "gear": 4, "at": ahead, "box": 2, "stop": "left"}
        table = Table([one, two], track=text, to_play=[1])
        table.say(4, face)
        table.land(end)
        assert (table.ask == "slipstream") == offered
        if offered:
            assert table.spaces() == {"0:right:7", "0:middle:7", "0:left:6"}
            assert table.spaces(brakes=1) == {"0:right:6", "0:middle:6"}


@pytest.mark.article("competition", "19-1-3")
def test_out_of_the_lane_it_may_be_blocked_as_on_the_track() -> None:
    """Ruling 79: 0:right:5 is free and nothing beyond; the table pays for two spaces, and none is lost."""
    text = with_pits(TOW)
    one = {"car": 1, "gear": 4, "at": "box:1", "box": 1, "stop": "long", "status": "box"}
    two = {"car": 2, "gear": 4, "at": "pit:11", "box": 2, "stop": "left"}
    closed = [
        {"car": 3 + n, "gear": 1, "at": f"0:{space}"} for n, space in enumerate(("right:6", "middle:6", "left:5"))
    ]
    table = Table([one, two, *closed], track=text, to_play=[1])
    table.say(4, 7)
    table.land("pit:10")
    assert table.option(space="0:right:5", brakes=0).facts == {"moved": 1, "blocked": 2}


@pytest.mark.article("competition", "19-1-3")
def test_from_the_lane_none_leads_into_the_box() -> None:
    """Ruling 79: what is left of the spaces in the box would be lost."""
    text = with_pits(TOW)
    one = {"car": 1, "gear": 4, "at": "4:right:15", "box": 1, "round_set": True}
    table = Table([one, {"car": 2, "gear": 4, "at": "pit:5", "box": 2}], track=text, to_play=[1])
    table.say(4, 8)
    table.land("pit:4")
    assert table.car(1).status == "pit"
    assert table.ask != "slipstream"


@pytest.mark.article("competition", "18-0-3")
@pytest.mark.parametrize(("lap", "finishes"), [(2, False), (3, True)])
def test_a_slipstream_may_end_the_race_before_its_third_space(lap: int, finishes: bool) -> None:
    """Behind a lapped car that stands just over the line: out beside it, or home where it stands (ruling 99)."""
    cars = [{"car": 1, "gear": 4, "at": "4:middle:16", "lap": lap}, {"car": 2, "gear": 4, "at": "0:middle:1", "lap": 3}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    table.land("4:middle:23")
    ends = [option for option in table.options if option.answer and not option.answer["brakes"]]
    assert {option.facts["moved"] for option in ends} == ({1, 2} if finishes else {3})
    assert all(option.facts.get("finish", False) == finishes for option in ends)


@pytest.mark.article("competition", "18-0-3")
def test_a_slipstream_ends_elsewhere_by_the_referees_word_alone() -> None:
    table = behind({}, {})
    table.refuses({"space": "2:left:10", "brakes": 0, "soft": 0})
    table.talk.answer({"space": "2:left:10", "brakes": 0, "soft": 0}, forced=True)
    assert (table.car(1).at, table.race.move.slipstreams) == ("2:left:10", 1)


@pytest.mark.article("competition", "7-1-1", "18-0-3")
def test_in_the_next_corner_the_stops_of_the_one_before_do_not_count() -> None:
    """The first of the twin corners is left with its stop made; out of the second the slipstream is an overshoot."""
    cars = [{"car": 1, "gear": 4, "at": "1:left:1", "stops": 1}, {"car": 2, "gear": 4, "at": "2:middle:3"}]
    table = Table(cars, track=TWIN, to_play=[1])
    table.say(4, 7)
    assert table.option(space="2:middle:2", brakes=0).wear == {}
    table.land("2:middle:2")
    option = table.option(space="3:left:1", brakes=0)
    assert (option.wear, option.facts) == ({"tyres": -1}, {"moved": 3, "overshot": 1})


# -- on a corner sheet


def sheet(brakes: int = 3, place: str = "after:1", seen: str = "after corner 1", **car: Any) -> Table:
    """Car 1 rolls 7 on the straight after the first corner; the table saw it stop right behind car 2."""
    wear = {"tyres": 6, "brakes": brakes, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    one = {"car": 1, "gear": 4, "at": place, "wear": wear, **car}
    table = Table([one, {"car": 2, "gear": 4, "at": "after:1"}], track="monza", to_play=[1])
    table.say(4, 7, {"in": seen, "ahead": 2})
    return table


@pytest.mark.article("competition", "18-0-2", "18-2-1")
def test_on_a_corner_sheet_it_is_offered_behind_the_car_that_was_seen_ahead() -> None:
    table = sheet()
    assert table.open == ("slipstream", 1, "tow_1")
    assert [option.answer for option in table.options] == [None, True]
    table.say(None)
    assert table.ask != "saw"
    alone = Table(
        [{"car": 1, "gear": 4, "at": "after:1"}, {"car": 2, "gear": 4, "at": "after:1"}], "monza", to_play=[1]
    )
    alone.say(4, 7, {"in": "after corner 1"})
    assert alone.ask != "slipstream"


@pytest.mark.article("competition", "18-1-4", "18-2-3")
def test_on_a_corner_sheet_the_corner_costs_its_brake() -> None:
    """Begun on the straight it costs one, and without one the corner is not among the places; begun inside, nothing."""
    table = sheet()
    table.say(True)
    assert {option.answer["in"]: option.wear for option in table.options} == {
        "after corner 1": {}, "corner 2": {"brakes": -1}
    }  # fmt: skip
    table.say({"in": "corner 2"})
    assert table.car(1).wear["brakes"] == 2
    straight = sheet()
    straight.say(True, {"in": "after corner 1"})
    assert straight.car(1).wear["brakes"] == 3
    without = sheet(brakes=0)
    without.say(True)
    without.refuses({"in": "corner 2"})
    inside = sheet(place="corner:1", seen="corner 1", stops=0)
    inside.say(True, {"in": "corner 1"})
    assert inside.car(1).wear["brakes"] == 3


@pytest.mark.article("competition", "18-0-1", "18-0-2", "18-2-2", "21-1-5")
@pytest.mark.parametrize(("lap", "asked"), [(2, "slipstream"), (3, None)])
def test_whoever_is_home_takes_none(lap: int, asked: str | None) -> None:
    """Right behind another on the first space beyond the line, and the race is over for it."""
    cars = [
        {"car": 1, "gear": 4, "at": "4:middle:17", "lap": lap},
        {"car": 2, "gear": 4, "at": "0:middle:2", "lap": 3},
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    table.land("0:middle:1")
    assert table.open == (("slipstream", 1, "tow_1") if asked else table.open)
    assert (table.car(1).status == "finished") == (asked is None)
    assert "slipstream" not in table.kinds()


@pytest.mark.article("competition", "18-1-4", "18-2-3", "18-3-2", "17-3")
@pytest.mark.parametrize(("lap", "cost"), [(2, {(1, False)}), (3, {(0, True)})])
def test_a_slipstream_that_ends_the_race_in_a_corner_costs_no_brake(lap: int, cost: set[tuple[int, bool]]) -> None:
    """On a board whose line runs through the first corner, five spaces by a table's own figure: what lies beyond the
    line does not matter any more."""
    cars = [
        {"car": 1, "gear": 4, "at": "3:left:2", "lap": lap, "stops": 1},
        {"car": 2, "gear": 4, "at": "0:left:3", "lap": lap},
    ]
    table = Table(cars, track=LINE_IN, to_play=[1], options={"slipstream_spaces": 5})
    table.say(4, 7)
    table.land("0:left:2")
    ends = [option for option in table.options if option.answer and not option.answer["brakes"]]
    assert {(-option.wear.get("brakes", 0), option.facts.get("finish", False)) for option in ends} == cost


@pytest.mark.article("competition", "18-1-4", "18-2-3", "21-1-1")
@pytest.mark.parametrize(("lap", "cost"), [(2, {"brakes": -1, "tyres": -2}), (3, {"brakes": -1, "tyres": -1})])
def test_a_slipstream_over_the_last_corner_to_the_finish_costs_its_brake(lap: int, cost: dict[str, int]) -> None:
    """On a board whose line runs two spaces behind the last corner, six spaces by a table's own figure: the corner is
    overshot before the race is over."""
    near = RUN_IN.replace('["0:left:1", "0:middle:1", "0:right:1"]', '["4:left:2", "4:middle:2", "4:right:1"]')
    cars = [
        {"car": 1, "gear": 4, "at": "2:left:7", "lap": lap},
        {"car": 2, "gear": 4, "at": "3:left:1", "lap": lap},
    ]
    table = Table(cars, track=near, to_play=[1], options={"slipstream_spaces": 6})
    table.say(4, 7)
    table.land("2:left:14")
    option = table.option(space="4:left:2", brakes=0)
    assert (option.wear, option.facts.get("finish", False)) == (cost, lap == 3)
    table.land("4:left:2")
    assert (table.car(1).status == "finished") == (lap == 3)
    assert table.car(1).wear["brakes"] == 2


@pytest.mark.article("competition", "18-1-4", "18-3-2")
def test_begun_in_the_first_corner_it_costs_no_brake_either() -> None:
    cars = [{"car": 1, "gear": 4, "at": "0:right:1"}, {"car": 2, "gear": 4, "at": "1:right:2"}]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 7)
    table.land("1:right:1")
    for space in ("1:left:2", "1:middle:3"):
        assert table.option(space=space, brakes=0).wear == {}


@pytest.mark.article("competition", "18-2-2", "18-1-6", "18-0-1")
@pytest.mark.parametrize(("seen", "offered"), [({}, True), ({"blocked": 1}, False), ({"brakes": 1}, False)])
def test_on_a_corner_sheet_who_was_blocked_or_braked_is_offered_none(seen: dict[str, int], offered: bool) -> None:
    """Ruling 74; there no full space ahead forbids it."""
    cars = [{"car": number, "gear": 4, "at": "after:1"} for number in (1, 2)]
    table = Table(cars, track="monza", to_play=[1])
    table.say(4, 7, {"in": "after corner 1", "ahead": 2, **seen})
    assert (table.ask == "slipstream") == offered
