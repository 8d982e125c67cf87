"""A grid by the black die."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.rules.dice.grid import by_die, to_roll


def test_the_highest_roll_takes_pole() -> None:
    rolls = {3: [7], 1: [19], 2: [12]}
    assert to_roll([1, 2, 3], rolls) is None
    assert by_die([1, 2, 3], rolls) == [1, 2, 3]
    assert by_die([3, 2, 1], {1: [2], 2: [20], 3: [11]}) == [2, 3, 1]


def test_level_cars_roll_again_among_themselves() -> None:
    rolls = {1: [12], 2: [20], 3: [12], 4: [12]}
    assert to_roll([1, 2, 3, 4], rolls) == 1
    rolls |= {1: [12, 4], 3: [12, 9]}
    assert to_roll([1, 2, 3, 4], rolls) == 4
    rolls[4] = [12, 9]
    assert to_roll([1, 2, 3, 4], rolls) == 3
    rolls |= {3: [12, 9, 1], 4: [12, 9, 2]}
    assert to_roll([1, 2, 3, 4], rolls) is None
    assert by_die([1, 2, 3, 4], rolls) == [2, 4, 3, 1]


def test_a_car_that_is_alone_rolls_for_nothing() -> None:
    assert to_roll([4], {}) is None
    assert by_die([4], {}) == [4]


@given(st.integers(2, 20), st.integers(0, 10_000))
def test_everybody_has_a_place_of_their_own(count: int, seed: int) -> None:
    die = Random(seed)
    cars = list(range(1, count + 1))
    rolls: dict[int, list[int]] = {}
    while (car := to_roll(cars, rolls)) is not None:
        rolls.setdefault(car, []).append(die.randint(1, 20))
    order = by_die(cars, rolls)
    assert sorted(order) == cars
    keys = [tuple(rolls[car]) for car in order]
    assert keys == sorted(set(keys), reverse=True)
