"""Who plays when."""

from __future__ import annotations

import pytest

from tests.rules.cup.boards import race


@pytest.mark.article("cup", "order.position")
def test_in_the_order_of_the_track_and_nobody_loses_a_turn_by_being_lapped() -> None:
    cars = [
        {"car": 1, "at": "2:middle:1", "gear": 3, "lap": 1},
        {"car": 2, "at": "2:left:9", "gear": 3, "lap": 2},
        {"car": 3, "at": "4:right:2", "gear": 3, "lap": 1},
    ]
    table = race(*cars, to_play=())
    assert table.rulebook.to_play() == [2, 3, 1]
    table.say(3, 8)
    table.land("3:left:3")
    assert table.open == ("gear", 3, "")
    table.say(4, 12)
    table.land("4:right:14")
    table.say(2, 2)
    table.land("2:middle:3")
    assert table.race.round == 2
    assert [kind for kind in table.kinds() if kind in ("lost_turn", "plays_again")] == []


@pytest.mark.article("cup", "order.level-gear")
def test_of_level_cars_the_higher_gear_first() -> None:
    cars = [{"car": 1, "at": "0:left:2", "gear": 3}, {"car": 2, "at": "0:right:2", "gear": 4}]
    assert race(*cars, to_play=()).rulebook.to_play() == [2, 1]


@pytest.mark.article("cup", "order.level-inside")
def test_of_level_cars_in_the_same_gear_the_one_nearer_the_inside_first() -> None:
    """First is a left-hander; who got there first does not matter."""
    cars = [
        {"car": 1, "at": "0:right:2", "gear": 3, "arrived": 1},
        {"car": 2, "at": "0:left:2", "gear": 3, "arrived": 9},
    ]
    assert race(*cars, to_play=()).rulebook.to_play() == [2, 1]


@pytest.mark.article("cup", "order.position", "order.level-gear")
def test_a_stalled_car_after_those_level_with_it() -> None:
    cars = [{"car": 1, "at": "0:left:2", "status": "stalled"}, {"car": 2, "at": "0:right:2", "gear": 1}]
    assert race(*cars, to_play=()).rulebook.to_play() == [2, 1]


@pytest.mark.article("cup", "order.position", "pit.phase", "finish.order")
def test_a_round_is_told_with_whoever_leads_and_not_with_the_first_to_play() -> None:
    """A car in the lane plays after one on the track behind it; past the flag the one that has crossed the line first
    leads, though another stands further on."""
    table = race(
        {"car": 1, "at": "pit:8", "status": "pit", "gear": 2, "lap": 2}, {"car": 2, "at": "2:left:3", "gear": 2},
        to_play=[],
    )  # fmt: skip
    assert (table.ruling("round").car, table.open) == (1, ("gear", 2, ""))
    flagged = race(
        {"car": 1, "at": "0:left:1", "gear": 2, "lap": 4}, {"car": 2, "at": "0:left:2", "gear": 2, "lap": 4},
        to_play=[], flagged=[1, 2],
    )  # fmt: skip
    assert (flagged.ruling("round").car, flagged.open) == (1, ("gear", 2, ""))
