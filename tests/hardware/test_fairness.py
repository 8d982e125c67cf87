"""Chi-square by known values, and what is said of fair and of loaded dice."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from companion.rules.conversation.faces import GEAR_DICE
from hardware.fairness import chance_of, judge, judge_all
from hardware.firmware.dice import SIDES, throw


# Critical values of the printed tables.
@pytest.mark.parametrize(
    ("chi", "freedom", "p"),
    [
        (3.841, 1, 0.05), (6.635, 1, 0.01), (5.991, 2, 0.05), (9.210, 2, 0.01), (7.815, 3, 0.05), (11.345, 3, 0.01),
        (9.488, 4, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (16.919, 9, 0.05), (27.877, 9, 0.001),
        (30.144, 19, 0.05), (36.191, 19, 0.01), (43.820, 19, 0.001), (0.0, 4, 1.0),
    ],
)  # fmt: skip
def test_the_chance_of_chi_square_is_that_of_the_tables(chi: float, freedom: int, p: float) -> None:
    assert chance_of(chi, freedom) == pytest.approx(p, rel=0.002)


def test_the_chance_only_falls_and_is_never_more_than_one() -> None:
    for freedom in (1, 4, 9, 19):
        row = [chance_of(chi / 10, freedom) for chi in range(3000)]
        assert all(1 >= before >= after >= 0 for before, after in pairwise(row))
        assert not math.isnan(row[-1])


def test_the_roller_has_the_dice_of_the_game() -> None:
    assert {die: tuple(sides) for die, sides in SIDES.items()} == {
        **{str(gear): tuple(sides) for gear, sides in GEAR_DICE.items()},
        "20": tuple(range(1, 21)),
    }


@pytest.mark.parametrize("die", SIDES)
def test_a_fair_die_is_trusted(die: str) -> None:
    drawn = random.Random(die)
    assert judge(die, [throw(die, drawn.randbytes) for _ in range(4000)]).verdict == "fair"


def test_of_fair_dice_one_in_a_hundred_is_rolled_again_and_hardly_one_is_distrusted() -> None:
    drawn = random.Random(20)
    said = [judge("20", drawn.choices(SIDES["20"], k=400)).verdict for _ in range(2000)]
    assert 5 <= said.count("odd") <= 40
    assert said.count("bad") <= 2


def test_a_loaded_die_is_found_out_with_the_face_that_strays() -> None:
    drawn = random.Random(1)
    loaded = judge("20", [drawn.choice((*SIDES["20"], 20, 20)) for _ in range(3000)])
    assert (loaded.verdict, loaded.face, loaded.fair) == ("bad", 20, 50)
    assert 100 < loaded.share < 170
    naive = judge("2", [drawn.choice((2, 3, 4)) for _ in range(2000)])
    assert naive.verdict == "bad", "each face alike is not how the second die is printed"


def test_too_few_rolls_say_nothing_and_a_foreign_face_says_all() -> None:
    assert judge("20", [20] * 99).verdict == "few"
    assert judge("20", [20] * 100).verdict == "bad"
    assert judge("2", []).wanted == 30
    assert judge("4", [*SIDES["4"] * 20, 13]).verdict == "bad"
    assert [one.die for one in judge_all({"20": [1], "1": [2], "9": [1]})] == ["1", "20"]
