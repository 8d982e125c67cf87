"""The rows of the answers of a race, those of what an answer should have been, and what its correction would do."""

from __future__ import annotations

from companion.screens.pen import BOLD, SEMIBOLD, Pen
from companion.screens.theme import BODY, CAPTION, NAME, SMALL, TONES
from companion.screens.view.history import AnswerRow, Pick, Trial
from companion.screens.widgets import plate
from companion.screens.widgets.rows import RowView


class AnswerView(RowView):
    """Draws an `AnswerRow`, chosen or not."""

    def draw(self, pen: Pen, shown: tuple[AnswerRow, bool]) -> None:
        row, chosen = shown
        middle = pen.h / 2
        if chosen:
            self.choose(pen)
        pen.text(row.round, 14, middle, CAPTION, "mid", BOLD)
        if row.plate is not None:
            plate.draw(pen, row.plate, 72, middle, 28)
        right = pen.w - 16
        if row.icon:
            pen.icon(row.icon, right - 10, middle, 20, "warn" if row.by == "word" else "low")
            right -= 30
        pen.text(row.label, 98, middle, BODY, "hi" if row.by != "program" else "mid", SEMIBOLD, room=right - 98,
                 cut=True)  # fmt: skip


class PickView(RowView):
    """Draws a `Pick` of a list."""

    def draw(self, pen: Pen, shown: tuple[Pick, bool]) -> None:
        pick, chosen = shown
        middle = pen.h / 2
        if chosen:
            self.choose(pen)
        right = pen.w - 14
        if pick.chosen:
            pen.icon("check", right - 10, middle, 20, "mid")
            right -= 30
        pen.text(pick.label, 16, middle - (11 if pick.note else 0), NAME, "hi", SEMIBOLD, room=right - 16, cut=True)
        pen.text(pick.note, 16, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - 16, cut=True)


def draw_trial(pen: Pen, trial: Trial, left: float, top: float, room: float) -> None:
    """From what to what, and below what each way would do."""
    y = pen.paragraph(trial.was, left, top, SMALL, room, "mid", SEMIBOLD, 2)
    pen.icon("arrow-right", left + 9, y + 4, 18, "mid")
    pen.text(trial.now, left + 26, y + 4, NAME, "hi", BOLD, room=room - 26, cut=True)
    y += 34
    for way, lines in zip(trial.ways, trial.lines, strict=True):
        pen.text(way.label, left, y, BODY, "hi", BOLD, room=room)
        y += 24
        for line in lines:
            if line.icon:
                pen.icon(line.icon, left + 8, y, 15, TONES[line.tone])
            pen.text(line.text, left + 22, y, CAPTION, "mid", SEMIBOLD, room=room - 22, cut=True)
            y += 20
        y += 10
