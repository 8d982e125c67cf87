"""Whether a die is to be trusted: Pearson's chi-square of what it showed, against a fair one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from hardware.firmware.dice import SIDES

LEAST: Final = 5
"""Every face must be expected so often, else the test says nothing."""
ODD: Final = 0.01
"""A fair die does worse than this once in a hundred tests: roll more before it is judged."""
BAD: Final = 0.0001
"""A fair die does worse than this once in ten thousand tests: it is not to be trusted."""

Verdict = Literal["few", "fair", "odd", "bad"]


class Judged(NamedTuple):
    """What is to be said of a die: how often it was rolled and must at least be, chi-square with its degrees of
    freedom, how likely a fair die does no better, the face that strays furthest with its share and the fair one in
    thousandths, and the verdict. `foreign` are faces that the die does not have."""

    die: str
    rolls: int
    wanted: int
    chi: float
    freedom: int
    p: float
    face: int
    share: int
    fair: int
    foreign: int
    verdict: Verdict


def judge(die: str, shown: Iterable[int]) -> Judged:
    """Judges a die, "1" to "6" or "20", by what it showed."""
    sides = Counter(SIDES[die])
    count = Counter(shown)
    foreign = sum(times for face, times in count.items() if face not in sides)
    rolls = sum(count.values()) - foreign
    whole = sum(sides.values())
    wanted = math.ceil(LEAST * whole / min(sides.values()))
    chi = sum((count[face] - rolls * of / whole) ** 2 / (rolls * of / whole) for face, of in sides.items() if rolls)
    p = chance_of(chi, len(sides) - 1)
    face = max(sides, key=lambda one: abs(count[one] - rolls * sides[one] / whole))
    verdict: Verdict = "bad" if foreign else "few" if rolls < wanted else "fair"
    if verdict == "fair" and p < ODD:
        verdict = "bad" if p < BAD else "odd"
    return Judged(
        die, rolls, wanted, chi, len(sides) - 1, p, face, round(1000 * count[face] / rolls) if rolls else 0,
        round(1000 * sides[face] / whole), foreign, verdict,
    )  # fmt: skip


def judge_all(shown: Mapping[str, Iterable[int]]) -> list[Judged]:
    """Judges every die that was rolled."""
    return [judge(die, shown[die]) for die in SIDES if die in shown]


def chance_of(chi: float, freedom: int) -> float:
    """How likely chi-square comes to `chi` or more with so many degrees of freedom.

    That is the upper incomplete gamma function, for whole and half numbers built up from its first value:
    Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1).
    """
    x = chi / 2
    if x <= 0:
        return 1.0
    a = freedom % 2 / 2 or 1.0
    found = math.erfc(math.sqrt(x)) if freedom % 2 else math.exp(-x)
    while a < freedom / 2:
        found += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return min(found, 1.0)
