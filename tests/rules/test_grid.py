"""A grid by the black die."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.api import Race
from companion.rules.dice.setup import by_die, to_roll
from companion.wording import Words
from tests.table import Table


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


def test_of_several_level_ones_the_higher_roll_first() -> None:
    assert to_roll([1, 2, 3, 4], {1: [3], 2: [3], 3: [9], 4: [9]}) == 3


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


@pytest.mark.article("cup", "quali.die")
@pytest.mark.article("death", "basic.grid")
@pytest.mark.article("league", "start.grid")
@pytest.mark.parametrize(("rulebook", "track"), [
    ("cup", "monaco"), ("cup", "monza"), ("death", "monaco"), ("league", "monaco"), ("league", "monza"),
])  # fmt: skip
def test_in_a_position_cars_without_a_place_stand_in_the_order_of_the_grid(rulebook: str, track: str) -> None:
    """On a corner sheet, too, where the order in which they came there is all that there is."""
    on_grid = {"status": "grid", "lap": 0, **({"wear": {"points": 18}} if rulebook == "death" else {})}
    table = Table([{"car": n, **on_grid} for n in (1, 2, 3)], track, rulebook=rulebook, grid=[3, 1, 2], to_play=[])
    assert table.rulebook.running_order() == [3, 1, 2]
    assert table.open == ("start", 3, "start")
    listed = Table([{"car": n, **on_grid} for n in (1, 2, 3)], track, rulebook=rulebook, to_play=[])
    assert listed.rulebook.running_order() == [1, 2, 3]


@pytest.mark.article("beginner", "setup.grid")
@pytest.mark.article("formula-d", "setup.grid")
@pytest.mark.article("league", "start.grid")
@pytest.mark.article("death", "basic.grid")
@pytest.mark.article("cup", "quali.ties")
@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "league", "death", "cup"])
def test_who_rolls_again_for_the_grid_is_told_with_whom_he_is_level(rulebook: str) -> None:
    options = {"grid_by_die": True} if rulebook in ("death", "cup") else {}
    cars = [{"car": number, "driver": name} for number, name in enumerate(("Ada", "Bob", "Cleo"), 1)]
    table = Table(cars, rulebook=rulebook, options=options)
    names = {car["car"]: car["driver"] for car in cars}

    def said(lang: str) -> str:
        assert table.talk.asked is not None
        return Words(lang, rulebook).question(table.talk.asked, names)

    assert said("en") == "1 Ada: roll the black die for the grid"
    for face in (6, 9, 6):
        table.say(face)
    assert said("en") == "1 Ada: level on 6 with 3 Cleo, roll the black die again"
    assert said("fr") == "1 Ada\u00a0: à égalité à 6 avec 3 Cleo, relancez le dé noir"
    for face in (2, 2):
        table.say(face)
    assert said("en") == "1 Ada: level on 2 with 3 Cleo, roll the black die again"


@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "league", "death", "cup"])
def test_cars_may_be_level_as_often_as_they_like(rulebook: str) -> None:
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
    options = {"grid_by_die": True} if rulebook in ("death", "cup") else {}
    level = {"1": [5] * 2000, "2": [5] * 2000}
    setup = {"rulebook": rulebook, "track": "monaco", "cars": cars, "options": options, "faces": level}
    race = Race.from_setup(setup)
    for face in (5, 5, 5, 6):
        assert race.question is not None
        assert race.text().endswith("roll the black die again")
        race.push(face)
    assert race.rulings[0].facts["order"] == [2, 1]
