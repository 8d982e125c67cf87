"""A board that is seen whole, with places that can be tapped and held."""

from __future__ import annotations

from companion.screens.board.fingers import Fingered, Pixels
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.theme import theme


class Whole(Fingered, Pane):
    """Such a board; a subclass draws it and says what is where."""

    is_picture = True

    @property
    def asked_about(self) -> list[Pixels]:
        """The middle of the car that plays, in the window."""
        scale = float(theme.scale)
        rings = [mark for mark in self.marks if mark.kind == "ring"][:1]
        return [(self.x + (one.x + one.w / 2) * scale, self.top - (one.y + one.h / 2) * scale) for one in rings]

    def space_at(self, x: float, y: float) -> str:
        """The place at a point, in dp from the top left; empty where there is none."""
        raise NotImplementedError

    def named(self, at: Pixels) -> str:
        scale = float(theme.scale)
        return self.space_at((at[0] - self.x) / scale, (self.top - at[1]) / scale)

    def dragged(self, by: Pixels) -> None:
        """It is seen whole, so there is nothing to drag."""

    def pinched(self, times: float, around: Pixels, by: Pixels) -> None:
        """Nor anything to bring nearer."""

    def let_go(self) -> None:
        """Nothing was moved."""
