"""The shot clock: the time left, and a line draining across the screen.

It stops while a ruling is disputed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.theme import CLOCK
from companion.screens.kit.touch import Target
from companion.view.shown import ViewModel

TICKS: Final = (3, 2, 1)
"""Seconds before the end that are heard."""


class Countdown:
    """A countdown of a turn's `seconds`, and up once they are over; 0 for no clock.

    `show(time)` is called when the displayed time changes, `tick(left)` every second.
    """

    def __init__(self, seconds: int, show: Callable[[ShotTime | None], object], tick: Callable[[int], object]) -> None:
        self._show, self._tick = show, tick
        self.turn: object = None
        """Turn that the time belongs to; a new one gets the full time."""
        self.seconds, self.left = seconds, seconds
        self.stopped: set[str] = set()
        """Reasons for standing still: "paused", "disputed", "called"; it goes on when none is left."""
        self._going: Any = None

    def allow(self, seconds: int, turn: object) -> None:
        """Start a turn's time; the same turn continues with the time it has left."""
        if (seconds, turn) != (self.seconds, self.turn):
            self.stopped.discard("paused")
            self.seconds, self.turn, self.left = seconds, turn, seconds
            self.close()
        if self._going is None and self.time is not None:
            self._going = Clock.schedule_interval(self._second, 1)
        self._show(self.time)

    def stop(self, why: str, still: bool = True) -> None:
        """Stop the clock for a reason, or lift that reason."""
        self.stopped = self.stopped | {why} if still else self.stopped - {why}
        self._show(self.time)

    def toggle(self) -> None:
        """Pause, or go on."""
        self.stop("paused", "paused" not in self.stopped)

    def close(self) -> None:
        """Stop counting."""
        if self._going is not None:
            self._going.cancel()
            self._going = None

    @property
    def time(self) -> ShotTime | None:
        """The displayed time, or None without a turn or a time limit."""
        if not self.seconds or self.turn is None:
            return None
        return ShotTime(left=self.left, of=self.seconds, paused=bool(self.stopped))

    @property
    def is_running(self) -> bool:
        """True while a turn's time is running."""
        return self.time is not None and not self.stopped

    def _second(self, _: float) -> None:
        if self.is_running:
            self.left -= 1
            self._show(self.time)
            self._tick(self.left)


LAST: int = 10
"""Seconds at the end that are shown by colour."""


class ShotTime(ViewModel, frozen=True, kw_only=True):
    """A displayed time: `left` of `of` seconds, negative when over; `paused` in a dispute."""

    left: int
    of: int
    paused: bool = False

    @property
    def text(self) -> str:
        """The time as text: 0:38, or +0:12 when over."""
        minutes, seconds = divmod(abs(self.left), 60)
        return f"{'+' if self.left < 0 else ''}{minutes}:{seconds:02}"

    @property
    def token(self) -> str:
        """The colour of the time."""
        if self.paused:
            return "info"
        return "bad" if self.left < 0 else "warn" if self.left < LAST else "hi"


class ShotClock(Target):
    """The shot clock in digits, about 140 by 45 dp."""

    joined, means = True, "clock"

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        token, middle = self.shown.token, 22.5
        pen.icon("pause" if self.shown.paused else "clock", 24, middle, 20, "mid" if token == "hi" else token)
        pen.text(self.shown.text, 46, middle + 1, CLOCK, token, BOLD, room=pen.w - 50)


class ShotLine(Pane):
    """The shot clock as a line, 3 dp high."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "line")
        if self.shown is not None and self.shown.of > 0:
            part = 1.0 if self.shown.left < 0 else min(1.0, self.shown.left / self.shown.of)
            pen.fill(0, 0, pen.w * part, pen.h, self.shown.token)
