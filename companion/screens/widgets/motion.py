"""What moves, and for how long; nothing does where the theme is to be still.

A movement only draws: what can be touched is where it will be from the beginning, and a touch anywhere brings every
movement to its end. While nothing moves nothing is called.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.graphics import PopMatrix, PushMatrix, Translate
from kivy.uix.widget import Widget

from companion.screens.widgets.theme import theme

QUESTION: Final = 0.12
PRESS: Final = 0.12
"""How long the colour of a key that was let go takes to go; it comes at once."""
CARD: Final = 0.16
SLIDE: Final = 24.0
"""How far a card or a sheet slides, in dp."""
SEGMENT: Final = 0.08
"""How long each point takes that is spent."""
ROWS: Final = 0.25

FAINT: Final = 0.25
"""How much is seen at once of what comes out of the dark."""

Step = Callable[[float], object]
"""Draws how a movement stands: from 0, where it begins, to 1, where it has arrived."""


class Movement:
    """One movement under way; its time begins with the first frame that can show it."""

    def __init__(self, seconds: float, step: Step) -> None:
        self.seconds, self.step = seconds, step
        self._begun: float | None = None

    def part(self, now: float) -> float:
        """How much of it is over."""
        self._begun = now if self._begun is None else self._begun
        return min(1.0, (now - self._begun) / self.seconds)


class Movements:
    """All movements under way, each by what moves."""

    def __init__(self) -> None:
        self._all: dict[Hashable, Movement] = {}
        self._clock: Any = None

    def __len__(self) -> int:
        return len(self._all)

    def begin(self, what: Hashable, seconds: float, step: Step) -> None:
        """Moves something for so many seconds; a movement of the same thing that is under way is at its end."""
        self.finish(what)
        taken = theme.time(seconds)
        if not taken:
            step(1.0)
            return
        self._all[what] = Movement(taken, step)
        step(0.0)
        if self._clock is None:
            self._clock = Clock.schedule_interval(self._tick, 0)
            if EventLoop.window is not None:
                EventLoop.window.bind(on_touch_down=self._touched)

    def finish(self, what: Hashable) -> None:
        """Brings the movement of something to its end, if it moves."""
        movement = self._all.pop(what, None)
        if movement is not None:
            movement.step(1.0)

    def finish_all(self) -> None:
        """Brings everything that moves to its end."""
        for what in list(self._all):
            self.finish(what)

    def _tick(self, _: float) -> None:
        now = Clock.get_time()
        for what, movement in list(self._all.items()):
            part = 1.0 if theme.still else movement.part(now)
            if part >= 1.0:
                self.finish(what)
            else:
                movement.step(part)
        if not self._all:
            self._clock.cancel()
            self._clock = None
            if EventLoop.window is not None:
                EventLoop.window.unbind(on_touch_down=self._touched)

    def _touched(self, *_: object) -> None:
        self.finish_all()


movements = Movements()


def eased(part: float) -> float:
    """Fast at first, slower towards the end."""
    return 1.0 - (1.0 - part) ** 2


def appear(widget: Widget, seconds: float = CARD) -> None:
    """Lets a widget that has something new to show come out of the dark."""

    def step(part: float) -> None:
        widget.opacity = FAINT + (1.0 - FAINT) * eased(part)

    movements.begin((widget, "appear"), seconds, step)


def arrive(widget: Widget, right: float = 0.0, below: float = 0.0) -> None:
    """Lets a widget that was just put somewhere slide there, from so many dp at the right or below, and come out of the
    dark."""
    movements.finish((widget, "arrive"))
    if theme.still:
        return
    begin, shift, end = PushMatrix(), Translate(), PopMatrix()
    widget.canvas.before.insert(0, begin)
    widget.canvas.before.insert(1, shift)
    widget.canvas.after.add(end)

    def step(part: float) -> None:
        left = 1.0 - eased(part)
        shift.xy = (round(theme.dp(right * left)), round(-theme.dp(below * left)))
        if part >= 1.0:
            for instruction in (begin, shift):
                widget.canvas.before.remove(instruction)
            widget.canvas.after.remove(end)

    movements.begin((widget, "arrive"), CARD, step)
    appear(widget)
