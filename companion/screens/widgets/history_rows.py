"""The rows of the answers of a race, those of what an answer should have been, and what its correction would do."""

from __future__ import annotations

from companion.screens.widgets import plate
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, TONES
from companion.view.history import AnswerRow, Pick, Trial
from companion.view.shown import Shown


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


MARGIN = 24.0
"""From the top of the panel to the middle of its first line."""
INDENT = 22.0


class TrialRow(Shown, frozen=True, kw_only=True):
    """One line of what a correction would do: the name of a way, or of a consequence as much as one line holds."""

    text: str
    icon: str = ""
    tone: str = ""


class TrialView(RowView):
    """Draws a `TrialRow`; nothing lies between the lines."""

    def paint(self, pen: Pen) -> None:
        row = self.shown
        if row is None:
            return
        middle = pen.h / 2
        if not row.tone:
            pen.text(row.text, 14, middle, BODY, "hi", BOLD, room=pen.w - 28)
            return
        if row.icon:
            pen.icon(row.icon, 22, middle, 15, TONES[row.tone])
        pen.text(row.text, 14 + INDENT, middle, SMALL, "hi", SEMIBOLD)


def trial_rows(trial: Trial, room: float) -> list[TrialRow]:
    """What each way would do, whole: a consequence that is longer than a line takes as many as it needs."""
    pen = Pen.measuring()
    rows = []
    for way, lines in zip(trial.ways, trial.lines, strict=True):
        rows.append(TrialRow(text=way.label))
        for line in lines:
            for place, part in enumerate(pen.broken(line.text, SMALL, SEMIBOLD, room - 28 - INDENT)):
                rows.append(TrialRow(text=part, icon="" if place else line.icon, tone=line.tone))
    return rows


def head_high(trial: Trial, room: float) -> float:
    """How much of the panel it takes to say what was answered and what it becomes."""
    return draw_trial(Pen.measuring(), trial, 0, MARGIN, room)


def draw_trial(pen: Pen, trial: Trial, left: float, top: float, room: float) -> float:
    """From what to what; where what follows may begin comes back."""
    y = pen.paragraph(trial.was, left, top, SMALL, room, "mid", SEMIBOLD, 3)
    pen.icon("arrow-right", left + 9, y + 4, 18, "mid")
    return pen.paragraph(trial.now, left + 26, y + 4, NAME, room - 26, "hi", BOLD, 3, floor=SMALL)
