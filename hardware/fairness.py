"""Judge a die by the faces it showed, with four tests.

- Too uneven: Pearson's chi-square against the sides as they are printed, upper tail. Finds a loaded die, and one whose
  sides are not printed as they should be.
- Too even: the same chi-square, lower tail, with every count half a roll further from what is expected, because counts
  are whole numbers. Finds a device that deals its faces out instead of rolling: 1, 2, ... 20 over and over, or the
  twenty faces shuffled each time.
- Order: how often a roll is in the other half of the die (1-10 or 11-20) than the roll before it. Half the sides of
  every die are in each half, so the number of such changes is binomial with 1/2; two tails, exact. It is the number of
  runs about the median, less one. Finds faces that hang on the one before: that creep up, stick or alternate.
- Order again: the same against the roll before the last. Finds halves that come in pairs.

`p` is four times the smallest of the four p-values, at most 1 (Bonferroni). So all of them together call a fair die
"odd" in at most about one of a hundred judgements (p < `ODD`), and "bad" in one of ten thousand (p < `BAD`). Nothing is
said before every face is expected `LEAST` times. Of 252,000 simulated judgements of fair dice, each of the seven at the
fewest rolls that are judged, twice as many and 400, 1,522 were "odd" and 10 "bad".

None of the tests finds a device whose faces can be foreseen, but are as uneven as chance and change halves as often.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from hardware.firmware.dice import SIDES

LEAST: Final = 5
"""Minimum expected count of each face for a judgement."""
ODD: Final = 0.01
"""Significance level below which a die needs more rolls: a fair die falls below it at most once in 100 judgements."""
BAD: Final = 0.0001
"""Significance level below which a die is not to be trusted: a fair die falls below it at most once in 10,000
judgements."""

Verdict = Literal["few", "fair", "odd", "bad"]
Flaw = Literal["uneven", "even", "order", "order2"]


class DieVerdict(NamedTuple):
    """The judgement of a die.

    `rolls` were judged, `wanted` are needed at least. `chi` is chi-square with `freedom` degrees of freedom. `p` bounds
    how likely a fair die does no better, and `flaw` is the test that gave it. `changes` is the share of rolls in the
    other half than the one before; if `flaw` is "order2", than the one before the last. `face` strays furthest, with
    its `share` and its `fair` share. All shares are in thousandths. `foreign` counts faces that the die does not have.
    """

    die: str
    rolls: int
    wanted: int
    chi: float
    freedom: int
    p: float
    flaw: Flaw
    changes: int
    face: int
    share: int
    fair: int
    foreign: int
    verdict: Verdict


def judge(die: str, shown: Iterable[int]) -> DieVerdict:
    """Judge a die, "1" to "6" or "20", by its faces in the order of the rolls."""
    sides = Counter(SIDES[die])
    every = list(shown)
    faces = [face for face in every if face in sides]
    count, rolls, foreign = Counter(faces), len(faces), len(every) - len(faces)
    whole, freedom = sum(sides.values()), len(sides) - 1
    wanted = math.ceil(LEAST * whole / min(sides.values()))
    expected = {face: rolls * of / whole for face, of in sides.items()}
    off = {face: abs(count[face] - expected[face]) for face in sides}
    chi = sum(off[face] ** 2 / expected[face] for face in sides if rolls)
    nearly = sum((off[face] + 0.5) ** 2 / expected[face] for face in sides if rolls)
    upper = set(sorted(SIDES[die])[whole // 2 :])
    halves = [face in upper for face in faces]
    changes = [sum(map(operator.ne, halves, halves[lag:])) for lag in (1, 2)]
    found: dict[Flaw, float] = {
        "uneven": chance_of(chi, freedom),
        "even": 1 - chance_of(nearly, freedom),
        "order": chance_of_changes(changes[0], max(rolls - 1, 0)),
        "order2": chance_of_changes(changes[1], max(rolls - 2, 0)),
    }
    flaw = min(found, key=lambda one: found[one])
    p = min(len(found) * found[flaw], 1.0)
    verdict: Verdict = "bad" if foreign else "few" if rolls < wanted else "fair"
    if verdict == "fair" and p < ODD:
        verdict = "bad" if p < BAD else "odd"
    lag = 2 if flaw == "order2" else 1
    face = max(sides, key=lambda one: off[one])
    return DieVerdict(
        die=die, rolls=rolls, wanted=wanted, chi=chi, freedom=freedom, p=p, flaw=flaw,
        changes=thousandths(changes[lag - 1], rolls - lag), face=face, share=thousandths(count[face], rolls),
        fair=thousandths(sides[face], whole), foreign=foreign, verdict=verdict,
    )  # fmt: skip


def thousandths(part: int, whole: int) -> int:
    return round(1000 * part / whole) if whole > 0 else 0


def judge_all(shown: Mapping[str, Iterable[int]]) -> list[DieVerdict]:
    """Judge every die that was rolled."""
    return [judge(die, shown[die]) for die in SIDES if die in shown]


def chance_of(chi: float, freedom: int) -> float:
    """Return the chance that chi-square with these degrees of freedom is `chi` or more.

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


def chance_of_changes(changes: int, chances: int) -> float:
    """Return the chance that a fair die is at least this far from `chances` / 2 changes.

    It is the lower tail of the binomial distribution with 1/2, summed from its last term down, and doubled.
    """
    least = min(changes, chances - changes)
    logarithm = math.lgamma(chances + 1) - math.lgamma(least + 1) - math.lgamma(chances - least + 1)
    term = total = math.exp(logarithm - chances * math.log(2))
    while least and term > 1e-18 * total:
        term *= least / (chances - least + 1)
        total += term
        least -= 1
    return min(2 * total, 1.0)
