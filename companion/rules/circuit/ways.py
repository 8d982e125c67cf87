"""The board as a leg meets it: every stop that the leg can make."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Final

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.circuit.search import Search
from companion.rules.circuit.straights import Straights
from companion.rules.circuit.track import Track

KEPT: Final = 256
"""How many legs are remembered: all that one question searches, with swerve tyres and what lies on the way."""


class Board(Straights):
    """A track with its straights, searched for the stops of a leg."""

    def __init__(self, track: Track) -> None:
        super().__init__(track)
        self._found: dict[Hashable, list[Landing]] = {}

    def landings(self, leg: Leg) -> list[Landing]:
        """Every stop that the leg can make; blocked ones only where no way drives the whole distance so braked."""
        return self.remembered(leg, lambda: Search(self, leg).landings())

    def remembered(self, asked: Hashable, find: Callable[[], list[Landing]]) -> list[Landing]:
        """What a search finds; the last ones are remembered, so a question that is asked again costs nothing."""
        found = self._found.get(asked)
        if found is None:
            if len(self._found) >= KEPT:
                self._found.clear()
            found = self._found[asked] = find()
        return list(found)


@lru_cache(maxsize=64)
def board_of(track: Track) -> Board:
    """The board of a track, the same one for every race on it."""
    return Board(track)
