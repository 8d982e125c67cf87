"""The recap of article 20: who goes at once, what stays behind, what that does to others meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table

ABREAST = [{"car": 2, "gear": 3, "at": at("L10")}, {"car": 3, "gear": 3, "at": at("M11")}]
ABREAST += [{"car": 4, "gear": 3, "at": at("R10")}]


def begin(one: dict[str, Any], *others: dict[str, Any], follower: str, **setup: Any) -> Table:
    """Car 1 as given, in 2nd on M5 if nothing else is said; car 9 follows in the same round."""
    cars = [{"car": 1, "gear": 2, "at": at("M5"), **one}, *others, {"car": 9, "gear": 2, "at": at(follower)}]
    return Table(cars, track=TOW, to_play=[1, 9], **setup)


def overshoot() -> Table:
    """Twelve in 4th from L10, with one tyre point: six of straight, three of corner, three beyond."""
    wear = {**WEAR, "tyres": 1, "brakes": 0}
    table = begin({"gear": 4, "at": at("L10"), "wear": wear}, follower="L-2")
    table.say(4, 12)
    table.land("4:left:3")
    return table


def blocked() -> Table:
    """Three in 2nd, two spaces free, no brake point."""
    table = begin({"wear": {**WEAR, "brakes": 0}}, *ABREAST, follower="R4")
    table.say(2, 3)
    table.land(at("M9"))
    table.until("gear")
    return table


def body() -> Table:
    """Right behind car 3, on the last body point."""
    table = begin({"wear": {**WEAR, "body": 1}}, ABREAST[1], follower="R4")
    table.say(2, 2)
    table.land(at("M9"))
    table.say(20, 1)
    return table


def engine() -> Table:
    """The last move of a car whose engine has broken: seven along the left lane, the furthest there is."""
    wear = {**WEAR, "engine": 0}
    one = {"gear": 5, "at": at("L-4"), "status": "coasting", "coast": 4, "wear": wear}
    table = begin(one, follower="M-3")
    table.say(4, 7)
    table.land(at("L10"))
    return table


def handling() -> Table:
    """Over a danger space, on the last handling point."""
    table = begin({"wear": {**WEAR, "handling": 1}}, follower="R4", dangers=[at("M7")])
    table.say(2, 2)
    table.land(at("M9"))
    table.say(1)
    return table


@pytest.mark.article("competition", "20-1", "20-2-2", "20-3-2", "20-5-2", "10-3", "12-1-2", "14-2", "17-0-3")
@pytest.mark.parametrize(
    ("scene", "cause", "removed", "markers"),
    [
        (overshoot, "overshoot", True, []),
        (blocked, "blocked", False, ["M9", "M11"]),  # its own space, and that of the car it ran into
        (body, "body", False, ["M9"]),
        (engine, "engine", False, ["L10"]),
        (handling, "handling", True, ["M7"]),  # the one that was there
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_who_goes_at_once_and_what_stays(scene: Any, cause: str, removed: bool, markers: list[str]) -> None:
    table = scene()
    car = table.car(1)
    assert (car.status, car.cause) == ("out" if removed else "wreck", cause)
    assert table.ruling("out", 1).facts["removed"] is removed
    assert table.race.dangers == sorted(at(code) for code in markers)
    assert table.open == ("gear", 9, "")


@pytest.mark.article("competition", "20-6", "14-3", "16-0-4")
@pytest.mark.parametrize(
    ("scene", "roll", "beside", "to"),
    [(blocked, (2, 2), "R8", 2), (body, (2, 2), "R8", 2), (engine, (3, 6), "L8", 1)],
    ids=["blocked", "body", "engine"],
)
def test_what_a_wreck_does_to_a_car_that_comes_near(scene: Any, roll: tuple[int, int], beside: str, to: int) -> None:
    """By blocking and by body aggravated, by engine not; the wreck itself does not roll."""
    table = scene()
    table.say(*roll)
    table.land(at(beside))
    table.until("gear")
    found = [r for r in table.rulings if r.kind == "collision" and r.facts["other"] == 1 and r.car == 9]
    assert [ruling.facts["to"] for ruling in found] == [to]
    assert not [r for r in table.rulings if r.kind == "collision" and r.car == 1 and r.facts["other"] == 9]


@pytest.mark.article("competition", "20-5-1", "20-5-2")
def test_a_car_taken_off_is_in_nobodys_way() -> None:
    """Off by handling on M7: car 9 drives over the space and stops beyond, and nobody rolls."""
    table = handling()
    table.say(2, 3)
    over = next(o for o in table.options if o.answer["space"] == at("M9") and o.facts.get("tests") == [at("M7")])
    table.say(over.answer)
    table.until("gear")
    assert table.car(9).at == at("M9")
    assert "collision" not in table.kinds()


@pytest.mark.article("competition", "20-1", "10-3")
def test_overshooting_by_more_than_the_tyres_is_out_even_with_brakes_left() -> None:
    """The answers that save the car by braking are offered; whoever does not take one is out [ruling 41]."""
    table = begin({"gear": 4, "at": at("L10"), "wear": {**WEAR, "tyres": 1}}, follower="L-2")
    table.say(4, 12)
    assert "out" not in table.option(space="3:left:3", brakes=3).facts
    assert table.option(space="4:left:3", brakes=0).facts["out"] == "overshoot"
    table.land("4:left:3")
    assert table.car(1).status == "out"
    assert table.ruling("out", 1).article == "10-3"
