"""The table that a strong driver reads: the turns still to come, by place, gear and purse."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

from companion.drivers.turn_graph import MOST
from companion.rules.conversation.kinds import Pool

GEARS: Final = 13
"""Number of columns of a table for each place: the turns before the gear, by the gear it is in (0 to 6), and after
it."""


class Table:
    """The turns that a car alone still needs, from every place with every purse, before a gear and after it."""

    def __init__(
        self, pools: Sequence[Pool], places: Sequence[tuple[int, int]], laps: int, past: bool, new: bool, turns: bytes
    ) -> None:
        """As a file holds it; raises ValueError for one that does not fit together."""
        self.pools, self.laps, self.new = pools, laps, new
        self.first = int(past)
        self.place = {place: number for number, place in enumerate(places)}
        self.turns = array("f", turns)
        self.count = len(places)
        self.most = [MOST[pool] for pool in pools]
        purses = 1
        for most in self.most:
            purses *= most + 1
        self.sheet = purses * GEARS * self.count
        if len(self.turns) != self.sheet * ((laps + 1) * (1 + new) + past):
            raise ValueError("a table with turns missing")

    def purse(self, wear: Mapping[Pool, int]) -> int:
        """Return the number of a purse: the points left in the pools, as far as they are distinguished."""
        number = 0
        for pool, most in zip(self.pools, self.most, strict=True):
            number = number * (most + 1) + max(0, min(wear[pool], most))
        return number

    def before(self, after: int, purse: int, gear: int, place: int, new: bool = False) -> float:
        """Return the turns from a place in a gear, on tyres that have aged or on a new set.

        `after` are the crossings of the line to come after the next one (-1: past the flag, and not yet home).
        """
        return self._at(after, new, purse * GEARS + gear, place)

    def rolling(self, after: int, purse: int, gear: int, place: int, new: bool = False) -> float:
        """Return the turns from a place that come after this one, once that gear is announced and paid."""
        return self._at(after, new, purse * GEARS + 6 + gear, place)

    def _at(self, after: int, new: bool, column: int, place: int) -> float:
        at = min(after, self.laps) + self.first
        if new and self.new and after >= 0:
            at += self.laps + 1
        return self.turns[at * self.sheet + column * self.count + place]
