"""Engines driven to their limit, and engines that break: articles 16-0-1 to 16-0-3-1."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table

OTHERS: list[dict[str, Any]] = [
    {"car": 2, "gear": 6, "at": "12:left:2"},
    {"car": 3, "gear": 5, "at": "8:left:1"},
    {"car": 4, "gear": 4, "at": "8:right:3"},
    {"car": 5, "gear": 5, "at": "6:left:1", "status": "spun"},
    {"car": 6, "gear": 5, "at": "pit:1"},
    {"car": 7, "gear": 5, "at": "4:left:1", "status": "coasting", "coast": 4, "wear": {**WEAR, "engine": 0}},
    {"car": 8, "gear": 5, "at": "14:left:1", "status": "wreck", "cause": "body"},
]


def flat_out(gear: int = 5, face: int = 20, **setup: Any) -> Table:
    """Car 1 rolls on the straight before the Chicane; others stand around the lap."""
    one = {"car": 1, "gear": gear, "at": {20: "10:middle:3", 19: "10:middle:4"}.get(face, "2:middle:1")}
    table = Table([one, *OTHERS], to_play=[1], **setup)
    table.say(gear, face)
    return table


@pytest.mark.article("competition", "16-0-1", "16-0-2", "10-4-5")
@pytest.mark.parametrize(("surface", "to"), [("dry", 4), ("wet", 3)])
def test_a_20_in_5th_tests_every_engine_in_5th_and_6th(surface: str, to: int) -> None:
    """In running order: car 2 in 6th, the roller, car 3, and car 5 though it is spun; nobody else [ruling 63]."""
    table = flat_out(sky="rain" if surface == "wet" else "sun", surface=surface)
    table.land("10:middle:23")
    assert table.open == ("test", 2, "engine")
    assert table.tested("engine", {2: to, 1: to + 1}) == [(2, to), (1, to), (3, to), (5, to)]
    assert table.car(2).wear["engine"] == 2
    assert table.car(1).wear["engine"] == 3
    assert table.race.dangers == ["12:left:2"], "where the point was lost"


@pytest.mark.article("competition", "16-0-1")
def test_no_other_face_tests_engines() -> None:
    table = flat_out(face=19)
    table.land("10:middle:23")
    assert table.tested("engine") == []


@pytest.mark.article("competition", "16-0-1")
@pytest.mark.parametrize(("face", "tested"), [(30, True), (29, False)])
def test_in_6th_it_is_the_30(face: int, tested: bool) -> None:
    cars = [{"car": 1, "gear": 6, "at": "4:left:1"}, {"car": 2, "gear": 6, "at": "8:left:1"}]
    table = Table(cars, "copper-basin", to_play=[1])
    table.say(6, face)
    table.land(f"4:left:{face + 1}")
    assert ([car for car, _ in table.tested("engine")] == [2, 1]) == tested


def test_the_others_test_when_the_roller_is_out() -> None:
    """Overshot far beyond its tyres at Casino: taken off at once, and the tests stand [ruling 64]."""
    cars = [{"car": 1, "gear": 5, "at": "2:middle:15", "wear": {**WEAR, "brakes": 0}}, OTHERS[0], OTHERS[1]]
    table = Table(cars, to_play=[1])
    table.say(5, 20)
    table.say(table.options[0].answer)
    assert table.car(1).status == "out"
    assert table.tested("engine") == [(2, 4), (3, 4)]


def test_the_others_test_when_the_roller_is_home() -> None:
    cars = [{"car": 1, "gear": 5, "at": "20:left:5", "lap": 3}, OTHERS[0]]
    table = Table(cars, to_play=[1])
    table.say(5, 20)
    table.say(table.options[0].answer)
    assert table.car(1).status == "finished"
    assert table.tested("engine") == [(2, 4)]


@pytest.mark.article("competition", "19-1-4")
def test_the_others_test_when_the_roller_is_in_the_pits() -> None:
    """Out of Anthony Noghès into the lane and to its box: its own engine is safe there [ruling 64]."""
    cars = [
        {"car": 1, "gear": 5, "at": "19:right:2", "stops": 1, "box": 10},
        OTHERS[0],
        {**OTHERS[4], "at": "pit:17", "stop": "left"},
    ]
    table = Table(cars, to_play=[1], sky="changeable", surface="dry")
    table.say(5, 20)
    table.land("box:10")
    table.say("hard", "long")
    assert table.tested("engine") == [(2, 4)]
    assert table.open == ("test", 1, "weather")


# -- the last engine point


@pytest.mark.article("competition", "16-0-3", "20-4-1", "20-4-2", "17-0-1")
def test_a_broken_engine_coasts_once_and_is_taken_off() -> None:
    cars = [
        {"car": 1, "gear": 5, "at": "10:middle:3", "wear": {**WEAR, "engine": 1}},
        {"car": 2, "gear": 3, "at": "2:left:1"},
    ]
    table = Table(cars, to_play=[1])
    table.say(5, 20)
    table.land("10:middle:23")
    table.say(4)
    assert table.car(1).status == "coasting"
    assert table.race.dangers == ["10:middle:23"]
    assert table.ruling("engine").article == "16-0-3"
    # Its next own turn: 4th, at no cost, whatever came before.
    assert table.open == ("gear", 1, "coast")
    assert [(option.answer, option.wear) for option in table.options] == [(4, {})]
    table.say(4, 7)  # five spaces of straight are left; a stop is owed in the Chicane
    assert {option.answer["space"] for option in table.options} == {"11:middle:2", "11:left:1"}, "level: a choice"
    table.land("11:middle:2")
    car = table.car(1)
    assert (car.status, car.cause, car.at) == ("wreck", "engine", "11:middle:2")
    assert table.race.dangers == ["10:middle:23", "11:middle:2"]
    assert table.ruling("out").article == "16-0-3"
    # And the next one takes it off: it stands first of all, so that is before car 2 plays, which leads now.
    assert table.open == ("gear", 2, "")
    table.say(3, 4)
    table.say(table.options[0].answer)
    assert table.ruling("removed").article == "16-0-3"
    assert table.rulings[-2:] == [table.ruling("round"), table.ruling("removed")]
    assert table.open == ("gear", 2, "")
    assert table.car(1).status == "out"


@pytest.mark.article("competition", "16-0-3-1", "20-4-3", "13-3")
def test_the_last_engine_point_by_gearing_down_is_the_end_at_once() -> None:
    """No roll and no coasting: the marker on the space where it stood, the car off the board."""
    cars = [
        {"car": 1, "gear": 6, "at": "10:middle:3", "wear": {**WEAR, "engine": 1}},
        {"car": 2, "gear": 3, "at": "2:left:1"},
    ]
    table = Table(cars, to_play=[1, 2])
    assert table.option(2).facts == {"out": "engine"}
    table.say(2)
    assert (table.car(1).status, table.car(1).cause) == ("out", "engine")
    assert table.race.dangers == ["10:middle:3"]
    assert table.ruling("out").article == "16-0-3-1"
    assert table.open == ("gear", 2, "")


def an_engine_tested_in_a_spun_car() -> Table:
    """Car 1 drives its engine hard; car 2 has spun, and has one point of its own left."""
    cars = [
        {"car": 1, "gear": 5, "at": "10:middle:3"},
        {"car": 2, "gear": 5, "at": "8:left:1", "status": "spun", "wear": {**WEAR, "engine": 1}},
        {"car": 3, "gear": 3, "at": "2:left:1"},
    ]
    table = Table(cars, to_play=[1, 3])
    table.say(5, 20)
    table.land("10:middle:23")
    return table


@pytest.mark.article("competition", "16-0-3-1", "20-4-3", "10-4-5")
def test_a_spun_car_whose_engine_breaks_goes_at_the_end_of_the_round() -> None:
    """It stands, spun, until then, and does not coast [ruling 45]."""
    table = an_engine_tested_in_a_spun_car()
    assert table.tested("engine", {2: 1}) == [(1, 4), (2, 4)]
    assert table.car(2).status == "spun"
    assert table.race.dangers == ["8:left:1"]
    table.say(3, 4)
    table.say(table.options[0].answer)
    assert (table.car(2).status, table.car(2).cause) == ("out", "engine")
    assert table.ruling("out").article == "16-0-3-1"
