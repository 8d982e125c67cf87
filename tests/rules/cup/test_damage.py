"""Collisions, engines, dangerous spaces; what is out and what it leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cup.boards import drives, grid, race
from tests.table import WEAR, Table

AWAY = {"car": 9, "at": "0:right:1"}


def close(*others: dict[str, Any], body: int = 3, **setup: Any) -> Table:
    """Car 1 ends its move on 2:middle:5, in 3rd."""
    return drives(
        3, 4, "2:middle:5", {"car": 1, "gear": 3, "at": "2:left:2", "wear": {**WEAR, "body": body}}, *others, **setup
    )


@pytest.mark.article("cup", "collision.risk", "collision.order", "collision.range")
def test_all_who_are_beside_or_ahead_roll_first_they_then_the_mover_for_each() -> None:
    others = [{"car": 2, "at": "2:middle:6"}, {"car": 3, "at": "2:right:5"}, {"car": 4, "at": "2:middle:4"}]
    table = close(*others)
    assert table.tested("collision") == [(2, 1), (3, 1), (1, 1), (1, 1)]
    wet = close(*others, sky="rain", surface="wet")
    assert wet.tested("collision") == [(2, 2), (3, 2), (1, 2), (1, 2)]


@pytest.mark.article("cup", "collision.out", "wear.penalty", "handling.marker", "collision.order")
def test_the_last_body_point_is_harmless_the_next_is_out_and_is_rolled_for_no_more() -> None:
    table = close({"car": 2, "at": "2:middle:6", "wear": {**WEAR, "body": 1}}, AWAY)
    table.say(1)
    assert (table.car(2).wear["body"], table.car(2).alive) == (0, True)
    assert table.race.dangers == ["2:middle:6"]
    table = close({"car": 2, "at": "2:middle:6", "wear": {**WEAR, "body": 0}}, AWAY)
    table.say(1)
    assert (table.car(2).status, table.car(2).cause) == ("out", "body")
    assert table.race.dangers == ["2:middle:6"]
    assert table.open == ("test", 2, "weather")  # neither a roll of the mover nor a point without one
    assert table.car(1).wear["body"] == 3


@pytest.mark.article("cup", "handling.marker", "weather.check")
def test_nobody_is_out_twice() -> None:
    table = close({"car": 2, "at": "2:middle:6", "wear": {**WEAR, "body": 0}}, AWAY)
    table.say(1)
    table.rulebook.wear.eliminate(table.car(2), "body", "collision.out", removed=True)
    assert (table.race.due, table.kinds().count("out")) == ([2], 1)


@pytest.mark.article("cup", "collision.risk")
def test_a_spun_car_makes_no_test_worse() -> None:
    table = close({"car": 2, "at": "2:middle:6", "status": "spun"})
    assert table.tested("collision") == [(2, 1), (1, 1)]


@pytest.mark.article("cup", "engine.trigger", "engine.range")
def test_after_a_20_in_fifth_everybody_in_fifth_and_sixth_tests() -> None:
    cars = [
        {"car": 1, "gear": 4, "at": "4:middle:1"},
        {"car": 2, "gear": 6, "at": "2:left:1"},
        {"car": 3, "gear": 4, "at": "2:right:9"},
    ]
    table = drives(5, 20, "4:middle:21", *cars)
    assert table.tested("engine") == [(1, 4), (2, 4)]
    wet = drives(5, 20, "4:middle:21", *cars, sky="rain", surface="wet")
    assert wet.tested("engine") == [(1, 3), (2, 3)]


@pytest.mark.article("cup", "engine.trigger")
def test_no_engine_test_at_19() -> None:
    table = drives(5, 19, "4:middle:20", {"car": 1, "gear": 4, "at": "4:middle:1"}, AWAY)
    assert "flat_out" not in table.kinds()


@pytest.mark.article("cup", "engine.range", "handling.marker")
def test_an_engine_point_that_is_missing_is_out() -> None:
    car = {"car": 1, "gear": 4, "at": "4:middle:1", "wear": {**WEAR, "engine": 0}}
    table = drives(5, 20, "4:middle:21", car, AWAY)
    table.say(4)
    assert (table.car(1).cause, table.race.dangers) == ("engine", ["4:middle:21"])


@pytest.mark.article("cup", "handling.test", "handling.marker")
def test_passing_and_landing_on_a_marker() -> None:
    car = {"car": 1, "gear": 3, "at": "2:left:1"}
    for face, left in ((4, 1), (5, 2)):
        table = race(car, AWAY, dangers=["2:left:3"])
        table.say(3, 4)
        table.land("2:left:5")
        assert table.fields["loses_to"] == 4
        table.say(face)
        assert table.car(1).wear["handling"] == left
    wet = race(car, AWAY, dangers=["2:left:5"], sky="rain", surface="wet")
    wet.say(3, 4)
    wet.land("2:left:5")
    assert wet.fields["loses_to"] == 6


@pytest.mark.article("cup", "handling.test", "handling.marker", "wear.penalty")
def test_a_handling_point_that_is_missing_is_out_on_that_space() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:1", "wear": {**WEAR, "handling": 0}}, AWAY, dangers=["2:left:3"])
    table.say(3, 4)
    table.land("2:left:5")
    table.say(1)
    assert (table.car(1).cause, table.car(1).at) == ("handling", "2:left:3")
    assert table.ruling("handling").facts["short"] == 1


@pytest.mark.article("cup", "wear.penalty")
def test_a_loss_says_how_much_of_it_was_missing() -> None:
    table = close({"car": 2, "at": "2:middle:6", "wear": {**WEAR, "body": 0}}, AWAY)
    table.say(1)
    assert (table.ruling("hit").wear, table.ruling("hit").facts["short"]) == ({}, 1)


@pytest.mark.article("cup", "weather.check", "handling.marker")
def test_a_car_that_goes_before_the_race_turns_no_weather() -> None:
    table = grid({"car": 1}, {"car": 2}, sky="sun")
    table.talk.override({"car": 2, "status": "out"})
    assert (table.car(2).status, table.race.due, table.race.dangers) == ("out", [], [])
