"""The shot clock: the time that is left, and a line that drains over the width of the screen.
It stands still while a ruling is disputed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kivy.clock import Clock

from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import CLOCK
from companion.screens.widgets.touch import Target
from companion.view.shown import Shown

TICKS: Final = (3, 2, 1)
"""The seconds before the end that are heard."""


class Shot:
    """Counts down `seconds` for a turn and up when they are over; 0 seconds: there is no clock.

    `show(time)` is called when another second has to be shown, `tick(left)` with every second that passes.
    """

    def __init__(self, seconds: int, show: Callable[[ShotTime | None], object], tick: Callable[[int], object]) -> None:
        self._show, self._tick = show, tick
        self.turn: object = None
        """Whose time it is; a new one has all of it."""
        self.seconds, self.left = seconds, seconds
        self.stopped: set[str] = set()
        """Why it stands still: "paused", "disputed", "called"; it goes on when there is no reason left."""
        self._going: Any = None

    def allow(self, seconds: int, turn: object) -> None:
        """Gives a turn its time; the turn that has it already goes on with what it has left."""
        if (seconds, turn) != (self.seconds, self.turn):
            self.stopped.discard("paused")
            self.seconds, self.turn, self.left = seconds, turn, seconds
            self.close()
        if self._going is None and self.time is not None:
            self._going = Clock.schedule_interval(self._second, 1)
        self._show(self.time)

    def stop(self, why: str, still: bool = True) -> None:
        """Stands still for a reason, or no longer for it."""
        self.stopped = self.stopped | {why} if still else self.stopped - {why}
        self._show(self.time)

    def toggle(self) -> None:
        """Pauses, or goes on."""
        self.stop("paused", "paused" not in self.stopped)

    def close(self) -> None:
        """Ends it."""
        if self._going is not None:
            self._going.cancel()
            self._going = None

    @property
    def time(self) -> ShotTime | None:
        """What the clock shows; nothing where no turn is played or no time is set."""
        if not self.seconds or self.turn is None:
            return None
        return ShotTime(left=self.left, of=self.seconds, paused=bool(self.stopped))

    @property
    def is_running(self) -> bool:
        """Return True while the time of a turn passes."""
        return self.time is not None and not self.stopped

    def _second(self, _: float) -> None:
        if self.is_running:
            self.left -= 1
            self._show(self.time)
            self._tick(self.left)


LAST: int = 10
"""Seconds at the end that are told by colour."""


class ShotTime(Shown, frozen=True, kw_only=True):
    """`left` of `of` seconds; less than 0 when the time is over. `paused` while a ruling is disputed."""

    left: int
    of: int
    paused: bool = False

    @property
    def text(self) -> str:
        """As it is read: 0:38, +0:12 when over."""
        minutes, seconds = divmod(abs(self.left), 60)
        return f"{'+' if self.left < 0 else ''}{minutes}:{seconds:02}"

    @property
    def token(self) -> str:
        """The colour of the time."""
        if self.paused:
            return "info"
        return "bad" if self.left < 0 else "warn" if self.left < LAST else "hi"


class ShotClock(Target):
    """Shows a `ShotTime` as figures, about 140 by 45 dp."""

    joined, means = True, "clock"

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        token, middle = self.shown.token, 22.5
        pen.icon("pause" if self.shown.paused else "clock", 24, middle, 20, "mid" if token == "hi" else token)
        pen.text(self.shown.text, 46, middle + 1, CLOCK, token, BOLD, room=pen.w - 50)


class ShotLine(Pane):
    """Shows a `ShotTime` as a line, 3 dp high."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "line")
        if self.shown is not None and self.shown.of > 0:
            part = 1.0 if self.shown.left < 0 else min(1.0, self.shown.left / self.shown.of)
            pen.fill(0, 0, pen.w * part, pen.h, self.shown.token)
