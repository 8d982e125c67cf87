"""The dice: six gear dice and the black one. Articles 0-0-5 and 6-2-6."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

GEAR_DICE: Final[dict[int, tuple[int, ...]]] = {
    1: (1, 1, 2, 2),
    2: (2, 3, 3, 4, 4, 4),
    3: (4, 5, 6, 6, 7, 7, 8, 8),
    4: tuple(face for face in range(7, 13) for _ in range(2)),
    5: tuple(face for face in range(11, 21) for _ in range(2)),
    6: tuple(face for face in range(21, 31) for _ in range(3)),
}
"""Sides of each gear die; a face is repeated as often as it is printed."""

FACES: Final = {gear: tuple(sorted(set(sides))) for gear, sides in GEAR_DICE.items()}
"""The faces that a gear die can show, in spaces."""

BLACK_DIE: Final = tuple(range(1, 21))
"""The faces of the die for everything but moves."""

FLAT_OUT: Final = {5: 20, 6: 30}
"""Face that drives an engine to its limit, by gear [16-0-1]."""


class Band(NamedTuple):
    """A run of faces of a die, one of which was rolled; nobody says which.

    A rule never divides them: it finds all of them on the same side of its figure.
    """

    first: int
    last: int

    def __le__(self, figure: int) -> bool:  # type: ignore[override]
        return self._same(self.first <= figure, self.last <= figure)

    def __gt__(self, figure: int) -> bool:  # type: ignore[override]
        return not self <= figure

    def __ge__(self, figure: int) -> bool:  # type: ignore[override]
        return self._same(self.first >= figure, self.last >= figure)

    def __lt__(self, figure: int) -> bool:  # type: ignore[override]
        return not self >= figure

    def _same(self, first: bool, last: bool) -> bool:
        if first != last:
            raise AssertionError(f"the rule divides {self.first} to {self.last}, and its question did not say so")
        return first


Face = int | Band
"""Result of a roll as far as it is known: its face, or the band in which it lies."""


def divided(*lasts: int) -> tuple[Band, ...]:
    """Return the black die in bands, of which all but the highest end with one of these faces.

    0, 20 and numbers beyond end none.
    """
    ends = sorted({0, *(last for last in lasts if 0 < last < BLACK_DIE[-1]), BLACK_DIE[-1]})
    return tuple(Band(before + 1, last) for before, last in pairwise(ends))


def die_of(ask: str, what: str) -> str:
    """Return the die that a question asks for: "1" to "6" for a gear, "20" for the black one, "" for none."""
    if ask == "roll":
        return what.rpartition("_")[2]  # gear_4, or the mine that rolls like one
    return "20" if ask in ("start", "test", "practice") else ""
