"""The keys and rows of a trial: calls, tyres, the key that ends it, the sum, and the list of times."""

from __future__ import annotations

from typing import Final

from companion.drawing.paints import paint_of
from companion.screens.widgets import plate
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, SUM, TITLE, TONES
from companion.screens.widgets.touch import Target
from companion.view.commissioner.trials import CallShown, TrialRow, TyresShown
from companion.view.shown import Shown, Term

RADIUS: Final = 8
TERMS: Final = {5: (52, 154, 262, 366, 462), 4: (52, 189, 325, 462)}
"""Where the terms of a sum, so many, have their middle, in dp of a panel 508 wide."""
WIDE: Final = 508


class CallKey(Target):
    """Shows a `CallShown`: what stewards call out, and that it costs nothing."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", RADIUS)
        call: CallShown | None = self.shown
        if call is not None:
            pen.text(call.label, 12, 19, BODY, "hi", BOLD, room=pen.w - 18)
            count = pen.text(
                call.count, pen.w - 10, 43, CAPTION, "ok" if call.made else "low", SEMIBOLD, "right", room=pen.w / 2
            )
            pen.text(call.article, 12, 43, CAPTION, "low", room=pen.w - 28 - count)


class TyresKey(Target):
    """Shows a `TyresShown`; `chosen` has the outline of a selection."""

    chosen = False

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", RADIUS)
        tyres: TyresShown | None = self.shown
        if tyres is not None:
            pen.text(tyres.label, 12, 19, BODY, "hi", BOLD, room=pen.w - 18)
            pen.text(tyres.price, 12, 43, CAPTION, "mid", room=pen.w - 18)
        if self.chosen:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, RADIUS)


class MissedShown(Shown, frozen=True, kw_only=True):
    """The key that ends a trial: its name and what it means."""

    label: str
    note: str


class MissedKey(Target):
    """Shows a `MissedShown`."""

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg4", RADIUS)
        pen.rim(0, 0, pen.w, pen.h, "bad", 2, RADIUS)
        if self.shown is not None:
            pen.icon("triangle", 26, pen.h / 2, 24, "bad")
            pen.text(self.shown.label, 50, pen.h / 2 - 11, BODY, "hi", BOLD, room=pen.w - 58)
            pen.text(self.shown.note, 50, pen.h / 2 + 13, CAPTION, "bad", room=pen.w - 58)


class StopKey(Target):
    """The key that stops the clock; what it shows is its name."""

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg4", RADIUS)
        pen.rim(0, 0, pen.w, pen.h, "rim", 2, RADIUS)
        pen.fill(pen.w / 2 - 8, 20, 16, 16, "bad", 2)
        if self.shown:
            pen.text(str(self.shown), pen.w / 2, 66, BODY, "hi", BOLD, "centre", room=pen.w - 8)


def draw_terms(pen: Pen, terms: tuple[Term, ...], top: float, wide: float) -> None:
    """Writes a sum out, digits above and words below, in a panel `wide` dp."""
    places = [at * wide / WIDE for at in TERMS[len(terms)]]
    for at, (term, x) in enumerate(zip(terms, places, strict=True)):
        last = at == len(terms) - 1
        ink = "low" if term.value == "0" and not last else TONES[term.tone]
        pen.text(term.value, x, top, SUM, ink, BOLD, "centre")
        room = (places[1] - places[0]) - 6
        pen.text(term.word, x, top + 38, CAPTION, "hi" if last else ink if term.tone != "plain" else "mid",
                 SEMIBOLD, "centre", room=room)  # fmt: skip
        if not last:
            pen.text("=" if at == len(terms) - 2 else "+", (x + places[at + 1]) / 2, top, 28, "low", BOLD, "centre")


class Weather(Shown, frozen=True, kw_only=True):
    """The sky of a session with its pictogram, and the tyres on what surface."""

    icon: str
    sky: str
    on: str


class WeatherBlock(Pane):
    """Shows a `Weather` at the right of the bar at the top."""

    def paint(self, pen: Pen) -> None:
        shown: Weather | None = self.shown
        if shown is None or not shown.sky:
            return
        pen.fill(0, 0, 1, pen.h - 1, "line")
        pen.icon(shown.icon, 22, pen.h / 2, 24, "info" if shown.icon == "rain" else "warn")
        x = 44 + pen.text(shown.sky, 44, pen.h / 2, BODY, "hi", BOLD) + 8
        pen.text(shown.on, x, pen.h / 2 + 1, CAPTION, "mid", SEMIBOLD, room=max(1.0, pen.w - 8 - x), cut=True)


class WaitingView(RowView):
    """Draws a `TrialRow` of somebody who may drive next, with his session."""

    def draw(self, pen: Pen, shown: TrialRow) -> None:
        if shown.now:
            self.choose(pen, paint_of(shown.plate.place).colour)
        plate.draw(pen, shown.plate, 30, pen.h / 2, 28)
        pen.text(shown.name, 56, pen.h / 2, BODY, "hi", SEMIBOLD, room=pen.w - 100, cut=True)
        pen.text(shown.sum, pen.w - 14, pen.h / 2, BODY, "mid", SEMIBOLD, "right")


class NearView(RowView):
    """Draws a `TrialRow` beside a clock that runs."""

    def draw(self, pen: Pen, shown: TrialRow) -> None:
        middle = pen.h / 2
        ink = "hi" if shown.now else "mid"
        if shown.now:
            self.choose(pen, paint_of(shown.plate.place).colour)
        pen.text(shown.place, 28, middle, SMALL, ink, SEMIBOLD, "right")
        plate.draw(pen, shown.plate, 52, middle, 24)
        right = pen.w - 12
        pen.text(shown.sum, right, middle, BODY, "hi", BOLD, "right", room=46)
        clock = pen.text(shown.clock, pen.w - 64, middle, SMALL, ink, SEMIBOLD, "right")
        pen.text(shown.name, 74, middle, BODY, ink, SEMIBOLD, room=pen.w - 64 - clock - 82,
                 cut=True)  # fmt: skip


class TimeView(RowView):
    """Draws a `TrialRow` of the list after a trial."""

    def draw(self, pen: Pen, shown: TrialRow) -> None:
        middle = pen.h / 2
        ink = "hi" if shown.now else "mid"
        if shown.now:
            self.choose(pen, paint_of(shown.plate.place).colour)
        pen.text(shown.place, 28, middle, SMALL, ink, SEMIBOLD, "right")
        plate.draw(pen, shown.plate, 54, middle, 28)
        pen.text(shown.code, 76, middle, BODY, "hi", SEMIBOLD)
        pen.text(shown.sum, pen.w - 144, middle, TITLE if len(shown.sum) < 4 else NAME, "hi", BOLD, "right", room=52)
        pen.text(shown.clock, pen.w - 70, middle, SMALL, ink, SEMIBOLD, "right")
        tone = "warn" if shown.disputed else "hi" if shown.decides else "low"
        pen.text(shown.ahead, pen.w - 12, middle, SMALL, tone, SEMIBOLD, "right", room=54)
