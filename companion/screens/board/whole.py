"""A board that is always fully visible, with places to tap and hold."""

from __future__ import annotations

from companion.screens.board.fingers import Fingered, Pixels
from companion.screens.kit.pane import Pane
from companion.screens.kit.theme import theme


class Whole(Fingered, Pane):
    """A board that is always fully visible; subclasses draw it and name its places."""

    is_picture = True

    @property
    def asked_about(self) -> list[Pixels]:
        """The middle of the car to play, in pixels of the window; empty without one."""
        scale = float(theme.scale)
        rings = [mark for mark in self.marks if mark.kind == "ring"][:1]
        return [(self.x + (one.x + one.w / 2) * scale, self.top - (one.y + one.h / 2) * scale) for one in rings]

    def space_at(self, x: float, y: float) -> str:
        """Return the place at a point in dp from the top left, or an empty string."""
        raise NotImplementedError

    def named(self, at: Pixels) -> str:
        scale = float(theme.scale)
        return self.space_at((at[0] - self.x) / scale, (self.top - at[1]) / scale)

    def dragged(self, by: Pixels) -> None:
        """Ignore a drag, since all of the board is visible."""

    def pinched(self, times: float, around: Pixels, by: Pixels) -> None:
        """Ignore a pinch, since all of the board is visible."""

    def let_go(self) -> None:
        """Do nothing, since nothing was moved."""
