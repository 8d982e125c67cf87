"""Ending a move beside or behind others: article 14, and what the recap of article 20 says of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table


def meeting(*others: dict[str, Any], one: dict[str, Any] | None = None, **setup: Any) -> Table:
    """Car 1 comes from the left lane, two spaces in 2nd, and stops on M9."""
    cars = [{"car": 1, "gear": 2, "at": at("L6"), **(one or {})}]
    cars += [{"car": 2 + i, "gear": 3, **other} for i, other in enumerate(others)]
    setup.setdefault("to_play", [1])
    table = Table(cars, track=TOW, **setup)
    table.say(2, 2)
    table.land(at("M9"))
    return table


def body(points: int) -> dict[str, Any]:
    return {"wear": {**WEAR, "body": points}}


# -- example 14-5: A is car 1, B stands behind it, C ahead, D beside

B, C, D = {"at": at("M7")}, {"at": at("M11")}, {"at": at("R8")}


@pytest.mark.article("competition", "14-1", "14-5")
def test_those_ahead_and_beside_roll_and_then_the_mover_for_each() -> None:
    table = meeting(B, C, D)
    assert table.tested("collision") == [(3, 1), (4, 1), (1, 1), (1, 1)]
    assert all(table.car(number).wear == WEAR for number in (1, 2, 3, 4))


@pytest.mark.article("competition", "14-4", "14-5", "20-3-3")
def test_one_put_out_costs_the_mover_a_point_and_a_test() -> None:
    table = meeting(B, {**C, **body(1)}, D)
    assert table.tested("collision", {3: 1}) == [(3, 1), (4, 1), (1, 1)]
    assert table.ruling("out", 3).facts["removed"] is False
    assert table.car(1).wear["body"] == 2
    assert table.ruling("hit", 1).article == "14-4"


@pytest.mark.article("competition", "14-4", "14-5", "20-3-3")
def test_both_put_out_cost_two_points_and_leave_no_test() -> None:
    table = meeting(B, {**C, **body(1)}, {**D, **body(1)})
    assert table.tested("collision", {3: 1, 4: 1}) == [(3, 1), (4, 1)]
    assert table.car(1).wear["body"] == 1


@pytest.mark.article("competition", "14-4", "20-3-3", "20-3-1")
def test_the_automatic_losses_can_put_the_mover_out() -> None:
    table = meeting(B, {**C, **body(1)}, {**D, **body(1)}, one=body(1))
    table.tested("collision", {3: 1, 4: 1})
    assert table.ruling("out", 1).facts["removed"] is False
    assert [ruling.kind for ruling in table.rulings if ruling.car == 1].count("hit") == 1


def test_the_mover_stops_rolling_when_his_body_is_gone() -> None:
    """Ruling 55."""
    table = meeting(C, D, one=body(1))
    assert table.tested("collision", {1: 1}) == [(2, 1), (3, 1), (1, 1)]
    assert table.car(1).cause == "body"


# -- who is threatened, and by which face


@pytest.mark.article("competition", "14-1")
@pytest.mark.parametrize(
    ("place", "threatened"),
    [
        ("M11", True),  # straight ahead
        ("L8", True),  # beside, half a space behind
        ("L10", True),  # beside, half a space ahead
        ("R8", True),
        ("R10", True),
        ("M7", False),  # behind
        ("M13", False),
        ("L12", False),  # diagonally ahead
        ("R6", False),
    ],
)
def test_who_is_threatened(place: str, threatened: bool) -> None:
    table = meeting({"at": at(place)})
    assert table.tested("collision") == ([(2, 1), (1, 1)] if threatened else [])


@pytest.mark.article("competition", "14-1")
@pytest.mark.parametrize(("surface", "to"), [("dry", 1), ("wet", 2)])
def test_the_face_that_loses_a_body_point(surface: str, to: int) -> None:
    table = meeting({"at": at("M11")}, sky="changeable", surface=surface)
    assert table.open == ("test", 2, "collision")
    table.say(to)
    assert table.car(2).wear["body"] == 2
    assert table.race.dangers == [at("M11")]
    table.say(to + 1)
    assert table.car(1).wear["body"] == 3
    assert table.race.dangers == [at("M11")]


def test_the_threatened_roll_in_running_order() -> None:
    """Ruling 55: the furthest on first, whatever its number."""
    table = meeting({"at": at("R8")}, {"at": at("L10")}, {"at": at("M11")})
    assert [car for car, _ in table.tested("collision")] == [4, 3, 2, 1, 1, 1]


# -- aggravated


@pytest.mark.article("competition", "14-3", "9-1-2", "10-4-3")
@pytest.mark.parametrize("other", [{"status": "spun"}, {"status": "stalled"}], ids=["spun", "stalled"])
@pytest.mark.parametrize(("surface", "to"), [("dry", 2), ("wet", 3)])
def test_with_a_spun_or_stalled_car_both_roll_aggravated(other: dict[str, Any], surface: str, to: int) -> None:
    table = meeting({"at": at("M11"), **other}, sky="changeable", surface=surface)
    assert table.tested("collision", {1: to}) == [(2, to), (1, to)]
    assert table.car(1).wear["body"] == 2


@pytest.mark.article("competition", "14-3", "20-6")
@pytest.mark.parametrize("cause", ["body", "blocked", ""])
@pytest.mark.parametrize(("surface", "to"), [("dry", 2), ("wet", 3)])
def test_a_wreck_by_body_or_blocking_does_not_roll_but_aggravates(cause: str, surface: str, to: int) -> None:
    """So does one whose cause a position does not say."""
    table = meeting({"at": at("M11"), "status": "wreck", "cause": cause}, sky="changeable", surface=surface)
    assert table.tested("collision") == [(1, to)]


@pytest.mark.article("competition", "16-0-4", "20-6")
def test_a_broken_engine_aggravates_nothing() -> None:
    """Still to coast it rolls like any car; after its last move it does not roll any more."""
    coasting = {"at": at("M11"), "gear": 5, "status": "coasting", "coast": 4, "wear": {**WEAR, "engine": 0}}
    assert meeting(coasting).tested("collision") == [(2, 1), (1, 1)]
    gone = {"at": at("M11"), "status": "wreck", "cause": "engine", "wear": {**WEAR, "engine": 0}}
    assert meeting(gone).tested("collision") == [(1, 1)]


@pytest.mark.article("competition", "14-3")
def test_pair_by_pair() -> None:
    """Ruling 53: the spun partner and the mover's test for it are aggravated, those with the sound one are not."""
    table = meeting({"at": at("M11"), "status": "spun"}, {"at": at("R8")})
    assert table.tested("collision") == [(2, 2), (3, 1), (1, 2), (1, 1)]


@pytest.mark.article("competition", "10-4-3", "14-3")
def test_a_mover_that_spins_aggravates_all_its_tests_at_once() -> None:
    """Overshot by one on its last tyre point: the spin counts in the tests of this very turn [rulings 42, 53]."""
    cars = [
        {"car": 1, "gear": 4, "at": at("L10"), "wear": {**WEAR, "tyres": 1}},
        {"car": 2, "gear": 2, "at": "4:left:2"},
        {"car": 3, "gear": 2, "at": "4:middle:1"},
    ]
    table = Table(cars, track=TOW, to_play=[1])
    table.say(4, 11)  # seven on the straight, three in the corner, one beyond
    table.land("4:left:1")
    assert table.car(1).status == "spun"
    assert table.tested("collision") == [(2, 2), (3, 2), (1, 2), (1, 2)]


def test_a_stall_at_a_restart_aggravates_only_by_the_switch() -> None:
    """Ruling 43: article 14-3 names the stall at the start alone."""
    stalled = {"at": at("M11"), "status": "stalled", "turned": True}
    assert meeting(stalled).tested("collision") == [(2, 1), (1, 1)]
    assert meeting(stalled, options={"restart_stall_aggravated": True}).tested("collision") == [(2, 2), (1, 2)]


# -- out, and off the board


@pytest.mark.article("competition", "14-2", "20-3-1", "20-3-2")
def test_a_destroyed_car_stands_until_its_next_turn() -> None:
    """In the same round if it had not played yet; until then it is in the way, on a marked space [ruling 14]."""
    cars = [{"car": 1, "gear": 1, "at": at("M9")}, {"car": 2, "gear": 2, "at": at("L8"), **body(1)}]
    table = Table([*cars, {"car": 3, "gear": 3, "at": at("L-2")}], TOW, to_play=[1, 2, 3])
    table.say(1, 1)
    table.land(at("M9"), brakes=1)
    assert table.open == ("test", 2, "collision")
    table.say(1)
    wreck = table.car(2)
    assert (wreck.cause, wreck.at) == ("body", at("L8"))
    assert table.race.dangers == sorted([at("M9"), at("L8")])
    assert table.ruling("out", 2).article == "14-2"
    assert table.ruling("out", 2).facts["removed"] is False
    assert table.car(1).wear["body"] == 2, "a point for the car it put out"
    assert table.open == ("gear", 3, "")
    assert table.ruling("removed", 2).article == "14-2"
    assert table.car(2).status == "out"


@pytest.mark.article("competition", "14-2", "14-3", "20-6")
def test_a_wreck_that_has_played_stands_another_round() -> None:
    """It waits for its next turn; whoever comes near meanwhile tests aggravated."""
    follower = {"at": at("L-2"), "gear": 3}
    table = meeting({"at": at("M11"), **body(1)}, follower, one=body(3), to_play=[1, 3])
    table.say(1)
    assert table.open == ("gear", 3, "")
    assert table.car(2).status == "wreck"
    table.say(3, 6)
    table.land(at("L10"))  # beside car 1 and the wreck
    assert table.tested("collision") == [(1, 1), (3, 2), (3, 1)]


# -- who makes no tests


@pytest.mark.article("competition", "17-2-1")
def test_a_car_that_stays_by_braking_tests() -> None:
    table = Table([{"car": 1, "gear": 1, "at": at("M9")}, {"car": 2, "gear": 3, "at": at("M11")}], TOW, to_play=[1])
    table.say(1, 1)
    table.land(at("M9"), brakes=1)
    assert table.tested("collision") == [(2, 1), (1, 1)]


def test_a_stalled_car_has_no_move_and_makes_no_test() -> None:
    """Ruling 56."""
    cars = [{"car": 1, "at": at("M9"), "status": "grid", "lap": 0}, {"car": 2, "gear": 3, "at": at("M11")}]
    table = Table(cars, TOW, to_play=[1])
    table.say(1)
    assert table.car(1).status == "stalled"
    assert "collision" not in table.kinds()
    assert table.open == ("gear", 2, "")


# -- blocking

WALL = [{"at": at("L10")}, {"at": at("M11")}, {"at": at("R10")}]
"""Three cars abreast: from M9 there is no way on."""


@pytest.mark.article("competition", "14-1")
def test_a_blocked_car_that_pays_makes_the_ordinary_tests() -> None:
    """Ruling 52: blocked by one, a brake; then it rolls against the three cars around it."""
    cars = [{"car": 1, "gear": 2, "at": at("M5")}, *({"car": 2 + i, "gear": 3, **car} for i, car in enumerate(WALL))]
    table = Table(cars, TOW, to_play=[1])
    table.say(2, 3)
    table.land(at("M9"))
    assert table.car(1).wear["brakes"] == 2
    assert table.tested("collision")[3:] == [(1, 1)] * 3


@pytest.mark.article("competition", "12-1-5", "14-3", "20-2-1", "20-2-2")
def test_out_by_blocking_the_neighbours_test_and_the_wreck_does_not() -> None:
    """Car 3 ahead loses a point without a roll, the two beside roll aggravated; nobody else does [rulings 51, 57]."""
    cars = [
        {"car": 1, "gear": 2, "at": at("M5"), "wear": {**WEAR, "brakes": 0}},
        *({"car": 2 + i, "gear": 3, **car} for i, car in enumerate(WALL)),
        {"car": 5, "gear": 3, "at": at("M7", 18)},
    ]
    table = Table(cars, TOW, to_play=[1, 5])
    table.say(2, 3)
    table.land(at("M9"))
    assert (table.car(1).status, table.car(1).cause) == ("wreck", "blocked")
    assert table.car(3).wear["body"] == 2
    assert table.race.dangers == sorted([at("M9"), at("M11")])
    assert sorted(table.tested("collision")) == [(2, 2), (4, 2)]
    assert table.car(1).wear["body"] == 3


@pytest.mark.article("competition", "20-2-1")
def test_blocking_that_destroys_the_car_ahead() -> None:
    """It goes out as by collision; the blocked car owes nothing more for it [ruling 50]."""
    cars = [{"car": 1, "gear": 2, "at": at("M5"), "wear": {**WEAR, "brakes": 0}}]
    cars += [{"car": 2 + i, "gear": 3, **car} for i, car in enumerate(WALL)]
    cars[2] |= body(1)
    table = Table(cars, TOW, to_play=[1])
    table.say(2, 3)
    table.land(at("M9"))
    table.tested("collision")
    assert (table.ruling("out", 3).facts["removed"], table.car(3).cause) == (False, "body")
    assert table.car(1).wear["body"] == 3
