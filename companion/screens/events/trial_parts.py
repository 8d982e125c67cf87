"""Parts of a trial's screen: the clock, its keys, the sum, and the rows of its lists."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

from companion.drawing.paints import paint_of
from companion.screens.kit import plate
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import RowView
from companion.screens.kit.theme import BODY, CAPTION, GIANT, NAME, SMALL, SUM, TITLE, TONES
from companion.screens.kit.touch import Target
from companion.view.events.trials import CallShown, TrialRow
from companion.view.shown import Term, ViewModel

RADIUS: Final = 8
TERM_MIDDLES: Final = {5: (52, 154, 262, 366, 462), 4: (52, 189, 325, 462)}
"""Middles of the terms of a sum, by their number, in dp of a panel 508 wide."""
SUM_WIDTH: Final = 508
HUNDREDTH_NS: Final = 10_000_000
"""Nanoseconds in a hundredth of a second."""
MINUTE_HUNDREDTHS: Final = 6000
UPDATE_SECONDS: Final = 0.05
"""Seconds between two updates of a running clock, which shows tenths."""


class ClockShown(ViewModel, frozen=True, kw_only=True):
    """A clock: running since `began` (monotonic ns), or stopped at `clock` hundredths."""

    began: int | None = None
    clock: int = 0


class Stopwatch(Pane):
    """The stopwatch; `on_minute()` is called at each full minute."""

    def __init__(self, on_minute: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_minute = on_minute
        self._drawn = ""
        self._minutes = 0
        self._ticking = Clock.schedule_interval(self._tick, UPDATE_SECONDS)

    def discard(self) -> None:
        super().discard()
        self.stop()

    def stop(self) -> None:
        """Stop ticking."""
        self._ticking.cancel()

    @property
    def hundredths(self) -> int:
        """The displayed time, in hundredths of a second."""
        shown: ClockShown = self.shown or ClockShown()
        return shown.clock if shown.began is None else max(0, (time.monotonic_ns() - shown.began) // HUNDREDTH_NS)

    def _tick(self, _: float) -> None:
        clock = self.hundredths
        if figures(clock) != self._drawn:
            self.draw_now()
        if self.shown is not None and self.shown.began is not None and clock // MINUTE_HUNDREDTHS > self._minutes:
            self.on_minute()
        self._minutes = clock // MINUTE_HUNDREDTHS

    def paint(self, pen: Pen) -> None:
        clock = self.hundredths
        self._drawn = said = figures(clock)
        still = self.shown is None or (self.shown.began is None and not clock)
        x = (pen.w - sum(pen.width(sign, GIANT, BOLD) for sign in said)) / 2
        for sign in said:
            x += pen.text(sign, x, (pen.h - 18) / 2, GIANT, "low" if still else "hi", BOLD)
        pen.fill(12, pen.h - 5, pen.w - 24, 4, "bg4", 2)
        part = clock % MINUTE_HUNDREDTHS / MINUTE_HUNDREDTHS
        if part:
            pen.fill(12, pen.h - 5, max(4.0, (pen.w - 24) * part), 4, "warn", 2)


def figures(clock: int) -> str:
    """Format hundredths of a second as a running time: minutes, seconds, tenths."""
    return f"{clock // MINUTE_HUNDREDTHS}:{clock // 100 % 60:02}.{clock // 10 % 10}"


class StewardsCallKey(Target):
    """Key of a `CallShown`: a stewards' call, at no cost."""

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
    """Key of a `TyresShown`, with its selection."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", RADIUS)
        tyres, is_chosen = self.shown
        pen.text(tyres.label, 12, 19, BODY, "hi", BOLD, room=pen.w - 18)
        pen.text(tyres.price, 12, 43, CAPTION, "mid", room=pen.w - 18)
        if is_chosen:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, RADIUS)


class MissedShown(ViewModel, frozen=True, kw_only=True):
    """The key that ends a trial: label and meaning."""

    label: str
    note: str


class MissedKey(Target):
    """Key of a `MissedShown`."""

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg4", RADIUS)
        pen.rim(0, 0, pen.w, pen.h, "bad", 2, RADIUS)
        if self.shown is not None:
            pen.icon("triangle", 26, pen.h / 2, 24, "bad")
            pen.text(self.shown.label, 50, pen.h / 2 - 11, BODY, "hi", BOLD, room=pen.w - 58)
            pen.text(self.shown.note, 50, pen.h / 2 + 13, CAPTION, "bad", room=pen.w - 58)


class StopKey(Target):
    """The key that stops the clock; it shows its label."""

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg4", RADIUS)
        pen.rim(0, 0, pen.w, pen.h, "rim", 2, RADIUS)
        pen.fill(pen.w / 2 - 8, 20, 16, 16, "bad", 2)
        if self.shown:
            pen.text(str(self.shown), pen.w / 2, 66, BODY, "hi", BOLD, "centre", room=pen.w - 8)


def draw_terms(pen: Pen, terms: tuple[Term, ...], top: float, wide: float) -> None:
    """Draw a sum, digits above words, in a panel `wide` dp wide."""
    places = [at * wide / SUM_WIDTH for at in TERM_MIDDLES[len(terms)]]
    for at, (term, x) in enumerate(zip(terms, places, strict=True)):
        last = at == len(terms) - 1
        ink = "low" if term.value == "0" and not last else TONES[term.tone]
        pen.text(term.value, x, top, SUM, ink, BOLD, "centre")
        room = (places[1] - places[0]) - 6
        pen.text(term.word, x, top + 38, CAPTION, "hi" if last else ink if term.tone != "plain" else "mid",
                 SEMIBOLD, "centre", room=room)  # fmt: skip
        if not last:
            pen.text("=" if at == len(terms) - 2 else "+", (x + places[at + 1]) / 2, top, 28, "low", BOLD, "centre")


class SessionWeather(ViewModel, frozen=True, kw_only=True):
    """The sky of a session with its pictogram, and the tyres for its surface."""

    icon: str
    sky: str
    on: str


class WeatherBlock(Pane):
    """The session's weather, at the right of the bar at the top."""

    def paint(self, pen: Pen) -> None:
        shown: SessionWeather | None = self.shown
        if shown is None or not shown.sky:  # nobody draws one, or not yet
            return
        pen.fill(0, 0, 1, pen.h - 1, "line")
        pen.icon(shown.icon, 22, pen.h / 2, 24, "info" if shown.icon == "rain" else "warn")
        x = 44 + pen.text(shown.sky, 44, pen.h / 2, BODY, "hi", BOLD) + 8
        pen.text(shown.on, x, pen.h / 2 + 1, CAPTION, "mid", SEMIBOLD, room=max(1.0, pen.w - 8 - x), cut=True)


class WaitingView(RowView):
    """Row of a `TrialRow` for a possible next driver, with his session."""

    def draw(self, pen: Pen, shown: TrialRow) -> None:
        if shown.now:
            self.choose(pen, paint_of(shown.plate.place).colour)
        plate.draw(pen, shown.plate, 30, pen.h / 2, 28)
        pen.text(shown.name, 56, pen.h / 2, BODY, "hi", SEMIBOLD, room=pen.w - 100, cut=True)
        pen.text(shown.sum, pen.w - 14, pen.h / 2, BODY, "mid", SEMIBOLD, "right")


class NearView(RowView):
    """Row of a `TrialRow` beside a running clock."""

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
    """Row of a `TrialRow` in the list after a trial."""

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
