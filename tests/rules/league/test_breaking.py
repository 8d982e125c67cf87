"""Body, engine and handling, under which sky they are lost, and what becomes of a car that is out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.rules.league.tables import position, worn
from tests.table import WEAR, Table

B, C, D = {"at": at("M7")}, {"at": at("M11")}, {"at": at("R8")}
"""Behind, straight ahead of and beside M9."""


def meeting(*others: dict[str, Any], one: dict[str, Any] | None = None, **setup: Any) -> Table:
    """Car 1 comes from the left lane, two spaces in 2nd, and stops on M9."""
    table = position({"gear": 2, "at": at("L6"), **(one or {})}, *others, track=TOW, **setup)
    table.say(2, 2)
    table.land(at("M9"))
    return table


# -- body


@pytest.mark.article("league", "body.test")
def test_all_adjacent_roll_the_one_straight_behind_too_and_not_the_one_who_came() -> None:
    """Cars 2, 3 and 4 behind, ahead and beside do, in running order, and he does not [ruling 5]."""
    table = meeting(B, C, D, {"at": at("M5")})
    assert table.tested("collision", {4: 1}) == [(3, 1), (4, 1), (2, 1)]
    assert [table.car(n).wear["body"] for n in (1, 2, 3, 4)] == [3, 3, 3, 2]
    assert table.ruling("hit").article == "body.test"
    assert table.race.dangers == [at("R8")]  # under the car that lost the point, and there alone [ruling 6]


@pytest.mark.article("league", "body.test")
def test_where_no_space_lies_straight_behind_the_others_roll_all_the_same() -> None:
    """M7 is blocked: nobody can stand behind M9, and the car on the board's last space is not adjacent."""
    board = TOW.replace("middle  = 13", 'middle  = "5 x 7"', 1)
    table = position({"gear": 2, "at": at("L6")}, D, {"at": "4:right:23"}, track=board)
    table.say(2, 2)
    table.land(at("M9"))
    assert table.tested("collision") == [(2, 1)]


@pytest.mark.article("league", "body.test")
def test_straight_behind_may_be_the_first_space_of_the_board() -> None:
    table = position({"gear": 2, "at": "4:middle:23"}, {"at": "0:left:1"}, track=TOW)
    table.say(2, 3)
    table.land("0:left:2")
    assert table.tested("collision") == [(2, 1)]


@pytest.mark.article("league", "body.test")
def test_by_the_official_procedure_he_rolls_for_each_of_them() -> None:
    table = meeting(B, C, D, options={"official_body_test": True})
    assert table.tested("collision", {1: 1}) == [(3, 1), (4, 1), (1, 1), (1, 1)]
    assert table.car(1).wear["body"] == 1
    assert table.race.dangers == [at("M9")]


@pytest.mark.article("league", "body.test", "weather.rain")
def test_in_the_wet_a_2_loses_too_and_nothing_aggravates() -> None:
    """Car 3 has spun, which changes nothing here."""
    table = meeting({**C, "status": "spun"}, D, sky="rain", surface="wet")
    assert table.tested("collision", {3: 3}) == [(2, 2), (3, 2)]


@pytest.mark.article("league", "body.out", "base.eliminated")
def test_without_body_points_a_car_is_out_and_off_at_once() -> None:
    table = meeting({**C, **worn(body=1)}, D)
    assert table.tested("collision", {2: 1}) == [(2, 1), (3, 1)]
    car = table.car(2)
    assert (car.status, car.cause, car.at) == ("out", "body", at("M11"))
    assert table.ruling("out").article == "body.out"
    assert table.ruling("out").facts["removed"] is True
    assert table.race.dangers == [at("M11")]
    table.until("gear")
    assert table.open == ("gear", 1, "")
    table.say(1, 1)
    assert at("M11") in table.spaces()  # its space is free again


# -- engine


@pytest.mark.article("league", "engine.trigger", "engine.range")
@pytest.mark.parametrize(("gear", "face", "tested"), [(5, 20, True), (5, 19, False)])
def test_a_20_in_5th_tests_every_engine_in_5th_and_6th(gear: int, face: int, tested: bool) -> None:
    """In running order: car 2 in 6th, the roller, car 3 in 5th; car 4 is in 4th, car 5 in the pits."""
    others = [
        {"at": "12:left:2", "gear": 6},
        {"at": "8:left:1", "gear": 5},
        {"at": "8:right:3", "gear": 4},
        {"at": "pit:1", "gear": 5},
    ]
    start = "10:middle:3" if face == 20 else "10:middle:4"
    table = position({"at": start, "gear": gear}, *others)
    table.say(gear, face)
    table.land("10:middle:23")
    assert table.tested("engine", {3: 1, 2: 2}) == ([(2, 1), (1, 1), (3, 1)] if tested else [])
    if tested:
        assert [table.car(n).wear["engine"] for n in (1, 2, 3)] == [3, 3, 2]
        assert table.race.dangers == ["8:left:1"]
        assert table.ruling("flat_out").article == "engine.trigger"
        assert table.ruling("hit").article == "engine.range"


@pytest.mark.article("league", "engine.trigger")
@pytest.mark.parametrize(("face", "tested"), [(30, True), (29, False)])
def test_in_6th_it_is_the_30(face: int, tested: bool) -> None:
    table = position({"at": "4:left:1", "gear": 6}, {"at": "8:left:1", "gear": 6}, track="copper-basin")
    table.say(6, face)
    table.land(f"4:left:{face + 1}")
    assert [car for car, _ in table.tested("engine")] == ([2, 1] if tested else [])


@pytest.mark.article("league", "engine.range", "weather.rain", "base.eliminated")
@pytest.mark.parametrize("sky", ["sun", "rain"])
def test_a_1_takes_an_engine_point_dry_or_wet_and_the_last_one_ends_the_race(sky: str) -> None:
    surface = "dry" if sky == "sun" else "wet"
    other = {"at": "12:left:2", "gear": 6, **worn(engine=1)}
    table = position({"at": "10:middle:3", "gear": 5, "tyres": "rain"}, other, sky=sky, surface=surface)
    table.say(5, 20)
    table.land("10:middle:23")
    assert table.tested("engine", {2: 1}) == [(2, 1), (1, 1)]
    assert (table.car(2).status, table.car(2).cause) == ("out", "engine")
    assert table.race.dangers == ["12:left:2"]
    assert table.ruling("out").article == "engine.range"


# -- handling


@pytest.mark.article("league", "handling.test", "weather.rain")
@pytest.mark.parametrize(("surface", "to"), [("dry", 4), ("wet", 5)])
def test_passing_onto_a_marker_is_tested_and_standing_on_one_is_not(surface: str, to: int) -> None:
    """Once a space, on the way and at its end [ruling 9]."""
    dangers = [at("M7"), at("M9"), at("M11")]
    table = position({"at": at("M7"), "gear": 2}, track=TOW, dangers=dangers, sky="changeable", surface=surface)
    table.say(2, 2)
    table.land(at("M11"))
    assert table.fields == {"loses_to": to}
    table.say(to + 1)
    assert table.open == ("test", 1, "handling")
    table.say(to)
    assert table.car(1).wear == {**WEAR, "handling": 1}
    assert table.ruling("handling").article == "handling.test"
    assert table.race.dangers == sorted(dangers)
    assert table.ask == "gear"


@pytest.mark.article("league", "handling.test", "base.eliminated")
def test_without_handling_points_a_car_is_out_where_it_lost_the_last_one() -> None:
    car = {"at": at("M7"), "gear": 2, **worn(handling=1)}
    table = position(car, {"at": at("L-2")}, track=TOW, dangers=[at("M9")])
    table.say(2, 2)
    table.land(at("M11"))
    table.say(1)
    assert (table.car(1).status, table.car(1).at) == ("out", at("M9"))
    assert table.ruling("out").article == "handling.test"
    assert table.race.dangers == [at("M9")]


# -- the weather


@pytest.mark.article("league", "weather.table", "weather.rain")
@pytest.mark.parametrize(
    ("surface", "face", "sky", "then", "fixed"),
    [
        ("dry", 13, "sun", "dry", True),
        ("dry", 12, "changeable", "dry", False),
        ("dry", 7, "changeable", "wet", False),
        ("wet", 20, "changeable", "dry", False),
        ("wet", 8, "changeable", "wet", False),
        ("wet", 1, "rain", "wet", True),
    ],
)
def test_a_20_changes_the_weather_at_once_by_a_rung(surface: str, face: int, sky: str, then: str, fixed: bool) -> None:
    """Before the car moves [ruling 22]."""
    table = position({"at": "10:middle:3", "gear": 5}, sky="changeable", surface=surface)
    table.say(5, 20)
    assert table.open == ("test", 1, "weather")
    table.say(face)
    assert table.open == ("landing", 1, "spaces_20")
    race = table.race
    assert (race.sky, race.surface, race.fixed) == (sky, then, fixed)
    assert table.ruling("weather").facts == {"face": face, "sky": sky, "surface": then, "fixed": fixed}
    assert ("surface" in table.kinds()) == (then != surface)


@pytest.mark.article("league", "weather.table")
@pytest.mark.parametrize("sky", ["sun", "rain"])
def test_sun_and_rain_are_for_good(sky: str) -> None:
    table = position({"at": "10:middle:3", "gear": 5}, sky=sky)
    table.say(5, 20)
    assert table.ask == "landing"


@pytest.mark.article("league", "weather.table")
def test_so_they_are_by_the_referee_s_word() -> None:
    for sky in ("sun", "changeable"):
        table = position({"at": "10:middle:3", "gear": 5}, sky="changeable")
        table.talk.override({"sky": sky})
        table.say(5, 20)
        assert (table.open == ("test", 1, "weather")) == (sky == "changeable")


@pytest.mark.article("league", "weather.table")
def test_a_draw_from_a_sky_that_was_set_goes_by_the_same_ladder() -> None:
    table = position({"at": "10:middle:3", "gear": 5}, sky="changeable", surface="dry")
    table.say(5, 20)
    table.talk.override({"sky": "rain", "surface": "wet"})
    assert table.ask == "test"
    table.say(20)
    assert (table.race.sky, table.race.surface) == ("changeable", "wet")
    for face, sky in ((1, "changeable"), (20, "sun")):
        table = position({"at": "10:middle:3", "gear": 5}, sky="changeable", surface="dry")
        table.say(5, 20)
        table.talk.override({"sky": "sun"})
        table.say(face)
        assert (table.race.sky, table.race.surface) == (sky, "dry")
