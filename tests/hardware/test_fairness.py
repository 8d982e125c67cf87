"""Chi-square by known values, and what is said of fair and of loaded dice."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from companion.rules.conversation.faces import GEAR_DICE
from hardware.fairness import chance_of, chance_of_changes, judge, judge_all
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


@pytest.mark.parametrize("die", SIDES)
def test_of_fair_dice_one_in_a_hundred_is_rolled_again_and_hardly_one_is_distrusted(die: str) -> None:
    """With as few rolls as are judged at all, and with more."""
    drawn = random.Random(die)
    for rolls in (judge(die, []).wanted, 400):
        said = [judge(die, drawn.choices(SIDES[die], k=rolls)).verdict for _ in range(1000)]
        assert said.count("odd") <= 16
        assert said.count("bad") <= 1


def counts(die: str, rolls: int, drawn: random.Random) -> list[int]:
    return [SIDES[die][at % len(SIDES[die])] for at in range(rolls)]


def deals(die: str, rolls: int, drawn: random.Random) -> list[int]:
    """Deal the sides out of a bag that is filled again once it is empty."""
    return [face for _ in range(rolls) for face in drawn.sample(SIDES[die], len(SIDES[die]))][:rolls]


def sticks(die: str, rolls: int, drawn: random.Random) -> list[int]:
    found = [SIDES[die][0]]
    while len(found) < rolls:
        found.append(found[-1] if drawn.random() < 0.4 else drawn.choice(SIDES[die]))
    return found


def creeps(die: str, rolls: int, drawn: random.Random) -> list[int]:
    at, sides = 0, sorted(SIDES[die])
    return [sides[(at := at + drawn.choice((0, 1, 1, 2))) % len(sides)] for _ in range(rolls)]


def alternates(die: str, rolls: int, drawn: random.Random) -> list[int]:
    half = len(SIDES[die]) // 2
    low, high = sorted(SIDES[die])[:half], sorted(SIDES[die])[half:]
    return [drawn.choice(high if at % 2 else low) for at in range(rolls)]


@pytest.mark.parametrize("die", SIDES)
@pytest.mark.parametrize("device", [counts, deals, sticks, creeps, alternates])
def test_a_device_that_does_not_roll_is_found_out(
    device: Callable[[str, int, random.Random], list[int]], die: str
) -> None:
    drawn = random.Random(f"{device.__name__} {die}")
    assert judge(die, device(die, 2000, drawn)).verdict == "bad"
    assert judge(die, device(die, 1000, drawn)).verdict != "fair"


def test_a_die_that_counts_is_not_fair_after_a_hundred_rolls() -> None:
    judged = judge("20", SIDES["20"] * 5)
    assert (judged.verdict, judged.flaw, judged.changes) == ("bad", "order", 91)
    shuffled = random.Random(1)
    dealt = judge("20", [face for _ in range(5) for face in shuffled.sample(SIDES["20"], 20)])
    assert (dealt.verdict, dealt.flaw, dealt.chi) == ("bad", "even", 0)


# Binomial tails with 1/2, doubled, counted by hand.
@pytest.mark.parametrize(
    ("changes", "chances", "p"),
    [
        (0, 0, 1),
        (0, 1, 1),
        (0, 4, 2 / 16),
        (4, 4, 2 / 16),
        (1, 4, 10 / 16),
        (2, 4, 1),
        (0, 10, 2 / 1024),
        (1, 10, 22 / 1024),
    ],
)
def test_the_chance_of_changes_is_exact(changes: int, chances: int, p: float) -> None:
    assert chance_of_changes(changes, chances) == pytest.approx(p)
    assert chance_of_changes(50_300, 100_000) == pytest.approx(0.0582, rel=0.01)


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
