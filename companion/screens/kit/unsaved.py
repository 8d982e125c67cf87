"""The warning on every screen while answers are in memory only: their number."""

from __future__ import annotations

from typing import Final

from kivy.event import EventDispatcher
from kivy.properties import NumericProperty

from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import CAPTION, TONES, theme

HIGH: Final = 28


class Unsaved(EventDispatcher):
    """The number of answers not yet on disk.

    There is one, `unsaved`; widgets that show the mark redraw when it changes, and leave `room` dp for it at the
    right end of their bar.
    """

    count = NumericProperty(0)

    @property
    def room(self) -> float:
        return Pen.measuring().width(self._text, CAPTION) + 44 if self.count else 0.0

    @property
    def _text(self) -> str:
        return theme.words.screen("top.unsaved", count=int(self.count))

    def paint(self, pen: Pen, end: float, middle: float) -> None:
        """Draw the mark, right-aligned at `end`, if there are any."""
        if self.count:
            wide, token = self.room - 8, TONES["bad"]
            pen.rim(end - wide, middle - HIGH / 2, wide, HIGH, token, 1.5, 3)
            pen.icon("storage", end - wide + 16, middle, 16, token)
            pen.text(self._text, end - wide + 28, middle, CAPTION, token)


unsaved = Unsaved()
