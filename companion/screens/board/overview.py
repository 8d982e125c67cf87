"""A picture of the whole circuit: the road as a ribbon, the line and the plates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.circuit.track import Track
from companion.rules.ninety.circuit import SectionTrack
from companion.screens.board.view import BoardView
from companion.view.shown_board import BoardScene, CarMark, InSection, SectionTile


class Overview(BoardView):
    """A picture of any circuit, which ignores touches."""

    def picture_of(self, track: Track | SectionTrack, cars: Sequence[CarMark] = ()) -> None:
        """Show a circuit with cars on it, unless it is shown already."""
        if isinstance(track, SectionTrack):
            from companion.view.race.sections import bare_tiles  # with the desk

            plain = [
                SectionTile(space=one.space, number=one.number, kind=one.kind, cars=_there(cars, one.space))
                for one in bare_tiles(track)
            ]
            self.show(None, BoardScene(close="overview", sections=tuple(plain)))
        else:
            self.show(track, BoardScene(close="overview", cars=tuple(cars)))

    def on_touch_down(self, touch: Any) -> bool:
        return False


def _there(cars: Sequence[CarMark], space: str) -> tuple[InSection, ...]:
    """Return the cars of a section, its first car first; `cars` are last to first."""
    listed = [car for car in reversed(cars) if car.space == space]
    return tuple(
        InSection(plate=car.plate, code="", place=place, playing=car.state == "playing")
        for place, car in enumerate(listed, 1)
    )
