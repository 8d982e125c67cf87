"""Danger spaces and handling: article 17."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table

M9, M11, M13 = at("M9"), at("M11"), at("M13")


def toward(*dangers: str, one: dict[str, Any] | None = None, others: tuple[str, ...] = (), **setup: Any) -> Table:
    """Car 1 on M7 in 2nd, with danger spaces on the straight."""
    cars = [{"car": 1, "gear": 2, "at": at("M7"), **(one or {})}]
    cars += [{"car": 2 + i, "gear": 3, "at": place} for i, place in enumerate(others)]
    setup.setdefault("to_play", [1])
    return Table(cars, track=TOW, dangers=list(dangers), **setup)


@pytest.mark.article("competition", "17-0-2")
@pytest.mark.parametrize(("surface", "to"), [("dry", 4), ("wet", 5)])
def test_entering_a_danger_space_is_tested(surface: str, to: int) -> None:
    table = toward(M9, M11, sky="changeable", surface=surface)
    table.say(2, 2)
    table.land(M11)
    assert table.open == ("test", 1, "handling")
    table.say(to + 1)
    assert table.car(1).wear == WEAR
    table.say(to)
    assert table.car(1).wear == {**WEAR, "handling": 1}
    assert table.ruling("handling").article == "17-0-2"
    assert table.ruling("handling").facts["at"] == M11


@pytest.mark.article("competition", "17-0-1")
def test_a_body_or_an_engine_point_lost_marks_the_space() -> None:
    """Once, however many are lost there [ruling 59]; a handling point leaves nothing."""
    table = toward(M11, one={"wear": {**WEAR, "body": 2}}, others=(M13, at("L10")))
    table.say(2, 2)
    table.land(M11)
    table.say(1)  # handling
    assert table.race.dangers == [M11]
    table.say(20, 20, 1, 1)  # cars 2 and 3, then car 1 twice
    assert table.race.dangers == [M11]
    again = toward(others=(M13, at("L10")))
    again.say(2, 2)
    again.land(M11)
    again.say(1)
    assert again.ruling("danger").article == "17-0-1"
    assert again.race.dangers == [M13]
    again.say(20, 1, 1)
    assert again.race.dangers == sorted([M11, M13])
    assert again.car(1).wear["body"] == 1


@pytest.mark.article("competition", "14-1", "17-0-3")
def test_whoever_is_out_by_a_danger_meets_nobody() -> None:
    """Ruling 57."""
    table = toward(M11, one={"wear": {**WEAR, "handling": 1}}, others=(M13,), to_play=[1, 2])
    table.say(2, 2)
    table.land(M11)
    table.say(1)
    assert (table.car(1).alive, table.open) == (False, ("gear", 2, ""))


def test_one_marker_is_one_test_an_entry() -> None:
    """Ruling 59."""
    table = toward(M9)
    table.say(2, 2)
    table.land(M11)
    table.say(20)
    assert table.ask == "gear"


@pytest.mark.article("competition", "17-1", "7-2-3")
def test_a_danger_space_may_be_driven_around() -> None:
    """M7 to M11 straight on is two spaces over the danger; around it, three, which a danger justifies."""
    over = toward(M9)
    over.say(2, 2)
    assert over.option(space=M11, brakes=0).facts["tests"] == [M9]
    around = toward(M9)
    around.say(2, 3)
    assert around.option(space=M11, brakes=0).facts == {"moved": 3}
    without = toward()
    without.say(2, 3)
    assert M11 not in without.spaces()


@pytest.mark.article("competition", "17-0-3", "20-5-1", "20-5-2")
def test_the_last_handling_point_takes_the_car_off_there() -> None:
    """On the first of two dangers: the second is not tested, nobody collides at its end, no new marker lies
    [ruling 58]."""
    table = toward(M9, M11, one={"wear": {**WEAR, "handling": 1}}, others=(M13, at("L-2")), to_play=[1, 3])
    table.say(2, 2)
    table.land(M11)
    table.say(4)
    car = table.car(1)
    assert (car.status, car.cause, car.at) == ("out", "handling", M9)
    out = table.ruling("out")
    assert (out.article, out.facts["removed"]) == ("17-0-3", True)
    assert table.race.dangers == [M9, M11]
    assert table.open == ("gear", 3, "")


def test_out_on_a_danger_before_the_corner_it_would_have_overshot() -> None:
    """The overshoot of the rest of the move falls away [ruling 58]; others' engine tests stay."""
    one = {"car": 1, "gear": 5, "at": at("M7"), "wear": {**WEAR, "handling": 1}}
    table = Table([one, {"car": 2, "gear": 5, "at": "4:left:15"}], track=TOW, dangers=[M9], to_play=[1])
    table.say(5, 20)
    way = next(option for option in table.options if option.facts.get("tests") == [M9])
    assert way.facts["overshot"] > 0
    table.say(way.answer)
    table.say(1)
    assert table.car(1).cause == "handling"
    assert table.car(1).wear["tyres"] == 6
    assert table.open == ("test", 2, "engine")


@pytest.mark.article("competition", "17-0-3")
def test_out_on_a_danger_before_the_line_the_lap_is_not_run() -> None:
    """The last lap: over the line at the end of the move, but off before it."""
    wear = {**WEAR, "handling": 1}
    cars = [{"car": 1, "gear": 4, "at": "4:middle:20", "lap": 3, "wear": wear}, {"car": 2, "gear": 2, "at": "2:left:1"}]
    table = Table(cars, track=TOW, dangers=["4:middle:21", "4:left:21", "4:left:22", "4:right:21"], to_play=[1])
    table.say(4, 7)
    home = next(option for option in table.options if option.facts.get("finish") and option.facts.get("tests"))
    table.say(home.answer)
    table.say(1)
    assert table.car(1).status == "out"
    assert table.car(1).lap == 3
    assert table.race.home == []


@pytest.mark.article("competition", "17-2", "17-2-1")
def test_staying_on_a_danger_space_is_no_entry() -> None:
    """All of a 1 braked away: no handling test, but the collision tests of any move's end."""
    onto = toward(M9, one={"gear": 1})
    onto.say(1, 1)
    onto.land(M9)
    assert onto.open == ("test", 1, "handling")
    table = toward(M9, one={"at": M9, "gear": 1}, others=(M11,))
    table.say(1, 1)
    stay = table.option(space=M9, brakes=1)
    assert stay.facts == {"moved": 0}
    table.say(stay.answer)
    assert table.open == ("test", 2, "collision")


def test_leaving_ones_own_marker_is_no_entry() -> None:
    """Ruling 60: an engine point by gearing down marks the space one stands on, and driving off is not tested."""
    table = toward(one={"gear": 6})
    table.say(2)
    assert table.race.dangers == [at("M7")]
    table.say(2)
    table.land(M11)
    assert "handling" not in table.kinds()
    assert table.ask != "test"


@pytest.mark.article("competition", "17-3")
@pytest.mark.parametrize(("lap", "tested"), [(3, False), (2, True)])
def test_the_space_on_the_line_is_not_tested_at_the_finish(lap: int, tested: bool) -> None:
    cars = [{"car": 1, "gear": 2, "at": "4:middle:22", "lap": lap}]
    table = Table(cars, track=TOW, dangers=["0:middle:1"], to_play=[1])
    table.say(2, 2)
    (over,) = [option for option in table.options if option.answer["space"] == "0:middle:1"]
    assert ("tests" in over.facts) == tested
    table.say(over.answer)
    assert (table.ask == "test") == tested
    assert (table.car(1).status == "finished") != tested


def test_the_driver_chooses_danger_by_danger() -> None:
    """Example 7-3-5: three dangers abreast; over the left in 6, over the middle in 7, over the right in 8."""
    dangers = [at("L6"), at("M7"), at("R6")]
    for face, crossed in ((6, "L6"), (7, "M7"), (8, "R6")):
        cars = [{"car": 1, "gear": 3, "at": at("L0")}]
        table = Table(cars, track=TOW, dangers=dangers, to_play=[1])
        table.say(3, face)
        found = [o.facts["tests"] for o in table.options if o.answer["space"] == at("L12") and o.answer["brakes"] == 0]
        assert [at(crossed)] in found
        assert all(len(tests) == 1 for tests in found)
