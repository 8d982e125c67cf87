"""The question itself, in the band: what is to be done, and beside it the range of a die or the gear that is in."""

from __future__ import annotations

from companion.screens.widgets.motion import QUESTION as ASKED
from companion.screens.widgets.motion import cross_fade
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import BODY, CLOCK, QUESTION


class Asked(Pane):
    """Shows the question itself, as (title, unit, room in dp); another question comes while it goes."""

    def show(self, shown: tuple[str, str, float]) -> None:
        """Shows a question."""
        if self.shown is not None and shown[:2] != self.shown[:2]:
            cross_fade(self, ASKED)
        super().show(shown)

    def wide(self, room: float) -> float:
        """How wide it is, in dp: the room at most."""
        pen = Pen.measuring()
        title, unit, _ = self.shown
        beside = pen.width(unit, CLOCK) + 10 if unit else 0.0
        return min(room, pen.width(title, pen.fitted(title, QUESTION, BOLD, room - beside, BODY), BOLD) + beside + 1)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        title, unit, room = self.shown
        beside = pen.width(unit, CLOCK) + 10 if unit else 0.0
        size = pen.fitted(title, QUESTION, BOLD, room - beside, BODY)
        wide = pen.text(title, 0, 27, size, "hi", BOLD, room=room - beside)
        pen.text(unit, wide + 10, 28, CLOCK, "mid")
