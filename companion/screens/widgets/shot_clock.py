"""The shot clock: the time that is left, and a line that drains over the width of the screen."""

from __future__ import annotations

from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import CLOCK
from companion.screens.widgets.touch import Target
from companion.view.shown import Shown

LAST: int = 10
"""Seconds at the end that are told by colour."""


class ShotTime(Shown, frozen=True, kw_only=True):
    """`left` of `of` seconds; less than 0 when the time is over. `paused` while a ruling is disputed."""

    left: int
    of: int
    paused: bool = False

    @property
    def text(self) -> str:
        """As it is read: 0:38, +0:12 when over."""
        minutes, seconds = divmod(abs(self.left), 60)
        return f"{'+' if self.left < 0 else ''}{minutes}:{seconds:02}"

    @property
    def token(self) -> str:
        """The colour of the time."""
        if self.paused:
            return "info"
        return "bad" if self.left < 0 else "warn" if self.left < LAST else "hi"


class ShotClock(Target):
    """Shows a `ShotTime` as figures, about 140 by 45 dp."""

    joined = True

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        token, middle = self.shown.token, 22.5
        pen.icon("pause" if self.shown.paused else "clock", 24, middle, 20, "mid" if token == "hi" else token)
        pen.text(self.shown.text, 46, middle + 1, CLOCK, token, BOLD, room=pen.w - 50)


class ShotLine(Pane):
    """Shows a `ShotTime` as a line, 3 dp high."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "line")
        if self.shown is not None and self.shown.of > 0:
            part = 1.0 if self.shown.left < 0 else min(1.0, self.shown.left / self.shown.of)
            pen.fill(0, 0, pen.w * part, pen.h, self.shown.token)
