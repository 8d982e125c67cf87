"""The rows of the race sheet: why points were lost, the log, people's words, the result."""

from __future__ import annotations

from typing import Final

from companion.screens.widgets import plate
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, TONES, VALUE, theme
from companion.view.sheet import ResultRow
from companion.view.sheet_car import WhyLine
from companion.view.sheet_log import LogRow
from companion.view.sheet_words import WordRow

ARTICLE: Final = 70.0
"""The least room of an article in the log, so that prices stand beneath one another."""


class WhyView(RowView):
    """Draws a `WhyLine`."""

    def draw(self, pen: Pen, shown: WhyLine) -> None:
        middle = pen.h / 2
        pen.text(shown.round, 14, middle, CAPTION, "mid", BOLD)
        token = TONES[shown.tone]
        if shown.pool:
            pen.icon(shown.pool, 62, middle, 18, token)
            pen.text(shown.points, 74, middle, SMALL, token, BOLD)
        else:
            pen.icon("cross", 62, middle, 16, token)
        right = pen.w - 14
        right -= pen.text(shown.cited, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=96, cut=True) + 10
        pen.text(shown.text, 108, middle, SMALL, "hi", SEMIBOLD, room=right - 108, cut=True)


class LogView(RowView):
    """Draws a `LogRow`."""

    def draw(self, pen: Pen, shown: LogRow) -> None:
        middle = pen.h / 2
        pen.text(shown.round, 12, middle, CAPTION, "mid", BOLD)
        if shown.plate is not None:
            plate.draw(pen, shown.plate, 70, middle, 28)
        elif shown.icon:
            pen.icon(shown.icon, 70, middle, 22, "info")
        right = pen.w - 16
        if shown.article:
            wide = pen.text(shown.cited, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=104, cut=True)
            right -= max(wide, ARTICLE) + 10
        if shown.by:
            right -= pen.text(shown.by, right, middle, CAPTION, "warn", SEMIBOLD, "right", room=110, cut=True) + 10
        ink = TONES[shown.tone]
        if shown.price:
            right -= pen.text(shown.price, right, middle, BODY, ink, BOLD, "right", room=150) + 14
        _two_lines(pen, shown.text, 96, middle, right - 96, "hi" if shown.price else ink)


class WordView(RowView):
    """Draws a `WordRow`."""

    def draw(self, pen: Pen, shown: WordRow) -> None:
        middle = pen.h / 2
        pen.icon(shown.icon, 30, middle, 24, TONES[shown.tone])
        right = pen.w - 16
        right -= pen.text(shown.by, right, middle, CAPTION, "mid", SEMIBOLD, "right", room=140, cut=True) + 12
        pen.text(shown.title, 58, middle - 12, BODY, "hi", SEMIBOLD, room=right - 58, cut=True)
        pen.text(shown.text, 58, middle + 14, SMALL, "mid", SEMIBOLD, room=right - 58, cut=True)


class ResultView(RowView):
    """Draws a `ResultRow`."""

    def draw(self, pen: Pen, shown: ResultRow) -> None:
        middle = pen.h / 2
        ink = "mid" if shown.out else "hi"
        pen.text(shown.place, 36, middle, VALUE, ink, BOLD, "right")
        plate.draw(pen, shown.plate, 70, middle, 32)
        right = pen.w - 20
        pen.text(shown.points, right, middle, VALUE, "hi", BOLD, "right")
        right -= 56
        right -= pen.text(shown.laps, right, middle, BODY, "mid", SEMIBOLD, "right") + 16
        if shown.note:
            right -= pen.text(shown.note, right, middle, BODY, "bad", SEMIBOLD, "right", room=230, cut=True) + 16
        name = shown.name or theme.words.screen("new_race.no_name")
        note = shown.team
        pen.text(name, 100, middle - (9 if note else 0), NAME, ink, SEMIBOLD, room=right - 100, cut=True)
        pen.text(note, 100, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - 100, cut=True)


def _two_lines(pen: Pen, text: str, x: float, middle: float, room: float, token: str) -> None:
    """A sentence in one line, or in two smaller ones."""
    if pen.width(text, BODY) <= room:
        pen.text(text, x, middle, BODY, token, SEMIBOLD)
        return
    lines = pen.broken(text, CAPTION, SEMIBOLD, room)
    for row, line in enumerate([lines[0], " ".join(lines[1:])]):
        pen.text(line, x, middle - 10 + 20 * row, CAPTION, token, SEMIBOLD, room=room, cut=True)
