"""The rows of the answers of a race, those of what an answer should have been, and what its correction would do."""

from __future__ import annotations

from typing import Literal

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
            self.choose(pen, "warn")
        pen.text(row.round, 14, middle, CAPTION, "mid", BOLD)
        if row.plate is not None:
            plate.draw(pen, row.plate, 72, middle, 28)
        right = pen.w - 16
        for price in reversed(row.prices):
            right -= pen.width(price.text, NAME, BOLD)
            pen.text(price.text, right, middle, NAME, TONES[price.tone], BOLD)
            if price.icon:
                pen.icon(price.icon, right - 16, middle, 20, TONES[price.tone])
                right -= 30
            right -= 10
        if row.icon:
            pen.icon(row.icon, right - 10, middle, 20, "warn" if row.by == "word" else "low")
            right -= 30
        y = middle - (11 if row.said else 0)
        pen.text(row.label, 98, y, BODY, "hi" if row.by != "program" else "mid", BOLD if row.said else SEMIBOLD,
                 room=right - 98, cut=True)  # fmt: skip
        pen.text(row.said, 98, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - 98, cut=True)


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


HEAD = 52.0
"""How high the line of the die is, or of what was answered."""
NAMED = 118.0
"""Where the consequences of a way begin, right of its name."""
INDENT = 46.0
SEGMENT = (22.0, 13.0, 4.0)
"""Width, height and gap of a point of wear, in dp."""
FULL = 7
"""So many points have segments of that width; of more they are narrower."""


class TrialRow(Shown, frozen=True, kw_only=True):
    """One line of what a correction would do: a heading, a change, or of a way its name and a consequence, each as
    much as one line holds. `points` are drawn behind the text: those there are, before and after."""

    text: str
    kind: Literal["head", "change", "way"]
    icon: str = ""
    tone: str = "plain"
    name: str = ""
    points: tuple[int, int, int] | None = None


class TrialView(RowView):
    """Draws a `TrialRow`; nothing lies between the lines."""

    def paint(self, pen: Pen) -> None:
        row: TrialRow | None = self.shown
        if row is None:
            return
        middle = pen.h / 2
        if row.kind == "head":
            pen.fill(0, 0, pen.w, 1, "line")
            pen.text(row.text, 14, middle + 1, SMALL, "mid", SEMIBOLD)
        elif row.kind == "change":
            if row.icon:
                pen.icon(row.icon, 24, middle, 19, TONES[row.tone])
            pen.text(row.text, INDENT, middle, BODY, "hi", SEMIBOLD)
            if row.points is not None:
                _points(pen, row.points, middle, row.tone)
        else:
            if row.icon:
                pen.icon(row.icon, NAMED + 8, middle, 15, TONES[row.tone])
            pen.text(row.name, 14, middle, BODY, "hi", BOLD)
            pen.text(row.text, NAMED + 24, middle, SMALL, "hi", SEMIBOLD)


def _points(pen: Pen, points: tuple[int, int, int], middle: float, tone: str) -> None:
    """The points that there are as segments, those gained or lost in their colour, and before and after as figures."""
    room, was, now = points
    right = pen.w - 16
    right -= pen.text(str(now), right, middle, NAME, TONES[tone], BOLD, "right") + 8
    pen.icon("arrow-right", right - 8, middle, 15, "mid")
    right -= 24
    right -= pen.text(str(was), right, middle, NAME, "mid", BOLD, "right") + 12
    wide, high, gap = SEGMENT
    if room > FULL:
        wide, gap = (FULL * (wide + gap)) / room - 2, 2.0
    left = right - room * (wide + gap) + gap
    for point in range(room):
        box = (left + point * (wide + gap), middle - high / 2, wide, high)
        if point < min(was, now):
            pen.fill(*box, "hi", 2)
        elif point < now:
            pen.fill(*box, "ok", 2)
        elif point < was:
            pen.hatch(*box, "warn")
        else:
            pen.rim(*box, "rim", 1.5, 2)


POINTS = 108.0 + FULL * (SEGMENT[0] + SEGMENT[2])
"""How much of a line segments and figures take."""


def trial_rows(trial: Trial, room: float, changes: str, ways: str) -> list[TrialRow]:
    """What changes, then what each way keeps, leaves and asks, whole: what is longer than a line takes as many as it
    needs. `changes` and `ways` are the headings, the second where there are two."""
    pen = Pen.measuring()
    rows = [TrialRow(text=changes, kind="head")]
    for one in trial.changes:
        parts = pen.broken(one.text, BODY, SEMIBOLD, room - INDENT - 14)
        if one.points is not None and pen.width(parts[-1], BODY, SEMIBOLD) > room - INDENT - POINTS:
            parts.append("")
        for at, part in enumerate(parts):
            points = one.points if at == len(parts) - 1 else None
            rows.append(TrialRow(text=part, kind="change", icon="" if at else one.icon, tone=one.tone, points=points))
    if len(trial.ways) > 1:
        rows.append(TrialRow(text=ways, kind="head"))
    for way, lines in zip(trial.ways, trial.lines, strict=True):
        names = pen.broken(way.label, BODY, BOLD, NAMED - 20)
        said = [
            (part, "" if at else line.icon, line.tone)
            for line in lines
            for at, part in enumerate(pen.broken(line.text, SMALL, SEMIBOLD, room - NAMED - 24 - 14))
        ]
        for at in range(max(len(names), len(said))):
            text, icon, tone = said[at] if at < len(said) else ("", "", "plain")
            name = names[at] if at < len(names) else ""
            rows.append(TrialRow(text=text, kind="way", icon=icon, tone=tone, name=name))
    return rows


def head_high(trial: Trial, room: float) -> float:
    """How much of the panel it takes to say what was answered and what it becomes."""
    return draw_trial(Pen.measuring(), trial, 0, 0, room)


def draw_trial(pen: Pen, trial: Trial, left: float, top: float, room: float) -> float:
    """From what to what: the plate, what was answered, and the two faces of a die; returns where it ends."""
    if trial.plate is not None:
        plate.draw(pen, trial.plate, left + 14, top + HEAD / 2, 30)
        left, room = left + 40, room - 40
    if trial.faces:
        wide = [max(40.0, pen.width(one, NAME, BOLD) + 20) for one in trial.faces]
        x = left + room - sum(wide) - 28
        pen.paragraph(trial.was, left, top + HEAD / 2 - 10, BODY, x - left - 8, "hi", BOLD, 2, floor=CAPTION)
        for at, (one, width) in enumerate(zip(trial.faces, wide, strict=True)):
            pen.rim(x, top + 6, width, 40, "low" if at == 0 else "hi", 2, 10)
            pen.text(one, x + width / 2, top + HEAD / 2, NAME, "mid" if at == 0 else "hi", BOLD, "centre")
            x += width
            if at == 0:
                pen.icon("arrow-right", x + 14, top + HEAD / 2, 18, "mid")
                x += 28
        return top + HEAD + 4
    y = pen.paragraph(trial.was, left, top + 20, SMALL, room, "mid", SEMIBOLD, 3)
    pen.icon("arrow-right", left + 9, y + 4, 18, "mid")
    return pen.paragraph(trial.now, left + 26, y + 4, NAME, room - 26, "hi", BOLD, 3, floor=SMALL)
