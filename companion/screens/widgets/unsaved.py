"""What stays in sight on every screen while answers are in memory only: their number, a mark in the bar at the top."""

from __future__ import annotations

from typing import Final

from kivy.event import EventDispatcher
from kivy.properties import NumericProperty

from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import CAPTION, TONES, theme

HIGH: Final = 28


class Unsaved(EventDispatcher):
    """How many answers no disk has taken. There is one, `unsaved`; whatever shows the mark draws again when it changes,
    and leaves `room` dp for it at the right end of its bar."""

    count = NumericProperty(0)

    @property
    def room(self) -> float:
        return Pen.measuring().width(self._said, CAPTION) + 44 if self.count else 0.0

    @property
    def _said(self) -> str:
        return theme.words.screen("top.unsaved", count=int(self.count))

    def paint(self, pen: Pen, end: float, middle: float) -> None:
        """Draws the mark so that it ends there, if there is anything to say."""
        if self.count:
            wide, token = self.room - 8, TONES["bad"]
            pen.rim(end - wide, middle - HIGH / 2, wide, HIGH, token, 1.5, 3)
            pen.icon("storage", end - wide + 16, middle, 16, token)
            pen.text(self._said, end - wide + 28, middle, CAPTION, token)


unsaved = Unsaved()
