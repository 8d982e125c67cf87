"""What an empty pool means: article 5-1; the pools themselves: 0-0-4, 5-0-1."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table


def worn(**pools: int) -> dict[str, int]:
    return {**WEAR, **pools}


def one(
    at: str = "10:left:1", gear: int = 4, *, dangers: tuple[str, ...] = (), sky: str = "sun", **pools: int
) -> Table:
    car: dict[str, Any] = {"car": 1, "at": at, "gear": gear, "wear": worn(**pools), "built": WEAR}
    return Table([car], to_play=[1], dangers=list(dangers), sky=sky)


@pytest.mark.article("competition", "0-0-4", "5-0-1")
def test_every_point_lost_is_crossed_off_its_own_pool_and_noted() -> None:
    table = one(gear=6)
    table.say(2)
    assert table.car(1).wear == worn(gearbox=2, brakes=2, engine=2)
    assert table.ruling("gear_down").wear == {"gearbox": -1, "brakes": -1, "engine": -1}
    table.say(2)
    table.land("10:left:2", brakes=1)
    assert table.ruling("brake").wear == {"brakes": -1}
    assert table.car(1).wear == worn(gearbox=2, brakes=1, engine=2)


@pytest.mark.article("competition", "5-1-1")
@pytest.mark.parametrize(("points", "out"), [(1, True), (2, False)])
def test_the_last_body_point(points: int, out: bool) -> None:
    table = Table(
        [
            {"car": 1, "at": "10:left:1", "gear": 2, "wear": worn(body=points)},
            {"car": 2, "at": "10:left:4", "gear": 1},
        ],
        to_play=[1, 2],
    )
    table.say(2, 2)
    table.land("10:left:3")
    table.say(20, 1)
    assert table.car(1).wear["body"] == points - 1
    assert table.car(1).alive is not out
    assert table.car(1).cause == ("body" if out else "")


@pytest.mark.article("competition", "5-1-1")
@pytest.mark.parametrize(("points", "out"), [(1, True), (2, False)])
def test_the_last_engine_point(points: int, out: bool) -> None:
    table = one(gear=5, engine=points)
    table.say(5, 20)
    table.land("10:left:21")
    table.say(4)
    assert table.car(1).wear["engine"] == points - 1
    assert table.car(1).status == ("coasting" if out else "racing")


@pytest.mark.article("competition", "5-1-1", "0-0-5")
@pytest.mark.parametrize(("points", "out"), [(1, True), (2, False)])
def test_the_last_handling_point(points: int, out: bool) -> None:
    """One danger on each lane at the same height: a test that cannot be avoided."""
    table = one(gear=2, dangers=("10:left:3", "10:middle:3", "10:right:4"), handling=points)
    table.say(2, 2)
    table.land("10:left:3")
    table.say(4)
    assert table.car(1).wear["handling"] == points - 1
    assert table.car(1).alive is not out
    assert table.car(1).cause == ("handling" if out else "")


@pytest.mark.article("competition", "5-1-2")
def test_without_brake_points_there_is_no_braking_and_the_race_goes_on() -> None:
    table = one(brakes=1)
    table.say(4, 9)
    assert table.spaces(1) == {"10:left:9", "10:middle:9", "10:right:9"}
    table.land("10:left:9", brakes=1)
    car = table.car(1)
    assert (car.status, car.wear["brakes"]) == ("racing", 0)
    table.say(4, 9)
    assert {option.answer["brakes"] for option in table.options} == {0}
    table.refuses({"space": "10:left:17", "brakes": 1, "soft": 0}, "can")


@pytest.mark.article("competition", "5-1-3")
@pytest.mark.parametrize(("gearbox", "gears"), [(1, [2, 3, 4, 5, 6]), (0, [5, 6])])
def test_without_gearbox_points_no_gear_is_skipped(gearbox: int, gears: list[int]) -> None:
    table = one(gear=6, gearbox=gearbox)
    assert [option.answer for option in table.options] == gears
    if not gearbox:
        table.refuses(4, "This question allows 5, 6")


@pytest.mark.article("competition", "5-1-3")
@pytest.mark.parametrize(
    ("pools", "gears"), [({"brakes": 0}, [4, 5, 6]), ({"engine": 1}, [2, 3, 4, 5, 6]), ({"gearbox": 0}, [5, 6])]
)
def test_a_skip_that_a_pool_cannot_pay_is_not_offered(pools: dict[str, int], gears: list[int]) -> None:
    """Rulings 22 and 23: the last engine point may be spent, marked as the end of the race."""
    table = one(gear=6, **pools)
    assert [option.answer for option in table.options] == gears
    if "engine" in pools:
        assert [option.answer for option in table.options if option.facts.get("out") == "engine"] == [2]


@pytest.mark.article("competition", "5-1-4")
@pytest.mark.parametrize(
    ("tyres", "roll", "to", "status"),
    [
        (3, 12, "2:left:2", "racing"),
        (2, 12, "2:left:2", "spun"),
        (1, 12, "2:left:2", "out"),
        (1, 11, "2:left:1", "spun"),
        (1, 10, "1:left:7", "racing"),
    ],
)
def test_an_overshoot_that_takes_the_last_tyre_point_spins_the_car(tyres: int, roll: int, to: str, status: str) -> None:
    """From 0:left:1 the seven spaces of Sainte-Dévote on the left are 4 to 10 ahead; 11 and 12 lie beyond it."""
    table = one(at="0:left:1", gear=4, tyres=tyres, brakes=0)
    table.say(4, roll)
    table.land(to)
    assert table.car(1).status == status
    if status == "spun":
        assert table.car(1).wear["tyres"] == 0
        assert table.ruling("spin").article == "10-4-1"
