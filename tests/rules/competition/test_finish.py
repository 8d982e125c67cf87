"""The finish: crossing the line for the last time, lapped cars, places and points. Articles 0-0-1 and 21.

On Monaco the first spaces past the line are 20:left:17, 20:middle:17 (which it cuts) and 20:right:18."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import find
from companion.rules.conversation.errors import BadOverride
from tests.rules.competition.boards import TOW
from tests.table import WEAR, Table


def racing(*cars: dict[str, Any], **setup: Any) -> Table:
    """Cars on their last lap in 2nd unless they say otherwise."""
    setup.setdefault("to_play", [])
    return Table([{"gear": 2, "lap": 3, **car} for car in cars], **setup)


def over(table: Table, face: int = 4) -> None:
    """The car whose turn it is goes over the line."""
    table.say(2, face)
    table.say(next(option.answer for option in table.options if option.facts.get("finish")))


@pytest.mark.article("competition", "21-1-1", "21-1-4", "21-1-3", "21-1-2")
def test_whoever_crosses_first_in_his_turn_wins() -> None:
    """Car 2 stops further beyond the line in the same round, but crosses it after car 1."""
    table = racing({"car": 1, "at": "20:left:15"}, {"car": 2, "at": "20:right:15", "gear": 3})
    over(table, 2)
    assert (table.car(1).status, table.car(1).lap) == ("finished", 4)
    assert table.ruling("finish").article == "21-1-1"
    assert table.open == ("gear", 2, "")
    table.say(4, 12)
    table.say(table.options[0].answer)
    assert table.ruling("finish").article == "21-1-4"
    assert table.race.phase == "over"
    assert table.talk.question is None
    assert table.ruling("result").article == "21-1-3"
    assert table.ruling("result").facts == {"order": [1, 2]}
    assert table.rulebook.result() == [
        {"place": 1, "car": 1, "laps": 3, "status": "finished", "points": 10},
        {"place": 2, "car": 2, "laps": 3, "status": "finished", "points": 6},
    ]


@pytest.mark.article("competition", "21-1-4", "21-1-1")
def test_the_order_of_crossing_decides_not_the_order_before() -> None:
    """Car 1 leads and stops short of the line; car 2 crosses it in the same round, car 1 in the next."""
    table = racing({"car": 1, "at": "20:left:13"}, {"car": 2, "at": "20:right:13", "gear": 3})
    table.say(2, 2)
    table.land("20:left:15")
    table.until("gear")
    assert table.open == ("gear", 2, "")
    table.say(4, 12)
    table.say(table.options[0].answer)
    over(table)
    assert [row["car"] for row in table.rulebook.result()] == [2, 1]
    assert table.ruling("finish", 2).facts == {"place": 1}


@pytest.mark.article("competition", "21-1-5")
@pytest.mark.parametrize(
    ("at", "beyond", "short"),
    [
        ("20:left:16", "20:left:17", "20:left:16"),
        ("20:middle:16", "20:middle:17", "20:middle:16"),
        ("20:right:17", "20:right:18", "20:right:17"),
    ],
)
def test_any_part_of_the_car_over_the_line_will_do(at: str, beyond: str, short: str) -> None:
    table = racing({"car": 1, "at": at, "gear": 1})
    table.say(1, 1)
    assert table.option(space=beyond, brakes=0).facts["finish"] is True
    table.land(beyond)
    assert table.car(1).status == "finished"
    table = racing({"car": 1, "at": at, "gear": 1})
    table.say(1, 1)
    table.land(short, brakes=1)
    assert (table.car(1).status, table.car(1).lap) == ("racing", 3)


@pytest.mark.article("competition", "0-0-1", "21-1-1", "2-0-3")
def test_a_lap_before_the_last_ends_no_race() -> None:
    table = racing({"car": 1, "at": "20:left:16", "lap": 2})
    table.say(2, 2)
    table.land("0:left:1")
    assert (table.car(1).status, table.car(1).lap, table.car(1).tyre_laps) == ("racing", 3, 1)
    assert (table.ruling("lap").article, table.ruling("lap").facts) == ("0-0-1", {"lap": 3, "tyre_laps": 1})
    table = racing({"car": 1, "at": "20:left:16", "lap": 2}, laps=2)
    table.say(2, 2)
    assert all(option.facts.get("finish") for option in table.options if not option.answer["brakes"])


@pytest.mark.article("competition", "21-1-1")
def test_beyond_the_line_nothing_matters_any_more() -> None:
    """Ruling 99: the way beyond may be taken, no collision is tested, but the 20 still counts for the others."""
    table = racing(
        {"car": 1, "at": "20:left:13", "gear": 5},
        {"car": 2, "at": "20:left:10", "gear": 5},
        {"car": 3, "at": "0:left:1"},
        {"car": 4, "at": "0:middle:1"},
        {"car": 5, "at": "0:right:1"},
        to_play=[1, 2],
        sky="sun",
    )
    table.say(5, 20)
    table.say(next(option.answer for option in table.options if option.facts.get("finish")))
    assert table.car(1).status == "finished"
    assert "collision" not in table.kinds()
    assert table.open == ("test", 2, "engine")


@pytest.mark.article("competition", "21-1-1", "21-1-5", "12-0-1")
@pytest.mark.parametrize(("lap", "told"), [(3, {"moved": 1, "finish": True}), (2, {"moved": 0, "blocked": 4})])
def test_cars_just_beyond_the_line_bar_nobody_s_way_home(lap: int, told: dict[str, Any]) -> None:
    """Ruling 99: both spaces past the line are taken; only a car that has a lap to go is blocked by that."""
    beyond = ({"car": 2, "at": "20:left:17"}, {"car": 3, "at": "20:middle:17"})
    table = racing({"car": 1, "at": "20:left:16", "lap": lap}, *beyond, to_play=[1])
    table.say(2, 4)
    assert all(told.items() <= option.facts.items() for option in table.options if not option.answer["brakes"])
    table.say(table.options[0].answer)
    assert table.car(1).status == ("finished" if lap == 3 else "racing")
    assert table.car(2).at == "20:left:17"


@pytest.mark.article("competition", "21-1-5", "17-0-2")
@pytest.mark.parametrize("first", [True, False])
def test_on_the_way_over_the_line_the_referee_may_still_speak(first: bool) -> None:
    """Ruling 99: for as long as its danger is tested the car shares a space with the one beyond the line, and at no
    other time."""
    cars = [{"car": 1, "at": "20:left:15"}, {"car": 2, "at": "20:left:17"}]
    table = racing(*(cars if first else reversed(cars)), to_play=[1], dangers=["20:left:16"])
    table.say(2)
    with pytest.raises(BadOverride):
        table.talk.override({"car": 1, "at": "20:left:17"})
    table.say(4)
    table.land("20:left:17")
    assert table.open == ("test", 1, "handling")
    table.talk.override({"car": 2, "gear": 3})
    table.say(20)
    assert (table.car(1).status, table.car(2).at) == ("finished", "20:left:17")


@pytest.mark.article("competition", "21-1-3", "2-0-3", "0-0-1")
def test_everyone_drives_the_full_distance() -> None:
    """Ruling 100: after the winner a car two laps down crosses the line and goes on."""
    cars = ({"car": 1, "at": "20:left:15"}, {"car": 2, "at": "20:left:13", "lap": 2})
    table = racing(*cars)
    over(table)
    table.say(2, 4)
    table.land("20:left:17")
    assert (table.car(2).status, table.car(2).lap) == ("racing", 3)
    assert table.race.phase == "race"


@pytest.mark.article("competition", "21-1-3", "21-1-2", "2-0-3", "0-0-1", "6-3")
def test_the_switch_finishes_lapped_cars_at_their_next_crossing() -> None:
    """Ruling 100, the other way: once the winner is home; before him nobody is."""
    cars = ({"car": 1, "at": "20:left:15"}, {"car": 2, "at": "20:left:13", "lap": 2})
    table = racing(*cars, options={"flag_next_crossing": True})
    over(table)
    over(table)
    assert table.race.phase == "over"
    assert table.race.move is None, "nobody's turn is open"
    assert table.race.told[-1] == "finish", "the moment has come once, whatever a table is reminded of at it"
    assert [(row["car"], row["place"], row["laps"], row["points"]) for row in table.rulebook.result()] == [
        (1, 1, 3, 10),
        (2, 2, 2, 6),
    ]
    table = racing({"car": 1, "at": "20:left:15", "lap": 2}, options={"flag_next_crossing": True})
    table.say(2, 4)
    table.land("0:left:2")
    assert table.car(1).status == "racing"


@pytest.mark.article("competition", "21-1-3")
def test_at_the_flag_the_lane_is_closed_and_a_car_in_it_finishes_there() -> None:
    """With the switch of ruling 100 the crossing in the lane is the next crossing: lane space 18 lies past the line."""
    table = racing(
        {"car": 1, "at": "20:left:16"},
        {"car": 2, "at": "pit:16", "lap": 2, "stop": "left", "status": "pit", "box": 4},
        {"car": 3, "at": "18:right:6", "lap": 2, "round_set": True, "gear": 2},
        options={"flag_next_crossing": True},
    )
    over(table)
    assert table.open == ("gear", 2, "")
    table.say(2, 2)
    table.land("pit:18")
    assert (table.car(2).status, table.car(2).lap) == ("finished", 3)
    assert table.race.home == [1, 2]
    assert not table.rulebook.pits.may_enter(table.car(3))


@pytest.mark.article("competition", "17-3", "21-1-3", "21-1-5")
def test_a_car_out_of_the_lane_is_home_on_the_line_and_tests_nothing_beyond() -> None:
    """Ruling 99: no danger, no corner, no overshoot, no car beyond the line, whatever the die of the way out shows."""
    table = racing(
        {"car": 1, "at": "box:10", "lap": 2, "stop": "missed", "status": "box", "box": 10},
        {"car": 2, "at": "0:right:3", "lap": 3},
        {"car": 9, "at": None, "status": "finished", "lap": 4},
        options={"flag_next_crossing": True},
        dangers=["0:right:1", "0:right:2"],
        to_play=[1, 2],
    )
    table.say(4, 12)
    (home,) = [option for option in table.options if not option.answer["brakes"]]
    assert (home.answer["space"], home.wear, home.facts) == ("pit:18", {}, {"moved": 6, "finish": True})
    table.say(home.answer)
    assert (table.car(1).status, table.car(1).lap, table.race.home) == ("finished", 3, [9, 1])
    assert table.car(1).wear == WEAR
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "17-3", "21-1-3", "19-1-1")
def test_at_the_flag_the_line_may_come_before_the_box() -> None:
    """The only box of this lane lies beyond the line: with the switch of ruling 100 the crossing is the end."""
    text = find("monaco").read_text("utf-8").replace("[4, 5, 6, 7, 8, 9, 10, 11, 12, 13]", "[18]")
    table = racing(
        {"car": 1, "at": "pit:16", "lap": 2, "status": "pit", "box": 1},
        {"car": 9, "at": None, "status": "finished", "lap": 4},
        track=text,
        options={"flag_next_crossing": True},
    )
    table.say(3, 8)
    table.land("pit:18")
    assert (table.car(1).status, table.race.home) == ("finished", [9, 1])


@pytest.mark.article("competition", "21-1-2", "21-1-3", "21-1-4", "2-0-3")
def test_retired_cars_have_no_place_and_no_points() -> None:
    """Ruling 101: behind those home, by distance (car 4 further than 3), at one distance the later retirement first;
    at the end one of which nobody knows where it stood."""
    cars = (
        {"car": 1, "at": "20:left:15"},
        {"car": 2, "at": "10:left:5", "lap": 2, "status": "out", "cause": "body"},
        {"car": 3, "at": "10:right:6", "lap": 2, "status": "out", "cause": "handling"},
        {"car": 4, "at": "10:left:9", "lap": 2, "status": "out", "cause": "overshoot"},
        {"car": 5, "at": None, "lap": 1, "status": "out", "cause": "referee"},
    )
    table = racing(*cars, gone=[4, 5, 2, 3], to_play=[1])
    assert [row["car"] for row in table.rulebook.result()] == [1, 4, 3, 2, 5]
    over(table)
    rows = table.rulebook.result()
    assert [(row["car"], row["place"], row["points"], row["laps"], row.get("cause")) for row in rows] == [
        (1, 1, 10, 3, None),
        (4, None, 0, 1, "overshoot"),
        (3, None, 0, 1, "handling"),
        (2, None, 0, 1, "body"),
        (5, None, 0, 0, "referee"),
    ]
    placed = racing(*cars, gone=[4, 5, 2, 3], to_play=[1], options={"distance": True})
    over(placed)
    assert [(row["place"], row["points"]) for row in placed.rulebook.result()] == [
        (1, 10),
        (2, 6),
        (3, 4),
        (4, 3),
        (5, 2),
    ]


@pytest.mark.article("competition", "21-1-2")
def test_the_points_are_the_organiser_s() -> None:
    table = racing({"car": 1, "at": "20:left:15"}, {"car": 2, "at": "20:right:15"}, options={"points": [25]})
    over(table)
    over(table)
    assert [row["points"] for row in table.rulebook.result()] == [25, 0]


@pytest.mark.article("competition", "21-1-2", "21-1-3")
def test_a_race_that_nobody_finishes_is_over() -> None:
    table = racing({"car": 1, "at": "9:left:1", "gear": 4, "lap": 1, "wear": {**WEAR, "tyres": 1}}, to_play=[1])
    table.say(5, 20)
    table.land(next(iter(sorted(table.spaces()))))
    assert table.car(1).status == "out"
    assert table.race.phase == "over"
    assert table.rulebook.result() == [
        {"place": None, "car": 1, "laps": 0, "status": "out", "points": 0, "cause": "overshoot"}
    ]


@pytest.mark.article("competition", "21-1-5", "21-1-1")
def test_a_car_that_goes_out_before_the_line_has_not_crossed_it() -> None:
    """The danger on left 15 takes the last handling point on the way; the lap is not counted."""
    table = racing(
        {"car": 1, "at": "20:left:14", "wear": {**WEAR, "handling": 1}},
        {"car": 2, "at": "20:middle:14", "lap": 2},
        {"car": 3, "at": "20:middle:15", "lap": 2},
        dangers=["20:left:15"],
        to_play=[1, 2],
    )
    table.say(2, 4)
    table.say(next(option.answer for option in table.options if option.facts.get("tests")))
    assert table.open == ("test", 1, "handling")
    table.say(4)
    car = table.car(1)
    assert (car.status, car.at, car.lap, car.cause) == ("out", "20:left:15", 3, "handling")
    assert table.race.home == []


@pytest.mark.article("competition", "17-0-3", "21-1-2")
@pytest.mark.parametrize(("danger", "lap"), [("20:left:15", 2), ("0:left:1", 3)])
def test_a_lap_said_while_a_way_is_tested_is_the_one_that_the_line_counts_from(danger: str, lap: int) -> None:
    """It was noted a lap behind; where it goes out before the line, the lap that its move began is taken off."""
    table = racing(
        {"car": 1, "at": "20:left:14", "lap": 1, "wear": {**WEAR, "handling": 1}},
        {"car": 2, "at": "20:middle:14", "lap": 1},
        {"car": 3, "at": "20:middle:15", "lap": 1},
        dangers=[danger],
        to_play=[1, 2],
    )
    table.say(3, 8)
    table.say(next(option.answer for option in table.options if option.facts.get("tests")))
    assert table.open == ("test", 1, "handling")
    table.talk.override({"car": 1, "lap": 3})
    table.say(4)
    assert (table.car(1).status, table.car(1).at, table.car(1).lap) == ("out", danger, lap)


@pytest.mark.article("competition", "21-1-2", "10-3")
def test_a_lap_said_in_the_move_home_is_the_last_one_short_of_the_line() -> None:
    cars = {"car": 1, "at": "3:left:3", "gear": 5}, {"car": 2, "at": "4:right:20"}
    table = racing(*cars, track=TOW, to_play=[1], dangers=["4:left:22"])
    table.say(6, 30)
    while table.ask != "test":
        table.say(table.options[0].answer)
    table.talk.override({"car": 1, "lap": 3})
    table.say(20)
    assert (table.car(1).status, table.car(1).lap, table.car(1).at) == ("out", 2, "4:left:24")


@pytest.mark.article("competition", "21-1-1", "21-1-5")
def test_a_landing_by_the_referee_s_word_beyond_the_line_finishes_too() -> None:
    table = racing({"car": 1, "at": "20:left:13"}, to_play=[1])
    table.say(2, 2)
    table.talk.answer({"space": "0:left:1", "brakes": 0, "soft": 0}, forced=True)
    assert (table.car(1).status, table.car(1).lap) == ("finished", 4)


@pytest.mark.article("competition", "21-1-2", "10-3")
def test_whoever_goes_out_in_the_move_that_crosses_the_line_is_listed_as_far_as_the_line() -> None:
    cars = {"car": 1, "at": "3:left:3", "gear": 5}, {"car": 2, "at": "4:right:20"}
    table = racing(*cars, track=TOW, to_play=[1])
    table.say(6, 30)
    table.say(table.options[0].answer)
    assert (table.car(1).status, table.car(1).lap, table.car(1).at) == ("out", 3, "4:left:24")
    table.talk.override({"car": 2, "status": "out"})
    assert [(row["car"], row["place"], row["laps"]) for row in table.rulebook.result()] == [(1, None, 2), (2, None, 2)]


@pytest.mark.article("competition", "21-1-2")
def test_whoever_went_out_over_the_line_is_listed_before_one_who_went_out_later_short_of_it() -> None:
    """Car 2 retires last, and its space is half a space further on than the last one of the middle lane."""
    cars = {"car": 1, "at": "18:middle:1", "gear": 5}, {"car": 2, "at": "20:right:17"}
    table = racing(*cars, to_play=[1])
    table.say(6, 30)
    table.land("20:middle:17")
    assert (table.car(1).status, table.car(1).lap, table.car(1).at) == ("out", 3, "20:middle:16")
    table.talk.override({"car": 2, "status": "out"})
    assert [row["car"] for row in table.rulebook.result()] == [1, 2]
