"""What a ruling says and what a question offers, in every figure: a sum that is told wrong is a wrong ruling."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.test_engines import an_engine_tested_in_a_spun_car
from tests.table import WEAR, Table


def told(table: Table, kind: str, car: int | None = None) -> tuple[str, dict[str, Any], dict[str, int]]:
    """The last ruling of a kind: its article, its facts, its wear."""
    ruling = table.ruling(kind, car)
    return ruling.article, ruling.facts, ruling.wear


# -- engines


@pytest.mark.article("competition", "16-0-3", "16-0-3-1", "20-4-1")
@pytest.mark.parametrize("gear", [5, 6])
def test_an_engine_that_breaks_in_5th_or_6th_coasts(gear: int) -> None:
    cars = [
        {"car": 1, "gear": 5, "at": "10:middle:3"},
        {"car": 2, "gear": gear, "at": "8:left:1", "wear": {**WEAR, "engine": 1}},
    ]
    table = Table(cars, to_play=[1])
    table.say(5, 20)
    table.land("10:middle:23")
    table.tested("engine", {2: 1})
    assert (table.car(2).status, table.car(2).coast) == ("coasting", 4)
    assert told(table, "engine", 2)[:2] == ("16-0-3", {"broken": True})


@pytest.mark.article("competition", "16-0-3-1", "20-4-1", "10-4-5")
def test_the_engine_of_a_spun_car_that_breaks_is_told() -> None:
    table = an_engine_tested_in_a_spun_car()
    table.tested("engine", {2: 1})
    assert told(table, "engine", 2)[:2] == ("ruling 45", {"broken": True})


@pytest.mark.article("competition", "16-0-3-1", "20-4-1", "20-4-3")
def test_an_engine_that_breaks_by_gearing_down_is_the_end() -> None:
    """6th to 2nd takes an engine point, and it is the last."""
    cars = [{"car": 1, "gear": 6, "at": "10:middle:3", "wear": {**WEAR, "engine": 1}}, {"car": 2, "at": "2:left:1"}]
    table = Table(cars, to_play=[1, 2])
    table.say(2)
    assert told(table, "out", 1)[:2] == ("16-0-3-1", {"cause": "engine", "removed": True, "at": "10:middle:3"})


@pytest.mark.article("competition", "16-0-6")
def test_coasting_home_each_gear_is_told_with_those_skipped() -> None:
    one = {"car": 1, "at": "20:left:3", "gear": 5, "lap": 3, "status": "coasting", "coast": 4,
           "wear": {**WEAR, "tyres": 9, "engine": 0}}  # fmt: skip
    table = Table([one], to_play=[1])
    table.say(4)
    assert told(table, "gear")[:2] == ("16-0-3", {"before": 5, "gear": 4})
    assert table.race.move.gear == 4
    table.say(7)
    table.land("20:left:10")
    assert table.open == ("gear", 1, "coast")
    table.say(1)
    assert told(table, "gear_down") == (
        "16-0-6", {"before": 4, "gear": 1, "skipped": 2}, {"gearbox": -1, "brakes": -1}
    )  # fmt: skip


# -- the pits


def boxed(*answers: Any, **car: Any) -> Table:
    """Car 1 has reached its box, worn, and has said its tyres."""
    one = {"car": 1, "at": "pit:2", "gear": 2, "box": 1, "status": "pit", "built": dict(WEAR), **car}
    table = Table([one], to_play=[1])
    table.say(2, 4)
    table.land("box:1")
    table.say("hard", *answers)
    return table


WORN = {**WEAR, "brakes": 1, "engine": 2, "handling": 1}


@pytest.mark.article("competition", "19-4-1")
@pytest.mark.parametrize("stand", [1, 2])
def test_every_repair_that_a_stand_can_pay_is_offered(stand: int) -> None:
    table = boxed("long", stand=stand, wear=WORN)
    one = [{}, {"brakes": 1}, {"engine": 1}, {"handling": 1}]
    two = [{"brakes": 2}, {"brakes": 1, "engine": 1}, {"brakes": 1, "handling": 1}, {"engine": 1, "handling": 1}]
    offered = [option.answer for option in table.options]
    assert sorted(offered, key=str) == sorted(one + (two if stand == 2 else []), key=str)
    assert all(option.wear == option.answer for option in table.options)
    lost = {pool: [0, 0] for pool in WEAR if pool != "tyres"} | {"brakes": [0, 2], "engine": [0, 1], "handling": [0, 1]}
    assert {**table.fields, "tyres": [0, 0]} == {**lost, "tyres": [0, 0], "stand": stand}
    assert told(table, "stops") == ("19-4-1", {"stop": "long"}, {})
    table.say({"brakes": 1})
    assert told(table, "repair") == ("19-4-1", {"stand": stand - 1}, {"brakes": 1})


@pytest.mark.article("competition", "19-4-1", "19-4-2")
def test_a_stand_with_points_and_nothing_lost_asks_nothing() -> None:
    table = boxed("long", stand=2, wear=dict(WEAR))
    assert table.open == ("gear", 1, "leave")
    assert table.car(1).stop == "long"
    table.say(3)
    assert told(table, "gear")[:2] == ("19-4-2", {"before": 0, "gear": 3})


@pytest.mark.article("competition", "19-3-3", "19-3-4")
def test_a_quick_stop_is_told_won_or_missed() -> None:
    table = boxed("quick", 9)
    assert told(table, "quick_stop")[:2] == ("19-3-3", {"face": 9, "spaces": 5, "won": True})
    table = boxed("quick", 20)
    assert told(table, "quick_stop")[:2] == ("19-3-4", {"face": 20, "won": False})
    assert table.car(1).stop == "missed"


# -- who passes whom


@pytest.mark.article("competition", "6-2-5")
def test_who_passes_the_leader_is_told_by_whom() -> None:
    cars = [{"car": 4, "at": "2:left:5", "lap": 2, "gear": 3}, {"car": 2, "at": "2:left:3", "lap": 1, "gear": 3}]
    table = Table(cars, to_play=[4, 2])
    table.say(2, 2)
    table.land("2:left:7")
    table.until("gear")
    table.say(4, 8)
    table.say(next(o.answer for o in table.options if o.answer["space"] not in ("2:left:7",)))
    table.until("gear")
    assert told(table, "plays_again")[:2] == ("6-2-5", {"leader": 4})


# -- the grid and the setup


@pytest.mark.article("competition", "6-2-1", "9-0-1", "2-0-1")
def test_the_cars_stand_on_the_grid_in_its_order() -> None:
    cars = [{"car": n, "wear": dict(WEAR), "tyres": "hard", "box": n} for n in (5, 3, 9)]
    table = Table(cars, sky="sun")
    assert [(car.number, car.arrived, car.fresh) for car in table.race.cars] == [
        (5, 1, True), (3, 2, True), (9, 3, True)
    ]  # fmt: skip
    assert table.race.turn == 3


@pytest.mark.article("competition", "14-2", "6-2-2", "6-2-5")
def test_every_wreck_ahead_of_the_leader_goes_before_he_plays() -> None:
    wreck = {"status": "wreck", "cause": "body", "gear": 3}
    cars = [
        {"car": 1, "at": "2:left:1", "gear": 2},
        {"car": 2, "at": "2:right:5", **wreck},
        {"car": 3, "at": "3:left:1", **wreck},
    ]
    table = Table(cars, to_play=[1])
    table.say(1, 1)
    table.land("2:left:2")
    table.until("gear")
    assert [ruling.car for ruling in table.rulings if ruling.kind == "removed"] == [3, 2]
    assert table.open == ("gear", 1, "")


@pytest.mark.article("competition", "6-2-3", "9-1-3", "10-4-7")
def test_among_level_cars_only_who_stalled_at_the_start_is_last() -> None:
    cars = [
        {"car": 1, "at": "2:left:1", "gear": 1, "status": "stalled", "turned": True},
        {"car": 2, "at": "2:right:1", "gear": 0, "status": "stalled"},
        {"car": 3, "at": "2:middle:1", "gear": 0},
    ]
    table = Table(cars, to_play=[1, 2, 3])
    rank = {car.number: table.rulebook.order.level_order(car) for car in table.race.cars}
    assert sorted(rank, key=lambda number: rank[number]) == [1, 3, 2]
