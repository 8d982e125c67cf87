"""DRS: in a zone, straight behind another car, three spaces."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.cup.boards import CUP, drives, race
from tests.table import WEAR, Table


def behind(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **setup: Any) -> Table:
    """Car 1 rolls 7 along the back straight and stops straight behind car 2."""
    cars = [
        {"car": 1, "gear": 4, "at": "2:middle:1", **(one or {})},
        {"car": 2, "gear": 4, "at": "2:middle:9", **(two or {})},
    ]
    return drives(4, 7, "2:middle:8", *cars, **setup)


@pytest.mark.article("cup", "drs.zones", "drs.conditions", "drs.move")
def test_three_spaces_straight_behind_a_car_in_a_zone() -> None:
    table = behind()
    assert table.open == ("slipstream", 1, "tow_1")
    moved = {option.facts["moved"] for option in table.options if option.answer and not option.answer["brakes"]}
    assert moved == {3}
    assert table.spaces() == {"2:left:11", "2:middle:10", "2:right:10"}
    assert table.option(space="2:left:10", brakes=1).wear == {"brakes": -1}


@pytest.mark.article("cup", "drs.zones")
def test_outside_a_zone_there_is_none() -> None:
    table = behind(track=CUP.replace("sections = [2]", "sections = [0]"))
    assert table.ask != "slipstream"
    begins = CUP.replace("sections = [2]", "sections = [3]")  # the car ahead is in it, the one behind is not
    table = drives(
        4,
        7,
        "2:left:14",
        {"car": 1, "gear": 4, "at": "2:left:7"},
        {"car": 2, "gear": 4, "at": "3:left:1"},
        track=begins,
    )
    assert table.ask != "slipstream"


@pytest.mark.article("cup", "drs.conditions")
@pytest.mark.parametrize(("ahead", "offered"), [({"gear": 3}, False), ({"gear": 4}, True), ({"gear": 5}, False)])
def test_both_in_fourth_or_more_and_no_slower_than_the_car_ahead(ahead: dict[str, int], offered: bool) -> None:
    assert (behind(two=ahead).ask == "slipstream") is offered


@pytest.mark.article("cup", "drs.conditions")
def test_not_behind_a_car_that_does_not_drive() -> None:
    assert behind(two={"status": "spun"}).ask != "slipstream"


@pytest.mark.article("cup", "drs.conditions")
def test_not_by_braking() -> None:
    table = race({"car": 1, "gear": 4, "at": "2:middle:1"}, {"car": 2, "gear": 4, "at": "2:middle:8"})
    table.say(4, 7)
    table.land("2:middle:7", brakes=1)
    assert table.ask != "slipstream"


@pytest.mark.article("cup", "drs.zones", "weather.wet-conditions")
def test_not_in_wet_weather_conditions_unless_the_table_says_so() -> None:
    assert behind(wet_conditions=True).ask != "slipstream"
    assert behind(wet_conditions=True, options={"drs_in_wet_conditions": True}).ask == "slipstream"


@pytest.mark.article("cup", "drs.chain")
def test_again_behind_the_next_car() -> None:
    table = race(
        {"car": 1, "gear": 4, "at": "2:left:1"},
        {"car": 2, "gear": 4, "at": "2:left:9"},
        {"car": 3, "gear": 4, "at": "2:left:11"},
    )
    table.say(4, 7)
    table.land("2:left:8")
    table.land("2:left:10")
    assert table.open == ("slipstream", 1, "tow_2")


@pytest.mark.article("cup", "drs.move")
def test_into_a_corner_it_costs_a_brake() -> None:
    cars = [{"car": 1, "gear": 4, "at": "2:left:6"}, {"car": 2, "gear": 4, "at": "2:left:14"}]
    table = drives(4, 7, "2:left:13", *cars)
    assert all(option.wear.get("brakes", 0) < 0 for option in table.options if option.answer)
    assert drives(4, 7, "2:left:13", {**cars[0], "wear": {**WEAR, "brakes": 0}}, cars[1]).ask != "slipstream"
