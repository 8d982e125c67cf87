"""The board as a leg meets it: every stop that the leg can make."""

from __future__ import annotations

from functools import lru_cache

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.circuit.search import Search
from companion.rules.circuit.straights import Straights
from companion.rules.circuit.track import Track


class Board(Straights):
    """A track with its straights, searched for the stops of a leg."""

    def __init__(self, track: Track) -> None:
        super().__init__(track)
        self._last: tuple[Leg, list[Landing]] | None = None

    def landings(self, leg: Leg) -> list[Landing]:
        """Every stop that the leg can make; blocked ones only where no way drives the whole distance so braked. The
        last leg is remembered, so a question that is asked again costs nothing."""
        last = self._last
        if last is None or last[0] != leg:
            last = self._last = leg, Search(self, leg).landings()
        return list(last[1])


@lru_cache(maxsize=64)
def board_of(track: Track) -> Board:
    """The board of a track, the same one for every race on it."""
    return Board(track)
