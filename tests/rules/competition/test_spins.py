"""The spin: what brings it, what it does to others, and the restart. Article 10-4."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table import WEAR, Table


def corner(points: int, roll: int, others: tuple[dict[str, Any], ...] = (), **car: Any) -> Table:
    """Car 1 leaves Sainte-Dévote from 1:right:3 in 3rd without its stop: as many spaces over as it rolls."""
    first = {"car": 1, "at": "1:right:3", "gear": 3, "wear": {**WEAR, "tyres": points}, **car}
    table = Table([first, *others], to_play=[1])
    table.say(3, roll)
    return table


def spun(at: str = "2:left:1", **car: Any) -> Table:
    """Car 1 begins its turn after a spin."""
    return Table([{"car": 1, "at": at, "gear": 1, "status": "spun", "turned": True, **car}], to_play=[1])


@pytest.mark.article("competition", "10-4-1", "5-1-4")
def test_the_last_tyre_point_spins_the_car_where_it_is() -> None:
    others = ({"car": 2, "at": "10:left:1", "gear": 2},)
    first = {"car": 1, "at": "1:right:3", "gear": 3, "wear": {**WEAR, "tyres": 4}}
    table = Table([first, *others], to_play=[1, 2])
    table.say(3, 4)
    table.land("2:right:4")
    car = table.car(1)
    assert (car.status, car.at, car.gear) == ("spun", "2:right:4", 3), "its stick stays where it is"
    assert table.ruling("spin").article == "10-4-1"
    assert car.wear["tyres"] == 0
    table.say(2, 2)
    table.land("10:left:3")  # the round ends
    assert (car.status, table.car(1).gear) == ("spun", 1)
    assert table.ruling("turned").article == "10-4-1"
    assert table.race.round == 2


@pytest.mark.article("competition", "10-4-1")
def test_one_point_left_and_there_is_no_spin() -> None:
    table = corner(5, 4)
    table.land("2:right:4")
    assert "spin" not in table.kinds()
    assert table.car(1).wear["tyres"] == 1


@pytest.mark.article("competition", "10-4-2")
@pytest.mark.parametrize(
    ("brakes", "tyres", "status"), [(3, "hard", "spun"), (2, "hard", "out"), (3, "soft", "out"), (2, "soft", "out")]
)
def test_without_tyres_one_point_spins_again_and_two_are_the_end(brakes: int, tyres: str, status: str) -> None:
    table = corner(0, 4, tyres=tyres, tyre_laps=1)
    space = f"2:right:{4 - brakes}"
    facts = table.option(space=space, brakes=brakes).facts
    assert (facts.get("spin"), facts.get("out")) == ((True, None) if status == "spun" else (None, "overshoot"))
    table.land(space, brakes=brakes)
    assert ("out" in table.kinds(1)) == (status == "out")
    assert ("spin" in table.kinds(1)) == (status == "spun")
    assert table.car(1).wear["tyres"] == 0


@pytest.mark.article("competition", "10-4-3", "14-3")
@pytest.mark.parametrize(("points", "to"), [(4, 2), (5, 1)])
def test_a_spin_aggravates_at_once(points: int, to: int) -> None:
    """Ruling 42: in the very tests of the turn in which the car spins, for both."""
    table = corner(points, 4, ({"car": 2, "at": "2:right:5", "gear": 3},))
    table.land("2:right:4")
    for car in (2, 1):
        assert table.open == ("test", car, "collision")
        assert table.talk.question is not None
        assert table.talk.question.fields == {"loses_to": to}
        table.say(20)


@pytest.mark.article("competition", "10-4-3")
def test_a_car_put_straight_no_longer_aggravates() -> None:
    cars = [
        {"car": 1, "at": "2:left:5", "gear": 1, "status": "spun", "turned": True},
        {"car": 2, "at": "2:left:1", "gear": 2},
    ]
    table = Table(cars, to_play=[2])
    table.say(2, 3)
    table.land("2:left:4")
    assert table.talk.question is not None
    assert table.talk.question.fields == {"loses_to": 1}


@pytest.mark.article("competition", "10-4-4", "18-1-7")
@pytest.mark.parametrize(("status", "ask"), [("racing", "slipstream"), ("spun", "test")])
def test_no_slipstream_behind_a_spun_car(status: str, ask: str) -> None:
    cars = [{"car": 1, "at": "2:left:9", "gear": 4, "status": status}, {"car": 2, "at": "2:left:1", "gear": 4}]
    table = Table(cars, to_play=[2])
    table.say(4, 7)
    table.land("2:left:8")
    assert table.ask == ask


@pytest.mark.article("competition", "10-4-5", "16-0-1")
@pytest.mark.parametrize(("gear", "tested"), [(5, True), (4, False)])
def test_a_spun_car_tests_its_engine_in_its_old_gear(gear: int, tested: bool) -> None:
    cars = [
        {"car": 1, "at": "2:left:1", "gear": gear, "status": "spun"},
        {"car": 2, "at": "10:left:1", "gear": 5},
    ]
    table = Table(cars, to_play=[2])
    table.say(5, 20)
    table.land("10:left:21")
    assert table.open == ("test", 2, "engine")
    table.say(20)
    assert (table.open == ("test", 1, "engine")) == tested


@pytest.mark.article("competition", "16-0-3-1", "10-4-5")
def test_the_engine_goes_while_the_car_is_spun() -> None:
    """Ruling 45: a marker, and it stands as a spun car to the end of the round, then off without coasting."""
    cars = [
        {"car": 1, "at": "2:left:1", "gear": 5, "status": "spun", "wear": {**WEAR, "engine": 1}},
        {"car": 2, "at": "10:left:1", "gear": 5},
        {"car": 3, "at": "0:left:1", "gear": 2},
    ]
    table = Table(cars, to_play=[2, 3])
    table.say(5, 20)
    table.land("10:left:21")
    table.say(20, 1)
    assert table.car(1).status == "spun"
    assert table.race.dangers == ["2:left:1"]
    table.say(2, 4)
    table.land("1:left:1")
    assert table.car(1).status == "out"
    assert table.ruling("out", 1).article == "16-0-3-1"


@pytest.mark.article("competition", "10-4-6")
def test_a_one_stalls_the_restart_for_a_turn() -> None:
    table = spun()
    assert table.open == ("start", 1, "restart")
    table.say(1)
    assert table.ruling("stall").article == "10-4-6"
    assert table.car(1).at == "2:left:1"
    assert table.open == ("roll", 1, "gear_1"), "ruling 43: then 1st without a black die"
    assert table.ruling("start").article == "10-4-6"
    table.say(2)
    table.land("2:left:3")
    assert table.car(1).status == "racing"


@pytest.mark.article("competition", "10-4-6")
@pytest.mark.parametrize("face", [2, 19])
def test_any_other_face_drives_on_in_first(face: int) -> None:
    table = spun(gear=1)
    table.say(face)
    assert table.open == ("roll", 1, "gear_1")
    table.say(1)
    table.land("2:left:2")
    assert [option.answer for option in table.options] == [1, 2]


@pytest.mark.article("competition", "10-4-6")
def test_a_twenty_moves_four_spaces_and_then_first_or_second() -> None:
    """Ruling 44."""
    table = spun(tyres="soft")
    table.say(20)
    assert table.open == ("landing", 1, "spaces_4")
    assert table.ruling("great_start").article == "10-4-6"
    assert "2:left:5" in table.spaces()
    assert "2:left:6" in table.spaces(soft=1)
    table.land("2:left:5")
    assert table.car(1).gear == 1
    assert [option.answer for option in table.options] == [1, 2]
    car = {"car": 1, "at": "1:left:1", "gear": 1, "status": "spun", "turned": True}
    table = Table([car], to_play=[1], sky="rain", surface="wet")
    table.say(20)
    assert table.option(space="1:left:5", brakes=3).facts["slid"] == 3


@pytest.mark.article("competition", "10-4-6", "14-3")
@pytest.mark.parametrize(("switch", "to"), [(False, 1), (True, 2)])
def test_a_stall_at_the_restart_does_not_aggravate(switch: bool, to: int) -> None:
    """Ruling 43 and its switch."""
    cars = [
        {"car": 1, "at": "2:left:5", "gear": 1, "status": "spun", "turned": True},
        {"car": 2, "at": "2:left:1", "gear": 2},
    ]
    table = Table(cars, to_play=[1, 2], options={"restart_stall_aggravated": switch})
    table.say(1)
    table.say(2, 3)
    table.land("2:left:4")
    assert table.talk.question is not None
    assert table.talk.question.fields == {"loses_to": to}


@pytest.mark.article("competition", "10-4-7")
def test_a_spun_car_plays_as_in_first_once_the_round_is_over() -> None:
    """Ruling 10: 2:left:5 and 2:right:6 are level; the spun car was in 5th, the other is in 2nd."""
    cars = [
        {"car": 1, "at": "2:left:5", "gear": 5, "status": "spun"},
        {"car": 2, "at": "2:right:6", "gear": 2},
        {"car": 3, "at": "0:left:1", "gear": 2},
    ]
    table = Table(cars, to_play=[3])
    assert table.rulebook.running_order() == [1, 2, 3], "until then in its old gear"
    table.say(2, 2)
    table.land("0:left:3")
    assert table.rulebook.running_order() == [2, 1, 3]
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "10-4-1")
def test_a_spun_car_that_lost_its_turn_is_put_straight_all_the_same() -> None:
    """Ruling 46: the leader laps it before it could play."""
    cars = [
        {"car": 1, "at": "2:left:5", "gear": 5, "status": "spun", "lap": 1},
        {"car": 2, "at": "2:left:1", "gear": 4, "lap": 2},
    ]
    table = Table(cars, to_play=[2, 1])
    table.say(4, 8)
    table.land("2:middle:9")
    assert table.ruling("lost_turn", 1)
    assert table.ruling("turned", 1)
    assert (table.car(1).gear, table.car(1).turned) == (1, True)
