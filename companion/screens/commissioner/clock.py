"""The large figures of a trial's clock, with a bar that fills each minute."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import GIANT
from companion.view.shown import Shown

HUNDREDTH: Final = 10_000_000
"""Nanoseconds."""
MINUTE: Final = 6000
AGAIN: Final = 0.05
"""Seconds between two looks at a clock that runs: it shows tenths."""


class ClockShown(Shown, frozen=True, kw_only=True):
    """A clock: it runs since a nanosecond of the machine's clock (`began`), or stands at hundredths of a second."""

    began: int | None = None
    clock: int = 0


class Stopwatch(Pane):
    """Shows a `ClockShown`; `on_minute()` is called as each minute becomes whole."""

    def __init__(self, on_minute: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_minute = on_minute
        self._drawn = ""
        self._minutes = 0
        self._ticking = Clock.schedule_interval(self._tick, AGAIN)

    def discard(self) -> None:
        super().discard()
        self.stop()

    def stop(self) -> None:
        """Looks no more."""
        self._ticking.cancel()

    @property
    def hundredths(self) -> int:
        """What it shows now."""
        shown: ClockShown = self.shown or ClockShown()
        return shown.clock if shown.began is None else max(0, (time.monotonic_ns() - shown.began) // HUNDREDTH)

    def _tick(self, _: float) -> None:
        clock = self.hundredths
        if figures(clock) != self._drawn:
            self.draw_now()
        if self.shown is not None and self.shown.began is not None and clock // MINUTE > self._minutes:
            self.on_minute()
        self._minutes = clock // MINUTE

    def paint(self, pen: Pen) -> None:
        clock = self.hundredths
        self._drawn = said = figures(clock)
        still = self.shown is None or (self.shown.began is None and not clock)
        x = (pen.w - sum(pen.width(sign, GIANT, BOLD) for sign in said)) / 2
        for sign in said:
            x += pen.text(sign, x, (pen.h - 18) / 2, GIANT, "low" if still else "hi", BOLD)
        pen.fill(12, pen.h - 5, pen.w - 24, 4, "bg4", 2)
        part = clock % MINUTE / MINUTE
        if part:
            pen.fill(12, pen.h - 5, max(4.0, (pen.w - 24) * part), 4, "warn", 2)


def figures(clock: int) -> str:
    """Hundredths of a second as they are shown while they run: minutes, seconds, tenths."""
    return f"{clock // 6000}:{clock // 100 % 60:02}.{clock // 10 % 10}"
