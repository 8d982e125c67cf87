"""Counters of a car's chart with their values, and lines for everything else."""

from __future__ import annotations

from typing import Final

from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, TONES
from companion.view.shown import Counter, Dashboard, Extra

HIGH: Final = 76.0
LINE: Final = 25.0
GAP: Final = 8.0


def draw(pen: Pen, shown: Dashboard, top: float) -> None:
    """Draw the counters of a dashboard in a row, and as many extras as fit below."""
    y = top
    if shown.counters:
        row(pen, shown.counters, 10, y, pen.w - 20, HIGH)
        y += HIGH + 6
    for extra in shown.extras[: int((pen.h - y) // LINE)]:
        _line(pen, extra, y + LINE / 2)
        y += LINE


def row(pen: Pen, counters: tuple[Counter, ...], x: float, y: float, room: float, high: float) -> None:
    """Draw counters side by side."""
    wide = (room - GAP * (len(counters) - 1)) / len(counters)
    for at, counter in enumerate(counters):
        _counter(pen, counter, x + at * (wide + GAP), y, wide, high)


def _counter(pen: Pen, counter: Counter, x: float, y: float, w: float, h: float) -> None:
    """Draw a counter: label, value and maximum; of damage also the permanent part."""
    pen.fill(x, y, w, h, "bg3", 8)
    inset, token = (12.0, TONES[counter.tone]) if w > 100 else (7.0, TONES[counter.tone])
    left = x + inset
    if w > 100:
        pen.icon(counter.icon, left + 8, y + h * 0.27, 17, "mid")
        left += 22
    pen.text(counter.label, left, y + h * 0.27, BODY if w > 100 else CAPTION, "mid", SEMIBOLD, room=x + w - left - 4)
    middle = y + h * 0.66
    size = QUESTION + 4 if w > 100 else CLOCK
    left = x + inset + pen.text(str(counter.value), x + inset, middle, size, token, BOLD)
    if counter.of:
        left += pen.text(f"/{counter.of}", left + 1, middle + 3, NAME, "mid") + 6
    if counter.kept:
        end, side = (x + w - inset - 2, 17.0) if w > 100 else (x + w - 3, 14.0)
        pen.icon("lock", end - 12 - side / 2, middle + 2, side, "bad")
        pen.text(str(counter.kept), end, middle + 2, CAPTION, "bad", BOLD, "right")


def _line(pen: Pen, extra: Extra, middle: float) -> None:
    token = TONES[extra.tone]
    pen.icon(extra.icon, 22, middle, 17, "mid" if extra.tone == "plain" else token)
    wide = pen.width(extra.value, BODY - 1)
    pen.text(extra.label, 40, middle, CAPTION + 1, "mid" if extra.value else token, SEMIBOLD, room=pen.w - wide - 62)
    pen.text(extra.value, pen.w - 12, middle, BODY - 1, token, SEMIBOLD, "right", room=pen.w - 62)


class Counters(Pane):
    """A row of `Counter`s, in place of answers that are shown elsewhere."""

    def paint(self, pen: Pen) -> None:
        if self.shown:
            row(pen, self.shown, 0, 0, pen.w, pen.h)
