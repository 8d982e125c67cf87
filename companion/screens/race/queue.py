"""The tests of a turn as one list: done, open and to come."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.drawing.paints import paint_of
from companion.screens.kit import plate, weather
from companion.screens.kit.key import prices
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, NAME
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import SkyTurn, TopBar, ViewModel
from companion.view.shown_race import QueueRow

ROW: Final = 54.4
TOAST: Final = 70.0
"""Height left beneath the rows for a toast, in dp."""
MAX_ROWS: Final = 5
"""Maximum number of rows beneath one another."""


class Queue(Target):
    """A list that shows a tuple of `QueueRow`; a long press shows every face of the die."""

    joined = True
    fills = False
    """True if no board is beneath it: its rows then leave room for a toast."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        super().__init__(on_hold=partial(emit, intents.ShowFaces()), **properties)

    @property
    def first(self) -> int:
        """The index of the first visible row; in a long list the open row is the fourth."""
        rows: tuple[QueueRow, ...] = self.shown or ()
        now = next((at for at, row in enumerate(rows) if row.state == "now"), 0)
        return max(0, min(now - 3, len(rows) - MAX_ROWS))

    @property
    def high(self) -> float:
        """The height of the visible rows in dp, where a board is beneath them."""
        return ROW * min(MAX_ROWS, len(self.shown or ()))

    @property
    def _row_high(self) -> float:
        return min(ROW, (self.h - TOAST) / min(MAX_ROWS, len(self.shown))) if self.fills else ROW

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        for at, row in enumerate((self.shown or ())[self.first : self.first + MAX_ROWS]):
            self._row(pen, row, at * self._row_high)
        pen.fill(pen.w - 1, 0, 1, pen.h, "line")

    def _row(self, pen: Pen, row: QueueRow, top: float) -> None:
        high = self._row_high
        middle, now = top + high / 2, row.state == "now"
        if now:
            pen.fill(0, top, pen.w, high, "bg3")
            pen.fill(0, top, 4, high, paint_of(row.plate.place).colour)
        pen.fill(0, top + high - 1, pen.w, 1, "line")
        plate.draw(pen, row.plate, 34, middle, 32)
        ink = "hi" if row.state != "to_come" else "mid"
        end = pen.w - 14.0
        if row.state == "done":
            end = self._outcome(pen, row, middle) - 8
        left = 64.0
        code = end - left > 190
        if code:
            pen.text(row.code, left, middle, NAME, ink, room=52, cut=True)
            left += 56
        if end - left > 130:
            pen.icon(row.icon, left + 11, middle, 20, "mid")
            left += 30
        if pen.width(row.title, CAPTION, BOLD) > end - left and not row.note:
            size = BODY
            while size > CAPTION and max(pen.width(word, size, BOLD) for word in row.title.split()) > end - left:
                size -= 1
            lines = len(pen.broken(row.title, size, BOLD, end - left))
            pen.paragraph(row.title, left, middle - (lines - 1) * size * 0.575, size, end - left, ink, BOLD)
            return
        pen.text(row.title, left, middle - (10 if row.note else 0), BODY, ink, BOLD, room=end - left, cut=True)
        if row.note:
            pen.text(row.note, left, middle + 11, CAPTION, "mid", room=end - left, cut=True)

    @staticmethod
    def _outcome(pen: Pen, row: QueueRow, middle: float) -> float:
        """Draw the die and its result; return the left edge."""
        left = pen.w - 174
        begins = left + 50.0
        if row.die:
            pen.icon("die", left, middle, 20, "mid")
            begins = max(begins, left + 26 + pen.text(row.die, left + 16, middle, BODY, "hi", BOLD))
        if row.outcome.text:
            prices(pen, (row.outcome,), begins, middle, pen.w - 8 - begins, align="left", size=BODY)
        return left - 10


class Sky(ViewModel, frozen=True, kw_only=True):
    """The weather roll: the current weather, the article and each band's effect."""

    title: str
    article: str
    top: TopBar
    bands: tuple[SkyTurn, ...] = ()


class SkyPanel(Pane):
    """A panel that shows a `Sky` beside a weather roll."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        pen.fill(0, 0, 1, pen.h, "line")
        sky: Sky | None = self.shown
        if sky is None:
            return
        left = 14 + pen.text(sky.title, 14, 22, BODY, "hi", BOLD, room=pen.w / 2) + 10
        room = pen.w - 12 - left
        pen.text(sky.article, pen.w - 12, 22, CAPTION, "mid", align="right", room=room, cut=True)
        y = 44.0
        needed = sum(38 + 20 * len(band.facts) for band in sky.bands)
        if sky.top.sky and y + 58 + needed <= pen.h:  # else only the bar at the top says it
            pen.icon(sky.top.sky_icon, 36, y + 26, 44, weather.token(sky.top.sky_icon))
            pen.text(sky.top.sky, 72, y + 14, NAME, "hi", BOLD, room=pen.w - 84)
            pen.text(sky.top.surface, 72, y + 40, BODY, "mid", SEMIBOLD, room=pen.w - 84)
            y += 58
        for band in sky.bands:
            if y + 34 > pen.h:
                break
            pen.fill(12, y, pen.w - 24, 1, "line")
            pen.text(band.label, 14, y + 18, NAME, "hi", BOLD)
            wide = pen.text(band.name, pen.w - 14, y + 18, BODY, "hi", BOLD, align="right")
            pen.icon(band.icon, pen.w - 14 - wide - 17, y + 18, 22, weather.token(band.icon))
            y = weather.facts(pen, band.facts, 14, y + 34, pen.w - 28, 20, CAPTION) + 4
