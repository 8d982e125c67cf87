"""The stage of a map: a circuit as it is drawn, with what never changes on it."""

from __future__ import annotations

from companion.drawing.circuit import Drawing, drawing_of
from companion.rules.circuit.track import Track
from companion.screens.board import scenery


class Stage:
    """A circuit as it is drawn: its geometry, and what never changes on it."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.drawing: Drawing = drawing_of(track)
        self._made: dict[bool, scenery.Painted] = {}

    def painted(self, whole: bool) -> scenery.Painted:
        """The ribbon of the whole circuit, or the board of a close-up; each is made when it is first looked at."""
        if whole not in self._made:
            self._made[whole] = scenery.ribbon(self.drawing) if whole else scenery.board(self.drawing)
        return self._made[whole]

    def recolour(self) -> None:
        """Takes the colours of the theme anew."""
        for painted in self._made.values():
            painted.recolour()
