"""Gears up and down, what skipping costs, and what an empty pool still allows."""

from __future__ import annotations

import pytest

from tests.rules.cup.boards import race
from tests.table import WEAR


def gears(**car: object) -> list[int]:
    table = race({"car": 1, "at": "2:middle:1", **car})
    return [option.answer for option in table.options]


@pytest.mark.article("cup", "gears.up-one", "gears.skip-down", "geardown.no-four")
def test_one_up_and_up_to_three_skipped_down() -> None:
    assert gears(gear=3) == [1, 2, 3, 4]
    assert gears(gear=6) == [2, 3, 4, 5, 6]
    assert gears(gear=5) == [1, 2, 3, 4, 5, 6]


@pytest.mark.article("cup", "gears.announce")
def test_gear_then_its_die_then_the_move() -> None:
    table = race({"car": 1, "gear": 3, "at": "2:middle:1"})
    table.say(4)
    assert (table.open, table.car(1).gear) == (("roll", 1, "gear_4"), 4)
    table.refuses(13, "4th gear shows 7 to 12")
    table.say(7)
    assert table.open == ("landing", 1, "spaces_7")


@pytest.mark.article("cup", "geardown.table")
@pytest.mark.parametrize(
    ("gear", "wear"),
    [
        (5, {}),
        (4, {"gearbox": -1}),
        (3, {"gearbox": -1, "brakes": -1}),
        (2, {"gearbox": -1, "brakes": -1, "engine": -1}),
    ],
)
def test_skipped_gears_cost_gearbox_brakes_and_engine(gear: int, wear: dict[str, int]) -> None:
    table = race({"car": 1, "gear": 6, "at": "2:middle:1"})
    assert table.option(gear).wear == wear
    table.say(gear)
    assert {pool: table.car(1).wear[pool] - WEAR[pool] for pool in wear} == wear


@pytest.mark.article("cup", "geardown.penalty", "brake.penalty")
def test_without_gearbox_one_down_at_a_time_and_without_brakes_no_skip_that_brakes() -> None:
    assert gears(gear=6, wear={**WEAR, "gearbox": 0}) == [5, 6]
    assert gears(gear=6, wear={**WEAR, "brakes": 0}) == [4, 5, 6]
    assert gears(gear=6, wear={**WEAR, "gearbox": 1, "brakes": 1}) == [2, 3, 4, 5, 6]
    assert gears(gear=6, wear={**WEAR, "engine": 0}) == [2, 3, 4, 5, 6]


@pytest.mark.article("cup", "wear.penalty", "geardown.table", "handling.marker", "weather.check")
def test_an_engine_point_that_is_missing_may_be_staked_and_ends_the_race() -> None:
    """The last point itself is harmless; the one after it is offered as what it is: out."""
    spare = race({"car": 1, "gear": 6, "at": "2:middle:1", "wear": {**WEAR, "engine": 1}})
    assert spare.option(2).facts == {}
    table = race({"car": 1, "gear": 6, "at": "2:middle:1", "wear": {**WEAR, "engine": 0}}, {"car": 2, "at": "4:left:1"})
    assert table.option(2).facts == {"out": "engine"}
    table.say(2)
    assert (table.car(1).status, table.car(1).cause) == ("out", "engine")
    assert table.ruling("out").article == "ruling 10"
    assert table.race.dangers == ["2:middle:1"]
    assert table.open == ("test", 1, "weather")


@pytest.mark.article("cup", "handling.marker")
def test_an_engine_point_of_changing_down_marks_where_the_move_ends() -> None:
    table = race({"car": 1, "gear": 6, "at": "2:middle:1"}, {"car": 2, "at": "0:left:1"})
    table.say(2, 3)
    assert table.race.dangers == []
    table.land("2:middle:4")
    assert table.race.dangers == ["2:middle:4"]
